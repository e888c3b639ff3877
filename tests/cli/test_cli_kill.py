"""A job that is killed, interrupted or put to sleep: nothing acknowledged is lost, and it can be resumed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from long_parameters import mark_long
from storm_program import Child, FinishedJob, Program, await_event, dossiers

from storm.store.keys import JobKeys

RUN = ("run", "trastuzumab", "--offline", "--out", "reports")

#: How sh starts what runs with &: a Ctrl-C in its terminal is not for it.
BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")

#: Where the job is met: the kind of an event of its own, and the how manyth of that kind.
POINTS = [("created", 1), ("search", 1), ("stage", 2), ("saved", 1), ("saved", 25), ("stage", 3)]


@pytest.fixture
def running(program: Program) -> Iterator[tuple[Child, str]]:
    """A run in a process of its own, and its job."""
    child = program.start(*RUN)
    yield child, child.job_id()
    if child.process.poll() is None:
        child.kill()


def server_pid(program: Program) -> int:
    return int((program.server().directory / "server.pid").read_text())


def state_of(program: Program, job_id: str) -> str:
    return str(next(job["state"] for job in program.jobs() if job["job_id"] == job_id))


def assert_resumes_to_the_same(program: Program, job_id: str, finished: FinishedJob) -> None:
    """Resume gives the dossier of an undisturbed run, and every source that was there before."""
    before = {source["source_id"]: source["external_id"] for source in program.sources(job_id)}
    outcome = program("resume", job_id)
    assert outcome.code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)
    after = {source["source_id"]: source["external_id"] for source in program.sources(job_id)}
    assert before.items() <= after.items()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "number"), mark_long(POINTS, but=[("created", 1), ("saved", 25), ("stage", 3)]))
def test_a_killed_run_is_resumed_to_the_same_dossier(
    program: Program, finished: FinishedJob, running: tuple[Child, str], kind: str, number: int
) -> None:
    child, job_id = running
    await_event(program, job_id, kind, number)
    child.kill()
    assert state_of(program, job_id) != "finished"
    acknowledged = number if kind == "saved" else 0
    assert len(program.sources(job_id)) >= acknowledged
    assert_resumes_to_the_same(program, job_id, finished)


@pytest.mark.slow
def test_a_killed_job_is_known_to_be_interrupted_at_once(program: Program, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    child.kill()
    assert state_of(program, job_id) == "interrupted"
    watched = program("watch", job_id)
    assert watched.out.splitlines()[-1] == f"{job_id} is interrupted. Go on with it: storm resume {job_id}"
    assert program("inspect", job_id).out.splitlines()[-1] == f"Go on with it: storm resume {job_id}"
    assert program("jobs").err.strip() == "Go on with an interrupted job: storm resume JOB"
    outcome = program("run", "Trastuzumab", "--offline")
    assert outcome.code == 0
    assert f"to finish it: storm resume {job_id}" in outcome.err


@pytest.mark.slow
def test_a_resume_that_is_killed_is_resumed_too(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 5)
    child.kill()
    second = program.start("resume", job_id)
    assert second.job_id() == job_id
    await_event(program, job_id, "saved", 30)
    second.kill()
    assert_resumes_to_the_same(program, job_id, finished)


@pytest.mark.slow
def test_a_kill_of_program_and_server_at_once_loses_no_source(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 20)
    os.kill(server_pid(program), signal.SIGKILL)
    child.kill()
    assert len(program.sources(job_id)) >= 20
    assert_resumes_to_the_same(program, job_id, finished)


@pytest.mark.slow
def test_the_embedded_server_is_started_again_when_it_dies_in_a_run(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 10)
    killed = server_pid(program)
    os.kill(killed, signal.SIGKILL)
    outcome = child.end()
    assert outcome.code == 0 and "Traceback" not in outcome.err
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)
    assert state_of(program, job_id) == "finished"


@pytest.mark.slow
def test_a_search_is_not_run_again_after_a_kill(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "stage", 3)
    child.kill()
    program("resume", job_id)
    watched = program("watch", job_id, "--all").out
    undisturbed = Program(finished.data, program.folder)
    assert watched.count("  search: ") == undisturbed("watch", finished.job_id, "--all").out.count("  search: ") > 0


@pytest.mark.slow
def test_a_resume_searches_what_the_job_searched_though_there_is_a_corpus_by_now(
    program: Program, running: tuple[Child, str], finished: FinishedJob
) -> None:
    child, job_id = running
    await_event(program, job_id, "search", 5)
    child.kill()
    (program.folder / "own.csv").write_text(
        "database,external_id,url,title\nweb,1,https://example.org/1,Trastuzumab in another corpus\n"
    )
    assert program("corpus", "add", "own.csv").code == 0
    assert_resumes_to_the_same(program, job_id, finished)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "started_by"),
    mark_long(
        [(signal.SIGINT, ()), (signal.SIGTERM, ()), (signal.SIGTERM, BACKGROUND), (signal.SIGHUP, ())],
        but=[(signal.SIGINT, ()), (signal.SIGTERM, BACKGROUND), (signal.SIGHUP, ())],
    ),
)
def test_ctrl_c_sigterm_and_a_lost_terminal_save_and_say_how_to_go_on(
    program: Program, finished: FinishedJob, number: signal.Signals, started_by: tuple[str, ...]
) -> None:
    child = program.start_by(started_by, *RUN)
    job_id = child.job_id()
    await_event(program, job_id, "saved", 10)
    child.send(number)
    outcome = child.end()
    assert outcome.code == 130 and outcome.is_one_clear_error()
    assert f"{job_id} was interrupted; what it found is kept" in outcome.err
    assert f"storm resume {job_id}" in outcome.err
    assert state_of(program, job_id) == "interrupted"
    assert_resumes_to_the_same(program, job_id, finished)


@pytest.mark.slow
def test_ctrl_c_is_not_for_a_job_in_the_background(program: Program, finished: FinishedJob) -> None:
    child = program.start_by(BACKGROUND, *RUN)
    job_id = child.job_id()
    await_event(program, job_id, "saved", 10)
    child.send(signal.SIGINT)
    assert child.end().code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)


@pytest.mark.slow
def test_what_nohup_started_goes_on_without_its_terminal(program: Program, finished: FinishedJob) -> None:
    child = program.start_by(("sh", "-c", "trap '' HUP; exec \"$@\"", "sh"), *RUN)
    job_id = child.job_id()
    await_event(program, job_id, "saved", 10)
    child.send(signal.SIGHUP)
    assert child.end().code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)


def test_ctrl_c_while_searching_ends_at_once(program: Program, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "stage", 1)
    child.send(signal.SIGINT)
    assert child.end().code == 130


@pytest.mark.slow
def test_a_job_that_is_worked_on_is_held(program: Program, finished: FinishedJob, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    child.send(signal.SIGSTOP)
    outcome = program("resume", job_id)
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert f"{job_id} is being worked on by process {child.process.pid} on {os.uname().nodename}" in outcome.err
    assert f"storm watch {job_id}" in outcome.err
    assert state_of(program, job_id) == "running"
    child.send(signal.SIGCONT)
    assert child.end().code == 0
    assert dossiers(program.folder / "reports", job_id) == dossiers(finished.reports, finished.job_id)


@pytest.mark.slow
def test_a_job_that_is_cancelled_from_elsewhere_stops_without_a_dossier_and_can_be_reopened(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    outcome = program("cancel", job_id)
    assert (outcome.code, outcome.out) == (0, f"{job_id} is cancelled. Reopen it: storm resume {job_id}\n")
    ended = child.end()
    assert (ended.code, f"{job_id} was cancelled; what it found is kept" in ended.err) == (130, True)
    assert state_of(program, job_id) == "cancelled"
    assert not list((program.folder / "reports").iterdir())
    assert_resumes_to_the_same(program, job_id, finished)
    refused = program("cancel", job_id)
    assert (refused.code, "there is nothing to cancel" in refused.err) == (2, True)
    assert program("delete", job_id).code == 0
    assert program.jobs() == []


@pytest.mark.slow
def test_the_store_is_not_stopped_under_a_running_job(program: Program, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    child.send(signal.SIGSTOP)
    outcome = program("store", "stop")
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert job_id in outcome.err and "--force" in outcome.err
    child.send(signal.SIGCONT)
    assert child.end().code == 0


@pytest.mark.slow
def test_a_running_job_is_watched_to_its_end(program: Program, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    child.send(signal.SIGSTOP)
    watching = program.start("watch", job_id)
    assert "created: job created" in watching.first_line()
    child.send(signal.SIGCONT)
    assert child.end().code == 0
    outcome = watching.end()
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == f"{job_id} is finished."
    assert "saved: #40 " in outcome.out


@pytest.mark.slow
def test_ctrl_c_stops_watching_and_not_the_job(program: Program, running: tuple[Child, str]) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 1)
    child.send(signal.SIGSTOP)
    watching = program.start("watch", job_id)
    watching.first_line()
    watching.send(signal.SIGINT)
    outcome = watching.end()
    assert outcome.code == 130 and "Traceback" not in outcome.text
    child.send(signal.SIGCONT)
    assert child.end().code == 0


@pytest.mark.slow
def test_who_slept_through_its_lease_writes_nothing_more(
    program: Program, finished: FinishedJob, running: tuple[Child, str]
) -> None:
    child, job_id = running
    await_event(program, job_id, "saved", 5)
    child.send(signal.SIGSTOP)
    with program.redis() as redis:
        redis.delete(JobKeys(job_id).lease)  # what fifteen seconds without a sign of life do
        assert_resumes_to_the_same(program, job_id, finished)
        ended = contents(redis, job_id)
        child.send(signal.SIGCONT)
        outcome = child.end()
        assert contents(redis, job_id) == ended
    assert outcome.code == 1 and outcome.is_one_clear_error()
    assert "no longer holds" in outcome.err and "nothing was written" in outcome.err
    assert state_of(program, job_id) == "finished"


def contents(redis: Any, job_id: str) -> dict[str, tuple[Any, ...]]:
    """All that the job has in the store."""
    keys = JobKeys(job_id)
    hashes = (keys.metadata, keys.sources, keys.identifiers, keys.hits, keys.citations, keys.stages)
    return {key: (redis.hgetall(key),) for key in hashes} | {
        keys.journal: (redis.lrange(keys.journal, 0, -1),),
        keys.events: (redis.xrange(keys.events),),
        keys.lease: (redis.get(keys.lease),),
    }
