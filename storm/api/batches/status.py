"""How the jobs of a batch stand, read from their records in the store."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from storm.api.pace import find_limits, list_busy_services
from storm.app import App
from storm.errors import StoreError, StoreRefused, StoreUnavailable
from storm.models import JobState, Spent, Syllabus
from storm.models.spending import sum_amounts
from storm.store import BatchState, JobSummary

_ENDED = (JobState.FINISHED, JobState.FAILED, JobState.CANCELLED)
#: What exit codes of finished jobs say.
_RESULTS = {3: "partial", 4: "nothing found"}
#: Jobs whose details are read at a time.
_AT_ONCE = 50


class JobLine(NamedTuple):
    """A job of a batch: its state (`waiting` before it was created; `gone` or `damaged` where its record is), and, once
    it has ended, its results. `covered` is how many of its questions
    have enough sources ("11/14"). `usd` is None if no price is known. `minutes` are those from its last start to its
    end, None if another than the batch carried it out."""

    job_id: str
    subject: str
    state: str
    exit_code: int | None = None
    sources: int | None = None
    covered: str = ""
    usd: float | None = None
    tokens: int = 0
    calls: int = 0
    minutes: float | None = None
    reason: str = ""

    @property
    def has_ended(self) -> bool:
        """Whether the job will not change by itself."""
        return self.state in (*_ENDED, "gone", "damaged", "refused")


class BatchTable(NamedTuple):
    """A batch and its jobs, in the order in which they start; `remaining` are those that have not ended, or will be run
    again; `limits` says what limits the pace of those that run."""

    batch: BatchState
    jobs: tuple[JobLine, ...]
    remaining: int = 0
    per_minute: float | None = None
    limits: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        """How many jobs are in each state."""
        return Counter(job.state for job in self.jobs)

    @property
    def minutes_left(self) -> float | None:
        """Minutes until the rest will have ended at the pace so far; None while no pace is known."""
        return self.remaining / self.per_minute if self.per_minute else None

    @property
    def exit_code(self) -> int:
        """1 if a job ended in an error or has not ended, else 3 if one is partial, 4 if one found nothing, else 0."""
        codes = {job.exit_code if job.state == JobState.FINISHED else 1 for job in self.jobs}
        return next((code for code in (1, 3, 4) if code in codes), 0)


async def read_batch(app: App, name: str) -> BatchTable:
    """The batch and all its jobs. Details of ended jobs are kept with the batch, and read again where a job has changed
    since."""
    batches = app.store.batches
    batch, job_ids = await batches.get(name), await batches.job_ids(name)
    ended = {job_id: json.loads(text) for job_id, text in (await batches.ended(name)).items()}
    rows = await batches.all_options(name)
    found = await app.store.jobs.summaries(job_ids)
    jobs: list[JobLine] = []
    for job_id, summary in zip(job_ids, found, strict=True):
        row = json.loads(rows.get(job_id, "{}"))
        subject = row.get("drug") or row.get("question") or ""
        jobs.append(await _make_line(app, JobLine(job_id, subject, "waiting"), summary, ended.get(job_id)))
    running = [job.job_id for job in jobs if job.state == JobState.RUNNING]
    limits = await find_limits(app, await list_busy_services(app), running) if running else []
    if any(job.state == JobState.QUEUED for job in jobs):
        limits += await _find_missing_workers(app, set(job_ids))
    remaining = sum(_remains(job, batch, ended.get(job.job_id, {}).get("at", "")) for job in jobs)
    pace = measure_pace(ended, batch.held_since, app.store.clock())
    return BatchTable(batch, tuple(jobs), remaining, pace, tuple(limits))


def _remains(job: JobLine, batch: BatchState, ended: str) -> bool:
    """Whether the job has not ended, or will be run again by the process that works on the batch."""
    if not job.has_ended:
        return True
    again = ("gone", JobState.CANCELLED, *((JobState.FAILED, "refused") if batch.retries else ()))
    return batch.is_held and job.state in again and ended < batch.held_since


async def _find_missing_workers(app: App, job_ids: set[str]) -> list[str]:
    """Why no worker takes those of these jobs that were handed over."""
    reasons = (reason for job_id, reason in (await app.store.submissions.waiting()).items() if job_id in job_ids)
    return sorted({f"the workers ({reason})" for reason in reasons if reason})


async def _make_line(app: App, line: JobLine, summary: JobSummary | str, kept: dict[str, Any] | None) -> JobLine:
    if isinstance(summary, str):
        if kept and kept["state"] == "refused":
            return line._replace(state="refused", exit_code=kept["exit_code"], reason=kept["reason"])
        return line._replace(state="damaged" if summary == "damaged" else "gone" if kept else "waiting")
    state, exit_code = summary.state.value, summary.exit_code
    if summary.state not in _ENDED:
        return line._replace(state=state)
    if not kept or (kept["state"], kept["exit_code"]) != (state, exit_code):
        try:
            kept = await read_ending(app, line.job_id)
        except (StoreUnavailable, StoreRefused):
            raise
        except StoreError as error:
            return line._replace(state="damaged", exit_code=error.exit_code, reason=error.message)
    if summary.state is JobState.FINISHED and not kept["reason"]:
        kept = {**kept, "reason": _RESULTS.get(exit_code or 0, "")}
    shown = {name: value for name, value in kept.items() if name in JobLine._fields}
    return line._replace(**{**shown, "state": state, "exit_code": exit_code})


async def read_spent(app: App, job_ids: list[str]) -> Spent:
    """What the models of these jobs have spent so far."""
    spent: list[Spent] = []
    for start in range(0, len(job_ids), _AT_ONCE):
        part = job_ids[start : start + _AT_ONCE]
        for found in await asyncio.gather(*(app.journal(job_id).spending() for job_id in part)):
            spent += (row.amounts for row in found.spending)
    return sum_amounts(spent)


async def read_ending(app: App, job_id: str) -> dict[str, Any]:
    """How a job ended, from its record, as a batch stores it."""
    job = await app.store.jobs.get(job_id)
    journal = app.journal(job_id)
    spent = await read_spent(app, [job_id])
    reason = ""
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        reason = next((event.message for event in reversed(await journal.events(5)) if event.kind == job.state), "")
    events = await journal.events(1)
    progress, syllabus = await app.collection(job_id).progress(), await app.syllabus(job)
    end = job.finished or (events[-1].at if events else job.created)
    return {
        "state": job.state.value,
        "exit_code": job.exit_code,
        "sources": progress.total,
        "covered": count_covered(progress.counts, syllabus),
        "usd": spent.usd,
        "tokens": spent.tokens,
        "calls": spent.calls,
        "reason": reason,
        "at": end.isoformat(),
    }


def count_covered(counts: Mapping[str, int], syllabus: Syllabus | None) -> str:
    """How many questions have enough sources, and how many there are: `11/14`; empty while there are none."""
    questions = syllabus.questions if syllabus else ()
    covered = sum(counts.get(question.key, 0) >= question.min_sources for question in questions)
    return f"{covered}/{len(questions)}" if questions else ""


def measure_pace(ended: dict[str, dict[str, Any]], since: str, now: datetime) -> float | None:
    """Jobs a minute since the process that works on the batch began; None before three have ended since."""
    if not since:
        return None
    began = datetime.fromisoformat(since)
    moments = [at for one in ended.values() if one.get("at") and (at := datetime.fromisoformat(one["at"])) > began]
    return len(moments) / ((now - began) / timedelta(minutes=1)) if len(moments) >= 3 and now > began else None
