"""Finds the starting level of a source's evidence by the design of its study (OCEBM 2011).

A starting level is not an appraisal: the quality of the study, its precision and how directly it answers are not
judged, and neither levels nor scores are grades of GRADE. docs/evidence.md explains both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from storm.evidence.design import abstract_of, design_of, is_animal, names_randomisation
from storm.evidence.headings import find_design_heading, name_randomised_trials
from storm.evidence.publication_types import find_design_type
from storm.evidence.strength import evidence_of
from storm.models import Evidence, Hit, Holds, Retraction, Section, SectionKind, database_info
from storm.models.design import NO_REPORTS, OUTSIDE_BODIES, Design

#: Characters read of an abstract.
_MOST_READ = 6_000
#: Sections that an abstract does not have: the parts of one have the kind of an abstract.
_BODY = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.RESULTS, SectionKind.DISCUSSION)
#: The sections of a registry record that hold posted results.
_POSTED = ("results", "adverse events")
#: The same in the words of a record.
_SAYS_POSTED = re.compile(
    r"\b(?<!not )(?<!never )posted (?:its |the |their )?results\b|\b(?<!no )results (?:were |was )(?:first )?(?:posted|"
    r"added)\b|\b(?:and|with) (?:its )?results (?:added |posted )?on \d|(?<!no )results (?:added|posted) on\b"
)

_TRIALS = (
    r"(?<!no )(?<!non-)(?<!non)(?<!any )(?<!lack of )(?<!quasi-)(?:\brandomi[sz]ed,? (?:[\w/()-]+,? ){0,4}?"
    r"(?:trials?|stud(?:y|ies))\b|(?<!no )(?<!any )\brcts?\b)"
)
_RANDOMISED_STUDIES = re.compile(_TRIALS)
#: Randomised trials as what a review took in: "12 RCTs were included", "we pooled randomised trials".
_TAKEN_IN = re.compile(
    r"\b(?:includ(?:ed?|es|ing)|pool(?:ed|ing)|analy[sz](?:ed|ing)|meta-analy[sz]ed|identified|combin(?:ed|ing)|"
    r"compris(?:ed|ing)|eligib\w+|criteria|(?:limited|restricted) to|(?:analys[ei]s|review|total|overview) of|"
    rf"(?:data|results) from|across)\b[^.;]{{0,60}}?{_TRIALS}|"
    rf"{_TRIALS}[^.;]{{0,80}}? (?:(?:were|was) (?:\w+ )?(?:included|pooled|analy[sz]ed|identified|eligible|selected|"
    r"retrieved|reviewed)|met (?:\w+ )?(?:inclusion|eligibility|selection))\b"
)
#: A sentence on trials that are missing.
_MISSING = re.compile(
    r"\b(?:need(?:ed|s)?|warranted|required|lacking|lacks?|scarce|awaited|none|nor|not been|further|future|"
    r"should|(?:is|are|was|were|remains?) (?:limited|few|sparse|absent|missing))\b|"
    r"\b(?:no|not|any|without) (?:[\w-]+ ){0,2}(?:randomi[sz]ed|rcts?)\b"
)
_NONE_FOUND = re.compile(
    r"\bno (?:[\w,-]+ ){0,4}(?:trials?|studies|rcts?) (?:were |was |that )?(?:found|identified|"
    r"eligible|included|met)\b|"
    r"\bnone (?:was|were) (?:found|identified|eligible)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
_OTHER_STUDIES = (
    r"(?:observational|non-?randomi[sz]ed|quasi-experimental|cohorts?|case[- ]control|retrospective|single[- ]arm)"
)
#: A review of other studies, too: by its title, or where the abstract joins both.
_OF_OTHERS = re.compile(rf"\b{_OTHER_STUDIES}\b")
_OF_BOTH = re.compile(
    rf"\b(?:trials?|stud(?:y|ies)|rcts?|randomi[sz]ed)(?: \([^()]{{1,20}}\))?,? (?:and|or|plus|as well as) "
    rf"(?:[\w-]+ )?{_OTHER_STUDIES}\b|"
    rf"\b{_OTHER_STUDIES} (?:trials? |stud(?:y|ies) )?(?:and|or) (?:\w+ )?randomi[sz]ed\b"
)
#: A group that did not get the treatment; a comparison with the start of the study is none.
_COMPARED = re.compile(
    r"\b(?:compared (?:with|to|against)|comparison with|versus|vs\.?) "
    r"(?!(?:the |their )?(?:base-?line|pre-?treatment)|[\d.]+% in cohort [a-d\d]\b)|\bcomparators?\b|"
    r"\bcontrol (?:groups?|arms?|cohorts?|subjects|patients)\b|\b(?:matched|healthy|untreated) controls\b|"
    r"\bcontrols (?:remained|received|were|had|did|got|underwent)\b|"
    r"\bpropensity\b|\b(?:hazard|odds|risk|rate) ratios?\b|\brelative risks?\b|\bnon-?users\b|\bunexposed\b|"
    r"\bnon-?randomi[sz]ed\b|\bcontrolled (?:clinical )?trial\b"
)
#: No group beside that of the treatment: a level lower than a controlled study.
_NOT_BESIDE = re.compile(
    r"\bhistoric(?:al)?(?:ly)? (?:[\w-]+ ){0,2}(?:controls?|controlled|cohorts?|compar\w+)\b|"
    r"\b(?:single|one)[- ](?:arm|group)\b"
)


class Level(NamedTuple):
    """A starting level, 1 (highest) to 5, for efficacy and for common harms, None where there is none, with its
    reason; `points` are the design's part of the score, and `basis` says where the record states the design."""

    efficacy: int | None
    safety: int | None
    points: int
    reason: str
    basis: str = ""


class _Words(NamedTuple):
    """What a record says of its design: title and abstract in lower case, and its MeSH headings."""

    title: str
    abstract: str
    headings: tuple[str, ...]


#: The one table of designs: the points of a level exceed those of the next by more than all other parts of a score.
_DESIGNS: Mapping[Design, Level] = {
    Design.META_ANALYSIS: Level(None, None, 50, "review of studies, not said to be of randomised trials alone"),
    Design.RANDOMISED: Level(2, 2, 65, "randomised trial"),
    Design.SECONDARY: Level(None, None, 40, "secondary analysis, not said to be of randomised trials"),
    Design.NON_RANDOMISED: Level(4, 4, 26, "trial without a stated control group"),
    Design.INTERVENTIONAL: Level(None, None, 40, "trial, allocation not stated"),
    Design.PHARMACOKINETIC: Level(None, None, 30, "pharmacokinetic study"),
    Design.COHORT: Level(4, 3, 25, "cohort without a stated comparison"),
    Design.CASE_CONTROL: Level(4, 4, 24, "case-control study"),
    Design.CROSS_SECTIONAL: Level(None, None, 20, "cross-sectional study"),
    Design.SPONTANEOUS_REPORTS: Level(None, 4, 21, "spontaneous reports, without a denominator"),
    Design.CASE_REPORT: Level(4, 4, 23, "case report or series"),
    Design.GUIDELINE: Level(None, None, 22, "guideline"),
    Design.REVIEW: Level(None, None, 18, "narrative review"),
    Design.ECONOMIC: Level(None, None, 15, "model of costs and effects"),
    Design.ANIMAL: Level(5, 5, 5, "animals"),
    Design.IN_VITRO: Level(5, 5, 4, "cells or molecules"),
    Design.IN_SILICO: Level(5, 5, 3, "computed, not measured"),
    Design.PROTOCOL: Level(None, None, 0, "protocol, without results"),
    Design.ERRATUM: Level(None, None, 0, "erratum"),
    Design.RETRACTION: Level(None, None, 0, "retraction notice"),
    Design.EDITORIAL: Level(None, None, 0, "editorial or letter"),
    Design.OTHER: Level(None, None, 14, "design not stated"),
}
#: The same for studies whose record says more of the design: see `_SAYING`.
_SAID: Mapping[Design, Level] = {
    Design.META_ANALYSIS: Level(1, 1, 83, "review of randomised trials"),
    Design.SECONDARY: Level(2, 2, 63, "secondary analysis of randomised trials"),
    Design.NON_RANDOMISED: Level(3, 3, 45, "controlled trial, not said to be randomised"),
    Design.COHORT: Level(3, 3, 44, "cohort with a comparison"),
}
#: Types of PubMed that say the same.
_SAYING_TYPES: Mapping[Design, frozenset[str]] = {
    Design.NON_RANDOMISED: frozenset(("controlled clinical trial",)),
    Design.COHORT: frozenset(("comparative study",)),
}
#: Records that report no study.
_RECORDS: Mapping[Evidence, Level] = {
    Evidence.REGULATORY: Level(None, None, 43, "regulatory record"),
    Evidence.PATENT: Level(None, None, 4, "patent"),
    Evidence.OTHER: Level(None, None, 3, "no study"),
}
_NO_RESULTS = Level(None, None, 16, "registered study without posted results")


def find_level(hit: Hit) -> Level:
    """The starting level of a record's evidence. A retracted record has none, and an unknown design has none."""
    design = design_of(hit)
    registered = database_info(hit.database).holds is Holds.STUDIES
    level = _rate_registered_study(hit, design) if registered else _rate_record(hit, design)
    if hit.retraction is Retraction.RETRACTED:
        level = level._replace(efficacy=None, safety=None, reason="retracted")
    return level._replace(basis=_find_basis(hit, design, registered=registered))


def _find_basis(hit: Hit, design: Design, *, registered: bool) -> str:
    if design in (Design.NO_STUDY, Design.OTHER):
        return ""
    named = find_design_type(hit.publication_types, design)
    if registered:
        return f"registry field {named}" if named else "registry fields"
    if named:
        return f"publication type {named}"
    indexed = find_design_heading(hit.headings, design)
    return f"MeSH heading {indexed}" if indexed else "title and text"


def has_results(hit: Hit) -> bool:
    """Whether a registry record holds posted results, or says that they were posted."""
    return any(
        section.label.casefold().startswith(_POSTED) or _SAYS_POSTED.search(section.text.casefold())
        for section in hit.sections
    )


def is_registration_only(hit: Hit) -> bool:
    """Whether a record registers a study and posts no results of it."""
    return database_info(hit.database).holds is Holds.STUDIES and not has_results(hit)


def text_read_of(hit: Hit) -> str:
    """What was read of a source: "full text", "abstract", "registry record", "label", "page", "record" or "title"."""
    if not hit.text.strip():
        return "title"
    match database_info(hit.database).holds:
        case Holds.STUDIES:
            return "registry record"
        case Holds.PAGES:
            return "page"
        case Holds.PAPERS:
            return "full text" if any(map(_is_of_body, hit.sections)) else "abstract"
    return "label" if any(section.kind is SectionKind.LABEL for section in hit.sections) else "record"


def _is_of_body(section: Section) -> bool:
    return section.kind in _BODY or bool(section.kind is SectionKind.OTHER and section.label)


def _rate_record(hit: Hit, design: Design) -> Level:
    if design is Design.NO_STUDY:
        return _RECORDS.get(evidence_of(hit), _RECORDS[Evidence.OTHER])
    if design not in NO_REPORTS and is_animal(hit):
        return _DESIGNS[design if design in OUTSIDE_BODIES else Design.ANIMAL]
    says = _SAYING.get(design)
    is_said = design in _SAYING_TYPES and not _SAYING_TYPES[design].isdisjoint(map(str.casefold, hit.publication_types))
    return _SAID[design] if is_said or (says and says(_read_words(hit))) else _DESIGNS[design]


def _read_words(hit: Hit) -> _Words:
    return _Words(hit.title.casefold(), abstract_of(hit)[:_MOST_READ].casefold(), hit.headings)


def _rate_registered_study(hit: Hit, design: Design) -> Level:
    """The level by the registry's fields; a study without posted results has no evidence yet."""
    if not has_results(hit):
        return _NO_RESULTS
    return _SAID[design] if design is Design.NON_RANDOMISED else _DESIGNS[design]


def _is_of_randomised_trials(words: _Words) -> bool:
    """Whether a review says, or is indexed as one, that it took in randomised trials, and names no other studies."""
    title, abstract = words.title, words.abstract
    if _OF_OTHERS.search(title) or _OF_BOTH.search(abstract) or _NONE_FOUND.search(abstract):
        return False
    if _RANDOMISED_STUDIES.search(title) and not _MISSING.search(title):
        return True
    if _OF_OTHERS.search(abstract):
        return False
    sentences = _SENTENCE_END.split(abstract)
    return name_randomised_trials(words.headings) or any(
        _TAKEN_IN.search(sentence) and not _MISSING.search(sentence) for sentence in sentences
    )


def _states_comparison(words: _Words) -> bool:
    texts = (words.title, words.abstract)
    return any(map(_COMPARED.search, texts)) and not any(map(_NOT_BESIDE.search, texts))


#: What a record must say, in title and abstract or by its headings, for the level in `_SAID`.
_SAYING: Mapping[Design, Callable[[_Words], bool]] = {
    Design.META_ANALYSIS: _is_of_randomised_trials,
    Design.SECONDARY: lambda words: names_randomisation(words.title, words.abstract),
    Design.NON_RANDOMISED: _states_comparison,
    Design.COHORT: _states_comparison,
}
