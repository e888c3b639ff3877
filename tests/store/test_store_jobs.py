from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from stores import DRAFT, HIT, JOB, NOW

from storm.errors import (
    Code,
    CollectionDamaged,
    JobCancelled,
    JobHeld,
    LeaseLost,
    StoreSchemaError,
    StoreUnavailable,
    UnknownJob,
    UsageError,
)
from storm.models import JobRequest, JobState, RunSettings, Syllabus
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.store import holder as holder_module
from storm.store.client import StoreClient
from storm.store.holder import Holder, process_start
from storm.store.integrity import check_collection
from storm.store.keys import INDEX, JobKeys

KEYS = JobKeys(JOB)


@pytest.fixture
def request_of(syllabus: Syllabus) -> Callable[[str], JobRequest]:
    return lambda drug: JobRequest(text=drug, syllabus=syllabus, also=("Herceptin",))


@pytest.fixture
async def job(store: Store, request_of: Callable[[str], JobRequest]) -> str:
    await store.jobs.create(request_of("trastuzumab"), JOB)
    return JOB


def dead_process() -> Holder:
    ended = subprocess.Popen(["true"])
    ended.wait()
    return Holder.of_this_process(NOW)._replace(pid=ended.pid, started="1")


async def put_lease(store: Store, holder: Holder, milliseconds: int = 12_000) -> None:
    await store.run_command(lambda redis: redis.set(KEYS.lease, holder.to_json(), px=milliseconds))


async def milliseconds_left(store: Store, key: str) -> int:
    return int(await store.run_command(lambda redis: redis.pttl(key)))


async def lease_is_lost(store: Store, lease: Lease) -> int:
    await store.run_command(lambda redis: redis.ping())
    return int(not lease.is_held)


async def until(ask: Callable[[], Awaitable[int]], *, above: int) -> None:
    """Ask until the answer is greater; the store's own work goes on in between."""
    async with asyncio.timeout(5):
        while True:
            if await ask() > above:
                return
            await asyncio.sleep(0)  # a command to the server in memory need not give way by itself


async def state_of(store: Store) -> JobState:
    return (await store.jobs.get(JOB)).state


async def test_a_new_job_is_found_again_as_it_was_asked_for(
    store: Store, request_of: Callable[[str], JobRequest]
) -> None:
    created = await store.jobs.create(request_of("trastuzumab"), JOB)
    assert await store.jobs.get(JOB) == created
    assert (created.state, created.created, created.exit_code) == (JobState.QUEUED, NOW, None)


async def test_a_job_id_is_given_once(store: Store, job: str, request_of: Callable[[str], JobRequest]) -> None:
    with pytest.raises(UsageError, match=f"already a job {JOB}"):
        await store.jobs.create(request_of("metformin"), JOB)
    assert (await store.jobs.get(JOB)).request.text == "trastuzumab"


async def test_a_job_whose_creation_is_sent_again_after_a_lost_answer_is_created(
    store: Store, request_of: Callable[[str], JobRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = StoreClient.run_script

    async def send_twice(client: StoreClient, name: str, keys: Sequence[str], args: Sequence[str], **more: bool) -> Any:
        await script(client, name, keys, args, **more)
        return await script(client, name, keys, args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(StoreClient, "run_script", send_twice)
        created = await store.jobs.create(request_of("trastuzumab"), JOB)
    assert await store.jobs.get(JOB) == created
    assert [event.kind for event in await JobJournal(store, JOB, None).events(9)] == ["created"]
    with pytest.raises(UsageError, match=f"already a job {JOB}"):
        await store.jobs.create(request_of("trastuzumab"), JOB)


async def test_a_job_is_not_created_under_an_id_like_an_option(
    store: Store, request_of: Callable[[str], JobRequest]
) -> None:
    with pytest.raises(UsageError, match="is not a valid job id"):
        await store.jobs.create(request_of("metformin"), "--quiet")
    assert (await store.jobs.all()).jobs == ()


async def test_an_unknown_job_is_reported_with_close_matches(store: Store, job: str) -> None:
    with pytest.raises(UnknownJob) as caught:
        await store.jobs.get("trastuzumab-20261121-7f3a9d")
    assert caught.value.hint == f"did you mean {JOB}?"
    with pytest.raises(UnknownJob) as caught:
        await store.jobs.hold("metformin-x")
    assert caught.value.code is Code.JOB_UNKNOWN


async def test_a_job_of_another_drug_is_not_suggested_for_its_date(store: Store, job: str) -> None:
    with pytest.raises(UnknownJob) as caught:
        await store.jobs.get("metformin-20261121-7f3a9c")
    assert caught.value.code is Code.JOB_UNKNOWN


async def test_a_job_that_is_gone_is_not_suggested_and_is_forgotten(
    store: Store, job: str, request_of: Callable[[str], JobRequest]
) -> None:
    await store.jobs.create(request_of("trastuzumab"), f"{JOB}0")
    await store.run_command(lambda redis: redis.delete(*KEYS.all_keys(())))
    with pytest.raises(UnknownJob) as caught:
        await store.jobs.get(JOB)
    assert caught.value.hint == f"did you mean {JOB}0?"
    assert await store.run_command(lambda redis: redis.zrange(INDEX, 0, -1)) == [f"{JOB}0"]


async def test_jobs_are_listed_newest_first_and_expired_ones_are_forgotten(
    store: Store, request_of: Callable[[str], JobRequest]
) -> None:
    times = iter([NOW, NOW + timedelta(hours=1), NOW + timedelta(hours=2)])
    store.clock = lambda: next(times)
    for name in ("old", "middle", "new"):
        await store.jobs.create(request_of(name), name)
    await store.run_command(lambda redis: redis.delete(*JobKeys("middle").all_keys(())))

    assert [job.job_id for job in (await store.jobs.all()).jobs] == ["new", "old"]
    assert await store.run_command(lambda redis: redis.zrange(INDEX, 0, -1)) == ["old", "new"]


async def test_a_job_is_queued_until_it_is_held_and_interrupted_when_nobody_holds_it_any_more(
    store: Store, job: str
) -> None:
    assert await state_of(store) == JobState.QUEUED
    async with await store.jobs.hold(JOB):
        assert await state_of(store) == JobState.RUNNING
    assert [found.state for found in (await store.jobs.all()).jobs] == [JobState.INTERRUPTED]


async def test_a_finished_job_keeps_its_exit_code(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB) as lease:
        await store.jobs.finish(lease, 3)
    async with await store.jobs.hold(JOB):
        found = await store.jobs.get(JOB)
    assert (found.state, found.finished, found.exit_code) == (JobState.FINISHED, NOW, 3)


async def test_a_failed_job_runs_again_when_it_is_held(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB) as lease:
        await store.jobs.fail(lease, "the disk is full")
    assert await state_of(store) == JobState.FAILED
    assert [event.message for event in await JobJournal(store, JOB, None).events(1)] == ["the disk is full"]
    async with await store.jobs.hold(JOB):
        assert await state_of(store) == JobState.RUNNING


async def test_a_job_goes_on_with_the_settings_that_it_was_changed_to(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB) as lease:
        settings = RunSettings(mode="broad", model="ollama_chat/other")
        changed = await store.jobs.change(lease, settings, "goes on with another")
    assert changed.settings == (await store.jobs.get(JOB)).settings == settings
    assert changed.request.settings == RunSettings(), "what was asked for stays as it was"
    assert [event.message for event in await JobJournal(store, JOB, None).events(1)] == ["goes on with another"]


async def test_a_job_is_held_by_one_and_the_other_is_shown_who_has_it(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB):
        with pytest.raises(JobHeld) as caught:
            await store.jobs.hold(JOB)
    holder = Holder.of_this_process(NOW)
    assert caught.value.message == (
        f"{JOB} is being worked on by process {holder.pid} on {holder.host} since 2026-11-21T09:30:00+00:00"
    )
    assert (caught.value.code, caught.value.details) == (Code.JOB_HELD, {"job": JOB})
    async with await store.jobs.hold(JOB):
        pass


async def test_the_lease_of_another_host_is_not_taken_over(store: Store, job: str) -> None:
    await put_lease(store, dead_process()._replace(host="elsewhere"))
    with pytest.raises(JobHeld, match=r"on elsewhere since .* \(if it has died, the job is free in 1[0-2] s\)"):
        await store.jobs.hold(JOB)


@pytest.mark.parametrize(("theirs", "ours"), [("a", "b"), ("", "b"), ("a", "")])
async def test_the_lease_of_another_machine_of_the_same_name_is_not_taken_over(
    store: Store, job: str, monkeypatch: pytest.MonkeyPatch, theirs: str, ours: str
) -> None:
    monkeypatch.setattr(holder_module, "_read_machine_id", lambda: ours)
    await put_lease(store, Holder.of_this_process(NOW)._replace(boot="its own", machine=theirs))
    with pytest.raises(JobHeld):
        await store.jobs.hold(JOB)


async def test_where_machines_have_no_id_another_boot_may_be_another_machine(
    store: Store, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holder_module, "_read_machine_id", str)
    stored = Holder.of_this_process(NOW)._replace(boot="another")._asdict()
    del stored["machine"]  # as earlier versions wrote it
    await store.run_command(lambda redis: redis.set(KEYS.lease, json.dumps(stored), px=12_000))
    with pytest.raises(JobHeld):
        await store.jobs.hold(JOB)


async def test_the_lease_of_another_container_is_not_taken_over(store: Store, job: str) -> None:
    await put_lease(store, dead_process()._replace(namespace="pid:[1]"))
    with pytest.raises(JobHeld):
        await store.jobs.hold(JOB)


@pytest.mark.parametrize(
    "holder",
    [
        pytest.param(dead_process, id="ended"),
        pytest.param(
            lambda: Holder.of_this_process(NOW)._replace(started="1"), id="its number was given to another process"
        ),
        pytest.param(
            lambda: Holder.of_this_process(NOW)._replace(boot="before the restart"), id="the machine was restarted"
        ),
    ],
)
async def test_the_lease_of_a_process_that_is_gone_is_taken_over_at_once(
    store: Store, job: str, monkeypatch: pytest.MonkeyPatch, holder: Callable[[], Holder]
) -> None:
    monkeypatch.setattr(holder_module, "_read_machine_id", lambda: "a")  # some containers have none
    await put_lease(store, holder())
    async with await store.jobs.hold(JOB) as lease:
        assert await store.run_command(lambda redis: redis.get(KEYS.lease)) == lease.token


async def test_of_several_that_take_over_one_gets_it(store: Store, job: str) -> None:
    await put_lease(store, dead_process())
    taken = await asyncio.gather(*(store.jobs.hold(JOB) for _ in range(5)), return_exceptions=True)
    leases = [lease for lease in taken if isinstance(lease, Lease)]
    assert len(leases) == 1
    assert [type(other) for other in taken if other is not leases[0]] == [JobHeld] * 4
    await leases[0].release()


async def test_a_lease_that_storm_did_not_write_is_reported(store: Store, job: str) -> None:
    await store.run_command(lambda redis: redis.set(KEYS.lease, "mine"))
    with pytest.raises(StoreSchemaError, match="was not written by storm: 'mine'"):
        await store.jobs.hold(JOB)


async def test_a_held_lease_is_renewed_with_the_jobs_keys(store: Store, job: str) -> None:
    async with await Lease.take(store, JOB, renewed_every=0.001):
        await store.run_command(lambda redis: redis.pexpire(KEYS.lease, 5_000))
        await store.run_command(lambda redis: redis.pexpire(KEYS.metadata, 5_000))
        await until(lambda: milliseconds_left(store, KEYS.metadata), above=5_000)
        assert await store.run_command(lambda redis: redis.pttl(KEYS.lease)) > 5_000


async def test_a_held_lease_renews_the_keys_of_the_questions_that_the_job_has_now(store: Store, job: str) -> None:
    question = KEYS.question("b")
    async with await Lease.take(store, JOB, renewed_every=0.001) as lease:
        collector = SourceCollector(store, JOB, lease)
        await collector.set_questions(["a"])
        await store.run_command(lambda redis: redis.pexpire(KEYS.lease, 5_000))
        await until(lambda: milliseconds_left(store, KEYS.lease), above=5_000)  # it has named the keys once
        await collector.set_questions(["b"])
        await collector.record_hits([HIT])
        await collector.save(HIT, ["b"], DRAFT)
        for key in (question, KEYS.metadata):
            await store.run_command(lambda redis, key=key: redis.pexpire(key, 5_000))
        await until(lambda: milliseconds_left(store, question), above=5_000)


async def test_a_renewed_lease_leaves_keys_alone_that_were_renewed_a_moment_ago(store: Store, job: str) -> None:
    async with await Lease.take(store, JOB, renewed_every=0.001):
        await store.run_command(lambda redis: redis.pexpire(KEYS.events, 5_000))  # alone it never lags behind
        await store.run_command(lambda redis: redis.pexpire(KEYS.lease, 5_000))
        await until(lambda: milliseconds_left(store, KEYS.lease), above=5_000)
        assert await milliseconds_left(store, KEYS.events) <= 5_000


async def test_a_lease_that_another_took_is_lost_and_left_to_it(store: Store, job: str) -> None:
    async with await Lease.take(store, JOB, renewed_every=0.001) as lease:
        await put_lease(store, dead_process())
        await until(lambda: lease_is_lost(store, lease), above=0)
        with pytest.raises(LeaseLost):
            await store.jobs.finish(lease, 0)
    assert await store.run_command(lambda redis: redis.exists(KEYS.lease)) == 1
    assert await state_of(store) == JobState.INTERRUPTED


async def test_a_lease_that_ran_out_is_still_its_holders_as_long_as_nobody_took_it(store: Store, job: str) -> None:
    async with await Lease.take(store, JOB, renewed_every=0.001) as lease:
        await store.run_command(lambda redis: redis.delete(KEYS.lease))  # what fifteen seconds without a renewal do
        await JobJournal(store, JOB, lease).finish_stage("plan", "1")
        await until(lambda: milliseconds_left(store, KEYS.lease), above=0)
    assert await store.run_command(lambda redis: redis.exists(KEYS.lease)) == 0


async def test_a_lease_that_ran_out_and_was_taken_and_given_back_is_lost(store: Store, job: str) -> None:
    slept = await store.jobs.hold(JOB)
    await store.run_command(lambda redis: redis.delete(KEYS.lease))
    async with await store.jobs.hold(JOB) as lease:
        with pytest.raises(LeaseLost):
            await JobJournal(store, JOB, slept).finish_stage("plan", "1")
        await JobJournal(store, JOB, lease).finish_stage("plan", "2")
    with pytest.raises(LeaseLost):
        await JobJournal(store, JOB, slept).finish_stage("plan", "3")
    await slept.release()
    assert await JobJournal(store, JOB, None).stages() == {"plan": "2"}


async def test_a_released_lease_writes_no_more(store: Store, job: str) -> None:
    lease = await store.jobs.hold(JOB)
    await lease.release()
    await lease.release()
    with pytest.raises(LeaseLost, match="nothing was written"):
        await store.jobs.finish(lease, 0)


async def test_a_job_of_another_schema_is_refused(store: Store, job: str) -> None:
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, "schema", "2"))
    with pytest.raises(StoreSchemaError, match="another version of storm"):
        await store.jobs.get(JOB)
    with pytest.raises(StoreSchemaError, match="written with schema 2, this program has 1"):
        await Lease.take(store, JOB)


@pytest.mark.parametrize(("field", "value"), [("state", "paused"), ("settings", '{"mode": "research", "hue": "red"}')])
async def test_what_cannot_be_read_of_a_job_is_damage_only_if_this_version_made_it(
    store: Store, job: str, field: str, value: str
) -> None:
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, field, value))
    with pytest.raises(CollectionDamaged, match="its metadata cannot be read"):
        await store.jobs.get(JOB)
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, "version", "9.0.0"))
    with pytest.raises(StoreSchemaError, match=r"was made by version 9\.0\.0: this one cannot read its metadata"):
        await store.jobs.get(JOB)


async def test_a_job_in_a_state_of_another_version_is_not_listed_as_damaged(store: Store, job: str) -> None:
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, "state", "paused"))
    assert (await store.jobs.all())[1:] == ((), (JOB,))
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, "version", "9.0.0"))
    assert (await store.jobs.all())[1:] == ((JOB,), ())
    await store.run_command(lambda redis: redis.hdel(KEYS.metadata, "created"))
    assert (await store.jobs.all())[1:] == ((), (JOB,))


def test_a_zombie_counts_as_ended() -> None:
    zombie = subprocess.Popen(["true"])
    while process_start(zombie.pid) is not None:
        pass
    zombie.wait()
    assert process_start(zombie.pid) is None


async def test_a_cancelled_job_stops_its_holder_keeps_what_it_has_and_is_reopened_by_a_hold(
    store: Store, job: str
) -> None:
    async with await Lease.take(store, JOB, renewed_every=0.001) as lease:
        with pytest.raises(LeaseLost), lease.cancel_current_task_on_loss():
            await JobJournal(store, JOB, lease).finish_stage("plan", "1")
            await store.jobs.cancel(JOB)
            await asyncio.Event().wait()
    assert await state_of(store) == JobState.CANCELLED
    assert await JobJournal(store, JOB, None).stages() == {"plan": "1"}
    assert (await JobJournal(store, JOB, None).events(1))[0].kind == "cancelled"
    async with await store.jobs.hold(JOB):
        assert await state_of(store) == JobState.RUNNING


async def test_a_job_that_is_cancelled_while_it_is_being_checked_does_not_run(
    store: Store, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check_then_cancel(client: StoreClient, keys: JobKeys, *, check_records: bool) -> None:
        await check_collection(client, keys, check_records=check_records)
        await store.jobs.cancel(JOB)

    monkeypatch.setattr("storm.store.jobs.check_collection", check_then_cancel)
    with pytest.raises(JobCancelled, match=f"{JOB} was cancelled") as cancelled:
        await store.jobs.hold(JOB)
    assert (cancelled.value.code, await state_of(store)) == (Code.JOB_CANCELLED, JobState.CANCELLED)
    assert await store.run_command(lambda redis: redis.exists(KEYS.lease)) == 0
    async with await store.jobs.hold(JOB):  # it was cancelled before this one looked
        assert await state_of(store) == JobState.RUNNING


async def test_a_job_that_was_cancelled_after_its_caller_saw_it_does_not_run(store: Store, job: str) -> None:
    expected_state = (await store.jobs.get(JOB)).state
    await store.jobs.cancel(JOB)
    with pytest.raises(JobCancelled, match=f"{JOB} was cancelled"):
        await store.jobs.hold(JOB, expected_state=expected_state)
    assert await state_of(store) == JobState.CANCELLED


async def test_a_job_that_cannot_be_listed_is_not_held(store: Store, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise StoreUnavailable("no Redis server answers")

    with monkeypatch.context() as patch:
        patch.setattr(store.jobs, "_add_to_index", fail)
        with pytest.raises(StoreUnavailable):
            await store.jobs.hold(JOB)
    assert not [task for task in asyncio.all_tasks() if task.get_name() == f"lease of {JOB}"]
    async with await store.jobs.hold(JOB):
        assert await state_of(store) == JobState.RUNNING


async def test_a_job_that_is_deleted_before_it_has_a_plan_stops_its_holder(store: Store, job: str) -> None:
    async with asyncio.timeout(5), await Lease.take(store, JOB, renewed_every=0.001) as lease:
        with pytest.raises(LeaseLost), lease.cancel_current_task_on_loss():
            await store.jobs.cancel(JOB)
            await store.jobs.delete(JOB)
            await asyncio.Event().wait()


async def test_the_lease_of_a_deleted_job_is_given_back_without_an_error(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB) as lease:
        await store.jobs.cancel(JOB)
        await store.jobs.delete(JOB)
    assert not lease.is_held


async def test_a_cancellation_from_outside_is_no_lost_lease(store: Store, job: str) -> None:
    async def work() -> None:
        async with await store.jobs.hold(JOB) as lease:
            with lease.cancel_current_task_on_loss():
                started.set()
                await asyncio.Event().wait()

    started = asyncio.Event()
    task = asyncio.create_task(work())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await state_of(store) == JobState.INTERRUPTED


async def test_a_finished_job_is_not_cancelled(store: Store, job: str) -> None:
    async with await store.jobs.hold(JOB) as lease:
        await store.jobs.finish(lease, 0)
    with pytest.raises(UsageError, match=f"{JOB} is finished: there is nothing to cancel"):
        await store.jobs.cancel(JOB)
    assert await state_of(store) == JobState.FINISHED


async def test_a_deleted_job_leaves_no_key_and_others_are_left_alone(
    store: Store, job: str, request_of: Callable[[str], JobRequest]
) -> None:
    await store.jobs.create(request_of("metformin"), f"{JOB}-2")
    async with await store.jobs.hold(JOB) as lease:
        await JobJournal(store, JOB, lease).finish_stage("plan", "1")
        with pytest.raises(JobHeld):
            await store.jobs.delete(JOB)
    await put_lease(store, dead_process())
    await store.jobs.delete(JOB)
    assert not [key for key in await store.run_command(lambda redis: redis.keys("*")) if f"{{{JOB}}}" in key]
    assert [found.job_id for found in (await store.jobs.all()).jobs] == [f"{JOB}-2"]
    with pytest.raises(UnknownJob):
        await store.jobs.delete(JOB)


async def test_a_damaged_job_can_be_deleted(store: Store, job: str) -> None:
    await store.run_command(lambda redis: redis.delete(KEYS.metadata))
    await store.jobs.delete(JOB)
    assert (await store.jobs.all()).damaged == ()
