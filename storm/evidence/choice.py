"""Chooses which of the sentences that answer a question are printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from storm.citations.quotes import normalize_text
from storm.evidence.candidates import Candidate
from storm.evidence.clinical_outcomes import is_on_kinetics
from storm.evidence.grave_results import is_grave, reports_deaths
from storm.evidence.repetition import is_repetition
from storm.evidence.score import is_binding, rate_source, weakness_of
from storm.evidence.sentence_kinds import SentenceKind
from storm.evidence.significance import shows_excess
from storm.evidence.strength import evidence_of
from storm.models import Evidence, Question

#: The maximum of statements in an answer; and in an answer on results, which cites more sources.
MAX_STATEMENTS = 8
MAX_SOURCES = 12
#: Rounds of choosing: (minimum score, maximum of statements from one source).
_ROUNDS = ((1.0, 1), (0.7, 1), (1.3, 3), (1.1, 2))
#: With fewer statements on the drug itself, statements on its class and on other drugs are added.
_FEW = 2
#: With more sources than an answer cites, the weight of a sentence's source: this, and a share of its score.
_LEAST_WEIGHT, _SCORE_SHARE = 0.75, 1 / 200
#: What binds prescribers is not crowded out by trials.
_OF_LABEL = 1.5
#: A missed primary endpoint: always printed, once for each source that reports one.
_MISSED = re.compile(
    r"\bprimary (?:efficacy )?(?:end-?point|outcome)s? (?:was|were) not\b"
    r"|\b(?:failed to|did not) (?:meet|reach|achieve) (?:its|the|their|any|either) (?:co-)?primary\b"
    r"|\bno (?:\w+ ){0,2}(?:effect|difference|benefit|improvement) (?:\w+ ){0,4}primary (?:end-?point|outcome)"
    r"|\bnot (?:\w+ ){1,6}any of the (?:[\w-]+ )?primary (?:\w+ )?(?:end-?point|outcome)",
    re.I,
)
#: The result on the primary endpoint, which those on other endpoints stand beside.
_PRIMARY = re.compile(
    r"\bprimary (?:efficacy |study |composite |clinical )?(?:end-?point|outcome|variable|measure|effect variable)", re.I
)
#: A result without an effect: of each randomised trial that is cited, one is printed.
_NULL = re.compile(
    r"\bno (?:statistical(?:ly)? )?(?:significant|measurable|clear|overall) (?:[\w-]+ ){0,4}(?:differences?|effects?|"
    r"benefits?|improvements?|reductions?|changes?|increases?|associations?)\b"
    r"|(?<!that )\b(?:did|do|does|was|were|is|are) not (?:statistically )?(?:significantly \w+|differ|different|"
    r"improve|reduce|prolong|superior|significant|associated with (?:an? |any )?significant)\b"
    r"|\bdid not reach (?:statistical )?significance\b"
    r"|\bno (?:\w+ ){0,2}(?:difference|effect|benefit|improvement|advantage) "
    r"(?:[\w-]+ ){0,3}(?:between|on|in|with|over)\b",
    re.I,
)
#: The class of a drug by what it acts on.
_WHAT_IT_IS = re.compile(
    r"^(?:[\w-]+ ){1,3}(?:\([^()]{1,60}\) )?(?:is|are) (?:an?|the) (?:[\w,()/-]+ ){0,7}(?:inhibitor|"
    r"(?:ant)?agonist|antibody|blocker|modulator|activator|analogue?)\b",
    re.I,
)
#: When protection ends: printed even if other sentences rank higher; from so many sources at most.
_EXPIRY = re.compile(
    r"\b(?:expir(?:es?|ed|y|ation)|lapsed?|r[au]n out|protection (?:ends|ended|lasts|lasted))\b.{0,60}"
    r"\b(?:19|20)\d\d\b",
    re.I,
)
_MOST_EXPIRIES = 2
#: The result is only conceded, or is that of another study.
_BESIDE = re.compile(r"\b(?:although|though|despite|colleagues|et al|reported by)\b", re.I)
#: A poorer sentence on such a result is left out: what it is about may stand elsewhere.
_LEAST_NULL = 0.9
#: The same of a harm that was significantly more frequent in an arm, which more readers must see.
_LEAST_EXCESS = 0.6


def choose(question: Question, ranked: Sequence[Candidate], first: int = 0) -> list[Candidate]:
    """The sentences to print for a question, chosen from `ranked` (best first) and sorted by strength of evidence; so
    many of the first, whose quotes were registered, are chosen before the others.

    The best sentence of each source comes before the second of any. Repetitions and low scores are left out. If the
    question asks for results, every source's serious harm, deaths and missed endpoint are included, and of each
    randomised trial that is cited a result without an effect, of efficacy also the primary one, of safety a harm that
    was significantly more frequent in an arm; if it asks for what holds on a day, when protection ends.
    """
    chosen: list[Candidate] = []
    ranked = [*ranked[:first], *_put_latest_first(ranked[first:])] if question.dated else ranked
    limit = MAX_SOURCES if question.wants_results else MAX_STATEMENTS
    ordered = ranked
    if question.wants_results:
        ordered = [*ranked[:first], *sorted(ranked[first:], key=_precedence_of, reverse=True)]
    for least, most in _ROUNDS:
        for one in ordered:
            used = sum(other.source.source_id == one.source.source_id for other in chosen)
            if (
                not one.remark
                and one.worth >= least
                and used < most
                and len(chosen) < limit
                and not _is_duplicate(one, chosen)
            ):
                chosen.append(one)
    if question.dated and not any(map(_states_expiry, chosen)):
        chosen += _find_missing(ranked, chosen, _states_expiry)[:_MOST_EXPIRIES]
    chosen += _choose_related([one for one in ranked if one.remark], chosen)
    if question.wants_results:
        chosen += _find_missing(ranked, chosen, _is_grave)
        if question.precedence:
            chosen += _find_missing(ranked, chosen, _reports_deaths)
        chosen += _find_missing(ranked, chosen, _misses_endpoint)
        cited = {one.source.source_id for one in chosen if evidence_of(one.source.hit) is Evidence.RANDOMISED}
        of_trials = [one for one in ranked if one.source.source_id in cited]
        wanted = _shows_excess if question.precedence else _is_on_primary
        chosen += _find_missing(of_trials, chosen, wanted)
        chosen += _find_missing(of_trials, chosen, _is_null)
    chosen = [one for one in chosen if not any(_is_part(one, other) for other in chosen)]
    places = {id(one): place for place, one in enumerate(ranked)}
    tells_action = question.takes_facts and not question.dated

    def rank(one: Candidate) -> tuple[bool, bool, tuple[int, int], int]:
        """What a drug is comes before what it did in a study, and that before what the body does with it."""
        is_first = tells_action and not one.remark and _WHAT_IT_IS.search(one.passage.shown) is not None
        is_last = tells_action and not is_first and is_on_kinetics(one.passage.shown)
        return is_last, not is_first, weakness_of(one.source, one.passage.section.name, question), places[id(one)]

    return sorted(chosen, key=rank)


def _put_latest_first(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The sentences with those of listed patents and exclusivities, in the places of all of these, by their last day:
    what is in force comes before what has expired."""
    listed = sorted((one for one in ranked if _last_day(one)), key=_last_day, reverse=True)
    following = iter(listed)
    return [next(following) if _last_day(one) else one for one in ranked]


def _last_day(one: Candidate) -> str:
    return one.source.hit.facts.last_day


def _choose_related(ranked: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """Sentences on the class of the drug or on comparators, if there are few on the drug itself."""
    beside: list[Candidate] = []
    for one in ranked:
        if len(chosen) + len(beside) < _FEW and not _is_duplicate(one, (*chosen, *beside)):
            beside.append(one)
    return beside


def _find_missing(
    ranked: Sequence[Candidate], chosen: Sequence[Candidate], is_wanted: Callable[[Candidate], bool]
) -> list[Candidate]:
    """The best sentence of the wanted sort of each source with one, if none of the source is chosen yet."""
    reporting = {one.source.source_id for one in chosen if is_wanted(one)}
    missing: dict[str, Candidate] = {}
    for one in ranked:
        if (
            is_wanted(one)
            and one.source.source_id not in reporting
            and not _is_duplicate(one, (*chosen, *missing.values()))
        ):
            missing.setdefault(one.source.source_id, one)
    return list(missing.values())


def _precedence_of(one: Candidate) -> float:
    binding = _OF_LABEL if is_binding(one.source.hit, one.passage.section.name) else 1
    return one.worth * binding * (_LEAST_WEIGHT + _SCORE_SHARE * rate_source(one.source).score)


def _is_grave(one: Candidate) -> bool:
    return one.kind is SentenceKind.FINDING and is_grave(one.passage.shown)


def _reports_deaths(one: Candidate) -> bool:
    return one.kind is SentenceKind.FINDING and reports_deaths(one.passage.shown)


def _misses_endpoint(one: Candidate) -> bool:
    return one.kind is SentenceKind.FINDING and bool(_MISSED.search(one.passage.shown))


def _is_on_primary(one: Candidate) -> bool:
    finding = one.kind is SentenceKind.FINDING and not one.remark and one.worth >= _LEAST_NULL
    return finding and bool(_PRIMARY.search(one.passage.shown))


def _shows_excess(one: Candidate) -> bool:
    finding = one.kind is SentenceKind.FINDING and not one.remark and one.worth >= _LEAST_EXCESS
    return finding and shows_excess(one.passage.shown)


def _states_expiry(one: Candidate) -> bool:
    return not one.remark and bool(_EXPIRY.search(one.passage.shown))


def _is_null(one: Candidate) -> bool:
    text = one.passage.shown
    finding = one.kind is SentenceKind.FINDING and not one.remark and one.worth >= _LEAST_NULL
    return finding and bool(_NULL.search(text)) and not _BESIDE.search(text)


def _is_duplicate(one: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether one of the others has the same words, or the same statement from the same source."""
    return any(_is_same_statement(one, other) for other in others)


def _is_part(one: Candidate, other: Candidate) -> bool:
    """Whether the other has this sentence and the next one, which depends on it, or more of the same sentence."""
    same = one.source.source_id == other.source.source_id and one.passage is not other.passage
    text = one.passage.text.rstrip(".")
    return same and len(text) < len(other.passage.text) and text in other.passage.text


def _is_same_statement(one: Candidate, other: Candidate) -> bool:
    if one.source.source_id != other.source.source_id:
        return normalize_text(one.passage.shown) == normalize_text(other.passage.shown)
    return _is_part(one, other) or is_repetition(one.passage.shown, other.passage.shown)
