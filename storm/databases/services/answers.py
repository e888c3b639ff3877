"""Turns a service's answers into the outcome of a search: parses JSON, collects pages, reports failures."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence, Sized
from itertools import zip_longest
from typing import Any, BinaryIO, NamedTuple, TypeVar

from storm.databases.formats.chembl import fold_name
from storm.databases.formats.xml_records import BrokenXml
from storm.databases.http.inquiry import track_inquiry
from storm.databases.http.redaction import redact_text
from storm.databases.http.sniffing import DAMAGED
from storm.errors import BadAnswer, DamagedAnswer, ForeignAnswer, QueryRejected, RecordError, ServiceError
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus
from storm.models.names import fold_text

Result = TypeVar("Result")


class UnreadNote(str):
    """A note about unreadable records; the search itself was answered completely."""


class MissingRecord(RecordError):
    """A record that the service listed but did not send: a part of the search failed."""


class UnrequestedRecord(RecordError):
    """A record that was not requested; it is left out."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was not requested and is left out")


class FoundRecords(NamedTuple):
    """The result of a search: hits, best first; how many match in all; notes about what is missing.

    `remarks` say how the service interpreted the query, `translated` is the query as the service ran it. Without hits,
    notes mean failure and remarks do not; with hits, a note other than `UnreadNote` means that a part of the search
    failed. `widened` is whether the service searched for more than was requested.
    """

    hits: Sequence[Hit] = ()
    total: int = 0
    notes: Sequence[str] = ()
    remarks: Sequence[str] = ()
    translated: str = ""
    widened: bool = False


class Page(NamedTuple):
    """One page: its records, how many match in all (None if it does not say), and the cursor of the next page."""

    items: Sequence[Hit | RecordError]
    total: int | None
    next: str | None


async def outcome_of(database: str, query: SearchQuery | str, search: Awaitable[FoundRecords]) -> SearchOutcome:
    """The outcome of a search; a ServiceError, or an answer without one readable record, is a failed one."""
    with track_inquiry() as inquiry:
        try:
            found = await search
        except ServiceError as exc:
            return SearchOutcome(
                database=database,
                query=str(query),
                status=SearchStatus.FAILED,
                reason=exc.message,
                address=inquiry.address,
                queued=inquiry.queued,
                down=not isinstance(exc, QueryRejected | BadAnswer),
            )
    empty = SearchStatus.FAILED if found.notes else SearchStatus.NONE
    return SearchOutcome(
        database=database,
        query=str(query),
        status=SearchStatus.FOUND if found.hits else empty,
        hits=tuple(found.hits),
        total=max(found.total, len(found.hits)),
        reason="; ".join((*found.notes, *found.remarks)),
        translated=found.translated,
        address=inquiry.address,
        answered=inquiry.answered,
        queued=inquiry.queued,
        incomplete=any(not isinstance(note, UnreadNote) for note in found.notes),
    )


def names_any(names: Iterable[str], *texts: str) -> bool:
    """Whether one of the texts contains one of the names, however both are written; True if no name has a letter."""
    stated = [fold_name(fold_text(text)) for text in texts]
    written = [folded for name in names if (folded := fold_name(fold_text(name)))]
    return not written or any(name in text for name in written for text in stated)


def doi_of(hit: Hit) -> str:
    """The DOI of a record, or an empty string."""
    return next((name[4:] for name in hit.identifiers if name.startswith("doi:")), "")


def not_applicable(database: str, query: SearchQuery, reason: str) -> SearchOutcome:
    """The outcome where the search does not apply to the database."""
    return SearchOutcome(database=database, query=str(query), status=SearchStatus.NOT_APPLICABLE, reason=reason)


def _keep_all(hit: Hit) -> bool:
    return True


async def collect_pages(
    fetch_page: Callable[[str], Awaitable[Page]],
    start: str,
    limit: int,
    keep: Callable[[Hit], bool] = _keep_all,
    most: int | None = None,
) -> FoundRecords:
    """Read page after page from `start` on, until `limit` records pass `keep` or the pages end.

    If a later page fails, or the service repeats a page or stops before the total it states, the records so far stay
    and a note says so. `most` is the number of records that the service returns for any search; a remark mentions it.
    A failure of the first page is raised.
    """
    collector = _RecordCollector(limit, keep, most)
    requested: set[str] = set()
    cursor: str | None = start
    while cursor is not None and not collector.is_full:
        requested.add(cursor)
        try:
            page = await fetch_page(cursor)
        except ServiceError as exc:
            if len(requested) == 1:
                raise
            collector.notes.append(f"stopped after {len(collector.hits)} records: {exc.message}")
            break
        news = collector.add_page(page)
        cursor = page.next
        if (page.items and not news) or (cursor is not None and (not news or cursor in requested)):
            collector.notes.append(f"stopped after {len(collector.hits)} records: the service repeats a page")
            break
    return collector.to_found()


class _RecordCollector:
    def __init__(self, limit: int, keep: Callable[[Hit], bool], most: int | None) -> None:
        self.hits: dict[str, Hit] = {}
        self.notes: list[str] = []
        self._limit = limit
        self._keep = keep
        self._most = most
        self._listed = 0
        self._seen: set[str] = set()
        self._unread: list[RecordError] = []
        self._total = 0

    @property
    def is_full(self) -> bool:
        return len(self.hits) + len(self._unread) >= self._limit

    def add_page(self, page: Page) -> bool:
        """Add a page's records; returns whether any of them is new."""
        before = len(self._seen) + len(self._unread)
        self._listed += len(page.items)
        for item in page.items:
            if isinstance(item, RecordError):
                self._unread.append(item)
            elif item.key not in self._seen:
                self._seen.add(item.key)
                if self._keep(item):
                    self.hits[item.key] = item
        self._total = max(self._total, page.total or 0)
        return len(self._seen) + len(self._unread) > before

    def to_found(self) -> FoundRecords:
        hits = list(self.hits.values())[: self._limit]
        remarks = []
        if not self.notes and not self.is_full and self._listed < self._total:
            if self._most is not None and self._listed >= self._most:
                remarks.append(f"the service returns only the first {self._most:,} records")
            else:
                self.notes.append(f"the service stopped after {self._listed:,} of {self._total:,} records")
        unsent = [error for error in self._unread if isinstance(error, MissingRecord)]
        unread = [error for error in self._unread if not isinstance(error, MissingRecord)]
        return FoundRecords(hits, self._total, [*unread_note(unread), *_unsent_note(unsent), *self.notes], remarks)


async def gather_all(
    searches: Sequence[Awaitable[Result]], *, fatal: tuple[type[ServiceError], ...] = ()
) -> tuple[list[Result], list[str]]:
    """The results of concurrent calls, in order, and a note for each failed one.

    If all failed, the first error is raised; an error of a `fatal` type always is.
    """
    results = await asyncio.gather(*searches, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and (not isinstance(result, ServiceError) or isinstance(result, fatal)):
            raise result
    failed = [result for result in results if isinstance(result, ServiceError)]
    if failed and len(failed) == len(results):
        raise failed[0]
    notes = list(dict.fromkeys(exc.message for exc in failed))
    return [result for result in results if not isinstance(result, BaseException)], notes


def interleave_hits(lists: Iterable[Sequence[Hit]], limit: int) -> list[Hit]:
    """Interleave lists: the first of each, then the second of each, and so on; each record once."""
    hits: dict[str, Hit] = {}
    for row in zip_longest(*lists):
        for hit in row:
            if hit is not None:
                hits.setdefault(hit.key, hit)
    return list(hits.values())[:limit]


def unread_note(errors: Sequence[RecordError]) -> list[UnreadNote]:
    """One note about unreadable records, with up to three reasons; none if all could be read."""
    if not errors:
        return []
    many = "1 record" if len(errors) == 1 else f"{len(errors)} records"
    reasons = list(dict.fromkeys(redact_text(error.message) for error in errors))[:3]
    return [UnreadNote(f"{many} of the answer could not be read ({'; '.join(reasons)})")]


def _unsent_note(errors: Sequence[MissingRecord]) -> list[str]:
    """One note about records that were not sent, naming the first three; none if all were."""
    messages = [redact_text(error.message) for error in errors[:3]]
    more = [f"and {len(errors) - 3:,} more"] if len(errors) > 3 else []
    return ["; ".join([*messages, *more])] if messages else []


def must_list(listed: Sized, total: int | None, service: str, *, before: int = 0) -> None:
    """Raise BadAnswer if a page is empty although more records match than came `before` it, or an unknown number.

    Call it while reading the answer, so that such an answer is not cached.
    """
    if listed or (total is not None and total <= before):
        return
    problem = (
        "lists no records and does not count them" if total is None else f"counts {total:,} records and lists none"
    )
    raise BadAnswer(f"it {problem}", service=service)


def must_be_about(stated: Iterable[str], requested: Collection[str], service: str) -> None:
    """Raise ForeignAnswer if a record's subjects include none of the requested ones; one without subjects passes.

    Call it while reading the answer, so that such an answer is not cached.
    """
    names = [name for name in stated if name]
    if names and not any(name in requested for name in names):
        expected = " or ".join(sorted(requested)[:3])
        raise ForeignAnswer(f"{redact_text(names[0][:100])} was returned instead of {expected}", service=service)


def records_of(
    body: bytes, read: Callable[[BinaryIO], Iterable[Hit | RecordError]], service: str
) -> list[Hit | RecordError]:
    """The records of an XML answer; DamagedAnswer if it is not well-formed."""
    items = list(read(io.BytesIO(body)))
    if broken := next((item for item in items if isinstance(item, BrokenXml)), None):
        raise DamagedAnswer(f"the answer is {redact_text(broken.message)}", service=service)
    return items


def json_object(body: bytes, service: str) -> dict[str, Any]:
    """The JSON object in a service's answer; BadAnswer if it is not an object, DamagedAnswer if it cannot be parsed."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise DamagedAnswer(f"it answered {DAMAGED}", service=service) from exc
    if not isinstance(value, dict):
        raise BadAnswer("the answer is not a JSON object", service=service)
    return value


def only_record(items: Iterable[Hit | RecordError], external_id: str, service: str) -> Hit:
    """The single requested record; BadAnswer if it is missing or unreadable, ForeignAnswer if it is another one."""
    item = next(iter(items), None)
    if item is None:
        raise BadAnswer(f"the answer has no record, although {external_id} was requested", service=service)
    if isinstance(item, RecordError):
        raise BadAnswer(f"{external_id} could not be read: {item.message}", service=service)
    if item.external_id.casefold() != external_id.casefold():
        must_be_about([item.external_id], [external_id], service)
    return item
