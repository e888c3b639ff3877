"""The publication types that state the design of a study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from storm.models.design import Design

#: Patterns for publication types and headings of articles; the first match counts. Types of trials are read after the
#: title: "Randomized Controlled Trial" is also the type of a pooled analysis of several.
_TYPES: Mapping[Design, re.Pattern[str]] = {
    Design.RETRACTION: re.compile(r"\bretraction(?: notice| of publication)?$"),
    Design.ERRATUM: re.compile(r"\b(?:erratum|errata|corrigend\w+|correction|published erratum|addendum)\b"),
    Design.PROTOCOL: re.compile(r"\bprotocols?\b"),
    Design.EDITORIAL: re.compile(
        r"^(?:editorial|comment(?:ary)?|letter|reply|correspondence|news|invited commentary)\b"
    ),
    Design.META_ANALYSIS: re.compile(r"meta-analysis|systematic review|umbrella review"),
    Design.GUIDELINE: re.compile(r"\bguideline|consensus (?:development|statement)"),
    Design.CASE_REPORT: re.compile(r"^case (?:reports?|series)\b"),
    Design.REVIEW: re.compile(r"^(?:(?:mini|invited |narrative )?review)(?: article)?\b"),
}
#: The same for studies. A pragmatic or an equivalence trial is a randomised one.
_STUDY_TYPES: Mapping[Design, re.Pattern[str]] = {
    Design.RANDOMISED: re.compile(r"^randomi[sz]ed\b|\bequivalence trial\b|\bpragmatic clinical trial\b"),
    Design.NON_RANDOMISED: re.compile(r"\bclinical trial\b|^non[- ]randomi[sz]ed\b"),
    Design.COHORT: re.compile(r"\bobservational\b|\bcohort\b"),
}
#: MeSH headings of papers about studies of a kind: "Randomized Controlled Trials as Topic" is not a trial.
_AS_TOPIC = " as topic"


def name_types(types: Iterable[str]) -> tuple[str, ...]:
    """The types in lower case, without those that are the subject of a paper."""
    return tuple(name.casefold() for name in types if not _is_topic(name))


def find_type_design(names: Sequence[str]) -> Design | None:
    """The kind of document that these types, in lower case, state; types of studies are left to `has_type`."""
    return next((design for design, words in _TYPES.items() if any(map(words.search, names))), None)


def has_type(names: Iterable[str], design: Design) -> bool:
    """Whether one of these types, in lower case, states that design of a study."""
    return any(map(_STUDY_TYPES[design].search, names))


def find_design_type(types: Iterable[str], design: Design) -> str:
    """The first publication type that states this design, as the record writes it; empty if none does."""
    words = _TYPES.get(design) or _STUDY_TYPES.get(design)
    return next((name for name in types if words and words.search(name.casefold()) and not _is_topic(name)), "")


def _is_topic(name: str) -> bool:
    return name.casefold().endswith(_AS_TOPIC)
