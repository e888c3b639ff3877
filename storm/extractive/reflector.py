"""Reviewing answers without a model: which are weak, why, and which searches may improve them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date

from storm.extractive.further_searches import list_further_searches
from storm.extractive.researcher import queries_for
from storm.extractive.weak_answers import OLD_YEARS, Fault, find_contradictions, find_faults
from storm.models import (
    Finding,
    Plan,
    Question,
    ResearchSettings,
    Review,
    SearchQuery,
    Source,
    Weakness,
    WeaknessKind,
    index_sources,
)


class RuleReflector:
    """Implements `roles.Reflector`: names an answer by counting its sources, and searches more broadly for it.

    An answer for which every search was named is not named again. `databases` are those that the job searches.
    """

    def __init__(self, settings: ResearchSettings, today: Callable[[], date], databases: Sequence[str] = ()) -> None:
        self._most = settings.queries_per_question
        self._today = today
        self._databases = tuple(databases)

    async def review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        """The weak answers in the order of the questions."""
        # In a thread: comparing all statements takes a while, and the job's lease must be renewed meanwhile.
        return await asyncio.to_thread(self._review, plan, findings, sources, earlier)

    def _review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        by_id = index_sources(sources)
        contradictions = find_contradictions(findings, by_id)
        answers = {finding.answer.question: finding.answer for finding in findings}
        weak = []
        for question in plan.syllabus.questions:
            if (answer := answers.get(question.key)) is None:
                continue
            faults = list(find_faults(question, answer, by_id, contradictions, self._today().year))
            done = _list_named_searches(question, earlier)
            if faults and (searches := self._choose_searches(question, plan, faults, done)):
                weak.append(
                    Weakness(
                        question=question.key,
                        kinds=tuple(fault.kind for fault in faults),
                        reason="; ".join(fault.reason for fault in faults),
                        searches=searches,
                    )
                )
        return Review(weak=tuple(weak))

    def _choose_searches(
        self, question: Question, plan: Plan, faults: Sequence[Fault], done: set[SearchQuery]
    ) -> tuple[SearchQuery, ...]:
        """The first searches that were not run before."""
        is_old = any(fault.kind is WeaknessKind.OLD for fault in faults)
        since = self._today().year - OLD_YEARS if is_old else None
        endpoint = next((fault.endpoint for fault in faults if fault.endpoint), "")
        done |= set(queries_for(question, plan.searched_names, self._databases))
        listed = dict.fromkeys(list_further_searches(question, plan, self._databases, since, endpoint))
        return tuple(query for query in listed if query not in done)[: self._most]


def _list_named_searches(question: Question, earlier: Sequence[Review]) -> set[SearchQuery]:
    """The searches that earlier reviews named for the question."""
    weak = (weakness for review in earlier for weakness in review.weak if weakness.question == question.key)
    return {query for weakness in weak for query in weakness.searches}
