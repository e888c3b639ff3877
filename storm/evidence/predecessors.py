"""Joins a sentence that depends on the one before it, such as "They also …", with that one; and a death with its
cause."""

from __future__ import annotations

import re

from storm.citations.markers import strip_marks
from storm.evidence.passages import Passage

#: How a sentence begins that adds to the one before it, or is set against it.
_DEPENDS = re.compile(
    r"(?:however|moreover|furthermore|additionally|in addition|also|similarly|likewise|conversely|"
    r"(?:in|by) contrast)\b(?! to\b| of\b)|(?!not only\b)[^,.;:()]{1,60}? also\b",
    re.I,
)
#: Whether a death was the drug's doing, said of the patient or the event of the sentence before.
_CAUSE = re.compile(
    r"(?:(?:however|but),? )?(?:this|these|the|it|both|all|none|neither|no|he|she|they|one)\b[^.]{0,240}"
    r"(?:(?<![\w-])(?:un)?related to\b|\b(?:be|was|were|considered|deemed|judged|not|as|possibly|probably) (?:\w+-)?"
    r"(?:un)?related\b(?! (?:adverse|serious|events?|quality|side))|\b(?:attributed|attributable|due to|caused by)\b)",
    re.I,
)
#: The most that may stand between two sentences of one paragraph.
_GAP = 3


def depends_on_previous(sentence: str) -> bool:
    """Whether the sentence begins as an addition or a contrast to what was said before."""
    return _DEPENDS.match(sentence) is not None


def states_cause(sentence: str) -> bool:
    """Whether the sentence says of what stands before it whether it was related to a treatment, or what caused it."""
    return _CAUSE.match(sentence) is not None


def join_passages(first: Passage, second: Passage) -> Passage | None:
    """Both sentences as one passage, verbatim, if the second directly follows the first in their section."""
    if first.section is not second.section or second.section.rows:
        return None
    text = second.section.text
    start = text.find(first.text)
    end = text.find(second.text, start + len(first.text)) if start >= 0 else -1
    between = text[start + len(first.text) : end] if end >= 0 else "\n"
    if between.strip() or "\n" in between or len(between) > _GAP:
        return None
    joined = text[start : end + len(second.text)]
    return Passage(joined, strip_marks(joined), second.section, first.is_cited or second.is_cited)
