"""Chooses which of the sentences that answer a question are printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from storm.citations.quotes import normalize_text
from storm.evidence.candidates import Candidate
from storm.evidence.repetition import is_repetition
from storm.evidence.score import weakness_of
from storm.evidence.sentence_kinds import SentenceKind
from storm.models import Question

#: The maximum of statements in an answer; and in an answer on results, which cites more sources.
MAX_STATEMENTS = 8
MAX_SOURCES = 12
#: Rounds of choosing: (minimum score, maximum of statements from one source).
_ROUNDS = ((1.0, 1), (0.6, 1), (1.2, 3), (1.0, 2))
#: With fewer statements on the drug itself, statements on its class and on other drugs are added.
_FEW = 2
#: Serious harm or a missed endpoint: always printed, once for each source that reports one.
_GRAVE = re.compile(
    r"\b(?:serious|severe|fatal|lethal|life-threatening|died|(?<!cell )(?<!fewer )deaths?|grade (?:≥ ?)?[345]|"
    r"hospitali[sz]ed|suicid\w+)\b"
    r"|\bprimary (?:efficacy )?(?:end-?point|outcome)s? (?:was|were) not\b|\b(?:failed to|did not) (?:meet|reach|"
    r"achieve)\b"
    r"|\bno (?:\w+ ){0,2}(?:effect|difference|benefit|improvement) (?:\w+ ){0,4}primary (?:end-?point|outcome)",
    re.I,
)


def choose(question: Question, ranked: Sequence[Candidate]) -> list[Candidate]:
    """The sentences to print for a question, chosen from `ranked` (best first) and sorted by strength of evidence.

    The best sentence of each source comes before the second of any. Repetitions and low scores are left out. If the
    question asks for results, every source's serious harm or missed endpoint is included.
    """
    chosen: list[Candidate] = []
    limit = MAX_SOURCES if question.wants_results else MAX_STATEMENTS
    for least, most in _ROUNDS:
        for one in ranked:
            used = sum(other.source.source_id == one.source.source_id for other in chosen)
            if (
                not one.remark
                and one.worth >= least
                and used < most
                and len(chosen) < limit
                and not _is_duplicate(one, chosen)
            ):
                chosen.append(one)
    chosen += _choose_related([one for one in ranked if one.remark], chosen)
    if question.wants_results:
        chosen += _find_missing_harms(ranked, chosen)
    places = {id(one): place for place, one in enumerate(ranked)}
    return sorted(
        chosen, key=lambda one: (weakness_of(one.source, one.passage.section.name, question), places[id(one)])
    )


def _choose_related(ranked: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """Sentences on the class of the drug or on comparators, if there are few on the drug itself."""
    beside: list[Candidate] = []
    for one in ranked:
        if len(chosen) + len(beside) < _FEW and not _is_duplicate(one, (*chosen, *beside)):
            beside.append(one)
    return beside


def _find_missing_harms(ranked: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence on serious harm or a missed endpoint of each source with one that is not chosen yet."""
    reporting = {one.source.source_id for one in chosen if _is_grave(one)}
    missing: dict[str, Candidate] = {}
    for one in ranked:
        if (
            _is_grave(one)
            and one.source.source_id not in reporting
            and not _is_duplicate(one, (*chosen, *missing.values()))
        ):
            missing.setdefault(one.source.source_id, one)
    return list(missing.values())


def _is_grave(one: Candidate) -> bool:
    return one.kind is SentenceKind.FINDING and bool(_GRAVE.search(one.passage.shown))


def _is_duplicate(one: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether one of the others has the same words, or the same statement from the same source."""
    return any(_is_same_statement(one, other) for other in others)


def _is_same_statement(one: Candidate, other: Candidate) -> bool:
    if one.source.source_id != other.source.source_id:
        return normalize_text(one.passage.shown) == normalize_text(other.passage.shown)
    return is_repetition(one.passage.shown, other.passage.shown)
