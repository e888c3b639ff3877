"""What happens in a job stands in its stream, and goes to the sinks of whoever holds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fakeredis import FakeServer
from hypothesis import given
from hypothesis import strategies as st
from stores import JOB, NOW, store_in_memory

from storm.errors import CollectionDamaged
from storm.models import (
    DraftCitation,
    Event,
    Hit,
    JobRequest,
    RunSettings,
    SearchRecord,
    SearchStatus,
    StageRange,
    Syllabus,
    stage_ranges,
)
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.store.events import MAX_MESSAGE, read_event
from storm.store.keys import JobKeys

HIT = Hit.of("pubmed", "11821453", "https://pubmed.ncbi.nlm.nih.gov/11821453/", "First-line trastuzumab")
HALF = StageRange(0.0, 0.5)


class Recorder:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def write(self, event: Event) -> None:
        self.events.append(event)


class Failing(Recorder):
    """One that fails at its second event."""

    async def write(self, event: Event) -> None:
        await super().write(event)
        if len(self.events) == 2:
            raise OSError("no space left on device")


@pytest.fixture
async def job(store: Store, syllabus: Syllabus) -> Store:
    """A store with a job that nobody holds."""
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    return store


async def work(store: Store, lease: Lease) -> None:
    """All that writes events in a job that ends well."""
    journal, collection = JobJournal(store, JOB, lease), SourceCollector(store, JOB, lease)
    await collection.set_questions(["clinical.efficacy"])
    await journal.begin_stage("gather", HALF)
    record = SearchRecord(
        database="pubmed", scope="articles", question="clinical.safety", query="q", at=NOW, status=SearchStatus.FOUND,
        total=1,
    )  # fmt: skip
    await journal.log_search(record, [HIT])
    await collection.save(HIT, ["clinical.efficacy"], DraftCitation(HIT.title, HIT.title, True))
    await journal.report("progress", "sources per question", 0.5, **{"clinical.efficacy": "1/5"})
    await store.jobs.change(lease, RunSettings(model="another"), "goes on with another model")
    await store.jobs.finish(lease, 3)


async def test_a_sink_is_given_what_the_stream_took(job: Store) -> None:
    recorder = Recorder()
    async with await job.jobs.hold(JOB, [recorder]) as lease:
        await work(job, lease)
    created, *stream = await JobJournal(job, JOB, None).events(20)
    assert recorder.events == stream
    assert [event.kind for event in stream] == ["stage", "search", "saved", "progress", "changed", "finished"]
    assert [event.progress for event in stream] == [0.0, 0.0, 0.0, 0.25, 0.25, 1.0]
    assert {event.stage for event in stream} == {"gather"} and created.stage == ""
    assert {event.job_id for event in (created, *stream)} == {JOB}


async def test_an_event_has_data_of_several_types(job: Store) -> None:
    async with await job.jobs.hold(JOB) as lease:
        await JobJournal(job, JOB, lease).report("note", "α", n=3, share=0.5, names=["a"], part=None, kind=True)
    (event,) = await JobJournal(job, JOB, None).events(1)
    assert event.data == {"n": 3, "share": 0.5, "names": ["a"], "part": None, "kind": True}


async def test_a_sink_that_fails_is_logged_and_left_out_and_the_job_and_the_others_go_on(
    job: Store, caplog: pytest.LogCaptureFixture
) -> None:
    failing, recorder = Failing(), Recorder()
    async with await job.jobs.hold(JOB, [failing, recorder]) as lease:
        await work(job, lease)
    kinds = [event.kind for event in recorder.events]
    assert kinds == ["stage", "search", "observer", "saved", "progress", "changed", "finished"]
    assert recorder.events[2].message.endswith("gets no more events: OSError: no space left on device")
    assert [event.kind for event in failing.events] == ["stage", "search"]
    assert (await JobJournal(job, JOB, None).events(7)) == recorder.events
    (logged,) = caplog.records
    assert JOB in logged.getMessage() and logged.exc_info


async def test_what_stops_a_program_passes_through_a_sink(job: Store) -> None:
    class Leaving(Recorder):
        async def write(self, event: Event) -> None:
            raise KeyboardInterrupt

    async with await job.jobs.hold(JOB, [Leaving()]) as lease:
        with pytest.raises(KeyboardInterrupt):
            await JobJournal(job, JOB, lease).report("note", "all is there")


async def test_a_sink_is_given_one_event_at_a_time(job: Store) -> None:
    class Slow(Recorder):
        busy = 0

        async def write(self, event: Event) -> None:
            self.busy += 1
            assert self.busy == 1
            await asyncio.sleep(0)
            self.busy -= 1
            await super().write(event)

    slow = Slow()
    async with await job.jobs.hold(JOB, [slow]) as lease:
        journal = JobJournal(job, JOB, lease)
        await journal.begin_stage("gather", HALF)
        await asyncio.gather(*(journal.report("note", str(n), n / 9) for n in range(9)))
    assert {event.message for event in slow.events} == {"gather", *map(str, range(9))}
    assert sorted(event.progress for event in slow.events) == [event.progress for event in slow.events]


async def test_events_of_an_earlier_version_are_read(job: Store) -> None:
    old = {"at": NOW.isoformat(), "kind": "search", "message": "PubMed: 7 for q", "data": '{"database": "pubmed"}'}
    await job.run_command(lambda redis: redis.xadd(JobKeys(JOB).events, old))
    (event,) = await JobJournal(job, JOB, None).events(1)
    assert (event.kind, event.data, event.stage, event.progress) == ("search", {"database": "pubmed"}, "", 0.0)


@pytest.mark.parametrize(
    "damage",
    [{"data": "5"}, {"data": "null"}, {"data": "[]"}, {"data": '[["a", 1]]'}, {"data": "{"}, {"progress": "nan"},
     {"progress": "7"}, {"progress": "-1"}, {"at": "noon"}],
)  # fmt: skip
async def test_an_event_that_storm_did_not_write_is_reported(job: Store, damage: dict[str, str]) -> None:
    fields = {"at": NOW.isoformat(), "kind": "search", "message": "q", "progress": "1", "data": "{}"}
    assert read_event(JOB, "1-0", fields).progress == 1
    with pytest.raises(ValueError):
        read_event(JOB, "1-0", fields | damage)
    await job.run_command(lambda redis: redis.xadd(JobKeys(JOB).events, fields | damage))
    with pytest.raises(CollectionDamaged):
        await JobJournal(job, JOB, None).events(1)


async def test_a_message_that_is_too_long_is_cut(job: Store) -> None:
    async with await job.jobs.hold(JOB) as lease:
        journal = JobJournal(job, JOB, lease)
        await journal.report("model", "ω" * 20_000)
        await job.jobs.fail(lease, "ω" * 20_000)
    for event in await journal.events(2):
        assert len(event.message) == MAX_MESSAGE and event.message.endswith("ω…")


STAGES = {"plan": 1.0, "gather": 6.0, "report": 3.0}

#: What a process does with a job, until it ends or dies: a stage begins, a part of it is done, a source is saved.
DEEDS = st.one_of(
    st.tuples(st.just("stage"), st.sampled_from([*STAGES, "unheard-of"])),
    st.tuples(st.just("part"), st.floats(-1, 2)),
    st.tuples(st.just("save"), st.integers(1, 3)),
)
PROCESSES = st.lists(st.tuples(st.lists(DEEDS, max_size=6), st.sampled_from(["dies", "fails"])), max_size=3)


@asynccontextmanager
async def new_job() -> AsyncIterator[Store]:
    async with store_in_memory(FakeServer()) as store:
        await store.jobs.create(JobRequest(text="trastuzumab"), JOB)
        yield store


async def do(store: Store, lease: Lease, deeds: Sequence[tuple[str, Any]]) -> None:
    journal, collection = JobJournal(store, JOB, lease), SourceCollector(store, JOB, lease)
    await collection.set_questions(["q"])
    for deed, value in deeds:
        if deed == "stage":
            await journal.begin_stage(value, stage_ranges(STAGES).get(value, StageRange()))
        elif deed == "part":
            await journal.report("progress", "sources per question", value)
        else:
            hit = Hit.of("pubmed", str(value), f"https://example.org/{value}", f"Study {value}")
            await collection.record_hits([hit])
            await collection.save(hit, ["q"], DraftCitation(hit.title, hit.title, True))


@pytest.mark.long
@pytest.mark.slow
@given(processes=PROCESSES, ends=st.booleans())
async def test_progress_never_falls_and_is_1_exactly_when_the_job_is_finished(
    processes: Sequence[tuple[Sequence[tuple[str, Any]], str]], ends: bool
) -> None:
    recorders: list[Recorder] = []
    async with new_job() as store:
        for deeds, end in (*processes, ((), "finishes")):
            recorders.append(Recorder())
            async with await store.jobs.hold(JOB, recorders[-1:]) as lease:
                await do(store, lease, deeds)
                if end == "fails":
                    await store.jobs.fail(lease, "the model failed")
                elif end == "finishes" and ends:
                    await store.jobs.finish(lease, 0)
        stream = await JobJournal(store, JOB, None).events(1000)
    assert [event.progress for event in stream] == sorted(event.progress for event in stream)
    assert [event.kind for event in stream if event.progress == 1] == ["finished"] * ends
    assert stream[1:] == [event for recorder in recorders for event in recorder.events]


class Reporting(Recorder):
    """A sink that reports an event for each that it is given."""

    journal: JobJournal

    async def write(self, event: Event) -> None:
        await super().write(event)
        await self.journal.report("seen", event.message)


async def test_what_a_sink_reports_stands_in_the_stream_and_goes_to_no_sink(job: Store) -> None:
    sink = Reporting()
    async with await job.jobs.hold(JOB, [sink]) as lease:
        sink.journal = JobJournal(job, JOB, lease)
        await sink.journal.report("own", "first")
        await sink.journal.report("own", "second")
    given = [(event.kind, event.message) for event in sink.events]
    assert given == [("own", "first"), ("own", "second")]
    stream = [(event.kind, event.message) for event in await JobJournal(job, JOB, None).events(10)]
    assert [event for event in stream if event[0] == "seen"] == [("seen", "first"), ("seen", "second")]
