"""The modes that a job can be run in, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from storm.errors import StepMismatch, StormError, UsageError
from storm.models import Dossier, Job, RequestKind
from storm.modes.crew import Crew
from storm.modes.dossier import SHARES, write_dossier
from storm.modes.run import Run
from storm.modes.versions import Converter, Versions
from storm.reports import Report


class Mode(NamedTuple):
    """One way through a job, for requests of these kinds. `run` gives a `report`, which its last step, of that name,
    keeps. `version` rises when a step no longer means what it meant under the same name, and `converters` make of what
    earlier versions stored what this one reads; `shares` say how much of the job each of its stages is. Unless it
    `reads_preferences` it writes its report in one form, and refuses a request that prefers another."""

    name: str
    version: int
    needs_model: bool
    run: Callable[[Run], Awaitable[Report]]
    shares: Mapping[str, float]
    report: type[Report] = Dossier
    kinds: Sequence[RequestKind] = (RequestKind.DRUG,)
    converters: Sequence[Converter] = ()
    reads_preferences: bool = False

    @property
    def versions(self) -> Versions:
        """How it reads what was stored by itself, or by an earlier version."""
        return Versions(self.version, self.converters)


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("broad", version=1, needs_model=True, run=write_dossier, shares=SHARES),
        Mode("extractive", version=1, needs_model=False, run=write_dossier, shares=SHARES),
    )
}


def choose_mode(asked: str, kind: RequestKind = RequestKind.DRUG, *, has_model: bool) -> Mode:
    """The mode of that name, or without one the mode that such a request with or without a model is run in; UsageError
    if there is none of that name, or none that takes such a request."""
    if asked and asked not in MODES:
        raise UsageError(f"mode is {asked!r}; it takes {' or '.join(MODES)}")
    fitting = [mode for mode in MODES.values() if kind in mode.kinds and asked in ("", mode.name)]
    if asked and not fitting:
        raise UsageError(f"the mode {asked} takes a {' or a '.join(MODES[asked].kinds)}, and this is a {kind}")
    if not fitting:
        raise UsageError(f"no mode takes a {kind} yet", hint="ask for a drug by its name")
    return next((mode for mode in fitting if mode.needs_model == has_model), fitting[0])


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


async def run_mode(job: Job, crew: Crew) -> Report:
    """The job's report by its own mode, from where it stands; StormError if the mode kept none."""
    mode = mode_of(job)
    run = await Run.resume(job, crew, mode.shares, mode.versions)
    report = await mode.run(run)
    if not run.has_used("report"):
        raise StormError(
            f"the mode {mode.name} ended without its step 'report', which keeps what it gives",
            hint="nothing was lost; let its last step be run.step('report', …), and resume the job",
        )
    return report
