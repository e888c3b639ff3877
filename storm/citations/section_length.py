"""How many statements a section may have, by the length of report that the reader wants."""

from __future__ import annotations

import math
import re

from storm.citations.sections import list_own_questions
from storm.models import Outline, Plan

#: The words for numbers in a length, and how many statements stand in each unit of it: a statement has about 35 words
#: with its citation.
NUMBERS = {
    "half a": 0.5, "a single": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
UNITS = {"page": 12.0, "paragraph": 4.0, "sentence": 1.0, "line": 1 / 3, "word": 1 / 35}
#: Statements of a section where a short report is wanted, and the least of any section.
_SHORT, _LEAST = 4, 2
_SHORT_WORDS = ("short", "brief", "concise", "succinct", "summary", "compact")
_AMOUNT = re.compile(
    rf"(?<![\w.,])(\d[\d,]{{0,6}}(?:\.\d{{1,2}})?|{'|'.join(NUMBERS)})[ -]({'|'.join(UNITS)})s?\b", re.IGNORECASE
)
#: Characters read of a length.
_READ = 200


def is_length(wanted: str) -> bool:
    """Whether a report can be given this length."""
    return _count_statements(wanted) is not None or _is_short(wanted)


def limit_section(plan: Plan, outline: Outline) -> int | None:
    """The most statements of a section; None if the reader wants no certain length."""
    wanted = plan.research.preferences.length if plan.research else ""
    written = max(1, sum(bool(list_own_questions(part, outline)) for part in outline.parts))
    total = _count_statements(wanted)
    if total is not None:
        return max(_LEAST, math.floor(total / written))
    return _SHORT if _is_short(wanted) else None


def _count_statements(wanted: str) -> float | None:
    found = _AMOUNT.search(wanted[:_READ].casefold())
    if not found:
        return None
    return (NUMBERS.get(found[1]) or float(found[1].replace(",", ""))) * UNITS[found[2]]


def _is_short(wanted: str) -> bool:
    return any(word in wanted[:_READ].casefold() for word in _SHORT_WORDS)
