"""Optimises prompts with DSPy: datasets, scores, metrics and the optimisers. Jobs are run by a function passed in."""

from storm.optimize.dataset import Case, read_cases, split_cases
from storm.optimize.optimizers import OPTIMIZERS, Effort, check_optimizer
from storm.optimize.program import JOB_PROGRAMS
from storm.optimize.scoring import ReportScore, Score, score_dossier, score_report
from storm.optimize.training import Training, TrainingResult, train_program

__all__ = [
    "JOB_PROGRAMS",
    "OPTIMIZERS",
    "Case",
    "Effort",
    "ReportScore",
    "Score",
    "Training",
    "TrainingResult",
    "check_optimizer",
    "read_cases",
    "score_dossier",
    "score_report",
    "split_cases",
    "train_program",
]
