"""What workers know of each other and of their jobs, on both stores."""

from __future__ import annotations

from datetime import timedelta

from stores import NOW

from storm.store import Store, WorkerRecord


def worker(name: str, minutes: int = 0) -> WorkerRecord:
    started = NOW + timedelta(minutes=minutes)
    return WorkerRecord(
        worker_id=name, host="h", pid=1, version="0.1.0", configuration="c", corpus="", queues=("storm-d-normal",),
        jobs=4, started=started, seen=started,
    )  # fmt: skip


async def test_a_submission_is_known_until_the_job_is_with_no_worker(store: Store) -> None:
    await store.submissions.add("job-1", "storm-d-normal")
    found = await store.submissions.find("job-1")
    assert found and (found.queue, found.at) == ("storm-d-normal", NOW)
    assert set(await store.submissions.all()) == {"job-1"}
    await store.submissions.remove("job-1")
    assert await store.submissions.find("job-1") is None


async def test_a_job_that_is_submitted_again_was_never_begun(store: Store) -> None:
    await store.submissions.add("job-1", "q")
    await store.submissions.set_attempts("job-1", 3)
    assert await store.submissions.count_attempts("job-1") == 3
    await store.submissions.add("job-1", "q")
    assert await store.submissions.count_attempts("job-1") == 0


async def test_workers_are_listed_by_age_until_they_go_or_are_silent(store: Store) -> None:
    await store.submissions.register(worker("b", 1), 60_000)
    await store.submissions.register(worker("a", 2), 60_000)
    await store.submissions.register(worker("c"), 60_000)
    assert [one.worker_id for one in await store.submissions.workers()] == ["c", "b", "a"]
    await store.submissions.forget("b")
    await store.submissions.register(worker("c"), 1)  # a millisecond, less than the next answer takes
    while len(found := await store.submissions.workers()) > 1:
        pass
    assert [one.worker_id for one in found] == ["a"]


async def test_one_worker_at_a_time_looks_for_lost_messages(store: Store) -> None:
    assert await store.submissions.take_check("a", 60_000)
    assert not await store.submissions.take_check("b", 60_000)
