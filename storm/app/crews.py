"""Builds what works on a job: language models where they are chosen, otherwise the extractive parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from storm import wording
from storm.app.research_crews import add_research
from storm.app.scope import SAMPLE_NAME
from storm.app.workbench import Workbench
from storm.errors import Code, UsageError, name_install
from storm.models import (
    DEFAULT_PREFILL,
    Job,
    JobLimits,
    JobRequest,
    Place,
    ReportPreferences,
    RunSettings,
    SavedProgram,
)
from storm.models.spending import ENGINES
from storm.settings import Settings

# What only a running job needs is imported where it is used: `inspect` must start without it.
if TYPE_CHECKING:
    from storm.agents.broad_researcher import FirstPass
    from storm.agents.crew import ModelCrew
    from storm.agents.model_choice import ModelChoice
    from storm.modes import Crew, Mode
    from storm.ports import Database, Journal
    from storm.roles import Researcher

#: The databases on this machine.
LOCAL = (SAMPLE_NAME, "corpus")
#: The stage of a job in which a caller's own roles have worked, which are unknown here.
OWN_CREW = "own_crew"

ENGINE = "extractive (no language model)"


class Crews:
    """Chooses the language models of a job and builds its crew: the agents, or the algorithms, that work on it. `clock`
    gives the seconds that the minutes of a job are counted by."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock

    def choose_models(self, settings: RunSettings) -> Mapping[str, ModelChoice]:
        """The model of each role, with its key; empty if the mode needs none. ModelError for a missing key."""
        from storm.modes import MODES

        is_asked = not settings.mode or MODES[settings.mode].uses_model
        return choose_models(self._settings, settings.model) if is_asked else {}

    async def make_ready(self, models: Mapping[str, ModelChoice], settings: RunSettings, journal: Journal) -> ModelCrew:
        """The models of a job, metered and within its limits."""
        return await _load_model_crew().prepare(models, settings.limits, settings.program, journal)

    def check_models(self, settings: RunSettings) -> Mapping[str, ModelChoice]:
        """The model of each role; UsageError for an unknown provider, or if the only limit is in dollars and a price is
        unknown."""
        models = self.choose_models(settings)
        if models:
            _load_model_crew().check(models, settings.limits)
        return models

    def decide_settings(self, request: JobRequest) -> RunSettings:
        """The settings that the job runs with; UsageError if a model is needed and none is chosen, or if the mode takes
        no such request or no preferences."""
        from storm.modes import choose_mode

        settings = request.settings
        with_model = choose_mode(settings.mode, request.kind, has_model=True)
        models = self.check_models(settings.model_copy(update={"mode": with_model.name}))
        mode = choose_mode(settings.mode, request.kind, has_model=bool(models))
        _check_request(request, mode, has_models=bool(models))
        prefill = (settings.prefill or DEFAULT_PREFILL) if mode.needs_model and not request.update_of else ""
        return settings.model_copy(update={"mode": mode.name, "prefill": prefill})

    def change_model(self, job: Job, model: str) -> RunSettings:
        """The job's settings with this model in every role; UsageError if the job calls no model."""
        settings = job.settings.model_copy(update={"model": model})
        if not self.check_models(settings):
            raise UsageError(
                f"{job.job_id} was started without a language model, and goes on without one",
                hint="leave `model` out, or start another job with it",
                code=Code.JOB_WITHOUT_MODEL,
            )
        return settings

    def limit_searches(self, job: Job, databases: Sequence[Database]) -> Mapping[str, int]:
        """The most hits that a search of each database takes, if its mode researches question by question. Searching on
        this machine costs nothing and is not limited, but where time is: what it finds must be read."""
        from storm.modes import find_mode

        if not find_mode(job).reads_research:
            return {}
        most = job.settings.research.max_search_results
        here = () if find_mode(job).watches_time else LOCAL
        return {database.name: most for database in databases if database.name not in here}

    async def build_crew(self, bench: Workbench) -> Crew:
        """The crew for the job of this workbench."""
        from storm.databases.identity.known_names import read_known_names
        from storm.evidence.candidates import SharedReader
        from storm.extractive import ExtractivePlanner, ExtractiveResearcher, ExtractiveSynthesizer
        from storm.modes import Crew, find_mode
        from storm.tools import SourceCheck
        from storm.tools.carry_over import SourceCarrier

        _, scope, where, searcher, collection, journal, previous = bench
        mode, models = find_mode(bench.job), self.choose_models(bench.job.settings)
        if mode.needs_model and not models:
            raise UsageError(
                f"{bench.job.job_id} was started with a language model, and none is chosen now",
                hint="set STORM_MODELS as it was, or give `model` to storm.resume",
                code=Code.JOB_MODEL_GONE,
                job=bench.job.job_id,
            )
        reader, needs_answer = SharedReader(), scope.place is Place.LIVE
        known_names = read_known_names(self._settings.config_dir / "names.yaml")
        crew = Crew(
            engine=ENGINE,
            planner=ExtractivePlanner(searcher, collection, needs_answer=needs_answer, known_names=known_names),
            researcher=ExtractiveResearcher(searcher, bench.toolbox, collection, bench.journal, reader),
            checker=SourceCheck(where.registers, where.pages, collection, journal, searcher),
            synthesizer=ExtractiveSynthesizer(reader),
            collection=collection,
            journal=journal,
            carrier=SourceCarrier(previous, searcher, collection, journal, rechecked=bool(where.registers))
            if previous
            else None,
            notes=where.notes,
            scope=scope,
        )
        made = await self.make_ready(models, bench.job.settings, journal) if models else None
        if mode.reads_research:
            crew = add_research(crew, bench, self._settings, reader, known_names, made, needs_answer=needs_answer)
        if mode.watches_time:
            crew = crew._replace(is_out_of_time=self._limit_time(bench.job))
        if made:
            return _add_models(crew, made, bench)
        return crew._replace(notes=(*crew.notes, wording.AGENT_BEFORE)) if await journal.find_stage(ENGINES) else crew

    def _limit_time(self, job: Job) -> Callable[[], bool]:
        """Whether the job's minutes are over, counted from now on: a resume has as many again."""
        minutes, began = job.settings.limits.minutes, self._clock()
        return lambda: minutes is not None and self._clock() - began >= 60 * minutes


def _add_models(crew: Crew, made: ModelCrew, bench: Workbench) -> Crew:
    """The crew with models as researcher and synthesizer, within the job's limits. In an update the rules find what is
    new, so that nothing else is.

    Their "today" is the day on which the job was created, so that a resume repeats no paid prompt.
    """
    from storm.modes import find_mode

    job = bench.job
    research = job.settings.research
    return crew._replace(
        engine=made.engine,
        researcher=crew.researcher if crew.carrier else _make_researcher(made, bench),
        synthesizer=made.synthesizer(
            job.settings.unsupported,
            job.created.date,
            research.chars_per_source,
            research.temperature if find_mode(job).reads_research else None,
        ),
        spent=made.list_spending,
        remarks=made.list_remarks,
        judged_by_writer=made.judged_by_writer,
        by_model=True,
        has_refused_call=lambda: made.has_refused_call,
    )


def _make_researcher(made: ModelCrew, bench: Workbench) -> Researcher:
    """The researcher with a model, after a first pass of rules if the job has one."""
    from storm.extractive import ExtractiveResearcher

    job = bench.job
    first_pass: FirstPass | None = None
    if bench.is_prefilled:
        rules = ExtractiveResearcher(bench.searcher, bench.toolbox, bench.collection, bench.journal, plain=True)
        first_pass = partial(rules.gather, job.request)
    return made.researcher(bench, lambda: job.created, first_pass)


def choose_models(settings: Settings, model: str) -> Mapping[str, ModelChoice]:
    """The model of each role, with its key: `model`, or those configured. ModelError for a missing key."""
    from storm.agents.model_choice import ROLES, choose_model, read_models

    if model:
        models = dict.fromkeys(ROLES, choose_model(model, settings.environment))
    else:
        models = read_models(settings.models, settings.environment) if settings.models else {}
    for choice in models.values():
        choice.check_key()
    return models


def _load_model_crew() -> type[ModelCrew]:
    """The class that makes models ready; UsageError if DSPy is not installed."""
    try:
        from storm.agents.crew import ModelCrew
    except ImportError as exc:
        raise UsageError(
            "language models need the package dspy",
            hint=name_install("agents"),
        ) from exc
    return ModelCrew


def _check_request(request: JobRequest, mode: Mode, *, has_models: bool) -> None:
    """UsageError if the mode cannot do this request with the models at hand; ConfigError for a foreign program."""
    settings = request.settings
    if request.preferences != ReportPreferences() and not mode.reads_preferences:
        raise UsageError(
            f"the mode {mode.name} writes its report in one form, whatever is preferred",
            hint="leave `preferences` out",
        )
    changed = settings.research.model_dump(exclude_defaults=True)
    if changed and not mode.reads_research:
        raise UsageError(
            f"the mode {mode.name} plans no research of its own, so {' and '.join(changed)} would change nothing",
            hint='leave `research` and `configurable` out, or choose mode="parallel"',
            code=Code.MODE_WITHOUT_RESEARCH,
        )
    if settings.research.max_iterations > mode.most_iterations:
        raise UsageError(
            f"max_iterations is {settings.research.max_iterations}; the mode {mode.name} takes at most "
            f"{mode.most_iterations}",
            setting="max_iterations",
        )
    if mode.needs_model and not has_models:
        raise UsageError(
            f"the mode {mode.name} needs a language model",
            hint='name one: model="openai/…", or in config/models.yaml',
            code=Code.MODEL_NEEDED,
        )
    limits = settings.limits.model_copy(update={"minutes": None}) if mode.watches_time else settings.limits
    if not has_models and (settings.program or limits != JobLimits()):
        raise UsageError(
            "a program and limits are for a language model, and none is chosen",
            hint="name one as `model`, or leave them out",
            code=Code.MODEL_NOT_CHOSEN,
        )
    if settings.prefill == "rules" and not mode.needs_model:
        raise UsageError(
            f"the mode {mode.name} has no agent before which rules could file sources",
            hint='leave `prefill` out, or choose mode="broad"',
            setting="prefill",
        )
    if settings.program:
        _check_program(settings.program, mode)


def _check_program(program: SavedProgram, mode: Mode) -> None:
    """UsageError if it was made for another mode, ConfigError if for other predictors."""
    if program.mode != mode.program:
        raise UsageError(
            f"the program {program.name} was made for the mode {program.mode}, and this job runs in the mode "
            f"{mode.name}, which has other predictors",
            hint=f"optimise one for the mode {mode.program}",
            code=Code.PROGRAM_OF_OTHER_MODE,
            mode=mode.program,
        )
    try:
        from storm.agents.program import crew_program
    except ImportError:
        return  # reported when the models are made ready
    crew_program(program)
