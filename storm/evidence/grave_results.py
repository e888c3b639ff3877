"""Recognises what is always printed of a source: serious harm, and an endpoint that was missed."""

from __future__ import annotations

import re

_GRAVE = re.compile(
    r"\b(?:serious|severe|fatal|lethal|life-threatening|died|(?<!cell )(?<!fewer )deaths?|grade (?:≥ ?)?[345]|"
    r"hospitali[sz]ed|suicid\w+)\b"
    r"|\b(?:failed to|did not) (?:meet|reach|achieve)\b",
    re.I,
)


#: Deaths that are counted, whatever other serious harm is told.
_DEATHS = re.compile(r"\b(?:died|(?<!cell )(?<!fewer )deaths?)\b", re.I)


def tells_deaths(text: str) -> bool:
    """Whether a finding tells of deaths."""
    return _DEATHS.search(text) is not None


def is_grave(text: str) -> bool:
    """Whether a finding names serious harm, or says that an endpoint was missed."""
    return _GRAVE.search(text) is not None
