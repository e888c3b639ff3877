"""What changed between two dossiers: statements and rows by what they say, and a list that fits on a page."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from dossiers import NOW, dossier

from storm.export import to_markdown
from storm.models import Answer, Dossier, Hit, RecordRow, RecordTable, SearchRecord, SearchStatus, Source, Statement
from storm.models.changes import Change, Changes, FieldChange, RecordChange, StatementChange, UncheckedRecords
from storm.models.record_table import TableName
from storm.reports.changed_rows import compare_tables
from storm.reports.changes import PreviousVersion, compare_versions


def source(number: int, text: str = "It harms.", *, carried: bool = True) -> Source:
    hit = Hit.of("pubmed", str(number), f"https://example.org/{number}", f"Paper {number}", text=text, pmid=str(number))
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("harm.x",), carried=carried)


def saying(*texts: str, source_id: str = "src_001") -> Dossier:
    statements = tuple(Statement(text=text, quote=text, source_ids=(source_id,)) for text in texts)
    return dossier(answers=(Answer(question="harm.x", statements=statements),))


def compare(before: Dossier, after: Dossier, old: Sequence[Source], new: Sequence[Source]) -> Changes:
    ids = {one.source_id: one.source_id for one in new if one.carried}
    return compare_versions(PreviousVersion(before, ids, old, ()), after, new, ())


def kinds(changes: Changes) -> list[tuple[str, str]]:
    return [(change.kind, change.text) for change in changes.statements]


def test_a_statement_is_new_or_gone_by_its_words() -> None:
    found = compare(saying("It harms.", "It hurts."), saying("It harms.", "It heals."), [source(1)], [source(1)])
    assert kinds(found) == [("new", "It heals."), ("gone", "It hurts.")]
    assert found.statements[0].sources == ("pmid:1",) and found.records == ()


def test_a_statement_in_place_of_another_of_the_same_record_that_differs_has_changed() -> None:
    found = compare(saying("It harms 5%."), saying("It harms 7%."), [source(1)], [source(1, "It harms 7%.")])
    (change,) = found.statements
    assert (change.kind, change.fields) == (
        Change.CHANGED, (FieldChange(field="text", old="It harms 5%.", new="It harms 7%."),)
    )  # fmt: skip


def test_a_source_that_nobody_carried_over_is_gone_whoever_has_its_id_now() -> None:
    found = compare(saying("It harms."), saying(), [source(1), source(2)], [source(1)])
    assert [(one.kind, one.identifier, one.cited) for one in found.records] == [("gone", "pmid:2", True)]


@pytest.mark.parametrize("question", ["harm.x", "names"])
def test_sources_that_no_search_returned_are_unchecked_where_their_database_failed(question: str) -> None:
    search = SearchRecord(
        database="pubmed", scope="", question=question, query="q", at=NOW, status=SearchStatus.FAILED, reason="timeout"
    )
    before = search.model_copy(update={"status": SearchStatus.FOUND, "hits": ("pmid:1",), "reason": ""})
    previous = PreviousVersion(saying(), {"src_001": "src_001"}, [source(1)], (before,))
    found = compare_versions(previous, saying(), [source(1)], (search,))
    assert found.unchecked == (
        (UncheckedRecords(database="pubmed", records=1, reason="timeout"),) if question == "harm.x" else ()
    )


def table(*rows: tuple[str | None, ...]) -> RecordTable:
    listed = tuple(RecordRow(source_id="src_001", cells=cells, places=("x",)) for cells in rows)
    return RecordTable(name=TableName.TRIALS, columns=("Trial", "Phase", "Status", "Result"), rows=listed)


def test_a_row_has_changed_where_half_of_its_cells_are_as_they_were() -> None:
    old = table(("NCT1", "2", "Recruiting", None), ("NCT2", "3", "Completed", None), ("NCT3", "1", "Completed", None))
    new = table(("NCT1", "2", "Completed", "26%"), ("NCT2", "3", "Completed", None), ("NCT9", "4", "Unknown", "0%"))
    keys = {"src_001": "registry:NCT1"}
    found = [(one.kind, one.cells["Trial"], one.fields) for one in compare_tables([old], keys, [new], keys)]
    assert found == [
        (Change.CHANGED, "NCT1", (FieldChange(field="Status", old="Recruiting", new="Completed"),
                                  FieldChange(field="Result", old=None, new="26%"))),
        (Change.NEW, "NCT9", ()),
        (Change.GONE, "NCT3", ()),
    ]  # fmt: skip


def test_tables_with_other_columns_are_not_compared_cell_by_cell() -> None:
    old = table(("NCT1", "2", "Recruiting", None)).model_copy(update={"columns": ("Trial",)})
    found = list(compare_tables([old], {}, [table(("NCT1", "2", "Recruiting", None))], {}))
    assert [one.kind for one in found] == [Change.NEW]


def test_a_long_list_of_changes_is_cut_and_says_so() -> None:
    records = tuple(
        RecordChange(kind=Change.NEW, identifier=f"pmid:{n}", database="pubmed", external_id=str(n),
                     title=f"Paper {n} [1] | *new*", url="https://example.org/1") for n in range(400)
    )  # fmt: skip
    page = to_markdown(dossier(changes=Changes(update_of="one-1", since=NOW, records=records)))
    assert "Compared with the dossier of the job one-1. Sources: 400 new." in page
    assert page.count("Paper 2") < 15 and "And 375 more, in the file of the format “changes”." in page


def test_a_statement_that_is_gone_is_shown_without_a_mark_and_what_it_replaced_beside_a_changed_one() -> None:
    gone = StatementChange(kind=Change.GONE, question="harm.x", text="It hurts [2].", sources=("pmid:9",))
    before = FieldChange(field="text", old="It harms few.", new="It harms.")
    changed = StatementChange(
        kind=Change.CHANGED, question="harm.x", text="It harms.", sources=("pmid:2",), fields=(before,)
    )
    found = Changes(update_of="one-1", since=NOW, statements=(gone, changed))
    page = to_markdown(dossier(changes=found))
    part = page.partition("## What changed since 2026-11-21")[2].partition("\n## ")[0]
    assert "- No longer in the dossier (Harm): “It hurts (2).” (pmid:9)" in part
    assert "[2] Before: “It harms few.”" in part
    assert part.index("Before:") < part.index("No longer")


def test_a_text_of_the_same_length_is_said_to_have_changed_without_its_length() -> None:
    fields = (
        FieldChange(field="text", old="330 characters", new="330 characters"),
        FieldChange(field="status", old=None, new="completed"),
    )
    record = RecordChange(
        kind=Change.CHANGED, identifier="pmid:1", database="pubmed", external_id="1", title="Paper",
        url="https://example.org/1", fields=fields,
    )  # fmt: skip
    page = to_markdown(dossier(changes=Changes(update_of="one-1", since=NOW, records=(record,))))
    assert "text changed; status: not stated → completed" in page
    assert "330 characters" not in page


def test_a_dossier_of_a_job_of_its_own_has_no_such_section() -> None:
    assert "What changed" not in to_markdown(dossier())
