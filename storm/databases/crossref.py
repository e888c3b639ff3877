"""Crossref: works by their DOI, and the notices that retract or correct them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from storm.databases.answers import Found, json_object, only_record, outcome_of, unread_note
from storm.databases.formats.crossref import notices_for, updates_of, work_hit, works
from storm.databases.formats.fields import inside, line, mapping
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.retractions import Link, Standing, standing
from storm.databases.http import Http
from storm.databases.query_text import first_day, last_day, plain
from storm.databases.service import Service
from storm.errors import BadAnswer, QueryRejected, RecordError
from storm.models import Hit, Retraction, SearchOutcome, SearchQuery
from storm.models.identifiers import normalize_doi

#: The search is fuzzy and most of what it lists names another drug: so many works are looked at for each one wanted.
_LOOKED_AT = 5
_MAX_ROWS = 1000
_NOTICE_ROWS = 100
_FIELDS = "DOI,title,subtitle,author,container-title,publisher,type,abstract,update-to,relation,issued,published"


class Crossref:
    """Implements `roles.Database`.

    Crossref's search is fuzzy: of what it lists, only works that name the drug in title or abstract are taken, and the
    total counts only these. Words never narrow. `since` and `until` bound the date of publication.
    """

    name = "crossref"

    def __init__(self, http: Http, service: Service) -> None:
        self.scope = service.scope
        self._http = http
        self._service = service

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """Works by Crossref's relevance; every failure is an outcome."""
        return await outcome_of(self.name, query, self._find(query, limit))

    async def fetch(self, external_id: str) -> Hit | None:
        """The work of that DOI, or None if Crossref has none; ServiceError if it could not be asked."""
        doi = normalize_doi(external_id)
        work = await self._work(doi) if doi else None
        return only_record([work_hit(JsonRecord(work, doi))], doi, self._service.label) if doi and work else None

    async def retraction_of(self, doi: str) -> Standing:
        """Whether the work of that DOI was retracted, and a line for each notice.

        Asks for the work's record and for the notices that say they update it. `not_retracted` means that Crossref
        knows the work and holds no such notice; `not_checked` that it does not know the work, or cannot be asked for
        notices of this DOI. ServiceError if it could not be asked.
        """
        name = normalize_doi(doi)
        work = await self._work(name) if name else None
        if name is None or work is None:
            return Standing(Retraction.NOT_CHECKED, ())
        # A comma would end the filter, and nothing escapes it.
        askable = "," not in name
        links = [*updates_of(work, name), *(await self._notices(name) if askable else [])]
        hit = work_hit(JsonRecord(dict(work), name))
        title, types = (hit.title, hit.publication_types) if isinstance(hit, Hit) else ("", ())
        return standing(title, types, links, checked=askable)

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        answer = await self._ask("works", search_params(query, limit))
        items = [_item(item, number) for number, item in enumerate(works(answer), 1)]
        named = naming(query.names)
        hits = [item for item in items if isinstance(item, Hit) and named.search(f"{item.title}\n{item.text}")]
        broken = [item for item in items if isinstance(item, RecordError)]
        return Found(hits[:limit], len(hits), unread_note(broken) if broken and len(broken) == len(items) else [])

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

    async def _notices(self, doi: str) -> list[Link]:
        answer = await self._ask("works", {"filter": f"updates:{doi}", "rows": _NOTICE_ROWS})
        return [link for notice in works(answer) for link in notices_for(doi, mapping(notice))]

    async def _ask(self, path: str, params: dict[str, str | int]) -> dict[str, Any]:
        """An answer about a work or works; the address that Crossref may write to earns its faster pool."""
        secret = {"mailto": self._service.contact} if self._service.contact else None
        answer = await self._http.ask(self._service, path, params, secret_params=secret)
        value = json_object(answer.body, self._service.label)
        if line(value.get("status")) != "ok" or not isinstance(value.get("message"), dict):
            raise BadAnswer("the answer is not about works", service=self._service.label)
        return value


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
