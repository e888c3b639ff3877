"""The parts in a job: the first file to read. `ports.py` says what they are given.

A mode names who plays them; the steps, the tools and the store are the same for all.
"""

from __future__ import annotations

from typing import Protocol

from storm.models import Answer, CollectedQuestion, JobRequest, Plan, StopReason


class Planner(Protocol):
    """Says what a job will look for: the drug's names and the questions."""

    async def plan(self, request: JobRequest) -> Plan: ...


class Researcher(Protocol):
    """Fills the collection through the tools until it is complete or nothing new turns up."""

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """Why it stopped: `complete` or `no_progress`; with a model also `budget`, `max_iters`, `model_error`."""
        ...


class Checker(Protocol):
    """Completes what is known of the sources, before anything is written from them."""

    async def check(self) -> None: ...


class Synthesizer(Protocol):
    """Answers one question from its sources alone; what was quoted of them while gathering is read first."""

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer: ...
