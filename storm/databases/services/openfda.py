"""openFDA: drug labels, Drugs@FDA applications, and counts of adverse event reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote_plus

from storm.databases.formats.fields import as_list, as_mapping, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.openfda import openfda_hit
from storm.databases.formats.openfda_counts import count_hit
from storm.databases.http.redaction import redact_text
from storm.databases.search_words import holds_terms
from storm.databases.services.answers import (
    FoundRecords,
    Page,
    UnrequestedRecord,
    collect_pages,
    gather_all,
    interleave_hits,
    json_object,
    must_list,
    names_any,
    only_record,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import (
    build_clauses,
    first_day,
    last_day,
    name_phrases,
    plain_term,
    quote_phrases,
    transliterate_term,
)
from storm.errors import BadAnswer, RecordError
from storm.models import Hit, SearchQuery, database_info
from storm.models.names import fold_text

LABELS, APPLICATIONS, EVENTS = "drug/label.json", "drug/drugsfda.json", "drug/event.json"
#: The name fields of each endpoint. For an unknown field openFDA answers that nothing matches.
_NAMES = {
    LABELS: ("openfda.brand_name", "openfda.generic_name", "openfda.substance_name"),
    APPLICATIONS: ("products.brand_name", "products.active_ingredients.name", "openfda.generic_name"),
    EVENTS: ("patient.drug.openfda.brand_name", "patient.drug.openfda.generic_name", "patient.drug.medicinalproduct"),
}  # fmt: skip
_DATES = {LABELS: "effective_time", APPLICATIONS: "submissions.submission_status_date", EVENTS: "receivedate"}
_REACTIONS = "patient.reaction.reactionmeddrapt.exact"
#: A label has 100 kB or more.
_PAGE_SIZE = 25
_MAX_SKIP = 25_000
_MAX_REACTIONS = 25
#: Characters that openFDA refuses anywhere in a search ("Search not supported").
_REFUSED = re.compile(r"[^0-9A-Za-z@%/',._:()\"\[\]{}+><= -]+")
_DAY = r"(\d{4}-\d\d-\d\d)?"
_EVENTS_OF = re.compile(rf"faers:(.+?)(?::{_DAY}\.\.{_DAY})?")

Value = TypeVar("Value")


class OpenFda(PublicDatabase):
    """Labels and applications whose name fields contain a name, and one record that counts adverse event reports.

    Required words may be anywhere in a label, an application or the counts. Words that only rank are not searched: a
    label is a whole document about its drug. Dates bound a label's effective date, the decisions on an application, and
    the receipt of reports.
    """

    info = database_info("openfda")
    example_id = "BLA103792"
    reads_words = False

    async def fetch(self, external_id: str) -> Hit | None:
        """The label of a set id, the application of a number, or the counts of a name (`faers:…`); or None."""
        wanted = external_id.strip()
        if counts := _EVENTS_OF.fullmatch(wanted):
            name, since, until = counts.groups()
            found = await self._count_reports(SearchQuery(names=(name,), since=since, until=until))
            return next(iter(found.hits), None)
        if not (quoted := quote_phrases([wanted])):
            raise self.invalid_id_error(external_id)
        by_number = re.fullmatch(r"(?:NDA|BLA|ANDA)\d{4,8}", wanted, re.I | re.A)
        endpoint, field = (APPLICATIONS, "application_number") if by_number else (LABELS, "set_id")

        def read_record(answer: Mapping[str, Any]) -> Hit:
            return only_record(_read_items(answer), wanted, self.service.label)

        return await self._fetch_value(endpoint, {"search": f"{field}:{quoted[0]}", "limit": 1}, read_record)

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        calls = [self._find_records(LABELS, query, limit), self._find_records(APPLICATIONS, query, limit)]
        calls += [self._count_reports(query)] if query.names else []
        founds, failed = await gather_all(calls)
        notes = [*failed, *(note for found in founds for note in found.notes)]
        remarks = list(dict.fromkeys(remark for found in founds for remark in found.remarks))
        hits = interleave_hits([found.hits for found in founds], limit)
        return FoundRecords(hits, sum(found.total for found in founds), notes, remarks)

    async def _find_records(self, endpoint: str, query: SearchQuery, limit: int) -> FoundRecords:
        search = search_text(endpoint, query)
        names = _make_readable(query.names)
        size = min(max(limit, 1), _PAGE_SIZE)

        async def fetch_page(skip: str) -> Page:
            def read_page(answer: Mapping[str, Any]) -> Page:
                count = mapping_at(answer, "meta", "results").get("total")
                items, total = _mark_unrequested(answer, endpoint, names), count if type(count) is int else None
                must_list(items, total, self.service.label, before=int(skip))
                further = int(skip) + size
                more = total is not None and further < min(total, _MAX_SKIP)
                return Page(items, total, str(further) if more else None)

            page = await self._fetch_value(endpoint, {"search": search, "limit": size, "skip": int(skip)}, read_page)
            return page or Page((), 0, None)

        return await collect_pages(fetch_page, "0", limit, most=_MAX_SKIP)

    async def _count_reports(self, query: SearchQuery) -> FoundRecords:
        """One record with the number of reports per most frequent reaction; none if it lacks a required term.

        Only the query's first name is counted; with the date range it is the record's identity.
        """
        name = next(iter(name_phrases(query, self.service.label))).strip('"')
        search = search_text(EVENTS, query.model_copy(update={"names": (name,), "required": ()}))
        params: dict[str, str | int] = {"search": search, "count": _REACTIONS, "limit": _MAX_REACTIONS}
        target = "&".join(f"{key}={quote_plus(str(value), safe=':()[]')}" for key, value in params.items())
        url = f"{self.service.base_url.rstrip('/')}/{EVENTS}?{target}"
        first, last = first_day(query), last_day(query)
        span = f":{first or ''}..{last or ''}" if first or last else ""

        def read_counts(answer: Mapping[str, Any]) -> Hit:
            counted = count_hit(answer, f"faers:{name}{span}", name, url)
            if isinstance(counted, RecordError):
                raise BadAnswer(counted.message, service=self.service.label)
            return counted

        hit = await self._fetch_value(EVENTS, params, read_counts)
        return FoundRecords((hit,), 1) if hit and holds_terms(hit, query.required) else FoundRecords()

    async def _fetch_value(
        self, endpoint: str, params: Mapping[str, str | int], read: Callable[[Mapping[str, Any]], Value]
    ) -> Value | None:
        """The value that `read` returns, or None if openFDA says that nothing matches."""
        key = {"api_key": self.service.key} if self.service.key else None
        accepted = frozenset({200, 404})

        def read_value(body: bytes) -> Value | None:
            value = json_object(body, self.service.label)
            error = mapping_at(value, "error")
            if text_line(error.get("code")) == "NOT_FOUND":
                return None
            if error or not isinstance(value.get("results"), list):
                why = redact_text(text_line(error.get("message")), self.service.secrets)[:200] or "it lists no results"
                raise BadAnswer(f"openFDA answered something else: {why}", service=self.service.label)
            return read(value)

        answer = await self._http.fetch_answer(
            self.service, endpoint, params, secret_params=key, accept_status=accepted, read=read_value
        )
        if answer.status != 200 and read_value(answer.body) is not None:
            raise BadAnswer("openFDA answered that nothing matches, yet sent results", service=self.service.label)
        found: Value | None = answer.value
        return found


def search_text(endpoint: str, query: SearchQuery) -> str:
    """The search in openFDA's syntax, before its blanks are encoded: any name in any name field.

    Required terms may be in any field, and so may the words of a search without names and required terms.
    """
    groups = {"names": _make_readable(query.names), "words": _make_readable(query.words)}
    readable = query.model_copy(update={**groups, "required": tuple(map(_make_readable, query.required))})
    parts = build_clauses(readable, "openFDA", ranking=False)
    if query.names:
        names = parts.pop(0)
        parts.insert(0, " OR ".join(f"{field}:({names})" for field in _NAMES[endpoint]))
    first, last = first_day(query), last_day(query)
    if not (first or last or len(parts) > 1):
        return parts[0]
    wanted = " AND ".join(f"({part})" for part in parts)
    if not (first or last):
        return wanted
    span = f"[{(first or '1900-01-01').replace('-', '')} TO {(last or '2999-12-31').replace('-', '')}]"
    return f"{wanted} AND {_DATES[endpoint]}:{span}"


def _make_readable(names: Sequence[str]) -> tuple[str, ...]:
    """The terms in ASCII, with Greek letters by name and blanks for refused characters; unchanged if openFDA could read
    none of them."""
    plainer = (name if name.isascii() else fold_text(transliterate_term(name) or name) for name in names)
    return tuple(text for name in plainer if plain_term(text := _REFUSED.sub(" ", name))) or tuple(names)


def _read_items(answer: Mapping[str, Any]) -> Sequence[Hit | RecordError]:
    return [
        openfda_hit(JsonRecord(item, f"record {number}"))
        if isinstance(item, dict)
        else RecordError("not a record", position=f"record {number}")
        for number, item in enumerate(as_list(answer.get("results")), 1)
    ]


def _mark_unrequested(answer: Mapping[str, Any], endpoint: str, names: Sequence[str]) -> Sequence[Hit | RecordError]:
    """The records of an answer; an error in place of those whose name fields contain none of the names."""
    records = zip(_read_items(answer), as_list(answer.get("results")), strict=True)
    return [
        item
        if isinstance(item, RecordError) or _is_about(record, endpoint, names)
        else UnrequestedRecord(item.external_id)
        for item, record in records
    ]


def _is_about(record: Any, endpoint: str, names: Sequence[str]) -> bool:
    """Whether a name field of the record contains one of the names; True if it has no name field."""
    stated = [text for field in _NAMES[endpoint] for text in _texts_at(record, field)]
    return not stated or names_any(names, *stated)


def _texts_at(record: Any, field: str) -> Sequence[str]:
    """The texts at a path such as `products.active_ingredients.name`, where each step may be a list."""
    found = [record]
    for step in field.split("."):
        values = [as_mapping(value).get(step) for value in found]
        found = [inner for value in values for inner in (value if isinstance(value, list) else [value])]
    return text_lines(found)
