"""A piece of a text and its position."""

from typing import NamedTuple


class Span(NamedTuple):
    """`text` is the original's characters from `start` up to `end`."""

    start: int
    end: int
    text: str
