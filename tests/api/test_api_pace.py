"""What limits the pace, read from the store."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storm.api.pace import find_limits, list_busy_services
from storm.api.statistics import read_statistics
from storm.app import App, open_app
from storm.models import Job, JobRequest
from storm.settings import read_settings
from storm.store import JobJournal, StoreLimiter
from storm.syllabus import bundled_syllabus


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with open_app(read_settings()._replace(data_dir=tmp_path / "data", traces_url="off")) as opened:
        yield opened


async def start(app: App) -> Job:
    syllabus = bundled_syllabus(app.settings.config_dir)
    return await app.start(JobRequest(text="trastuzumab", offline=True, syllabus=syllabus))


async def queue_calls(app: App, waited_for: int) -> None:
    """Two calls of ChEMBL, one of which waits, as they have done for so many seconds."""

    async def sleep(_: float) -> None:
        return None

    for _ in range(2):
        await StoreLimiter(app.store, sleep).wait("chembl", 0.01)
    began = int(await app.store.run_command(lambda redis: redis.hget("rate_limit:{chembl}", "since")))
    earlier = began - waited_for * 1_000_000
    await app.store.run_command(lambda redis: redis.hset("rate_limit:{chembl}", "since", earlier))


async def test_a_service_whose_calls_have_waited_for_long_limits_the_pace(app: App) -> None:
    assert await list_busy_services(app) == []
    await queue_calls(app, waited_for=60)
    (busy,) = await list_busy_services(app)
    assert busy.service == "chembl" and 150 < busy.next_slot <= 200  # less, if this machine is slow
    job = await start(app)
    (limit,) = await find_limits(app, [busy], [job.job_id])
    assert limit.startswith("chembl (")
    assert re.search(r"in use without a pause for \d+ s; a new call waits (1\d\d\.\d|200\.0) s", limit)


async def test_a_service_does_not_limit_jobs_that_do_not_search_it(app: App) -> None:
    await queue_calls(app, waited_for=60)
    job = await start(app)
    async with await app.store.jobs.hold(job.job_id) as lease:
        await JobJournal(app.store, job.job_id, lease).finish_stage("scope", '{"place": "sample"}')
    assert await find_limits(app, await list_busy_services(app), [job.job_id]) == []


async def test_a_burst_of_calls_limits_nothing(app: App) -> None:
    await queue_calls(app, waited_for=1)
    assert await find_limits(app, await list_busy_services(app), []) == []


async def test_a_model_that_refuses_calls_for_their_rate_limits_the_pace_of_the_jobs_that_run(app: App) -> None:
    job = await start(app)
    async with await app.store.jobs.hold(job.job_id) as lease:
        journal = JobJournal(app.store, job.job_id, lease)
        await journal.report("model", "a trial")
        assert await find_limits(app, [], [job.job_id]) == []
        await journal.report("model", "rate-limited", rate_limited="openai/house-model")
        await journal.report("progress", "sources per question")
        expected = "openai/house-model (it refused calls for their rate in the last minute)"
        assert await find_limits(app, [], [job.job_id]) == [expected]
        assert (await read_statistics(app)).limits == (expected,)


async def test_batches_of_another_version_are_counted_as_unreadable(app: App) -> None:
    await app.store.batches.create("old", "digest", [], "{}")
    await app.store.run_command(lambda redis: redis.hset("job_batch:{old}:metadata", "schema", "0"))
    assert (await read_statistics(app)).unreadable == 1


async def test_the_jobs_of_a_store_are_counted_by_their_states(app: App) -> None:
    first, second = await start(app), await start(app)
    await app.store.jobs.cancel(second.job_id)
    found = await read_statistics(app)
    assert (dict(found.jobs), found.unreadable) == ({"queued": 1, "cancelled": 1}, 0)
    assert (found.workers, found.slots, found.batches, found.waiting) == ((), 0, (), {})
    assert first.job_id != second.job_id
