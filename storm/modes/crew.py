"""The parts that work on one job, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from storm.models import Spending
from storm.ports import Collection, Journal
from storm.roles import Checker, Planner, Researcher, Synthesizer


class Crew(NamedTuple):
    """The parts of one job; `engine`, `notes` and, read at the end, what was `spent` and the `remarks` are shown to the
    reader."""

    engine: str
    planner: Planner
    researcher: Researcher
    checker: Checker
    synthesizer: Synthesizer
    collection: Collection
    journal: Journal
    notes: tuple[str, ...] = ()
    spent: Callable[[], Sequence[Spending]] = tuple
    remarks: Callable[[], Sequence[str]] = tuple
    judged_by_writer: bool = False
