"""Finds the limitations of a study that its discussion lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.grave_results import is_serious
from storm.evidence.passages import Passage
from storm.models import SectionKind

_OF_LIMITS = re.compile(
    r"\b(?:limitations?|shortcomings?|weaknesses) (?:of|in|to) (?:this|our|the (?:present |current )?"
    r"(?:study|trial|work))\b|"
    r"\b(?:study|trial|work|analysis) (?:also )?(?:has|had) (?:[\w-]+ ){0,3}"
    r"(?:limitations?|shortcomings?|weaknesses)\b",
    re.I,
)
_LISTED = re.compile(r"(?:first|second|third|fourth|fifth|final|last)(?:ly)?,", re.I)
#: Sentences after one limitation among which the next may stand.
_REACH = 4
#: A result, which is printed wherever it stands.
_HAS_RESULT = re.compile(r"\d ?%|\bp ?[<=>]", re.I)


def find_limitations(passages: Sequence[tuple[Passage, SectionKind]]) -> frozenset[int]:
    """The places of sentences of a discussion that list limitations and give no result: "Third, only …"."""
    found, last = set(), -_REACH
    for place, (passage, role) in enumerate(passages):
        if role is not SectionKind.DISCUSSION:
            continue
        if _OF_LIMITS.search(passage.shown):
            last = place
        elif place - last <= _REACH and _LISTED.match(passage.shown):
            last = place
            if not (_HAS_RESULT.search(passage.shown) or is_serious(passage.shown)):
                found.add(place)
    return frozenset(found)
