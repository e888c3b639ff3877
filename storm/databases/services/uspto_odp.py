"""The USPTO's Open Data Portal: US patent applications by their titles; needs a key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.uspto_odp import application_hit, read_applications, read_numbers
from storm.databases.http.client import Answer, Read
from storm.databases.services.answers import (
    FoundRecords,
    Page,
    UnrequestedRecord,
    collect_pages,
    json_object,
    must_list,
    names_any,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import build_clauses, first_day, last_day
from storm.errors import BadAnswer, NotConfigured, QueryRejected, RecordError
from storm.models import Hit, SearchQuery, database_info
from storm.models.identifiers import normalize_patent

_PAGE_SIZE = 50
_WILDCARDS = "*?"
_DATA = "applicationMetaData"
_NOTHING = re.compile(rb"no matching records", re.I)


class UsptoOdp(PublicDatabase):
    """Names are searched in the titles of applications: the portal does not search abstracts and claims. Required words
    may be in any field of the record; words that only rank are not searched: a title is too short for them. `since` and
    `until` bound the day of filing.
    """

    info = database_info("uspto_odp")
    example_id = "US11646472"
    reads_words = False

    async def fetch(self, external_id: str) -> Hit | None:
        """The application of a patent (`US11646472`), publication or application number; None if there is none."""
        text = external_id.strip()
        patent = normalize_patent(text) or ""
        if re.fullmatch(r"US\d{11}[A-Z]\d", patent):
            field, wanted = f"{_DATA}.earliestPublicationNumber", patent
        elif patent.startswith("US"):
            field, wanted = f"{_DATA}.patentNumber", patent.removeprefix("US")
        elif re.fullmatch(r"\d{8}|PCT/[A-Z]{2}\d\d/\d{5,6}", text, re.A):
            field, wanted = "applicationNumberText", text
        else:
            raise self.invalid_id_error(external_id)

        def read_application(body: bytes) -> Hit | None:
            found, _ = _parse_page(body, self.service.label, 0)
            if not found:
                return None
            if isinstance(hit := _read_item(found[0], 1), RecordError) or wanted not in read_numbers(found[0]):
                problem = hit.message if isinstance(hit, RecordError) else f"{hit.external_id} came instead"
                raise BadAnswer(f"{text} could not be fetched: {problem}", service=self.service.label)
            return hit

        answer = await self._fetch_answer(f'{field}:"{wanted}"', 1, 0, read_application)
        hit: Hit | None = answer.value if answer else None
        return hit

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        text = search_text(query)
        size = min(max(limit, 1), _PAGE_SIZE)

        async def fetch_page(offset: str) -> Page:
            read = partial(_parse_page, label=self.service.label, offset=int(offset))
            answer = await self._fetch_answer(text, size, int(offset), read)
            found, total = answer.value if answer else ([], 0)
            further = int(offset) + size
            items = [_read_named(item, number, query.names) for number, item in enumerate(found, 1)]
            return Page(items, total, str(further) if further < total else None)

        return await collect_pages(fetch_page, "0", limit)

    async def _fetch_answer(self, search: str, size: int, offset: int, read: Read) -> Answer | None:
        """The answer, or None if the portal says that nothing matches."""
        if not self.service.key:
            raise NotConfigured("it needs a key", service=self.service.label, hint=f"set {self.service.key_variable}")
        answer = await self._http.fetch_answer(
            self.service,
            "patent/applications/search",
            {"q": search, "offset": offset, "limit": size},
            secret_headers={"X-API-KEY": self.service.key},
            accept_status=frozenset({200, 404}),
            read=read,
        )
        if answer.status == 200:
            return answer
        if _NOTHING.search(answer.body):
            return None
        raise QueryRejected("it answered HTTP 404", service=self.service.label, status=404)


def _parse_page(body: bytes, label: str, offset: int) -> tuple[list[Any], int]:
    """One page of matches, and the total."""
    value = json_object(body, label)
    total, found = value.get("count"), read_applications(value)
    if type(total) is not int:
        raise BadAnswer("the answer counts no applications", service=label)
    must_list(found, total, label, before=offset)
    return found, total


def search_text(query: SearchQuery) -> str:
    """The search in the portal's syntax: any name in the title, and all required terms."""

    def in_title(phrase: str) -> str:
        return f"{_DATA}.inventionTitle:{phrase}"

    parts = build_clauses(query, "USPTO ODP", name=in_title, wildcards=_WILDCARDS, ranking=False)
    first, last = first_day(query), last_day(query)
    if not (first or last or len(parts) > 1):
        return parts[0]
    parts = [f"({part})" for part in parts]
    if first or last:
        parts.append(f"{_DATA}.filingDate:[{first or '1790-01-01'} TO {last or '2999-12-31'}]")
    return " AND ".join(parts)


def _read_named(value: Any, number: int, names: Sequence[str]) -> Hit | RecordError:
    """An application; an error in place of one whose title has none of the names, where there are any."""
    item = _read_item(value, number)
    if isinstance(item, RecordError) or not names or names_any(names, item.title):
        return item
    return UnrequestedRecord(item.external_id)


def _read_item(value: Any, number: int) -> Hit | RecordError:
    place = f"record {number}"
    if not isinstance(value, dict):
        return RecordError("not an application", position=place)
    return application_hit(JsonRecord(value, place))
