"""Says in a text where a sentence lost its only references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

#: What stands where the only references of a sentence stood.
REFERENCE_REMOVED = "[reference removed]"
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_ENDS = ".!?"
_BLANKS = " \t\u00a0"


class KeptMark(str):
    """A mark that stays."""


class RemovedMark(str):
    """The place of a mark that vanished; it is empty."""


def note_removed_marks(pieces: Iterable[str]) -> str:
    """The text of the pieces, with a note in the place of a removed mark if its sentence has no other."""
    pieces = list(pieces)
    text = "".join(pieces)
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    at, last_end, sentence = 0, -1, 0
    removed: list[tuple[int, int]] = []
    cited: set[int] = set()
    for piece in pieces:
        if isinstance(piece, (KeptMark, RemovedMark)):
            if last_end < 0 or text[last_end:at].strip(_BLANKS):  # else it stands beside the mark before it
                sentence = bisect_right(ends, _find_anchor(text, at))
            last_end = at + len(piece)
            cited.update([sentence] if piece else [])
            removed += [] if piece else [(at, sentence)]
        at += len(piece)
    return _insert_notes(text, [place for place, of in removed if of not in cited])


def _find_anchor(text: str, at: int) -> int:
    """Where the mark would stand within its sentence: one after the full stop belongs to the sentence before it."""
    place = at
    while place and text[place - 1] in _BLANKS:
        place -= 1
    return place - 1 if place and text[place - 1] in _ENDS else at


def _insert_notes(text: str, places: list[int]) -> str:
    parts, end = [], 0
    for place in places:
        is_first = not text[max(0, place - 1) : place].strip()
        parts += [text[end:place], f"{REFERENCE_REMOVED} " if is_first else f" {REFERENCE_REMOVED}"]
        end = place
    return "".join((*parts, text[end:]))
