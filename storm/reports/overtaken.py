"""Finds statements that may be outdated, and later sources on the same matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from storm.models import Dossier, Reference, Relation, Statement
from storm.reports.expiries import has_passed, stated_dates

#: Words for a temporary state: pending, planned, not yet, currently.
_OPEN = re.compile(
    r"\b(?:yet|pending|await(?:s|ing|ed)|so far|to date|as of|currently|at present|presently|still|"
    r"remains? (?:under|to be)|"
    r"under review|is (?:expected|planned|scheduled|due) (?:to|for)|are (?:expected|planned|scheduled|due) (?:to|for)|"
    r"(?:is|are|has been|have been) (?:filed|submitted) for|will (?:be|become|expire|lose|launch|end)|"
    r"no(?:ne|t)? (?:\w+ ){0,6}(?:approved|licen[cs]ed|authori[sz]ed|marketed|launched|available|sold|on sale)|"
    r"plans? to|intends? to|(?:is|are) to (?:be|expire))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|none|never|without|neither|refused|rejected|withdrawn)\b", re.IGNORECASE)
#: Matters on which a later source may have news, by their words.
_MATTERS = {
    "approval": re.compile(r"\bapprov|\blicen[cs](?:e|ed|ing|ure)\b|\bauthori[sz]|\bcleared\b", re.IGNORECASE),
    "sale": re.compile(r"\blaunch|\bon sale\b|\bmarket|\bavailable\b|\bsold\b|\bsales\b", re.IGNORECASE),
    "expiry": re.compile(r"\bexpir|\bprotected\b|\bexclusivity\b|\bin force\b", re.IGNORECASE),
    "price": re.compile(r"\bpric(?:e|es|ed|ing)\b|\bcosts?\b", re.IGNORECASE),
}
_MONEY = re.compile(r"[$€£¥]\s?\d|\b(?:USD|EUR|GBP|dollars|euros|pounds)\b")
_EXPIRES = re.compile(r"\bexpir(?:es?\b|y|ation|ing)|\b(?:protected|in force|exclusivity) until\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PATENT = re.compile(r"\b(?:RE)?\d{1,2},?\d{3},?\d{3}\b")
_REGIONS = {
    "us": re.compile(r"\bFDA\b|\bUnited States\b|\bU\.?S\.?A?\b|\bAmerican?\b"),
    "eu": re.compile(r"\bEMA\b|\bEuropean? |\bEU\b|\bCHMP\b|\bEurope\b"),
    "uk": re.compile(r"\bMHRA\b|\bUnited Kingdom\b|\bUK\b|\bEngland\b|\bNICE\b"),
    "jp": re.compile(r"\bPMDA\b|\bJapan"),
    "cn": re.compile(r"\bNMPA\b|\bChin(?:a|ese)\b"),
    "ca": re.compile(r"\bHealth Canada\b|\bCanad"),
}
_COPIES = re.compile(r"\bbiosimilars?\b|\bgenerics?\b|\bfollow-on\b", re.IGNORECASE)
#: A product or company (capitalised), or a patent number.
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][a-z]{3,}\b|\b\d,\d{3},\d{3}\b|\b\d{1,2},\d{3},\d{3}\b")
#: Capitalised words that name no product or company.
_COMMON = frozenset((
    "Administration", "Agency", "Book", "Canada", "China", "Chinese", "Commission", "Drug", "Europe", "European",
    "Food", "Health", "Japan", "Japanese", "Kingdom", "Medicines", "Orange", "States", "Union", "United", "January",
    "February", "March", "April", "June", "July", "August", "September", "October", "November", "December",
))  # fmt: skip


class Later(NamedTuple):
    """A later source on the same matter, and its date."""

    source_id: str
    date: str


class _Dated(NamedTuple):
    """A statement with its date; `copies` if it is about generics or biosimilars."""

    text: str
    source_id: str
    date: str
    copies: bool

    @property
    def matters(self) -> frozenset[str]:
        return frozenset(name for name, words in _MATTERS.items() if words.search(self.text))

    @property
    def regions(self) -> frozenset[str]:
        return frozenset(name for name, words in _REGIONS.items() if words.search(self.text))


def is_open(text: str) -> bool:
    """Whether a text describes a temporary state, such as "not yet on sale" or a price."""
    has_price = _MATTERS["price"].search(text) and _MONEY.search(text)
    is_on_a_matter = any(words.search(text) for words in _MATTERS.values())
    return bool(has_price or (_OPEN.search(text) and is_on_a_matter))


def _states_expiry(text: str) -> bool:
    return bool(_EXPIRES.search(text) and _YEAR.search(text))


def is_past(written: str, day: date) -> bool:
    """Whether an ISO date, possibly partial, is in an earlier year than that day."""
    return bool(written) and int(written[:4]) < day.year


def find_later(statement: Statement, dossier: Dossier) -> Later | None:
    """The latest source in the dossier that updates the statement: later, and on the same matter, region and product.

    None if the statement describes nothing temporary and no expiry."""
    references = {reference.source_id: reference for reference in dossier.references}
    own = _date_statement(statement.text, references[statement.source_ids[0]])
    if not own.date or not (is_open(statement.text) or _states_expiry(statement.text)):
        return None
    later = [other for other in _list_candidates(dossier, references) if _is_update_of(own, other, dossier.names)]
    newest = max(later, key=lambda other: (other.date, other.source_id), default=None)
    return Later(newest.source_id, newest.date) if newest else None


def _list_candidates(dossier: Dossier, references: dict[str, Reference]) -> Iterator[_Dated]:
    """The dossier's statements, dated by the dates they mention or by their source, and its approvals."""
    for statement in _list_statements(dossier):
        stated = _date_statement(statement.text, references[statement.source_ids[0]])
        past = [one for one in stated_dates(statement.text) if has_passed(one, dossier.created.date())]
        days = [] if _states_expiry(statement.text) else past
        yield stated._replace(date=max([stated.date, *days]))
    for approval in dossier.at_a_glance.approvals:
        text = f"{approval.agency} approved {' '.join(dossier.names)} {approval.product or ''}"
        yield _Dated(text, approval.source_id, approval.date or "", approval.relation is Relation.BIOSIMILAR)


def _list_statements(dossier: Dossier) -> Iterable[Statement]:
    for answer in dossier.answers:
        yield from answer.statements


def _date_statement(text: str, reference: Reference) -> _Dated:
    copies = bool(_COPIES.search(text)) or reference.relation is Relation.BIOSIMILAR
    return _Dated(text, reference.source_id, reference.date or str(reference.year or ""), copies)


def _is_update_of(own: _Dated, other: _Dated, names: Iterable[str]) -> bool:
    """Whether the other statement is later and reports an outcome on the same matter."""
    if other.date[: len(own.date)] <= own.date[: len(other.date)] or own.copies != other.copies:
        return False
    shared = own.matters & other.matters
    if "expiry" in shared and not _is_new_expiry(own.text, other.text):
        shared -= {"expiry"}
    if "expiry" in own.matters and "expiry" not in shared:
        return False
    if not shared or _OPEN.search(other.text) or (_DENIED.search(other.text) and not shared & {"expiry", "price"}):
        return False
    return own.regions <= other.regions and _share_subject(own.text, other.text, names)


def _is_new_expiry(one: str, other: str) -> bool:
    """Whether both are about the same patent but state different years."""
    patents = [{re.sub(r"\D", "", number) for number in _PATENT.findall(text)} for text in (one, other)]
    return bool(patents[0] & patents[1]) and set(_YEAR.findall(one)) != set(_YEAR.findall(other))


def _share_subject(one: str, other: str, names: Iterable[str]) -> bool:
    """Whether both name the drug, or the same product, company or patent."""
    drug = [name.casefold() for name in names]
    both = all(any(name in text.casefold() for name in drug) for text in (one, other))
    return both or bool(set(_NAME.findall(one)) & set(_NAME.findall(other)) - _COMMON)
