"""The sentences of a document, each with the part in which it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from storm.citations.markers import strip_marks
from storm.models import Hit, Section
from storm.ranking import split_sentences


class Passage(NamedTuple):
    """A sentence: `text` word for word, `shown` without its reference marks, the section in which it stands, and
    whether a mark of a reference stood in it or behind it that is no part of the text."""

    text: str
    shown: str
    section: Section
    is_cited: bool = False


def read_passages(hit: Hit) -> Iterator[Passage]:
    """The sentences of a document in the order of reading, and the rows of its tables, each as one; none goes on from
    one section into the next."""
    for section in hit.sections:
        if section.rows:
            yield from (Passage(row.text, row.text, section) for row in section.rows)
            continue
        for start, text, shown in _split_text(section.text):
            end = start + len(text)
            yield Passage(text, shown, section, any(start < place <= end for place in section.cited))


@lru_cache(maxsize=2_048)
def _split_text(text: str) -> tuple[tuple[int, str, str], ...]:
    """Remembered: a job reads the text of a source once for each of its questions."""
    return tuple((span.start, span.text, strip_marks(span.text)) for span in split_sentences(text))
