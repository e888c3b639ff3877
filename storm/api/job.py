"""One job from Python: start it, resume it, list what is there."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from storm.api.blocking import make_synchronous, show_hint
from storm.api.request import job_request
from storm.app import App, ChangeCrew, event_sinks, open_app
from storm.export import check_folder, check_formats, write_report
from storm.models import Dossier, JobLimits, RequestKind
from storm.ports import EventSink, Observer
from storm.reports import Report
from storm.settings import Settings, read_settings
from storm.store import JobSummary

FORMATS = ("md", "json")
_log = logging.getLogger("storm")


async def arun(
    drug: str,
    *,
    kind: str = RequestKind.DRUG,
    also: Sequence[str] = (),
    meaning: str = "",
    offline: bool = False,
    databases: Sequence[str] = (),
    syllabus: Path | str | None = None,
    model: str = "",
    program: Path | str = "",
    limits: JobLimits | None = None,
    mode: str = "",
    unsupported: str = "remove",
    out: Path | str | None = None,
    formats: Sequence[str] = FORMATS,
    job_id: str = "",
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
) -> Dossier:
    """The dossier of one drug.

        dossier = await storm.arun("trastuzumab", offline=True, out="reports/trastuzumab")

    `also` are synonyms, `meaning` says which drug is meant where several go by the name; with another `kind`
    ("question", "topic") what is given first is one, for a mode that takes it. `databases` are the only ones
    whose records are taken, `syllabus` is a file with your own questions. `model` is a language model's name
    ("openai/…"), `limits` what it may cost; without one, those of config/models.yaml or the extractive engine; `mode`
    ("broad", "extractive") insists on one of the two. `program` is one that `storm optimize` saved: its name or its
    file. What its source does not support is removed, or marked (`unsupported="mark"`).

    `out` is the folder in which dossier.md and dossier.json are written; without one nothing is written. `job_id` is
    the job's id if it is to be yours: a-z, 0-9 and -, first a letter or digit. `on_event` is called with each Event as
    it happens, or is an EventSink; if it fails, the error is logged and the job goes on without it. `crew` is given
    what the parts of a job share, and the parts, and returns them with yours among them (docs/models.md). `settings`
    are those of the environment unless given; `app` is an App that is open already (`storm.open_app`).

    Raises storm.errors.StormError. The dossier's `exit_code` says whether it is complete (0), partial (3) or empty (4).
    """
    with show_hint():
        settings = app.settings if app else settings or read_settings()
        event_sinks(on_event)  # what cannot be one is refused before a job is made
        request = job_request(
            drug,
            settings,
            kind=kind,
            also=also,
            meaning=meaning,
            offline=offline,
            databases=databases,
            syllabus=syllabus,
            model=model,
            program=program,
            limits=limits,
            mode=mode,
            unsupported=unsupported,
            out=out,
            formats=formats,
        )
        _check_out(out)
        async with reuse_or_open(app, settings) as use:
            job = await use.start(request, job_id)
            report = await use.work(job.job_id, on_event, change=crew, seen=job.state)
        return _write_files(report, out, request.formats)


async def aresume(
    job_id: str,
    *,
    model: str = "",
    out: Path | str | None = None,
    formats: Sequence[str] = FORMATS,
    on_event: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
    settings: Settings | None = None,
    app: App | None = None,
) -> Dossier:
    """The dossier of a job that was begun before: what is done is not done again, and a finished one is read.

        dossier = await storm.aresume("trastuzumab-20261122-7f3a9c")

    With a `model` the job goes on with that one in every role. `out`, `formats`, `on_event`, `crew`, `settings` and
    `app` are as in `storm.run`. Raises storm.errors.StormError: UnknownJob if there is no such job, JobHeld if another
    process works on it.
    """
    with show_hint():
        event_sinks(on_event)
        wanted = check_formats(formats)
        _check_out(out)
        async with reuse_or_open(app, settings) as use:
            report = await use.work(job_id, on_event, model=model, change=crew)
        return _write_files(report, out, wanted)


async def ajobs(*, settings: Settings | None = None, app: App | None = None) -> tuple[JobSummary, ...]:
    """The jobs of the store, newest first: each with its `job_id`, `drug`, `state`, `created` and `exit_code`.

        unfinished = [job for job in await storm.ajobs() if job.exit_code is None]

    A job that this version cannot read, or whose data is damaged, is not among them; a warning of the logger `storm`
    names it.
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
    """The App that is open already, or one that is closed again."""
    if app:
        yield app
        return
    async with open_app(settings or read_settings()) as own:
        yield own


def _write_files(report: Report, out: Path | str | None, formats: Sequence[str]) -> Dossier:
    if out is not None:
        write_report(report, Path(out), formats)
    return cast(Dossier, report)  # what the modes of a drug give; a mode of the caller's own may give another report


def _check_out(out: Path | str | None) -> None:
    if out is not None:
        check_folder(Path(out))


run = make_synchronous(arun)
resume = make_synchronous(aresume)
jobs = make_synchronous(ajobs)
