"""`storm update`: a new job that says what changed since another one."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import Any

import pytest
from agents.openai_server import ModelServer
from storm_program import FinishedJob, Program
from test_cli_corpus import RECORDS, write_jsonl
from test_cli_models import MODEL, bibliographer, playing


@pytest.fixture
def updated(finished: FinishedJob, program: Program) -> str:
    """A finished job on trastuzumab in the program's store."""
    shutil.rmtree(program.data)
    shutil.copytree(finished.data, program.data)
    return finished.job_id


def changes(program: Program, folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((program.folder / folder / "dossier.changes.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_an_update_writes_the_dossier_and_what_changed_into_a_folder_of_its_own(program: Program, updated: str) -> None:
    outcome = program("update", updated, "--job-id", "later-1")
    assert outcome.code == 0, outcome.text
    written = sorted(path.name for path in (program.folder / "storm-reports/later-1").iterdir())
    assert written == ["dossier.changes.json", "dossier.html", "dossier.json", "dossier.md"]
    assert "Searching for what is new …" in outcome.err and "Carrying sources over …" in outcome.err
    assert f"Since {updated}: nothing changed" in outcome.out
    found = changes(program, "storm-reports/later-1")
    assert (found["job_id"], found["update_of"], found["records"], found["unchecked"]) == ("later-1", updated, [], [])


@pytest.mark.slow
def test_the_list_of_jobs_and_a_look_into_one_name_the_job_that_it_updates(program: Program, updated: str) -> None:
    assert "UPDATE OF" not in program("jobs").out
    program("update", updated, "--job-id", "later-1", "--quiet")
    assert program("jobs").out.splitlines()[0].split()[-2:] == ["UPDATE", "OF"]
    assert {job["job_id"]: job["update_of"] for job in program("jobs", "--json").json()} == {
        updated: None, "later-1": updated,
    }  # fmt: skip
    assert program("inspect", "later-1", "--json").json()["update_of"] == updated
    assert f"  updates {updated}\n" in program("inspect", "later-1").out
    assert program("inspect", updated, "--json").json()["update_of"] is None


@pytest.mark.slow
def test_formats_and_folder_are_as_asked_for_and_another_drug_s_dossier_stays(program: Program, updated: str) -> None:
    (program.folder / "taken").mkdir()
    (program.folder / "taken/dossier.md").write_text("# metformin: research dossier\n", encoding="utf-8")
    refused = program("update", updated, "--out", "taken")
    assert refused.code == 2 and refused.is_one_clear_error() and "--overwrite" in refused.err
    outcome = program("update", updated, "--out", "here", "--format", "md,flow", "--json")
    assert [path.rpartition("/")[2] for path in outcome.json()["files"]] == [
        "dossier.md", "dossier.flow.svg", "dossier.flow.csv",
    ]  # fmt: skip
    assert outcome.json()["changes"] == {
        "update_of": updated,
        "records": {},
        "statements": {},
        "rows": {},
        "unchecked": 0,
    }
    unknown = program("update", updated, "--format", "chnages")
    assert unknown.code == 2 and "did you mean changes?" in unknown.err


def test_the_changes_of_a_job_that_updates_none_are_said_to_be_empty(program: Program, updated: str) -> None:
    exported = program("export", updated, "--format", "changes", "--out", "files")
    assert exported.code == 0 and f"The changes are empty: {updated} updates no other job" in exported.err
    assert changes(program, "files")["update_of"] is None


@pytest.mark.slow
def test_what_cannot_be_updated_is_one_clear_error(program: Program, updated: str) -> None:
    nobody = program("update", "nobody-1")
    assert (nobody.code, nobody.is_one_clear_error()) == (2, True) and "storm jobs" in nobody.err
    taken = program("update", updated, "--job-id", updated)
    assert (taken.code, taken.is_one_clear_error()) == (2, True) and "there is already a job" in taken.err
    model = program("update", updated, "--model", MODEL, OPENAI_API_KEY="sk-x")
    assert (model.code, model.is_one_clear_error()) == (2, True) and "leave --model out" in model.err
    limit = program("update", updated, "--max-usd", "1")
    assert (limit.code, limit.is_one_clear_error()) == (2, True)
    assert [job["job_id"] for job in program("jobs", "--json").json()] == [updated]


@pytest.mark.slow
def test_records_that_were_added_to_and_taken_from_a_corpus_are_new_and_gone(program: Program) -> None:
    for name, records in (("kept", RECORDS[:18]), ("taken", RECORDS[18:21])):
        program("corpus", "add", write_jsonl(program.folder / f"{name}.jsonl", records))
    assert program("run", "zorvimab", "--offline", "--job-id", "before-1").code in (0, 3)
    program("corpus", "add", write_jsonl(program.folder / "added.jsonl", RECORDS[21:]))
    program("corpus", "remove", program.folder / "taken.jsonl")
    outcome = program("update", "before-1", "--out", "after")
    assert outcome.code in (0, 3), outcome.text
    found = changes(program, "after")
    by_kind = {(one["kind"], one["external_id"]) for one in found["records"]}
    assert by_kind == {("new", r["external_id"]) for r in RECORDS[21:]} | {
        ("gone", r["external_id"]) for r in RECORDS[18:21]
    }
    gone = {source for one in found["statements"] if one["kind"] == "gone" for source in one["sources"]}
    assert gone and gone <= {one["identifier"] for one in found["records"] if one["kind"] == "gone"}
    assert "no longer found" in outcome.out


def test_the_files_of_the_job_are_not_replaced_by_those_of_its_update(
    program: Program, updated: str, finished: FinishedJob
) -> None:
    refused = program("update", updated, "--out", finished.reports)
    assert refused.code == 2 and refused.is_one_clear_error() and "whose files stay" in refused.err


@pytest.mark.slow
def test_an_update_of_a_job_of_the_sample_says_that_the_corpus_was_not_searched(program: Program, updated: str) -> None:
    program("corpus", "add", write_jsonl(program.folder / "own.jsonl", RECORDS))
    assert "Your own corpus (24 records) was not searched" in program("update", updated).out


@pytest.mark.slow
def test_an_emptied_corpus_makes_nothing_gone(program: Program) -> None:
    program("corpus", "add", write_jsonl(program.folder / "own.jsonl", RECORDS))
    program("run", "zorvimab", "--offline", "--job-id", "before-1")
    program("corpus", "remove", program.folder / "own.jsonl")
    outcome = program("update", "before-1", "--job-id", "after-1")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "it searches your corpus, which holds no records any more" in outcome.err
    program("corpus", "add", program.folder / "own.jsonl")
    assert program("resume", "after-1", "--out", "after").code in (0, 3)
    assert changes(program, "after")["records"] == []


@pytest.mark.slow
async def test_a_model_writes_only_the_answers_whose_sources_changed(program: Program) -> None:
    async with ModelServer(playing(bibliographer())) as server:
        env = {"OPENAI_API_BASE": server.base, "OPENAI_API_KEY": "sk-verysecret"}
        options = ("trastuzumab", "--offline", "--model", MODEL, "--out", "a", "--job-id", "before-1")
        assert (await asyncio.to_thread(program, "run", *options, "--prefill", "none", **env)).code == 0
        asked = len(server.calls)
        assert (await asyncio.to_thread(program, "update", "before-1", "--out", "b", "--job-id", "b", **env)).code == 0
        wrote = len(server.calls) - asked
        assert (await asyncio.to_thread(program, "update", "b", "--out", "c", **env)).code == 0
        assert len(server.calls) == asked + wrote + 1  # a trial of how long the model's prompts may be
    before, after, again = (
        json.loads((program.folder / name / "dossier.json").read_text(encoding="utf-8")) for name in "abc"
    )
    found = changes(program, "b")
    assert {one["kind"] for one in found["records"]} == {"new"}  # what the agent had not found
    assert wrote == sum(row["calls"] for row in after["spending"]) > 0
    assert [row["calls"] for row in after["spending"] if row["role"] == "agent"] == [1]
    assert again["answers"] == after["answers"] and [row["role"] for row in again["spending"]] == ["agent"]
    assert changes(program, "c")["records"] == changes(program, "c")["statements"] == []
    assert before["engine"] == after["engine"] and after["by_model"]
