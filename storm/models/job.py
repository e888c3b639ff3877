"""A job: one request being worked on, its state, and the events it reports."""

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
    """The state of a job. `queued`: not started yet; `interrupted`: running, but no process works on it. A cancelled
    job keeps what it found, and a resume reopens it."""

    QUEUED = "queued"
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StopReason(StrEnum):
    """Why a researcher stopped. The last three need a language model; after `model_error` a resume gathers more."""

    COMPLETE = "complete"
    NO_PROGRESS = "no_progress"
    BUDGET = "budget"
    MAX_ITERS = "max_iters"
    MODEL_ERROR = "model_error"


class Job(Frozen):
    """A job as the store has it; `exit_code` is None until it is finished.

    `settings` are those of the request, completed by storm. `scope` is set only for jobs begun before the scope was a
    step. `questions` are the keys of its questions, once there is a plan. `version` is the version of storm that began
    it (empty if not recorded), `mode_version` that of its mode. `user_id` and `org_id` say whose it is: 0 is the local
    user, also of jobs begun before.
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
    user_id: int = 0
    org_id: int | None = None


class Event(Frozen):
    """A report from a job; `id` is the stream's id, `stage` the stage under way.

        storm.run("trastuzumab", on_event=lambda event: print(event.job_id, event.progress, event.message))

    `progress` is the progress of the job: it never falls, and is 1 only when the job is finished. Events of earlier
    versions have no stage and a progress of 0.
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
    """A readable id, safe in keys, paths and shells: `trastuzumab-20261121-7f3a9c`."""
    return f"{_make_slug(subject)}-{day:%Y%m%d}-{secrets.token_hex(3)}"


def request_job_id(request: JobRequest) -> str:
    """An id derived from the request, without its output settings and the case of its names:
    `trastuzumab-8c1f0a27d94b`."""
    also = tuple(name.casefold() for name in request.also)
    return _digest_request(request.model_copy(update={"text": request.text.casefold(), "also": also}))


def is_job_of_request(job_id: str, request: JobRequest) -> bool:
    """Whether the id is derived from the request; batches that were started earlier kept the case of its names."""
    return job_id in (request_job_id(request), _digest_request(request))


def _digest_request(request: JobRequest) -> str:
    asked = request.model_dump_json(exclude={"out", "formats", "paper", "template"}, exclude_defaults=True)
    return f"{_make_slug(request.subject)}-{hashlib.sha256(asked.encode()).hexdigest()[:12]}"


def _make_slug(subject: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", subject.lower()).strip("-")[:40].strip("-") or "job"
