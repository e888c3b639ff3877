"""Unicode normal forms of untrusted text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

#: Consecutive combining marks that are ordered together: the limit of Unicode's stream-safe text (UAX #15), far more
#: than any language writes on one letter.
MOST_MARKS = 30
#: A superset of the combining marks: no letter, digit or space, no sign of Latin text or mathematics.
_MARK = r"[^\w\s\x00-\u02ff\u2000-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\u3098\U0001f000-\U0001ffff]"
_SEQUENCE = re.compile(rf"{_MARK}{{{MOST_MARKS}}}")
_MANY_MARKS = re.compile(rf"((?:(?!{_MARK})(?s:.))?{_MARK}{{{MOST_MARKS}}})")


def normal_form(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """The text in that form, in time proportional to its length.

    Python orders marks by comparing each with those before it, and handles no signal meanwhile: 300,000 on one letter
    take minutes. So a longer sequence is ordered in pieces of MOST_MARKS.
    """
    if text.isascii():
        return text
    if not _SEQUENCE.search(text):
        return unicodedata.normalize(form, text)
    return "".join(unicodedata.normalize(form, piece) for piece in _MANY_MARKS.split(text))
