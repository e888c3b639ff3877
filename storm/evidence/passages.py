"""The sentences of a document, each with the part in which it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from storm.citations.markers import strip_marks
from storm.models import Hit, Section
from storm.ranking import split_sentences


class Passage(NamedTuple):
    """A sentence: `text` word for word, `shown` without its reference marks, and the section in which it stands."""

    text: str
    shown: str
    section: Section


def read_passages(hit: Hit) -> Iterator[Passage]:
    """The sentences of a document in the order of reading, and the rows of its tables, each as one; none goes on from
    one section into the next."""
    for section in hit.sections:
        for text, shown in _rows(section) if section.rows else _sentences(section.text):
            yield Passage(text, shown, section)


def _rows(section: Section) -> Iterator[tuple[str, str]]:
    return ((row.text, row.text) for row in section.rows)


@lru_cache(maxsize=16_384)
def _sentences(text: str) -> tuple[tuple[str, str], ...]:
    """Remembered: a job reads the text of a source once for each of its questions."""
    return tuple((span.text, strip_marks(span.text)) for span in split_sentences(text))
