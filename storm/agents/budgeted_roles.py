"""Roles that work question by question: their calls are charged to the question."""

from __future__ import annotations

from collections.abc import Sequence

from storm import wording
from storm.agents.answer_synthesizer import AnswerSynthesizer
from storm.agents.budget import Budget
from storm.agents.digester import ModelDigester
from storm.models import Answer, CollectedQuestion, Plan, Question, SearchQuery
from storm.roles import QueryWriter


class BudgetedSynthesizer:
    """A synthesizer that charges its calls to the question, and marks answers cut short by the budget."""

    def __init__(self, synthesizer: AnswerSynthesizer, budget: Budget) -> None:
        self._synthesizer = synthesizer
        self._budget = budget

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        key = collected.question.key
        with self._budget.charge_question(key):
            answer = await self._synthesizer.answer(collected, plan)
        if not self._budget.was_cut_short(key):
            return answer
        return answer.model_copy(update={"cut_short": True, "gaps": (*answer.gaps, wording.BUDGET_SPENT)})


class BudgetedQueryWriter:
    """A writer of searches that charges its calls to the question."""

    def __init__(self, writer: QueryWriter, budget: Budget) -> None:
        self._writer = writer
        self._budget = budget

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        with self._budget.charge_question(question.key):
            return await self._writer.write_queries(question, plan)


class BudgetedDigester:
    """A digester that charges its calls to the question."""

    def __init__(self, digester: ModelDigester, budget: Budget) -> None:
        self._digester = digester
        self._budget = budget

    async def digest(self, question: Question, answer: Answer, plan: Plan) -> str:
        with self._budget.charge_question(question.key):
            return await self._digester.digest(question, answer, plan)
