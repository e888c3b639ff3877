"""The roles in a job, each a Protocol: the first file to read. `ports/` says what they work with.

A mode chooses who takes each role; steps, tools and store are the same for all.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from storm.models import Answer, CollectedQuestion, Exclusion, Hit, JobRequest, Plan, Question, SearchQuery, StopReason

if TYPE_CHECKING:
    from storm.models import (
        Assessment,
        ChecklistReview,
        Finding,
        Hypotheses,
        Outline,
        OutlinePart,
        RecordTable,
        RefinedQuestion,
        ReportSection,
        RepurposingRound,
        Review,
        SearchIteration,
        Source,
        SummaryText,
        TestedHypothesis,
    )


class Planner(Protocol):
    """Plans what a job looks for: the drug's names and the questions."""

    async def plan(self, request: JobRequest) -> Plan: ...


class Researcher(Protocol):
    """Fills the collection through the tools until it is complete or finds nothing new."""

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """Gather, and return why it stopped: `complete`, `no_progress`; with a model also `budget`, `max_iters`,
        `model_error`."""
        ...


class Checker(Protocol):
    """Looks up what the sources' records lack, before anything is written from them."""

    async def check(self, best: Sequence[str] | None = None, checked: Container[str] = ()) -> None:
        """Look up the sources, without those `checked` before, by their keys. `best` are the keys of the records to
        read in full; without it the checker takes what it can."""
        ...


class Synthesizer(Protocol):
    """Answers one question from its sources alone; quotes registered while gathering are read first."""

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer: ...


class QueryWriter(Protocol):
    """Writes the searches of one question."""

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        """At most `queries_per_question` searches, the most important first."""
        ...


class SelectedRecord(NamedTuple):
    """A record to file, and the excerpt that answers the question best; None if it has no text."""

    hit: Hit
    excerpt: str | None


class Selection(NamedTuple):
    """The records to file under one question, best first, and why each of the others is not, by its key."""

    records: Sequence[SelectedRecord] = ()
    excluded: dict[str, Exclusion] = {}


class SourceSelector(Protocol):
    """Ranks the records that were found, and selects those that answer each question."""

    async def select(
        self,
        questions: Sequence[Question],
        found: Mapping[str, Sequence[Sequence[str]]],
        plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:
        """For each question the best records, best first, without those that were `filed` under it before. `found` are
        the keys that each of its searches found; what the searches of other questions found may answer it, too."""
        ...


class Digester(Protocol):
    """Summarises an answer in a few sentences, from which headings and reviews are planned."""

    async def digest(self, question: Question, answer: Answer, plan: Plan) -> str: ...


class Reflector(Protocol):
    """Finds weak answers, and searches that may improve them."""

    async def review(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], earlier: Sequence[Review]
    ) -> Review:
        """The weak answers worth another round; none that earlier reviews named with the same searches."""
        ...


class Refiner(Protocol):
    """Rewrites a question so that it has one meaning."""

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        """The request's question with a single meaning: what it leaves open ("its dose") is named as in its context."""
        ...


class ChecklistPlanner(Protocol):
    """Makes the checklist of a question."""

    async def plan(self, request: JobRequest, refined: RefinedQuestion) -> Plan:
        """The plan whose at most 7 questions are what a complete answer addresses. NothingSearched as of Planner."""
        ...


class ChecklistJudge(Protocol):
    """Judges which items of a checklist are answered."""

    async def judge(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:
        """A judgement of each item, in the order of the plan; for those that are open, with searches that none of the
        `iterations` ran, where there are any left. The last of these is the one to be judged: it has no review yet."""
        ...


class Compiler(Protocol):
    """Plans the headings of a report, and writes one section at a time."""

    async def plan_outline(self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable]) -> Outline: ...

    async def write_section(
        self,
        part: OutlinePart,
        outline: Outline,
        plan: Plan,
        findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:
        """The section from statements of the findings, none of which stands in a section `before`."""
        ...


class Hypothesizer(Protocol):
    """Proposes how the drug could act on the disease of the plan."""

    async def propose(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Hypotheses:
        """The hypotheses that the sources and findings suggest, those of earlier `rounds` that still stand among them;
        none if there is no drug or no disease."""
        ...


class HypothesisJudge(Protocol):
    """Judges how strong the evidence on hypotheses is, and whether it is enough."""

    async def judge(
        self,
        plan: Plan,
        tested: Sequence[TestedHypothesis],
        findings: Sequence[Finding],
        sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:
        """The scores with their reasons, and what to search for next, which no earlier round searched for."""
        ...


class SummaryWriter(Protocol):
    """Writes the executive summary of a repurposing report."""

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        """One paragraph of 100 to 500 characters, whose every number is a count, a score or one of a statement."""
        ...
