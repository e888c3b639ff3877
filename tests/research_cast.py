"""All roles of research, as simple as they can be, for tests of the modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from storm.app import Workbench
from storm.errors import StormError
from storm.extractive.researcher import queries_for
from storm.models import (
    Answer,
    CollectedQuestion,
    Finding,
    Outline,
    OutlinePart,
    Plan,
    Question,
    RecordTable,
    ReportSection,
    Review,
    SearchQuery,
    Source,
    SummarySentence,
)
from storm.modes import Crew, ResearchCrew
from storm.ranking import fuse_rankings
from storm.roles import SelectedRecord, Selection

Pause = Callable[[], Any]


async def _wait_for_nothing() -> None:
    return None


class Cast:
    """All roles of research, as simple as they can be. `weak` are the reviews to give; `failing` are the questions
    whose searches or answers fail; `pause` is awaited before each piece of work; `called` counts them."""

    def __init__(
        self, weak: Sequence[Review] = (), failing: Sequence[str] = (), pause: Pause = _wait_for_nothing
    ) -> None:
        self._weak = weak
        self._failing = failing
        self._pause = pause
        self.called: Counter[str] = Counter()

    def change(self, bench: Workbench, crew: Crew) -> Crew:
        self._collection, self._synthesizer = bench.collection, crew.synthesizer
        roles = ResearchCrew(bench.searcher, bench.toolbox, self, self, self, self, self)
        return crew._replace(research=roles, synthesizer=self)

    async def _work(self, name: str, question: str = "") -> None:
        await self._pause()
        self.called[f"{name} {question}".strip()] += 1

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        await self._work("queries", question.key)
        if f"queries {question.key}" in self._failing:
            raise StormError("no query could be written")
        return list(queries_for(question, plan.searched_names, ()))

    async def select(
        self,
        questions: Sequence[Question],
        found: Mapping[str, Sequence[Sequence[str]]],
        plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:
        await self._work("select")
        return {q.key: await self._select_best(found[q.key], filed[q.key]) for q in questions}

    async def _select_best(self, found: Sequence[Sequence[str]], filed: Container[str]) -> Selection:
        keys = [key for key in fuse_rankings(found) if key not in filed][:10]
        hits = [hit for hit in await self._collection.find_hits(keys) if hit]
        return Selection([SelectedRecord(hit, None) for hit in hits])

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        await self._work("answer", collected.question.key)
        if f"answer {collected.question.key}" in self._failing:
            raise StormError("no answer could be written")
        return await self._synthesizer.answer(collected, plan)

    async def digest(self, question: Question, answer: Answer, plan: Plan) -> str:
        return " ".join(statement.text for statement in answer.statements[:1])

    async def review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        await self._work("review")
        return self._weak[len(earlier)] if len(earlier) < len(self._weak) else Review()

    async def plan_outline(self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable]) -> Outline:
        await self._work("outline")
        parts = (OutlinePart(anchor=q.key, heading=q.label, questions=(q.key,)) for q in plan.syllabus.questions)
        return Outline(title="All of it", parts=tuple(parts))

    async def write_section(
        self, part: OutlinePart, outline: Outline, plan: Plan, findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:  # fmt: skip
        await self._work("section", part.anchor)
        assert [one.part for one in before] == list(outline.parts[: len(before)])
        if not part.questions:
            return ReportSection(part=part)
        (finding,) = (one for one in findings if one.answer.question in part.questions)
        said = [SummarySentence(**dict(s), question=part.questions[0]) for s in finding.answer.statements]
        return ReportSection(part=part, paragraphs=(tuple(said),) if said else ())
