"""What a reviewer finds of the searches: each query once, all 16 items of PRISMA-S, and the flow beside what failed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from dossiers import NOW, dossier

from storm.export.markdown import render_markdown
from storm.models import Dossier, SearchStatus
from storm.models.dossier import DatabaseUse, SearchLine
from storm.reports import dossier_document
from storm.reports.document import Block, Document, Figure, Table
from storm.reports.flow_blocks import flow_blocks
from storm.reports.prisma_s import prisma_s_blocks
from storm.reports.search_log import search_log_blocks

NAMES = '"trastuzumab" OR "Herceptin"'


def line(database: str, query: str, **fields: Any) -> SearchLine:
    values = {"scope": f"all of {database}", "question": "harm.x", "at": NOW, "status": SearchStatus.FOUND}
    return SearchLine(database=database, query=query, **{**values, "total": 900, "hits": 20, "kept": 3, **fields})


def searched(*lines: SearchLine, **fields: Any) -> Dossier:
    return dossier(search_log=lines, names=("trastuzumab", "Herceptin"), **fields)


def rendered(*blocks: Block) -> str:
    return render_markdown(Document(title="x", created=NOW, blocks=blocks))


def log_rows(report: Dossier) -> list[str]:
    (table, *_) = (block for block in search_log_blocks(report) if isinstance(block, Table))
    return rendered(table).splitlines()[4:]


def test_a_query_that_several_databases_were_asked_stands_once_with_its_names_folded() -> None:
    query = f"({NAMES}) AND heart"
    report = searched(line("pubmed", query), line("chembl", query, status=SearchStatus.NONE, hits=0, total=0))
    assert log_rows(report) == ["| NAMES AND heart | harm.x | PubMed: 20 of 900 read, 3 saved; ChEMBL: none |"]
    assert f"NAMES stands for: {NAMES}" in rendered(*search_log_blocks(report))


def test_queries_of_a_question_with_one_outcome_share_a_row() -> None:
    report = searched(line("pubmed", f"{NAMES} + heart"), line("pubmed", f"{NAMES} + lung"))
    assert log_rows(report) == ["| NAMES + heart · NAMES + lung | harm.x | PubMed: 20 of 900 read, 3 saved |"]


def test_names_that_are_recognised_and_searched_by_an_agent_have_a_symbol_of_their_own() -> None:
    report = searched(line("pubmed", f'({NAMES} OR "RO45") AND heart'), also_known=("RO45",))
    assert log_rows(report)[0].startswith("| ALL-NAMES AND heart |")
    assert "NAMES stands for" not in rendered(*search_log_blocks(searched(line("pubmed", '"trastuzumab" + heart'))))


def test_a_search_that_failed_says_why_and_an_old_answer_its_day() -> None:
    failed = line("openfda", "a", status=SearchStatus.FAILED, reason="timed out", hits=0, total=0)
    cached = line("pubmed", "b", answered=NOW - timedelta(days=2))
    rows = log_rows(searched(failed, cached))
    assert rows[0] == "| a | harm.x | openFDA: failed (timed out) |"
    assert rows[1] == "| b | harm.x | PubMed: 20 of 900 read, 3 saved (answered 2026-11-19) |"


def prisma_s(report: Dossier) -> dict[int, str]:
    (table,) = (block for block in prisma_s_blocks(report) if isinstance(block, Table))
    rows = [rendered(Table(head=table.head, rows=(row,))).splitlines()[-1].split(" | ") for row in table.rows]
    return {int(number.strip("| ")): answer.removesuffix(" |") for number, _, answer in rows}


def test_all_sixteen_items_are_answered_and_what_is_not_done_says_so() -> None:
    report = searched(
        line("pubmed", "a"), line("clinicaltrials", "a", at=NOW + timedelta(days=1)), line("web", "a"),
        line("chembl", "trastuzumab", question="names"), line("openfda", "a", status=SearchStatus.FAILED, hits=0),
    )  # fmt: skip
    items = prisma_s(report)
    assert list(items) == list(range(1, 17)) and all(items.values())
    assert items[1] == "PubMed: all of pubmed; openFDA: all of openfda (failed)"
    assert items[3] == "ClinicalTrials.gov: all of clinicaltrials"
    assert "all of web" in items[4]
    assert items[5] == items[6] == "Not done by storm."
    assert items[7].endswith("ChEMBL.")
    assert items[13].startswith("PubMed: 2026-11-21; ClinicalTrials.gov: 2026-11-22")
    assert items[15] == "PubMed: 20; ClinicalTrials.gov: 20; Web: 20; openFDA: 0. In all 60 records read."


def test_a_model_s_searches_are_said_to_be_its_own() -> None:
    assert "language model" in prisma_s(searched(line("pubmed", "a"), by_model=True))[14]
    assert "templates" in prisma_s(searched(line("pubmed", "a")))[14]


def test_nothing_searched_is_said_in_the_table_too() -> None:
    items = prisma_s(searched())
    assert items[1] == items[13] == items[15] == "No database was searched."
    assert items[3] == "No study registry was searched."


def test_the_flow_says_that_a_program_screened_and_what_could_not_be_searched() -> None:
    failed = DatabaseUse(name="openfda", scope="x", searched=1, status=SearchStatus.FAILED, reason="timed out")
    (figure,) = (block for block in flow_blocks(dossier(databases=(failed,))) if isinstance(block, Figure))
    said = "".join(piece.text for piece in figure.caption)  # type: ignore[union-attr]
    assert "Screening was done by a program; this is no systematic review." in said
    assert "Could not be searched: openFDA (timed out)" in said and "openFDA (timed out)" in figure.svg


def test_a_dossier_from_before_has_no_flow_and_is_laid_out() -> None:
    page = render_markdown(dossier_document(dossier(flow=None)))
    assert "Records found and kept" not in page and "## Appendix: all searches" in page
