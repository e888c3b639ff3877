"""Finds the endpoint that a sentence is about: a planned result is stronger evidence than an unplanned one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class Endpoint(StrEnum):
    """The role of a reported result in the plan of the trial."""

    PRIMARY = "primary endpoint"
    SECONDARY = "secondary endpoint"
    POST_HOC = "post hoc analysis"


#: What may stand between "primary" and the noun, and the noun.
ENDPOINT = r"(?:efficacy |safety |composite |study |clinical |key )*(?:end ?-?points?|outcomes?|objectives?|measures?)"
_WORDS: Mapping[Endpoint, re.Pattern[str]] = {
    Endpoint.POST_HOC: re.compile(r"\bpost[- ]hoc\b(?! tests?| comparison| power)|\bnot pre-?specified\b"),
    Endpoint.SECONDARY: re.compile(rf"\b(?:secondary|exploratory|tertiary) {ENDPOINT}\b"),
    Endpoint.PRIMARY: re.compile(rf"\b(?:co-?)?primary {ENDPOINT}\b"),
}
#: Both at once: "in any of the primary or secondary endpoints".
_BOTH = re.compile(r"\b(?:primary,? (?:and|or|nor|and/or) (?:\w+ )?secondary|secondary,? (?:and|or|nor) primary)\b")


def endpoint_of(sentence: str) -> Endpoint | None:
    """The endpoint that the sentence names; None if it names none or several. "Post hoc" overrides the others."""
    text = sentence.casefold()
    if _BOTH.search(text):
        return None
    found = [endpoint for endpoint, words in _WORDS.items() if words.search(text)]
    return found[0] if len(found) == 1 or Endpoint.POST_HOC in found else None
