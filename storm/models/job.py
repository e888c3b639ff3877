"""One request's way through the stages, and what it reports on the way."""

from __future__ import annotations

import re
import secrets
import unicodedata
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue, field_validator

from storm.errors import Code, UsageError
from storm.models.base import Frozen
from storm.models.program import SavedProgram
from storm.models.syllabus import Syllabus

MAX_NAME = 200


_DRUG_NAME = "drug name"


def check_drug_name(name: str, what: str = _DRUG_NAME) -> str:
    """The name, its spaces plain ones; UsageError, which calls it `what`, if it is empty, over 200 characters, without
    a letter or digit, or has characters that cannot be seen."""
    text = "".join(" " if unicodedata.category(character) == "Zs" else character for character in name).strip()
    if not text:
        raise _no_name(what, "is empty")
    if len(text) > MAX_NAME:
        raise _long_name(what, len(text))
    unseen = {unicodedata.category(character) for character in text if not character.isprintable()}
    if unseen & {"Cc", "Zl", "Zp"}:
        raise UsageError(
            f"the {what} contains control characters",
            hint="type it again without tabs, line breaks or escape codes",
        )
    if unseen:
        raise UsageError(f"the {what} contains characters that cannot be seen", hint="type it again by hand")
    if not any(character.isalnum() for character in text):
        raise _no_name(what, "has no letter or digit")
    return text


def _no_name(what: str, why: str) -> UsageError:
    if what != _DRUG_NAME:
        return UsageError(f"the {what} {why}", hint="give a name, or leave it out")
    return UsageError(f"the {what} {why}", hint='give one, for example "trastuzumab"', code=Code.DRUG_NAME_EMPTY)


def _long_name(what: str, length: int) -> UsageError:
    message = f"the {what} has {length:,} characters, at most {MAX_NAME} are taken"
    if what != _DRUG_NAME:
        return UsageError(message, hint="give one name each time")
    return UsageError(message, hint="give one name; synonyms go to `also`", code=Code.DRUG_NAME_LONG)


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


#: What becomes of a statement that its source does not carry.
Unsupported = Literal["remove", "mark"]
#: Who gathers and writes: language models, or rules.
Mode = Literal["broad", "extractive"]


class JobLimits(Frozen):
    """What the language models of a job may cost: dollars, tokens, calls, minutes; None is no limit."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)
    calls: int | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class JobRequest(Frozen):
    """What was asked for: all that a resume needs to do the same again.

    `place` is what was there to be searched when the job was started, so that a resume searches the same, and
    `unreachable` why each public database was not. `meaning` is which drug a name of several is to mean.
    `mode` is empty until the job is started, where nobody chose; `model` was asked for by name, for every role.
    `program` is what they are told and shown: itself and not its file's name, since that may change before a resume.
    """

    drug: str
    also: tuple[str, ...] = ()
    syllabus: Syllabus
    offline: bool = False
    databases: tuple[str, ...] = ()
    mode: Mode | Literal[""] = ""
    model: str = ""
    program: SavedProgram | None = None
    limits: JobLimits = JobLimits()
    unsupported: Unsupported = "remove"
    place: str = ""
    unreachable: dict[str, str] = {}
    meaning: str = ""
    out: str | None = None
    formats: tuple[str, ...] = ("md", "json")

    @field_validator("drug")
    @classmethod
    def _drug(cls, value: str) -> str:
        return check_drug_name(value)

    @field_validator("also")
    @classmethod
    def _also(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(check_drug_name(name, "synonym") for name in value))


class Job(Frozen):
    """A job as the store knows it; `exit_code` is None until it is finished.

    `version` is that of the program that began it (empty where it was not recorded yet), `mode_version` its mode's.
    """

    job_id: str
    request: JobRequest
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


def new_job_id(drug: str, day: datetime) -> str:
    """A readable id that is safe in keys, paths and shells: `trastuzumab-20261121-7f3a9c`."""
    slug = re.sub(r"[^a-z0-9]+", "-", drug.lower()).strip("-")[:40].strip("-") or "job"
    return f"{slug}-{day:%Y%m%d}-{secrets.token_hex(3)}"
