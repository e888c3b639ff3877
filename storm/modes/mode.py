"""The modes in which a job can run, by name."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from storm.errors import Code, StepMismatch, StormError, UsageError
from storm.models import Dossier, Job, JobLimits, RequestKind, ResearchReport, ResearchSettings
from storm.models.program import BROAD, DEEP_RESEARCH, PARALLEL, REPURPOSING
from storm.modes.crew import Crew
from storm.modes.run import Run
from storm.modes.versions import Converter, Versions
from storm.reports import Report
from storm.value_wording import list_choices

#: The share of a dossier's job that each stage takes: mostly searching and filing, then answering.
_SHARES = {"plan": 0.05, "gather": 0.6, "check": 0.05, "answer": 0.25, "report": 0.05}

#: Shares of the stages of a job that researches question by question; the rounds of searching again share what is left.
_RESEARCH_SHARES = {
    "plan": 0.05, "queries": 0.05, "search": 0.3, "file": 0.1, "check": 0.05, "answer": 0.25,
    "outline": 0.05, "section": 0.1, "report": 0.05,
}  # fmt: skip

#: Shares of the stages of a job that tests hypotheses in rounds.
_REPURPOSING_SHARES = {
    "plan": 0.05, "queries": 0.05, "search": 0.35, "file": 0.1, "check": 0.05, "answer": 0.25, "section": 0.1,
    "summary": 0.02, "report": 0.03,
}  # fmt: skip

#: The shares of the stages in a round, the most rounds, and the share of the first; each later one takes half of that
#: before.
_SHARES_IN_ROUND = {"search": 0.4, "file": 0.15, "check": 0.05, "answer": 0.35, "judge": 0.05}
_ROUNDS = 50
_FIRST_SHARE = 0.72 / (2 - 2 ** (1 - _ROUNDS))


def _list_round_shares() -> dict[str, float]:
    """The shares of the stages of all rounds; those of the first have no number, but for its judgement."""
    return {
        stage if number == 1 and stage != "judge" else f"{stage}:{number}": part * _FIRST_SHARE / 2 ** (number - 1)
        for number in range(1, _ROUNDS + 1)
        for stage, part in _SHARES_IN_ROUND.items()
    }


#: Shares of the stages of a job that answers one question in rounds.
_DEEP_SHARES = {"refine": 0.03, "plan": 0.07, "queries": 0.05, **_list_round_shares(), "section": 0.1, "report": 0.03}


class Mode(NamedTuple):
    """One way to run a job. `run` returns a `report`; its last step, named "report", stores it."""

    name: str
    #: Rises when a step changes its meaning under the same name.
    version: int
    needs_model: bool
    run: Callable[[Run], Awaitable[Report]]
    #: The share of each stage in the job's progress.
    shares: Mapping[str, float]
    report: type[Report] = Dossier
    #: The kinds of request that it takes.
    kinds: Sequence[RequestKind] = (RequestKind.DRUG,)
    #: They turn what earlier versions stored into what this one reads.
    converters: Sequence[Converter] = ()
    #: Whether requests may have preferences; otherwise those that do are refused.
    reads_preferences: bool = False
    #: Whether requests may have settings of research; otherwise those that do are refused.
    reads_research: bool = False
    #: Whether it can use a language model that it does not need.
    takes_model: bool = False
    #: The mode whose optimised programs it takes.
    program: str = BROAD
    #: Whether it ends by its time limit also without a language model.
    watches_time: bool = False
    #: Whether it works through a checklist of the question; such a mode may return an earlier answer.
    by_checklist: bool = False
    #: Whether it may be chosen without its name.
    is_default: bool = True
    #: The function of `storm`, and the command, that starts it.
    command: str = "run"
    #: Its own settings of research, and its minutes, where a request sets none.
    breadth: Mapping[str, int] = MappingProxyType({})
    minutes: float | None = None
    #: The most rounds of searching again.
    most_iterations: int = 10

    @property
    def uses_model(self) -> bool:
        """Whether it uses a language model if one is chosen."""
        return self.needs_model or self.takes_model

    def complete_settings(self, research: ResearchSettings, limits: JobLimits) -> tuple[ResearchSettings, JobLimits]:
        """These settings and limits; what they leave open is the mode's own."""
        missing = {name: value for name, value in self.breadth.items() if name not in research.model_fields_set}
        minutes = limits.minutes or self.minutes
        return research.model_copy(update=missing), limits.model_copy(update={"minutes": minutes})

    @property
    def versions(self) -> Versions:
        """How results are read that this version or an earlier one stored."""
        return Versions(self.version, self.converters)


async def _write_dossier(run: Run) -> Dossier:
    from storm.modes.dossier import write_dossier  # imported here: reading a stored report needs no mode

    return await write_dossier(run)


async def _write_report(run: Run) -> Dossier:
    from storm.modes.research import write_report

    return await write_report(run)


async def _write_repurposing_report(run: Run) -> Dossier:
    from storm.modes.repurposing import write_repurposing_report

    return await write_repurposing_report(run)


async def _answer_question(run: Run) -> Dossier:
    from storm.modes.deep_research import answer_question

    return await answer_question(run)


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode(BROAD, version=1, needs_model=True, run=_write_dossier, shares=_SHARES),
        Mode("extractive", version=1, needs_model=False, run=_write_dossier, shares=_SHARES),
        Mode(
            PARALLEL,
            version=1,
            needs_model=False,
            takes_model=True,
            run=_write_report,
            shares=_RESEARCH_SHARES,
            reads_preferences=True,
            reads_research=True,
            program=PARALLEL,
        ),
        Mode(
            "report",
            version=1,
            needs_model=False,
            takes_model=True,
            run=_write_report,
            shares=_RESEARCH_SHARES,
            reads_preferences=True,
            reads_research=True,
            program=PARALLEL,
            report=ResearchReport,
            kinds=(RequestKind.QUESTION, RequestKind.TOPIC),
            command="report",
        ),
        Mode(
            DEEP_RESEARCH,
            version=1,
            needs_model=False,
            takes_model=True,
            run=_answer_question,
            shares=_DEEP_SHARES,
            reads_research=True,
            program=DEEP_RESEARCH,
            report=ResearchReport,
            kinds=(RequestKind.QUESTION,),
            watches_time=True,
            by_checklist=True,
            is_default=False,
            command="ask",
            breadth={"max_iterations": 10, "max_search_results": 10, "queries_per_question": 4, "max_questions": 7},
            minutes=10,
            most_iterations=50,
        ),
        Mode(
            REPURPOSING,
            version=1,
            needs_model=False,
            takes_model=True,
            run=_write_repurposing_report,
            shares=_REPURPOSING_SHARES,
            reads_research=True,
            program=REPURPOSING,
            report=ResearchReport,
            kinds=(RequestKind.REPURPOSING,),
            command="repurpose",
        ),
    )
}


def choose_mode(asked: str, kind: RequestKind = RequestKind.DRUG, *, has_model: bool) -> Mode:
    """The mode of that name; without a name, the default for this kind of request, with or without a model.

    UsageError if there is no such mode, or none that accepts such a request.
    """
    if asked and asked not in MODES:
        names = [mode.name for mode in MODES.values() if kind in mode.kinds]
        raise UsageError(f"mode is {asked!r}; it must be {list_choices(names)}", setting="mode")
    fitting = [
        mode
        for mode in MODES.values()
        if kind in mode.kinds and (asked == mode.name or (not asked and mode.is_default))
    ]
    if asked and not fitting:
        raise _other_kind_error(MODES[asked], kind)
    if not fitting:
        raise UsageError(f"no mode takes a {kind.noun} yet", hint="ask for a drug by its name")
    return next((mode for mode in fitting if mode.needs_model == has_model), fitting[0])


def _other_kind_error(mode: Mode, kind: RequestKind) -> UsageError:
    command = mode.command
    return UsageError(
        f"the mode {mode.name} takes a {' or a '.join(taken.noun for taken in mode.kinds)}, and this is a {kind.noun}",
        hint=f"leave `mode` out, or ask storm.{command}",
        code=Code.MODE_OF_OTHER_KIND,
        command=command,
    )


def find_mode(job: Job) -> Mode:
    """The job's mode; StepMismatch if it is not installed, or if a later version of it began the job."""
    mode = MODES.get(job.settings.mode or "extractive")
    if mode is None or job.mode_version > mode.version:
        name = job.settings.mode
        raise StepMismatch(
            f"{job.job_id} was begun by version {job.version}, whose mode {name} this version does not know",
            hint="nothing was overwritten; resume the job with that version",
        )
    return mode


class ModeResult(NamedTuple):
    """What a mode returned; `is_provisional` if a step's result was not stored, so that a resume makes it again."""

    report: Report
    is_provisional: bool


async def run_mode(job: Job, crew: Crew) -> ModeResult:
    """Run the job in its mode from where it stopped; StormError if the mode stored no report."""
    mode = find_mode(job)
    run = await Run.resume(job, crew, mode.shares, mode.versions)
    report = await mode.run(run)
    if not run.has_used("report"):
        raise StormError(
            f"the mode {mode.name} ended without a step named 'report', which stores its result",
            hint="nothing was lost; make run.step('report', …) its last step, and resume the job",
        )
    return ModeResult(report, run.is_provisional)
