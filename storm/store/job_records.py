"""What is made of a job's metadata: the job, and its status alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from storm.models import Job, JobState
from storm.store.holder import is_alive
from storm.store.keys import SCHEMA
from storm.store.requests import StoredRequest, read_settings
from storm.version import __version__

#: The metadata fields from which a Job is made.
DESCRIBED = (
    "schema", "request", "settings", "mode", "questions", "state", "created", "finished", "exit_code", "version",
    "mode_version", "user_id", "org_id",
)  # fmt: skip
#: The states whose metadata say when and how the job ended.
ENDED = (JobState.FINISHED, JobState.FAILED)


class JobSummary(NamedTuple):
    """The status of a job, without its request; `exit_code` is None until it is finished. `update_of` is the job that
    it updates, or empty; `mode` is the one that was decided on. `user_id` and `org_id` say whose it is."""

    job_id: str
    drug: str
    state: JobState
    created: datetime
    exit_code: int | None
    update_of: str = ""
    mode: str = ""
    user_id: int = 0
    org_id: int | None = None


def make_job(job_id: str, stored: StoredRequest, fields: Mapping[str, str], *, is_held: bool) -> Job:
    state = JobState(fields["state"])
    ended = state in ENDED
    # Its parts are checked as they are read; building the validator of the whole takes longer than all other checks.
    return Job.model_construct(
        job_id=job_id,
        request=stored.request,
        settings=read_settings(fields, stored.request),
        scope=stored.scope,
        questions=tuple(fields.get("questions", "").split()),
        state=_visible_state(state, is_held=is_held),
        created=_parse_moment(fields["created"]),
        finished=_parse_moment(fields["finished"]) if ended else None,
        exit_code=int(fields["exit_code"]) if ended else None,
        version=fields.get("version", ""),
        mode_version=int(fields.get("mode_version", "1")),
        user_id=int(fields.get("user_id", "0")),
        org_id=int(fields["org_id"]) if "org_id" in fields else None,
    )


def is_incomplete(fields: Sequence[str | None]) -> bool:
    """Whether the metadata lacks a field that every version writes."""
    schema, drug, state, created, finished, exit_code, *_ = fields
    return None in (schema, drug, state, created) or (state in ENDED and None in (finished, exit_code))


def is_foreign(fields: Sequence[str | None]) -> bool:
    """Whether another version of storm wrote the job."""
    schema, *_, version, _update_of, _mode, _user_id, _org_id = fields
    return schema not in (None, SCHEMA) or (not is_incomplete(fields) and version != __version__)


def make_summary(job_id: str, fields: Sequence[str | None], lease: str | None) -> JobSummary | None:
    """The summary of a job; None if its metadata is incomplete or cannot be read."""
    schema, drug, state, created, _, exit_code, _, update_of, mode, user_id, org_id = fields
    if schema != SCHEMA or is_incomplete(fields):
        return None
    try:
        return JobSummary(
            job_id=job_id,
            drug=str(drug),
            state=_visible_state(JobState(str(state)), is_held=is_alive(lease)),
            created=_parse_moment(str(created)),
            exit_code=int(str(exit_code)) if state in ENDED else None,
            update_of=update_of or "",
            mode=mode or "",
            user_id=int(user_id or 0),
            org_id=None if org_id is None else int(org_id),
        )
    except ValueError:
        return None


def _parse_moment(text: str) -> datetime:
    """A date and time; ValueError without an offset from UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no offset from UTC")
    return moment


def _visible_state(state: JobState, *, is_held: bool) -> JobState:
    """The state as users see it: a running job that no process holds is interrupted."""
    return JobState.INTERRUPTED if state is JobState.RUNNING and not is_held else state
