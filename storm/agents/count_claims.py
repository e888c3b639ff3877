"""Checks sentences of a model that state counts and scores: each clause has one of a few fixed forms, and each number
is the one that was counted. Whatever has another form is not a count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from storm.citations.numbers import find_numbers, flatten_text
from storm.models.names import phrases_of, plain_words

_WORD = re.compile(r"[^\W_]+")
#: Stands for a name of the drug or of the disease.
_NAME = "@"
#: Where a clause ends.
_BORDER = re.compile(r"(?:[,;:]| (?:and|but|while)\b)(?: (?:and|but|while)\b)?(?=\s)")
_COUNT = r"(?P<count>[^\s@]{1,20})"
_WHOLE = r"(?: of (?:the )?(?P<whole>[^\s@]{1,20}))?"
_KIND = r"(?:(?P<kind>clinical|mechanism|mechanistic) )?"
_COUNTED = r"(?P<counted>hypothes[ie]s|sources?|statements?)"
_BE = r"(?:is|are|was|were|has been|have been)"
_ABOUT = rf"(?: (?:on|for|about) {_NAME}){{0,2}}"
_HYPOTHESIS = r"(?:it|them|one|a hypothesis|the hypothes[ie]s|these hypotheses)"
#: The forms of a clause, in small letters.
_FORMS = (
    # "Of 3 hypotheses on metformin", "3 hypotheses were tested", "there are 5 clinical statements"
    re.compile(rf"(?:of |there (?:is|are|was|were) )?{_COUNT} {_KIND}{_COUNTED}{_ABOUT}(?: (?:{_BE} )?tested)?"),
    # "2 of 3 hypotheses are supported", "1 is contradicted"
    re.compile(
        rf"{_COUNT}{_WHOLE}(?: (?P<counted>hypothes[ie]s){_ABOUT})? (?:{_BE} )?"
        r"(?P<side>supported|contradicted|mixed|untested)"
    ),
    # "4 sources support it", "two statements are against the hypotheses", "1 contradicts it"
    re.compile(
        rf"{_COUNT}{_WHOLE}(?: {_KIND}(?P<counted>sources?|statements?))? "
        rf"(?P<side>supports?|contradicts?|speaks? (?:for|against)|{_BE} (?:for|against)) {_HYPOTHESIS}"
    ),
    # "The mechanism score is 6 of 10", "the clinical score 4", "confidence is 0.6"
    re.compile(
        rf"(?:the )?(?:(?P<score>mechanism|mechanistic|clinical) score|(?P<confidence>confidence)(?: score)?)"
        rf"(?: {_BE})? (?P<value>\S{{1,20}}?)(?: (?:out )?of (?P<full>10|ten))?"
    ),
)
#: The side that a verb names, by its beginning.
_SIDES = {
    "support": "supporting",
    "contradict": "contradicting",
    "mixed": "mixed",
    "untested": "untested",
}
_NONE = ("no", "none", "zero")
#: Characters of a sentence.
_LONGEST = 500


class Counts(NamedTuple):
    """What can be counted of one thing: how many there are, and how many of each side."""

    total: frozenset[str] = frozenset()
    supporting: frozenset[str] = frozenset()
    contradicting: frozenset[str] = frozenset()
    mixed: frozenset[str] = frozenset()
    untested: frozenset[str] = frozenset()


class Tally(NamedTuple):
    """What a sentence may state: counts of hypotheses, sources and statements, of which `kind` these are, and scores by
    their names. `names` are those of the drug and of the disease."""

    hypotheses: Counts
    sources: Counts
    statements: Counts
    scores: Mapping[str, frozenset[str]]
    names: tuple[str, ...]
    kind: str = ""


def as_tokens(*numbers: float) -> frozenset[str]:
    """The numbers as `find_numbers` gives them."""
    return frozenset(number.token for one in numbers for number in find_numbers(flatten_text(f"{one:g}")))


def find_count_fault(text: str, tally: Tally) -> str:
    """What is wrong with a sentence on counts; empty if each clause has a fixed form and its number is right."""
    if len(text) > _LONGEST:
        return f"it has more than {_LONGEST} characters"
    line = " ".join(_mark_names(text, tally.names).split()).removesuffix(".").casefold()
    counted = ""
    for clause in _BORDER.split(line):
        found = next((match for form in _FORMS if (match := form.fullmatch(clause.strip()))), None)
        if found is None:
            return f"it gives no statement, and this is no count or score: {clause.strip()!r}"
        named = found.groupdict()
        counted = (named.get("counted") or counted or "hypothesis")[:4]
        if not (_is_right_score(named, tally) if "value" in named else _is_right_count(named, counted, tally)):
            return f"this was not counted: {clause.strip()!r}"
    return ""


def _mark_names(text: str, names: Iterable[str]) -> str:
    """The text with a mark instead of each of these names, the longest first, as whole words."""
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(phrases_of(names), key=len, reverse=True):
        phrases.setdefault(phrase[0], []).append(phrase)
    found = list(_WORD.finditer(text))
    words = [plain_words(match[0]).strip() for match in found]
    kept, end, index = [], 0, 0
    while index < len(words):
        own = (one for one in phrases.get(words[index], ()) if tuple(words[index : index + len(one)]) == one)
        length = len(next(own, ()))
        if length:
            kept += [text[end : found[index].start()].replace(_NAME, " "), _NAME]
            end = found[index + length - 1].end()
        index += max(1, length)
    return "".join((*kept, text[end:].replace(_NAME, " ")))


def _read_number(word: str) -> str:
    """The one number that the word is, as `find_numbers` gives it; empty if it is none."""
    if word in _NONE:
        return "0"
    flat = flatten_text(word)
    numbers = find_numbers(flat)
    return numbers[0].token if len(numbers) == 1 and numbers[0][:2] == (0, len(flat)) else ""


def _is_right_score(named: Mapping[str, str | None], tally: Tally) -> bool:
    name = "confidence" if named["confidence"] else "clinical" if named["score"] == "clinical" else "mechanism"
    may_stand = not (named["confidence"] and named["full"])
    return may_stand and _read_number(named["value"] or "") in tally.scores.get(name, ())


def _is_right_count(named: Mapping[str, str | None], counted: str, tally: Tally) -> bool:
    """Whether the count, and the whole that it is said to be of, are those of what is counted and of its side."""
    counts = {"hypo": tally.hypotheses, "sour": tally.sources, "stat": tally.statements}[counted]
    kind = (named.get("kind") or tally.kind).replace("mechanistic", "mechanism")
    if kind != tally.kind or not _fits_verb(named.get("side"), counted):
        return False
    whole = named.get("whole")
    right_whole = whole is None or _read_number(whole) in counts.total
    return right_whole and _read_number(named["count"] or "") in _choose_side(counts, named.get("side"))


def _fits_verb(side: str | None, counted: str) -> bool:
    """Whether it is hypotheses that are supported, and sources or statements that support them."""
    return side is None or (counted == "hypo") is (side in ("supported", "contradicted", "mixed", "untested"))


def _choose_side(counts: Counts, side: str | None) -> frozenset[str]:
    if side is None:
        return counts.total
    if side.endswith((" for", " against")):
        return counts.supporting if side.endswith(" for") else counts.contradicting
    name = next(field for verb, field in _SIDES.items() if side.startswith(verb))
    found: frozenset[str] = getattr(counts, name)
    return found
