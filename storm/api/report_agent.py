"""The repurposing report as an agent, for programs in which agents call each other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Literal, NamedTuple, Unpack

from storm.api.blocking import check_no_loop, show_hint
from storm.api.job import arepurpose
from storm.api.job_stream import stream_job
from storm.api.request import RepurposingOptions, check_names
from storm.app import App, ChangeCrew
from storm.models import Event, RepurposingReport, ResearchReport
from storm.ports import EventSink, Observer
from storm.reports.failures import describe_failures, describe_unresearched
from storm.reports.repurposing_wording import NO_EVIDENCE
from storm.settings import Settings


class AgentAnswer(NamedTuple):
    """What a ReportAgent answers: the report as Markdown (`text`) and as `data`, with the `id` "report-complete"; or
    one sentence and no data, with "report-no-evidence". What could not be searched is said after that sentence.
    `job_id` is the job's, and `exit_code` 0 (complete), 3 (partial) or 4 (nothing found).

        answer = storm.ReportAgent(offline=True).run("metformin for breast cancer")
        print(answer.text)
    """

    text: str
    id: Literal["report-complete", "report-no-evidence"]
    data: RepurposingReport | None
    job_id: str
    exit_code: int


class ReportAgent:
    """Answers a drug and a disease with a repurposing report.

        agent = storm.ReportAgent(offline=True)
        answer = agent.run("metformin for breast cancer")

    The options are those of `storm.repurpose`, for every query; so are the errors. Each call is a job of its own.
    `await agent.arun(…)` is `run` inside an event loop, and `agent.run_stream(…)` gives the events of the job while it
    runs, and last the answer (docs/repurposing.md).
    """

    def __init__(
        self,
        *,
        crew: ChangeCrew | None = None,
        settings: Settings | None = None,
        app: App | None = None,
        **options: Unpack[RepurposingOptions],
    ) -> None:
        check_names(options, RepurposingOptions, "ReportAgent")
        self._crew = crew
        self._settings = settings
        self._app = app
        self._options = options

    def run(self, query: str) -> AgentAnswer:
        """Work on the query to its end; `await agent.arun(query)` inside an event loop."""
        with show_hint():
            check_no_loop("ReportAgent.run", "agent.arun")
        return asyncio.run(self.arun(query))

    async def arun(self, query: str) -> AgentAnswer:
        """Work on the query to its end."""
        return await self._work(query, None)

    async def run_stream(self, query: str) -> AsyncGenerator[Event | AgentAnswer, None]:
        """The events of the job while it runs, and last the answer.

            async with contextlib.aclosing(agent.run_stream("metformin for breast cancer")) as stream:
                async for event in stream:
                    print(event)

        Closing it early, or cancelling who reads it, stops the job, which `storm.resume(event.job_id)` takes up again.
        """
        async with aclosing(stream_job(partial(self._work, query))) as stream:
            async for event in stream:
                yield event

    async def _work(self, query: str, on_event: Observer | EventSink | None) -> AgentAnswer:
        report = await arepurpose(
            query, on_event=on_event, crew=self._crew, settings=self._settings, app=self._app, **self._options
        )
        return _make_answer(report)


def _make_answer(report: ResearchReport) -> AgentAnswer:
    data = report.repurposing.report if report.repurposing else None
    if data is None:
        failed = (*describe_failures(report), *describe_unresearched(report))
        text = " ".join((NO_EVIDENCE, *(f"{what.rstrip('.')}." for what in failed)))
        return AgentAnswer(text, "report-no-evidence", None, report.job_id, report.exit_code)
    return AgentAnswer(data.to_markdown(), "report-complete", data, report.job_id, report.exit_code)
