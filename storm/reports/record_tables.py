"""Collects the tables of a dossier from its sources by rules; no model writes a cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from storm.models import Answer, ApprovalFact, Holds, Relation, RelationKind, Source, database_info
from storm.models.record_table import RecordRow, RecordTable, TableName
from storm.reports.effect_rows import (
    EffectRow,
    list_published_results,
    list_quoted_effects,
    list_table_effects,
    make_registry_row,
)
from storm.reports.product_rows import list_approvals, list_biosimilars, list_patents
from storm.reports.table_columns import COLUMNS
from storm.reports.trial_rows import (
    count_unclear_effects,
    list_adverse_events,
    list_registry_effects,
    list_trials,
)

#: The parts that the drug may have in a study whose results are of it.
_STUDIED = (RelationKind.ITSELF, RelationKind.COMBINATION, RelationKind.COMPARATOR)

#: What a patent of the drug is about: the drug, or a product that contains it.
_PROTECTED = (Relation.ITSELF, Relation.COMBINATION)


def collect_tables(
    names: Sequence[str],
    sources: Sequence[Source],
    answers: Sequence[Answer],
    approvals: Sequence[ApprovalFact],
    day: date,
) -> tuple[RecordTable, ...]:
    """All tables, also empty ones, as of the day of the job; `names` are the drug's."""
    by_id = {source.source_id: source for source in sources}
    protected = [source for source in sources if source.relation in _PROTECTED]
    studied = [source for source in sources if source.relation_kind in _STUDIED]
    trials = [source for source in studied if database_info(source.hit.database).holds is Holds.STUDIES]
    events = list_adverse_events(trials, studied, names)
    posted = [make_registry_row(*found, names) for found in list_registry_effects(trials)]
    quoted = [*studied, *(source for source in sources if source.relation_kind is RelationKind.DERIVATIVE)]
    effects = [*list_quoted_effects(answers, {s.source_id: s for s in quoted}, names), *posted]
    effects += list_table_effects(studied, names, effects)
    unclear = count_unclear_effects(trials)
    return (
        _make_table(TableName.TRIALS, list_trials(trials, list_published_results(effects, by_id))),
        _make_table(TableName.EFFECT_SIZES, (effect.row for effect in effects), unclear),
        _make_table(TableName.COMPARISONS, _rows_of_drugs(effects)),
        _make_table(TableName.ADVERSE_EVENTS, events.rows, events.omitted),
        _make_table(TableName.APPROVALS, list_approvals(approvals, by_id)),
        _make_table(TableName.PATENTS, list_patents(protected, day)),
        _make_table(TableName.BIOSIMILARS, list_biosimilars(sources, names)),
    )


def list_table_sources(tables: Iterable[RecordTable]) -> Iterator[str]:
    """The sources of the rows, in their order."""
    return (row.source_id for table in tables for row in table.rows)


def _rows_of_drugs(effects: Iterable[EffectRow]) -> Iterator[RecordRow]:
    return (effect.row for effect in effects if effect.is_of_drugs)


def _make_table(name: TableName, rows: Iterable[RecordRow], omitted: int = 0) -> RecordTable:
    return RecordTable(name=name, columns=COLUMNS[name], rows=tuple(rows), omitted=omitted)
