"""What answering a question in rounds produces: the question as it is understood, its checklist, rounds, an answer."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from storm.models.base import Frozen
from storm.models.job import StopReason
from storm.models.search import SearchQuery

#: How many items a checklist has.
FEWEST_ITEMS, MOST_ITEMS = 3, 7

#: So many rounds in a row without a new statement end the research.
IDLE_ROUNDS = 2


class RefinedQuestion(Frozen):
    """The question as one that has a single meaning, what belongs to it and what does not, and its key terms. `note`
    says why rules refined it where a model was to."""

    text: str = Field(min_length=1)
    scope_in: tuple[str, ...] = ()
    scope_out: tuple[str, ...] = ()
    key_terms: tuple[str, ...] = ()
    note: str = ""


class ItemState(StrEnum):
    """Whether an item of the checklist is answered."""

    SATISFIED = "satisfied"
    PARTIAL = "partial"
    UNSATISFIED = "unsatisfied"


class ItemJudgement(Frozen):
    """The state of one item, by the key of its question, with the reason. `evidence` are the identities of the
    statements on which it rests (`Statement.identity`), `searches` are what to search for next. An item that asks what
    speaks against the answer is satisfied without a statement if `nothing_in` sources were read and none has one."""

    question: str
    state: ItemState = ItemState.UNSATISFIED
    reason: str = ""
    evidence: tuple[str, ...] = ()
    searches: tuple[SearchQuery, ...] = ()
    nothing_in: int = 0


class ChecklistReview(Frozen):
    """The judgement of each item, in the order of the checklist; `note` says why rules judged where a model was to."""

    items: tuple[ItemJudgement, ...] = ()
    note: str = ""

    @property
    def open_items(self) -> tuple[ItemJudgement, ...]:
        """The items that are not satisfied."""
        return tuple(item for item in self.items if item.state is not ItemState.SATISFIED)


class SearchIteration(Frozen):
    """One round: the searches of each item, by its key, how many records they found, how many sources and statements
    these added, and the judgement after it."""

    number: int = Field(ge=1)
    searches: dict[str, tuple[SearchQuery, ...]] = {}
    results_count: int = 0
    new_sources: int = 0
    new_facts: int = 0
    review: ChecklistReview


class DeepResearch(Frozen):
    """How a question was answered in rounds; the last judgement counts. `context` is what was known before it was
    asked."""

    context: str = ""
    refined: RefinedQuestion
    iterations: tuple[SearchIteration, ...] = ()
    stop_reason: StopReason

    @property
    def judgements(self) -> tuple[ItemJudgement, ...]:
        """The last judgement of each item; none before the first round was finished."""
        return self.iterations[-1].review.items if self.iterations else ()


class ResearchStatus(StrEnum):
    """How a research ended; `max_iterations_reached` stands for every limit, and for a language model that failed
    beside an answer; `error` for no answer."""

    COMPLETED = "completed"
    MAX_ITERATIONS = "max_iterations_reached"
    ERROR = "error"


class AnswerSource(Frozen):
    """A source of an answer; `snippet` is the quote that supports it. `id` numbers the sources in the order of their
    citation ("src_1" is [1]), `source_id` is the collection's own. `type` is "pubmed" for one with a PMID, else "web".
    """

    id: str
    type: str
    title: str
    url: str
    snippet: str = ""
    source_id: str
    pmid: str | None = None
    database: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""


class ChecklistCoverage(Frozen):
    """The items of a checklist that are satisfied by statements, those on which no sentence was recognised in the
    sources read for them, and the others, those in part as "ITEM - partial coverage"."""

    satisfied: tuple[str, ...] = ()
    none_recognised: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


class AnsweredBefore(Frozen):
    """When an answer was asked for that is taken for a later question: on that day (UTC). `score` says how alike the
    questions are, 1 for the same; `age_days` is the age of its oldest search."""

    asked_on: date
    score: float = Field(ge=0, le=1)
    age_days: int = Field(ge=0)


class DeepResearchResult(Frozen):
    """The answer to a question, in which [n] is the n-th of `sources`. `stop_reason` says why the rounds ended, and
    `error`, of status "error" alone, what was tried. `earlier` is None unless it is the answer of an earlier job.

        result = storm.ask("Does trastuzumab harm the heart?")
        print(result.answer, result.sources[0].url)
    """

    trace_id: str
    answer: str
    sources: tuple[AnswerSource, ...] = ()
    checklist_coverage: ChecklistCoverage = ChecklistCoverage.model_construct()
    iterations_used: int = Field(ge=0)
    status: ResearchStatus
    stop_reason: str = ""
    error: str = ""
    earlier: AnsweredBefore | None = None
