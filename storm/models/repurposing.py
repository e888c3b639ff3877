"""Hypotheses on how a drug could act on a disease, what speaks for and against each, and the report on them."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from storm.errors import StormError
from storm.models.answer import Statement
from storm.models.base import Frozen
from storm.models.search import SearchQuery

#: A link of a hypothesis that no record and no sentence states.
NOT_STATED = "not stated"
#: The most hypotheses that are tested at once.
MOST_HYPOTHESES = 5
#: Characters of an executive summary.
SHORTEST_SUMMARY, LONGEST_SUMMARY = 100, 500


class MechanismHypothesis(Frozen):
    """One way in which a drug could act on a disease: drug → target → pathway → effect, with a `confidence` (0 to 1).

        tested = storm.repurpose("metformin for breast cancer").repurposing.report.hypotheses_tested[0]
        print(tested.hypothesis.target, tested.hypothesis.confidence)

    A link is "not stated" if no source states it. `search_suggestions` are searches that would test it.
    """

    drug: str = Field(min_length=1)
    target: str = NOT_STATED
    pathway: str = NOT_STATED
    effect: str = NOT_STATED
    confidence: float = Field(default=0.0, ge=0, le=1)
    search_suggestions: tuple[str, ...] = ()

    @property
    def mechanism(self) -> str:
        """Its chain in one line: "metformin → AMPK → not stated → slower cognitive decline"."""
        return " → ".join((self.drug, self.target, self.pathway, self.effect))


#: The links of a hypothesis after its drug.
LinkName = Literal["target", "pathway", "effect"]


class HypothesisLink(Frozen):
    """What states a link: a verbatim `quote` of a source, or a field of its record, where `quote` is empty."""

    link: LinkName
    source_id: str
    quote: str = ""


class ProposedHypothesis(Frozen):
    """A hypothesis as it was proposed, with what states its links. `searches` are run to test it, as they are, each for
    a question, by its key."""

    hypothesis: MechanismHypothesis
    basis: tuple[HypothesisLink, ...] = ()
    searches: dict[str, tuple[SearchQuery, ...]] = {}


class Hypotheses(Frozen):
    """The hypotheses to test, the most promising first, each mechanism once; `note` says why rules proposed them where
    a model was to, and `remark` what of a model's proposals was dropped."""

    proposed: tuple[ProposedHypothesis, ...] = ()
    note: str = ""
    remark: str = ""


class HypothesisStatus(StrEnum):
    """What the sources say of a hypothesis.

        for tested in report.repurposing.report.hypotheses_tested:  # of storm.repurpose
            print(tested.mechanism, tested.status)

    One on which they say nothing is not contradicted.
    """

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    MIXED = "mixed"
    UNTESTED = "untested"

    @classmethod
    def of(cls, supported: int, contradicted: int) -> "HypothesisStatus":
        """The status by the numbers of sources for and against."""
        if not supported and not contradicted:
            return cls.UNTESTED
        if supported > contradicted:
            return cls.SUPPORTED
        return cls.MIXED if supported else cls.CONTRADICTED


class TestedHypothesis(Frozen):
    """A hypothesis, and the evidence on it: `supporting` and `contradicting` are the identities of statements
    (`Statement.identity`), `supported` and `contradicted` the numbers of their sources; one that is on both sides
    counts on both. `mechanism` is the chain of the hypothesis in one line."""

    __test__ = False  # no test of pytest

    hypothesis: MechanismHypothesis
    mechanism: str
    basis: tuple[HypothesisLink, ...] = ()
    supporting: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    supported: int = Field(default=0, ge=0)
    contradicted: int = Field(default=0, ge=0)
    status: HypothesisStatus = HypothesisStatus.UNTESTED

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        wanted = HypothesisStatus.of(self.supported, self.contradicted)
        if self.status is not wanted:
            raise ValueError(f"{self.supported} for and {self.contradicted} against is {wanted}, not {self.status}")
        return self

    @classmethod
    def of(
        cls,
        proposed: ProposedHypothesis,
        supporting: Iterable[Statement],
        contradicting: Iterable[Statement],
        counted: Mapping[str, str] | None = None,
    ) -> Self:
        """The hypothesis with the statements for and against it. `counted` are the names of the sources that count,
        each with the name that it counts under; without it all count under their own."""
        sides = [list({one.identity: one for one in side}.values()) for side in (supporting, contradicting)]
        named = [{name for one in side for name in one.source_ids} for side in sides]
        if counted is not None:
            named = [{counted[name] for name in side if name in counted} for side in named]
        counts = [len(side) for side in named]
        return cls(
            hypothesis=proposed.hypothesis,
            mechanism=proposed.hypothesis.mechanism,
            basis=proposed.basis,
            supporting=tuple(one.identity for one in sides[0]),
            contradicting=tuple(one.identity for one in sides[1]),
            supported=counts[0],
            contradicted=counts[1],
            status=HypothesisStatus.of(*counts),
        )


class Score(Frozen):
    """A score from 0 to 10, the reasons for it, and the identities of the statements that it rests on."""

    value: float = Field(default=0.0, ge=0, le=10)
    reasons: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()


class Assessment(Frozen):
    """How strong the evidence on the hypotheses is: on mechanisms and in patients, with a `confidence` from 0 to 1 and
    the reasons for it.

    `searches` are what to search for next if it is not enough (`is_enough`), each for a question, by its key. `note`
    says why rules judged where a model was to."""

    mechanism: Score = Score.model_construct()
    clinical: Score = Score.model_construct()
    confidence: float = Field(default=0.0, ge=0, le=1)
    confidence_reasons: tuple[str, ...] = ()
    is_enough: bool = False
    searches: dict[str, tuple[SearchQuery, ...]] = {}
    note: str = ""


class RepurposingRound(Frozen):
    """One round: the hypotheses as they were tested, the searches that were run for them, by question, and the sources
    that these added, and what was judged then."""

    tested: tuple[TestedHypothesis, ...]
    searches: dict[str, tuple[SearchQuery, ...]] = {}
    new_sources: int = 0
    assessment: Assessment


class ReportReference(Frozen):
    """A reference of a report. `source` is the database; `identifiers` are canonical ("pmid:16236737")."""

    title: str
    authors: tuple[str, ...] = ()
    source: str = ""
    date: str = ""
    url: str = ""
    identifiers: tuple[str, ...] = ()


class EvidencePiece(Frozen):
    """A text of a collected source.

        piece = next(iter(storm.list_evidence(storm.repurpose("metformin for breast cancer"))))
        print(piece.content, piece.citation.url)

    `citation` is the reference that the source's record describes.
    """

    content: str
    citation: ReportReference


class FindingsSection(Frozen):
    """A section of findings: its text, in which [n] is the n-th of the report's references, and what it cites."""

    title: str
    content: str
    citations: tuple[ReportReference, ...] = ()


class DrugCandidate(Frozen):
    """A drug that could treat the disease, and the hypothesis that makes it a candidate, by its mechanism."""

    name: str
    mechanism: str
    status: HypothesisStatus


class SummaryText(Frozen):
    """An executive summary; `note` says why rules wrote it where a model was to."""

    text: str
    note: str = ""


class RemovedReference(Frozen):
    """A reference that was removed from a report: where it stood, and why."""

    title: str
    place: str
    reason: str


class RepurposingReport(Frozen):
    """The report on whether a drug could treat a disease. The executive summary is one paragraph of 100 to 500
    characters; [n] in a section is the n-th of `references`.

        report = storm.repurpose("metformin for breast cancer").repurposing.report
        print(report.executive_summary)
    """

    title: str
    executive_summary: str = Field(min_length=SHORTEST_SUMMARY, max_length=LONGEST_SUMMARY, pattern=r"^[^\n\r]*$")
    research_question: str
    methodology: str
    hypotheses_tested: tuple[TestedHypothesis, ...] = ()
    mechanistic_findings: tuple[FindingsSection, ...] = ()
    clinical_findings: tuple[FindingsSection, ...] = ()
    drug_candidates: tuple[DrugCandidate, ...] = ()
    limitations: tuple[str, ...] = ()
    conclusion: str
    references: tuple[ReportReference, ...] = ()
    sources_searched: tuple[str, ...] = ()
    total_papers_reviewed: int = Field(default=0, ge=0)
    search_iterations: int = Field(default=0, ge=0)
    confidence_score: float = Field(default=0.0, ge=0, le=1)
    assessment: Assessment = Assessment.model_construct()
    removed_references: tuple[RemovedReference, ...] = ()

    def to_markdown(self) -> str:
        """The report as Markdown; where the class is not from `storm`, but from `storm.models`, import `storm.export`
        before."""
        return _write_markdown(self)


class Repurposing(Frozen):
    """How the hypotheses of a job were tested, round by round; the last one counts. `summary` is the executive summary,
    and `summary_note` says why rules wrote it where a model was to. `report` is None if nothing was found."""

    disease: str = ""
    rounds: tuple[RepurposingRound, ...] = ()
    summary: str = ""
    summary_note: str = ""
    report: RepurposingReport | None = None


def _explain_no_writer(report: RepurposingReport) -> str:
    raise StormError("nothing is loaded that writes Markdown", hint="import storm.export before")


#: Writes a report as Markdown. `storm.export` sets it, as models have no layout.
_write_markdown: Callable[[RepurposingReport], str] = _explain_no_writer


def write_markdown_by(write: Callable[[RepurposingReport], str]) -> None:
    """Set the function that writes reports as Markdown."""
    global _write_markdown
    _write_markdown = write
