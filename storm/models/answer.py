"""What a dossier says, sentence by sentence, and what each sentence stands on."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from storm.models.base import Frozen


class Verdict(StrEnum):
    """Whether a statement's quote carries it; `unchecked` where that was to be judged, and was not."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"


class Statement(Frozen):
    """One sentence, the sources it names, the words of the first that support it, and the part of the document in which
    those stand ("Results: Survival", "Table 2"), where it has a name; `remark` says what it is about where that is not
    the drug ("about: rosuvastatin")."""

    text: str
    quote: str
    source_ids: tuple[str, ...]
    verdict: Verdict = Verdict.UNCHECKED
    citation_id: str = ""
    remark: str = ""
    section: str = ""


class Conflict(Frozen):
    """Statements of different sources that contradict each other, side by side.

    They give different values for the same endpoint of the same trial; without a `trial`, they disagree on what
    `endpoint` names as a model reads them.
    """

    trial: str
    endpoint: str
    statements: tuple[Statement, ...]


class StatementCounts(Frozen):
    """What became of the statements that were written: each is supported by its source, not judged, removed or marked.

    Of `supported` and `unjudged` the quote was found in the source, and not all are shown; whether it carries the
    statement was judged, where there is a judge, or was to be judged, and was not.
    """

    written: int = 0
    supported: int = 0
    removed: int = 0
    marked: int = 0
    unjudged: int = 0

    @classmethod
    def of(cls, *, supported: int, removed: int, marked: int, unjudged: int = 0) -> StatementCounts:
        """These, and their sum."""
        written = supported + removed + marked + unjudged
        return cls(written=written, supported=supported, removed=removed, marked=marked, unjudged=unjudged)

    @classmethod
    def summed(cls, counts: Iterable[StatementCounts]) -> StatementCounts:
        """All of them together."""
        rows = list(counts)
        return cls(**{name: sum(getattr(row, name) for row in rows) for name in cls.model_fields})


class Answer(Frozen):
    """The answer to one question, from its sources alone; `gaps` says what they leave open.

    A statement that is `unsupported` is shown as marked, and is no part of the answer; one that is `unchecked` has a
    quote that was found, and is shown as not judged. `cut_short` is whether the budget ended before the answer was
    finished, or the model gave no reply on some of its sources that could be read.
    """

    question: str
    statements: tuple[Statement, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    counts: StatementCounts = StatementCounts.model_construct()
    gaps: tuple[str, ...] = ()
    cut_short: bool = False

    @property
    def says_something(self) -> bool:
        """Whether it has a statement that is part of it."""
        return bool(self.conflicts) or any(s.verdict is not Verdict.UNSUPPORTED for s in self.statements)
