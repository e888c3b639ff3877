"""Jobs that are carried out by real workers, on a real store and queue: also where these are killed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from long_parameters import mark_long
from worker_process import WorkerProcess

from storm.app import App, open_app
from storm.models import Dossier, JobRequest, JobState
from storm.settings import Settings, read_settings
from storm.syllabus import bundled_syllabus
from storm.version import __version__
from storm.worker import QueueExecutor, submit_job, submit_request
from storm.worker.needs import find_needs, name_queue
from storm.worker.queue import JobQueue
from storm.worker.working import MOST_ATTEMPTS


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings()._replace(data_dir=tmp_path / "data", traces_url="off")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a worker looks again soon."""
    monkeypatch.setattr("storm.worker.submitting.PAUSE", 0.1)


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[App]:
    async with open_app(settings) as opened:
        yield opened


@pytest.fixture
def worker(app: App) -> Iterator[WorkerProcess]:
    started = WorkerProcess(app.settings.data_dir)
    yield started
    started.stop()


def request(app: App, questions: int = 1) -> JobRequest:
    """A job on the first questions; one is short, six are long enough to be disturbed."""
    bundled = bundled_syllabus(app.settings.config_dir)
    syllabus = bundled.model_copy(update={"questions": bundled.questions[:questions], "min_databases": 1})
    return JobRequest(text="trastuzumab", offline=True, syllabus=syllabus)


async def submit(app: App, questions: int = 1) -> str:
    return (await submit_request(app, request(app, questions))).job_id


async def wait_for(worker: WorkerProcess, beginning: str) -> str:
    return await asyncio.to_thread(worker.wait_for, beginning)


async def read_statements(app: App, job_id: str) -> list[str]:
    dossier = await app.report(job_id)
    assert isinstance(dossier, Dossier)
    return [statement.text for answer in dossier.answers for statement in answer.statements]


async def test_a_submitted_job_waits_and_says_that_no_worker_is_there(app: App) -> None:
    submitted = await submit_request(app, request(app))
    assert submitted.waits == "no worker is running"
    assert (await app.store.jobs.get(submitted.job_id)).state is JobState.QUEUED


@pytest.mark.slow
async def test_a_job_is_carried_out_once_though_it_is_sent_twice(app: App, worker: WorkerProcess) -> None:
    job_id = await submit(app)
    queue = JobQueue(app)
    queue.send(job_id, name_queue(find_needs(app.settings), "normal"))
    await asyncio.to_thread(queue.close)
    await wait_for(worker, f"job_finished job={job_id} exit_code=0")
    other = await submit(app)
    await QueueExecutor(app).execute(other)  # by when the second message has been looked at, too
    await asyncio.to_thread(worker.stop)
    assert [line for line in worker.seen if line.startswith(f"job_started job={job_id}")] == [
        f"job_started job={job_id} attempt=1"
    ]
    assert await app.store.submissions.find_submission(job_id) is None
    assert await read_statements(app, job_id) == await read_statements(app, other)


@pytest.mark.slow
async def test_a_job_that_was_cancelled_while_it_waited_is_not_begun(app: App) -> None:
    job_id = await submit(app)
    await app.store.jobs.cancel(job_id)
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    await QueueExecutor(app).execute(await _create(app))
    await asyncio.to_thread(worker.stop)
    assert (await app.store.jobs.get(job_id)).state is JobState.CANCELLED
    assert not any(job_id in line for line in worker.seen)


@pytest.mark.slow
async def test_a_cancelled_job_that_is_submitted_again_is_carried_out(app: App, worker: WorkerProcess) -> None:
    job_id = await submit(app)
    await app.store.jobs.cancel(job_id)
    await submit_job(app, job_id)
    await wait_for(worker, f"job_finished job={job_id} exit_code=0")


@pytest.mark.slow
async def test_a_job_whose_message_was_lost_is_sent_again(app: App, worker: WorkerProcess) -> None:
    job_id = await _create(app)
    needs = find_needs(app.settings)
    await app.store.submissions.add_submission(job_id, name_queue(needs, "low"), needs)
    assert await wait_for(worker, "message_lost") == f"message_lost job={job_id}"
    await wait_for(worker, f"job_finished job={job_id} exit_code=0")


@pytest.mark.slow
async def test_a_job_that_ends_its_worker_each_time_is_set_aside_until_it_is_submitted_again(app: App) -> None:
    job_id = await submit(app)
    for earlier in range(1, MOST_ATTEMPTS):
        await app.store.submissions.begin_attempt(job_id, f"of earlier worker {earlier}")
    poisoned = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, POISONED=job_id)
    assert (await wait_for(poisoned, f"job_started job={job_id}")).endswith(f"attempt={MOST_ATTEMPTS}")
    assert await asyncio.to_thread(poisoned.process.wait, 30) == 1
    await asyncio.to_thread(poisoned.stop)
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    try:
        await wait_for(worker, f"job_set_aside job={job_id}")
        await _see_set_aside(app, job_id)
        await submit_job(app, job_id)
        await wait_for(worker, f"job_finished job={job_id} exit_code=0")
    finally:
        await asyncio.to_thread(worker.stop)


async def _see_set_aside(app: App, job_id: str) -> None:
    assert (await app.store.jobs.get(job_id)).state is JobState.FAILED
    (last,) = await app.journal(job_id).events(1)
    assert last.message.startswith("set aside: it ended its worker 3 times")


@pytest.mark.slow
async def test_two_workers_that_get_the_same_job_work_on_it_once(app: App, worker: WorkerProcess) -> None:
    other = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    try:
        job_id = await submit(app)
        queue = JobQueue(app)
        for _ in range(6):
            queue.send(job_id, name_queue(find_needs(app.settings), "normal"))
        await asyncio.to_thread(queue.close)
        await QueueExecutor(app).execute(job_id)
    finally:
        await asyncio.to_thread(other.stop)
        await asyncio.to_thread(worker.stop)
    finished = [line for one in (worker, other) for line in one.seen if line.startswith(f"job_finished job={job_id}")]
    assert len(finished) == 1
    kinds = [event.kind for event in await app.journal(job_id).events(1_000)]
    assert kinds.count("finished") == 1


@pytest.mark.slow
async def test_a_job_that_is_cancelled_while_a_worker_works_on_it_ends_there(app: App, worker: WorkerProcess) -> None:
    job_id = await submit(app, 6)
    await wait_for(worker, f"job_started job={job_id}")
    await app.store.jobs.cancel(job_id)
    assert (await wait_for(worker, f"job_cancelled job={job_id}")) == f"job_cancelled job={job_id}"
    assert (await app.store.jobs.get(job_id)).state is JobState.CANCELLED
    assert await app.store.submissions.find_submission(job_id) is None


@pytest.mark.slow
@pytest.mark.parametrize("number", mark_long([signal.SIGKILL, signal.SIGTERM], but=[signal.SIGKILL]))
async def test_the_job_of_a_worker_that_ends_is_finished_by_another_with_the_same_dossier(
    app: App, worker: WorkerProcess, number: signal.Signals
) -> None:
    job_id = await submit(app, 6)
    await wait_for(worker, f"job_started job={job_id}")
    worker.send_signal(number)
    other = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    try:
        await wait_for(other, f"job_finished job={job_id} exit_code=0")
        undisturbed = await submit(app, 6)
        await wait_for(other, f"job_finished job={undisturbed} exit_code=0")
    finally:
        await asyncio.to_thread(other.stop)
    begun = next(line for line in other.seen if line.startswith(f"job_started job={job_id}"))
    assert begun.endswith("attempt=2" if number is signal.SIGKILL else "attempt=1")  # a stop is no attempt
    assert await read_statements(app, job_id) == await read_statements(app, undisturbed)


@pytest.mark.slow
async def test_a_worker_with_another_configuration_leaves_the_job_alone(app: App, tmp_path: Path) -> None:
    databases = tmp_path / "databases.yaml"
    databases.write_bytes(app.settings.databases.read_bytes() + b"\n")
    other = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, STORM_DATABASES=str(databases))
    submitted = await submit_request(app, request(app))
    await asyncio.to_thread(other.stop)
    assert "has another configuration" in submitted.waits
    assert (await app.store.jobs.get(submitted.job_id)).state is JobState.QUEUED


@pytest.mark.slow
async def test_of_workers_of_two_versions_the_one_that_the_job_was_submitted_with_takes_it(app: App) -> None:
    other = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, OTHER_VERSION="99.0")
    submitted = await submit_request(app, request(app))
    assert f"is storm 99.0, and the job needs {__version__}" in submitted.waits
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    try:
        await wait_for(worker, f"job_finished job={submitted.job_id} exit_code=0")
    finally:
        await asyncio.to_thread(worker.stop)
        await asyncio.to_thread(other.stop)
    assert not any(submitted.job_id in line for line in other.seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("faults", "said"),
    mark_long(
        [
            ("ModelError ModelError", "job_interrupted"),
            ("StoreUnavailable", "job_interrupted"),
            ("LeaseLost", "job_taken_over"),
        ],
        but=[("ModelError ModelError", "job_interrupted"), ("LeaseLost", "job_taken_over")],
    ),
)
async def test_a_fault_that_is_not_the_jobs_own_is_no_attempt_and_the_job_comes_again(
    app: App, faults: str, said: str
) -> None:
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, FAULTS=faults)
    try:
        job_id = await submit(app)
        for _ in faults.split():
            await wait_for(worker, f"{said} job={job_id}")
        await wait_for(worker, f"job_finished job={job_id} exit_code=0")
    finally:
        await asyncio.to_thread(worker.stop)
    begun = [line for line in worker.seen if line.startswith("job_started")]
    assert begun == [f"job_started job={job_id} attempt=1"] * (len(faults.split()) + 1)


@pytest.mark.slow
async def test_an_error_of_the_job_itself_ends_it(app: App) -> None:
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, FAULTS="UsageError")
    job_id = await submit(app)
    assert await wait_for(worker, "job_failed") == f'job_failed job={job_id} why="a fault of the test"'
    await asyncio.to_thread(worker.stop)
    assert await app.store.submissions.find_submission(job_id) is None


@pytest.mark.slow
async def test_a_job_whose_record_is_damaged_is_looked_at_once(app: App) -> None:
    job_id = await submit(app)
    key = f"source_collection:{{{job_id}}}:metadata"
    await app.store.run_command(lambda redis: redis.hdel(key, "request"))
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    assert "is damaged" in await wait_for(worker, f"job_failed job={job_id}")
    await asyncio.to_thread(worker.stop)
    assert await app.store.submissions.find_submission(job_id) is None


@pytest.mark.slow
async def test_a_job_that_is_submitted_again_while_it_runs_is_carried_out_again(
    app: App, worker: WorkerProcess
) -> None:
    job_id = await submit(app, 6)
    await wait_for(worker, f"job_started job={job_id}")
    await app.store.jobs.cancel(job_id)
    await submit_job(app, job_id)
    await wait_for(worker, f"job_finished job={job_id} exit_code=0")
    assert (await app.store.jobs.get(job_id)).state is JobState.FINISHED


@pytest.mark.slow
async def test_a_worker_whose_configuration_changes_ends_and_leaves_waiting_jobs_alone(
    app: App, tmp_path: Path
) -> None:
    databases = tmp_path / "databases.yaml"
    databases.write_bytes(app.settings.databases.read_bytes())
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir, STORM_DATABASES=str(databases))
    databases.write_bytes(databases.read_bytes() + b"\n")
    await wait_for(worker, "worker_outdated")
    assert await asyncio.to_thread(worker.process.wait, 30) == 1
    await asyncio.to_thread(worker.stop)
    assert any("the worker has ended: the configuration" in line for line in worker.seen)


@pytest.mark.slow
async def test_a_batch_by_workers_says_when_none_is_left(app: App) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    job_id = await _create(app)
    execution = asyncio.create_task(QueueExecutor(app, on_wait=said.put_nowait).execute(job_id))
    assert await said.get() == "no worker is running"
    worker = await asyncio.to_thread(WorkerProcess, app.settings.data_dir)
    try:
        await execution
    finally:
        await asyncio.to_thread(worker.stop)
    assert (await app.store.jobs.get(job_id)).state is JobState.FINISHED


async def _create(app: App) -> str:
    return (await app.start(request(app))).job_id
