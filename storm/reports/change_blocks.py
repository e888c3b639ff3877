"""Lays out what an update changed: what could not be checked, then records, statements and rows of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from storm import wording
from storm.models import Dossier, Statement, database_label
from storm.models.changes import (
    Change,
    Changes,
    FieldChange,
    RecordChange,
    RowChange,
    StatementChange,
    UncheckedRecords,
    count_kinds,
)
from storm.models.record_table import TableName
from storm.reports import change_wording as words
from storm.reports.answers import make_sentence
from storm.reports.bibliography import Bibliography
from storm.reports.document import (
    Block,
    BulletList,
    Inlines,
    Paragraph,
    Table,
    fill_template,
    join_inlines,
    join_texts,
    make_cells,
    make_heading,
    to_inlines,
)

AnyChange = TypeVar("AnyChange", RecordChange, StatementChange, RowChange)

#: What readers must know first; and how many of one kind of change a document lists.
_ORDER = (Change.RETRACTED, Change.CHANGED, Change.NEW, Change.GONE)
_MOST = 25
#: Characters of a value in a list of changes.
_LONGEST = 160


def change_blocks(dossier: Dossier, bibliography: Bibliography) -> Iterator[Block]:
    """What changed, for a dossier that updates another; nothing for any other."""
    changes = dossier.changes
    if changes is None:
        return
    yield make_heading(words.CHANGES.format(day=f"{changes.since:%Y-%m-%d}"), "changes")
    yield Paragraph(
        content=fill_template(words.COMPARED, job=changes.update_of, changes=" ".join(sum_up_changes(changes)))
    )
    if changes.unchecked:
        yield BulletList(items=tuple(map(_describe_unchecked, changes.unchecked)))
    if changes.searched_since:
        yield Paragraph(content=_describe_search(changes.searched_since))
    sources = {
        reference.identifiers[0]: reference.source_id for reference in dossier.references if reference.identifiers
    }
    if records := _sort_changes(changes.records):
        rows = tuple(_record_row(change, sources, bibliography) for change in records[:_MOST])
        yield Table(head=make_cells(*words.RECORDS_HEAD), rows=rows)
        yield from _note_more(records)
    statements = _sort_changes(changes.statements)
    yield from _list_changes(statements, lambda change: _describe_statement(change, dossier, bibliography))
    yield from _list_changes(_sort_changes(changes.rows), _describe_row)


def sum_up_changes(changes: Changes) -> Iterator[str]:
    """How many changes there are of each kind, in a sentence each; or that nothing changed."""
    if changes.is_empty:
        yield words.NOTHING_FOUND if changes.unchecked else words.NOTHING
        return
    if changes.records:
        yield _count_changes(words.SOURCES, changes.records, words.KINDS)
    kinds = {**words.KINDS, Change.GONE: words.GONE}
    if changes.statements:
        yield _count_changes(words.STATEMENTS, changes.statements, kinds)
    if changes.rows:
        yield _count_changes(words.ROWS, changes.rows, kinds)


def _count_changes(what: str, changes: Sequence[AnyChange], kinds: Mapping[Change, str]) -> str:
    counts = count_kinds(changes).items()
    numbers = ", ".join(words.NUMBER.format(number=f"{number:,}", kind=kinds[kind]) for kind, number in counts)
    return words.COUNTED.format(what=what, numbers=numbers)


def _describe_unchecked(unchecked: UncheckedRecords) -> Inlines:
    return fill_template(
        words.UNCHECKED,
        database=database_label(unchecked.database),
        reason=fill_template(words.UNCHECKED_REASON, reason=unchecked.reason) if unchecked.reason else (),
        records=wording.format_large_count(unchecked.records, "record"),
    )


def _describe_search(searched_since: Mapping[str, str]) -> Inlines:
    days = ", ".join(sorted(set(searched_since.values())))
    return fill_template(words.NOTHING_GONE, days=days, databases=", ".join(map(database_label, searched_since)))


def _sort_changes(changes: Iterable[AnyChange]) -> list[AnyChange]:
    return sorted(changes, key=lambda change: _ORDER.index(change.kind))


def _record_row(change: RecordChange, sources: Mapping[str, str], bibliography: Bibliography) -> tuple[Inlines, ...]:
    source = sources.get(change.identifier)
    cited = words.WAS_CITED if change.kind is Change.GONE and change.cited else words.NOT_CITED
    mark = to_inlines(bibliography.mark_of(source)) if source else to_inlines(cited)
    fields = join_inlines("; ", map(_describe_field, change.fields))
    return make_cells(words.KINDS[change.kind], describe_record(change), fields, mark)


def describe_record(change: RecordChange) -> str:
    """The record by its database, id and title."""
    return words.RECORD.format(
        database=database_label(change.database), id=change.external_id, title=_clip(change.title)
    )


def _describe_field(field: FieldChange) -> Inlines:
    old, new = (_clip(words.VALUES.get(value or "", value or wording.NOT_STATED)) for value in (field.old, field.new))
    template = words.FIELD_CHANGED if old == new else words.FIELD
    return fill_template(template, field=field.field, old=old, new=new)


def _describe_statement(change: StatementChange, dossier: Dossier, bibliography: Bibliography) -> Inlines:
    question = next(one for one in dossier.questions if one.key == change.question)
    found = _find_statement(change, dossier)
    sources = join_texts(", ", change.sources)
    shown = (
        to_inlines(make_sentence(found, dossier, question, bibliography))
        if found
        else fill_template(words.SOURCE_OF, text=change.text, sources=sources)
    )
    before = (fill_template(words.BEFORE, text=field.old or "") for field in change.fields)
    kind = words.GONE if change.kind is Change.GONE else words.KINDS[change.kind]
    return fill_template(
        words.STATEMENT, kind=kind.capitalize(), question=question.label, statement=to_inlines(shown, *before)
    )


def _find_statement(change: StatementChange, dossier: Dossier) -> Statement | None:
    """The statement in the dossier; None if it is gone."""
    if change.kind is Change.GONE:
        return None
    answer = next(answer for answer in dossier.answers if answer.question == change.question)
    return next(statement for statement in answer.all_statements if statement.text == change.text)


def _describe_row(change: RowChange) -> Inlines:
    fields = join_inlines("; ", map(_describe_field, change.fields))
    cells = join_texts("; ", (_clip(cell) for cell in change.cells.values() if cell))
    kind = words.GONE if change.kind is Change.GONE else words.KINDS[change.kind]
    return fill_template(
        words.ROW, kind=kind.capitalize(), table=_name_table(change.table), source=change.source, cells=fields or cells
    )


def _name_table(table: TableName) -> str:
    return table.replace("_", " ")


def _list_changes(changes: Sequence[AnyChange], describe: Callable[[AnyChange], Inlines]) -> Iterator[Block]:
    if changes:
        yield BulletList(items=tuple(map(describe, changes[:_MOST])))
        yield from _note_more(changes)


def _note_more(changes: Sequence[AnyChange]) -> Iterator[Paragraph]:
    if len(changes) > _MOST:
        yield Paragraph(content=fill_template(words.MORE, number=f"{len(changes) - _MOST:,}"))


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
