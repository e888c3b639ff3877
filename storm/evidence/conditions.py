"""Reads from a title what a drug was given for, which is no harm of the drug."""

from __future__ import annotations

import re
from functools import lru_cache

#: Words of a title before the condition that the drug is to treat or to prevent.
_AIMED_AT = re.compile(
    r"\b(?:for|in|with|against|reliev\w+|(?:to )?(?:reduc|prevent|treat)\w*(?: of)?|management of)\b(?P<condition>.+)",
    re.I | re.S,
)
#: Characters read of a title, and letters that a word of it has in common with its other forms.
_MOST_READ = 300
_STEM = 6
_WORD = re.compile(r"[^\W\d_]{6,}")
#: Words of harm that name no condition.
_OF_HARM = frozenset(("advers", "effect", "events", "harmfu", "safety", "tolera", "toxici"))


def remove_condition(sentence: str, title: str) -> str:
    """The sentence without words for what the drug was given for: diarrhoea in a trial to reduce diarrhoea."""
    pattern = _compile_condition(title[:_MOST_READ])
    return pattern.sub("", sentence) if pattern else sentence


@lru_cache(maxsize=256)
def _compile_condition(title: str) -> re.Pattern[str] | None:
    found = _AIMED_AT.search(title)
    words = _WORD.findall(found["condition"]) if found else ()
    stems = {word[:_STEM].lower() for word in words} - _OF_HARM
    return re.compile(rf"\b(?:{'|'.join(sorted(stems))})[\w-]*", re.I) if stems else None
