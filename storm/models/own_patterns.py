"""Patterns of a user's own syllabus: they are matched in bounded time, as a regular expression may take for ever."""

from __future__ import annotations

import sys
from functools import lru_cache

from storm.errors import SyllabusError

#: Seconds that one match may take; a pattern in proportion to its text takes milliseconds for the longest one.
MATCH_SECONDS = 2.0


class OwnPattern:
    """A pattern, matched without regard to case; `place` is where it stands in the file. ValueError if it is none."""

    def __init__(self, text: str, place: str) -> None:
        import regex  # of no use for the bundled syllabus, and slow to import

        try:
            self._pattern = regex.compile(text, regex.IGNORECASE)
        except regex.error as exc:
            raise ValueError(str(exc)) from exc
        self._text = text
        self._place = place

    def search(self, text: str, start: int = 0, end: int = sys.maxsize, *, seconds: float = MATCH_SECONDS) -> bool:
        """Whether it is found in that part of the text; SyllabusError if that takes too long."""
        try:
            return self._pattern.search(text, start, end, timeout=seconds, concurrent=True) is not None
        except TimeoutError:
            raise SyllabusError(
                f"{self._place}: {self._text!r} takes too long: more than {seconds:g} s for "
                f"{min(len(text), end) - start:,} characters",
                hint="write no repeat inside a repeat, as in (a+)+, and bound the others: \\w{0,30} for \\w*",
            ) from None


@lru_cache(maxsize=1024)
def own_pattern(text: str, place: str) -> OwnPattern:
    """The pattern that stands there."""
    return OwnPattern(text, place)
