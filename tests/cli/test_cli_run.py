"""`storm run` on the bundled sample, seen from outside."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from long_parameters import mark_long
from storm_program import FinishedJob, Program, dossiers, newest_job

from storm.export import to_markdown
from storm.models import Dossier

WRITTEN = ("dossier.html", "dossier.md", "dossier.json")
LIST = Path(__file__).parents[2] / "config/databases.yaml"
QUESTIONS = [
    "mechanism.moa", "clinical.efficacy", "clinical.safety", "competitive.landscape", "market.status", "ip.patents",
]  # fmt: skip


@pytest.fixture(scope="session")
def page(finished: FinishedJob) -> str:
    """The finished job's Markdown."""
    text: str = (finished.reports / "dossier.md").read_text(encoding="utf-8")
    return text


@pytest.fixture(scope="session")
def report(finished: FinishedJob) -> dict[str, Any]:
    """The finished job's JSON."""
    value: dict[str, Any] = json.loads((finished.reports / "dossier.json").read_text(encoding="utf-8"))
    return value


def cited_numbers(page: str) -> set[int]:
    body = page.rpartition("\n## References")[0]
    groups = re.findall(r"(?<!\\)\[(\d+(?:, \d+)*)\]", body)
    return {int(number) for group in groups for number in group.split(", ")}


def listed_numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"^(\d+)\. ", page.rpartition("\n## References")[2], re.M)]


def test_a_run_on_the_sample_is_complete(finished: FinishedJob) -> None:
    assert finished.outcome.code == 0
    assert "the dossier is complete" in finished.outcome.out


def test_a_run_writes_its_files_and_names_them_on_standard_output_the_html_first(finished: FinishedJob) -> None:
    files = [finished.reports / name for name in WRITTEN]
    assert sorted(finished.reports.iterdir()) == sorted(files)
    lines = finished.outcome.out.splitlines()
    assert [line for line in lines if line.startswith(str(finished.reports))] == [str(file) for file in files]


def test_a_run_shows_its_progress_on_standard_error(finished: FinishedJob) -> None:
    lines = finished.outcome.err.splitlines()
    assert lines[0] == f"Job {finished.job_id}"
    stages = [line for line in lines if line.endswith("…")]
    assert stages == ["Planning …", "Gathering …", "Checking …", "Answering …", "Writing …"]
    enough = [line for line in lines if line.startswith("  ")]
    assert enough[0].startswith("  0 of 6 questions have enough sources; not yet: Mechanism of action, Clinical ")
    assert enough[-1] == "  6 of 6 questions have enough sources" and len(enough) <= 1 + len(QUESTIONS)
    assert enough[0].endswith(" and 4 more") and max(map(len, lines)) <= 100


@pytest.mark.slow
def test_a_verbose_run_names_all_questions_that_lack_sources(program: Program) -> None:
    outcome = program("run", "metformin", "--offline", "-v").err
    assert (
        "not yet: Mechanism of action, Clinical efficacy, Clinical safety, Competitive landscape, Market and "
        in outcome
    )


def test_of_records_of_this_machine_no_dossier_says_when_they_were_read(finished: FinishedJob) -> None:
    dossier = Dossier.model_validate_json((finished.reports / "dossier.json").read_text(encoding="utf-8"))
    assert {reference.retrieved for reference in dossier.references} == {None}
    assert "; read " not in to_markdown(dossier)


def test_a_run_says_how_to_look_into_the_job(finished: FinishedJob) -> None:
    assert f"storm inspect {finished.job_id} --sources" in finished.outcome.out


def test_a_run_on_the_sample_says_that_it_is_one_and_how_to_do_better(finished: FinishedJob, page: str) -> None:
    for outcome in (finished.outcome.out, page):
        assert "Only the bundled sample (trastuzumab, metformin) was searched" in outcome
        assert "storm corpus add" in outcome


def test_every_citation_has_a_reference_and_every_reference_is_cited(page: str) -> None:
    listed = listed_numbers(page)
    assert listed == list(range(1, len(listed) + 1))
    assert cited_numbers(page) == set(listed)
    assert len(listed) >= 10


def test_the_references_are_the_last_heading(page: str) -> None:
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    after = headings[headings.index("## References") + 1 :]
    assert [heading.partition(":")[0] for heading in after] == ["## Appendix", "## Appendix"]


def test_the_references_are_numbered_alike_in_both_files(page: str, report: dict[str, Any]) -> None:
    assert [reference["n"] for reference in report["references"]] == listed_numbers(page)


def test_thirty_sources_or_more_cover_all_six_questions(program_with_job: Program, finished: FinishedJob) -> None:
    sources = program_with_job.sources(finished.job_id)
    assert len(sources) >= 30
    assert {question for source in sources for question in source["questions"]} == set(QUESTIONS)


def test_the_sources_come_from_several_databases(report: dict[str, Any]) -> None:
    assert len(report["coverage"]["databases"]) >= report["coverage"]["min_databases"] == 2


@pytest.mark.slow
def test_two_runs_give_the_same_dossier(program: Program, finished: FinishedJob) -> None:
    again = program("run", "trastuzumab", "--offline", "--out", "again")
    assert again.code == 0
    job_id = newest_job(program)
    assert job_id != finished.job_id
    assert dossiers(program.folder / "again", job_id) == dossiers(finished.reports, finished.job_id)


@pytest.mark.slow
def test_the_second_drug_of_the_sample_is_complete_too(program: Program) -> None:
    assert program("run", "metformin", "--offline").code == 0


def test_the_json_dossier_has_the_promised_fields(report: dict[str, Any]) -> None:
    promised = {
        "job_id",
        "drug",
        "engine",
        "databases",
        "coverage",
        "at_a_glance",
        "answers",
        "references",
        "search_log",
    }
    assert promised <= set(report)
    assert report["drug"] == "trastuzumab"
    assert "no language model" in report["engine"]
    assert [answer["question"] for answer in report["answers"]] == QUESTIONS


def test_each_statement_has_a_quote_sources_and_a_verdict(report: dict[str, Any]) -> None:
    known = {reference["source_id"] for reference in report["references"]}
    statements = [statement for answer in report["answers"] for statement in answer["statements"]]
    assert statements
    for statement in statements:
        assert statement["text"] and statement["quote"]
        assert statement["verdict"] == "supported"
        assert statement["source_ids"] and set(statement["source_ids"]) <= known


def test_each_answer_lists_its_gaps(report: dict[str, Any]) -> None:
    assert all(isinstance(answer["gaps"], list) for answer in report["answers"])


def test_each_reference_says_what_it_is_and_where(report: dict[str, Any]) -> None:
    for reference in report["references"]:
        assert {"n", "source_id", "source_type", "external_id", "url", "title"} <= set(reference)
        assert reference["url"].startswith(("http://", "https://"))


def test_the_search_log_says_what_was_asked_and_found(report: dict[str, Any]) -> None:
    assert {line["question"] for line in report["search_log"]} == {"names", *QUESTIONS}
    for line in report["search_log"]:
        assert line["database"] == "sample" and '"trastuzumab"' in line["query"]
        assert line["status"] == ("found" if line["total"] else "none")
        assert line["kept"] <= line["hits"] <= line["total"]


@pytest.mark.slow
def test_json_output_is_the_result_and_nothing_else(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", "reports", "--json")
    result = outcome.json()
    assert outcome.code == result["exit_code"] == 0
    assert outcome.err == ""
    assert set(result) == {
        "job_id", "drug", "exit_code", "engine", "stopped", "mode", "statements", "spent", "coverage", "not_searched",
        "searched_in_part", "changes", "files",
    }  # fmt: skip
    assert result["files"] == [str(program.folder / "reports" / name) for name in WRITTEN]
    assert [q["question"] for q in result["coverage"]["questions"]] == QUESTIONS


@pytest.mark.slow
def test_quiet_output_is_where_the_files_are_and_nothing_else(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", "reports", "--quiet")
    assert outcome.out.splitlines() == [str(program.folder / "reports" / name) for name in WRITTEN]
    assert outcome.err == ""


@pytest.mark.slow
def test_only_the_wanted_format_is_written(program: Program) -> None:
    assert program("run", "trastuzumab", "--offline", "--out", "reports", "--format", "md").code == 0
    assert [path.name for path in (program.folder / "reports").iterdir()] == ["dossier.md"]


@pytest.mark.slow
def test_without_out_the_files_are_in_a_folder_of_the_job(program: Program) -> None:
    program("run", "trastuzumab", "--offline")
    job_id = newest_job(program)
    folder = program.folder / "storm-reports" / job_id
    assert sorted(path.name for path in folder.iterdir()) == sorted(WRITTEN)


@pytest.mark.slow
def test_a_job_remembers_the_folder_in_which_it_was_started(program: Program) -> None:
    started = program.folder / "c"
    started.mkdir()
    Program(program.data, started)("run", "metformin", "--offline", "--job-id", "mine")
    dossier = started / "storm-reports/mine/dossier.md"
    dossier.unlink()
    for command in ("resume", "export"):
        assert str(dossier) in program(command, "mine").out
        dossier.unlink()


@pytest.mark.slow
def test_a_run_leaves_no_server_behind(program: Program) -> None:
    program("run", "metformin", "--offline")
    assert program("store", "stop").out == "No embedded server is running.\n"


@pytest.mark.slow
def test_a_run_that_was_not_asked_to_stay_offline_is_partial_where_nothing_answers(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--json")
    assert outcome.code == outcome.json()["exit_code"] == 3
    assert outcome.json()["not_searched"] == {"chembl": "no connection", "pubmed": "no connection"}


@pytest.mark.slow
def test_synonyms_are_searched_too(program: Program) -> None:
    outcome = program("run", "no-such-name-xyzzy", "--also", "trastuzumab", "--offline", "--out", "reports")
    assert outcome.code == 0
    report = json.loads((program.folder / "reports/dossier.json").read_text(encoding="utf-8"))
    assert report["search_log"][0]["query"].startswith('"no-such-name-xyzzy" OR "trastuzumab"')


@pytest.mark.slow
def test_only_the_wanted_databases_are_searched(program: Program) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--databases", "pubmed, clinicaltrials", "--json")
    assert set(outcome.json()["coverage"]["databases"]) <= {"pubmed", "clinicaltrials"}
    assert outcome.code == 3


@pytest.mark.parametrize("option", [("--databases", "pubmed,nosuch"), ("--format", "odt"), ("--format", "")])
def test_what_cannot_be_done_is_refused_before_any_work(program: Program, option: tuple[str, str]) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--out", "reports", *option)
    assert outcome.code == 2
    assert outcome.is_one_clear_error()
    assert option[1].rpartition(",")[2] in outcome.err
    assert program.jobs() == []


@pytest.mark.parametrize("option", ["--databases", "--format"])
def test_a_refused_name_is_answered_with_the_known_ones(program: Program, option: str) -> None:
    known = {"--databases": "pubmed", "--format": "html, md"}[option]
    assert known in program("run", "trastuzumab", "--offline", option, "nosuch").err


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (("runn", "metformin"), "'run'"),
        (("run", "metformin", "--offlin"), "--offline"),
        (("run", "metformin", "--offline", "--databases", "pubmd"), "did you mean pubmed?"),
        (("run", "metformin", "--offline", "--format", "jsn"), "did you mean json?"),
        (("databases", "search", "clinicaltrial", "x"), "did you mean clinicaltrials?"),
        (("corpus", "serch", "x"), "'search'"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(
    program: Program, argv: tuple[str, ...], meant: str
) -> None:
    outcome = program(*argv, STORM_DATABASES=str(LIST))
    assert outcome.code == 2 and meant in outcome.err


def test_the_files_of_a_run_can_be_read_by_whoever_may_read_new_files(finished: FinishedJob, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("")
    assert (finished.reports / "dossier.md").stat().st_mode == mine.stat().st_mode


def test_a_quiet_run_that_finds_nothing_says_so_in_one_line(program: Program) -> None:
    outcome = program("run", "no-such-drug", "--offline", "--quiet")
    assert outcome.code == 4
    assert outcome.err.startswith("No record in what was searched names no-such-drug.") and outcome.err.count("\n") == 1


def test_a_mistyped_name_is_answered_with_the_one_that_was_perhaps_meant_and_that_is_not_run(program: Program) -> None:
    outcome = program("run", "trastuzmab", "--offline")
    assert outcome.code == 4
    assert "Did you mean trastuzumab? What was searched here has records with that name" in outcome.out
    assert "Search terms: trastuzmab\n" in outcome.out


@pytest.mark.slow
def test_a_quiet_run_says_why_its_dossier_is_partial(program: Program) -> None:
    outcome = program("run", "metformin", "--offline", "--databases", "pubmed", "--quiet")
    assert outcome.code == 3 and outcome.err.count("\n") == 1
    assert "Too few sources: Market and regulatory status (2 of 3), Patents and exclusivity (0 of 3)." in outcome.err
    assert "Too few databases: 1 of 2." in outcome.err
    again = program("run", "metformin", "--offline", "--databases", "pubmed", "--out", "again")
    assert "Too few databases: 1 of 2\n" in again.out


def test_a_quiet_run_names_first_what_could_not_be_searched(program: Program) -> None:
    outcome = program("run", "nosuch", "--quiet")
    assert outcome.code == 3
    assert outcome.err.startswith(
        "Could not be searched: ChEMBL, PubMed (no connection). No record in what was searched"
    )


def test_a_run_says_what_could_not_be_searched_before_it_says_that_nothing_was_found(program: Program) -> None:
    lines = program("run", "nosuch").out.splitlines()
    assert [line[:9] for line in lines[:2]] == ["Could not", "No record"]


@pytest.fixture(scope="module")
def finished_metformin(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a job of metformin has ended: never written to, only copied."""
    folder = tmp_path_factory.mktemp("metformin")
    shutil.copytree(prepared, folder / "data")
    program = Program(folder / "data", folder)
    program("run", "metformin", "--offline", "--out", "reports")
    program.server().stop_server(force=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kept", mark_long(WRITTEN, but=WRITTEN[:1]))
def test_the_dossier_of_another_drug_is_replaced_only_where_that_is_asked_for(
    program: Program, finished_metformin: Path, kept: str
) -> None:
    shutil.copytree(finished_metformin, program.folder, ignore=shutil.ignore_patterns("*.sock"), dirs_exist_ok=True)
    before = (program.folder / "reports" / kept).read_text(encoding="utf-8")
    for other in {*WRITTEN} - {kept}:
        (program.folder / "reports" / other).unlink()
    outcome = program("run", "trastuzumab", "--offline", "--out", "reports")
    assert (outcome.code, outcome.is_one_clear_error(), len(program.jobs())) == (2, True, 1)
    assert (
        f"reports/{kept} is not a dossier of trastuzumab, but: metformin" in outcome.err
        and "--overwrite" in outcome.err
    )
    assert (program.folder / "reports" / kept).read_text(encoding="utf-8") == before
    outcome = program("run", "trastuzumab", "--offline", "--out", "reports", "--overwrite", "--format", "ris")
    assert outcome.code == 0 and f"Kept files of another drug: {kept}\n" in outcome.err
    assert program("run", "trastuzumab", "--offline", "--out", "reports", "--overwrite").code == 0
    assert (program.folder / "reports" / kept).read_text(encoding="utf-8") != before


@pytest.mark.slow
def test_a_dossier_that_cites_nothing_is_replaced_by_that_of_another_drug(program: Program) -> None:
    codes = [program("run", name, "--offline", "--out", "reports").code for name in ("nosuch", "nosuch2", "metformin")]
    assert codes == [4, 4, 0]
    assert program("run", "nosuch", "--offline", "--out", "reports").code == 2


@pytest.mark.parametrize("command", ["export", "resume"])
def test_a_file_that_is_no_dossier_is_not_replaced(
    program_with_job: Program, finished: FinishedJob, command: str
) -> None:
    mine = program_with_job.folder / "mine/dossier.json"
    mine.parent.mkdir()
    mine.write_text("[]", encoding="utf-8")
    outcome = program_with_job(command, finished.job_id, "--out", "mine")
    assert (outcome.code, outcome.is_one_clear_error(), mine.read_text(encoding="utf-8")) == (2, True, "[]")
    assert program_with_job(command, finished.job_id, "--out", "mine", "--overwrite").code == 0
    assert mine.read_text(encoding="utf-8") != "[]"


@pytest.mark.parametrize("formats", mark_long(["tables", "bib", "docx,log", "sources"], but=["docx,log"]))
def test_files_that_do_not_name_their_drug_are_replaced_by_those_of_another_only_where_that_is_asked_for(
    program_with_job: Program, finished: FinishedJob, formats: str
) -> None:
    for _ in range(2):
        assert program_with_job("export", finished.job_id, "--format", formats, "--out", "own").code == 0
    folder = program_with_job.folder / "own"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    other = ("run", "metformin", "--offline", "--out", "own", "--format", "bib")
    outcome = program_with_job(*other)
    assert (outcome.code, outcome.is_one_clear_error(), len(program_with_job.jobs())) == (2, True, 1)
    assert "own holds files on another subject: trastuzumab" in outcome.err and "--overwrite" in outcome.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert program_with_job(*other, "--overwrite").code == 0
    outcome = program_with_job("export", finished.job_id, "--format", "bib", "--out", "own")
    assert outcome.code == 2 and "another subject: metformin" in outcome.err


@pytest.mark.slow
def test_the_dossier_of_the_same_drug_is_replaced(program: Program) -> None:
    written = ("--offline", "--out", "reports", "--format", "md,bib,ris,csl")
    first, second = (program("run", name, *written) for name in ("metformin", "Metformin"))
    assert first.code == second.code == 0


def test_a_database_is_named_once_in_what_was_searched(program: Program) -> None:
    (program.folder / "own.csv").write_text(
        "database,external_id,url,title\nweb,1,https://example.org/1,Zorvimab, a drug\n".replace("b, a", "b a")
    )
    program("corpus", "add", "own.csv")
    program("run", "zorvimab", "--offline", "--out", "reports")
    text = (program.folder / "reports/dossier.md").read_text(encoding="utf-8")
    assert "- Your corpus: 1 record" in text and "your corpus: your corpus" not in text.casefold()


def test_a_record_of_two_works_is_refused_with_its_line_and_ends_no_job(program: Program) -> None:
    rows = (
        "web,z1,https://example.org/1,Zorvimab improved survival",
        "pubmed,90000005,https://pubmed.ncbi.nlm.nih.gov/90000006/,Zorvimab improved survival twice",
    )
    (program.folder / "own.csv").write_text("\n".join(("database,external_id,url,title", *rows)))
    added = program("corpus", "add", "own.csv")
    assert "line 3: the row names two works: pmid:90000005 and pmid:90000006" in added.text
    assert program("run", "zorvimab", "--offline").code in (0, 4)


def test_a_question_that_nothing_was_searched_for_is_no_question_without_an_answer(program: Program) -> None:
    (program.folder / "own.yaml").write_text(
        "name: own\nquestions:\n  - {key: dose, label: Dose, description: How it is given, min_sources: 1, "
        "queries: {ownlab: [dose]}}\n"
    )
    outcome = program("run", "trastuzumab", "--offline", "--syllabus", "own.yaml", "--out", "reports")
    assert outcome.code == 3
    dossier = (program.folder / "reports" / "dossier.md").read_text()
    assert "ownlab (the job does not search this database, for which the question has queries)" in dossier


@pytest.mark.slow
def test_what_the_sample_is_is_told_with_the_command_as_it_can_be_typed(program: Program) -> None:
    outcome = program.start("run", "trastuzumab", "--offline", PATH="").end()
    assert "Add your own records with: python -m storm corpus add PATHS" in outcome.out
