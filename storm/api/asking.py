"""One question from Python: its answer, with sources and what it covers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack, cast

from storm.api.blocking import make_synchronous, show_hint
from storm.api.earlier_answers import find_earlier
from storm.api.job import reuse_or_open, run_request, write_files
from storm.api.request import ResearchOptions, check_names, job_request, show_options
from storm.api.research import GivenSettings, check_mapping
from storm.app import App, ChangeCrew
from storm.errors import UsageError
from storm.export import PageSetup
from storm.models import (
    DEFAULT_FORMATS,
    AnsweredBefore,
    DeepResearchResult,
    JobLimits,
    JobRequest,
    Paper,
    RequestKind,
    ResearchReport,
    ResearchSettings,
)
from storm.models.program import DEEP_RESEARCH
from storm.ports import EventSink, Observer
from storm.reports.deep_research import make_result
from storm.settings import Settings, read_settings

#: How many rounds the mode that answers a question may take.
FEWEST_ITERATIONS, MOST_ITERATIONS = 1, 50


class Researched(NamedTuple):
    """The report behind an answer; `earlier` if it is that of an earlier job."""

    report: ResearchReport
    earlier: AnsweredBefore | None = None


@show_options(ResearchOptions)
async def aask(
    question: str,
    *,
    context: str | None = None,
    max_iterations: int = 10,
    minutes: float = 10,
    fresh: bool = False,
    cached: bool = False,
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[ResearchOptions],
) -> DeepResearchResult:
    """Answer a question: refine it, make a checklist, search in rounds for what is open, answer with sources.

        result = await storm.aask("Does metformin cause lactic acidosis?", offline=True)

    `result.answer` cites `result.sources` as [1], [2] …; `result.checklist_coverage` says which items are answered.
    `context`: what was said before, for a question such as "Does it help in COPD?". `max_iterations`: the most rounds,
    1 to 50. `minutes`: after so many it answers with what it has, with a model or without (`limits` are those of a
    model). `research` and `configurable`: settings of research as in `storm.report`; they win over `max_iterations`.

    The same question over the public databases is answered from an earlier job, of which `result.earlier` tells;
    `fresh`: never; `cached`: also a similar one, and offline. A `job_id` or a `crew` asks for a job of its own.

    `result.trace_id` is the job's id: `storm.resume(result.trace_id)` gives the whole report, with quotes and searches.
    Of a result whose `status` is "error" no search succeeded; its `error` says what was tried. The other parameters and
    errors are those of `storm.run` (docs/ask.md).
    """
    with show_hint():
        check_names(options, ResearchOptions, "ask")
        report, earlier = await research_question(
            question, context=context, max_iterations=max_iterations, minutes=minutes, fresh=fresh or bool(job_id),
            cached=cached and not job_id, out=out, formats=formats, job_id=job_id, on_event=on_event, crew=crew,
            settings=settings, app=app, **options,
        )  # fmt: skip
        return make_result(report, earlier)


async def research_question(
    question: str,
    *,
    fresh: bool = False,
    cached: bool = False,
    out: Path | str | None = None,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Any,
) -> Researched:
    """The whole report behind an answer, or behind an earlier one that is taken, of which there are no events; none is
    for a `crew` of the caller's own. The other options are those of `question_request`."""
    settings = app.settings if app else settings or read_settings()
    request = question_request(question, settings, out=out, **options)
    async with reuse_or_open(app, settings) as use:
        earlier = await find_earlier(use, request, fresh=fresh, cached=cached) if crew is None else None
        if earlier and earlier.is_taken:
            report = await use.report(earlier.question.job_id)
            write_files(report, out, request.formats, PageSetup.of(request))
            return Researched(cast(ResearchReport, report), earlier.describe())
        report = await run_request(request, out, job_id, on_event, crew, settings, use)
        return Researched(cast(ResearchReport, report))


def question_request(
    question: str,
    settings: Settings,
    *,
    context: str | None = None,
    max_iterations: int = 10,
    minutes: float = 10,
    limits: JobLimits | None = None,
    research: GivenSettings = None,
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    **options: Any,
) -> JobRequest:
    """The request of a question that is answered in rounds; UsageError for an option that is wrong."""
    _check_iterations(max_iterations)
    limits = limits or JobLimits()
    request = job_request(
        question,
        settings,
        kind=RequestKind.QUESTION,
        mode=DEEP_RESEARCH,
        context=_check_context(context),
        limits=limits.model_copy(update={"minutes": limits.minutes or _check_minutes(minutes)}),
        research=_complete_settings(research, max_iterations),
        out=out,
        formats=formats,
        paper=Paper.A4,
        **options,
    )
    _check_iterations(request.settings.research.max_iterations)  # which a setting may have changed
    return request


def _complete_settings(research: Any, max_iterations: int) -> GivenSettings:
    """These settings, with so many rounds unless they say otherwise."""
    given = research.model_dump(exclude_unset=True) if isinstance(research, ResearchSettings) else research or {}
    return {"max_iterations": max_iterations, **check_mapping(given, "research")}


def _check_iterations(given: Any) -> None:
    is_number = isinstance(given, int) and not isinstance(given, bool)
    if not is_number or not FEWEST_ITERATIONS <= given <= MOST_ITERATIONS:
        raise UsageError(
            f"max_iterations is {given!r}; it must be a whole number from {FEWEST_ITERATIONS} to {MOST_ITERATIONS}",
            setting="max_iterations",
        )


def _check_minutes(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
        raise UsageError(f"minutes is {given!r}; it must be a number above 0", setting="minutes")
    return float(given)


def _check_context(given: Any) -> str:
    if given is not None and not isinstance(given, str):
        raise UsageError(f"context is {given!r}; it must be text", hint="give what was said before, in words")
    return given or ""


ask = make_synchronous(aask)
