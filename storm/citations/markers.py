"""Citation marks: storm's own, and the reference marks inside of sentences of sources."""

from __future__ import annotations

import re

#: How many characters before a mark are read to tell a mark from data.
_REACH = 60
_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LIST = r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*"
_BRACKETED = re.compile(rf"(?:(?<!\s)\s+)?\[(?P<list>{_LIST})\]")
#: After a word of three letters or more, or after punctuation; "10^9", "m^2" and "Ca^2+" are not marks.
_RAISED = re.compile(
    rf"(?=[{_SUPER}^])(?:(?<=[A-Za-z]{{3}})(?<![\d\s][A-Za-z]{{3}})|(?<=[.,;:)\]”\"’])(?<![\d\s].))"
    rf"(?:\^(?:\{{{_LIST}\}}|{_LIST})|[{_SUPER}]{{1,3}}(?:[,˒⁻–-][{_SUPER}]{{1,3}})*)(?![\w{_SUPER}⁺⁻+])"
)
#: Words that may have an exponent.
_MEASURE = re.compile(r"days?|hour|min|mol|sec|cells?|log|chi|eta|met(?:er|re)s?|dose", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"(?<![\d\s])[A-Za-z]{3,}$")
#: The last character of a value, before its bracket.
_DATA_END = re.compile(r"[\d.,·\s%]")
_DATA_BEFORE = re.compile(r"(?:^|[\s(])[<>≤≥=±]?\d[\d.,·]*\s?%?$")
_WHOLE_BEFORE = re.compile(r"(?:^|[\s(])\d+\s?%?$")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_SPREAD = re.compile(r"\b(?:median|mean|range|IQR|interquartile|CI|interval)\b", re.IGNORECASE)
#: Each of its words has one of these: asking for them first takes a tenth of the time.
_SPREAD_PARTS = ("med", "mean", "range", "qr", "nter", "c")


def strip_marks(sentence: str) -> str:
    """The sentence without the source's own reference marks ([12], [3,4], ^12); numbers in round brackets, ranges
    that are data ("median 15 [10-20]"), powers and units stay."""
    text = _BRACKETED.sub(_remove_bracket, sentence) if "[" in sentence else sentence
    return _RAISED.sub(_remove_superscript, text)


def read_citation_marks(text: str) -> tuple[int, ...]:
    """The numbers of storm's marks ([1], [2, 3]) in order of first appearance, each once."""
    found = (int(number) for marks in re.findall(r"\[(\d{1,4}(?:,\s?\d{1,4})*)\]", text) for number in marks.split(","))
    return tuple(dict.fromkeys(found))


def _remove_bracket(match: re.Match[str]) -> str:
    return match[0] if is_data(match["list"], match.string, match.start()) else ""


def is_data(inside: str, text: str, end: int) -> bool:
    """Whether bracketed numbers belong to the value before them, as in "23 [12]" or "median 15 months [10-20]"."""
    start = max(0, end - _REACH)
    after_number = (
        _DATA_END.match(text, end - 1) is not None
        and _DATA_BEFORE.search(text, start, end) is not None
        and _YEAR.search(text, start, end) is None
    )
    if "-" in inside or "–" in inside:
        return after_number or _names_spread(text[start:end])
    return after_number and bool(_WHOLE_BEFORE.search(text, start, end))


def _names_spread(text: str) -> bool:
    small = text.lower()
    return any(part in small for part in _SPREAD_PARTS) and _SPREAD.search(text) is not None


def _remove_superscript(match: re.Match[str]) -> str:
    end = match.start()
    word = _WORD_BEFORE.search(match.string, max(0, end - _REACH), end)
    return match[0] if word and _MEASURE.fullmatch(word[0]) else ""
