"""Marks of a text whose references were removed or put together: [n], [1, 3], [2-4], and [1]–[3] as [1–3]."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.citations.markers import is_data
from storm.citations.removed_marks import KeptMark, RemovedMark, note_removed_marks

_NUMBER = r"[0-9]{1,4}"
_LIST = re.compile(rf"\s?{_NUMBER}(?:\s?[,;–-]\s?{_NUMBER})*\s?")
_PART = re.compile(rf"({_NUMBER})(?:\s?([–-])\s?({_NUMBER}))?")
_SEPARATOR = re.compile(r"[,;]\s?")
_BRACKET = re.compile(r"[\[\]]")
_RANGE_OF_TWO = re.compile(rf"(?<![^\W\d_])\[({_NUMBER})\]([–-])\[({_NUMBER})\](?![^\W_]|-)")
#: A bracket inside of a word ("[18]F", "[18]-crown") or after a single letter ("p[2]") is not a mark.
_WORD_AFTER = re.compile(r"[^\W_]|-\w")
_LETTER_BEFORE = re.compile(r"[\W\d_]?[^\W\d_]")
_INTERVAL_BEFORE = re.compile(r"\b(?:CI|interval|range|IQR)[:,=]?$", re.IGNORECASE)
_VALUE_NEAR = re.compile(r"[0-9][^0-9]{0,15}$")
#: Characters before a bracket that are read, to tell a mark from data.
_REACH = 60
#: Longer ranges are not marks, and larger numbers that no reference has are years or data.
_LONGEST_RANGE = 100
_LARGEST_UNKNOWN = 999
_BLANKS = " \t\u00a0"


class Renumbered(NamedTuple):
    """A text with its new marks, and the numbers in its marks that no reference had."""

    text: str
    unknown: tuple[int, ...] = ()


def renumber_marks(text: str, numbers: Mapping[int, int], count: int) -> Renumbered:
    """The text with the new number of each mark [n] to one of `count` references.

    The mark of a number without a new one vanishes with the blanks before it, and so does one that repeats the mark
    before it. A sentence that loses its only marks so has "[reference removed]" in their place. What only looks like a
    mark stays: "[Figure 1]", "[2]rotaxane", "p[2]", "95% CI [2, 5]".
    """
    marks = _Marks(_RANGE_OF_TWO.sub(lambda match: _join_range(match, count), text), numbers, count)
    return Renumbered(marks.rewrite(), tuple(dict.fromkeys(marks.unknown)))


def _join_range(match: re.Match[str], count: int) -> str:
    first, dash, last = match.groups()
    return f"[{first}{dash}{last}]" if 0 < int(first) < int(last) <= count else match[0]


class _Open(NamedTuple):
    """An open bracket: its place in the text and in what was made of it, and where the bracket before it ends."""

    at: int
    piece: int
    before: int


class _Marks:
    """Rewrites the marks of a text, inner brackets first."""

    def __init__(self, text: str, numbers: Mapping[int, int], count: int) -> None:
        self.unknown: list[int] = []
        self._text = text
        self._numbers = numbers
        self._count = count
        self._made: list[str] = []
        self._open: list[_Open] = []
        #: The piece of the last bracket that stays: one around it holds more than numbers.
        self._last_bracket = -1

    def rewrite(self) -> str:
        """The text with its new marks."""
        end = 0
        for bracket in _BRACKET.finditer(self._text):
            self._add(self._text[end : bracket.start()])
            if bracket[0] == "[":
                self._open.append(_Open(bracket.start(), len(self._made), end))
                self._made.append("[")
            else:
                self._close(bracket.start())
            end = bracket.end()
        self._add(self._text[end:])
        return note_removed_marks(self._made)

    def _add(self, piece: str) -> None:
        last = self._made[-1] if self._made else None
        if last == "" and not isinstance(last, RemovedMark):  # a mark vanished from the start of a line
            piece = piece.lstrip(_BLANKS)
        if piece:
            self._made.append(piece)

    def _close(self, at: int) -> None:
        opened = self._open.pop() if self._open else _Open(at, len(self._made), at)
        is_plain = opened.at < at and self._last_bracket < opened.piece
        inside = "".join(self._made[opened.piece + 1 :]) if is_plain else ""
        if not self._is_mark(inside, opened, at + 1):
            self._made.append("]")
            self._last_bracket = len(self._made) - 1
            return
        del self._made[opened.piece :]
        mark = self._write(inside)
        if mark and not self._repeats(mark):
            self._made.append(KeptMark(mark))
            self._last_bracket = len(self._made) - 1
        else:
            self._strip_blanks(is_removed=not mark)

    def _is_mark(self, inside: str, opened: _Open, end: int) -> bool:
        if not inside or not _LIST.fullmatch(inside) or _WORD_AFTER.match(self._text, end):
            return False
        if _LETTER_BEFORE.fullmatch(self._text[max(0, opened.at - 2) : opened.at]):
            return False
        ranges = _read_ranges(inside)
        if any(not 0 < first <= last < first + _LONGEST_RANGE for first, last in ranges):
            return False
        is_known = any(first <= self._count for first, _ in ranges)
        before = self._text[max(opened.before, opened.at - _REACH) : opened.at].rstrip(_BLANKS)
        return not self._is_data(inside, before, is_known) and (is_known or ranges[-1][1] <= _LARGEST_UNKNOWN)

    def _is_data(self, inside: str, before: str, is_known: bool) -> bool:
        """Whether it belongs to the value before it; of known references, only a range right after a value does."""
        is_single = inside.strip().isdigit()
        if not is_single and _INTERVAL_BEFORE.search(before):
            return True
        if is_known and (is_single or _SEPARATOR.search(inside) or not _VALUE_NEAR.search(before)):
            return False
        return is_data(inside, before, len(before))

    def _write(self, inside: str) -> str:
        """The mark with its new numbers; empty if none is left."""
        old = [number for first, last in _read_ranges(inside) for number in range(first, last + 1)]
        self.unknown += [number for number in old if number > self._count]
        new = list(dict.fromkeys(self._numbers[number] for number in old if number in self._numbers))
        if new == old:
            return f"[{inside}]"
        separator = _SEPARATOR.search(inside)
        dash = next((part[2] for part in _PART.finditer(inside) if part[2]), "")
        return f"[{(separator[0] if separator else ', ').join(_list_numbers(new, dash))}]" if new else ""

    def _repeats(self, mark: str) -> bool:
        """Whether the same mark stands before it, with nothing but blanks between."""
        last = next((piece for piece in reversed(self._made[-4:]) if piece.strip(_BLANKS)), "")
        return last == mark

    def _strip_blanks(self, *, is_removed: bool) -> None:
        """Remove the blanks at the end of what was made; an empty piece says that a line starts there."""
        piece = ""
        while self._made and not piece:
            last = self._made.pop()
            piece = last if isinstance(last, KeptMark) else last.rstrip(_BLANKS)
        if piece:
            self._made.append(piece)
        if is_removed:
            self._made.append(RemovedMark())
        if not piece or piece.endswith("\n"):
            self._made.append("")


@lru_cache(maxsize=256)
def _read_ranges(inside: str) -> Sequence[tuple[int, int]]:
    """The numbers of a list as ranges, most of them of one number."""
    return tuple((int(part[1]), int(part[3] or part[1])) for part in _PART.finditer(inside))


def _list_numbers(numbers: list[int], dash: str) -> Iterator[str]:
    """The numbers in their order; with a dash in ascending order, neighbours as ranges."""
    if not dash:
        yield from map(str, numbers)
        return
    numbers = sorted(numbers)
    ends = [n for n, following in zip(numbers, [*numbers[1:], 0], strict=True) if following != n + 1]
    starts = [n for n, before in zip(numbers, [0, *numbers[:-1]], strict=True) if before != n - 1 or before == 0]
    for first, last in zip(starts, ends, strict=True):
        yield str(first) if first == last else f"{first}{dash}{last}"
