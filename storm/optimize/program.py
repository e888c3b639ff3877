"""A whole job as a DSPy program for `storm optimize`: from a case to its dossier, with its calls in DSPy's trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import dspy

from storm.agents.program import CrewProgram, DeepResearchProgram, RepurposingProgram, ResearchProgram, SavableProgram
from storm.agents.shared_value import Shared
from storm.agents.trace_examples import shorten_trace
from storm.errors import ConfigError, StormError
from storm.models import Dossier, Spent
from storm.optimize.dataset import Case


class MeasuredJob(NamedTuple):
    """A finished job and its spending; `refused` is whether a limit prevented a call."""

    dossier: Dossier
    spent: Spent
    refused: bool = False


class RunCase(Protocol):
    """Runs a case's job with a program's predictors, at a given temperature."""

    def __call__(self, case: Case, program: SavableProgram, temperature: float | None) -> MeasuredJob: ...


class OutOfBudget(BaseException):
    """A limit was reached. Not an Exception: optimisers treat those as a bad program and continue."""


class JobProgram(SavableProgram):
    """A whole job as a DSPy program; each subclass has the predictors of one mode."""

    def __init__(
        self, run_case: RunCase, cases: Mapping[int, Case], report: Callable[[Case, MeasuredJob | StormError], None]
    ) -> None:
        super().__init__()
        self._run_case = Shared(run_case)
        self._cases = Shared(cases)
        self._report = Shared(report)
        self.by_example = True  # whether the trace gives demonstrations, or is read for what went wrong
        self._temperature: float | None = None

    def forward(self, case: int, subject: str) -> dspy.Prediction:
        """A prediction with `dossier` and `spent`; `case` is its key among the cases, `subject` informs the optimiser.

        A program that cannot be saved is not run: its prediction has only `unfit`, the reason.
        """
        try:
            self.export_predictors()
        except ConfigError as exc:
            self._report.value(self._cases.value[case], exc)
            return dspy.Prediction(unfit=exc.message)
        lm = dspy.settings.lm
        temperature = self._temperature
        if temperature is None and lm is not None and "rollout_id" in lm.kwargs:  # how optimisers try again
            temperature = lm.kwargs.get("temperature")
        roles = {id(predictor): name for name, predictor in self.named_predictors()}
        with shorten_trace(roles, examples=self.by_example):
            done = self._run_and_report(self._cases.value[case], temperature)
        return dspy.Prediction(dossier=done.dossier, spent=done.spent)

    def set_lm(self, lm: dspy.LM) -> None:
        """Each role keeps its own model; only the temperature is taken from this one."""
        self._temperature = lm.kwargs.get("temperature")

    def _run_and_report(self, case: Case, temperature: float | None) -> MeasuredJob:
        try:
            job = self._run_case.value(case, self, temperature)
        except StormError as exc:
            self._report.value(case, exc)
            raise
        self._report.value(case, job)
        if job.refused:
            raise OutOfBudget
        return job


class BroadJobProgram(JobProgram, CrewProgram):
    """A job that finds sources for a drug, and answers questions from them."""


class ResearchJobProgram(JobProgram, ResearchProgram):
    """A job that plans the questions of a request, researches each, reviews the answers, and compiles a report."""


class RepurposingJobProgram(JobProgram, RepurposingProgram):
    """A job that puts hypotheses on a drug and a disease to the test."""


class DeepResearchJobProgram(JobProgram, DeepResearchProgram):
    """A job that answers one question in rounds, by a checklist."""


#: The programs by the mode for which they are optimised.
JOB_PROGRAMS: Mapping[str, type[JobProgram]] = {
    one.mode: one for one in (BroadJobProgram, ResearchJobProgram, RepurposingJobProgram, DeepResearchJobProgram)
}
