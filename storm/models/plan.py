"""The plan of a job."""

from enum import StrEnum
from typing import Self

from pydantic import Field

from storm.models.base import Frozen
from storm.models.identity import DrugIdentity, Related
from storm.models.request import ReportPreferences
from storm.models.syllabus import Question, Syllabus

#: How many names are searched for, most reliable first: services limit the length of a query.
MOST_NAMES = 16


class Intent(StrEnum):
    """What kind of answer a question asks for."""

    FACT = "fact"
    COMPARISON = "comparison"
    OPINION = "opinion"
    SURVEY = "survey"


class Complexity(StrEnum):
    """How much a question asks: a simple one gets few sub-questions with more searches each, a complex one many."""

    SIMPLE = "simple"
    COMPLEX = "complex"


class ResearchPlan(Frozen):
    """How a question is researched: what kind of answer it asks for, and how the reader wants the report. Its
    sub-questions are the plan's syllabus. One that is not biomedical is researched on the web.

        report = storm.report("Is trastuzumab safe for the heart?")
        print(report.research.plan.complexity)
    """

    intent: Intent = Intent.SURVEY
    complexity: Complexity = Complexity.COMPLEX
    is_biomedical: bool = True
    preferences: ReportPreferences = ReportPreferences.model_construct()


class Disease(Frozen):
    """The disease that a drug could treat, and the names by which texts name it, its own first."""

    label: str = Field(min_length=1)
    names: tuple[str, ...] = Field(min_length=1)


class Plan(Frozen):
    """The drug's names, its own first, by which records are recognised; the questions to cover; and what the name
    means. `notes` say what a reader must know of that meaning. Without a drug, `names` are the terms of the subject.
    `research` is set by planners that make the questions; `disease` where a request asks whether the drug could treat
    it."""

    names: tuple[str, ...] = Field(min_length=1)
    syllabus: Syllabus
    identity: DrugIdentity | None = None
    notes: tuple[str, ...] = ()
    research: ResearchPlan | None = None
    disease: Disease | None = None

    @property
    def searched_names(self) -> tuple[str, ...]:
        """The names used in queries."""
        return self.names[:MOST_NAMES]

    @property
    def related_names(self) -> tuple[Related, ...]:
        """The names of related products that are not the drug itself."""
        return self.identity.related if self.identity else ()

    @property
    def own_questions(self) -> tuple[Question, ...]:
        """The questions on what the plan names; those with names of their own are on that, and a sentence on the one
        subject is not taken by a question on the other."""
        questions = self.syllabus.questions
        own = tuple(question for question in questions if question.names == self.names)
        return own or tuple(question for question in questions if not question.names)

    def of_question(self, question: Question) -> Self:
        """The plan as it is for this question: if that is not about the drug, with its own names and no identity."""
        return self.model_copy(update={"names": question.names, "identity": None}) if question.names else self
