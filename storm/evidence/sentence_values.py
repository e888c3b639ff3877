"""Weighs the values that a finding states: an effect size with its interval, a value for each arm, a subgroup."""

from __future__ import annotations

import re

#: An effect size with its confidence interval, a value for each of two arms, and a result in a subgroup.
_INTERVAL = re.compile(r"\b(?:CI|confidence interval)\b", re.I)
_TWO_VALUES = re.compile(
    r"\d ?(?:%|±|\()[^;]{0,80}?\b(?:vs?\.?|versus|and|than|compared (?:with|to)|in|for|with|on)\b[^;]{0,60}?"
    r"\d ?(?:%|±|\()"
    r"|\d[\w%/. ]{0,12} (?:vs?\.?|versus) [−-]?\d",
    re.I,
)
_SUBGROUP = re.compile(
    r"\bsub-?(?:group|set|population)s?\b|\bpost[- ]hoc\b|\b(?:patients|women|men|those|participants|subjects) aged\b|"
    r"\bper-protocol\b(?!.{0,300}\bintent)|\b(?:in|within) (?:the|both|each|all) (?:\w+ ){1,3}strat(?:um|a)\b",
    re.I,
)
_EFFECT, _BOTH_ARMS, _OF_SOME = 1.15, 1.1, 0.85


def is_of_subgroup(text: str) -> bool:
    """Whether a result, or the heading above it, is of a part of the participants."""
    return _SUBGROUP.search(text) is not None


def score_values(text: str) -> float:
    """The factor for the values in a finding: an interval counts most, then one value per arm; a subgroup lowers it."""
    values = _EFFECT if _INTERVAL.search(text) else _BOTH_ARMS if _TWO_VALUES.search(text) else 1
    return values * (_OF_SOME if is_of_subgroup(text) else 1)
