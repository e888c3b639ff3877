"""The modes that a job can be run in, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from storm.errors import StepMismatch
from storm.models import Dossier, Job
from storm.modes.crew import Crew
from storm.modes.dossier import SHARES, write_dossier
from storm.modes.run import Run


class Mode(NamedTuple):
    """One way through a job. `version` rises when a step no longer means what it meant under the same name; `shares`
    say how much of the job each of its stages is."""

    name: str
    version: int
    needs_model: bool
    run: Callable[[Run], Awaitable[Dossier]]
    shares: Mapping[str, float]


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("extractive", version=1, needs_model=False, run=write_dossier, shares=SHARES),
        Mode("broad", version=1, needs_model=True, run=write_dossier, shares=SHARES),
    )
}


async def run_mode(job: Job, crew: Crew) -> Dossier:
    """The job's dossier by its own mode, from where it stands; StepMismatch if a later version of the mode began it."""
    mode = MODES[job.request.mode or "extractive"]
    if job.mode_version > mode.version:
        raise StepMismatch(
            f"{job.job_id} was begun by version {job.version}, whose mode {mode.name} this version does not know",
            hint="nothing was overwritten; resume it with that version",
        )
    return await mode.run(await Run.of(job, crew, mode.shares))
