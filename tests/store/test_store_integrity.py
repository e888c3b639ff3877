"""Data of a job that was lost is reported as lost: nothing is written over what is left of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from stores import JOB, NOW

from storm.errors import Code, CollectionDamaged, LeaseLost, StoreSchemaError
from storm.models import (
    DraftCitation,
    Exclusion,
    Hit,
    JobRequest,
    JobState,
    PaidReply,
    Plan,
    RunSettings,
    SearchRecord,
    SearchStatus,
    Spending,
    Step,
    Syllabus,
)
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.store.key_reader import ServerKeys
from storm.store.keys import INDEX, JobKeys

EFFICACY, SAFETY = "clinical.efficacy", "clinical.safety"
KEYS = JobKeys(JOB)
#: Every key that a job has, by its name.
NAMES = [
    *(name for name in vars(KEYS) if name not in ("job_id", "prefix", "lease")),
    f"question:{EFFICACY}",
    f"question:{SAFETY}",
]
STAGES = ("plan", "gather", "check", "answer", "report")
#: How many stages are finished where the job is met.
STATES = {"gathered": 2, "answering": 3, "finished": 5}


def key_of(name: str) -> str:
    return KEYS.metadata.replace("metadata", name)


def paper(pmid: str) -> Hit:
    return Hit.of("pubmed", pmid, f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/", f"Trial {pmid}", text="Median 7.4.")


async def make_job(store: Store, syllabus: Syllabus, stages: int, mode: str = "") -> None:
    """A job with everything that one can have, and so many stages finished; nobody holds it."""
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus, settings=RunSettings(mode=mode)), JOB)
    hits = [paper(str(number)) for number in (1, 2, 3)]
    plan = Plan(names=("trastuzumab",), syllabus=syllabus).model_dump_json()
    results = {"plan": plan, "gather": '"complete"', "check": "null", "answer": "[]", "report": "{}"}
    record = SearchRecord(
        database="pubmed", scope="articles", question=SAFETY, query="her2", at=NOW, status=SearchStatus.FOUND,
        total=3, hits=tuple(hit.key for hit in hits),
    )  # fmt: skip
    async with await store.jobs.hold(JOB) as lease:
        collector, journal = SourceCollector(store, JOB, lease), JobJournal(store, JOB, lease)
        for number, stage in enumerate(STAGES[: stages + 1]):
            await journal.report("stage", stage)
            if stage == "plan":
                await collector.set_questions(syllabus.keys)
            if stage == "gather":
                await journal.log_search(record, hits)
                await journal.log_step(Step(number=1))
                await journal.log_spending(
                    Spending(role="agent", calls=1, prompt_tokens=9, completion_tokens=1), 1.0, PaidReply(digest="a")
                )
                await collector.save(hits[0], [EFFICACY, SAFETY], DraftCitation("It works.", "Median 7.4.", True))
                await collector.save(hits[1], [SAFETY], DraftCitation("It works.", "Median 7.4.", True))
                await collector.register(hits[2], DraftCitation("It works.", "Median 7.4.", True))
                await collector.record_exclusions({hits[2].key: Exclusion.MINIMUM_MET})
            if number < stages:
                await journal.finish_stage(stage, results[stage])
        if stages == len(STAGES):
            await store.jobs.finish(lease, 0)


async def forget_noted_keys(store: Store) -> None:
    """Make it a job of the version before, which did not note what keys there are."""
    await store.run_command(lambda redis: redis.hdel(KEYS.metadata, "keys"))


async def contents(store: Store) -> dict[str, object]:
    """All that is in the store. The server may move the fields of a hash when it only reads it, so the bytes of a dump
    are compared in any order, without its version and checksum."""
    names = sorted(await store.run_command(lambda redis: redis.keys("*")))
    return {name: sorted((await store.run_command(lambda redis, name=name: redis.dump(name)))[:-10]) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "earlier"),
    [(name, earlier) for name in NAMES for earlier in (False, True) if (name, earlier) != ("exclusions", True)],
    ids=lambda value: value if isinstance(value, str) else "earlier version" if value else "",
)
@pytest.mark.parametrize("state", STATES)
async def test_a_job_that_lost_a_key_is_damaged_and_nothing_of_it_is_written(
    store: Store, syllabus: Syllabus, state: str, name: str, earlier: bool
) -> None:
    await make_job(store, syllabus, STATES[state])
    await (forget_noted_keys(store) if earlier else store.jobs.check(JOB))
    assert await store.run_command(lambda redis: redis.delete(key_of(name))) == 1
    before = await contents(store)
    for look in (store.jobs.check, store.jobs.hold):
        with pytest.raises(CollectionDamaged, match=f"the collection of {JOB} is damaged: ") as caught:
            await look(JOB)
    assert caught.value.code is Code.JOB_DAMAGED and caught.value.exit_code == 1
    assert await contents(store) == before


@pytest.mark.parametrize("state", STATES)
async def test_a_job_of_the_version_before_is_whole_and_can_be_held(
    store: Store, syllabus: Syllabus, state: str
) -> None:
    await make_job(store, syllabus, STATES[state])
    await forget_noted_keys(store)
    async with await store.jobs.hold(JOB):
        pass
    noted = await store.run_command(lambda redis: redis.hget(KEYS.metadata, "keys"))
    assert set(NAMES) == set(noted.split())


@pytest.mark.parametrize("name", NAMES)
async def test_a_key_that_is_lost_in_the_middle_of_a_run_stops_the_next_write(
    store: Store, syllabus: Syllabus, name: str
) -> None:
    await make_job(store, syllabus, 2)
    lease = await store.jobs.hold(JOB)
    journal, collector = JobJournal(store, JOB, lease), SourceCollector(store, JOB, lease)
    await journal.report("note", "all is there")
    await collector.record_hits([])
    await store.run_command(lambda redis: redis.delete(key_of(name)))
    before = await contents(store)
    with pytest.raises(CollectionDamaged, match=f"of {JOB} is damaged: (of its keys {name}|its metadata) is gone"):
        await journal.finish_stage("check", "null")
    with pytest.raises(CollectionDamaged):
        await collector.save(paper("3"), [SAFETY], DraftCitation("It.", "Median 7.4.", True))
    assert await contents(store) == before
    await lease.release()


async def test_a_lost_lease_or_index_is_no_damage(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 2)
    lease = await store.jobs.hold(JOB)
    await store.run_command(lambda redis: redis.set(KEYS.lease, "another process"))
    with pytest.raises(LeaseLost):
        await JobJournal(store, JOB, lease).finish_stage("check", "null")
    await store.run_command(lambda redis: redis.delete(KEYS.lease, INDEX))
    assert [job.job_id for job in (await store.jobs.all()).jobs] == [JOB]
    async with await store.jobs.hold(JOB):
        assert await store.run_command(lambda redis: redis.zrange(INDEX, 0, -1)) == [JOB]


@pytest.mark.parametrize(
    ("key", "field", "damage"),
    [
        ("sources", "src_001", "2 sources were counted and 1 are there"),
        ("identifiers", "pmid:1", "its sources have 2 identifiers and 1 are listed"),
        ("hits", "pmid:1", "1 of its sources have no record among the hits"),
        ("hits", "pmid:3", "1 hits of its searches are gone"),
        ("stages", "gather", "the result of gather is gone"),
        ("stages", "report", "the result of report is gone"),
        ("metadata", "last_number", "its metadata has no last_number"),
        ("metadata", "request", "its metadata has no request"),
        ("metadata", "steps", "0 steps of its agent were counted and 1 stand in the journal"),
    ],
)
async def test_a_part_of_a_key_that_is_lost_is_named(
    store: Store, syllabus: Syllabus, key: str, field: str, damage: str
) -> None:
    await make_job(store, syllabus, 5)
    assert await store.run_command(lambda redis: redis.hdel(key_of(key), field)) == 1
    with pytest.raises(CollectionDamaged, match=damage):
        await store.jobs.hold(JOB)


async def test_a_citation_that_is_lost_is_named(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 5)
    cited = sorted(await store.run_command(lambda redis: redis.hkeys(KEYS.citations)))
    await store.run_command(lambda redis: redis.hdel(KEYS.citations, cited[0]))
    with pytest.raises(CollectionDamaged, match="1 of its 3 citations are gone"):
        await store.jobs.hold(JOB)


async def test_a_search_or_an_assignment_that_is_lost_is_named(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 5)
    await store.run_command(lambda redis: redis.zrem(KEYS.question(SAFETY), "src_001"))
    await store.run_command(lambda redis: redis.lpop(KEYS.journal))
    with pytest.raises(CollectionDamaged) as caught:
        await store.jobs.hold(JOB)
    assert "2 sources belong to clinical.safety and 1 are listed there" in caught.value.message
    assert "1 searches were counted and 0 stand in the search log" in caught.value.message


async def test_an_identifier_that_leads_to_another_source_is_damage(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.hset(KEYS.identifiers, "pmid:1", "src_002"))
    await assert_damaged(store, "its sources have 2 identifiers and 2 are listed")


async def test_another_source_than_the_one_that_is_filed_under_a_question_is_damage(
    store: Store, syllabus: Syllabus
) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.zadd(KEYS.question(EFFICACY), {"src_002": 2}))
    await store.run_command(lambda redis: redis.zrem(KEYS.question(EFFICACY), "src_001"))
    await assert_damaged(store, f"1 sources belong to {EFFICACY} and 1 are listed there")


async def test_what_storm_did_not_write_is_damage_and_no_traceback(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 5)
    await store.run_command(lambda redis: redis.hset(KEYS.sources, "src_001", "[]"))
    with pytest.raises(CollectionDamaged, match="it holds something that storm did not write"):
        await store.jobs.hold(JOB)


async def test_what_a_job_writes_while_it_is_checked_is_no_damage(
    store: Store, syllabus: Syllabus, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make_job(store, syllabus, 2)
    whole = ServerKeys.read_hash

    async def overtaken(self: ServerKeys, key: str) -> Mapping[str, str]:
        found = await whole(self, key)
        if key == KEYS.metadata:  # a source is saved when the counters have been read, and before the sources are
            async with await Lease.take(store, JOB) as lease:
                await SourceCollector(store, JOB, lease).save(
                    paper("3"), [SAFETY], DraftCitation("It.", "Median", True)
                )
        return found

    monkeypatch.setattr(ServerKeys, "read_hash", overtaken)
    await store.jobs.check(JOB)


async def test_a_job_that_found_nothing_is_whole(store: Store, syllabus: Syllabus) -> None:
    await store.jobs.create(JobRequest(text="nothing", syllabus=syllabus), JOB)
    nothing = SearchRecord(
        database="pubmed", scope="articles", question=SAFETY, query="x", at=NOW, status=SearchStatus.NONE
    )
    async with await store.jobs.hold(JOB) as lease:
        journal = JobJournal(store, JOB, lease)
        await journal.log_search(nothing)
        for stage in STAGES:
            await journal.finish_stage(stage, "{}")
        await store.jobs.finish(lease, 4)
    job = await store.jobs.check(JOB)
    assert (job.state, job.exit_code) == (JobState.FINISHED, 4)


async def test_a_damaged_job_does_not_keep_others_from_being_listed(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 5)
    await store.jobs.create(JobRequest(text="metformin", syllabus=syllabus), "metformin-x")
    await store.run_command(lambda redis: redis.delete(KEYS.metadata))
    found = await store.jobs.all()
    assert ([job.job_id for job in found.jobs], found.damaged) == (["metformin-x"], (JOB,))
    assert await store.run_command(lambda redis: redis.zcard(INDEX)) == 2


Edit = Callable[[dict[str, Any]], object]


async def edit_json(store: Store, key: str, edit: Edit, field: str = "") -> None:
    """Change a value of a key, the first or the named one."""
    name = field or sorted(await store.run_command(lambda redis: redis.hkeys(key)))[0]
    value = json.loads(await store.run_command(lambda redis: redis.hget(key, name)))
    edit(value)
    await store.run_command(lambda redis: redis.hset(key, name, json.dumps(value)))


async def assert_damaged(store: Store, damage: str, *, check_records: bool = False) -> None:
    """Neither looked at nor worked on, it says so, and nothing of the job is written."""
    before = await contents(store)
    with pytest.raises(CollectionDamaged, match=f"the collection of {JOB} is damaged: .*{damage}"):
        await store.jobs.check(JOB, check_records=check_records)
    with pytest.raises(CollectionDamaged, match=f"the collection of {JOB} is damaged: .*{damage}"):
        await store.jobs.hold(JOB)
    assert await contents(store) == before


@pytest.mark.parametrize("state", ["gathered", "finished"])
@pytest.mark.parametrize(
    ("key", "field", "value", "damage"),
    [
        ("metadata", "state", "odd", "its metadata cannot be read"),
        ("metadata", "created", "x", "its metadata cannot be read"),
        ("metadata", "created", "2026-11-21T09:30:00", "its metadata cannot be read"),
        ("metadata", "mode_version", "x", "its metadata cannot be read"),
        ("metadata", "state", b"\xff", "its metadata cannot be read"),
        ("metadata", "drug", b"\xff", "it holds something that storm did not write"),
        ("metadata", "request", "{}", "its request cannot be read"),
        ("metadata", "questions", SAFETY, "its questions are not those of its plan"),
        ("metadata", "databases", "x", "it holds something that storm did not write"),
        ("metadata", "last_number", "x", "it holds something that storm did not write"),
        ("sources", "src_001", "{}", "it holds something that storm did not write"),
        ("sources", "src_001", b"\xff", "it holds something that storm did not write"),
        ("citations", "cit_x", '{"citation_id": "cit_x"}', "it holds something that storm did not write"),
        ("spending", "agent", "{}", "it holds something that storm did not write"),
        ("spending", "milliseconds", "x", "it holds something that storm did not write"),
        ("exclusions", "pmid:3", "x", "it holds something that storm did not write"),
        ("stages", "plan", '"x"', "the result of plan is not what was stored"),
        ("stages", "gather", "[]", "the result of gather is not what was stored"),
        ("stages", "inputs:plan", "[]", "the result of plan is not what was stored"),
        ("stages", "answer:clinical.safety", "{", "the result of answer:clinical.safety cannot be read"),
        ("metadata", "made:gather", "1", "it holds something that storm did not write"),
        ("metadata", "made:gather", "1 abc", "the result of gather is not what was stored"),
    ],
)
async def test_a_value_that_cannot_be_read_is_damage_and_nothing_is_written(
    store: Store, syllabus: Syllabus, state: str, key: str, field: str, value: str | bytes, damage: str
) -> None:
    await make_job(store, syllabus, STATES["gathered"], "extractive")
    if state == "finished":
        lease = await store.jobs.hold(JOB)
        await store.jobs.finish(lease, 0)
        await lease.release()
    await store.run_command(lambda redis: redis.hset(key_of(key), field, value))
    await assert_damaged(store, damage)


async def hold_third_mode(store: Store, syllabus: Syllabus) -> None:
    """A job of a mode that nobody has heard of here has stored three results."""
    settings = RunSettings(mode="third")
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus, settings=settings), JOB, mode_version=4)
    async with await store.jobs.hold(JOB) as lease:
        journal = JobJournal(store, JOB, lease)
        for name in ("outline", "round:0:heart", "round:1:heart"):
            await journal.finish_stage(name, '{"weak": []}', '{"plan": "abc"}', 4)
    await store.jobs.check(JOB)


@pytest.mark.parametrize("name", ["outline", "round:0:heart"])
async def test_a_result_of_any_mode_that_is_lost_is_named(store: Store, syllabus: Syllabus, name: str) -> None:
    await hold_third_mode(store, syllabus)
    assert await store.run_command(lambda redis: redis.hdel(KEYS.stages, name)) == 1
    await assert_damaged(store, f"the result of {name} is gone")


@pytest.mark.parametrize("field", ["outline", "inputs:outline"])
async def test_a_result_of_any_mode_that_is_another_is_named(store: Store, syllabus: Syllabus, field: str) -> None:
    await hold_third_mode(store, syllabus)
    await store.run_command(lambda redis: redis.hset(KEYS.stages, field, "{}"))
    await assert_damaged(store, "the result of outline is not what was stored")


async def test_digests_of_inputs_that_are_lost_are_damage(store: Store, syllabus: Syllabus) -> None:
    """Without them a resume would take the result as one that was made from the same inputs."""
    await hold_third_mode(store, syllabus)
    assert await store.run_command(lambda redis: redis.hdel(KEYS.stages, "inputs:outline")) == 1
    await assert_damaged(store, "the result of outline is not what was stored")


async def test_a_job_of_any_mode_that_is_finished_has_a_report(store: Store, syllabus: Syllabus) -> None:
    await hold_third_mode(store, syllabus)
    async with await store.jobs.hold(JOB) as lease:
        await store.jobs.finish(lease, 0)
    await assert_damaged(store, "the result of report is gone")


async def test_the_stages_of_a_job_begun_before_results_were_noted_stand_in_their_order(
    store: Store, syllabus: Syllabus
) -> None:
    await make_job(store, syllabus, 4)
    noted = [
        name for name in await store.run_command(lambda redis: redis.hkeys(KEYS.metadata)) if name.startswith("made:")
    ]
    await store.run_command(lambda redis: redis.hdel(KEYS.metadata, *noted))
    await store.jobs.check(JOB)
    async with await store.jobs.hold(JOB) as lease:
        await JobJournal(store, JOB, lease).finish_stage("report", "{}", "", 1)
    await store.jobs.check(JOB)
    await store.run_command(lambda redis: redis.hdel(KEYS.stages, "gather"))
    await assert_damaged(store, "the result of gather is gone")


async def test_a_request_of_another_version_is_no_damage(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, mapping={"request": "{}", "version": "0.0.9"}))
    with pytest.raises(StoreSchemaError, match=r"was made by version 0\.0\.9: this one cannot read its request"):
        await store.jobs.get(JOB)


@pytest.mark.parametrize("value", ["{", b"\xff\xfe", "", "@pmid:9", "{}\t{}", '{"identifiers": []}\t{"sections": "!"}'])
async def test_a_record_that_cannot_be_read_is_damage_for_whoever_reads_records(
    store: Store, syllabus: Syllabus, value: str | bytes
) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.hset(KEYS.hits, "pmid:2", value))
    before = await contents(store)
    await store.jobs.check(JOB)  # it reads no record
    collector = SourceCollector(store, JOB, None)
    readers = (lambda: store.jobs.check(JOB, check_records=True), lambda: store.jobs.hold(JOB), collector.load_sources)
    for read in readers[: 2 if value in ("", "@pmid:9") else 3]:
        with pytest.raises(CollectionDamaged, match=f"the collection of {JOB} is damaged: "):
            await read()
    assert await contents(store) == before


@pytest.mark.parametrize(
    ("key", "edit", "damage"),
    [
        ("sources", lambda it: it.update(number=2), "2 of its sources have the number 2"),
        ("sources", lambda it: it.update(source_id="src_002"), "1 sources are kept under the id of another"),
        ("sources", lambda it: it.update(citation_ids=[]), "1 of its citations and their sources do not name each"),
        (
            "citations",
            lambda it: it.update(quote="Nobody wrote it."),
            "1 of its citations were changed after they were",
        ),
    ],
)
async def test_values_that_contradict_each_other_are_damage(
    store: Store, syllabus: Syllabus, key: str, edit: Edit, damage: str
) -> None:
    await make_job(store, syllabus, 5)
    await edit_json(store, key_of(key), edit)
    await assert_damaged(store, damage)


async def test_a_citation_that_was_moved_to_another_source_is_damage(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 5)
    source = json.loads(await store.run_command(lambda redis: redis.hget(KEYS.sources, "src_001")))
    cited = source["citation_ids"][0]
    await edit_json(store, KEYS.citations, lambda it: it.update(source_id="src_002"), cited)
    await assert_damaged(store, "1 of its citations and their sources do not name each other")
    await edit_json(store, KEYS.citations, lambda it: it.update(source_id=""), cited)
    await assert_damaged(
        store, "1 of its citations and their sources do not name each other; 1 of its citations belong to no"
    )


async def test_an_event_that_cannot_be_read_is_damage_for_whoever_looks_at_events(
    store: Store, syllabus: Syllabus
) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.xadd(KEYS.events, {"kind": "note"}))
    with pytest.raises(CollectionDamaged, match="its events cannot be read"):
        await JobJournal(store, JOB, None).events(8)


@pytest.mark.parametrize(
    ("field", "value"), [("state", "odd"), ("created", "x"), ("created", "2026-11-21T09:30:00"), ("drug", b"\xff")]
)
async def test_a_job_whose_metadata_cannot_be_read_is_named_beside_the_others(
    store: Store, syllabus: Syllabus, field: str, value: str | bytes
) -> None:
    await make_job(store, syllabus, 2)
    await store.jobs.create(JobRequest(text="metformin", syllabus=syllabus), "metformin-x")
    await store.run_command(lambda redis: redis.hset(KEYS.metadata, field, value))
    found = await store.jobs.all()
    assert ([job.job_id for job in found.jobs], found.damaged) == (["metformin-x"], (JOB,))


async def test_a_job_that_is_worked_on_is_never_damaged_for_whoever_looks_in_between(
    store: Store, syllabus: Syllabus
) -> None:
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB, RunSettings(mode="extractive"))
    looks = 0

    async def work(lease: Lease) -> None:
        collector, journal = SourceCollector(store, JOB, lease), JobJournal(store, JOB, lease)
        await collector.set_questions(syllabus.keys)
        for number in range(30):
            hit = paper(str(number + 1))
            record = SearchRecord(
                database="pubmed", scope="articles", question=SAFETY, query=f"her2 {number}", at=NOW,
                status=SearchStatus.FOUND, total=1, hits=(hit.key,),
            )  # fmt: skip
            await journal.log_search(record, [hit])
            registered = await collector.register(hit, DraftCitation("It works.", "Median 7.4.", True))
            await journal.log_step(Step(number=number + 1))
            await collector.save(hit, [EFFICACY, SAFETY], registered.citation.citation_id)

    async with await store.jobs.hold(JOB) as lease:
        working = asyncio.create_task(work(lease))
        while not working.done():
            await store.jobs.check(JOB, check_records=True)
            looks += 1
        await working
    assert looks > 1
    await store.jobs.check(JOB, check_records=True)


async def test_a_source_that_cannot_be_read_is_damage_for_whoever_reads_sources(
    store: Store, syllabus: Syllabus
) -> None:
    await make_job(store, syllabus, 2)
    await edit_json(store, KEYS.sources, lambda it: it.update(questions=["none of them"]))
    collector = SourceCollector(store, JOB, None)

    async def iter_source_summaries() -> None:
        async for _ in collector.iter_source_summaries():
            pass

    for read in (collector.load_sources, iter_source_summaries, lambda: collector.find_source("src_001")):
        with pytest.raises(CollectionDamaged, match=f"the collection of {JOB} is damaged: "):
            await read()


@pytest.mark.parametrize("value", ["{}", "{", b"\xff"])
async def test_a_citation_that_cannot_be_read_is_damage_for_whoever_reads_citations(
    store: Store, syllabus: Syllabus, value: str | bytes
) -> None:
    await make_job(store, syllabus, 2)
    await store.run_command(lambda redis: redis.hset(KEYS.citations, "cit_x", value))
    collector = SourceCollector(store, JOB, None)
    readers = (collector.citations, lambda: collector.citation("cit_x"), lambda: collector.find_citations(["cit_x"]))
    for read in readers:
        with pytest.raises(CollectionDamaged, match="it holds something that storm did not write"):
            await read()


async def test_a_question_that_cannot_be_sent_is_not_taken_for_damage(store: Store, syllabus: Syllabus) -> None:
    await make_job(store, syllabus, 2)
    with pytest.raises(UnicodeEncodeError):
        await SourceCollector(store, JOB, None).find_hits(["half of a pair: \ud83d"])
