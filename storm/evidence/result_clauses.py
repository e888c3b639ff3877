"""The clauses of a sentence with the directions that they state, and the outcome that each direction is about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.citations.comparisons import Comparison, is_side_word, read_comparisons
from storm.citations.cues import Cue, Direction, read_cues
from storm.citations.positions import bracket_depths, find_after_last, word_at
from storm.citations.terms import Term, read_terms
from storm.citations.vocabulary import words_of
from storm.evidence.outcomes import Outcome, Outcomes
from storm.evidence.significance import Significance, read_significance

_CONTRASTS = words_of("; but whereas while although though however yet")
_AUXILIARIES = words_of("was were is are be been being has have had did does do")
#: A direction that opens a new object: "a reduction in".
_NOUNS = words_of(
    "reduction reductions increase increases decrease decreases improvement improvements decline declines rise fall "
    "drop prevention prolongation worsening deterioration inhibition suppression benefit benefits advantage elevation "
    "efficacy effectiveness effective beneficial efficacious superior gain gains superiority effect effects efficient "
    "difference differences change changes"
)
#: Directions that are part of an outcome: "cognitive decline".
_COURSES = words_of("decline deterioration worsening")
_STOPS = words_of("than versus vs compared relative whereas while which that who whose ; .")
_LEADS = words_of("in by with after from to at during among following between over for until through on")
_NOUN_LEADS = words_of("in of on for to regarding regard respect with regards terms the")
#: Nouns that name a topic as often as a result.
_TOPICS = words_of("efficacy effectiveness benefit benefits advantage advantages")
_SHOWING = words_of(
    "show showed shows shown demonstrated demonstrates demonstrate provided provides provide had has have confirmed "
    "conferred gave associated found observed offered produced there no not yielded resulted exhibited"
)
_REACH, _BEFORE = 12, 40
_DEGREES = {
    "more": Direction.BETTER, "most": Direction.BETTER, "less": Direction.WORSE, "least": Direction.WORSE,
}  # fmt: skip
_EFFECTIVE = words_of("effective efficacious efficient potent successful beneficial")
#: After "after" these are part of a name: "postoperative pain".
_PARTS = words_of("operative prandial surgical")


class ResultClause(NamedTuple):
    """A part of a sentence between contrasts, with its directions and comparisons."""

    terms: Sequence[Term]
    cues: Sequence[Cue]
    compared: dict[int, Comparison]
    outcomes: Sequence[Outcome]
    significance: Significance


def split_contrasts(terms: Sequence[Term]) -> list[Sequence[Term]]:
    """The parts of a sentence between words of contrast outside brackets."""
    parts: list[list[Term]] = [[]]
    for term, depth in zip(terms, bracket_depths(terms), strict=True):
        if term.word in _CONTRASTS and not depth:
            parts.append([])
        else:
            parts[-1].append(term)
    return [part for part in parts if part]


def read_clauses(sentence: str, outcomes: Outcomes) -> list[ResultClause]:
    """The clauses of a sentence, each with its directions, comparisons, outcomes and tests."""
    return [part._replace(outcomes=outcomes.find(part.terms)) for part in _read_parts(sentence)]


@lru_cache(maxsize=256)
def _read_parts(sentence: str) -> tuple[ResultClause, ...]:
    """The clauses without outcomes, which alone differ between hypotheses."""
    return tuple(map(_read_part, split_contrasts(read_terms(sentence))))


def _read_part(terms: Sequence[Term]) -> ResultClause:
    cues = [_judge(cue, terms) for cue in read_cues(terms)]
    compared = {one.at: one for one in read_comparisons(terms, cues)}
    return ResultClause(terms, cues, compared, (), read_significance(terms))


def _judge(cue: Cue, terms: Sequence[Term]) -> Cue:
    """A degree of effect is a judgement, whatever it lowers or raises: "more effective in reducing pain"."""
    words = [term.word for term in terms[cue.at : cue.at + cue.words]]
    if len(words) < 2 or words[0] not in _DEGREES or words[1] not in _EFFECTIVE:
        return cue
    return cue._replace(direction=_DEGREES[words[0]])


def _is_topic(cue: Cue, clause: ResultClause) -> bool:
    """Whether the word names what was studied: "the efficacy of"."""
    if clause.terms[cue.at].word not in _TOPICS or cue.negated:
        return False
    return not any(term.word in _SHOWING for term in clause.terms[max(0, cue.at - 7) : cue.at])


def _is_nested(cue: Cue, clause: ResultClause) -> bool:
    """Whether the direction is of another one, so that the two cannot be read: "prevented the increase in pain"."""
    others = (other for other in clause.cues if other is not cue and not other.negated)
    for other in others:
        first, second = sorted((cue, other), key=lambda one: one.at)
        between = [term.word for term in clause.terms[first.at + first.words : second.at]]
        if len(between) > 3 or {"and", ",", "in", "by", "with", "(", "or", "to"}.intersection(between):
            continue
        noun = clause.terms[second.at].word
        if noun in _NOUNS and first.direction in (Direction.UP, Direction.DOWN) and not _is_known_noun(second, clause):
            return True
    return False


def _is_known_noun(cue: Cue, clause: ResultClause) -> bool:
    """Whether the direction is part of an outcome: "cognitive decline"."""
    return any(one.at < cue.at <= one.at + 1 for one in clause.outcomes)


def find_outcome(cue: Cue, clause: ResultClause) -> Outcome | None:
    """The outcome that the cue is about: after it, or else the subject before it."""
    terms, end = clause.terms, cue.at + cue.words
    if inside := [one for one in clause.outcomes if cue.at < one.at < end]:  # "reduced congestion more"
        return inside[0]
    before = word_at(terms, cue.at - 1)
    if before.endswith("ly") or before in ("not", "also"):
        before = word_at(terms, cue.at - 2)
    is_noun = terms[end - 1].word in _NOUNS
    object_at, has_object = _find_object(clause, end, is_noun)
    subject_at = _find_subject(clause, cue.at)
    if before in _AUXILIARIES and not is_noun:
        return subject_at or object_at
    return object_at or (None if has_object else subject_at)


def _find_object(clause: ResultClause, start: int, is_noun: bool) -> tuple[Outcome | None, bool]:
    """The outcome after a direction, and whether anything stands there that it could be of."""
    terms = clause.terms
    stop = start
    leads = 0
    while stop < min(len(terms), start + _REACH):
        word = terms[stop].word
        is_lead = word in _LEADS and word_at(terms, stop + 1) not in _PARTS
        if word in _STOPS or (is_lead and not (is_noun and leads < 2 and word in _NOUN_LEADS)):
            break
        leads += is_lead
        if word == "(":
            depth = bracket_depths(terms[stop:])
            stop += next((n for n, level in enumerate(depth) if level == 0), 0)
        stop += 1
    outcome = next((one for one in clause.outcomes if start <= one.at < stop), None)
    return outcome, any(is_side_word(term) for term in terms[start:stop])


def _find_subject(clause: ResultClause, end: int) -> Outcome | None:
    start = max(find_after_last(clause.terms, (";", ","), end), end - _BEFORE)
    inside = [one for one in clause.outcomes if start <= one.at < end]
    if not inside:
        start = max(0, end - _BEFORE)
        inside = [one for one in clause.outcomes if start <= one.at < end][-1:]
    return inside[0] if inside else None


def is_stated(cue: Cue, clause: ResultClause) -> bool:
    """Whether the direction is one of a result, and not of a topic, of an outcome or of another direction."""
    in_outcome = clause.terms[cue.at].word in _COURSES and _is_known_noun(cue, clause)
    return not (in_outcome or _is_topic(cue, clause) or _is_nested(cue, clause))
