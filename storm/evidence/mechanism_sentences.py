"""Tells sentences on how a drug works from those on its use, its passage through the body, or how much it helped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.clinical_outcomes import is_on_kinetics
from storm.evidence.subjects import compile_name_pattern, is_of_level

#: What says how a drug acts, beside how it passes through the body.
_ACTION = re.compile(
    r"\b(?:inhibit|bind|block|activat|antagon|agonist|receptor|enzyme|metaboli[sz]|convert|degrad|stabili[sz]|modulat|"
    r"prolongs? the half-li)",
    re.I,
)
#: That it acts, which names of classes do not say: "a calcium channel blocker".
_ACTS = re.compile(r"\b(?:inhibits?|inhibited|inhibition|binds?|binding|blocks|blocked|blockade|activat\w+)\b", re.I)
#: What no mechanism is: how much a drug is used, and which there are of its kind.
_LISTS_KIND = re.compile(r"\b(?:currently|now|commercially) available\b[^.;]{0,80}\bincludes?\b", re.I)
_OF_USE = re.compile(
    r"\b(?:important|major|key|central|pivotal) roles? in (?:the )?(?:\w+ )?(?:treatment|management|therapy)\b", re.I
)
#: How often it does harm.
_OF_HARM = re.compile(
    r"\b(?:incidence|rates?|frequency) of (?:\w+ ){0,2}(?:adverse (?:events?|effects?)|side[- ]effects?)", re.I
)
#: By how much sugar in the blood fell, which is what the drug is for.
_OF_GLUCOSE = re.compile(
    r"\b(?:decreas|reduc|change|increas|improv)\w*\b[^.;]{0,60}"
    r"\b(?:fasting (?:plasma |blood |serum )?glucose|FPG|HbA1c)\b",
    re.I,
)
#: How large an effect was with one treatment or another, which is no mechanism either.
_SIZE_OF_EFFECT = re.compile(
    r"\b(?:largest|greatest|smallest) (?:reduction|decrease|increase|improvement|effect)|"
    r"\beffect\b[^.;]{0,60}\bwas the (?:largest|greatest|smallest)\b",
    re.I,
)
#: What stands after a drug at the beginning of a sentence if another one is given with it; characters of a beginning.
_COMBINED = re.compile(r"(?: \w+){0,2} (?:combined|together|in combination) with\b", re.I)
_BEGINNING = 60


def is_no_mechanism(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence is on how much the drug is used, on which others there are, on how it passes through the body
    alone, on where its effect was largest, or on it together with another drug."""
    is_kinetic = is_on_kinetics(text) or is_of_level(text, names)
    no_action = (is_kinetic or _OF_USE.search(text)) and not _ACTION.search(text)
    is_of_size = _SIZE_OF_EFFECT.search(text) and not _ACTS.search(text)
    is_outcome = (_OF_HARM.search(text) or _OF_GLUCOSE.search(text)) and not _ACTS.search(text)
    return bool(is_outcome or no_action or is_of_size or _LISTS_KIND.search(text)) or _is_combined_first(text, names)


def _is_combined_first(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence begins with the drug together with another one, to which what it says belongs as well."""
    named = compile_name_pattern(tuple(names)).search(text, 0, _BEGINNING)
    return named is not None and _COMBINED.match(text, named.end()) is not None
