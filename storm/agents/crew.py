"""The language models of one job, made ready: measured, within one budget, and in their roles."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.broad_researcher import BroadResearcher
from storm.agents.budget import Budget, Limits, Spent
from storm.agents.judge import SupportJudge
from storm.agents.model_choice import ModelChoice
from storm.agents.models import MeteredLM, make_lm
from storm.agents.preflight import preflight
from storm.models import Answer, JobLimits, Plan, Question, Source
from storm.roles import Collection, Journal, Researcher, Searcher, Synthesizer

#: The longest prompt of a step, in tokens; a model that takes less gets less.
PROMPT_TOKENS = 8_000


class ModelCrew:
    """The models by role, the longest prompt that the agent's takes, and what the reader must know of them."""

    def __init__(
        self, lms: Mapping[str, MeteredLM], budget: Budget, prompt_tokens: int, remarks: Sequence[str]
    ) -> None:
        self._lms = lms
        self._budget = budget
        self._prompt_tokens = prompt_tokens
        self.remarks = tuple(dict.fromkeys(remarks))

    @classmethod
    async def hired(cls, models: Mapping[str, ModelChoice], limits: JobLimits) -> ModelCrew:
        """The models, each asked once what it can; ModelError if one cannot be used."""
        budget = Budget(Limits(limits.usd, limits.tokens, limits.calls, limits.minutes), monotonic=time.monotonic)
        lms = {role: make_lm(choice, budget, role) for role, choice in models.items()}
        first: dict[ModelChoice, MeteredLM] = {}
        prompt_tokens = PROMPT_TOKENS
        remarks: list[str] = []
        for role, lm in lms.items():
            if known := first.get(lm.choice):
                lm.context = known.context
                lm.limit_reply(known.reply_tokens)
                continue
            first[lm.choice] = lm
            usable = await preflight(lm)
            remarks += usable.remarks
            if role == "agent":
                prompt_tokens = min(prompt_tokens, usable.prompt_tokens)
        return cls(lms, budget, prompt_tokens, remarks)

    @property
    def engine(self) -> str:
        """Which model plays which role, for the reader."""
        roles: dict[str, list[str]] = {}
        for role, lm in self._lms.items():
            roles.setdefault(lm.choice.name, []).append(role)
        return "; ".join(f"{name} as {', '.join(played)}" for name, played in roles.items())

    def researcher(
        self,
        tools: Callable[[Plan], Sequence[Callable[..., Awaitable[Any]]]],
        collection: Collection,
        searcher: Searcher,
        journal: Journal,
        clock: Callable[[], datetime],
    ) -> Researcher:
        """Who gathers."""
        return BroadResearcher(
            self._lms["agent"], tools, collection, searcher, journal, clock, prompt_tokens=self._prompt_tokens
        )

    def synthesizer(self) -> Synthesizer:
        """Who writes, with what each question costs written down."""
        judge = SupportJudge(self._lms["judge"])
        return _Counted(AnswerSynthesizer(self._lms["writer"], judge=judge), self._budget)

    def spent(self) -> Sequence[str]:
        """What was spent so far, a sentence a role and one for the questions."""
        told = [f"{role}: {_told(spent)}" for role, spent in self._budget.ledger().items()]
        questions = [f"{key}: {_told(spent)}" for key, spent in self._budget.by_question().items() if key]
        return [f"Language models: {'; '.join(told)}."] * bool(told) + [
            f"Of that, by question: {'; '.join(questions)}."
        ] * bool(questions)


class _Counted:
    """A synthesizer whose calls are spent on the question that it answers."""

    def __init__(self, synthesizer: AnswerSynthesizer, budget: Budget) -> None:
        self._synthesizer = synthesizer
        self._budget = budget

    async def answer(self, question: Question, plan: Plan, sources: Sequence[Source]) -> Answer:
        with self._budget.question(question.key):
            return await self._synthesizer.answer(question, plan, sources)


def _told(spent: Spent) -> str:
    tokens = spent.prompt_tokens + spent.completion_tokens
    price = f"${spent.usd:.4f}" if spent.usd is not None else "price unknown"
    return f"{spent.calls} calls, {tokens:,} tokens, {price}"
