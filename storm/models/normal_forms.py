"""Unicode's normal forms of foreign text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

#: Marks in a row that are put in order together: as many as Unicode's stream-safe text has (UAX #15), far more than any
#: language writes on one letter.
MOST_MARKS = 30
#: Where all combining marks are, and little else: no letter, figure or space, no sign of Latin text or mathematics.
_MARK = r"[^\w\s\x00-\u02ff\u2000-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\u3098\U0001f000-\U0001ffff]"
_MANY_MARKS = re.compile(rf"((?:(?!{_MARK})(?s:.))?{_MARK}{{{MOST_MARKS}}})")


def normal_form(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """The text in that form, in time proportional to its length.

    Python puts marks in order by comparing each with those before it, and hears no signal meanwhile: 300,000 of them on
    one letter take minutes. So of a longer row each MOST_MARKS are put in order by themselves.
    """
    if text.isascii():
        return text
    return "".join(unicodedata.normalize(form, piece) for piece in _MANY_MARKS.split(text))
