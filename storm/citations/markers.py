"""Citation marks: ours, and those that a source's own sentences carry."""

from __future__ import annotations

import re

_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LIST = r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*"
_BRACKETED = re.compile(rf"(?P<space>\s*)\[(?P<list>{_LIST})\]")
#: After a word of three letters or more, or after punctuation; "10^9", "m^2" and "Ca^2+" are no marks.
_RAISED = re.compile(
    rf"(?<![\d\s])(?P<before>[A-Za-z]{{3,}}|[.,;:)\]”\"’])(?:\^(?:\{{{_LIST}\}}|{_LIST})|[{_SUPER}]{{1,3}}(?:[,˒⁻–-][{_SUPER}]{{1,3}})*)"
    rf"(?![\w{_SUPER}⁺⁻+])"
)
#: Words that carry an exponent of their own.
_MEASURE = re.compile(r"days?|hour|min|mol|sec|cells?|log|chi|eta|met(?:er|re)s?|dose", re.IGNORECASE)
_DATA_BEFORE = re.compile(r"(?:^|[\s(])[<>≤≥=±]?\d[\d.,·]*\s?%?$")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_SPREAD = re.compile(r"\b(?:median|mean|range|IQR|interquartile|CI|interval)\b", re.IGNORECASE)


def strip_marks(sentence: str) -> str:
    """The sentence without the source's own reference marks ([12], [3,4], ^12); numbers in round brackets, ranges
    that are data ("median 15 [10-20]"), powers and units stay."""
    text = _BRACKETED.sub(_without_bracket, sentence)
    return _RAISED.sub(_without_raised, text)


def citation_marks(text: str) -> tuple[int, ...]:
    """The numbers of our marks ([1], [2, 3]) in order of first appearance, each once."""
    found = (int(number) for marks in re.findall(r"\[(\d{1,4}(?:,\s?\d{1,4})*)\]", text) for number in marks.split(","))
    return tuple(dict.fromkeys(found))


def _without_bracket(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    if _is_data(match["list"], before):
        return match[0]
    return ""


def _is_data(inside: str, before: str) -> bool:
    """Whether bracketed numbers belong to the value before them, as in "23 [12]" or "median 15 months [10-20]"."""
    after_number = bool(_DATA_BEFORE.search(before)) and not _YEAR.search(before)
    if re.search(r"[–-]", inside):
        return after_number or bool(_SPREAD.search(before[-60:]))
    return after_number and bool(re.search(r"(?:^|[\s(])\d+\s?%?$", before))


def _without_raised(match: re.Match[str]) -> str:
    return match[0] if _MEASURE.fullmatch(match["before"]) else match["before"]
