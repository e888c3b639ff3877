"""Reads the sentences of a record that name the drug, with the words around each of its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from storm.models import Hit, SectionKind
from storm.models.names import fold_text

#: Characters read of a sentence, and characters before and after a name that are read as its context.
_MOST_READ = 800
_REACH = 90
#: Characters of a text without sections that is read as if it were an abstract.
_SHORT_TEXT = 12_000
#: The parts of a paper besides its abstract.
BODY = frozenset((
    SectionKind.METHODS, SectionKind.RESULTS, SectionKind.CONCLUSION, SectionKind.INTRODUCTION, SectionKind.DISCUSSION,
))  # fmt: skip
_BORDER = re.compile(r"(?<=[.!?;])\s+(?=[^a-z])|\n+")


class NamingSentence(NamedTuple):
    """A sentence that names the drug, folded, with the text before and after each of its names."""

    text: str
    role: SectionKind
    around: tuple[tuple[str, str], ...]


def find_abstract_sentences(hit: Hit, pattern: re.Pattern[str]) -> Iterator[NamingSentence]:
    """The sentences of the abstract that name the drug; those of the whole text if it has no sections."""
    abstract = [section for section in hit.sections if section.kind is SectionKind.ABSTRACT]
    if not abstract and not any(section.role in BODY for section in hit.sections):
        abstract = list(hit.sections) if len(hit.text) < _SHORT_TEXT else []
    for section in abstract:
        yield from find_sentences(section.text, section.role, pattern)


def find_sentences(text: str, role: SectionKind, pattern: re.Pattern[str]) -> Iterator[NamingSentence]:
    if not pattern.search(fold_text(text)):
        return
    for sentence in _BORDER.split(text):
        if read := read_sentence(sentence, role, pattern):
            yield read


def read_sentence(sentence: str, role: SectionKind, pattern: re.Pattern[str]) -> NamingSentence | None:
    text = fold_text(sentence[:_MOST_READ])
    around = tuple((text[max(0, m.start() - _REACH) : m.start()], text[m.end() : m.end() + _REACH])
                   for m in pattern.finditer(text))  # fmt: skip
    return NamingSentence(text, role, around) if around else None
