"""The sentences of a document, each with its section."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from storm.citations.markers import strip_marks
from storm.models import Hit, Section
from storm.ranking import split_sentences


class Passage(NamedTuple):
    """A sentence of a section: `text` verbatim, and `shown` without reference marks.

    `is_cited` is true if the source has a reference in or after the sentence that is not part of the text.
    """

    text: str
    shown: str
    section: Section
    is_cited: bool = False


def read_passages(hit: Hit) -> Iterator[Passage]:
    """The sentences of a document in order, with each row of a table as one. No sentence spans two sections."""
    for section in hit.sections:
        if section.rows:
            yield from (Passage(row.text, row.text, section) for row in section.rows)
            continue
        for start, text, shown in _split_text(section.text):
            end = start + len(text)
            yield Passage(text, shown, section, any(start < place <= end for place in section.cited))


@lru_cache(maxsize=256)
def _split_text(text: str) -> tuple[tuple[int, str, str], ...]:
    """The start, text and shown form of each sentence. Cached, because each question of a job reads the same text."""
    return tuple((span.start, span.text, strip_marks(span.text)) for span in split_sentences(text))
