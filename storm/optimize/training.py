"""Runs an optimisation: measure, optimise, measure again, and report whether it helped."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime
from statistics import fmean
from typing import Any, NamedTuple

import dspy

from storm.agents.program import to_saved_program
from storm.errors import BudgetSpent, Code, ConfigError, StormError
from storm.models import SavedProgram, Spent, sum_amounts
from storm.optimize.dataset import Case, Split
from storm.optimize.optimizers import OPTIMIZERS, Effort, OptimizerInput
from storm.optimize.program import JOB_PROGRAMS, JobProgram, MeasuredJob, OutOfBudget, RunCase
from storm.optimize.scoring import JobScore, describe_parts, score_job

#: Smaller differences of a score are ignored.
_EQUAL = 1e-9
#: Characters reported of a line of DSPy's log.
_LOGGED = 300
#: Characters reported of a question.
_SUBJECT = 80


class Measure(NamedTuple):
    """The mean scores of several cases with the means of their parts, and their total spending."""

    score: float
    parts: Mapping[str, float]
    spent: Spent

    @classmethod
    def average_of(cls, scores: Sequence[JobScore]) -> Measure:
        """The mean over the cases, equally weighted."""
        return cls(
            score=fmean(one.value for one in scores),
            parts={name: fmean(one.parts[name] for one in scores) for name in scores[0].parts},
            spent=sum_amounts(one.spent for one in scores),
        )


class TrainingResult(NamedTuple):
    """The program, with its measures before and after on the training and the development cases."""

    program: SavedProgram
    changed: bool
    train: tuple[Measure, Measure]
    dev: tuple[Measure, Measure]

    @property
    def is_worse(self) -> bool:
        """Whether it is worse on the development cases."""
        return self.dev[1].score < self.dev[0].score - _EQUAL

    @property
    def is_unmeasured(self) -> bool:
        """Whether both scored 0 on the development cases, so that nothing was measured."""
        return max(measure.score for measure in self.dev) <= _EQUAL


class Training(NamedTuple):
    """The task of an optimisation: the jobs are those of `mode`, `lm` is the agent's model, `reflection_lm` writes
    instructions."""

    name: str
    mode: str
    optimizer: str
    split: Split
    effort: Effort
    lm: Any
    reflection_lm: Any
    run_case: RunCase
    created: datetime


def train_program(training: Training, report: Callable[[str], None]) -> TrainingResult:
    """Optimise and measure a program; BudgetSpent if a limit ended it early. `report` receives progress lines."""
    cases = (*training.split.train, *training.split.dev)
    progress = _Progress(report)
    program = JOB_PROGRAMS[training.mode](training.run_case, dict(enumerate(cases)), progress)
    try:
        with dspy.context(lm=training.lm, trace=None):
            report(f"Before: {len(cases)} jobs")
            before = _measure_cases(program, cases)
            report(f"{training.optimizer}: learning from {len(training.split.train)} of them")
            with _silence_logs(report):
                optimized = _compile_program(training, program, before, report)
            report(f"After: {len(cases)} jobs")
            after = _measure_cases(optimized, cases)
    except OutOfBudget as exc:
        raise BudgetSpent(
            f"a limit was reached after {progress.jobs} job{'s' * (progress.jobs != 1)}; nothing was saved",
            hint="raise the limit, or use fewer rounds or a smaller dataset",
            code=Code.OPTIMIZATION_CUT,
        ) from exc
    train_count = len(training.split.train)
    measures = {
        f"{side}_{when}": Measure.average_of(scores[positions])
        for side, positions in (("train", slice(train_count)), ("dev", slice(train_count, None)))
        for when, scores in (("before", before), ("after", after))
    }
    saved = to_saved_program(
        optimized,
        name=training.name,
        optimizer=training.optimizer,
        created=training.created,
        scores={name: round(measure.score, 4) for name, measure in measures.items()},
    )
    return TrainingResult(
        program=saved,
        changed=saved.predictors != program.export_predictors(),
        train=(measures["train_before"], measures["train_after"]),
        dev=(measures["dev_before"], measures["dev_after"]),
    )


class _Progress:
    """Reports each job, with its number."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self.jobs = 0
        self._report = report

    def __call__(self, case: Case, done: MeasuredJob | StormError) -> None:
        self.jobs += 1
        what = (
            f"failed: {done}" if isinstance(done, StormError) else _summarize_score(score_job(done.dossier, done.spent))
        )
        line = f" (line {case.line})" if case.line else ""
        self._report(f"job {self.jobs}, {case.subject[:_SUBJECT]}{line}: {what}")


def _compile_program(
    training: Training, program: JobProgram, before: Sequence[JobScore], report: Callable[[str], None]
) -> JobProgram:
    """The optimised program; the original if the optimised one cannot be saved."""
    examples = [
        dspy.Example(case=position, subject=case.subject).with_inputs("case", "subject")
        for position, case in enumerate(training.split.train)
    ]
    threshold = fmean(score.value for score in before[: len(examples)]) - _EQUAL
    run_optimizer, _ = OPTIMIZERS[training.optimizer]
    try:
        optimized: JobProgram = run_optimizer(
            program, OptimizerInput(examples, training.reflection_lm, threshold, training.effort)
        )
    except StormError:
        raise
    except Exception as exc:
        raise StormError(f"{training.optimizer} failed: {exc}") from exc
    try:
        optimized.export_predictors()
    except ConfigError as exc:
        report(f"{training.optimizer}: its result is rejected: {exc.message}")
        return program
    return optimized


def _measure_cases(program: JobProgram, cases: Sequence[Case]) -> Sequence[JobScore]:
    done = (program(case=position, subject=case.subject) for position, case in enumerate(cases))
    return [score_job(one.dossier, one.spent) for one in done]


def _summarize_score(score: JobScore) -> str:
    return f"score {score.value:.2f} ({describe_parts(score)}; {score.spent})"


class _FailureReporter(logging.Handler):
    """Reports the failures that DSPy logs, one line each; otherwise they would look like a search without success."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__()
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        lines = record.getMessage().strip().splitlines()
        if lines and (record.levelno >= logging.ERROR or " failed: " in lines[0]):  # GEPA logs failures at INFO
            self._report(lines[0][:_LOGGED])


@contextmanager
def _silence_logs(report: Callable[[str], None]) -> Iterator[None]:
    """Silence what the optimisers print, log and warn of, except failures."""
    logger, trouble = logging.getLogger("dspy"), _FailureReporter(report)
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(io.StringIO()))
        stack.enter_context(redirect_stderr(io.StringIO()))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        logger.addHandler(trouble)
        stack.callback(logger.removeHandler, trouble)
        yield
