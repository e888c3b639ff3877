"""The flow of a job that was killed while it gathered is that of a job that was left alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import pytest
from agents.jobs import Job
from agents.library import NOW, Library, says
from agents.scripted import asked, scripted_lm
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from reports.flows import read_flow
from stores import JOB, open_quick_store

from storm.extractive.researcher import ExtractiveResearcher
from storm.models import Exclusion, Hit, JobRequest, Plan, Question, RecordFlow, Syllabus
from storm.store import JobJournal, SourceCollector, Store
from storm.store.pipelining import AutoPipeline, Command
from storm.tools import JobSearch, JobTools

HEART = Question(
    key="heart", label="Cardiac dysfunction", description="Does it harm the heart?", min_sources=1,
    queries={"default": ("cardiac dysfunction", "heart failure")},
)  # fmt: skip
SLEEP = Question(
    key="sleep", label="Sleep", description="Do they sleep?", min_sources=1, queries={"default": ("broken",)}
)
SYLLABUS = Syllabus(name="own", questions=(HEART, SLEEP), min_databases=1)
PLAN = Plan(names=("trastuzumab",), syllabus=SYLLABUS)
REQUEST = JobRequest(text="trastuzumab", syllabus=SYLLABUS)

Gather = Callable[[Job], Awaitable[object]]


class Kill(NamedTuple):
    """The process dies at this round trip to the store: before its commands arrive there, or before it is answered."""

    trip: int
    arrived: bool


def paper(database: str, number: int, text: str = "It was followed by cardiac dysfunction.", **fields: Any) -> Hit:
    title = fields.pop("title", f"Trastuzumab in cohort {number}")
    return Hit.of(database, str(number), f"https://example.org/{database}/{number}", title, text=text, **fields)


def make_databases() -> Sequence[Library]:
    """Two that share works, with records that are excluded for each reason."""
    pubmed, europepmc = Library("pubmed", 0), Library("europepmc", 0)
    pubmed._hits = [
        paper("pubmed", 20, text=""),
        paper("pubmed", 21, title="Lapatinib in cohort 21"),
        paper("pubmed", 22, publication_types=("Published Erratum",)),
        paper("pubmed", 23, text="They liked it."),
        *(paper("pubmed", number, doi=f"10.1000/{number}") for number in range(1, 9)),
    ]
    europepmc._hits = [paper("europepmc", number, doi=f"10.1000/{number}") for number in range(5, 15)]
    return pubmed, europepmc


async def gather_by_rules(job: Job) -> object:
    searcher = JobSearch(job.databases, job.journal, lambda: NOW, await job.journal.searches())
    researcher = ExtractiveResearcher(
        searcher, lambda plan: JobTools(job.collection, plan), job.collection, job.journal
    )
    return await researcher.gather(REQUEST, PLAN)


def gather_by_agent(chosen: Sequence[int]) -> Gather:
    """By an agent that looks at both databases, saves these records of PubMed, and declines the others."""

    def reply(prompt: str) -> str:
        fields = asked(prompt)
        for database in ("pubmed", "europepmc"):
            if f"search_{database}(" not in fields["recent_steps"]:
                return says(f"search_{database}", {"words": "cardiac dysfunction", "question": "heart"})
        saved = re.search(r"Sources saved: (\d+)", fields["state"])
        rest = chosen[int(saved[1]) if saved else 0 :]
        if not rest:
            return says("finish", {})
        found = {"source_type": "pubmed", "external_id": str(rest[0]), "url": "", "title": ""}
        return says("save_source", found | {"relevant_questions": ["heart"]})

    return lambda job: job.gather(scripted_lm(reply), plan=PLAN, max_iters=12)


async def play(gather: Gather, kills: Sequence[Kill], store: Store) -> RecordFlow:
    """The flow of a job that each of these kills ends, and then a resume completes."""
    databases = make_databases()
    await store.jobs.create(REQUEST, JOB)
    for kill in (*kills, None):
        async with await store.jobs.hold(JOB) as lease:
            collection = SourceCollector(store, JOB, lease)
            await collection.set_questions(SYLLABUS.keys)
            job = Job(collection, JobJournal(store, JOB, lease), databases)
            await run_until(kill, gather(job))
    return await read_flow(SourceCollector(store, JOB, None), JobJournal(store, JOB, None))


async def run_until(kill: Kill | None, work: Awaitable[object]) -> None:
    """Run it until it is killed or done: from the kill on, nothing that it sends arrives, nor is it answered."""
    trips = 0
    send = AutoPipeline._send_commands

    async def count(sender: AutoPipeline, commands: Sequence[Command]) -> Sequence[Any]:
        nonlocal trips
        trips += 1
        if kill is None or trips < kill.trip:
            return await send(sender, commands)
        if trips == kill.trip and kill.arrived:
            await send(sender, commands)
        running.cancel()
        return await asyncio.Future()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AutoPipeline, "_send_commands", count)
        running = asyncio.ensure_future(work)
        await asyncio.wait([running])
    assert running.cancelled() or kill is None or trips < kill.trip
    if not running.cancelled():
        running.result()


async def left_alone(gather: Gather) -> RecordFlow:
    async with open_quick_store() as store:
        return await play(gather, [], store)


KILLS = st.lists(st.builds(Kill, st.integers(1, 18), st.booleans()), min_size=1, max_size=3)


@pytest.mark.slow
@settings(max_examples=12)
@given(KILLS)
async def test_a_job_without_a_model_that_was_killed_has_the_flow_of_one_that_was_left_alone(
    kills: Sequence[Kill],
) -> None:
    alone = await left_alone(gather_by_rules)
    assert alone.total.reasons.keys() == {
        Exclusion.NOT_NAMED, Exclusion.NO_REPORT, Exclusion.NO_QUESTION, Exclusion.NO_TEXT, Exclusion.MINIMUM_MET,
        Exclusion.NOT_CITED,
    }  # fmt: skip
    async with open_quick_store() as store:
        assert await play(gather_by_rules, kills, store) == alone


@pytest.mark.slow
@settings(max_examples=6, phases=[Phase.generate])
@given(st.lists(st.integers(1, 4), max_size=4, unique=True), KILLS)
async def test_what_an_agent_declined_before_it_was_killed_is_declined_after_it(
    chosen: Sequence[int], kills: Sequence[Kill]
) -> None:
    gather = gather_by_agent(chosen)
    alone = await left_alone(gather)
    assert alone.total.sought == len(chosen)
    assert alone.total.reasons[Exclusion.DECLINED] == 14 - len(chosen)
    async with open_quick_store() as store:
        assert await play(gather, kills, store) == alone
