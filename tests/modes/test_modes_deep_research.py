"""Answering a question in rounds: when they end, what a round searches for, and what a resume repeats."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from long_parameters import mark_long

from storm.app import App, Workbench, open_app
from storm.app.crews import Crews
from storm.export import to_json
from storm.models import (
    ChecklistReview,
    Event,
    Finding,
    ItemJudgement,
    ItemState,
    JobLimits,
    JobRequest,
    Plan,
    RequestKind,
    ResearchReport,
    ResearchSettings,
    RunSettings,
    SearchIteration,
    SearchQuery,
    Source,
    StopReason,
)
from storm.modes import Crew, DeepResearchCrew
from storm.settings import read_settings

QUESTION = "Does metformin lower HbA1c in type 2 diabetes?"
#: The report of the job that nobody stops, and how often the judge was asked in it: made by the first test.
UNDISTURBED: list[tuple[dict[str, Any], int]] = []


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


class Judge:
    """Judges every item the same in each round, as given; the last is repeated. Each round asks for new words."""

    def __init__(self, states: Sequence[ItemState], *words: str) -> None:
        self._states, self._words = states, words
        self.calls = 0

    def change(self, bench: Workbench, crew: Crew) -> Crew:
        assert crew.research is not None and crew.research.deep_research is not None
        refiner, planner, _ = crew.research.deep_research
        roles = crew.research._replace(deep_research=DeepResearchCrew(refiner, planner, self))
        return crew._replace(research=roles)

    async def judge(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], iterations: Sequence[SearchIteration]
    ) -> ChecklistReview:
        self.calls += 1
        number = len(iterations) - 1
        state = self._states[min(number, len(self._states) - 1)]
        words = self._words[number : number + 1]
        searches = (SearchQuery(names=("metformin",), words=words),) if words else ()
        return ChecklistReview(
            items=tuple(ItemJudgement(question=key, state=state, searches=searches) for key in plan.syllabus.keys)
        )


def request(text: str = QUESTION, *, minutes: float | None = None, context: str = "", most: int = 10) -> JobRequest:
    research = ResearchSettings(max_search_results=10, max_iterations=most)
    return JobRequest(
        kind=RequestKind.QUESTION,
        text=text,
        context=context,
        offline=True,
        settings=RunSettings(mode="deep_research", research=research, limits=JobLimits(minutes=minutes)),
    )


async def work(
    app: App, job_id: str, change: Callable[[Workbench, Crew], Crew] | None = None, stop_at: str = ""
) -> ResearchReport | None:
    """The report, unless the job is cancelled when the stage of that name begins."""

    def observe(event: Event) -> None:
        if event.kind == "stage" and event.message == stop_at:
            task.cancel()

    task = asyncio.create_task(app.work(job_id, observe, change=change))
    try:
        report = await task
    except asyncio.CancelledError:
        return None
    assert isinstance(report, ResearchReport)
    return report


async def run(asked: JobRequest, change: Callable[[Workbench, Crew], Crew] | None = None) -> ResearchReport:
    async with open_app(read_settings()) as app:
        report = await work(app, (await app.start(asked)).job_id, change)
    assert report is not None and report.deep_research is not None
    return report


def rounds_of(report: ResearchReport) -> Sequence[SearchIteration]:
    assert report.deep_research is not None
    return report.deep_research.iterations


def stop_of(report: ResearchReport) -> StopReason:
    assert report.deep_research is not None
    return report.deep_research.stop_reason


async def test_rules_answer_a_question_on_the_sample_in_at_most_twelve_sentences_that_each_stand_once() -> None:
    report = await run(request())
    assert report.research is not None
    (section,) = report.research.sections
    said = [sentence for paragraph in section.paragraphs for sentence in paragraph]
    assert 1 <= len(said) <= 12
    assert len({one.identity for one in said}) == len(said)
    assert said[0].question == "answer" and "metformin" in f"{said[0].text} {said[0].paragraph}".casefold()
    answer = rounds_of(report)[-1].review.items[0]
    assert answer.question == "answer" and answer.state is ItemState.SATISFIED
    stated = {one.identity for one in report.answers[0].all_statements}
    assert answer.evidence and stated >= set(answer.evidence)


@pytest.mark.slow
async def test_the_context_says_what_it_means() -> None:
    report = await run(request("Does it lower HbA1c?", context="We spoke of metformin."))
    assert report.deep_research is not None
    assert report.deep_research.refined.text == "Does metformin lower HbA1c?"


async def test_a_checklist_that_is_satisfied_ends_the_rounds() -> None:
    report = await run(request(), (judge := Judge([ItemState.SATISFIED])).change)
    assert len(rounds_of(report)) == 1 and judge.calls == 1
    assert stop_of(report) is StopReason.COMPLETE


async def test_without_a_further_search_the_rounds_end() -> None:
    report = await run(request(), Judge([ItemState.PARTIAL]).change)
    assert len(rounds_of(report)) == 1 and stop_of(report) is StopReason.NO_PROGRESS


@pytest.mark.slow
async def test_two_rounds_without_a_new_statement_are_the_last() -> None:
    report = await run(request(), Judge([ItemState.PARTIAL], *(f"zorb{n}" for n in range(9))).change)
    assert stop_of(report) is StopReason.NO_PROGRESS
    assert [bool(one.new_facts) for one in rounds_of(report)[-2:]] == [False, False]


async def test_a_round_searches_for_what_is_open_and_the_rounds_have_a_limit() -> None:
    report = await run(request(most=2), Judge([ItemState.PARTIAL], "survival", "weight", "mortality").change)
    _, second = rounds_of(report)
    assert stop_of(report) is StopReason.MAX_ITERS
    assert all(query.words == ("survival",) for queries in second.searches.values() for query in queries)


@pytest.mark.slow
async def test_each_round_moves_the_progress_and_none_to_where_the_answer_is_written() -> None:
    seen: dict[str, float] = {}
    async with open_app(read_settings()) as app:
        job = await app.start(request())
        await app.work(
            job.job_id,
            lambda event: seen.setdefault(event.message, event.progress) if event.kind == "stage" else None,
            change=Judge([ItemState.PARTIAL], "survival", "weight", "mortality").change,
        )
    assert list(seen.values()) == sorted(seen.values())
    rounds = [seen[name] for name in ("search", "judge:1", "search:2", "judge:2", "search:3", "section")]
    assert all(one < after for one, after in pairwise(rounds)), rounds


@pytest.mark.slow
async def test_when_the_minutes_are_over_what_is_there_is_answered() -> None:
    seconds = iter(range(0, 10_000, 100))
    given = read_settings()
    async with open_app(given) as app:
        app._crews = Crews(given, clock=lambda: float(next(seconds)))
        job = await app.start(request(minutes=1))
        report = await work(app, job.job_id, Judge([ItemState.PARTIAL], "survival", "weight").change)
    assert report is not None and stop_of(report) is StopReason.BUDGET
    assert len(rounds_of(report)) == 1
    assert report.research is not None and report.research.sections[0].paragraphs


@pytest.mark.slow
async def test_the_rounds_that_were_run_are_those_of_a_resume_that_has_no_time_left() -> None:
    now, step = 0.0, 0.0

    def read_clock() -> float:
        nonlocal now
        now += step
        return now

    given = read_settings()
    async with open_app(given) as app:
        app._crews = Crews(given, clock=read_clock)
        job = await app.start(request(minutes=1))
        judge = Judge([ItemState.PARTIAL, ItemState.SATISFIED], "survival")
        assert await work(app, job.job_id, judge.change, stop_at="report") is None
        step = 100.0
        report = await work(app, job.job_id, judge.change)
    assert report is not None and len(rounds_of(report)) == judge.calls == 2
    assert stop_of(report) is StopReason.COMPLETE


@pytest.mark.parametrize(
    "text",
    ["Who won the cup in 1998?", "¿La metformina reduce la mortalidad?", "Is roflumilast of use in COPD?", "it? " * 50],
)
async def test_a_question_without_a_record_ends_and_says_so(text: str) -> None:
    report = await run(request(text))
    assert rounds_of(report) and report.deep_research is not None
    assert all(item.reason for item in report.deep_research.judgements)


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    mark_long(
        ["refine", "plan", "queries", "search", "file", "check", "answer", "judge:1", "search:2", "file:2", "answer:2",
         "judge:2", "section", "report"],
        but=("plan", "file", "judge:1", "answer:2", "report"),
    ),
)  # fmt: skip
async def test_a_job_that_was_stopped_goes_on_to_the_same_report_and_repeats_nothing(stage: str) -> None:
    given = ([ItemState.PARTIAL, ItemState.SATISFIED], "survival")
    if not UNDISTURBED:
        UNDISTURBED.append((without_times(await run(request(), (whole := Judge(*given)).change)), whole.calls))
    expected, calls = UNDISTURBED[0]
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        assert await work(app, job_id, (first := Judge(*given)).change, stop_at=stage) is None
        report = await work(app, job_id, (second := Judge(*given)).change)
    assert report is not None and without_times(report) == expected
    assert first.calls + second.calls == calls


def without_times(report: ResearchReport) -> dict[str, Any]:
    """The report without the id of its job and its times."""
    fields: dict[str, Any] = json.loads(to_json(report))
    del fields["job_id"], fields["created"]
    for line in fields["search_log"]:
        del line["at"]
    return fields
