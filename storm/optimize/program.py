"""A whole job as a DSPy program: a case goes in, its dossier comes out, and the calls stand in DSPy's trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import dspy

from storm.agents.program import CrewProgram
from storm.agents.trace_examples import shorten_trace
from storm.errors import ConfigError, StormError
from storm.models import Dossier, Spent
from storm.optimize.dataset import Case


class MeasuredJob(NamedTuple):
    """A finished job, and what its models came to; `refused` is whether a limit kept them from a call."""

    dossier: Dossier
    spent: Spent
    refused: bool = False


class Rehearse(Protocol):
    """Runs a case's job with a program's predictors, at the temperature that is asked for."""

    def __call__(self, case: Case, program: CrewProgram, temperature: float | None) -> MeasuredJob: ...


class OutOfBudget(BaseException):
    """A limit was met. Not an Exception: optimisers take those for a bad program and go on."""


class JobProgram(CrewProgram):
    """The crew's predictors, and a job around them. It finds sources for a drug and answers questions from them."""

    def __init__(
        self, rehearse: Rehearse, cases: Mapping[int, Case], report: Callable[[Case, MeasuredJob | StormError], None]
    ) -> None:
        super().__init__()

        # Functions, which the copies of a program share.
        def run_case(line: int, program: CrewProgram, temperature: float | None) -> MeasuredJob:
            return _run_rehearsal(rehearse, cases[line], report, program, temperature)

        def refuse_program(line: int, why: ConfigError) -> None:
            report(cases[line], why)

        self._run_case = run_case
        self._refuse_program = refuse_program
        self.by_example = True  # whether what it does is to be imitated, or read with its faults
        self._temperature: float | None = None

    def forward(self, case: int, drug: str) -> Any:
        """A prediction with `dossier` and `spent`; `case` is the line of the dataset, `drug` is for who reads it.

        Nothing is spent on a program that could not be saved: its prediction has only `unfit`, why that is so.
        """
        try:
            self.export_predictors()
        except ConfigError as exc:
            self._refuse_program(case, exc)
            return dspy.Prediction(unfit=exc.message)
        lm = dspy.settings.lm
        temperature = self._temperature
        if temperature is None and lm is not None and "rollout_id" in lm.kwargs:  # an optimiser's way to try again
            temperature = lm.kwargs.get("temperature")
        roles = {id(predictor): name for name, predictor in self.named_predictors()}
        with shorten_trace(roles, examples=self.by_example):
            done = self._run_case(case, self, temperature)
        return dspy.Prediction(dossier=done.dossier, spent=done.spent)

    def set_lm(self, lm: Any) -> None:
        """Each role keeps its own model; only how freely they are to speak is taken from this one."""
        self._temperature = lm.kwargs.get("temperature")


def _run_rehearsal(
    rehearse: Rehearse,
    case: Case,
    report: Callable[[Case, MeasuredJob | StormError], None],
    program: CrewProgram,
    temperature: float | None,
) -> MeasuredJob:
    try:
        done = rehearse(case, program, temperature)
    except StormError as exc:
        report(case, exc)
        raise
    report(case, done)
    if done.refused:
        raise OutOfBudget
    return done
