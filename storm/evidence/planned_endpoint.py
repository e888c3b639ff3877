"""Reads the endpoint that a study was planned for, and tells which sentences are on it."""

from __future__ import annotations

import re

from storm.evidence.design import abstract_of
from storm.evidence.endpoints import ENDPOINT, Endpoint, endpoint_of
from storm.models import Hit, SectionKind
from storm.ranking import split_terms

#: Characters read of an abstract and of each section of methods.
_MOST_READ = 6_000
#: "The primary endpoint was the change in …".
_PLANNED = re.compile(
    rf"\b(?:co-?)?primary {ENDPOINT}(?: (?:variables?|measures?))?(?: (?:of|in) (?:the|this|our) (?:study|trial))? "
    r"(?:was|were|is|are|included) (?:defined as )?(?:(?:the|a|an) )?([^.;:]{5,160})",
    re.I,
)
#: A P value above .05, and one that is not.
_NOT_SIGNIFICANT = re.compile(r"\bp ?(?:value )?[=>] ?0?[.·](?:0[5-9]|[1-9])|\bp ?[=>] ?1(?:\.0)?\b", re.I)
_SIGNIFICANT = re.compile(r"\bp ?(?:value )?[<=≤] ?0?[.·](?:0[0-4]|05\b)", re.I)
#: A sentence is on the planned endpoint if it has this share of its words, and so many.
_SHARE, _FEWEST = 0.6, 2


def read_planned_endpoint(hit: Hit) -> frozenset[str]:
    """The words of the primary endpoint, as the abstract or the methods define it; empty if they do not."""
    methods = (section.text[:_MOST_READ] for section in hit.sections if section.role is SectionKind.METHODS)
    found = (_PLANNED.search(text) for text in (*methods, abstract_of(hit)[:_MOST_READ]))
    return frozenset(next((split_terms(match[1]) for match in found if match), ()))


def is_on_endpoint(sentence: str, planned: frozenset[str]) -> bool:
    """Whether a sentence has most words of the planned endpoint."""
    common = planned.intersection(split_terms(sentence)) if planned else ()
    return len(common) >= max(_FEWEST, _SHARE * len(planned))


def is_minor_null(sentence: str, planned: frozenset[str]) -> bool:
    """Whether a sentence reports nothing but P values above .05, of outcomes that the study was not planned for."""
    is_null = _NOT_SIGNIFICANT.search(sentence) and not _SIGNIFICANT.search(sentence)
    return bool(is_null) and endpoint_of(sentence) is not Endpoint.PRIMARY and not is_on_endpoint(sentence, planned)
