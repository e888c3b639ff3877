"""What a dossier says, sentence by sentence, and what each sentence stands on."""

from __future__ import annotations

from enum import StrEnum

from storm.models.base import Frozen


class Verdict(StrEnum):
    """Whether a statement's quote carries it."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNCHECKED = "unchecked"


class Statement(Frozen):
    """One sentence, the sources it names, and the words of the first that support it."""

    text: str
    quote: str
    source_ids: tuple[str, ...]
    verdict: Verdict = Verdict.UNCHECKED
    citation_id: str = ""


class Conflict(Frozen):
    """Statements of different sources that contradict each other, side by side.

    They give different values for the same endpoint of the same trial; without a `trial`, they disagree on what
    `endpoint` names as a model reads them.
    """

    trial: str
    endpoint: str
    statements: tuple[Statement, ...]


class Answer(Frozen):
    """The answer to one question, from its sources alone; `gaps` says what they leave open."""

    question: str
    statements: tuple[Statement, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    gaps: tuple[str, ...] = ()
