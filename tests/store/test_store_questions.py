"""A job's questions are written when there is a plan, once, and are read by whoever looks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from stores import DRAFT, HIT, JOB

from storm.errors import CollectionDamaged, LeaseLost, StepMismatch, ToolError
from storm.models import JobRequest, SearchRecord, SearchStatus, Step, Syllabus
from storm.store import JobJournal, SourceCollector, Store
from storm.store.entries import make_citation
from storm.store.key_reader import copy_keys
from storm.store.keys import JobKeys
from storm.store.lease import Lease
from storm.store.pipelining import Command


@pytest.fixture
async def job(store: Store) -> str:
    """A job whose planner is yet to make its questions."""
    return (await store.jobs.create(JobRequest(text="trastuzumab"), JOB)).job_id


async def metadata(store: Store) -> dict[str, str]:
    found: dict[str, str] = await store.run_command(lambda redis: redis.hgetall(JobKeys(JOB).metadata))
    return found


async def test_before_there_is_a_plan_a_job_can_be_searched_read_and_checked(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        record = SearchRecord(
            database="pubmed", scope="", question="names", query="x", at=store.clock(), status=SearchStatus.FOUND,
            total=1, hits=(HIT.key,),
        )  # fmt: skip
        await JobJournal(store, job, lease).log_search(record, [HIT])
        for collector in (SourceCollector(store, job, lease), SourceCollector(store, job, None)):
            assert await collector.progress() == ({}, 0, (), 0)
        with pytest.raises(ToolError, match="unknown questions: a"):
            await SourceCollector(store, job, lease).save(HIT, ["a"], DRAFT)
    checked = await store.jobs.check(job, check_records=True)
    assert (checked.questions, checked.request.syllabus) == ((), None)


async def test_all_that_share_the_lease_and_all_who_read_know_the_questions_at_once(store: Store, job: str) -> None:
    reader = SourceCollector(store, job, None)
    async with await store.jobs.hold(job) as lease:
        collector, journal = SourceCollector(store, job, lease), JobJournal(store, job, lease)
        assert (await reader.progress()).counts == (await collector.progress()).counts == {}
        await journal.report("stage", "plan")
        await collector.set_questions(["a", "b"])
        assert (await collector.progress()).counts == {"a": 0, "b": 0}
        await collector.record_hits([HIT])
        await collector.save(HIT, ["b"], DRAFT)
        await journal.report("stage", "gather")
        assert (await reader.progress()).counts == {"a": 0, "b": 1}
    assert (await store.jobs.check(job, check_records=True)).questions == ("a", "b")


async def save_under(collector: SourceCollector, key: str, *, questions: Sequence[str]) -> None:
    """Plan these questions, and file a source under one of them."""
    await collector.set_questions(questions)
    await collector.record_hits([HIT])
    await collector.save(HIT, [key], DRAFT)


class PlannedAfter:
    """A client after whose first command the job is planned, and a source is filed."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store = store
        self._collector: SourceCollector | None = SourceCollector(store, JOB, lease)

    async def run_command(self, command: Command, *, pipelined: bool = True) -> Any:
        answer = await self._store.run_command(command, pipelined=pipelined)
        collector, self._collector = self._collector, None
        if collector:
            await save_under(collector, "b", questions=["a", "b"])
        return answer


async def test_a_copy_of_all_keys_has_those_of_questions_that_were_planned_in_between(store: Store, job: str) -> None:
    keys = JobKeys(job)
    async with await store.jobs.hold(job) as lease:
        copy = await copy_keys(PlannedAfter(store, lease), keys)  # type: ignore[arg-type]
    assert [await copy.count_members(keys.question(key)) for key in ("a", "b")] == [0, 1]


async def test_the_same_questions_are_written_once(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        collector = SourceCollector(store, job, lease)
        await save_under(collector, "a", questions=["a", "b"])
        before = await metadata(store)
        await SourceCollector(store, job, lease).set_questions(["a", "b"])
        assert await metadata(store) == before


async def test_another_plan_may_bring_others_until_a_source_is_filed(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        await SourceCollector(store, job, lease).set_questions(["a", "b"])
    async with await store.jobs.hold(job) as lease:
        collector = SourceCollector(store, job, lease)
        await save_under(collector, "c", questions=["c"])
        before = await metadata(store)
        with pytest.raises(StepMismatch, match=f"sources of {JOB} are filed under other questions: c"):
            await collector.set_questions(["a", "b"])
        assert await metadata(store) == before
        assert (await collector.progress()).counts == {"c": 1}


async def test_a_save_under_questions_that_are_being_replaced_is_refused_and_writes_nothing(
    store: Store, job: str
) -> None:
    async with await store.jobs.hold(job) as lease:
        await SourceCollector(store, job, lease).set_questions(["a", "b"])
        await SourceCollector(store, job, lease).record_hits([HIT])
    async with await store.jobs.hold(job) as resumed:  # which reads the questions with its first write
        collector = SourceCollector(store, job, resumed)
        _, refused = await asyncio.gather(
            collector.set_questions(["c"]), collector.save(HIT, ["a"], DRAFT), return_exceptions=True
        )
        assert isinstance(refused, ToolError) and "unknown questions: a; valid are c" in str(refused)
        assert (await collector.progress()).counts == {"c": 0}
        assert (await collector.save(HIT, ["c"], DRAFT)).number == 1
    await store.jobs.check(job, check_records=True)


async def test_a_script_refuses_an_unknown_question_before_it_writes(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        collector = SourceCollector(store, job, lease)
        await save_under(collector, "a", questions=["a", "b"])
        before = await metadata(store)
        save = {"identifiers": HIT.identifiers, "record": {"database": "pubmed"}, "citation": make_citation("", DRAFT)}
        for script, request in (("save_source", save), ("refile_source", {"source_id": "src_001", "why": ""})):
            with pytest.raises(ToolError, match="unknown questions: c; valid are a, b"):
                await collector._scripts.run_write(script, "", json.dumps({**request, "questions": ["b", "c"]}))
        assert await metadata(store) == before
        assert (await collector.progress()).counts == {"a": 1, "b": 0}


async def test_who_lost_the_job_before_it_was_planned_is_shown_that_and_no_damage(store: Store, job: str) -> None:
    lost = await store.jobs.hold(job)
    late = JobJournal(store, job, lost)
    await late.report("stage", "plan")
    await store.run_command(lambda redis: redis.delete(JobKeys(JOB).lease))
    async with await store.jobs.hold(job) as lease:
        await save_under(SourceCollector(store, job, lease), "a", questions=["a"])
        for write in (late.log_step(Step(number=1)), SourceCollector(store, job, lost).set_questions(["b"])):
            with pytest.raises(LeaseLost):
                await write
    await lost.release()


async def test_without_a_lease_no_questions_are_written(store: Store, job: str) -> None:
    with pytest.raises(LeaseLost, match="opened for reading only"):
        await SourceCollector(store, job, None).set_questions(["a"])


@pytest.mark.parametrize(("value", "expected"), [("", "its questions are gone"), ("x", "is none of its questions")])
async def test_questions_that_were_lost_are_damage(
    store: Store, lease: Lease, syllabus: Syllabus, value: str, expected: str
) -> None:
    collector = SourceCollector(store, JOB, lease)
    await collector.record_hits([HIT])
    await collector.save(HIT, list(syllabus.keys), DRAFT)
    await store.run_command(lambda redis: redis.hset(JobKeys(JOB).metadata, "questions", value))
    with pytest.raises(CollectionDamaged, match=expected):
        await store.jobs.check(JOB)
