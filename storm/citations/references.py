"""Whether a written reference is one of the collected works.

Everything that a reference states must be right: a right identifier under another work's title, or a right title with a
wrong year, is not a match. A false match is worse than a missed one.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import unquote

from storm.citations.quotes import normalize_text
from storm.models import Hit, Source, lookup_keys
from storm.models.identifiers import normalize_patent, normalize_url
from storm.models.names import fold_text
from storm.models.normal_forms import normal_form
from storm.models.written_identifiers import (
    address_identifiers,
    link_parts,
    read_address,
    stated_identifiers,
    stated_parts,
    stated_year,
    strip_wrapping,
    with_scheme,
)

#: What an index finds: a source, or the reference that describes it.
Work = TypeVar("Work")

_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
#: Escapes of a path that are not decoded: decoded, they would mean something else.
_RESERVED = re.compile(r"%(?=[01]|2[35f]|3f|5c|7f)", re.IGNORECASE)
#: How many characters of a reference name it in a message.
_SHOWN = 160
#: Longer texts are not titles, and equal only themselves.
_LONGEST_TITLE = 5_000
#: Characters around a title that do not count.
_AROUND = " .,;:[]*_`\"'"
#: A link text with this many words is a title; a number with this many digits is an id of PubMed or PMC.
_TITLE_WORDS = 4
_NUMBER_DIGITS = 5


class WrittenReference(NamedTuple):
    """A reference as a model or a person wrote it; fields that it does not state are empty.

    `identifiers` are in any usual form (`PMID: 123`, a DOI, `NCT…`); `source_type` is the database of a bare number.
    """

    title: str = ""
    url: str = ""
    identifiers: tuple[str, ...] = ()
    source_type: str = ""
    year: int | None = None


class _Stated(NamedTuple):
    """What a reference states, in canonical form; each identifier with all its possible meanings."""

    identifiers: tuple[frozenset[str], ...]
    addresses: tuple[str, ...]
    titles: tuple[str, ...]
    years: tuple[int, ...]


class WorkDescription(NamedTuple):
    """What a reference may state of a work, in canonical form."""

    identifiers: frozenset[str]
    addresses: frozenset[str]
    title: str
    years: frozenset[int]


_Known = tuple[Work, WorkDescription]


class WorkIndex(Generic[Work]):
    """An index of works, for matching many references; a work may be described more than once."""

    def __init__(self, works: Iterable[tuple[Work, WorkDescription]]) -> None:
        self._by_identifier: defaultdict[str, list[_Known[Work]]] = defaultdict(list)
        self._by_address: defaultdict[str, list[_Known[Work]]] = defaultdict(list)
        self._by_title: defaultdict[str, list[_Known[Work]]] = defaultdict(list)
        for work, description in works:
            known = (work, description)
            for identifier in description.identifiers:
                self._by_identifier[identifier].append(known)
            for place in description.addresses:
                self._by_address[place].append(known)
            self._by_title[description.title].append(known)

    def find_match(self, reference: WrittenReference) -> Work | None:
        """The one work that the reference means, found by identifier, else by address, else by title.

        None if there is none or more than one, or if the reference states anything else that is not the work's.
        """
        stated = _parse_reference(reference)
        found = {id(work): work for work, known in self._find_candidates(stated) if _is_consistent(stated, known)}
        return next(iter(found.values())) if len(found) == 1 else None

    def _find_candidates(self, stated: _Stated) -> Iterator[_Known[Work]]:
        if stated.identifiers:
            for identifier in frozenset().union(*stated.identifiers):
                yield from self._by_identifier.get(identifier, ())
        elif stated.addresses:
            for url in stated.addresses:
                for identifier in _identifiers_in_address(url):
                    yield from self._by_identifier.get(identifier, ())
                for place in _address_forms(url):
                    yield from self._by_address.get(place, ())
        else:
            for title in stated.titles:
                yield from self._by_title.get(title, ())


class SourceIndex(WorkIndex[Source]):
    """An index of the collected sources."""

    def __init__(self, sources: Iterable[Source]) -> None:
        super().__init__((source, _describe_source(source)) for source in sources)


def matching_source(reference: WrittenReference, sources: Sequence[Source]) -> Source | None:
    """The source that the reference means, or None; for many references, use a `SourceIndex`."""
    return SourceIndex(sources).find_match(reference)


def is_address_of(url: str, hit: Hit) -> bool:
    """Whether an address belongs to the record, in any of its forms."""
    return not _address_forms(url).isdisjoint(_own_addresses(hit)) or not _own_identifiers(hit).isdisjoint(
        _identifiers_in_address(url)
    )


def is_same_title(one: str, other: str) -> bool:
    """Whether two titles are equal except for spelling details such as case, dashes and mark-up."""
    return _title_key(one) == _title_key(other)


def states_other_work(text: str, hit: Hit) -> bool:
    """Whether any identifier or address in the text differs from the record's identifier of the same kind."""
    own = _own_identifiers(hit)
    kinds = {identifier.partition(":")[0] for identifier in own}
    parts = [set(map(normalize_text, stated_identifiers(part))) for part in stated_parts(text)]
    return any(own.isdisjoint(part) and not kinds.isdisjoint(one.partition(":")[0] for one in part) for part in parts)


def name_reference(reference: WrittenReference) -> str:
    """One line that names a reference: its title, else an identifier, else its address."""
    stated = (reference.title, *reference.identifiers, reference.url)
    return next((text for one in stated if (text := " ".join(one.split())[:_SHOWN])), "an empty reference")


def describe_work(reference: WrittenReference) -> WorkDescription:
    """What a reference may state of the work that this one describes in the words of its record."""
    addresses = frozenset(filter(None, [_canonical_address(reference.url)] if reference.url else []))
    stated = filter(str.strip, reference.identifiers)
    written = [_canonical_forms(identifier, reference.source_type) for identifier in stated]
    identifiers = frozenset[str]().union(*written) or _identifiers_in_address(reference.url)
    years = frozenset() if reference.year is None else frozenset((reference.year,))
    return WorkDescription(identifiers, addresses, _title_key(reference.title), years)


def _describe_source(source: Source) -> WorkDescription:
    hit = source.hit
    years = frozenset() if hit.year is None else frozenset((hit.year,))
    return WorkDescription(_own_identifiers(hit), _own_addresses(hit), _title_key(hit.title), years)


def _own_identifiers(hit: Hit) -> frozenset[str]:
    return _normalize_identifiers((*hit.identifiers, *lookup_keys(hit.database, hit.external_id)))


@lru_cache(maxsize=256)
def _normalize_identifiers(identifiers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalize_text, identifiers))


def _own_addresses(hit: Hit) -> frozenset[str]:
    return frozenset(place for url in (hit.url, hit.open_url) if url and (place := _canonical_address(url)))


def _is_consistent(stated: _Stated, known: WorkDescription) -> bool:
    """Whether everything that a reference states belongs to this work."""
    if any(map(known.identifiers.isdisjoint, stated.identifiers)):
        return False
    for url in stated.addresses:
        if _address_forms(url).isdisjoint(known.addresses) and known.identifiers.isdisjoint(
            _identifiers_in_address(url)
        ):
            return False
    return {known.title}.issuperset(stated.titles) and known.years.issuperset(stated.years)


def _parse_reference(reference: WrittenReference) -> _Stated:
    """What the reference states; each of its fields may be written as a link."""
    identifiers: list[frozenset[str]] = []
    titles, addresses = [reference.title], [reference.url]
    for written in filter(str.strip, reference.identifiers):
        if not link_parts(written):
            identifiers += _possible_identifiers(written, reference.source_type)
    for text in (*reference.identifiers, reference.url, reference.title):
        if link := link_parts(text):
            words, address = link
            addresses = [address, *(each for each in addresses if each != text)]
            titles = [each for each in titles if each != text]
            identifiers += _possible_identifiers(words, "") if stated_identifiers(words) else _read_link_number(words)
            titles += [words] if text == reference.title or len(words.split()) >= _TITLE_WORDS else []
    years = [reference.year, *map(stated_year, reference.identifiers)]
    return _Stated(
        tuple(identifiers),
        tuple(filter(None, map(str.strip, addresses))),
        tuple(filter(None, map(_title_key, titles))),
        tuple(year for year in years if year is not None),
    )


def _read_link_number(words: str) -> list[frozenset[str]]:
    """The possible meanings of a number as a link text; the number of a footnote has none."""
    number = strip_wrapping(words)
    is_identifier = number.isascii() and number.isdigit() and len(number) >= _NUMBER_DIGITS
    return [frozenset((f"pmid:{number}", f"pmcid:pmc{number}"))] if is_identifier else []


def _possible_identifiers(written: str, source_type: str) -> list[frozenset[str]]:
    """The possible meanings of each identifier in a text."""
    parts = stated_parts(written)
    if len(parts) > 1:
        return [_canonical_forms(part, source_type) for part in parts]
    return [_canonical_forms(written, source_type) | _canonical_forms(parts[0], source_type)]


def _canonical_forms(identifier: str, source_type: str) -> frozenset[str]:
    """The canonical identifiers that the written one may mean; Unicode forms, dashes and case do not count."""
    text = normalize_text(identifier)
    plain = strip_wrapping(text)
    keys = {text, plain, *lookup_keys(source_type, text)}
    if patent := normalize_patent(plain):
        keys.add(f"patent:{patent}")
    if plain.startswith("chembl"):
        keys.add(f"chembl:{plain}")
    return frozenset(map(normalize_text, keys))


def _identifiers_in_address(url: str) -> frozenset[str]:
    """The canonical identifiers in an address."""
    return frozenset(map(normalize_text, address_identifiers(strip_wrapping(url))))


def _address_forms(url: str) -> frozenset[str]:
    """The canonical forms of an address: as it is written, and without the characters around it."""
    return frozenset(filter(None, (_canonical_address(url), _canonical_address(strip_wrapping(url)))))


def _canonical_address(url: str) -> str:
    """The canonical address; empty if the text is none."""
    if read_address(url) is None:
        return ""
    place = normalize_url(with_scheme(url)) or ""
    return normal_form("NFC", unquote(_RESERVED.sub("%25", place)))


def _title_key(title: str) -> str:
    """The title without what differs between two copies of it: Unicode forms, accents, dashes, quotation marks, case,
    white space, mark-up, HTML entities, and brackets, quotation marks or stops around it."""
    if len(title) > _LONGEST_TITLE:
        return title
    return fold_text(normalize_text(_TAG.sub("", html.unescape(title)))).strip(_AROUND)
