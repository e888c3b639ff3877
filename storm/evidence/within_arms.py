"""Recognises changes from before within an arm of a trial, which say nothing of one arm against another."""

from __future__ import annotations

import re

#: A change from before in one arm, whose P value says nothing of the other.
_WITHIN_ARM = re.compile(
    r"\b(?:decreas|reduc|increas|improv|declin|fall|rise)\w*\b(?:[^.;]|\.\d){0,220}"
    r"\b(?:in|within) (?:the )?(?:(?:[\w-]+ ){1,2}(?:group|arm)\b|(?:group|arm) \w{1,3}\b)|"
    r"\b(?:group|arm) (?:has |have )?(?:shown|showed) (?:an? )?(?:\w+ )?(?:decreas|reduc|increas|improv)",
    re.I,
)
#: A change from one value to another, whatever is said of it behind "but".
_FROM_TO = re.compile(
    r"\b(?:decreas|reduc|increas|improv|declin|lower|fell|rose)\w*\b[^.;]{0,80}\bfrom \d[\d.]*"
    r"(?: ?[±(][^;]{1,20}?)? to \d",
    re.I,
)
_BUT = re.compile(r"\bbut\b", re.I)
#: The same of each arm, which says nothing of one against the other.
_WITHIN_BOTH = re.compile(
    r"^(?!.*\b(?:than|versus|vs|placebo|controls?)\b).*(?:\bin the same groups?\b|"
    r"\b(?:compared (?:with|to) (?:the )?(?:previous|base-?line|pre\w*|before)|before and after)\b[^.;]{0,80}"
    r"\b(?:both|each|the same|either)\b)",
    re.I | re.S,
)
_OTHER_SIDE = re.compile(
    r"\b(?:than|versus|vs\.?|compared|between|both|groups|arms|placebo|controls?|respectively|whereas|while|but|"
    r"relative to|superior|inferior|ratio|differ\w*)\b",
    re.I,
)


def reports_change_within_arms(text: str) -> bool:
    """Whether a sentence reports only how one arm changed, or how each of them did since before."""
    within_one = _WITHIN_ARM.search(text) and not _OTHER_SIDE.search(text)
    from_to = _FROM_TO.search(text) and not _OTHER_SIDE.search(_BUT.sub("", text))
    return bool(within_one or from_to or _WITHIN_BOTH.search(text))
