"""A job in memory that a scripted model works on, with the real tools, collection and journal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple

import dspy
from agents.library import NOW, PLAN, REQUEST, Library
from agents.scripted import adapter
from fakeredis import FakeServer
from stores import JOB, open_quick_store, store_in_memory

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.broad_researcher import BroadResearcher
from storm.agents.judge import SupportJudge
from storm.extractive import ExtractiveResearcher
from storm.models import Dossier, JobRequest, Plan
from storm.modes import Crew, run_mode
from storm.ports import Collection, Journal, Pages, Searcher
from storm.store import JobJournal, SourceCollector
from storm.tools import JobSearch, JobTools, SourceReader, SourceReview, database_tools


class Job(NamedTuple):
    """One job, and what it searches and reads."""

    collection: SourceCollector
    journal: JobJournal
    databases: Sequence[Library]
    pages: Pages | None = None

    async def gather(self, lm: dspy.LM, dialect: str = "chat", plan: Plan = PLAN, **limits: Any) -> str:
        """What a process does that takes the job up."""
        return await (await self.researcher(lm, dialect, **limits)).gather(REQUEST, plan)

    async def researcher(
        self, lm: dspy.LM, dialect: str = "chat", *, prefill: bool = False, **limits: Any
    ) -> BroadResearcher:
        """With the tools that a job has; with `prefill`, after a first pass of rules."""
        completed = await self.journal.searches()
        searcher = JobSearch(self.databases, self.journal, lambda: NOW, completed)

        def tools(plan: Plan) -> list[Callable[..., Any]]:
            box = JobTools(self.collection, plan, self.pages, searcher.rendezvous)
            review = SourceReview(self.collection, plan)
            searching = database_tools(searcher, self.collection, plan, marks_saved=prefill)
            return [
                *searching, SourceReader(self.collection).read_source,
                box.scrape_url, box.save_source, box.register_citation, box.get_citation, box.get_progress,
                box.check_completion, *([review.list_sources, review.refile_source] if prefill else []),
            ]  # fmt: skip

        if prefill:
            rules = ExtractiveResearcher(
                searcher, lambda plan: JobTools(self.collection, plan), self.collection, self.journal, plain=True
            )
            limits["first_pass"] = partial(rules.gather, REQUEST)
        parts = _JobParts(tools, self.collection, searcher, self.journal)
        return BroadResearcher(lm, job=parts, clock=lambda: NOW, adapter=adapter(dialect), **limits)

    async def saved(self) -> list[tuple[str, tuple[str, ...]]]:
        """The collection, as far as it can differ."""
        return [(source.hit.key, source.questions) for source in await self.collection.load_sources()]

    async def dossier(self, lm: dspy.LM) -> Dossier:
        """The whole job, with this model in all roles."""
        crew = Crew(
            engine="scripted",
            planner=_Rest(),
            researcher=await self.researcher(lm),
            checker=_Rest(),
            synthesizer=AnswerSynthesizer(lm, judge=SupportJudge(lm), adapter=adapter("chat"), today=NOW.date),
            collection=self.collection,
            journal=self.journal,
        )
        return (await run_mode(await self.journal._store.jobs.get(JOB), crew)).report

    async def calls(self) -> list[tuple[str, str]]:
        """The tools that were called, with their arguments."""
        return [(call.tool, call.arguments) for step in await self.journal.steps() for call in step.calls]


class _JobParts(NamedTuple):
    """A `JobContext` made of its parts."""

    tools: Callable[[Plan], Sequence[Callable[..., Any]]]
    collection: Collection
    searcher: Searcher
    journal: Journal


class _Rest:
    """What a job needs beside its models."""

    async def plan(self, request: JobRequest) -> Plan:
        return PLAN

    async def check(self) -> None:
        """Nothing more is known of the sources."""


@asynccontextmanager
async def open_job(
    *databases: Library, pages: Pages | None = None, server: FakeServer | None = None, job_id: str = JOB
) -> AsyncIterator[Job]:
    """A new job, held; in a store of its own where no server is given."""
    async with store_in_memory(server) if server else open_quick_store() as store:
        await store.jobs.create(REQUEST, job_id)
        async with await store.jobs.hold(job_id) as lease:
            collection = SourceCollector(store, job_id, lease)
            await collection.set_questions(PLAN.syllabus.keys)
            yield Job(collection, JobJournal(store, job_id, lease), databases, pages)
