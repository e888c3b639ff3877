"""Europe PMC: papers and preprints from its REST service."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial

from storm.databases.formats.europepmc import read_answer
from storm.databases.formats.fields import mapping_at, text_line
from storm.databases.http.client import Http
from storm.databases.http.redaction import redact_text
from storm.databases.http.service import Service
from storm.databases.services.answers import (
    FoundRecords,
    Page,
    UnrequestedRecord,
    collect_pages,
    json_object,
    must_list,
    only_record,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import build_clauses, first_day, last_day
from storm.errors import BadAnswer, QueryRejected, RecordError
from storm.models import Hit, SearchQuery, database_info

_PAGE_SIZE = 100
_FIRST_CURSOR = "*"
_WILDCARDS = "*?"
#: Articles and preprints; not theses, guidelines, books, agricultural records or patents.
_PAPERS = ("MED", "PMC", "PPR")
_ID = re.compile(r"([A-Z]{3}):([A-Za-z0-9/.-]{1,40})", re.A)


class EuropePmc(PublicDatabase):
    """Names are searched in title, abstract and substances.

    The full text is not searched for names, as it may mention a drug in passing; required words may be anywhere, and
    words that only rank never narrow. `since` and `until` bound the first day of publication, `changed_since` the days
    on which a record was first indexed and last updated.
    """

    info = database_info("europepmc")
    dates_changes = True
    example_id = "MED:39709209"

    async def fetch(self, external_id: str) -> Hit | None:
        """The record of that source and id (`MED:39709209`, a PMID for short), or None if there is none."""
        given = external_id.strip()
        source, number = id_parts(f"MED:{given}" if given.isdecimal() else given)
        if source not in _PAPERS:
            raise self.invalid_id_error(external_id)
        return await fetch_record(self._http, self.service, source, number)

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        return await find_records(self._http, self.service, query, _PAPERS, limit)


def search_text(query: SearchQuery, sources: Collection[str]) -> str:
    """The search in Europe PMC's syntax: any name and all required terms, in these of its sources."""
    wanted = build_clauses(query, "Europe PMC", name=_in_fields, wildcards=_WILDCARDS)
    parts = [f"({clause})" for clause in wanted]
    parts.append(f"({' OR '.join(f'SRC:{source}' for source in sources)})")
    first, last = first_day(query), last_day(query)
    if first or last:
        parts.append(f"FIRST_PDATE:[{first or '1800-01-01'} TO {last or '3000-12-31'}]")
    if query.changed_since:
        days = f"[{query.changed_since} TO 3000-12-31]"
        parts.append(f"(FIRST_IDATE:{days} OR UPDATE_DATE:{days})")
    return " AND ".join(parts)


def _in_fields(phrase: str) -> str:
    return f"TITLE_ABS:{phrase} OR CHEM:{phrase}"


async def find_records(
    http: Http, service: Service, query: SearchQuery, sources: Collection[str], limit: int
) -> FoundRecords:
    """The matching records of these sources; ServiceError if the first page fails."""
    text = search_text(query, sources)
    size = min(max(limit, 1), _PAGE_SIZE)

    async def fetch_page(cursor: str) -> Page:
        read = partial(_read_page, service=service, is_first=cursor == _FIRST_CURSOR)
        page: Page = (await http.fetch_answer(service, "search", _search_params(text, size, cursor), read=read)).value
        items = [_check_source(item, sources) for item in page.items]
        # The last page repeats the cursor of its request, or is empty.
        return page._replace(items=items, next=page.next if page.items and page.next != cursor else None)

    return await collect_pages(fetch_page, _FIRST_CURSOR, limit)


def _check_source(item: Hit | RecordError, sources: Collection[str]) -> Hit | RecordError:
    if isinstance(item, Hit) and item.external_id.partition(":")[0] not in sources:
        return UnrequestedRecord(item.external_id)
    return item


async def fetch_record(http: Http, service: Service, source: str, number: str) -> Hit | None:
    """The record of a source and id, or None; BadAnswer if the service returns another one."""
    text = f'EXT_ID:"{number}" AND SRC:{source}'

    def read_record(body: bytes) -> Hit | None:
        items = _read_page(body, service, is_first=True).items
        return only_record(items, f"{source}:{number}", service.label) if items else None

    hit: Hit | None = (
        await http.fetch_answer(service, "search", _search_params(text, 1, _FIRST_CURSOR), read=read_record)
    ).value
    return hit


def id_parts(external_id: str) -> tuple[str, str]:
    """Source and id of `MED:39709209`; empty strings for any other form."""
    match = _ID.fullmatch(external_id.strip())
    return (match[1], match[2]) if match else ("", "")


def _search_params(text: str, size: int, cursor: str) -> dict[str, str]:
    params = {"query": text, "format": "json", "resultType": "core", "synonym": "false"}
    return {**params, "pageSize": str(size), "cursorMark": cursor}


def _read_page(body: bytes, service: Service, *, is_first: bool) -> Page:
    value = json_object(body, service.label)
    if "errCode" in value or "errMsg" in value:
        reason = redact_text(text_line(value.get("errMsg")), service.secrets)[:200] or "no reason given"
        raise QueryRejected(f"Europe PMC refused the search: {reason}", service=service.label, status=200)
    total = value.get("hitCount")
    if type(total) is not int or (total and not isinstance(mapping_at(value, "resultList").get("result"), list)):
        raise BadAnswer("the answer lists no results", service=service.label)
    items = list(read_answer(value))
    if is_first:
        must_list(items, total, service.label)
    return Page(items, total, text_line(value.get("nextCursorMark")) or None)
