"""The other commands on a finished job, and what all commands have in common."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from bibliographies import read_bibtex, read_csl, read_ris, same
from service_lists import NOBODY
from storm_program import FinishedJob, Program, dossiers, masked, newest_job

from storm.api import job_request
from storm.app import open_app
from storm.cli.commands import COMMANDS as LISTED
from storm.cli.commands import load_command
from storm.cli.console import count_noun
from storm.settings import Settings

WRITTEN = ("dossier.html", "dossier.md", "dossier.json")
README = Path(__file__).parents[2] / "README.md"


def commands() -> Iterator[tuple[str, ...]]:
    """Every command, as it is typed."""
    for name in LISTED:
        yield (name,)
        yield from ((name, inner) for inner in getattr(load_command(name), "commands", {}))


COMMANDS = [*commands()]

#: Prints the modules that a command has loaded when it begins.
LOAD = "import sys; from storm.cli.commands import load_command; load_command(sys.argv[1]); print(*sys.modules)"
#: What reads texts, searches and asks models; and what a command needs least of all, the big libraries.
WORKERS = (
    "storm.evidence.design", "storm.citations", "storm.syllabus", "storm.tools", "storm.agents", "storm.extractive",
    "storm.models.written_identifiers", "dspy", "httpx", "tantivy", "lxml", "rich", "numpy", "sqlalchemy",
    "alembic",
)  # fmt: skip
WRITERS = ("storm.reports", "storm.export", "storm.models.dossier", "storm.databases", "storm.evidence", "storm.modes")
#: The types of records and plans, and the roles that work with them.
RECORDS = (
    "storm.models.hit", "storm.models.source", "storm.models.publication", "storm.models.identity", "storm.models.plan",
    "storm.models.search_outcome", "storm.roles",
)  # fmt: skip
LISTERS = (*WORKERS, *WRITERS, *RECORDS)


# What every command does.


def test_each_command_is_listed_as_its_own_help_begins(program: Program) -> None:
    for name, outcome in LISTED.items():
        assert " ".join(program(name, "--help").out.split("Example:")[0].split()).partition(outcome)[1]


def test_the_commands_are_those_that_the_product_promises() -> None:
    promised = {"run", "jobs", "inspect", "watch", "resume", "export", "doctor", "corpus", "store"}
    assert promised <= {command[0] for command in COMMANDS}


@pytest.mark.parametrize(("command", "spared"), [("jobs", LISTERS), ("inspect", LISTERS), ("export", WORKERS)])
def test_a_short_command_loads_nothing_that_only_others_need(command: str, spared: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", LOAD, command], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert f"storm.cli.{command}" in loaded
    assert [name for name in loaded if name.startswith(spared)] == []


@pytest.mark.parametrize("command", [(), *COMMANDS], ids=" ".join)
def test_the_help_of_each_command_has_an_example(program: Program, command: tuple[str, ...]) -> None:
    outcome = program(*command, "--help")
    assert outcome.code == 0
    assert re.search(rf"Example: {' '.join(('storm', *command))}\b", " ".join(outcome.out.split()))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_command_is_in_the_readme(command: tuple[str, ...]) -> None:
    assert f"storm {' '.join(command)}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if one not in {inner[:1] for inner in COMMANDS if len(inner) > 1}], ids=" ".join
)
def test_help_names_values_as_other_programs_do(program: Program, command: tuple[str, ...]) -> None:
    outcome = program(*command, "--help").out
    assert re.match(rf"Usage: .*{' '.join(command)} \[OPTIONS\]( [A-Z]+(\.\.\.)?| \[[A-Z]+\](\.\.\.)?)*\n", outcome)
    assert not re.search(r"<\w|[{}]|list\[", outcome)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("run", "metformin", "--mode", "deep"), "--mode is 'deep'; it must be"),
        (("run", "metformin", "--offline", "--unsupported", "hide"), "--unsupported is 'hide'; it must be"),
        (("run", "metformin", "--offline", "--format", "odt"), "--format: no such format: odt"),
        (("run", "metformin", "--offline", "--job-id", "A b"), "--job-id: 'A b' is not a valid job id"),
        (("run", "metformin", "--offline", "--model", "gpt"), "--model: 'gpt' is not a valid model name"),
        (("run", "metformin", "--offline", "--syllabus", "no.yaml"), "--syllabus: no.yaml: the file cannot be read"),
        (("run", "metformin", "--offline", "--program", "nosuch"), "--program: there is no program 'nosuch'"),
        (("run", "metformin", "--offline", "--databases", "nosuch"), "--databases: there is no database nosuch"),
        (("corpus", "search", "metformin", "--since", "soon"), "--since is 'soon'; it must be a date"),
        (("run", "metformin", "--max-calls", "x"), "--max-calls is 'x'; it must be a whole number of 1 or more\n"),
        (("run", "metformin", "--max-usd", "-1"), "--max-usd is -1; it must be a number from 0.001 to 1,000,000\n"),
        (
            ("run", "metformin", "--max-minutes", "nan"),
            "--max-minutes is nan; it must be a number from 0.1 to 1,000,000\n",
        ),
        (("worker", "--jobs", "many"), "--jobs is 'many'; it must be a whole number from 1 to "),
        (("batch", "start", "x.csv", "--rows", "xlsx"), "--rows is 'xlsx'; it must be "),
        (("batch", "start", "x.csv", "--mode", "deep"), "--mode is 'deep'; it must be "),
    ],
)
def test_an_error_names_the_option_that_is_wrong(program: Program, argv: tuple[str, ...], message: str) -> None:
    outcome = program(*argv)
    assert outcome.code == 2 and outcome.is_one_clear_error() and f"Error: {message}" in outcome.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_number_that_is_none_is_named_with_what_its_option_takes(
    program: Program, command: tuple[str, ...]
) -> None:
    found = load_command(command[0])
    options = (found.commands[command[1]] if len(command) > 1 else found).params
    for name in (one.opts[0] for one in options if one.type_descriptor.annotation in (int, float)):
        outcome = program(*command, name, "many")
        assert outcome.code == 2 and re.match(rf"Error: {name} is 'many'; it must be a (whole )?number\b", outcome.err)


def test_the_version_is_reported(program: Program) -> None:
    assert re.fullmatch(r"storm \d+\.\d+\.\d+\S*\n", program("--version").out)


def test_an_unknown_command_is_a_usage_error(program: Program) -> None:
    outcome = program("frobnicate")
    assert outcome.code == 2 and "frobnicate" in outcome.err


@pytest.mark.parametrize("command", ["inspect", "watch", "resume", "export"])
def test_an_unknown_job_is_a_usage_error_that_names_the_close_one(
    program_with_job: Program, finished: FinishedJob, command: str
) -> None:
    outcome = program_with_job(command, finished.job_id[:-1])
    assert outcome.code == 2
    assert outcome.is_one_clear_error()
    assert f"did you mean {finished.job_id}?" in outcome.err


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        *((("run", "trastuzumab", "--offline", option, ""), option)
          for option in ("--out", "--model", "--program", "--meaning", "--also", "--syllabus", "--databases")),
        (("run", "trastuzumab", "--offline", "--model="), "--model"),
        (("run", "trastuzumab", "--offline", "--also", "Herceptin", "--also", ""), "--also"),
        (("corpus", "add", ""), "PATHS"),
        (("corpus", "add", "there.csv", ""), "PATHS"),
        (("corpus", "search", "x", "--since", ""), "--since"),
        (("export", "a-job", "--out", ""), "--out"),
        (("resume", ""), "JOB"),
        (("optimize", ""), "DATASET"),
        (("optimize", "there.csv", "--out="), "--out"),
    ],
)  # fmt: skip
def test_what_is_given_and_empty_is_a_usage_error(program: Program, argv: tuple[str, ...], name: str) -> None:
    (program.folder / "there.csv").touch()
    outcome = program(*argv)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert outcome.err.startswith(f"Error: {name} is empty\n")
    assert [path.name for path in program.folder.iterdir() if path.name != "data"] == ["there.csv"]


def test_one_of_a_thing_is_counted_as_one() -> None:
    tried = [count_noun(number, "query that was", "queries that were") for number in (1, 2)]
    assert [*tried, count_noun(1, "job"), count_noun(1_200, "job")] == [
        "1 query that was", "2 queries that were", "1 job", "1,200 jobs"
    ]  # fmt: skip


def test_a_redis_command_may_hold_an_empty_word(program: Program) -> None:
    assert program("store", "cli", "ECHO", "").out == "\n"


def test_each_job_is_deleted_once_whatever_is_wrong_with_another(
    program_with_job: Program, finished: FinishedJob
) -> None:
    outcome = program_with_job("delete", "nope-1", finished.job_id, finished.job_id, "NOPE")
    assert (outcome.code, outcome.out) == (2, f"{finished.job_id} is deleted.\n")
    errors = [line for line in outcome.err.splitlines() if line.startswith("Error: ")]
    assert [line.split(" a valid job id")[0] for line in errors] == [
        "Error: there is no job nope-1 in this store", "Error: 'NOPE' is not"
    ]  # fmt: skip
    assert program_with_job.jobs() == []


@pytest.mark.parametrize("name", ["../../etc", "a b", "JOB", "x" * 100])
def test_what_cannot_be_a_job_id_is_a_usage_error(program: Program, name: str) -> None:
    outcome = program("inspect", name)
    assert outcome.code == 2 and outcome.is_one_clear_error()


@pytest.mark.slow
def test_output_that_nobody_reads_ends_the_program_quietly(program_with_job: Program, finished: FinishedJob) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "storm", "inspect", finished.job_id, "--sources"],
        stdout=writing, stderr=subprocess.PIPE, env=program_with_job.environment({}), check=False, timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_cannot_be_written_is_one_clear_line(program_with_job: Program) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "storm", "jobs", "--json"],
            stdout=full, stderr=subprocess.PIPE, env=program_with_job.environment({}), check=False, timeout=60,
        )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith("Error: ") and b"Traceback" not in ended.stderr


@pytest.mark.slow
def test_no_escape_codes_where_nobody_sees_them(program: Program) -> None:
    ended = [
        program(*command) for command in (("run", "trastuzumab", "--offline"), ("jobs",), ("doctor",), ("--help",))
    ]
    assert not any("\x1b" in outcome.text for outcome in ended)


@pytest.mark.slow
def test_no_escape_codes_on_a_terminal_with_no_color(program: Program) -> None:
    assert "\x1b" not in on_a_terminal(program, NO_COLOR="1")


@pytest.mark.slow
def test_a_live_table_on_a_terminal(program: Program) -> None:
    shown = on_a_terminal(program, TERM="xterm-256color")
    assert "\x1b[" in shown and "Mechanism of action" in shown


def on_a_terminal(program: Program, **env: str) -> str:
    """All that a run shows on a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "storm", "run", "trastuzumab", "--offline"]
    child = subprocess.Popen(
        command, cwd=program.folder, env=program.environment(env), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the terminal's other end is closed when the program has ended
        while chunk := os.read(ours, 65536):
            shown += chunk
    os.close(ours)
    assert child.wait(60) == 0
    return shown.decode()


# jobs


@pytest.mark.slow
def test_jobs_lists_the_newest_first(program_with_job: Program, finished: FinishedJob) -> None:
    program_with_job("run", "metformin", "--offline")
    program_with_job("run", "no-such-drug", "--offline")
    listed = program_with_job.jobs()
    assert [job["drug"] for job in listed] == ["no-such-drug", "metformin", "trastuzumab"]
    assert [job["complete"] for job in listed] == [False, True, True]
    assert [(job["state"], job["exit_code"]) for job in listed] == [("finished", 4), ("finished", 0), ("finished", 0)]
    assert program_with_job("jobs", "--json", "--limit", "2").json() == listed[:2]
    assert program_with_job("jobs", "--limit", "0").code == 2


def test_jobs_as_json_have_the_promised_fields(program_with_job: Program, finished: FinishedJob) -> None:
    (job,) = program_with_job.jobs()
    assert job == {
        "job_id": finished.job_id, "drug": "trastuzumab", "mode": "extractive", "state": "finished",
        "created": job["created"], "exit_code": 0, "complete": True, "update_of": None, "waits_for_worker": False,
        "why_it_waits": None,
    }  # fmt: skip
    assert datetime.fromisoformat(job["created"]).utcoffset() is not None


def test_jobs_for_a_person_are_a_table(program_with_job: Program, finished: FinishedJob) -> None:
    head, row = program_with_job("jobs").out.splitlines()
    assert head.split()[:5] == ["JOB", "SUBJECT", "MODE", "STATE", "RESULT"]
    assert row.split()[:5] == [finished.job_id, "trastuzumab", "extractive", "finished", "complete"]


def test_no_jobs_are_an_empty_list_and_a_hint(program: Program) -> None:
    assert program.jobs() == []
    assert "storm run" in program("jobs").out


# inspect


def test_inspect_lists_sources_with_the_promised_fields(program_with_job: Program, finished: FinishedJob) -> None:
    found = program_with_job("inspect", finished.job_id, "--sources", "--json").json()
    assert {"job_id", "questions", "sources"} <= set(found)
    promised = {"source_id", "source_type", "external_id", "url", "title", "questions", "citation_ids"}
    assert found["job_id"] == finished.job_id
    assert all(promised <= set(source) for source in found["sources"])
    assert all(source["questions"] and source["citation_ids"] for source in found["sources"])


def test_inspect_counts_the_sources_of_each_question(program_with_job: Program, finished: FinishedJob) -> None:
    found = program_with_job("inspect", finished.job_id, "--sources", "--json").json()
    for key, standing in found["questions"].items():
        assert standing["sources"] == sum(key in source["questions"] for source in found["sources"])
        assert standing["sources"] >= standing["min_sources"]


def test_inspect_without_sources_leaves_them_out(program_with_job: Program, finished: FinishedJob) -> None:
    assert "sources" not in program_with_job("inspect", finished.job_id, "--json").json()


def test_inspect_for_a_person_shows_questions_and_the_last_events(
    program_with_job: Program, finished: FinishedJob
) -> None:
    outcome = program_with_job("inspect", finished.job_id).out
    assert re.search(r"✓ mechanism\.moa: \d+ sources collected, 5 needed", outcome)
    assert "finished: finished with exit code 0" in outcome
    assert "Go on with it" not in outcome


def test_inspect_for_a_person_lists_each_source_with_its_address(
    program_with_job: Program, finished: FinishedJob
) -> None:
    outcome = program_with_job("inspect", finished.job_id, "--sources").out
    assert len(re.findall(r"^src_\d{3}  ", outcome, re.M)) == len(program_with_job.sources(finished.job_id))


# watch, resume, export


def test_watch_of_a_finished_job_says_so_after_its_last_events_and_where_its_files_are(
    program_with_job: Program, finished: FinishedJob
) -> None:
    outcome = program_with_job("watch", finished.job_id)
    first, *events, files, state = outcome.out.splitlines()
    assert outcome.code == 0 and first == f"Earlier events: storm watch {finished.job_id} --all"
    assert len(events) == 10 and events[-1].endswith("100%  finished: finished with exit code 0")
    assert (files, state) == (f"Its files: {finished.reports}", f"{finished.job_id} is finished.")


def test_watch_of_a_finished_job_replays_what_happened_when_asked_for_all(
    program_with_job: Program, finished: FinishedJob
) -> None:
    outcome = program_with_job("watch", finished.job_id, "--all")
    assert outcome.code == 0
    stages = re.findall(r"stage: (\w+)$", outcome.out, re.M)
    assert stages == ["plan", "gather", "check", "answer", "report"]
    assert outcome.out.splitlines()[-1] == f"{finished.job_id} is finished."


def test_resume_of_a_finished_job_writes_its_files_again(program_with_job: Program, finished: FinishedJob) -> None:
    again = program_with_job.folder / "again"
    outcome = program_with_job("resume", finished.job_id, "--out", again)
    assert outcome.code == 0
    for name in ("dossier.md", "dossier.json"):
        assert (again / name).read_bytes() == (finished.reports / name).read_bytes()


def test_resume_of_a_finished_job_says_what_the_run_said(program_with_job: Program, finished: FinishedJob) -> None:
    outcome = program_with_job("resume", finished.job_id, "--out", "again")
    assert outcome.out.splitlines()[:7] == finished.outcome.out.splitlines()[:7]


@pytest.mark.slow
def test_resume_writes_the_files_where_the_run_was_to_write_them(program: Program) -> None:
    program("run", "metformin", "--offline", "--out", "there", "--format", "Md")
    file = program.folder / "there/dossier.md"
    file.unlink()
    assert program("resume", program.jobs()[0]["job_id"]).code == 0
    assert file.exists() and not file.with_name("dossier.json").exists()


@pytest.mark.slow
def test_resume_of_a_finished_job_ends_as_the_job_did(program: Program) -> None:
    program("run", "no-such-drug", "--offline")
    outcome = program("resume", program.jobs()[0]["job_id"], "--json")
    assert (outcome.code, outcome.json()["exit_code"]) == (4, 4)


@pytest.mark.slow
def test_an_extractive_job_goes_on_with_no_model(program: Program) -> None:
    child = program.start("run", "trastuzumab", "--offline")
    job_id = child.job_id()
    child.kill()
    outcome = program("resume", job_id, "--model", "openai/gpt-4.1-mini", OPENAI_API_KEY="k")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert f"{job_id} was started without a language model, and goes on without one" in outcome.err
    assert program("resume", job_id).code == 0


@pytest.mark.slow
async def test_a_run_names_an_unfinished_job_of_the_drug_and_a_resume_names_none(program: Program) -> None:
    config = README.parent / "config"
    own = Settings(program.data, config, None, timedelta(days=1), True, NOBODY)
    async with open_app(own) as app:
        request = job_request("Nodrug", own, offline=True)
        first, second, only_made = [(await app.start(request)).job_id for _ in "123"]
        for begun in (first, second):
            async with app.workbench(begun) as bench:
                await bench.journal.report("stage", "plan")
    ended = [await asyncio.to_thread(program, *argv) for argv in (("resume", first), ("run", "nodrug", "--offline"))]
    assert [outcome.code for outcome in ended] == [4, 4]
    assert "unfinished" not in ended[0].err and f"Job {first}\n" in ended[0].err
    assert f"There is an unfinished job of this drug; to finish it: storm resume {second}\n" in ended[1].err
    assert only_made not in ended[1].err


async def test_a_run_names_a_job_of_the_drug_that_was_killed_before_it_began(program: Program) -> None:
    own = Settings(program.data, README.parent / "config", None, timedelta(days=1), True, NOBODY)
    async with open_app(own) as app:
        only_made, newer = [(await app.start(job_request("Nodrug", own, offline=True))).job_id for _ in "12"]
    outcome = await asyncio.to_thread(program, "run", "nodrug", "--offline")
    assert f"There is a job of this drug that has not begun; to begin it: storm resume {newer}\n" in outcome.err
    assert only_made not in outcome.err
    assert (
        f"{newer} is queued. Go on with it: storm resume {newer}"
        in (await asyncio.to_thread(program, "watch", newer)).out
    )


@pytest.mark.slow
def test_inspect_of_a_job_that_found_nothing_names_no_database(program: Program) -> None:
    program("run", "no-such-drug", "--offline")
    assert "\n  0 sources\n" in program("inspect", program.jobs()[0]["job_id"]).out


def test_export_writes_the_same_files(program_with_job: Program, finished: FinishedJob) -> None:
    outcome = program_with_job("export", finished.job_id, "--out", "exported")
    assert outcome.code == 0
    folder = program_with_job.folder / "exported"
    assert outcome.out.splitlines() == [str(Path("exported") / name) for name in WRITTEN]
    assert dossiers(folder, finished.job_id) == dossiers(finished.reports, finished.job_id)


def test_export_writes_the_formats_that_the_job_was_started_with(program: Program) -> None:
    program("run", "no-such-drug", "--offline", "--format", "html,csl")
    outcome = program("export", str(program.jobs()[0]["job_id"]), "--out", "exported")
    assert sorted(Path(line).suffix for line in outcome.out.splitlines()) == [".html", ".json"]
    assert outcome.code == 0


@pytest.mark.parametrize("has_browser", [True, False])
def test_open_shows_the_html_and_writes_it_where_it_is_missing(
    program_with_job: Program, finished: FinishedJob, has_browser: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, opened = finished.reports / "dossier.html", list[str]()
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or has_browser)
    written = file.read_bytes()
    file.unlink()
    for _ in range(2):
        outcome = program_with_job("open", finished.job_id)
        assert (outcome.code, outcome.out) == (0, f"{file}\n")
        assert ("No browser could be started" in outcome.err) is not has_browser
    assert file.read_bytes() == written
    assert opened == [file.as_uri()] * 2


def test_open_shows_no_other_jobs_dossier(program_with_job: Program, finished: FinishedJob) -> None:
    file = finished.reports / "dossier.html"
    own = file.read_text(encoding="utf-8")
    file.write_text(own.replace(finished.job_id, "trastuzumab-2"), encoding="utf-8")
    outcome = program_with_job("open", finished.job_id)
    file.write_text(own, encoding="utf-8")
    assert outcome.code == 2 and outcome.is_one_clear_error()
    assert f"is not of the job {finished.job_id}" in outcome.err and "storm export" in outcome.err


async def test_open_refuses_a_job_that_is_unknown_or_not_finished(program: Program) -> None:
    own = Settings(program.data, README.parent / "config", None, timedelta(days=1), True, NOBODY)
    async with open_app(own) as app:
        await app.start(job_request("metformin", own, offline=True), "mine")
    for job, hint in (("mine", "finish it: storm resume mine"), ("no-such-job", "list the jobs: storm jobs")):
        outcome = await asyncio.to_thread(program, "open", job)
        assert outcome.code in (1, 2) and outcome.is_one_clear_error()
        assert hint in outcome.err


def test_export_writes_every_reference_into_each_bibliography(program_with_job: Program, finished: FinishedJob) -> None:
    outcome = program_with_job("export", finished.job_id, "--format", "Bib,RIS,csl,sources", "--out", "cited")
    folder = program_with_job.folder / "cited"
    files = ("dossier.bib", "dossier.ris", "dossier.csl.json", "sources.json")
    assert outcome.out.splitlines() == [str(Path("cited") / name) for name in files]
    bib, ris, csl = ((folder / name).read_text(encoding="utf-8") for name in files[:3])
    references = json.loads((finished.reports / "dossier.json").read_bytes())["references"]
    titles = [same(reference["title"]).rstrip(".") for reference in references]
    for found in (read_bibtex(bib), read_ris(ris), read_csl(csl)):
        assert [entry.title for entry in found] == titles


def test_bibliographies_that_are_read_without_the_rest_of_the_dossier_are_the_same(
    program_with_job: Program, finished: FinishedJob
) -> None:
    names = ("dossier.bib", "dossier.csl.json", "dossier.ris")
    for formats, folder in (("bib,ris,csl", "alone"), ("bib,ris,csl,json", "whole")):
        assert program_with_job("export", finished.job_id, "--format", formats, "--out", folder).code == 0
    alone, whole = program_with_job.folder / "alone", program_with_job.folder / "whole"
    assert tuple(sorted(path.name for path in alone.glob("[!.]*"))) == names
    assert [(alone / name).read_bytes() for name in names] == [(whole / name).read_bytes() for name in names]


def test_export_of_the_sources_holds_their_texts(program_with_job: Program, finished: FinishedJob) -> None:
    assert program_with_job("export", finished.job_id, "--format", "sources", "--out", "exported").code == 0
    found = json.loads((program_with_job.folder / "exported/sources.json").read_text(encoding="utf-8"))
    efficacy = found["questions"]["clinical.efficacy"]
    assert efficacy["min_sources"] == 5
    assert all({"source_id", "external_id", "title", "text", "citations"} <= set(s) for s in efficacy["sources"])


def test_export_of_an_unknown_format_is_a_usage_error(program_with_job: Program, finished: FinishedJob) -> None:
    outcome = program_with_job("export", finished.job_id, "--format", "odt")
    assert outcome.code == 2 and "no such format: odt" in outcome.err


# doctor and store


def test_doctor_finds_nothing_wrong_on_this_machine(program: Program) -> None:
    checks = {check["name"]: check["ok"] for check in program("doctor", "--json").json()}
    assert checks.pop("public databases") is False  # nobody listens there
    assert checks == dict.fromkeys(("settings", "store", "corpus", "sample", "keys", "model"), True)


def test_doctor_says_what_does_not_work_and_what_to_do(program: Program) -> None:
    outcome = program("doctor", STORM_REDIS_URL="redis://127.0.0.1:1/0")
    assert outcome.code == 1
    assert "FAILS store: no Redis server answers at 127.0.0.1:1" in outcome.out
    assert "ok    sample: " in outcome.out


def test_doctor_names_a_setting_that_is_wrong(program: Program) -> None:
    outcome = program("doctor", STORM_JOB_TTL_DAYS="soon")
    assert outcome.code == 1
    assert "STORM_JOB_TTL_DAYS is 'soon'" in outcome.out


@pytest.mark.parametrize(
    ("setting", "fault"), [("foo", "STORM_HTTP is 'foo'"), ("replay:gone", "there is no folder gone to replay from")]
)
def test_doctor_names_a_way_to_the_network_that_a_run_would_refuse(program: Program, setting: str, fault: str) -> None:
    outcome = program("doctor", STORM_HTTP=setting)
    assert outcome.code == 1 and f"FAILS settings: {fault}" in outcome.out
    assert fault in program("run", "metformin", STORM_HTTP=setting).err


def test_store_info_says_which_server_it_is(program_with_job: Program) -> None:
    found = program_with_job("store", "info", "--json").json()
    assert found["engine"] in ("valkey", "redis")
    assert (found["embedded"], found["jobs"], found["persistent"]) == (True, 1, True)
    assert "started by storm" in program_with_job("store", "info").out


def test_store_cli_answers_like_redis_cli(program_with_job: Program, finished: FinishedJob) -> None:
    assert program_with_job("store", "cli", "ZRANGE", "source_collections", "0", "-1").out == f"{finished.job_id}\n"
    assert program_with_job("store", "cli", "ping").out == "PONG\n"


def test_store_cli_tells_the_errors_of_the_server(program: Program) -> None:
    outcome = program("store", "cli", "NOSUCHCOMMAND")
    assert outcome.code == 1 and outcome.is_one_clear_error()


def test_store_start_keeps_the_server_up_after_a_job(program_with_job: Program) -> None:
    program = program_with_job
    assert "is not running; a command that needs it starts it" in program("store", "status").out
    assert program("store", "start").out.startswith("Running at ")
    assert program("store", "start").out.startswith("It was kept up already: running at ")
    assert program("jobs").code == 0
    with program.redis() as redis:  # found by another program, long after the command that needed it
        assert redis.zcard("source_collections") == 1
    (found,) = program("store", "status", "--json").json()
    assert (found["kept"], found["process"] > 0, found["job"]) == (True, True, "")
    assert "stays until: storm store stop" in program("store", "status").out
    assert program("store", "stop").out == "Stopped.\n"
    assert "is not running" in program("store", "status").out


def test_a_server_of_ones_own_is_neither_started_nor_stopped(program: Program) -> None:
    outcome = program("store", "start", STORM_REDIS_URL="redis://127.0.0.1:1/0")
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "storm neither starts nor stops it" in outcome.err
    outcome = program("store", "status", STORM_REDIS_URL="redis://127.0.0.1:1/0")
    assert "No embedded server was started here yet" in outcome.out and "a server of your own" in outcome.out


def test_store_stop_ends_a_running_server_and_keeps_the_jobs(program_with_job: Program) -> None:
    program_with_job.server().ensure_running()
    assert program_with_job("store", "stop").out == "Stopped.\n"
    assert program_with_job("store", "stop").out == "No embedded server is running.\n"
    assert len(program_with_job.jobs()) == 1


def test_masked_dossiers_still_differ_where_the_words_do() -> None:
    assert masked("trastuzumab-1 at 2026-11-21 09:30:00Z, 2019-02-28", "trastuzumab-1") == "JOB at TIME, 2019-02-28"


@pytest.mark.slow
def test_a_job_of_another_version_is_named_and_hides_no_other(program_with_job: Program) -> None:
    job_id = newest_job(program_with_job)
    program_with_job("run", "no-such-drug", "--offline")
    program_with_job("store", "cli", "HSET", f"source_collection:{{{job_id}}}:metadata", "schema", "0")
    outcome = program_with_job("jobs", "--json")
    assert [job["drug"] for job in outcome.json()] == ["no-such-drug"]
    assert job_id in outcome.err
    assert program_with_job("run", "no-such-drug", "--offline").code == 4


def test_output_that_cannot_show_a_character_shows_its_code(program_with_job: Program) -> None:
    child = program_with_job.start("run", "no-such-drug", "--offline", PYTHONIOENCODING="latin-1")
    ended = child.end()
    assert ended.code == 4
    assert "Traceback" not in ended.text
