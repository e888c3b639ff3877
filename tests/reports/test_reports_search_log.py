"""What a reviewer finds of the searches: each query once, all 16 items of PRISMA-S, and the flow beside what failed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from dossiers import NOW, WHOLE, dossier

from storm.export.markdown import render_markdown
from storm.models import Dossier, Exclusion, FlowCounts, RecordFlow, SearchStatus
from storm.models.dossier import DatabaseUse, SearchLine
from storm.reports import document_of
from storm.reports.document import Block, Document, Table
from storm.reports.flow_blocks import flow_blocks
from storm.reports.methodology import methodology_blocks
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
    assert items[13] == "PubMed: 2026-11-21; ClinicalTrials.gov: 2026-11-22; Web: 2026-11-21"
    assert items[15].startswith(
        "PubMed: 900 matched, 20 read; ClinicalTrials.gov: 900 matched, 20 read; Web: 900 matched, 20 read. "
        "In all 60 records read"
    )


def test_a_model_s_searches_are_said_to_be_its_own() -> None:
    assert "language model" in prisma_s(searched(line("pubmed", "a"), by_model=True))[14]
    assert "templates" in prisma_s(searched(line("pubmed", "a")))[14]


def test_a_database_failed_only_if_none_of_its_searches_was_answered() -> None:
    failed = line("pubmed", "b", status=SearchStatus.FAILED, hits=0, total=0, at=NOW + timedelta(days=1))
    items = prisma_s(searched(line("pubmed", "a"), failed))
    assert (items[1], items[13]) == ("PubMed: all of pubmed", "PubMed: 2026-11-21")


def test_the_platform_is_the_one_whose_address_was_asked() -> None:
    asked = line("pmc", "a", address="https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?db=pmc&term=a")
    other = line("own", "a", address="https://api.example.org/?q=a")
    items = prisma_s(searched(asked, other))
    assert items[1] == (
        "PubMed Central: all of pmc, through NCBI E-utilities; own: all of own, through api.example.org"
    )


def test_records_of_registries_and_pages_in_local_files_are_said_to_be_searched_there_alone() -> None:
    scope = "the bundled sample (a, b): 46 records (ClinicalTrials.gov 11, Web 35)"
    items = prisma_s(searched(line("sample", "a", scope=scope)))
    assert items[3] == "Bundled sample: records of ClinicalTrials.gov; the registry itself was not searched."
    assert items[4] == "Bundled sample: web pages; the web itself was not searched or browsed."
    items = prisma_s(searched(line("sample", "a", scope="the bundled sample: 3 records (PubMed 3)")))
    assert (items[3], items[4]) == ("No study registry was searched.", "No website was searched or browsed.")


def test_limits_are_those_of_the_searches() -> None:
    whole, cut = line("pubmed", "a", total=20), line("pubmed", "b")
    free = line("pmc", "c", total=20, address="https://example.org/?term=c+AND+open+access%5Bfilter%5D")
    assert prisma_s(searched(whole))[9].startswith("All records that matched were read. storm asks")
    assert prisma_s(searched(whole, cut))[9].startswith("Of 1 of the 2 searches only the first records by relevance")
    assert "PubMed Central: open access only." in prisma_s(searched(free))[9]
    assert "open access" not in prisma_s(searched(whole))[9]


def test_the_syllabus_and_the_version_that_made_the_job_are_named() -> None:
    items = prisma_s(searched(line("pubmed", "a"), syllabus="oncology", syllabus_version="3f2a", version="0.0.7"))
    assert items[14].endswith("of the syllabus oncology, version 3f2a (storm 0.0.7).")
    assert "by storm 0.0.7:" in items[16]
    before = prisma_s(searched(line("pubmed", "a"), flow=None))
    assert before[14].endswith("of the questions.") and before[16].startswith("Not counted")


def test_look_ups_stand_apart_and_the_rows_of_the_databases_add_up_to_the_flow() -> None:
    names = line("chembl", "trastuzumab", question="names", hits=5, total=5, kept=5)
    report = searched(line("pubmed", "a"), line("chembl", "a", hits=1), names, flow=WHOLE)
    tables = [rendered(block).splitlines()[4:] for block in search_log_blocks(report) if isinstance(block, Table)]
    assert ([len(table) for table in tables], tables[1]) == (
        [1, 1, 4],
        ["| trastuzumab | names | ChEMBL: 5 of 5 read, 5 saved |"],
    )
    assert "Look-ups by name or identifier: 1. They search for no records: what they returned (5 records)" in rendered(
        *search_log_blocks(report)
    )
    numbers = [[int(cell.replace(",", "")) for cell in row.split(" | ")[2:4]] for row in tables[2]]
    total = WHOLE.total
    assert [sum(column) for column in zip(*numbers, strict=True)] == [total.identified, total.duplicates]
    assert tables[2][3].startswith("| Look-ups: ChEMBL | 0 | 1 |")


def test_the_method_names_a_database_whose_scope_is_not_known_and_no_check_of_quotes_without_statements() -> None:
    use = DatabaseUse(name="web", scope="", searched=1, status=SearchStatus.FAILED)
    text = rendered(*methodology_blocks(searched(line("web", "a"), databases=(use,), answers=())))
    assert "Web. Searches: 1; result: failed." in text and "The quote of each statement" not in text


def test_the_method_counts_look_ups_apart_from_searches() -> None:
    use = DatabaseUse(name="pubmed", scope="PubMed", searched=2, status=SearchStatus.FOUND)
    report = searched(line("pubmed", "a"), line("pubmed", "b", question="names"), databases=(use,))
    assert "Searches: 1 and 1 look-up; result: found." in rendered(*methodology_blocks(report))


def test_nothing_searched_is_said_in_the_table_too() -> None:
    items = prisma_s(searched())
    assert items[1] == items[13] == items[15] == "No database was searched."
    assert items[3] == "No study registry was searched."


def test_the_flow_says_that_a_program_screened_and_what_could_not_be_searched() -> None:
    failed = DatabaseUse(name="openfda", scope="x", searched=1, status=SearchStatus.FAILED, reason="timed out")
    said = rendered(*flow_blocks(dossier(databases=(failed,))))
    assert "Screening was done by a program; this is not a systematic review." in said
    assert "Could not be searched: openFDA (timed out)" in said


def test_sources_that_were_saved_are_not_among_the_records_not_kept() -> None:
    counts = FlowCounts(
        identified=6, automatic=2, screened=4, excluded=1, sought=3, assessed=3, not_included=2, included=1,
        reasons={Exclusion.NO_QUESTION: 2, Exclusion.MENTIONED: 1, Exclusion.NOT_CITED: 2},
    )  # fmt: skip
    said = rendered(*flow_blocks(dossier(flow=RecordFlow(databases={"pubmed": counts}, studies=1))))
    assert "Why records were not kept: answers none of the questions (2); only mentions the drug (1)." in said
    assert "Of the sources saved: not cited (2)." in said


def test_a_dossier_from_before_has_no_flow_and_is_laid_out() -> None:
    page = render_markdown(document_of(dossier(flow=None)))
    assert "Records found and kept" not in page and "## Appendix: all searches" in page
