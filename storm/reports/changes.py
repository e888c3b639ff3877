"""Compares a dossier with its previous version: records, statements and rows of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from storm.models import Dossier, Retraction, SearchRecord, Source, Statement
from storm.models.changes import Change, Changes, FieldChange, RecordChange, StatementChange, UncheckedRecords
from storm.models.database import DATABASES, Holds
from storm.models.record_changes import compare_records
from storm.models.search import drop_unsent
from storm.reports.changed_rows import compare_tables
from storm.reports.flow import is_look_up

#: Databases of others' records: a record that was carried over may be from any of them.
_OF_OTHERS = frozenset(info.name for info in DATABASES if info.holds is Holds.OTHERS)


class PreviousVersion(NamedTuple):
    """The dossier that is updated, the ids in the new one of its sources, these sources, and its searches."""

    dossier: Dossier
    ids: Mapping[str, str]
    sources: Sequence[Source]
    searches: Sequence[SearchRecord]


def compare_versions(
    previous: PreviousVersion, dossier: Dossier, sources: Sequence[Source], searches: Sequence[SearchRecord]
) -> Changes:
    """What changed since the previous version. What could not be searched is listed as unchecked, and never as gone."""
    now = {source.source_id: source.hit.key for source in sources}
    before = {s.source_id: now.get(previous.ids.get(s.source_id, ""), s.hit.key) for s in previous.sources}
    records = tuple(_compare_sources(previous, dossier, sources))
    differing = {change.identifier for change in records if change.fields}
    dated = {(search.database, day) for search in searches if (day := search.changed_since)}
    return Changes(
        update_of=previous.dossier.job_id,
        since=previous.dossier.created,
        searched_since=dict(sorted(dated)),
        records=records,
        statements=tuple(
            _compare_statements(_list_statements(previous.dossier, before), _list_statements(dossier, now), differing)
        ),
        rows=tuple(compare_tables(previous.dossier.tables, before, dossier.tables, now)),
        unchecked=tuple(_count_unchecked(previous, searches)),
    )


def find_retrieval_days(previous: PreviousVersion | None) -> Mapping[str, str]:
    """The days on which the cited records of the previous version were read, by their sources' ids in the new one."""
    references = previous.dossier.references if previous else ()
    days = {reference.source_id: reference.retrieved for reference in references}
    ids = previous.ids.items() if previous else ()
    return {new: day for old, new in ids if (day := days.get(old))}


def _compare_sources(previous: PreviousVersion, dossier: Dossier, sources: Sequence[Source]) -> Iterator[RecordChange]:
    """New sources by number, then those that differ, then those that are gone."""
    cited = {reference.source_id for reference in dossier.references}
    cited_before = {reference.source_id for reference in previous.dossier.references}
    for source in sources:
        if not source.carried:
            yield _describe_record(Change.NEW, source, source.source_id in cited)
    now = {source.source_id: source for source in sources}
    for old in previous.sources:
        # Two sources that turned out to be one work are compared once.
        new = now.pop(previous.ids.get(old.source_id, ""), None)
        if new and (fields := compare_records(old.hit, new.hit)):
            was_retracted = old.hit.retraction is Retraction.RETRACTED
            is_retracted = new.hit.retraction is Retraction.RETRACTED
            kind = Change.RETRACTED if is_retracted and not was_retracted else Change.CHANGED
            yield _describe_record(kind, new, new.source_id in cited, fields)
    for old in previous.sources:
        if old.source_id not in previous.ids:
            yield _describe_record(Change.GONE, old, old.source_id in cited_before)


def _describe_record(kind: Change, source: Source, cited: bool, fields: Sequence[FieldChange] = ()) -> RecordChange:
    hit = source.hit
    return RecordChange(
        kind=kind, identifier=hit.key, database=hit.database, external_id=hit.external_id, title=hit.title,
        url=hit.url, cited=cited, fields=tuple(fields),
    )  # fmt: skip


class _PlacedStatement(NamedTuple):
    """A statement on a question, and the canonical identifiers of its sources."""

    question: str
    statement: Statement
    sources: tuple[str, ...]


def _list_statements(dossier: Dossier, keys: Mapping[str, str]) -> dict[tuple[str, str], _PlacedStatement]:
    """All statements by question and text, also those in conflicts; `keys` are the identifiers of the sources."""
    found: dict[tuple[str, str], _PlacedStatement] = {}
    for answer in dossier.answers:
        for one in answer.all_statements:
            sources = tuple(dict.fromkeys(keys[name] for name in one.source_ids if name in keys))
            found.setdefault((answer.question, one.text), _PlacedStatement(answer.question, one, sources))
    return found


def _compare_statements(
    before: Mapping[tuple[str, str], _PlacedStatement],
    after: Mapping[tuple[str, str], _PlacedStatement],
    differing: Set[str],
) -> Iterator[StatementChange]:
    """Statements that are new, gone, or judged otherwise. One that stands in place of another of the same source, whose
    record differs, has changed."""
    gone = {key: placed for key, placed in before.items() if key not in after}
    for key, placed in after.items():
        if key in before:
            was, verdict = before[key].statement.verdict, placed.statement.verdict
            if was is not verdict:
                yield _describe_statement(Change.CHANGED, placed, FieldChange(field="verdict", old=was, new=verdict))
            continue
        replaced = next((name for name, old in gone.items() if _replaces(placed, old, differing)), None)
        if replaced is None:
            yield _describe_statement(Change.NEW, placed)
            continue
        text = FieldChange(field="text", old=gone.pop(replaced).statement.text, new=placed.statement.text)
        yield _describe_statement(Change.CHANGED, placed, text)
    for placed in gone.values():
        yield _describe_statement(Change.GONE, placed)


def _replaces(new: _PlacedStatement, old: _PlacedStatement, differing: Set[str]) -> bool:
    """Whether both answer one question from one source, whose record differs."""
    first = new.sources[:1]
    return new.question == old.question and first == old.sources[:1] and not differing.isdisjoint(first)


def _describe_statement(kind: Change, placed: _PlacedStatement, *fields: FieldChange) -> StatementChange:
    return StatementChange(
        kind=kind, question=placed.question, text=placed.statement.text, sources=placed.sources, fields=fields
    )


def _count_unchecked(previous: PreviousVersion, searches: Sequence[SearchRecord]) -> Iterator[UncheckedRecords]:
    """For each database with a failed search, how many sources it had returned and no search returned now."""
    found = {key for search in searches if not is_look_up(search) for key in search.hits}
    places = [
        _list_places(source, previous.searches)
        for source in previous.sources
        if source.source_id in previous.ids and found.isdisjoint(source.hit.identifiers)
    ]
    reasons: dict[str, list[str]] = {}
    for search in drop_unsent(searches):
        if search.has_failed and not is_look_up(search):
            reasons.setdefault(search.database, []).append(search.reason)
    for database, why in sorted(reasons.items()):
        if number := sum(database in own for own in places):
            reason = "; ".join(dict.fromkeys(filter(None, why)))
            yield UncheckedRecords(database=database, records=number, reason=reason)


def _list_places(source: Source, searches: Sequence[SearchRecord]) -> Set[str]:
    """The databases that returned the source; of one that was carried over before, those that may have."""
    identifiers = set(source.hit.identifiers)
    places = {s.database for s in searches if not is_look_up(s) and not identifiers.isdisjoint(s.hits)}
    return places or {source.hit.database, *_OF_OTHERS}
