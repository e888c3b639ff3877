"""On which side of a hypothesis a sentence stands, by the direction of the result that it reports itself.

A benefit, or fewer bad outcomes, is for it; harm to the outcome is against it, and so is a result that finds no
difference. That the drug does as well as another active drug is on neither side: both may work, or none. Adverse
events, adherence and the fate of a drug in the body are not outcomes of the disease. A sentence whose direction cannot
be read is on no side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from storm.citations.comparisons import Words
from storm.citations.cues import JUDGEMENTS, Cue, Direction, direction_at
from storm.citations.readings import read_quote
from storm.citations.terms import Term, content_keys, read_terms
from storm.citations.vocabulary import words_of
from storm.evidence.ambiguity import is_ambiguous
from storm.evidence.outcomes import Outcome, Outcomes
from storm.evidence.result_clauses import ResultClause, find_outcome, is_stated, read_clauses
from storm.evidence.sentence_kinds import REACH
from storm.evidence.significance import Significance, direction_of_ratio, is_hazard_ratio
from storm.evidence.subjects import compile_name_pattern, is_added_to, is_aside
from storm.syllabus.drug_names import DRUG_NAME


class Side(StrEnum):
    """For or against a hypothesis."""

    FOR = "for"
    AGAINST = "against"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.AGAINST if self is Side.FOR else Side.FOR


class Subject(NamedTuple):
    """What a sentence is read about: the names of the drug or of what was done, the outcomes of the disease, and
    whether its study is known to compare with no active drug."""

    names: tuple[str, ...]
    outcomes: Outcomes
    has_control: bool = False


#: Arms without an active drug.
_CONTROLS = frozenset(
    ("placebo", "control", "sham", "vehicl", "salin", "untreat", "usual", "alone", "monotherapi", "basal", "baselin")
)
_CONTROL = re.compile(
    r"\b(?:placebo|controls?(?= (?:group|arm|subject|patient|participant|animal|mice|rats|children|women|men))|"
    r"(?:than|with|to|and|in|versus|vs\.?|the|of) controls|(?:than|versus|vs\.?) (?:the )?control|sham|vehicle|saline|"
    r"untreated|usual care|standard (?:of )?care|supportive care|"
    r"no treatment|alone|monotherapy|non ?users?|air|no additional)\b",
    re.I,
)
#: Arms that got what was tried, without its name.
_TREATED = re.compile(
    r"\b(?:intervention|treatment|treated|active|experimental|supplement\w*|case|study) (?:group|arm)s?\b|"
    r"\b(?:treated|supplemented)\b",
    re.I,
)
_TREND = re.compile(r"\b(?:trends?|tend(?:ed|s|ency)?|numerical\w*|slight(?:ly)?)\b", re.I)
#: How a result of groups differs from one of the drug alone.
_COMPARES = re.compile(
    r"\b(?:groups?|arms?|between|intergroup|versus|vs|compared|comparison|than|respectively|differ\w*)\b|\bp ?[=<>≤≥]",
    re.I,
)
#: Results of the control, and of it and the drug together.
_IN_CONTROL = re.compile(r"\b(?:placebo|controls?|sham) (?:group|arm)|\bin (?:the )?(?:controls?|placebo)\b", re.I)
_COMPARES_BOTH = re.compile(r"\b(?:between|versus|vs|compared|than|both|differ\w*)\b", re.I)
#: Outcomes without a name, and what says of what another clause names that it was no difference.
_ENDPOINT = re.compile(r"\b(?:end ?points?|outcomes|efficacy|benefits?|effectiveness)\b", re.I)
_DIFFERENCE = re.compile(r"\bdifferences? (?:was|were|failed|did|between)\b|^(?:this|it|these|they|which|that)\b", re.I)
#: Before a name: what the other side is compared with.
_AGAINST = re.compile(r"\b(?:than|versus|vs\.?|compared (?:with|to)|relative to)(?: [\w()-]+){0,6} $", re.I)
_HYPHENS = str.maketrans("\u2010\u2011", "--")
_BOTH = re.compile(r"\b(?:both|all|two|three|all the|in) (?:the )?(?:\w+ )?(?:groups|arms)\b", re.I)
_PREVENTS = re.compile(r"prevent|block|inhibit|suppress|abolish|revers|attenuat|abrogat|counteract", re.I)
#: What denies an effect, and how near it stands.
_DENIALS, _DENIAL = words_of("no not without any nor never neither absence lack"), 6
_SIMILAR = words_of("similar similarly comparable comparably equivalent equally equal alike same identical as")


@lru_cache(maxsize=256)
def read_stated_sides(sentence: str, subject: Subject, *, reverse: bool = False) -> frozenset[Side]:
    """The sides that the sentence is on: both, where one clause reports a benefit and another none.

    `reverse`: what was done is the opposite of what the drug does, so that a benefit of it is against the drug.
    """
    sentence = sentence.translate(_HYPHENS)
    if (
        len(sentence) > REACH
        or is_ambiguous(sentence, subject.names)
        or is_aside(sentence, subject.names)
        or is_added_to(sentence, subject.names)
        or _is_comparator(sentence, subject)
    ):
        return frozenset()
    clauses = read_clauses(sentence, subject.outcomes)
    nulls = [_is_null(clause, clauses, sentence, subject) for clause in clauses]
    open_clauses = [clause for clause, null in zip(clauses, nulls, strict=True) if not null]
    found = [side for clause in open_clauses if (side := _read_benefit(clause, sentence, subject)) is not None]
    found = [side.other for side in found] if reverse else found
    if any(nulls):
        owned = all(clause.outcomes for clause, null in zip(clauses, nulls, strict=True) if null)
        in_both = _BOTH.search(sentence)
        if _is_against_unknown(sentence, subject):
            return frozenset(found if len(set(found)) == 1 and owned and in_both else ())
        whole = not owned or in_both or _TREND.search(sentence)
        return frozenset((Side.AGAINST,) if whole or reverse else (Side.AGAINST, *found))
    if _TREND.search(sentence) and not any(one.significance is Significance.FOUND for one in clauses):
        return frozenset()
    return frozenset(found) if len(set(found)) == 1 else frozenset()


def _is_null(clause: ResultClause, clauses: Sequence[ResultClause], sentence: str, subject: Subject) -> bool:
    """Whether the clause says of the drug that it finds no difference in an outcome of the disease."""
    if (clause.outcomes and clause.outcomes[0].is_aside) or _is_of_control(clause, clauses, subject):
        return False
    text = " ".join(term.word for term in clause.terms)
    if _COMPARES.search(text) and DRUG_NAME.search(_remove_names(text, subject)) and not _CONTROL.search(text):
        return False
    wanted = [one for one in clause.outcomes if not one.is_aside]
    denied = [cue for cue in clause.cues if _is_denied_benefit(cue, clause, subject)]
    if denied:
        return True
    if clause.significance is not Significance.NONE:
        return any(_is_similar(cue, clause) for cue in clause.cues) and bool(wanted) and bool(_CONTROL.search(sentence))
    named = any(not one.is_aside for other in clauses for one in other.outcomes)
    return bool(wanted) or _ENDPOINT.search(text) is not None or (named and _DIFFERENCE.search(text) is not None)


def _is_comparator(sentence: str, subject: Subject) -> bool:
    """Whether another drug, or another dose of this one, is what is compared with this one: the side is unclear."""
    for mention in compile_name_pattern(tuple(subject.names)).finditer(sentence):
        before = sentence[: mention.start()]
        if _AGAINST.search(before) and (DRUG_NAME.search(before) or _has_name(read_terms(before), subject)):
            return True
    return False


def _remove_names(text: str, subject: Subject) -> str:
    return compile_name_pattern(tuple(subject.names)).sub(" ", text)


def _is_of_control(clause: ResultClause, clauses: Sequence[ResultClause], subject: Subject) -> bool:
    """Whether a clause beside others tells of the control alone: "whereas nothing changed in the placebo group"."""
    text = " ".join(term.word for term in clause.terms)
    alone = len(clauses) > 1 and not _COMPARES_BOTH.search(text) and not _has_name(clause.terms, subject)
    return alone and _CONTROL.search(text) is not None


def _is_denied_benefit(cue: Cue, clause: ResultClause, subject: Subject) -> bool:
    """Whether a cue denies a benefit: "did not improve memory", "no effect on pain", "no benefit"."""
    outcome = find_outcome(cue, clause)
    if any(one.at < cue.at <= one.at + 2 and one.wanted < 0 for one in clause.outcomes):  # "lack of efficacy"
        return False
    if cue.direction is Direction.EQUAL:
        if _is_similar(cue, clause) or _is_far_from_denial(cue, clause):
            return False
        return outcome is not None and not outcome.is_aside
    if not cue.negated:
        return False
    if cue.direction in JUDGEMENTS:
        measured = subject.outcomes.is_only_measured(clause.terms) and outcome is None
        return (
            cue.direction is Direction.BETTER
            and not (outcome and outcome.is_aside)
            and not (measured and not subject.names)
        )
    return outcome is not None and _sign(cue.direction, outcome) > 0


def _is_far_from_denial(cue: Cue, clause: ResultClause) -> bool:
    """Whether an effect has its denial in another part of the sentence: "doses that did not … had an effect"."""
    near = {term.word for term in clause.terms[max(0, cue.at - _DENIAL) : cue.at + _DENIAL]}
    return clause.terms[cue.at].word in ("effect", "effects") and not near & _DENIALS


def _is_similar(cue: Cue, clause: ResultClause) -> bool:
    return cue.direction is Direction.EQUAL and clause.terms[cue.at].word in _SIMILAR


def _read_benefit(clause: ResultClause, sentence: str, subject: Subject) -> Side | None:
    """The side of the directions of a clause; None if there is none, or they disagree."""
    if clause.significance is Significance.NONE:
        return None
    sides = {side for cue in clause.cues if (side := _read_cue(cue, clause, sentence, subject)) is not None}
    if not sides and not clause.cues:
        sides = set(_read_numbers(clause, sentence, subject))
    return sides.pop() if len(sides) == 1 else None


def _read_cue(cue: Cue, clause: ResultClause, sentence: str, subject: Subject) -> Side | None:
    direction = cue.direction
    if direction is Direction.EQUAL and cue.words > 1 and clause.terms[cue.at].word in ("similarly", "equally"):
        if _CONTROL.search(sentence):
            return None
        direction = direction_at(clause.terms, cue.at + cue.words - 1) or direction
    if cue.negated or direction is Direction.EQUAL or not is_stated(cue, clause):
        return None
    outcome = find_outcome(cue, clause)
    if direction in JUDGEMENTS:
        sign = 1 if direction is Direction.BETTER else -1
        is_aside = outcome is None and any(one.is_aside for one in clause.outcomes)
        if (
            is_aside
            or (outcome and outcome.is_aside)
            or (not outcome and subject.outcomes.is_only_measured(clause.terms))
        ):
            return None
    else:
        sign = _sign(direction, outcome) if outcome and not _is_lost(cue, clause, outcome) else 0
    sign *= _sign_of_sides(cue, clause, sentence, subject)
    return Side.FOR if sign > 0 else Side.AGAINST if sign < 0 else None


def _is_lost(cue: Cue, clause: ResultClause, outcome: Outcome) -> bool:
    """Whether a good outcome was prevented, which is unclear: "inhibited the survival of the parasite"."""
    return outcome.wanted > 0 and _PREVENTS.match(clause.terms[cue.at].word) is not None


def _sign(direction: Direction, outcome: Outcome) -> int:
    return 0 if outcome.is_aside else outcome.wanted * (1 if direction is Direction.UP else -1)


def _sign_of_sides(cue: Cue, clause: ResultClause, sentence: str, subject: Subject) -> int:
    """1 if the result is one of the drug, -1 if it is one of what the drug is compared with, 0 if that is unclear."""
    if compared := clause.compared.get(cue.at) or next(iter(clause.compared.values()), None):
        ours, theirs = _names(compared.left, subject), _names(compared.right, subject)
        if ours != theirs:
            return 1 if ours else -1
        left, right = bool(compared.left & _CONTROLS), bool(compared.right & _CONTROLS)
        return 0 if left == right else 1 if right else -1
    text = " ".join(term.word for term in clause.terms)
    if _has_name(clause.terms, subject):
        return 0 if _IN_CONTROL.search(text) else 1
    if _IN_CONTROL.search(text):
        return 0
    if DRUG_NAME.search(text) or not (_has_name(read_terms(sentence), subject) or _TREATED.search(sentence)):
        return 0
    return 1


def _names(words: Words, subject: Subject) -> bool:
    return any(keys and keys <= words for keys in _name_keys(subject))


def _has_name(terms: Sequence[Term], subject: Subject) -> bool:
    keys = {term.key for term in terms}
    return any(own and own <= keys for own in _name_keys(subject))


def _name_keys(subject: Subject) -> Iterator[frozenset[str]]:
    return (content_keys(read_terms(name)) for name in subject.names)


def _read_numbers(clause: ResultClause, sentence: str, subject: Subject) -> Iterator[Side]:
    """The side of values of two arms that differ by a test, or of a ratio whose interval does not include 1."""
    outcome = next((one for one in clause.outcomes if not one.is_aside), None)
    if clause.significance is not Significance.FOUND or outcome is None or clause.outcomes[0].is_aside:
        return
    if way := direction_of_ratio(clause.terms):
        sign = _sign_of_ratio(way, outcome, clause) if _is_ratio_of(sentence, clause, subject) else 0
    else:
        numeric = read_quote(clause.terms, clause.terms).numeric
        ours = [one for one in numeric if _names(one.left, subject) != _names(one.right, subject)]
        ways = {one.direction if _names(one.left, subject) else one.swap_sides().direction for one in ours}
        sign = _sign(ways.pop(), outcome) if len(ways) == 1 else 0
    if sign:
        yield Side.FOR if sign > 0 else Side.AGAINST


def _is_ratio_of(sentence: str, clause: ResultClause, subject: Subject) -> bool:
    """Whether a ratio is one of the drug to something else, and not of that to the drug."""
    mentions = compile_name_pattern(tuple(subject.names)).finditer(sentence)
    return _has_name(clause.terms, subject) and not any(_AGAINST.search(sentence[: one.start()]) for one in mentions)


def _sign_of_ratio(way: Direction, outcome: Outcome, clause: ResultClause) -> int:
    """The sign of a ratio: a hazard ratio of survival counts deaths; whether an odds ratio does is not certain."""
    if not outcome.is_time:
        return _sign(way, outcome)
    return -_sign(way, outcome) if is_hazard_ratio(clause.terms) else 0


def _is_against_unknown(sentence: str, subject: Subject) -> bool:
    """Whether the drug is compared with another active drug, or nothing says with what: no difference then says nothing
    of the drug."""
    if _CONTROL.search(sentence) or not _COMPARES.search(sentence):
        return False
    names = " ".join(subject.names).casefold()
    others = (match[0].casefold() for match in DRUG_NAME.finditer(sentence))
    return not subject.has_control or any(other.rstrip("s") not in names for other in others)
