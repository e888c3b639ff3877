"""Whether the figures of a discussion are those of its own study."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from storm.models import Hit, SectionKind

_FIGURE = re.compile(r"\d+(?:[.·]\d+)?")
#: Figures that are no results: P values, doses and times, and the power of a test.
_NO_RESULT = re.compile(
    r"\bp(?:[ -]?values?)? ?[=<>≤≥] ?\d{0,2}[.·]?\d{1,6}|(?<![\d.·])9[059] ?% ?(?:CI|confidence)|"
    r"(?<![\d.·])\d{1,6}(?:[.·]\d{1,6})?[ -]?(?:% power|m?g|[µμ]g|mcg|ml|kg|IU|units?|weeks?|months?|years?|days?|"
    r"hours?|h|min(?:utes?)?)\b",
    re.I,
)
_RESULT = re.compile(r"(?<![\w.·])(?:(?P<decimal>\d+[.·]\d+)|(?P<share>\d+)(?= ?%))")
#: An interval: "0.4–0.9", "(2.3, 4.5)", "95% CI 0.41 to 1.01".
_PAIR = re.compile(
    r"(?<![\d.·])(\d{1,4}[.·]\d{1,4})(?:\s?[–−-]\s?|\s?[,;]\s|\sto\s(?=\d[\d.·]{0,8}\s?[)\]]))(\d{1,4}[.·]\d{1,4})"
)
_REPORTING = (SectionKind.RESULTS, SectionKind.TABLE, SectionKind.CAPTION, SectionKind.ABSTRACT)


def has_foreign_figures(sentence: str, hit: Hit) -> bool:
    """Whether a sentence states a percentage or a decimal that neither the results, nor the tables, nor the abstract of
    its document have, not even rounded, or none but foreign intervals: then it is most likely another study's. False
    for a document without results.
    """
    results = _NO_RESULT.sub("", sentence)
    stated = [found["decimal"] or found["share"] for found in _RESULT.finditer(results)]
    if not stated:
        return False
    reports = tuple(_list_reports(hit))
    own = _read_own_figures(reports)
    if not own:
        return False
    intervals = _read_intervals((results,))
    if intervals and intervals.isdisjoint(_read_intervals(reports)):
        return True
    return not all(_is_among(figure.replace("·", "."), own) for figure in stated)


def _list_reports(hit: Hit) -> Iterator[str]:
    """The texts of the results; nothing if none of them is of a section of results."""
    sections = [section for section in hit.sections if section.kind in _REPORTING]
    if any(section.kind is SectionKind.RESULTS for section in sections):
        yield from (section.text for section in sections)


@lru_cache(maxsize=16)
def _read_own_figures(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(found.replace("·", ".") for text in texts for found in _FIGURE.findall(text))


@lru_cache(maxsize=16)
def _read_intervals(texts: tuple[str, ...]) -> frozenset[tuple[float, ...]]:
    found = (pair for text in texts for pair in _PAIR.findall(text))
    return frozenset(tuple(float(end.replace("·", ".")) for end in pair) for pair in found)


def _is_among(figure: str, own: frozenset[str]) -> bool:
    """Whether it is one of these, or one of them rounded, halves either way."""
    if figure in own or ("." in figure and figure.rstrip("0").rstrip(".") in own):
        return True
    half = 0.5 / 10 ** len(figure.partition(".")[2]) + 1e-9
    return any(len(one) > len(figure) and abs(float(one) - float(figure)) <= half for one in own)
