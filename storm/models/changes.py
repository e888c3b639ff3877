"""What an update of a dossier changed, by records, statements and rows of tables."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from storm.models.base import Frozen
from storm.models.record_table import TableName


class Change(StrEnum):
    """How something differs from the previous version. `retracted` is a record that was retracted since."""

    NEW = "new"
    CHANGED = "changed"
    RETRACTED = "retracted"
    GONE = "gone"


class FieldChange(Frozen):
    """The value of a field before and after; None where the record does not state it."""

    field: str
    old: str | None = None
    new: str | None = None


class RecordChange(Frozen):
    """A source that is new, gone or different. `identifier` is its canonical identifier; `cited` is whether the
    dossier (of a record that is gone, the previous one) cites it."""

    kind: Change
    identifier: str
    database: str
    external_id: str
    title: str
    url: str
    cited: bool = False
    fields: tuple[FieldChange, ...] = ()


class StatementChange(Frozen):
    """A statement that is new, gone, or changed with its source's record; `sources` are canonical identifiers."""

    kind: Change
    question: str
    text: str
    sources: tuple[str, ...]
    fields: tuple[FieldChange, ...] = ()


class RowChange(Frozen):
    """A row of a table that is new, gone or changed; `cells` are by column, of a row that is gone the previous ones."""

    kind: Change
    table: TableName
    source: str
    cells: dict[str, str | None]
    fields: tuple[FieldChange, ...] = ()


class UncheckedRecords(Frozen):
    """Sources that were carried over unchecked, as this database could not be searched."""

    database: str
    records: int
    reason: str


class Changes(Frozen):
    """What changed since the job `update_of` was started, at `since`.

    `searched_since` are the databases that were searched for records entered or changed since a day (ISO); the others
    were searched whole. A record is gone only if the search that returned it was answered completely without it.
    """

    update_of: str
    since: datetime
    searched_since: dict[str, str] = {}
    records: tuple[RecordChange, ...] = ()
    statements: tuple[StatementChange, ...] = ()
    rows: tuple[RowChange, ...] = ()
    unchecked: tuple[UncheckedRecords, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed, as far as could be searched."""
        return not (self.records or self.statements or self.rows)


def count_kinds(changes: Iterable[RecordChange | StatementChange | RowChange]) -> Mapping[Change, int]:
    """How many there are of each kind that occurs, in the order of the kinds."""
    counts = Counter(change.kind for change in changes)
    return {kind: counts[kind] for kind in Change if counts[kind]}


class CarriedSources(Frozen):
    """The sources of the previous job that an update has: their ids here by those there; and the ids there of `gone`
    ones, which their search no longer returns."""

    ids: dict[str, str] = {}
    gone: tuple[str, ...] = ()
