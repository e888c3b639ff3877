"""Finds the endpoint that a sentence is about: a planned result is stronger evidence than an unplanned one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from storm.evidence.design import abstract_of
from storm.models import Hit, SectionKind
from storm.ranking import split_terms

#: Characters read of an abstract and of each section of methods.
_MOST_READ = 6_000


class Endpoint(StrEnum):
    """The role of a reported result in the plan of the trial."""

    PRIMARY = "primary endpoint"
    SECONDARY = "secondary endpoint"
    POST_HOC = "post hoc analysis"


_NAMED = r"(?:efficacy |safety |composite |study |clinical |key )*(?:end ?-?points?|outcomes?|objectives?|measures?)"
#: "The primary endpoint was the change in …".
_PLANNED = re.compile(
    rf"\b(?:co-?)?primary {_NAMED}(?: (?:variables?|measures?))?(?: (?:of|in) (?:the|this|our) (?:study|trial))? "
    r"(?:was|were|is|are|included) (?:defined as )?(?:(?:the|a|an) )?([^.;:]{5,160})",
    re.I,
)
#: A sentence is on the planned endpoint if it has this share of its words, and so many.
_SHARE, _FEWEST = 0.6, 2
_WORDS: Mapping[Endpoint, re.Pattern[str]] = {
    Endpoint.POST_HOC: re.compile(r"\bpost[- ]hoc\b(?! tests?| comparison| power)|\bnot pre-?specified\b"),
    Endpoint.SECONDARY: re.compile(rf"\b(?:secondary|exploratory|tertiary) {_NAMED}\b"),
    Endpoint.PRIMARY: re.compile(rf"\b(?:co-?)?primary {_NAMED}\b"),
}


def endpoint_of(sentence: str) -> Endpoint | None:
    """The endpoint that the sentence names; None if it names none or several. "Post hoc" overrides the others."""
    text = sentence.casefold()
    found = [endpoint for endpoint, words in _WORDS.items() if words.search(text)]
    return found[0] if len(found) == 1 or Endpoint.POST_HOC in found else None


def read_planned_endpoint(hit: Hit) -> frozenset[str]:
    """The words of the primary endpoint, as the abstract or the methods define it; empty if they do not."""
    methods = (section.text[:_MOST_READ] for section in hit.sections if section.role is SectionKind.METHODS)
    found = (_PLANNED.search(text) for text in (*methods, abstract_of(hit)[:_MOST_READ]))
    return frozenset(next((split_terms(match[1]) for match in found if match), ()))


def is_on_endpoint(sentence: str, planned: frozenset[str]) -> bool:
    """Whether a sentence has most words of the planned endpoint."""
    common = planned.intersection(split_terms(sentence)) if planned else ()
    return len(common) >= max(_FEWEST, _SHARE * len(planned))
