"""Crossref: works by their DOI, and the notices that retract or correct them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from storm.databases.answers import Found, all_of, doi_of, json_object, only_record, outcome_of, unread_note
from storm.databases.formats.crossref import notices_for, updates_of, work_hit, works
from storm.databases.formats.fields import inside, line, mapping
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.retractions import standing
from storm.databases.public import PublicDatabase
from storm.databases.query_text import first_day, last_day, plain
from storm.errors import BadAnswer, QueryRejected, RecordError
from storm.models import Hit, Retraction, SearchOutcome, SearchQuery
from storm.models.identifiers import normalize_doi

#: The search is fuzzy and most of what it lists names another drug: so many works are looked at for each one wanted.
_LOOKED_AT = 5
_MAX_ROWS = 1000
#: So many works are asked for at once, and so many notices of theirs are taken.
_BATCH = 20
_NOTICE_ROWS = 200
_FIELDS = "DOI,title,subtitle,author,container-title,publisher,type,abstract,update-to,relation,issued,published"


class Crossref(PublicDatabase):
    """The search is fuzzy: of what it lists, only works that name the drug in title or abstract are taken.

    The total counts only these. Words never narrow. `since` and `until` bound the date of publication.
    """

    name = "crossref"
    example_id = "10.1056/nejmoa052306"

    async def fetch(self, external_id: str) -> Hit | None:
        """The work of that DOI, or None if Crossref has none; ServiceError if it could not be asked."""
        doi = normalize_doi(external_id)
        if doi is None:
            raise self.no_id(external_id)
        work = await self._work(doi)
        return only_record([work_hit(JsonRecord(work, doi))], doi, self._service.label) if work else None

    async def about(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Implements `roles.Register`: whether the works whose records do not tell were retracted.

        Asks for the works' records and for the notices that say they update them. Of each work that Crossref knows a
        Hit that tells no more than that; `not_retracted` means that it holds no such notice. A DOI with a
        comma cannot be asked for.
        """
        unchecked = [hit for hit in hits if hit.retraction is Retraction.NOT_CHECKED]
        # A comma would end the filter, and nothing escapes it.
        dois = {doi: hit for hit in unchecked if (doi := doi_of(hit)) and "," not in doi}
        return (
            await outcome_of(self.name, f"retraction notices of {len(dois)} DOIs", self._standings(dois))
            if dois
            else None
        )

    async def _standings(self, hits_of: Mapping[str, Hit]) -> Found:
        pairs = list(hits_of.items())
        batches = [dict(pairs[start : start + _BATCH]) for start in range(0, len(pairs), _BATCH)]
        founds, failed = await all_of([self._batch(batch) for batch in batches])
        hits = [hit for found in founds for hit in found]
        return Found(hits, len(hits), failed)

    async def _batch(self, hits: Mapping[str, Hit]) -> list[Hit]:
        """Filters of one name are alternatives to each other."""
        works_of = list(hits)
        known, _ = await self._listed({"filter": _any_of("doi", works_of), "rows": len(works_of)})
        notices, _ = await self._listed({"filter": _any_of("updates", works_of), "rows": _NOTICE_ROWS})
        whole = len(notices) < _NOTICE_ROWS
        return [hit for work in map(mapping, known) if (hit := _standing(work, hits, notices, checked=whole))]

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        listed, total = await self._listed(search_params(query, limit))
        items = [_item(item, number) for number, item in enumerate(listed, 1)]
        named = naming(query.names)
        hits = [item for item in items if isinstance(item, Hit) and named.search(f"{item.title}\n{item.text}")]
        broken = [item for item in items if isinstance(item, RecordError)]
        seen = f"only the first {len(items):,} of {total:,} were looked at for the name"
        notes = unread_note(broken) if broken and len(broken) == len(items) else []
        return Found(hits[:limit], len(hits), notes, [seen] if total > len(items) else [])

    async def _work(self, doi: str) -> dict[str, Any] | None:
        try:
            answer = await self._ask(f"works/{quote(doi, safe='')}", {})
        except QueryRejected as exc:
            if exc.status == 404:
                return None
            raise
        work = dict(inside(answer, "message"))
        if (found := normalize_doi(line(work.get("DOI")))) != doi:
            raise BadAnswer(f"{found or 'no work'} came where {doi} was asked for", service=self._service.label)
        return work

    async def _listed(self, params: dict[str, str | int]) -> tuple[list[Any], int]:
        """The works of an answer, and how many match in all."""
        answer = await self._ask("works", params, is_list=True)
        total = inside(answer, "message").get("total-results")
        return works(answer), total if type(total) is int else 0

    async def _ask(self, path: str, params: dict[str, str | int], *, is_list: bool = False) -> dict[str, Any]:
        """An answer about a work or works; the address that Crossref may write to earns its faster pool."""
        secret = {"mailto": self._service.contact} if self._service.contact else None
        read = partial(_read, label=self._service.label, is_list=is_list)
        answer = await self._http.ask(self._service, path, params, secret_params=secret, read=read)
        value: dict[str, Any] = answer.value
        return value


def _read(body: bytes, label: str, *, is_list: bool) -> dict[str, Any]:
    value = json_object(body, label)
    if line(value.get("status")) != "ok" or not isinstance(value.get("message"), dict):
        raise BadAnswer("the answer is not about works", service=label)
    if is_list and not isinstance(inside(value, "message").get("items"), list):
        raise BadAnswer("the answer lists no works", service=label)
    return value


def _any_of(name: str, values: Sequence[str]) -> str:
    return ",".join(f"{name}:{value}" for value in values)


def _standing(work: Mapping[str, Any], hits: Mapping[str, Hit], notices: Sequence[Any], *, checked: bool) -> Hit | None:
    """What is known of the retraction of one of these works, by its record and by the notices; None for another."""
    known = work_hit(JsonRecord(dict(work), "work"))
    hit = None if isinstance(known, RecordError) else hits.get(known.external_id)
    if hit is None or isinstance(known, RecordError):
        return None
    doi = known.external_id
    links = [*updates_of(work, doi), *(link for notice in notices for link in notices_for(doi, mapping(notice)))]
    told = standing(known.title, known.publication_types, links, checked=checked)
    return Hit.of("retractions", doi, hit.url, hit.title, retraction=told.retraction, notices=told.notices)


def search_params(query: SearchQuery, limit: int) -> dict[str, str | int]:
    """The search as Crossref's parameters: it takes plain text and has no syntax."""
    terms = [text for term in (*query.names, *query.words) if (text := plain(term))]
    if not any(map(plain, query.names)):
        raise QueryRejected("no name with a letter or digit to look for", service="Crossref")
    ends = {"from-pub-date": first_day(query), "until-pub-date": last_day(query)}
    span = ",".join(f"{name}:{day}" for name, day in ends.items() if day)
    rows = min(max(limit, 1) * _LOOKED_AT, _MAX_ROWS)
    params: dict[str, str | int] = {"query.bibliographic": " ".join(terms), "rows": rows, "select": _FIELDS}
    return {**params, "filter": span} if span else params


def naming(names: Sequence[str]) -> re.Pattern[str]:
    """What matches a text that holds one of the names as whole words, in any case and spacing."""
    told = [r"\s+".join(map(re.escape, text.split())) for name in names if (text := plain(name))]
    return re.compile(rf"(?<!\w)(?:{'|'.join(told)})(?!\w)", re.I)


def _item(value: Any, number: int) -> Hit | RecordError:
    place = f"record {number}"
    return work_hit(JsonRecord(value, place)) if isinstance(value, dict) else RecordError("not a work", position=place)
