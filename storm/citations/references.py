"""Whether a reference that somebody wrote is one of the collected sources.

Everything that a reference states must be the source's own: a right identifier under another work's title, or a right
title beside a wrong year, is no reference to it. A false match is worse than a missed one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from storm.citations.quotes import normalize
from storm.models import Source, lookup_keys
from storm.models.identifiers import (
    normalize_doi,
    normalize_nct,
    normalize_patent,
    normalize_pmcid,
    normalize_pmid,
    normalize_url,
)
from storm.models.names import folded

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_REGISTRY = ("clinicaltrials.gov", "classic.clinicaltrials.gov", "beta.clinicaltrials.gov")


class WrittenReference(NamedTuple):
    """A reference as a model or a person wrote it; what it does not state is empty.

    `identifiers` are in any usual form (`PMID: 123`, a DOI, `NCT…`); `source_type` names the database of a bare one.
    """

    title: str = ""
    url: str = ""
    identifiers: tuple[str, ...] = ()
    source_type: str = ""
    year: int | None = None


class _Known(NamedTuple):
    """What may be stated of one source, in the forms that are compared."""

    source: Source
    identifiers: frozenset[str]
    places: frozenset[str]
    title: str


class SourceIndex:
    """The collected sources, ready to be asked for many references."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._by_identifier: defaultdict[str, list[_Known]] = defaultdict(list)
        self._by_place: defaultdict[str, list[_Known]] = defaultdict(list)
        self._by_title: defaultdict[str, list[_Known]] = defaultdict(list)
        for known in map(_known, sources):
            for identifier in known.identifiers:
                self._by_identifier[identifier].append(known)
            for place in known.places:
                self._by_place[place].append(known)
            self._by_title[known.title].append(known)

    def matching(self, reference: WrittenReference) -> Source | None:
        """The one source that the reference is, looked up by identifier, else by address, else by title; None if there
        is none or more than one, or if anything else that it states is not the source's."""
        found = {id(known): known for known in self._candidates(reference) if _agrees(reference, known)}
        return next(iter(found.values())).source if len(found) == 1 else None

    def _candidates(self, reference: WrittenReference) -> Iterator[_Known]:
        if any(map(str.strip, reference.identifiers)):
            for identifier in _meant(reference):
                yield from self._by_identifier.get(identifier, ())
        elif reference.url.strip():
            for identifier in _identified_by(reference.url):
                yield from self._by_identifier.get(identifier, ())
            yield from self._by_place.get(_place(reference.url), ())
        elif title := _title_key(reference.title):
            yield from self._by_title.get(title, ())


def matching_source(reference: WrittenReference, sources: Sequence[Source]) -> Source | None:
    """The source that the reference is, or None; see `SourceIndex` for many references to the same sources."""
    return SourceIndex(sources).matching(reference)


def _known(source: Source) -> _Known:
    hit = source.hit
    identifiers = {*hit.identifiers, *lookup_keys(hit.database, hit.external_id)}
    places = {place for url in (hit.url, hit.open_url) if url and (place := _place(url))}
    return _Known(source, frozenset(map(normalize, identifiers)), frozenset(places), _title_key(hit.title))


def _agrees(reference: WrittenReference, known: _Known) -> bool:
    """Whether nothing that the reference states is another's."""
    for identifier in filter(str.strip, reference.identifiers):
        if known.identifiers.isdisjoint(_readings(identifier, reference.source_type)):
            return False
    if url := reference.url.strip():
        same = _place(url) in known.places or not known.identifiers.isdisjoint(_identified_by(url))
        if not same:
            return False
    if (title := _title_key(reference.title)) and title != known.title:
        return False
    return reference.year is None or reference.year == known.source.hit.year


def _meant(reference: WrittenReference) -> Iterator[str]:
    for identifier in filter(str.strip, reference.identifiers):
        yield from _readings(identifier, reference.source_type)


def _readings(identifier: str, source_type: str) -> frozenset[str]:
    """The canonical identifiers that may be meant, or one itself; Unicode forms, dashes and case do not count."""
    text = normalize(identifier)
    keys = {text, *lookup_keys(source_type, text), *_identified_by(text)}
    if patent := normalize_patent(text):
        keys.add(f"patent:{patent}")
    if text.startswith("chembl"):
        keys.add(f"chembl:{text}")
    return frozenset(map(normalize, keys))


def _identified_by(url: str) -> frozenset[str]:
    """The canonical identifiers that an address states: of PubMed, PMC, a DOI resolver, or the trial registry."""
    address = _address(url)
    if not address:
        return frozenset()
    plain = re.split(r"[?#]", address)[0].rstrip("/")
    keys = []
    if doi := normalize_doi(plain):
        keys.append(f"doi:{doi}")
    if pmid := normalize_pmid(plain):
        keys.append(f"pmid:{pmid}")
    if pmcid := normalize_pmcid(plain):
        keys.append(f"pmcid:{pmcid}")
    host = urlsplit(plain).netloc.lower().removeprefix("www.")
    if host in _REGISTRY and (nct := normalize_nct(plain.rpartition("/")[2])):
        keys.append(f"registry:{nct}")
    return frozenset(map(normalize, keys))


def _address(url: str) -> str:
    """The address with a scheme; empty if it is none, or is written so that it may lead elsewhere than it reads."""
    text = url.strip()
    if not _SCHEME.match(text):
        text = f"https://{text}"
    try:
        host = urlsplit(text).netloc
    except ValueError:
        return ""
    return "" if "\\" in text or "@" in host or re.search(r"[\s\x00-\x1f]", text) else text


def _place(url: str) -> str:
    """The address in the form that is compared, empty if it is none."""
    return unicodedata.normalize("NFC", unquote(normalize_url(_address(url)) or ""))


def _title_key(title: str) -> str:
    """The title without what differs between two copies of it: Unicode forms, accents, dashes, quotation marks, case,
    white space, mark-up, and brackets or full stops around it."""
    return folded(normalize(_TAG.sub("", title))).strip(" .[]")
