"""Split abstracts at the headings that their format marks, or else at the headings inside their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from storm.models import Section, SectionKind
from storm.models.section import kind_of_heading

_NAME = (
    "(?:background|introduction|context|objectives?|aims?|purpose|rationale|hypothesis|importance|design|setting|"
    "(?:(?:materials?|patients|participants|subjects) and )?methods?|study design|study population|methodology|"
    "participants|patients|subjects|interventions?|exposures?|(?:main )?outcomes?(?: measures?)?|"
    "main outcomes? and measures?|measurements?|data (?:sources?|extraction|synthesis)|statistical analys[ie]s|"
    "results?|(?:main )?findings?|discussion|conclusions?(?: and relevance)?|interpretation|limitations|"
    "(?:clinical )?trial registration(?: number)?|registration|funding)"
)
#: A heading inside a text, at its start or after a sentence: the usual words, or any in capitals, then a colon or stop,
#: or the end of its line.
_IN_TEXT = re.compile(
    rf"(?:\A|(?<=[.?!)\]]) |(?<=\n))(?:(?=[A-Z])((?i:{_NAME}(?:(?:,| and| &|/) {{0,1}}{_NAME}){{0,2}}))"
    r"(?: ?:|\.(?= [A-Z0-9])|(?=\n))|([A-Z][A-Z/&, -]{3,50}):)(?: +|\n)"
)

#: Parts that come first in an abstract, and those that come later.
_EARLY = (SectionKind.INTRODUCTION, SectionKind.METHODS)
_LATE = (SectionKind.RESULTS, SectionKind.DISCUSSION, SectionKind.CONCLUSION)


def abstract_sections(parts: Iterable[tuple[str, str]]) -> tuple[Section, ...]:
    """Sections from an abstract's (heading, text) parts, which are split at further headings in their text."""
    return tuple(
        Section(label=label, text=text, kind=SectionKind.ABSTRACT)
        for heading, whole in parts
        for label, text in _split_at_headings(whole, heading)
        if text
    )


def add_category(label: str, category: str) -> str:
    """Prefix an uninformative heading with the category that its record assigns to it."""
    part = category.capitalize()
    is_informative = kind_of_heading(label) is SectionKind.OTHER and kind_of_heading(part) is not SectionKind.OTHER
    return f"{part}: {label}" if label and is_informative else label


def _split_at_headings(text: str, first: str) -> Iterator[tuple[str, str]]:
    """Split a text at its headings, if it has at least two, and begins with one of them or stands under the `first`;
    then only usual words with a colon count, and after a heading of results none of methods."""
    headings = [found for found in _IN_TEXT.finditer(text) if not first or _is_further(found, first)]
    if len(headings) < 2 or (headings[0].start() > 0 and not first):
        yield first, text
        return
    yield first, text[: headings[0].start()].strip()
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        yield heading[1] or heading[2], text[heading.end() : end].strip()


def _is_further(heading: re.Match[str], first: str) -> bool:
    """Whether another part begins there, under the heading `first`. Results may tell of "Patients: …"."""
    is_late = kind_of_heading(first) in _LATE
    return bool(heading[1] and ":" in heading[0]) and not (is_late and kind_of_heading(heading[1]) in _EARLY)
