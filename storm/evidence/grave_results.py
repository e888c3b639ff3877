"""Recognises what is always printed of a source: serious harm, deaths, and an endpoint that was missed."""

from __future__ import annotations

import re

_DIED = r"died|fatal(?:ly|it\w+)?|lethal|(?<!cell )(?<!fewer )deaths?"
_SERIOUS = re.compile(
    rf"\b(?:serious|severe|life-threatening|{_DIED}|mortality|"
    r"asystole|cardiac arrest|resuscitat\w+|rhabdomyolysis|grade (?:≥ ?)?[345]|hospitali[sz]ed|suicid\w+)\b|"
    r"\bdeveloped (?:an? |the )?(?:\w+ ){0,2}(?:leuk(?:a)?emia|lymphoma|cancer|carcinoma|tumou?r|malignancy|sepsis|"
    r"anaphyla\w+)\b",
    re.I,
)
_MISSED = re.compile(r"\b(?:failed to|did not) (?:meet|reach|achieve)\b", re.I)
_DEATHS = re.compile(rf"\b(?:{_DIED})\b", re.I)


def is_serious(text: str) -> bool:
    """Whether a finding names serious harm."""
    return _SERIOUS.search(text) is not None


def is_grave(text: str) -> bool:
    """Whether a finding names serious harm, or says that something was not reached."""
    return is_serious(text) or _MISSED.search(text) is not None


def reports_deaths(text: str) -> bool:
    """Whether a finding reports deaths."""
    return _DEATHS.search(text) is not None
