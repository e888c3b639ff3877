"""What workers know of each other and of their jobs, on both stores."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from stores import NOW

from storm.errors import StoreSchemaError
from storm.store import JobNeeds, Store, WorkerRecord
from storm.store.keys import SUBMISSIONS, attempts_key, worker_key
from storm.store.pipelining import Command

NEEDS = JobNeeds(version="0.1.0", configuration="c", corpus="")


def worker(name: str, minutes: int = 0) -> WorkerRecord:
    started = NOW + timedelta(minutes=minutes)
    return WorkerRecord(
        worker_id=name, host="h", pid=1, version="0.1.0", configuration="c", corpus="", queues=("storm-d-normal",),
        jobs=4, started=started, seen=started,
    )  # fmt: skip


async def test_a_submission_is_known_until_the_job_is_with_no_worker(store: Store) -> None:
    await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    found = await store.submissions.find_submission("job-1")
    assert found and (found.queue, found.at) == ("storm-d-normal", NOW)
    assert set(await store.submissions.all()) == {"job-1"}
    assert await store.submissions.remove_submission("job-1", found)
    assert await store.submissions.find_submission("job-1") is None


async def test_the_end_of_a_submission_whose_answer_was_lost_can_be_sent_again(store: Store) -> None:
    added = await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    await store.submissions.begin_attempt("job-1", "a")
    await store.run_command(lambda redis: redis.hdel(SUBMISSIONS, "job-1"))  # all that was done before the crash
    assert await store.submissions.remove_submission("job-1", added)
    assert await store.submissions.remove_submission("job-1", added)
    assert await store.submissions.count_attempts("job-1") == 0


async def test_an_attempt_is_never_recorded_without_an_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that changes the attempts is one transaction: a process killed after any leaves no key for ever."""
    run_command, ttls = store.run_command, list[int]()

    async def run_and_look(command: Command, *, pipelined: bool = True) -> Any:
        answer = await run_command(command, pipelined=pipelined)
        ttls.append(await run_command(lambda redis: redis.pttl(attempts_key("job-1"))))
        return answer

    monkeypatch.setattr(store, "run_command", run_and_look)
    await store.submissions.begin_attempt("job-1", "a")
    assert ttls and min(ttls) > 0


async def test_the_end_of_an_earlier_submission_is_none_of_the_one_that_replaced_it(store: Store) -> None:
    earlier = await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    await store.submissions.add_submission("job-1", "storm-d-high", NEEDS)
    await store.submissions.begin_attempt("job-1", "a")
    assert not await store.submissions.remove_submission("job-1", earlier)
    assert (await store.submissions.count(), await store.submissions.count_attempts("job-1")) == (1, 1)


async def test_a_job_that_is_submitted_again_was_never_begun(store: Store) -> None:
    await store.submissions.add_submission("job-1", "q", NEEDS)
    assert await store.submissions.begin_attempt("job-1", "a") == 1
    await store.submissions.add_submission("job-1", "q", NEEDS)
    assert await store.submissions.begin_attempt("job-1", "b") == 1


async def test_an_attempt_counts_once_though_its_command_is_sent_again_and_no_more_when_it_ended(store: Store) -> None:
    assert await store.submissions.begin_attempt("job-1", "a") == 1
    assert await store.submissions.begin_attempt("job-1", "a") == 1
    assert await store.submissions.begin_attempt("job-1", "b") == 2
    await store.submissions.end_attempt("job-1", "a")
    await store.submissions.end_attempt("job-1", "a")
    assert await store.submissions.count_attempts("job-1") == 1
    assert await store.submissions.begin_attempt("job-1", "c") == 2


async def test_a_job_that_waits_says_why_until_a_worker_has_it(store: Store) -> None:
    await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    await store.submissions.add_submission("job-2", "storm-e-normal", NEEDS.model_copy(update={"corpus": "mine"}))
    assert await store.submissions.waiting() == dict.fromkeys(("job-1", "job-2"), "no worker is running")
    await store.submissions.record_heartbeat(worker("a"), 60_000)
    waiting = await store.submissions.waiting()
    assert waiting["job-1"] == "" and "has other records of its own" in waiting["job-2"]
    await store.submissions.record_heartbeat(worker("a").model_copy(update={"running": ("job-1",)}), 60_000)
    assert set(await store.submissions.waiting()) == {"job-2"}


async def test_workers_are_listed_by_age_until_they_go_or_are_silent(store: Store) -> None:
    await store.submissions.record_heartbeat(worker("b", 1), 60_000)
    await store.submissions.record_heartbeat(worker("a", 2), 60_000)
    await store.submissions.record_heartbeat(worker("c"), 60_000)
    assert [one.worker_id for one in await store.submissions.workers()] == ["c", "b", "a"]
    await store.submissions.remove_worker("b")
    await store.submissions.record_heartbeat(worker("c"), 1)  # a millisecond, less than the next answer takes
    while len(found := await store.submissions.workers()) > 1:
        pass
    assert [one.worker_id for one in found] == ["a"]


async def test_one_worker_at_a_time_looks_for_lost_messages(store: Store) -> None:
    assert await store.submissions.acquire_requeue_lock("storm-d-high", "a", 60_000)
    assert not await store.submissions.acquire_requeue_lock("storm-d-high", "b", 60_000)
    assert await store.submissions.acquire_requeue_lock("storm-e-high", "b", 60_000)


async def test_a_submission_with_fields_of_a_later_version_can_be_ended(store: Store) -> None:
    added = await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    later = json.dumps({**json.loads(added.raw), "deadline": "2027-01-01"})
    await store.run_command(lambda redis: redis.hset(SUBMISSIONS, "job-1", later))
    found = await store.submissions.find_submission("job-1")
    assert found and not await store.submissions.remove_submission("job-1", added)
    assert await store.submissions.remove_submission("job-1", found)
    assert await store.submissions.count() == 0


async def test_a_submission_that_cannot_be_read_hides_no_other_and_is_named(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.submissions.add_submission("job-1", "storm-d-normal", NEEDS)
    await store.run_command(lambda redis: redis.hset(SUBMISSIONS, "job-2", "{}"))
    assert set(await store.submissions.all()) == {"job-1"}
    assert "job=job-2" in caplog.text
    assert await store.submissions.waiting() == {
        "job-1": "no worker is running", "job-2": "what it needs cannot be read",
    }  # fmt: skip
    with pytest.raises(StoreSchemaError, match="the submission of job-2 to the workers cannot be read") as caught:
        await store.submissions.find_submission("job-2")
    assert caught.value.hint == "cancel the job, and submit it again"
    await store.submissions.withdraw_job("job-2")
    assert await store.submissions.find_submission("job-2") is None


async def test_a_worker_whose_record_cannot_be_read_hides_no_other(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("a", "b"):
        await store.submissions.record_heartbeat(worker(name), 60_000)
    await store.run_command(lambda redis: redis.set(worker_key("a"), "{}"))
    assert [one.worker_id for one in await store.submissions.workers()] == ["b"]
    assert "key=job_worker:a" in caplog.text
