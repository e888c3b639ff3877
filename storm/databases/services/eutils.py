"""NCBI's E-utilities: searches that return ids, and records by id."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from storm.databases.formats.fields import as_list, mapping_at, text_line, text_lines
from storm.databases.http.client import Expect, Http
from storm.databases.http.redaction import redact_text
from storm.databases.http.service import Service
from storm.databases.services.answers import (
    FoundRecords,
    MissingRecord,
    Page,
    UnrequestedRecord,
    collect_pages,
    json_object,
    must_list,
)
from storm.databases.services.query_text import build_clauses, first_day, last_day, quote_phrases
from storm.errors import BadAnswer, QueryRejected, RecordError, ServiceDown, ServiceError
from storm.models import Hit, SearchQuery

#: A search returns at most this many ids; a larger `retstart` is refused.
MAX_IDS = 9_999
#: Longer lists of ids are posted to NCBI's history and fetched from there; neither answer is cached.
MAX_IDS_BY_GET = 200

#: NCBI requires POST for longer queries.
_LONGEST_URL = 2_000

_WILDCARDS = "*"
#: NCBI's message in an empty answer: it says nothing about the query.
_NOTHING_FOUND = "No items found."

_BACKEND = re.compile(r"backend|timed? ?out|unavailable|temporar|internal", re.I)
_TAGGED = re.compile(r"\[[^\[\]]*\]\s*$")
#: Bytes in which an answer must begin as XML.
_HEAD = 4096
_WHOLE = re.compile(rb"<(?:Pubmed|pmc-articleset|article|ePostResult)")
_POSTED = re.compile(rb"<(QueryKey|WebEnv|ERROR)>([^<>]*)</\1>")

#: Parses the records of an efetch answer; ServiceError if none is usable.
ReadRecords = Callable[[bytes], Sequence[Hit | RecordError]]

Value = TypeVar("Value")


class Ids(NamedTuple):
    """One page of a search: ids in order, the total, and the query as NCBI ran it.

    `dropped` are phrases that NCBI ignored, `loosened` phrases that it split into words, `widened` unknown fields that
    it replaced by all fields; `warnings` are its other messages.
    """

    ids: tuple[str, ...]
    total: int
    translated: str = ""
    dropped: tuple[str, ...] = ()
    loosened: tuple[str, ...] = ()
    widened: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Eutils:
    """One of NCBI's databases ("pubmed", "pmc"). Every method raises ServiceError if NCBI's answer is unusable."""

    def __init__(self, http: Http, service: Service, db: str) -> None:
        self._http = http
        self._service = service
        self._db = db

    async def find_records(
        self, query: SearchQuery, term: str, limit: int, *, page_size: int, read: ReadRecords, prefix: str = ""
    ) -> FoundRecords:
        """The records that match the term, parsed by `read`; their external ids are `prefix` plus NCBI's id."""
        size = min(max(limit, 1), page_size)
        pages: list[Ids] = []

        async def fetch_page(start: str) -> Page:
            first = int(start)
            page = await self.search_ids(query, term, start=first, size=min(size, MAX_IDS - first))
            pages.append(page)
            if not page.ids or _is_unknown(query, page):
                return Page((), 0, None)
            wanted = [prefix + number for number in page.ids]
            items = await self.fetch_records(page.ids, lambda body: self._pick_wanted(read(body), wanted))
            further = first + size
            return Page(items, page.total, str(further) if further < min(page.total, MAX_IDS) else None)

        found = await collect_pages(fetch_page, "0", limit, most=MAX_IDS)
        query_remarks = [redact_text(remark, self._service.secrets) for remark in _query_remarks(pages[0])]
        widened = [redact_text(note, self._service.secrets) for note in _widened_note(pages[0])]
        translated = redact_text(pages[0].translated, self._service.secrets)
        # No match in all fields means none in fewer; a match may be in a field that was not requested.
        notes, remarks = (widened, query_remarks) if found.hits else ([], [*query_remarks, *widened])
        return found._replace(
            notes=[*found.notes, *notes],
            remarks=[*remarks, *found.remarks],
            translated=translated,
            widened=bool(widened),
        )

    async def search_ids(self, query: SearchQuery, term: str, *, start: int, size: int) -> Ids:
        """Ids by relevance from `start` on, published in the query's date range."""
        params = {"db": self._db, "tool": "storm", "term": term, "retmode": "json", "sort": "relevance"}
        params |= {"retstart": str(start), "retmax": str(size), **_date_params(query)}

        def read_ids(body: bytes) -> Ids:
            return _read_ids(json_object(body, self._service.label), start, self._service)

        answer = await self._http.fetch_answer(
            self._service,
            "esearch.fcgi",
            params,
            secret_params=self._secret_params,
            longest_url=_LONGEST_URL,
            read=read_ids,
        )
        found: Ids = answer.value
        return found

    async def fetch_records(self, ids: Sequence[str], read: Callable[[bytes], Value]) -> Value:
        """The value that `read` returns for the records of these ids as XML."""
        if len(ids) > MAX_IDS_BY_GET:
            posted = await self._fetch_xml("epost.fcgi", self._parse_history, data={"id": ",".join(ids)})
            history = {**posted, "retstart": "0", "retmax": str(len(ids))}
            return await self._fetch_xml("efetch.fcgi", read, data={**history, "retmode": "xml"})
        return await self._fetch_xml("efetch.fcgi", read, {"id": ",".join(ids), "retmode": "xml"})

    def _pick_wanted(self, items: Sequence[Hit | RecordError], wanted: Sequence[str]) -> Sequence[Hit | RecordError]:
        """The records in the requested order; BadAnswer if NCBI sent none of them."""
        listed = _sort_as_wanted(items, wanted)
        if all(isinstance(item, MissingRecord | UnrequestedRecord) for item in listed):
            raise BadAnswer(
                f"NCBI sent none of the {len(wanted):,} records that it listed", service=self._service.label
            )
        return listed

    def _parse_history(self, body: bytes) -> dict[str, str]:
        """The efetch parameters that refer to a list of ids in NCBI's history."""
        values = {name: value.decode("utf-8", "replace").strip() for name, value in _POSTED.findall(body)}
        if fault := text_line(values.get(b"ERROR")):
            raise _refusal_error("the list of ids", fault, self._service)
        key, place = values.get(b"QueryKey"), values.get(b"WebEnv")
        if not key or not place:
            raise BadAnswer("NCBI does not say where it stored the list of ids", service=self._service.label)
        return {"query_key": key, "WebEnv": place}

    async def _fetch_xml(
        self,
        path: str,
        read: Callable[[bytes], Value],
        params: Mapping[str, str] | None = None,
        data: Mapping[str, str] | None = None,
    ) -> Value:
        """The value that `read` returns for NCBI's answer to a GET of `params` or a POST of `data`."""

        def read_checked(body: bytes) -> Value:
            self._check_records(body)
            return read(body)

        answer = await self._http.fetch_answer(
            self._service,
            path,
            {"db": self._db, "tool": "storm", **(params or {})},
            expect=Expect.XML,
            method="POST" if data else "GET",
            data=data,
            secret_params=self._secret_params,
            read=read_checked,
        )
        value: Value = answer.value
        return value

    def _check_records(self, body: bytes) -> None:
        """Raise ServiceError unless the root is a set of records or a stored list of ids."""
        if not _WHOLE.search(body[:_HEAD]):
            fault = " ".join(
                value.decode("utf-8", "replace").strip() for name, value in _POSTED.findall(body) if name == b"ERROR"
            )
            if fault:
                raise _refusal_error("the records", fault, self._service)
            raise BadAnswer("the answer has no records", service=self._service.label)

    @property
    def _secret_params(self) -> dict[str, str]:
        given = {"email": self._service.contact, "api_key": self._service.key}
        return {name: value for name, value in given.items() if value}


def search_term(query: SearchQuery, *fields: str) -> str:
    """A term for any name and all required words, each in any of the fields; ranking words only add relevance."""

    def in_fields(phrase: str) -> str:
        return " OR ".join(f"{phrase}[{field}]" for field in fields)

    return " AND ".join(
        f"({clause})" for clause in build_clauses(query, "NCBI", name=in_fields, word=in_fields, wildcards=_WILDCARDS)
    )


def _date_params(query: SearchQuery) -> dict[str, str]:
    """The date parameters; NCBI requires both ends or none."""
    first, last = first_day(query), last_day(query)
    if not (first or last):
        return {}
    ends = {"mindate": first or "1800-01-01", "maxdate": last or "3000-12-31"}
    return {"datetype": "pdat", **{name: day.replace("-", "/") for name, day in ends.items()}}


def _read_ids(answer: dict[str, Any], start: int, service: Service) -> Ids:
    result = mapping_at(answer, "esearchresult")
    if fault := text_line(result.get("ERROR")) or text_line(answer.get("error")):
        raise _refusal_error("the search", fault, service)
    total, ids = text_line(result.get("count")), text_lines(result.get("idlist") or [])
    if not total.isdecimal() or not isinstance(result.get("idlist"), list):
        raise BadAnswer("the answer is not a list of ids", service=service.label)
    must_list(ids, int(total), service.label, before=start)
    errors, warnings = mapping_at(result, "errorlist"), mapping_at(result, "warninglist")
    return Ids(
        ids,
        int(total),
        text_line(result.get("querytranslation")),
        _strip_phrases([*as_list(errors.get("phrasesnotfound")), *as_list(warnings.get("phrasesignored"))]),
        _strip_phrases(warnings.get("quotedphrasesnotfound")),
        _strip_fields(errors.get("fieldsnotfound")),
        tuple(text[:200] for text in text_lines(as_list(warnings.get("outputmessages"))) if text != _NOTHING_FOUND),
    )


def _refusal_error(what: str, fault: str, service: Service) -> ServiceError:
    """The error for a fault that NCBI reports with status 200: ServiceDown if it is NCBI's own, else QueryRejected."""
    reason = redact_text(fault, service.secrets)[:200]
    error = ServiceDown if _BACKEND.search(reason) else QueryRejected
    return error(f"NCBI refused {what}: {reason}", service=service.label, status=200)


def _strip_phrases(listed: Any) -> tuple[str, ...]:
    """The phrases without field tags and quotation marks."""
    texts = text_lines(listed if isinstance(listed, list) else [])
    return tuple(dict.fromkeys(bare for text in texts if (bare := _TAGGED.sub("", text).strip(' "'))))


def _strip_fields(listed: Any) -> tuple[str, ...]:
    """The names of fields without brackets."""
    return tuple(dict.fromkeys(bare for text in text_lines(as_list(listed)) if (bare := text.strip(' "[]'))))


def _is_unknown(query: SearchQuery, found: Ids) -> bool:
    """Whether NCBI dropped all names or a whole required group: its results are then about something else."""
    dropped = {phrase.casefold() for phrase in found.dropped}
    groups = (quote_phrases(group, _WILDCARDS) for group in (query.names, *query.required))
    return any(group and all(phrase.strip('"').casefold() in dropped for phrase in group) for group in groups)


def _query_remarks(found: Ids) -> list[str]:
    """The remarks on how NCBI interpreted the query."""
    remarks = []
    if found.dropped:
        remarks.append(f"NCBI ignored, as unknown: {'; '.join(found.dropped)}")
    if found.loosened:
        remarks.append(f"NCBI searched the single words, as the phrase is unknown: {'; '.join(found.loosened)}")
    if found.warnings:
        remarks.append(f"NCBI warns: {'; '.join(found.warnings)}")
    return remarks


def _widened_note(found: Ids) -> list[str]:
    """A note if NCBI searched all fields, since it does not know the requested one."""
    if not found.widened:
        return []
    return [f"NCBI does not know the field {'; '.join(found.widened)}, and searched all fields instead"]


def _sort_as_wanted(items: Sequence[Hit | RecordError], wanted: Sequence[str]) -> list[Hit | RecordError]:
    """The records in the requested order, with an error for each missing or unrequested one.

    An unreadable record is not reported as missing too.
    """
    hits = {item.external_id: item for item in items if isinstance(item, Hit)}
    broken = [item for item in items if isinstance(item, RecordError)]
    missing = [MissingRecord(f"{name} was listed but not sent") for name in wanted if name not in hits]
    unasked = [UnrequestedRecord(name) for name in hits if name not in set(wanted)]
    return [*(hits[name] for name in wanted if name in hits), *broken, *missing[len(broken) :], *unasked]
