"""Patterns of a user's syllabus, matched in bounded time, as a regular expression may never end."""

from __future__ import annotations

import sys
from functools import lru_cache

from storm.errors import SyllabusError

#: Seconds that one match may take; a linear pattern takes milliseconds for the longest text.
MATCH_SECONDS = 2.0


class OwnPattern:
    """A case-insensitive pattern; `place` is its place in the file. ValueError if it is not a regular expression."""

    def __init__(self, text: str, place: str) -> None:
        import regex  # slow to import, and not needed for the bundled syllabus

        try:
            self._pattern = regex.compile(text, regex.IGNORECASE)
        except regex.error as exc:
            raise ValueError(str(exc)) from exc
        self._text = text
        self._place = place

    def search(self, text: str, start: int = 0, end: int = sys.maxsize, *, seconds: float = MATCH_SECONDS) -> bool:
        """Whether it matches in that part of the text; SyllabusError if that takes too long."""
        try:
            return self._pattern.search(text, start, end, timeout=seconds, concurrent=True) is not None
        except TimeoutError:
            raise SyllabusError(
                f"{self._place}: {self._text!r} takes too long: more than {seconds:g} s for "
                f"{min(len(text), end) - start:,} characters",
                hint="avoid repeats inside repeats, as in (a+)+, and bound the others: \\w{0,30} for \\w*",
            ) from None


@lru_cache(maxsize=1024)
def own_pattern(text: str, place: str) -> OwnPattern:
    """The compiled pattern, cached."""
    return OwnPattern(text, place)
