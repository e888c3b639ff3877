"""Compiles a report from its findings without a model: headings by the questions, sections word for word."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

from storm import planning_wording
from storm.citations.section_length import limit_section
from storm.citations.sections import list_free, list_own_questions
from storm.evidence.statement_rank import rank_statements
from storm.extractive.asked_values import asks_for_first
from storm.extractive.checklist_items import is_direct
from storm.extractive.outline import belongs_to, in_people, make_outline
from storm.models import (
    Finding,
    Outline,
    OutlinePart,
    Plan,
    RecordTable,
    ReportSection,
    Source,
    SummarySentence,
    index_sources,
)
from storm.syllabus.gaps import list_missing

#: Statements of each other question, where the first one gets the others.
_LEAST_OF_OTHERS = 1

FindSource = Callable[[str], Awaitable[Source | None]]


async def find_no_source(source_id: str) -> Source | None:
    """No source: for compilers that are given none."""
    return None


class RuleCompiler:
    """Implements `roles.Compiler`. With `find_source` (Collection.find_source) statements are ranked by the evidence of
    their sources; without it they keep the order of their answers. With `most` a section has at most so many
    statements where the reader wants no certain length, and the first question gets those that the others leave."""

    def __init__(self, find_source: FindSource = find_no_source, *, most: int | None = None) -> None:
        self._find_source = find_source
        self._most = most

    async def plan_outline(self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable]) -> Outline:
        """The sections that the reader wants first, then one for each other question by its importance, in the shape
        that the intent asks for."""
        return make_outline(plan, findings, [table.name for table in tables])

    async def write_section(
        self,
        part: OutlinePart,
        outline: Outline,
        plan: Plan,
        findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:
        """The statements on the part's questions, strongest first: a paragraph for each question, and one for what was
        found in animals or cells."""
        free = [s for s in list_free(part, outline, findings, before) if belongs_to(part, s)]
        if not free:
            return ReportSection(part=part, left_out=_explain_absence(part, outline, plan, findings))
        found = [await self._find_source(name) for name in dict.fromkeys(s.source_ids[0] for s in free)]
        sources = index_sources(one for one in found if one)
        limit = limit_section(plan, outline)
        # In a thread: the rank of a source is read from its whole text.
        shares = _divide(free, limit if limit or not self._most else self._most, first=bool(self._most))
        paragraphs = await asyncio.to_thread(lambda: list(_make_paragraphs(plan, free, sources, shares)))
        return ReportSection(part=part, paragraphs=tuple(paragraphs))


def _divide(free: Sequence[SummarySentence], limit: int | None, *, first: bool) -> Mapping[str, int]:
    """How many statements each question gets, by its key: all without a limit, otherwise equal shares, of which what
    one does not use is left to the next; the `first` question before them what is left beside one of each other."""
    sizes = Counter(sentence.question for sentence in free)
    if limit is None:
        return sizes
    shares: dict[str, int] = {}
    left = limit
    for number, (key, size) in enumerate(sizes.items()):
        others = len(sizes) - number - 1
        is_leading = first and not number
        most = max(1, left - _LEAST_OF_OTHERS * others) if is_leading else math.ceil(left / (others + 1))
        shares[key] = min(size, most)
        left -= shares[key]
    return shares


def _make_paragraphs(
    plan: Plan, free: Sequence[SummarySentence], sources: Mapping[str, Source], shares: Mapping[str, int]
) -> Iterator[tuple[SummarySentence, ...]]:
    for key, share in shares.items():
        own = [sentence for sentence in free if sentence.question == key]
        question = plan.syllabus.question(key)
        # What asks the question itself has its best answer first, whatever the strength of its source.
        is_ordered = is_direct(question) or asks_for_first(question)
        chosen = own[:share] if is_ordered else rank_statements(question, own, sources)[:share]
        people = tuple(sentence for sentence in chosen if in_people(sentence))
        others = tuple(sentence for sentence in chosen if not in_people(sentence))
        yield from filter(None, (people, others))


def _explain_absence(part: OutlinePart, outline: Outline, plan: Plan, findings: Sequence[Finding]) -> str:
    """Why a section has no text; empty if it has tables or sub-headings."""
    if part.tables or any(other.parent == part.anchor for other in outline.parts):
        return ""
    own = list_own_questions(part, outline)
    if not own:
        return planning_wording.NO_QUESTION_UNDER
    says = any(finding.answer.says_something for finding in findings if finding.answer.question in own)
    if says:
        return planning_wording.ALL_ELSEWHERE
    missing = dict.fromkeys(gap for key in own for gap in list_missing(plan.syllabus.question(key)))
    return " ".join(missing) or planning_wording.NO_STATEMENT_UNDER
