"""One job from Python: start it, resume it, list what is there."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Unpack, cast

from storm.api.blocking import make_synchronous, show_hint
from storm.api.request import (
    JobOptions,
    ReportOptions,
    RepurposingOptions,
    check_choice,
    check_names,
    job_request,
    show_options,
)
from storm.app import App, ChangeCrew, event_sinks, open_app
from storm.export import PageSetup, check_folder, check_formats, check_pages, write_report
from storm.models import DEFAULT_FORMATS, Dossier, JobLimits, JobRequest, Paper, RequestKind, ResearchReport
from storm.ports import EventSink, Observer
from storm.reports import Report
from storm.settings import Settings, read_settings
from storm.store import JobSummary

_log = logging.getLogger("storm")


@show_options(JobOptions)
async def arun(
    drug: str,
    *,
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    paper: str = Paper.A4,
    template: Path | str | None = None,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[JobOptions],
) -> Dossier:
    """Run a job and return the dossier of its drug.

        dossier = await storm.arun("trastuzumab", offline=True, out="reports/trastuzumab")

    `also`: synonyms. `meaning`: the drug that is meant where several share a name. `kind`: "question", "topic" or
    "repurposing", for a mode that takes one. `databases`: search only these. `syllabus`: a file of your own questions.
    `model`: a language model ("openai/…"); default those of config/models.yaml, or none. `limits`: its budget.
    `program`: the name or file of what `storm optimize` saved. `mode`: "broad" (with a model), "extractive", or
    "parallel", which takes `preferences`, `research` and `configurable` as `storm.report` does.
    `unsupported`: "remove" or "mark" a statement that its source does not support. `prefill`: "rules" file what is
    plainly about the drug before the model is called, or "none". `out`: the folder for the files,
    of `formats`; without it no file is written. `paper`: "a4" or "letter", for docx and pdf. `template`: a .docx file
    with the styles, headers and footers for docx. `job_id`: an id of your own (a-z, 0-9 and -). `on_event`: a function
    or EventSink that gets each Event; if it fails, the error is logged and the job goes on. `crew`: a function that
    replaces parts of the job (docs/models.md). `settings`: default those of the environment. `app`: an open App.

    Raises storm.errors.StormError; UsageError, before there is a job, if a format lacks its library or its template
    cannot be read. The dossier's `exit_code` is 0 (complete), 3 (partial) or 4 (nothing found).
    """
    with show_hint():
        settings = app.settings if app else settings or read_settings()
        check_names(options, JobOptions, "run")
        request = job_request(drug, settings, out=out, formats=formats, paper=paper, template=template, **options)
        # Built-in modes write dossiers of a drug; a mode of the caller's own may write another report.
        return cast(Dossier, await run_request(request, out, job_id, on_event, crew, settings, app))


@show_options(ReportOptions)
async def areport(
    question: str,
    *,
    kind: str = RequestKind.QUESTION,
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    paper: str = Paper.A4,
    template: Path | str | None = None,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[ReportOptions],
) -> ResearchReport:
    """Research a question and return the report on it: its questions are planned, researched side by side, reviewed,
    and written section by section.

        report = await storm.areport("Does trastuzumab harm the heart?", offline=True, out="reports/heart")

    `kind`: "topic" for a topic. `preferences`: how the reader wants the report, ReportPreferences or its fields by name
    ({"audience": "regulators", "sections": ["Safety"]}). `research`: ResearchSettings or its fields by name
    ({"max_questions": 6}). `configurable`: the same names and "model", also as LangGraph passes them
    ({"configurable": {…}}); they win over `research` (docs/reports.md). `syllabus`: a file with your own questions,
    which are researched instead of planned ones. The other parameters and errors are those of `storm.run`.
    """
    with show_hint():
        settings = app.settings if app else settings or read_settings()
        check_names(options, ReportOptions, "report")
        kind = check_choice(kind, (RequestKind.QUESTION, RequestKind.TOPIC), "kind")
        request = job_request(
            question, settings, kind=kind, out=out, formats=formats, paper=paper, template=template, **options
        )
        return cast(ResearchReport, await run_request(request, out, job_id, on_event, crew, settings, app))


@show_options(RepurposingOptions)
async def arepurpose(
    query: str,
    *,
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    paper: str = Paper.A4,
    template: Path | str | None = None,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
    **options: Unpack[RepurposingOptions],
) -> ResearchReport:
    """Put hypotheses to the test on how a drug could treat a disease, and return the report on them.

        report = await storm.arepurpose("metformin for breast cancer", offline=True, out="reports/metformin")

    The hypotheses, the evidence for and against each, and the assessment are in `report.repurposing.report`, a
    RepurposingReport (docs/repurposing.md). It is None if no evidence was collected; the `exit_code` is then 4, or 3
    if a search failed. `also` and `meaning` are those of the drug. `research`: ResearchSettings or its fields by name
    ({"max_iterations": 3} for at most three rounds), `configurable`: as in `storm.report`. The other parameters and
    errors are those of `storm.run`.
    """
    with show_hint():
        settings = app.settings if app else settings or read_settings()
        check_names(options, RepurposingOptions, "repurpose")
        kind = RequestKind.REPURPOSING
        request = job_request(
            query, settings, kind=kind, out=out, formats=formats, paper=paper, template=template, **options
        )
        return cast(ResearchReport, await run_request(request, out, job_id, on_event, crew, settings, app))


async def run_request(
    request: JobRequest,
    out: Path | str | None,
    job_id: str,
    on_event: Observer | EventSink | None,
    crew: ChangeCrew | None,
    settings: Settings,
    app: App | None,
) -> Report:
    """Run a job of that request, and write its files into the folder `out`, if there is one."""
    event_sinks(on_event)  # refuses what cannot take events before a job is made
    _check_out(out)
    async with reuse_or_open(app, settings) as use:
        job = await use.start(request, job_id)
        report = await use.work(job.job_id, on_event, change=crew, expected_state=job.state)
    return write_files(report, out, request.formats, PageSetup.of(request))


async def aresume(
    job_id: str,
    *,
    model: str = "",
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    template: Path | str | None = None,
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
) -> Dossier:
    """Resume a job and return its dossier or report. Finished steps are not repeated; a finished job is only read.

        dossier = await storm.aresume("trastuzumab-20261122-7f3a9c")

    A `model`, if given, takes every role from here on. A `template` replaces the job's ("none": storm's own
    styles). `out`, `formats`, `on_event`, `crew`, `settings` and `app` are as in `storm.run`.

    Raises storm.errors.StormError: UnknownJob if there is no such job, JobHeld if another process works on it;
    FormatUnavailable, after the other files are written, if a format lacks its library.
    """
    with show_hint():
        event_sinks(on_event)
        wanted = check_formats(formats)
        _check_out(out)
        async with reuse_or_open(app, settings) as use:
            pages = PageSetup.of((await use.store.jobs.get(job_id)).request, template)
            if out is not None:
                check_pages(pages, wanted)
            report = await use.work(job_id, on_event, model=model, change=crew)
        return cast(Dossier, write_files(report, out, wanted, pages))


async def aupdate(
    job_id: str,
    *,
    model: str = "",
    limits: JobLimits | None = None,
    out: Path | str | None = None,
    formats: Sequence[str] = (),
    template: Path | str | None = None,
    new_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
) -> Dossier:
    """Bring the dossier of a finished job up to date, in a new job, and return the new dossier.

        dossier = await storm.aupdate("trastuzumab-20261122-7f3a9c", out="reports/trastuzumab")

    The dossier's `changes` say what is new, changed, retracted and gone since; the other job stays as it is. `new_id`:
    an id of your own for the new job. `formats`: by default those of the other job, and "changes". A `model`,
    `limits` or `template` replaces its own ("none": storm's own styles). `out`, `on_event`, `crew`,
    `settings` and `app` are as in `storm.run`.

    Raises storm.errors.StormError: UnknownJob if there is no such job, UsageError if it is not finished.
    """
    with show_hint():
        event_sinks(on_event)
        wanted = check_formats(formats) if formats else ()
        _check_out(out)
        async with reuse_or_open(app, settings) as use:
            place = None if out is None else str(Path(out).absolute())
            job = await use.start_update(
                job_id, new_id, model=model, limits=limits, out=place, formats=wanted, template=template
            )
            report = await use.work(job.job_id, on_event, change=crew, expected_state=job.state)
        return cast(Dossier, write_files(report, out, job.request.formats, PageSetup.of(job.request)))


async def ajobs(*, settings: Settings | None = None, app: App | None = None) -> tuple[JobSummary, ...]:
    """List the jobs in the store, newest first: each with `job_id`, `drug`, `state`, `created` and `exit_code`.

        unfinished = [job for job in await storm.ajobs() if job.exit_code is None]

    A job that this version cannot read, or whose data is damaged, is left out; the logger `storm` warns of it.
    """
    with show_hint():
        async with reuse_or_open(app, settings) as use:
            listed = await use.store.jobs.all()
    for job_id in listed.unreadable:
        _log.warning("the job %s was written by another version of storm", job_id)
    for job_id in listed.damaged:
        _log.warning("the data of the job %s is damaged", job_id)
    return listed.jobs


@asynccontextmanager
async def reuse_or_open(app: App | None, settings: Settings | None) -> AsyncIterator[App]:
    """Yield the caller's App, or a new one that is closed afterwards."""
    if app:
        yield app
        return
    async with open_app(settings or read_settings()) as own:
        yield own


def write_files(report: Report, out: Path | str | None, formats: Sequence[str], pages: PageSetup) -> Report:
    """Write the report's files into the folder, if there is one; returns the report."""
    if out is not None:
        write_report(report, Path(out), formats, pages)
    return report


def _check_out(out: Path | str | None) -> None:
    if out is not None:
        check_folder(Path(out))


run = make_synchronous(arun)
report = make_synchronous(areport)
repurpose = make_synchronous(arepurpose)
resume = make_synchronous(aresume)
update = make_synchronous(aupdate)
jobs = make_synchronous(ajobs)
