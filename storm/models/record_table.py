"""Tables that are copied from records by rules; no cell of them is written by a model."""

from enum import StrEnum

from storm.models.base import Frozen


class TableName(StrEnum):
    """The tables of a dossier, in their order."""

    TRIALS = "trials"
    EFFECT_SIZES = "effect_sizes"
    COMPARISONS = "comparisons"
    ADVERSE_EVENTS = "adverse_events"
    APPROVALS = "approvals"
    PATENTS = "patents"
    BIOSIMILARS = "biosimilars"


class RecordRow(Frozen):
    """One row of a source: `cells` are in the order of the columns, None where the source does not state a value.

    `places` name the section or field of the source that holds each cell; if all stand in one, it is named once.
    """

    source_id: str
    cells: tuple[str | None, ...]
    places: tuple[str, ...]


class RecordTable(Frozen):
    """Rows of one kind, sorted (effect sizes: from quotes by endpoint, then posted ones, primary outcomes first);
    `omitted` counts rows that the sources hold and that are left out: beyond the first of a
    registry's table, and results whose row does not say which group of people they are of."""

    name: TableName
    columns: tuple[str, ...]
    rows: tuple[RecordRow, ...] = ()
    omitted: int = 0
