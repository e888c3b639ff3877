"""What research produces besides answers: reviews of weak answers, an outline, sections."""

from enum import StrEnum
from typing import Any

from pydantic import Field, model_validator

from storm.models.answer import Answer, SummarySentence
from storm.models.base import Frozen
from storm.models.plan import ResearchPlan
from storm.models.record_table import TableName
from storm.models.research_settings import ResearchSettings
from storm.models.search import SearchQuery


class Finding(Frozen):
    """The answer to one question, and a compressed form of it, from which headings are planned; it is never printed."""

    answer: Answer
    digest: str = ""


class WeaknessKind(StrEnum):
    """Why an answer is weak."""

    NO_SOURCE = "no source"
    INCOMPLETE = "incomplete"
    UNCITED = "uncited"
    ONE_SOURCE = "one source only"
    OLD = "old sources only"
    CUT_OFF = "cut off"
    CONTRADICTED = "contradicted elsewhere"


class Weakness(Frozen):
    """A weak answer, why, and the searches to run for it, which are run as they are."""

    question: str
    kinds: tuple[WeaknessKind, ...] = Field(min_length=1)
    reason: str = ""
    searches: tuple[SearchQuery, ...] = ()


class QuestionQueries(Frozen):
    """The searches of one question; `note` says why rules wrote them where a model was to."""

    queries: tuple[SearchQuery, ...] = ()
    note: str = ""

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, value: Any) -> Any:
        """Read the searches alone, as jobs begun before stored them."""
        return {"queries": value} if isinstance(value, list | tuple) else value


class Review(Frozen):
    """The weak answers among those reviewed; `note` says why rules reviewed them where a model was to."""

    weak: tuple[Weakness, ...] = ()
    note: str = ""


class ResearchRound(Frozen):
    """One round of searching again: for which answers, and how many sources it added to them."""

    weak: tuple[Weakness, ...]
    new_sources: int


class OutlinePart(Frozen):
    """A heading of the report: the questions whose findings stand under it, and the tables of records beside them.

    A part with a `parent` is a sub-heading of that part."""

    anchor: str = Field(pattern=r"^[a-z][a-z0-9_.-]*$")
    heading: str = Field(min_length=1)
    questions: tuple[str, ...] = ()
    tables: tuple[TableName, ...] = ()
    parent: str = ""


class Outline(Frozen):
    """The headings of a report in reading order; a sub-heading comes after its parent. `note` says why rules planned
    them where a model was to."""

    title: str = ""
    parts: tuple[OutlinePart, ...] = ()
    note: str = ""


class ReportSection(Frozen):
    """A written section: paragraphs of statements that were checked, each with the question that it answers.

    `left_out` says why a section that was planned has no text, `note` why rules put it together where a model was
    to."""

    part: OutlinePart
    paragraphs: tuple[tuple[SummarySentence, ...], ...] = ()
    left_out: str = ""
    note: str = ""


class Research(Frozen):
    """How the questions of a report were planned, researched and put together; `asked` is the request in full, `failed`
    says why the research of a question failed, and `outline_note` why rules planned the headings where a model was
    to."""

    asked: str
    title: str = ""
    plan: ResearchPlan
    settings: ResearchSettings
    rounds: tuple[ResearchRound, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    failed: dict[str, str] = {}
    outline_note: str = ""
