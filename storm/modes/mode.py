"""The modes that a job can be run in, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from storm.errors import StepMismatch, UsageError
from storm.models import Dossier, Job, RequestKind
from storm.modes.crew import Crew
from storm.modes.dossier import SHARES, write_dossier
from storm.modes.run import Run


class Mode(NamedTuple):
    """One way through a job, for requests of these kinds. `version` rises when a step no longer means what it meant
    under the same name; `shares` say how much of the job each of its stages is."""

    name: str
    version: int
    needs_model: bool
    run: Callable[[Run], Awaitable[Dossier]]
    shares: Mapping[str, float]
    kinds: Sequence[RequestKind] = (RequestKind.DRUG,)


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("broad", version=1, needs_model=True, run=write_dossier, shares=SHARES),
        Mode("extractive", version=1, needs_model=False, run=write_dossier, shares=SHARES),
    )
}


def choose_mode(asked: str, *, has_model: bool) -> Mode:
    """The mode of that name, or without one the mode that a job with or without a model is run in; UsageError if there
    is none of that name."""
    name = asked or ("broad" if has_model else "extractive")
    if name not in MODES:
        raise UsageError(f"mode is {name!r}; it takes {' or '.join(MODES)}")
    return MODES[name]


def mode_of(job: Job) -> Mode:
    """The mode that the job is run in; StepMismatch if it is not here, or was begun by a later version of it."""
    mode = MODES.get(job.settings.mode or "extractive")
    if mode is None or job.mode_version > mode.version:
        name = job.settings.mode
        raise StepMismatch(
            f"{job.job_id} was begun by version {job.version}, whose mode {name} this version does not know",
            hint="nothing was overwritten; resume it with that version",
        )
    return mode


async def run_mode(job: Job, crew: Crew) -> Dossier:
    """The job's dossier by its own mode, from where it stands."""
    mode = mode_of(job)
    return await mode.run(await Run.of(job, crew, mode.shares))
