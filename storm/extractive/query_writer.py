"""The searches of one question without a model: its templates, or its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from storm.extractive.researcher import queries_for
from storm.models import Plan, Question, ResearchSettings, SearchQuery


class TemplateQueryWriter:
    """Implements `roles.QueryWriter`. `databases` are those to which the job is limited; none is all."""

    def __init__(self, settings: ResearchSettings, databases: Sequence[str] = ()) -> None:
        self._most = settings.queries_per_question
        self._databases = tuple(databases)

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        """The question's templates in their order, those for all databases first. Each database gets at most
        `queries_per_question`, with those that are for it alone."""
        templates = tuple(queries_for(question, plan.searched_names, self._databases))
        for_all = [query for query in templates if query.databases == self._databases]
        own_room = self._most - 1 if for_all else self._most
        counts: Counter[tuple[str, ...]] = Counter()
        own = []
        for query in templates:
            if query.databases != self._databases and counts[query.databases] < own_room:
                counts[query.databases] += 1
                own.append(query)
        return (*for_all[: self._most - max(counts.values(), default=0)], *own)
