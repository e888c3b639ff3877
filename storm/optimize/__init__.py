"""Optimises prompts with DSPy: datasets, the metric, the optimisers. Jobs are run by a function passed in."""

from storm.optimize.dataset import Case, read_cases, split_cases
from storm.optimize.metric import ReportScore, Score, score_dossier, score_report
from storm.optimize.optimizers import OPTIMIZERS, Effort, check_optimizer
from storm.optimize.program import JOBS
from storm.optimize.training import Trained, Training, train_program

__all__ = [
    "JOBS",
    "OPTIMIZERS",
    "Case",
    "Effort",
    "ReportScore",
    "Score",
    "Trained",
    "Training",
    "check_optimizer",
    "read_cases",
    "score_dossier",
    "score_report",
    "split_cases",
    "train_program",
]
