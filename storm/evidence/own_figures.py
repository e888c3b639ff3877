"""Whether the figures of a discussion are those of its own study."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from storm.models import Hit, SectionKind

_FIGURE = re.compile(r"\d+(?:[.·]\d+)?")
#: Figures of results: percentages, and numbers with decimals. P values and confidence levels are in every study.
_RESULT = re.compile(
    r"(?<![\w.·])(?<!p = )(?<!p < )(?<!p=)(?<!p<)"
    r"(?:(?P<decimal>\d+[.·]\d+)|(?P<share>\d+)(?= ?%(?! ?(?:CI|confidence))))",
    re.I,
)
#: An interval: "0.4–0.9", "0.41 to 1.01", "(2.3, 4.5)".
_PAIR = re.compile(r"(?<![\d.·])(\d{1,4}[.·]\d{1,4})\s?(?:–|-|−|to|,|;)\s?(\d{1,4}[.·]\d{1,4})")
_REPORTING = (SectionKind.RESULTS, SectionKind.TABLE, SectionKind.CAPTION, SectionKind.ABSTRACT)


def has_foreign_figures(sentence: str, hit: Hit) -> bool:
    """Whether a sentence states a percentage or a decimal that neither the results, nor the tables, nor the abstract of
    its document have, not even rounded, or none but foreign intervals: then it is most likely another study's. False
    for a document without results.
    """
    stated = [found["decimal"] or found["share"] for found in _RESULT.finditer(sentence)]
    if not stated:
        return False
    reports = tuple(_list_reports(hit))
    own = _read_own_figures(reports)
    if not own:
        return False
    intervals = _read_intervals((sentence,))
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
def _read_intervals(texts: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    found = (pair for text in texts for pair in _PAIR.findall(text))
    return frozenset(tuple(end.replace("·", ".") for end in pair) for pair in found)


def _is_among(figure: str, own: frozenset[str]) -> bool:
    """Whether it is one of these, or one of them rounded."""
    if figure in own or figure.rstrip("0").rstrip(".") in own:
        return True
    decimals = len(figure.partition(".")[2])
    return any(len(one) > len(figure) and f"{float(one):.{decimals}f}" == figure for one in own)
