"""Reads the names of the study that a paper reports: "CLEOPATRA", "diabetes prevention program"."""

from __future__ import annotations

import re

from storm.evidence.design import abstract_of
from storm.models import Hit, Holds, SectionKind, database_info
from storm.models.section import kind_of_heading

#: Characters read of an abstract, and the most names of a study; a paper that names more reports several.
_MOST_READ = 6_000
_MOST_NAMES = 2
_STUDY = r"(?:trials?|stud(?:y|ies)|program(?:me)?s?)\b"
#: "CLEOPATRA", "ToGA", "IDPP-1", "CANTATA-SU".
_ACRONYM = r"([A-Z][A-Za-z]{1,15}(?:-[A-Z0-9][\w-]{0,8})?)"
_FEWEST_LETTERS, _FEWEST_CAPITALS = 4, 3
#: "the CLEOPATRA trial", "(CIMT) trial", "UKPDS 34 study"; "CLEOPATRA, a double-blind phase 3 trial".
_NAMED = re.compile(rf"\b{_ACRONYM}(?: \d{{1,3}})?\)? {_STUDY}|\b{_ACRONYM}, an? (?:[\w-]+ ){{0,6}}{_STUDY}")
#: "the Diabetes Prevention Program", and its "Outcomes Study", whose people are the same.
_SPELLED = re.compile(
    r"\b[Tt]he ((?:[A-Z][\w’'-]+ )(?:(?:[A-Z][\w’'-]+|and|of|in|for|on|with) ){0,7}?(?:Trial|Study|Program(?=\b|me\b)))"
)
#: Capitals that are not names of studies: diseases and designs.
_NO_NAMES = frozenset(
    ("AIDS", "ADHD", "ARDS", "COPD", "COVID", "COVID-19", "GERD", "HFREF", "HIV-1", "NAFLD", "NASH",
     "NSCLC", "PCOS", "PTSD", "RCTS", "SARS", "SARS-COV", "SARS-COV-2", "SCLC", "STEMI", "T1DM", "T2DM")
)  # fmt: skip
_GENERAL = re.compile(
    r"\b(?:Randomi[sz]ed|Randomi[sz]ation|Controlled|Clinical|Pilot|Present|Current|Prospective|Retrospective|Cohort|"
    r"Phase|Blind(?:ed)?|Open|Label|Observational|Feasibility|Efficacy|Safety|Multicent\w+|Cochrane|Research|"
    r"Outcomes? (?:Study|Trial))\b"
)


def read_study_names(hit: Hit) -> tuple[str, ...]:
    """The names of the study that a paper reports, in small letters, from its title and abstract.

    Empty if it names none or several, and for records that are not papers."""
    if database_info(hit.database).holds is not Holds.PAPERS:
        return ()
    text = f"{hit.title}\n{_read_own_abstract(hit)}"
    acronyms = (found[1] or found[2] for found in _NAMED.finditer(text))
    spelled = (found[1] for found in _SPELLED.finditer(text) if not _GENERAL.search(found[1]))
    named = set(map(str.casefold, (*filter(_is_name, acronyms), *spelled)))
    return tuple(sorted(named)) if len(named) <= _MOST_NAMES else ()


def _is_name(acronym: str) -> bool:
    is_long = len(acronym) >= _FEWEST_LETTERS and sum(map(str.isupper, acronym)) >= _FEWEST_CAPITALS
    return is_long and acronym.upper() not in _NO_NAMES


def _read_own_abstract(hit: Hit) -> str:
    """The abstract without its background, which may name the studies of others."""
    parts = [section for section in hit.sections if section.kind is SectionKind.ABSTRACT]
    own = [part.text for part in parts if kind_of_heading(part.label) is not SectionKind.INTRODUCTION]
    return ("\n".join(own) if parts else abstract_of(hit))[:_MOST_READ]
