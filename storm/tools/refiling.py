"""The tools by which an agent reviews the sources of a job: a list of them, and filing one under other questions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from pydantic import BeforeValidator

from storm.errors import ToolError
from storm.models import ListedSource, Plan, Refiled, Subject
from storm.models.step import AFTER_RECORD, LIST_SOURCES
from storm.ports import Collection
from storm.tools.answerable import select_answerable
from storm.tools.answers import clip_text

#: How many sources one answer shows, and characters of a title and of a reason.
SHOWN = 40
_TITLE = 80
_REASON = 160

Names = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]


class SourceReview:
    """The tools over a job's collection; their docstrings are part of the prompt."""

    def __init__(self, collection: Collection, plan: Plan) -> None:
        self._collection = collection
        self._syllabus = plan.syllabus

    async def list_sources(self, question: str | None = None, first: int | None = 1) -> str:
        """List the saved sources, or those of one question, one a line: id · database year title → its questions.

        `first` is the number in the list of the first one to show, for the next ones.
        """
        if question:
            self._check_questions([question])
        start = max(1, first or 1)
        total, shown = 0, list[ListedSource]()
        async for source in self._stream_listed(question or ""):
            total += 1
            if start <= total < start + SHOWN:
                shown.append(source)
        if not total:
            return f"no source is filed under {question} yet" if question else "no source is saved yet"
        if not shown:
            return f"{total} sources; none from {start} on"
        last = start + len(shown) - 1
        more = f"; first={last + 1} shows the next" if last < total else ""
        return "\n".join([f"{total} sources, {start} to {last}{more}", *map(_describe_source, shown)])

    async def refile_source(self, source_id: str, questions: Names, reason: str | None = None) -> str:
        """File a saved source under these questions and no others: moves it, or takes it from a question. [] drops it.

        source_id as list_sources or save_source gave it (src_012); reason: why, in a few words.
        """
        self._check_questions(questions)
        wanted, remarks = list(dict.fromkeys(questions)), list[str]()
        if source := await self._collection.find_source(source_id):
            subject = Subject(source.relation, source.relation_kind)
            if wanted:
                wanted, remarks = select_answerable(source.hit, wanted, subject, self._syllabus)
        elif wanted:
            raise ToolError(
                f"no source {clip_text(source_id, 60)!r} is saved in this job; {LIST_SOURCES} shows their ids"
            )
        refiled = await self._collection.refile(source_id, wanted, clip_text(reason or "", _REASON))
        return "; ".join([self._describe_refiled(refiled, wanted), *remarks])

    async def _stream_listed(self, question: str) -> AsyncIterator[ListedSource]:
        async for batch in self._collection.iter_source_summaries():
            for source in batch:
                if not question or question in source.questions:
                    yield source

    def _check_questions(self, keys: list[str]) -> None:
        """ToolError unless all are questions of the syllabus: half a move would be a loss."""
        if unknown := [key for key in keys if key not in self._syllabus.keys]:
            named = clip_text(", ".join(unknown), 80)
            raise ToolError(
                f"no such question: {named!r}; nothing was changed; valid: {', '.join(self._syllabus.keys)}"
            )

    def _describe_refiled(self, refiled: Refiled, questions: list[str]) -> str:
        """The same when it is done again: a resumed step must read as it did."""
        needed = {key: self._syllabus.question(key).min_sources for key in questions}
        counts = [f"{key} has {refiled.counts[key]} of {least}" for key, least in needed.items()]
        place = f"is filed under {', '.join(questions)}" if questions else "is dropped: no source any more"
        return "; ".join([f"✓ {refiled.source_id} {place}", *counts])


def _describe_source(source: ListedSource) -> str:
    year = f"{source.year} " if source.year else ""
    title = clip_text(" ".join(source.title.split()), _TITLE)
    return f"{source.source_id}{AFTER_RECORD}{source.database} {year}{title} → {', '.join(source.questions)}"
