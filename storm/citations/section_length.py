"""How many statements a section may have, by the length of report that the reader wants."""

from __future__ import annotations

import math
import re

from storm.citations.sections import list_own_questions
from storm.models import Outline, Plan

#: Statements of a section where a short report is wanted, and the least of any section.
_SHORT, _LEAST = 4, 2
#: Statements on a page, and words of a statement with its citation.
_ON_A_PAGE, _WORDS = 12, 35
_SHORT_WORDS = ("short", "brief", "concise", "succinct", "summary", "compact")
_NUMBERS = {"half a": 0.5, "one": 1, "a single": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_AMOUNT = re.compile(r"(\d[\d,]{0,6}|half a|a single|a|one|two|three|four|five|ten)[ -](page|word)", re.IGNORECASE)
#: Characters read of a length.
_READ = 200


def limit_section(plan: Plan, outline: Outline) -> int | None:
    """The most statements of a section; None if the reader wants no certain length."""
    wanted = (plan.research.preferences.length if plan.research else "")[:_READ].casefold()
    written = max(1, sum(bool(list_own_questions(part, outline)) for part in outline.parts))
    if found := _AMOUNT.search(wanted):
        number = _NUMBERS.get(found[1]) or float(found[1].replace(",", ""))
        total = number * _ON_A_PAGE if found[2] == "page" else number / _WORDS
        return max(_LEAST, math.floor(total / written))
    return _SHORT if any(word in wanted for word in _SHORT_WORDS) else None
