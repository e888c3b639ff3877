"""`storm tools`: list, show, call."""

from __future__ import annotations

import io
import json
import signal
import sys

import pytest
from storm_program import FinishedJob, Program

QUESTION = {"question": "Is trastuzumab safe for the heart?", "offline": True}
NAMES = ["run_drug", "report", "repurpose", "deep_research", "search_database", "search_corpus", "get_source"]


def test_the_list_names_each_tool_with_its_parameters_and_its_use(program: Program) -> None:
    listed = program("tools")
    assert (listed.code, listed.err) == (0, "")
    assert [line.partition("(")[0] for line in listed.out.splitlines()[::2]] == NAMES
    assert "get_source(job, source_id, [start])\n    Read one source of a job" in listed.out


def test_the_list_as_json_is_what_another_program_needs_to_call_them(program: Program) -> None:
    listed = program("tools", "--json").json()
    assert [tool["name"] for tool in listed] == NAMES
    assert [tool["streaming"] for tool in listed] == [True] * 4 + [False] * 3
    assert all(tool["description"] and tool["input_schema"]["type"] == "object" for tool in listed)


def test_a_tool_is_shown_with_its_schema(program: Program) -> None:
    shown = program("tools", "show", "get_source")
    first, _, schema = shown.out.partition("\n")
    assert first.startswith("get_source: Read one source of a job") and json.loads(schema)["required"] == [
        "job",
        "source_id",
    ]
    (listed,) = [tool for tool in program("tools", "--json").json() if tool["name"] == "get_source"]
    assert program("tools", "show", "get_source", "--json").json() == listed


@pytest.mark.parametrize("command", ["show", "call"])
def test_an_unknown_tool_is_a_usage_error_with_the_nearest(program: Program, command: str) -> None:
    outcome = program("tools", command, "reports")
    assert outcome.code == 2 and outcome.is_one_clear_error() and "did you mean report?" in outcome.err


@pytest.mark.slow
def test_a_call_prints_progress_to_standard_error_and_the_result_to_standard_output(program: Program) -> None:
    outcome = program("tools", "call", "report", json.dumps(QUESTION), "--out", "out")
    assert outcome.code == 0
    assert outcome.err.splitlines()[0] == "0% Planning"
    assert "Searching" in outcome.err and "100%" in outcome.err
    assert "## Summary" in outcome.out and ": complete." in outcome.out.splitlines()[0]
    (job,) = program.jobs()
    assert (program.folder / "out" / job["job_id"] / "report.json").is_file()


def test_a_quiet_call_prints_the_result_alone(program: Program) -> None:
    outcome = program("tools", "call", "report", json.dumps(QUESTION), "--quiet")
    assert (outcome.code, outcome.err) == (0, "") and "## Summary" in outcome.out


def test_a_call_as_json_prints_one_value(program: Program) -> None:
    outcome = program("tools", "call", "report", json.dumps(QUESTION), "--json")
    ended = outcome.json()
    assert set(ended) == {"text", "payload", "failed", "exit_code"}
    assert ended["payload"]["type"] == "report_result"
    assert ended["payload"]["data"]["job_id"] == program.jobs()[0]["job_id"]
    assert "100%" in outcome.err


def test_a_streamed_call_prints_json_lines_whose_progress_never_falls_and_whose_last_is_the_result(
    program: Program,
) -> None:
    outcome = program("tools", "call", "report", json.dumps(QUESTION), "--stream")
    *progress, result = [json.loads(line) for line in outcome.out.splitlines()]
    assert (outcome.code, outcome.err) == (0, "")
    assert {line["type"] for line in progress} == {"progress"} and result["type"] == "result"
    parts = [line["progress"] for line in progress]
    assert parts == sorted(parts) and parts[-1] == 1
    assert set(progress[0]) == {"type", "stage", "message", "progress", "data"}
    assert (result["failed"], result["exit_code"]) == (False, 0)


def test_the_input_may_be_a_file_or_standard_input(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    (program.folder / "input.json").write_text('{"query": "metformin"}')
    assert "the corpus is empty" in program("tools", "call", "search_corpus", "@input.json").out
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"query": "metformin"}'))
    assert "the corpus is empty" in program("tools", "call", "search_corpus", "-").out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{query: x}", "the input is not JSON"),
        ("@nosuch.json", "nosuch.json cannot be read"),
        ("[1]", "search_corpus takes an object of parameters by name, not [1]"),
        ("{}", "wrong input of search_corpus: query is missing"),
        ('{"query": "?!"}', "the query has no letter or digit"),
    ],
)
def test_wrong_input_is_one_clear_error_and_exit_code_2(program: Program, given: str, said: str) -> None:
    outcome = program("tools", "call", "search_corpus", given)
    assert (outcome.code, outcome.out) == (2, "") and outcome.is_one_clear_error() and said in outcome.err


def test_a_call_without_input_takes_the_defaults(program: Program) -> None:
    outcome = program("tools", "call", "search_corpus", "--json")
    assert outcome.code == 2
    assert json.loads(outcome.out)["payload"]["data"]["message"].endswith("query is missing")


@pytest.mark.slow
def test_nothing_found_is_4_and_a_search_that_fails_is_3_and_an_error(program: Program) -> None:
    none = program("tools", "call", "search_corpus", '{"query": "metformin"}')
    assert (none.code, none.err) == (4, "") and none.out.startswith("none: ")
    failed = program("tools", "call", "search_database", '{"database": "pubmed", "words": "metformin"}')
    assert (failed.code, failed.out) == (3, "")
    assert "failed: PubMed could not be searched" in failed.err


def test_a_source_of_a_job_is_printed(program_with_job: Program, finished: FinishedJob) -> None:
    params = json.dumps({"job": finished.job_id, "source_id": "src_001"})
    outcome = program_with_job("tools", "call", "get_source", params)
    assert outcome.code == 0 and outcome.out.startswith("src_001: ") and "Answers: " in outcome.out


@pytest.mark.slow
def test_an_interrupted_call_names_the_job_to_go_on_with(program: Program) -> None:
    child = program.start("tools", "call", "run_drug", '{"drug": "trastuzumab", "offline": true}', "--stream")
    while json.loads(child.first_line())["stage"] != "gather":
        pass
    child.send(signal.SIGINT)
    outcome = child.end()
    (job,) = program.jobs()
    assert outcome.code == 130
    assert f"{job['job_id']} was interrupted; what it found is kept" in outcome.err
    assert program("resume", job["job_id"]).code == 0


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_list_has_a_name_of_its_own(program: Program, options: tuple[str, ...]) -> None:
    assert program("tools", "list", *options).out == program("tools", *options).out != ""
