"""Determine the retraction status that a record states, alike for every format.

A notice (the article that announces a retraction or concern) is a separate work and not itself retracted. Publishers
give some notices the DOI of the retracted article, so a DOI does not identify a notice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storm.models import Retraction


class Link(NamedTuple):
    """A record's link to a correction or retraction: kind as the record names it, citation, PMID."""

    kind: str
    reference: str
    pmid: str = ""


class RetractionStatus(NamedTuple):
    """A work's retraction status, and one line per notice for readers."""

    retraction: Retraction
    notices: tuple[str, ...]


_RETRACTED_TYPES = frozenset({"retracted publication", "retracted article", "retracted"})
_NOTICE_TYPES = frozenset(
    {"retraction of publication", "retraction notice", "retraction", "withdrawal notice", "expression of concern"}
)
#: A mark before the title: `RETRACTED: …`, `Withdrawn article: …`, `[Removed] …`. `REMOVED:` counts only in capitals,
#: as the word may begin an ordinary title; so does a mark that a stop or dash follows.
_MARK = r"(?:article|paper|preprint|manuscript|publication|chapter)"
_TAGS = r"(?:</?[A-Za-z]{1,9}>\s?){0,3}"
_RETRACTED_TITLE = re.compile(
    rf"\s{{0,3}}{_TAGS}\W{{0,9}}(?:(?i:retracted|withdrawn)|REMOVED)(?:\s(?i:{_MARK}))?"
    rf"(?:\s(?i:by (?:the )?(?:authors?|editors?|publishers?)))?{_TAGS}\W{{0,3}}[:：]"
    rf"|\*\*(?:RETRACTED|WITHDRAWN|REMOVED)\*\*\s"
    rf"|\W{{0,9}}{_TAGS}(?:RETRACTED|WITHDRAWN|REMOVED)(?:\s(?i:{_MARK}))?{_TAGS}\s?(?:[.-]{_TAGS}\s|[–—|])"
    rf"|\s{{0,3}}(?:\[\s?(?i:retracted|withdrawn|removed)(?:\s(?i:{_MARK}))?\s?\]"
    rf"|\(\s?(?i:retracted|withdrawn|removed)(?:\s(?i:{_MARK}))?\s?\))"
)

_LABELS = {
    "retractionin": "Retracted",
    "retractionforward": "Retracted",
    "retractedandrepublishedin": "Retracted and republished",
    "partialretractionin": "Partly retracted",
    "expressionofconcernin": "Expression of concern",
    "concernforward": "Expression of concern",
    "erratumin": "Erratum",
    "correctionforward": "Erratum",
    "correctedandrepublishedin": "Corrected and republished",
    "retractionof": "Retraction of",
    "retractedarticle": "Retraction of",
    "partialretractionof": "Partial retraction of",
    "retractedandrepublishedfrom": "Republished from a retracted article",
    "expressionofconcernfor": "Expression of concern for",
    "objectofconcern": "Expression of concern for",
    "erratumfor": "Erratum for",
    "correctedarticle": "Erratum for",
    "correctedandrepublishedfrom": "Corrected and republished from",
    "preprintof": "Preprint of",
    "preprintin": "Preprint",
}
_RETRACTING = frozenset({"Retracted", "Retracted and republished"})
_CONCERNING = frozenset({"Partly retracted", "Expression of concern"})


def is_notice(types: Iterable[str]) -> bool:
    """Whether the publication types are those of a retraction notice or expression of concern."""
    return any(name.lower() in _NOTICE_TYPES for name in types)


def judge_retraction(title: str, types: Sequence[str], links: Iterable[Link], *, checked: bool) -> RetractionStatus:
    """Determine a work's status from its record's title, types and links.

    `checked`: the database marks all retracted works, so silence means not retracted; otherwise it means not checked.
    """
    known = [(label, link) for link in links if (label := _LABELS.get(re.sub(r"[^a-z]", "", link.kind.lower())))]
    notices = tuple(dict.fromkeys(_describe_link(label, link) for label, link in known))
    labels = {label for label, _ in known}
    if labels & _RETRACTING or any(name.lower() in _RETRACTED_TYPES for name in types):
        return RetractionStatus(Retraction.RETRACTED, notices)
    if is_notice(types):
        return RetractionStatus(Retraction.NOT_RETRACTED, notices)
    if _RETRACTED_TITLE.match(title):
        return RetractionStatus(Retraction.RETRACTED, notices)
    if labels & _CONCERNING:
        return RetractionStatus(Retraction.CONCERN, notices)
    return RetractionStatus(Retraction.NOT_RETRACTED if checked else Retraction.NOT_CHECKED, notices)


def _describe_link(label: str, link: Link) -> str:
    pmid = f"(PMID {link.pmid})" if link.pmid else ""
    detail = " ".join(part for part in (link.reference, pmid) if part)
    return f"{label}: {detail}" if detail else label
