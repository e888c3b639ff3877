"""Whether a sentence itself names what its study compared with."""

from __future__ import annotations

import re

#: What something is compared with, unless that has no name of its own ("than in the control group").
_AGAINST_NAMED = re.compile(
    r"\b(?:than|versus|vs\.?|(?:compared|relative|superior|inferior|comparable|equivalent|similar) (?:with|to)) "
    r"(?:(?:that|those|in|with|for|of|on|after|the|to|patients|subjects|participants|receiving|taking|given|treated|"
    r"recipients|an?) )*"
    r"(?!(?:that|those|with|for|after|the|receiving|taking|given|treated|recipients|baseline|before|controls?|"
    r"others?(?! (?:\w+ )?(?:treatments?|drugs?|agents?|therap\w+))|"
    r"comparator|either|any|this|these|one|two|half|expected|once|twice|usual|"
    r"normal|group|arm|at|by|patients|subjects|participants|women|men|children|adults|pre-?treatment|study)\b)[a-z]{3}",
    re.I,
)
#: A change within one group; a superiority over what the sentence goes on to name; and a difference "between X and Y".
_WITHIN_GROUP = re.compile(
    r"\b(?:than|versus|vs\.?|(?:compared|relative) (?:with|to)|above|below) (?:the |its |their )?(?:\w+ )?"
    r"(?:baseline|pre-?treatment)\b|\bfor (?:every|each) (?:\w+ ){0,2}(?:year|month|week|unit|dose|mg)\b"
    r"|\b(?:superiority|inferiority) of [^.;]{3,60}? to (?:that|those|\w{4})"
    r"|\bdifferences? between (?!(?:the )?(?:\w+ )?(?:groups?|arms?|treatments?|regimens?)\b)[^.;]{3,80} and\b",
    re.I,
)


def names_comparator(sentence: str, comparator: str) -> bool:
    """Whether the sentence itself says with what it compares: this comparator, another, or the baseline."""
    said = frozenset(re.findall(r"\w+", sentence.casefold()))
    names_other = _AGAINST_NAMED.search(sentence) or _WITHIN_GROUP.search(sentence)
    return said.issuperset(re.findall(r"\w+", comparator.casefold())) or bool(names_other)
