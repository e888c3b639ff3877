"""Crossref: works by their DOI, and the notices that retract or correct them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from storm.databases.formats.crossref import READ_FIELDS, read_notices, read_updates, updated_dois, work_hit
from storm.databases.formats.fields import as_mapping, text_line
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.retractions import judge_retraction
from storm.databases.http.client import Read
from storm.databases.search_words import holds_terms
from storm.databases.services.answers import (
    FoundRecords,
    doi_of,
    gather_all,
    json_object,
    must_be_about,
    must_list,
    only_record,
    outcome_of,
    unread_note,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import first_day, last_day, plain_term
from storm.errors import BadAnswer, QueryRejected, RecordError
from storm.models import Hit, Publication, Retraction, SearchOutcome, SearchQuery, database_info
from storm.models.identifiers import normalize_doi

#: The search is fuzzy and most results are about other drugs: the number of works to examine per wanted one.
_LOOKED_AT = 5
_MAX_ROWS = 1000
#: The number of works per request, and of notices about them.
_BATCH = 20
_NOTICE_ROWS = 200
#: Crossref's plain-text answer for a DOI that it does not have.
_MISSING = re.compile(rb"\A\s*Resource not found\.?\s*\Z", re.I)


class Crossref(PublicDatabase):
    """The search is fuzzy: only works that name the drug in title or abstract are taken and counted.

    Words that only rank never narrow. `since` and `until` bound the date of publication.
    """

    info = database_info("crossref")
    example_id = "10.1056/nejmoa052306"

    async def fetch(self, external_id: str) -> Hit | None:
        """The work of that DOI, or None if Crossref has none; ServiceError if Crossref cannot be searched."""
        doi = normalize_doi(external_id)
        if doi is None:
            raise self.invalid_id_error(external_id)

        def read_work(body: bytes) -> Hit:
            message = _parse_message(body, self.service.label)
            return only_record([work_hit(JsonRecord(message, doi))], doi, self.service.label)

        hit: Hit | None = await self._fetch_value(f"works/{quote(doi, safe='')}", {}, read_work, _MISSING)
        return hit

    async def look_up_hits(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Implements `ports.Register`: whether works with an unknown retraction status were retracted, and what works
        without a volume, a page or all their authors state of these.

        Fetches the works' records and the notices that update them. Each work that Crossref has becomes a Hit with no
        more than these; `not_retracted` means that Crossref has no retraction notice. A DOI with a comma cannot
        be searched.
        """
        asked = [hit for hit in hits if hit.retraction is Retraction.NOT_CHECKED or _lacks_details(hit.publication)]
        # A comma ends the filter and cannot be escaped.
        dois = {doi: hit for hit in asked if (doi := doi_of(hit)) and "," not in doi}
        return (
            await outcome_of(self.name, f"retraction notices of {len(dois)} DOIs", self._check_retractions(dois))
            if dois
            else None
        )

    async def _check_retractions(self, hits_of: Mapping[str, Hit]) -> FoundRecords:
        pairs = list(hits_of.items())
        batches = [dict(pairs[start : start + _BATCH]) for start in range(0, len(pairs), _BATCH)]
        founds, failed = await gather_all([self._check_batch(batch) for batch in batches])
        hits = [hit for found in founds for hit in found.hits]
        return FoundRecords(
            hits, len(hits), [*failed, *dict.fromkeys(note for found in founds for note in found.notes)]
        )

    async def _check_batch(self, hits: Mapping[str, Hit]) -> FoundRecords:
        """Check one batch: filters of one name are alternatives. Works count as checked only with all notices."""
        dois = list(hits)
        known = await self._fetch_works({"filter": _join_filters("doi", dois), "rows": len(dois)}, dois, _own_doi)
        notices = await self._fetch_works(
            {"filter": _join_filters("updates", dois), "rows": _NOTICE_ROWS}, dois, updated_dois
        )
        checked = [
            hit
            for work in map(as_mapping, known.items)
            if (hit := _register_hit(work, hits, notices.items, checked=notices.is_whole))
        ]
        notes = [] if known.is_whole else ["not all records of works could be fetched: the others are not checked"]
        notes += [] if notices.is_whole else ["not all notices could be fetched: works without one are not checked"]
        return FoundRecords(checked, len(checked), notes)

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        listed = await self._fetch_works(search_params(query, limit))
        items = [_read_item(item, number) for number, item in enumerate(listed.items, 1)]
        named = names_pattern(query.names)
        hits = [
            item
            for item in items
            if isinstance(item, Hit)
            and (not query.names or named.search(f"{item.title}\n{item.text}"))
            and holds_terms(item, query.required)
        ]
        broken = [item for item in items if isinstance(item, RecordError)]
        seen = f"only the first {len(items):,} of {listed.total:,} were examined for the name"
        notes: list[str] = list(unread_note(broken)) if broken and len(broken) == len(items) else []
        if len(items) < min(listed.total, _row_count(limit)):
            notes.append(f"the service stopped after {len(items):,} of {listed.total:,} records")
        return FoundRecords(hits[:limit], len(hits), notes, [seen] if not notes and listed.total > len(items) else [])

    async def _fetch_works(
        self,
        params: dict[str, str | int],
        dois: Collection[str] = (),
        dois_of: Callable[[Mapping[str, Any]], Iterable[str]] | None = None,
    ) -> _Works:
        """The matching works; ForeignAnswer if `dois_of` one of them includes none of these DOIs."""

        def read_works(body: bytes) -> _Works:
            found = _parse_works(body, self.service.label)
            if dois_of:
                for work in found.items:
                    must_be_about(dois_of(as_mapping(work)), dois, self.service.label)
            return found

        listed: _Works = await self._fetch_value("works", params, read_works)
        return listed

    async def _fetch_value(
        self, path: str, params: dict[str, str | int], read: Read, missing: re.Pattern[bytes] | None = None
    ) -> Any:
        """The value that `read` returns; a contact address gives access to Crossref's faster pool."""
        secret = {"mailto": self.service.contact} if self.service.contact else None
        answer = await self._http.fetch_answer(
            self.service, path, params, secret_params=secret, missing=missing, read=read
        )
        return answer.value


def _own_doi(work: Mapping[str, Any]) -> Iterable[str]:
    return [normalize_doi(text_line(work.get("DOI"))) or ""]


class _Works(NamedTuple):
    """The works of an answer, and the total."""

    items: list[Any]
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether all matching works are present and have a DOI."""
        return len(self.items) == self.total and all(
            normalize_doi(text_line(as_mapping(i).get("DOI"))) for i in self.items
        )


def _parse_message(body: bytes, label: str) -> dict[str, Any]:
    value = json_object(body, label)
    message = value.get("message")
    if text_line(value.get("status")) != "ok" or not isinstance(message, dict):
        raise BadAnswer("the answer is not about works", service=label)
    return message


def _parse_works(body: bytes, label: str) -> _Works:
    message = _parse_message(body, label)
    items, total = message.get("items"), message.get("total-results")
    if not isinstance(items, list) or type(total) is not int:
        raise BadAnswer("the answer lists no works", service=label)
    must_list(items, total, label)
    return _Works(items, total)


def _join_filters(name: str, values: Sequence[str]) -> str:
    return ",".join(f"{name}:{value}" for value in values)


def _register_hit(
    work: Mapping[str, Any], hits: Mapping[str, Hit], notices: Sequence[Any], *, checked: bool
) -> Hit | None:
    """The retraction status of one of these works by its record and the notices, and where it was published; None for
    any other work."""
    known = work_hit(JsonRecord(dict(work), "work"))
    hit = None if isinstance(known, RecordError) else hits.get(known.external_id)
    if hit is None or isinstance(known, RecordError):
        return None
    doi = known.external_id
    links = [*read_updates(work, doi), *(link for notice in notices for link in read_notices(doi, as_mapping(notice)))]
    status = judge_retraction(known.title, known.publication_types, links, checked=checked)
    return Hit.of(
        "retractions",
        doi,
        hit.url,
        hit.title,
        retraction=status.retraction,
        notices=status.notices,
        publication=known.publication,
    )


def _lacks_details(publication: Publication) -> bool:
    is_placed = publication.volume and (publication.pages or publication.article_number)
    return not is_placed or publication.authors_complete is False


def search_params(query: SearchQuery, limit: int) -> dict[str, str | int]:
    """Crossref's parameters for the search: plain text, as it has no query syntax."""
    required = (term for group in query.required for term in group)
    terms = [text for term in (*query.names, *required, *query.words) if (text := plain_term(term))]
    if not (any(map(plain_term, query.names)) if query.names else terms):
        raise QueryRejected("no name with a letter or digit to look for", service="Crossref")
    ends = {"from-pub-date": first_day(query), "until-pub-date": last_day(query)}
    span = ",".join(f"{name}:{day}" for name, day in ends.items() if day)
    params: dict[str, str | int] = {
        "query.bibliographic": " ".join(terms),
        "rows": _row_count(limit),
        "select": ",".join(READ_FIELDS),
    }
    return {**params, "filter": span} if span else params


def _row_count(limit: int) -> int:
    return min(max(limit, 1) * _LOOKED_AT, _MAX_ROWS)


def names_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """A pattern for one of the names as whole words, in any case and spacing."""
    patterns = [r"\s+".join(map(re.escape, text.split())) for name in names if (text := plain_term(name))]
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.I)


def _read_item(value: Any, number: int) -> Hit | RecordError:
    place = f"record {number}"
    return work_hit(JsonRecord(value, place)) if isinstance(value, dict) else RecordError("not a work", position=place)
