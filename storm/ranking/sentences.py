"""Sentences: where they end, and which of them answer a question best."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from storm.models import Question, SectionKind, Span
from storm.ranking.bm25 import count_terms, score_bm25
from storm.ranking.cues import cue_counter

#: Measured on 1,500 questions over trial reports: the words of the question weigh most, the drug's names less.
FOCUS_WEIGHT = 2.5
CONTEXT_WEIGHT = 0.8
#: Each different cue raises a sentence's score by this share.
CUE_WEIGHT = 1.0
#: The weight of a sentence by its part of the document: results are reported in results sections, established facts
#: (Question.takes_facts) also in introductions. Measured on the same questions; the facts on articles read for it.
RESULT_WEIGHTS: Mapping[SectionKind, float] = {
    SectionKind.RESULTS: 1.3,
    SectionKind.TABLE: 1.1,
    SectionKind.ABSTRACT: 1.15,
    SectionKind.CONCLUSION: 1.0,
    SectionKind.DISCUSSION: 0.8,
    SectionKind.METHODS: 0.5,
    SectionKind.INTRODUCTION: 0.4,
    SectionKind.BACK_MATTER: 0.4,
}
FACT_WEIGHTS: Mapping[SectionKind, float] = {
    SectionKind.ABSTRACT: 1.15,
    SectionKind.RESULTS: 1.0,
    SectionKind.CONCLUSION: 1.0,
    SectionKind.INTRODUCTION: 1.0,
    SectionKind.DISCUSSION: 0.8,
    SectionKind.METHODS: 0.5,
    SectionKind.BACK_MATTER: 0.4,
}
OTHER_WEIGHT = 0.9
#: The words of texts up to this length are cached.
_REMEMBERED = 2_000

#: After these a sentence goes on; the figure distinguishes "No. 5" and "p. 5" from "the answer was no."
_NEVER_END = re.compile(
    r"(?:approx|ca|cf|e\.g|i\.e|viz|[\d.,]{0,12}vs|v|dr|mrs?|ms|prof|st|figs?|eqs?|refs?|tabs?|suppl|(?-i:spp?|SPP)|subsp|resp|esp|incl|ed|eds)",
    re.IGNORECASE,
)
_BEFORE_FIGURE = re.compile(r"(?:nos?|vol|pp?|ch|sect?|art|app|day|week|exp)", re.IGNORECASE)
#: These end a sentence if a capital letter follows; those of the second kind, which also precede names ("U.S. Food",
#: "J. Smith", "Roche Inc. Basel"), only if a word follows that opens sentences.
_BEFORE_CAPITAL = re.compile(r"(?:etc|i\.v|s\.c|p\.o|i\.m|i\.p|a\.m|p\.m|b\.i\.d|q\.d|t\.i\.d)", re.IGNORECASE)
_BEFORE_NAME = re.compile(r"(?:(?:[A-Z]\.)*[A-Z]|al|inc|ltd|corp|co|jr|sr|dept)", re.IGNORECASE)
#: After these a single capital is a label, not an initial: "arm C. Diarrhoea was common."
_LABELLED = re.compile(
    r"\b(?:arms?|cohorts?|groups?|grades?|class|stages?|types?|parts?|panels?|tables?|phase|hepatitis|vitamin|factor)"
    r" [A-Z]$"
)
_OPENER = re.compile(
    r"(?:The|This|These|That|Those|It|In|On|At|A|An|As|After|All|Although|Among|And|Both|But|By|For|From|However|If|"
    r"Its|Most|No|Of|Our|Overall|Patients|There|They|To|We|When|Where|While|With)\b"
)
#: The look-ahead takes the test of all three alternatives from every letter: half the time.
_BORDER = re.compile(
    r"""(?=[.!?\s])(?:(?P<mark>(?<![.!?])[.!?]+)(?P<closing>[)\]"'”’»]*(?:\[\d[\d,\s–-]*\]|\^[\d,–-]+|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?)\s+"""
    r"|(?P<joined>(?<=[a-z]{3})\.(?=(?:The|This|These|It|In|Of|On|After|Although|Among|Both|However|No|Our|Overall|There|"
    r"They|To|We|When|While|With)\s))"
    r"|(?P<blank>(?<!\s)[^\S\n]*+\n(?:(?![ \t\r]*+\n)[^\S\n]*+\n)*+[ \t\r]*+\n\s*))"
)
#: A number with a blank after its point: "P = 0. 028".
_BROKEN_NUMBER = re.compile(r"\bp ?[=<>≤≥] ?0$", re.I)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
#: "(See Figure 2A)" after a full stop belongs to the sentence before.
_FIGURE = re.compile(r"\s{0,9}(?P<figure>\((?:see )?(?:fig(?:ure)?s?|tables?|supp\w*)\b[^()]{0,60}\))(?=\s)", re.I)
#: The word before a full stop, read backwards.
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘/]+")
#: Signs that begin no sentence: "98.8. ± 236.9 N".
_SIGNS = ("±", "=", "<", ">", "≤", "≥", "%")
_OPENING_MARKS = "([\"'“‘«"
#: Names with a small first letter that may begin a sentence: mRNA, p53, pH, α-tocopherol.
_SMALL_NAME = re.compile(r"[a-z]{1,3}[A-Z0-9]|[α-ω]")
_TERM = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


class _Abbreviation(NamedTuple):
    """When a sentence goes on after an abbreviation: always, before a figure, unless a sentence opener follows, or
    unless a capital letter follows."""

    never_ends: bool = False
    before_figure: bool = False
    before_name: bool = False
    before_capital: bool = False


_NOWHERE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence with its index, its score (higher is better) and its number of different cues."""

    index: int
    text: str
    score: float
    cues: int = 0


def split_sentences(text: str) -> list[Span]:
    """The sentences of a text, each a verbatim piece of it without outer white space.

    A full stop ends one unless it belongs to an abbreviation, an initial or a number; a blank line always does;
    a semicolon never does.
    """
    spans: list[Span] = []
    start = 0
    for match in _BORDER.finditer(text):
        is_blank, is_joined = match.lastgroup == "blank", match.lastgroup == "joined"
        is_paragraph = match[0].count("\n") > 1 and _BLANK_LINE.search(match[0]) is not None
        if not (is_blank or is_joined or is_paragraph or _ends_sentence(text, match)):
            continue
        end = match.start() if is_blank else match.end("joined" if is_joined else "closing")
        _append_span(spans, text, start, end)
        start = match.end()
    _append_span(spans, text, start, len(text))
    return spans


def rank_for_question(
    question: Question, names: Sequence[str], sentences: Sequence[str], roles: Sequence[SectionKind] = ()
) -> list[Scored]:
    """`rank_sentences` by the question's words, with the drug's names as context and, where known, the role of each
    sentence's section (Section.role)."""
    by_role = FACT_WEIGHTS if question.takes_facts else RESULT_WEIGHTS
    weights = [by_role.get(role, OTHER_WEIGHT) for role in roles]
    return rank_sentences(sentences, question.asked_for, names, question.cues, question.places, weights)


def rank_sentences(
    sentences: Sequence[str],
    focus: Sequence[str],
    context: Sequence[str] = (),
    cues: Sequence[str] = (),
    places: Mapping[str, str] = _NOWHERE,
    weights: Sequence[float] = (),
) -> list[Scored]:
    """All sentences, best first: BM25 with weighted words, raised by the cues of each sentence, times its weight.

    `focus` and `context` are words or phrases, `cues` are regular expressions, and `places` says where cues of a user's
    file are defined (Question.places). Equal scores keep the given order.
    """
    wanted = dict.fromkeys((term for phrase in context for term in split_terms(phrase)), CONTEXT_WEIGHT)
    wanted |= dict.fromkeys((term for phrase in focus for term in split_terms(phrase)), FOCUS_WEIGHT)
    relevance = score_bm25([count_terms(split_terms(sentence), wanted) for sentence in sentences], wanted)
    found = map(cue_counter(cues, places), sentences)
    ranked = [
        Scored(i, sentence, score * (1 + CUE_WEIGHT * count) * weight, count)
        for i, (sentence, score, count, weight) in enumerate(
            zip(sentences, relevance, found, weights or [1.0] * len(sentences), strict=True)
        )
    ]
    return sorted(ranked, key=lambda scored: (-scored.score, -scored.cues))


def split_terms(text: str) -> tuple[str, ...]:
    """The words of a text for comparison: lower case, a hyphenated word whole and in parts, plural s removed."""
    return _remembered_terms(text) if len(text) <= _REMEMBERED else tuple(_read_terms(text))


@lru_cache(maxsize=1_024)
def _remembered_terms(text: str) -> tuple[str, ...]:
    """Cached, as a job compares a sentence with each of its questions; words are interned."""
    return tuple(map(sys.intern, _read_terms(text)))


def _read_terms(text: str) -> list[str]:
    found: list[str] = []
    for word in _TERM.findall(text.lower()):
        if word.isalnum():
            found.append(_remove_plural(word))
            continue
        parts = re.split(r"[-'’]", word)
        found += [*map(_remove_plural, parts), _remove_plural(word)]
    return found


def _append_span(spans: list[Span], text: str, start: int, end: int) -> None:
    if spans and (behind := _FIGURE.match(text, start, end)):
        first, start = spans.pop().start, behind.end("figure")
        spans.append(Span(first, start, text[first:start]))
    piece = text[start:end]
    if body := piece.strip():
        begin = start if len(body) == len(piece) else start + len(piece) - len(piece.lstrip())
        spans.append(Span(begin, begin + len(body), body))


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    begin = match.end()
    following = text[begin : begin + 20].lstrip(_OPENING_MARKS)
    if following[:1] in _SIGNS:
        return False
    mark, closing = match.group("mark", "closing")
    if mark == "." and not closing:
        end = match.start()
        start = max(0, end - 40)
        if following[:1].isdigit() and _BROKEN_NUMBER.search(text, start, end):
            return False
        last = _LAST_WORD.match(text[start:end][::-1])
        stop = _classify_abbreviation(last[0][::-1]) if last else None
        if stop:
            if stop.never_ends or (stop.before_figure and following[:1].isdigit()):
                return False
            if stop.before_name and not _LABELLED.search(text, start, end):
                return bool(_OPENER.match(following))
            if stop.before_capital:
                return following[:1].isupper()
    return not following[:1].islower() or bool(_SMALL_NAME.match(following))


@lru_cache(maxsize=4096)
def _classify_abbreviation(word: str) -> _Abbreviation | None:
    patterns = (_NEVER_END, _BEFORE_FIGURE, _BEFORE_NAME, _BEFORE_CAPITAL)
    found = [pattern.fullmatch(word) is not None for pattern in patterns]
    return _Abbreviation(*found) if any(found) else None


def _remove_plural(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
