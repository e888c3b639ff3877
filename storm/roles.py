"""The parts of a job: the first file to read. `ports.py` says what they work with.

A mode chooses their implementations; steps, tools and store are the same for all.
"""

from __future__ import annotations

from typing import Protocol

from storm.models import Answer, CollectedQuestion, JobRequest, Plan, StopReason


class Planner(Protocol):
    """Plans what a job looks for: the drug's names and the questions."""

    async def plan(self, request: JobRequest) -> Plan: ...


class Researcher(Protocol):
    """Fills the collection through the tools until it is complete or finds nothing new."""

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """Gather, and return why it stopped: `complete`, `no_progress`; with a model also `budget`, `max_iters`,
        `model_error`."""
        ...


class Checker(Protocol):
    """Completes the description of the sources before anything is written from them."""

    async def check(self) -> None: ...


class Synthesizer(Protocol):
    """Answers one question from its sources alone; quotes registered while gathering are read first."""

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer: ...
