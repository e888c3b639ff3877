"""`storm submit`, `worker` and `workers`, as their users meet them."""

from __future__ import annotations

import itertools
import json
import signal
import socket
from collections.abc import Callable, Iterator
from urllib.request import urlopen

import pytest
from redis_servers import ExternalServer
from service_lists import NOBODY
from storm_program import Program, newest_job
from worker_process import WorkerProcess


@pytest.fixture
def worker(program: Program) -> Iterator[WorkerProcess]:
    program("jobs")  # makes the store
    started = WorkerProcess(program.data, STORM_DATABASES=str(NOBODY))
    yield started
    started.stop()


def test_a_job_that_no_worker_takes_says_so_with_the_command_that_starts_one(program: Program) -> None:
    outcome = program("submit", "run", "trastuzumab", "--offline")
    job_id = outcome.out.strip()
    assert outcome.code == 0
    assert "It waits: no worker is running. Start one: storm worker" in outcome.err
    assert f"storm watch {job_id}" in outcome.err
    listed = program("workers")
    assert "No worker is there." in listed.out
    assert "1 job waiting for a worker: no worker is running." in listed.out
    assert program("workers", "--json").json() == {"workers": [], "waiting": {job_id: "no worker is running"}}
    assert "1 job waiting for a worker: no worker is running." in program("jobs").err
    assert "  waits for a worker: no worker is running" in program("inspect", job_id).out
    (job,) = program.jobs()
    assert (job["waits_for_worker"], job["why_it_waits"]) == (True, "no worker is running")


@pytest.mark.slow
@pytest.mark.usefixtures("worker")
def test_a_submitted_job_is_watched_to_its_end_and_its_files_are_written_where_one_is(program: Program) -> None:
    outcome = program("submit", "--priority", "high", "run", "trastuzumab", "--offline", "--json")
    assert outcome.json()["waits"] is None
    job_id = outcome.json()["job_id"]
    watched = program("watch", job_id)
    assert (watched.code, f"{job_id} is finished." in watched.out) == (0, True)
    assert not list(program.folder.rglob("dossier.*"))
    assert program("export", job_id, "--out", "here").code == 0
    assert (program.folder / "here" / "dossier.md").exists()
    # The worker says at its next heartbeat that the job is done; its watchdog ends the wait should it say nothing.
    seen = (program("workers", "--json").json()["workers"][0] for _ in itertools.count())
    assert next(found["jobs"] for found in seen if not found["running"]) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("worker")
def test_watching_ends_with_the_exit_code_of_the_job_and_an_error_of_the_job_is_no_loss(program: Program) -> None:
    job_id = program("submit", "run", "unknownium", "--offline", "--json").json()["job_id"]
    assert program("watch", job_id).code == 4


@pytest.mark.slow
@pytest.mark.usefixtures("worker")
def test_a_batch_is_carried_out_by_the_workers_where_some_fit(program: Program) -> None:
    (program.folder / "drugs.txt").write_text("trastuzumab\nmetformin\n")
    outcome = program("batch", "drugs.txt", "--offline")
    assert outcome.code == 0
    assert "1 worker for the jobs, 2 at a time." in outcome.err
    assert "2 finished" in outcome.out


@pytest.mark.slow
def test_a_worker_writes_its_log_as_json_and_is_counted_by_prometheus(program: Program) -> None:
    program("jobs")  # makes the store
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    worker = program.start("worker", "--log-format", "json", "--metrics-port", str(port))
    worker.await_note("{")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORM_DATABASES", str(NOBODY))
        program("submit", "run", "trastuzumab", "--offline")
    job_id = newest_job(program)
    assert program("watch", job_id).code == 0
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        counted = answer.read().decode().splitlines()
    assert 'storm_jobs_ended_total{outcome="finished"} 1.0' in counted
    stats = program("stats", "--json").json()
    assert (stats["jobs"], stats["workers"], stats["slots"]) == ({"finished": 1}, 1, 4)
    assert "1 job: 1 finished\n" in program("stats").out
    worker.send(signal.SIGTERM)
    facts = [json.loads(line) for line in worker.end().err.splitlines() if line.startswith("{")]
    assert [fact["fact"] for fact in facts] == [
        "worker_started", "job_started", "job_finished", "worker_stopping", "worker_stopped",
    ]  # fmt: skip
    assert (facts[2]["job"], facts[2]["exit_code"]) == (job_id, 0)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("worker", "--log-format", "xml"), "--log-format is 'xml'; it must be text or json"),
        (("worker", "--metrics-port", "0"), "--metrics-port"),
        (("worker", "--metrics-host", "0.0.0.0"), "--metrics-host without --metrics-port"),
        (("submit", "fly"), "'fly' cannot be handed over; it must be one of run, report, repurpose, ask"),
        (("submit", "run"), "nothing is asked for"),
        (("submit", "run", "x", "--databases", "nowhere"), "nowhere"),
        (("worker", "--queues", "urgent"), "--queues is 'urgent'; each must be one of high, normal, low"),
        (("worker", "--jobs", "0"), "--jobs"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(program: Program, argv: tuple[str, ...], why: str) -> None:
    outcome = program(*argv)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert why in outcome.err


def test_a_queue_in_the_database_of_the_store_is_refused(
    program: Program, redis_server: Callable[..., ExternalServer]
) -> None:
    url = redis_server().url
    outcome = program("submit", "run", "x", "--offline", STORM_REDIS_URL=url, STORM_QUEUE_URL=url)
    assert (outcome.code, outcome.is_one_clear_error()) == (2, True)
    assert "STORM_QUEUE_URL names the database of the store" in outcome.err


def test_where_the_queue_is_away_the_job_is_in_the_store(program: Program) -> None:
    outcome = program("submit", "run", "trastuzumab", "--offline", STORM_QUEUE_URL="redis://127.0.0.1:1/1")
    assert (outcome.code, outcome.is_one_clear_error()) == (1, True)
    assert "the queue cannot be used" in outcome.err
    (job_id,) = program("workers", "--json").json()["waiting"]
    program("cancel", job_id)
    assert program("workers", "--json").json()["waiting"] == {}
    assert program("watch", job_id).code == 130
