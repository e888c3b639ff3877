"""One request's way through its steps, and what it reports on the way."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from storm.models.base import Frozen
from storm.models.request import JobRequest, RunSettings
from storm.models.scope import Scope


class JobState(StrEnum):
    """Where a job stands; `queued` is one that nobody has worked on yet, `interrupted` a running one that no process
    holds. A cancelled job keeps what it found, and a resume reopens it."""

    QUEUED = "queued"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StopReason(StrEnum):
    """Why a researcher stopped; the last three only where a model decides, and after the last a resume goes on."""

    COMPLETE = "complete"
    NO_PROGRESS = "no_progress"
    BUDGET = "budget"
    MAX_ITERS = "max_iters"
    MODEL_ERROR = "model_error"


class Job(Frozen):
    """A job as the store knows it; `exit_code` is None until it is finished.

    `settings` are those of the request with what was left to storm decided. `scope` is known here only of a job that
    was begun before it was a step of its own. `questions` are the keys of its questions, once there is a plan.
    `version` is that of the program that began it (empty where it was not recorded yet), `mode_version` its mode's.
    """

    job_id: str
    request: JobRequest
    settings: RunSettings = RunSettings.model_construct()
    scope: Scope | None = None
    questions: tuple[str, ...] = ()
    state: JobState
    created: datetime
    finished: datetime | None = None
    exit_code: int | None = None
    version: str = ""
    mode_version: int = 1


class Event(Frozen):
    """Something a job reports; `id` is the stream's own, `stage` the one that was under way.

    `progress` is how much of the job is done: it never falls, and is 1 when the job is finished and not before. Events
    of earlier versions have no stage, and a progress of 0.
    """

    id: str = ""
    job_id: str = ""
    at: datetime
    kind: str
    message: str
    stage: str = ""
    progress: float = Field(default=0.0, ge=0, le=1)
    data: dict[str, JsonValue] = Field(default_factory=dict)


def new_job_id(subject: str, day: datetime) -> str:
    """A readable id that is safe in keys, paths and shells: `trastuzumab-20261121-7f3a9c`."""
    return f"{_make_slug(subject)}-{day:%Y%m%d}-{secrets.token_hex(3)}"


def request_job_id(request: JobRequest) -> str:
    """The id that follows from what is asked for, where its files are written aside: `trastuzumab-8c1f0a27d94b`."""
    asked = request.model_dump_json(exclude={"out", "formats"}, exclude_defaults=True)
    return f"{_make_slug(request.subject)}-{hashlib.sha256(asked.encode()).hexdigest()[:12]}"


def _make_slug(subject: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", subject.lower()).strip("-")[:40].strip("-") or "job"
