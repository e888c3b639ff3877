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
    """Statements that give different values for the same endpoint of the same trial, side by side."""

    trial: str
    endpoint: str
    statements: tuple[Statement, ...]


class Answer(Frozen):
    """The answer to one question, from its sources alone; `gaps` says what they leave open."""

    question: str
    statements: tuple[Statement, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    gaps: tuple[str, ...] = ()
