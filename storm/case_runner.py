"""Runs the jobs of a dataset's cases with the predictors to be measured: offline, in a temporary folder."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from storm.agents.budget import Budget
from storm.agents.crew import ModelCrew
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM, make_lm
from storm.agents.program import SavableProgram
from storm.app import App, Crews, open_corpus, utc_now
from storm.databases.corpus.database import add_paths
from storm.errors import UsageError
from storm.models import Dossier, JobLimits, JobRequest, RequestKind, RunSettings, Spent, sum_amounts
from storm.models.program import BROAD
from storm.modes import MODES
from storm.optimize.dataset import Case, Split, check_mode
from storm.optimize.optimizers import Effort
from storm.optimize.program import MeasuredJob
from storm.optimize.training import Training, TrainingResult, train_program
from storm.settings import Settings
from storm.store import clear_abandoned, open_store, throwaway_folder
from storm.store.local import stop_embedded
from storm.syllabus import bundled_syllabus

#: The role of the model that writes instructions.
REFLECTION = "reflection"


class _PreparedCrews(Crews):
    """Crews whose models have been prepared before."""

    def __init__(self, settings: Settings, made: ModelCrew) -> None:
        super().__init__(settings)
        self.made = made

    def choose_models(self, settings: RunSettings) -> Mapping[str, ModelChoice]:
        return {"agent": self.made.lm("agent").choice}

    async def make_ready(self, *job: object) -> ModelCrew:
        return self.made


class _OpenApp(NamedTuple):
    """An App on a corpus of its own, and the models that it uses."""

    app: App
    crews: _PreparedCrews


class CaseRunner:
    """Implements `optimize.program.RunCase`: runs one job at a time, all within one budget.

    Each distinct corpus has its own store and index; the user's data is neither read nor written.
    """

    def __init__(
        self,
        settings: Settings,
        models: Mapping[str, ModelChoice],
        limits: JobLimits,
        make: Callable[[ModelChoice, Budget, str], MeteredLM] = make_lm,
    ) -> None:
        self._settings = settings
        self._models = models
        self._limits = limits
        self._make = make
        self._apps: dict[tuple[Path, ...], _OpenApp] = {}

    def __enter__(self) -> Self:
        clear_abandoned(self._settings.data_dir)
        self._opened = ExitStack()
        self._folder = self._opened.enter_context(throwaway_folder(self._settings.data_dir))
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        with ExitStack() as undo:  # what is open is closed again, also when Ctrl-C ends the preparation
            undo.callback(self._close_all)
            self.crew = self._runner.run(ModelCrew.prepare(self._models, self._limits, make=self._make))
            undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close_all()

    def __call__(self, case: Case, program: SavableProgram, temperature: float | None = None) -> MeasuredJob:
        """The finished job of this case."""
        request = _make_request(case, program.mode, self._settings)
        job = self._finish_job(request, self.crew.with_program(program, temperature), case)
        return self._runner.run(job, context=contextvars.copy_context())  # in which DSPy keeps its trace

    def check_corpora(self, cases: Sequence[Case]) -> None:
        """UsageError if one of the cases' files cannot be read; no model is called."""
        for case in cases:
            self._runner.run(self._open_app(case))

    async def _finish_job(self, request: JobRequest, crew: ModelCrew, case: Case) -> MeasuredJob:
        app, crews = await self._open_app(case)
        crews.made = crew
        before = _sum_spending(crew)
        job = await app.start(request)
        dossier = await app.finish_job(job, None, job.settings)
        assert isinstance(dossier, Dossier), "the modes with programs return a dossier or a report"
        return MeasuredJob(dossier, _subtract_spending(before, _sum_spending(crew)), crew.has_refused_call)

    async def _open_app(self, case: Case) -> _OpenApp:
        if case.corpus not in self._apps:
            folder = self._folder / str(len(self._apps))
            settings = self._settings._replace(data_dir=folder, redis_url=None, traces_url="off")
            if case.corpus:
                report = add_paths(open_corpus(settings), case.corpus)
                if report.errors:
                    raise UsageError(f"{case.place}, corpus: {report.errors[0]}")
            opening = open_store(data_dir=folder, redis_url=None, job_ttl=settings.job_ttl, clock=utc_now)
            self._stack.push_async_callback(stop_embedded, folder, force=True)
            store = await self._stack.enter_async_context(await opening)
            opened = await self._stack.enter_async_context(AsyncExitStack())
            crews = _PreparedCrews(settings, self.crew)
            self._apps[case.corpus] = _OpenApp(App(settings, store, opened, crews), crews)
        return self._apps[case.corpus]

    def _close_all(self) -> None:
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()
            self._opened.close()


def run_optimization(
    settings: Settings,
    models: Mapping[str, ModelChoice],
    split: Split,
    *,
    name: str,
    mode: str = BROAD,
    optimizer: str,
    effort: Effort,
    limits: JobLimits,
    report: Callable[[str], None],
    make: Callable[[ModelChoice, Budget, str], MeteredLM] = make_lm,
) -> TrainingResult:
    """The program that the optimiser compiles from these cases; `models` includes the one that writes instructions."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise UsageError("an optimisation needs event loops of its own", hint="call it outside of one")
    check_mode([*split.train, *split.dev], mode)
    with CaseRunner(settings, models, limits, make) as runner:
        runner.check_corpora([*split.train, *split.dev])
        training = Training(
            name=name,
            mode=mode,
            optimizer=optimizer,
            split=split,
            effort=effort,
            lm=runner.crew.lm("agent"),
            reflection_lm=runner.crew.lm(REFLECTION),
            run_case=runner,
            created=utc_now(),
        )
        return train_program(training, report)


def _make_request(case: Case, mode: str, settings: Settings) -> JobRequest:
    """The request of a case's job: in this mode for a drug, in the modes for them for a question, or a disease."""
    if case.kind is RequestKind.REPURPOSING:
        text = case.query or case.subject
        return JobRequest(kind=RequestKind.REPURPOSING, text=text, also=case.also, offline=True)
    if case.kind is RequestKind.QUESTION:
        asked = JobRequest(kind=RequestKind.QUESTION, text=case.question, syllabus=case.syllabus, offline=True)
        takes_it = case.kind in MODES[mode].kinds
        return asked.model_copy(update={"settings": RunSettings(mode=mode)}) if takes_it else asked
    own_work = RunSettings(mode=mode, prefill="none")  # what rules file would be the same whatever the prompts
    syllabus = case.syllabus or bundled_syllabus(settings.config_dir)
    return JobRequest(text=case.drug, also=case.also, syllabus=syllabus, offline=True, settings=own_work)


def _sum_spending(crew: ModelCrew) -> Spent:
    return sum_amounts(row.amounts for row in crew.list_spending())


def _subtract_spending(before: Spent, after: Spent) -> Spent:
    """What was spent between the two."""
    usd = None if after.usd is None else after.usd - (before.usd or 0.0)
    unpriced = after.unpriced_calls - before.unpriced_calls
    calls = after.calls - before.calls
    return Spent(
        calls,
        after.prompt_tokens - before.prompt_tokens,
        after.completion_tokens - before.completion_tokens,
        None if unpriced == calls else usd,
        unpriced,
    )
