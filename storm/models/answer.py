"""The statements of a dossier, and the evidence of each."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from storm.models.base import Frozen


class Verdict(StrEnum):
    """Whether a statement's quote supports it; `unchecked` if that should have been judged and was not."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"


class Statement(Frozen):
    """One sentence with its sources and a supporting quote of the first. `section` names the part of the document that
    contains the quote ("Results: Survival", "Table 2"), and `paragraph` is what stands around it there, with … where it
    was cut; empty in jobs of earlier versions. `remark` says what the sentence is about if not the drug
    ("about: rosuvastatin"). `background`: the source says what was known before or elsewhere, not what it found."""

    text: str
    quote: str
    source_ids: tuple[str, ...]
    verdict: Verdict = Verdict.UNCHECKED
    citation_id: str = ""
    remark: str = ""
    section: str = ""
    paragraph: str = ""
    background: bool = False

    @property
    def identity(self) -> str:
        """What it keeps when it is reworded: its citation. One without is not reworded: its sources, quote and text."""
        return self.citation_id or " ".join((*self.source_ids, self.quote, self.text)).casefold()


class SummarySentence(Statement):
    """A statement of the report, and the question that it answers."""

    question: str

    @classmethod
    def place(cls, statement: Statement, question: str) -> Self:
        """The statement as a sentence on this question."""
        return cls(**statement.model_dump() | {"question": question})


class Conflict(Frozen):
    """Statements of different sources that contradict each other, side by side.

    They give different values for the same endpoint of the same trial; without a `trial`, a model found that they
    disagree on `endpoint`.
    """

    trial: str
    endpoint: str
    statements: tuple[Statement, ...]


class StatementCounts(Frozen):
    """Counts of the written statements: each is supported by its source, not judged, removed or marked.

    The quotes of `supported` and `unjudged` statements were found in their sources; not all of these are shown.
    `unjudged` are those that a judge should have judged, and did not.
    """

    written: int = 0
    supported: int = 0
    removed: int = 0
    marked: int = 0
    unjudged: int = 0

    @classmethod
    def of(cls, *, supported: int, removed: int, marked: int, unjudged: int = 0) -> Self:
        """The counts, with `written` as their sum."""
        written = supported + removed + marked + unjudged
        return cls(written=written, supported=supported, removed=removed, marked=marked, unjudged=unjudged)

    @classmethod
    def sum_counts(cls, counts: Iterable[Self]) -> Self:
        """The sum of all counts."""
        rows = list(counts)
        return cls(**{name: sum(getattr(row, name) for row in rows) for name in cls.model_fields})


class Answer(Frozen):
    """The answer to one question, from its sources alone; `gaps` says what they leave open.

    An `unsupported` statement is shown as marked and is not part of the answer; an `unchecked` one has a quote that was
    found, and is shown as not judged. `cut_short` says that the budget ended before the answer was finished, or that
    the model gave no readable reply on some of its sources. `refused` are the ids of the sources of statements that
    were removed, because their source does not support them.
    """

    question: str
    statements: tuple[Statement, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    counts: StatementCounts = StatementCounts.model_construct()
    gaps: tuple[str, ...] = ()
    cut_short: bool = False
    refused: tuple[str, ...] = ()

    @property
    def all_statements(self) -> tuple[Statement, ...]:
        """Its statements in reading order, those of conflicts last."""
        return (*self.statements, *(side for conflict in self.conflicts for side in conflict.statements))

    @property
    def answering(self) -> frozenset[str]:
        """The ids of the sources that its statements on the drug itself stand on."""
        carried = (s for s in self.all_statements if s.verdict is not Verdict.UNSUPPORTED and not s.remark)
        return frozenset(source_id for statement in carried for source_id in statement.source_ids)

    @property
    def says_something(self) -> bool:
        """Whether it has a conflict, or a statement that is not unsupported."""
        return bool(self.conflicts) or any(s.verdict is not Verdict.UNSUPPORTED for s in self.statements)
