"""Reads the study of a record: population, comparator, follow-up, dose and funding.

All values are words of the record. Values that the record does not have are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm.evidence.comparator import read_comparator
from storm.evidence.design import abstract_of, design_of, is_animal, read_methods
from storm.evidence.dose import read_dose
from storm.evidence.follow_up import read_follow_up
from storm.evidence.participants import participants_of
from storm.evidence.partners import read_partners
from storm.evidence.population import HYPHENS, find_population, shorten_phrase
from storm.evidence.remembered import RememberedReading
from storm.evidence.shared_treatment import read_shared_treatment
from storm.evidence.study_names import read_study_names
from storm.evidence.title_words import write_as_in_sentence
from storm.evidence.trial_features import is_crossover, read_blinding
from storm.models import Hit, Holds, Section, SectionKind, database_info
from storm.models.design import Design
from storm.ranking import split_sentences

#: Characters read of an abstract and of a funding statement.
_MOST_READ = 6_000
_MOST_FUNDING = 1_500

_HISTORICAL = re.compile(
    r"(?i)\b(?:as|with|to|versus|against|from) (?:an? |the )?historical (?:control|cohort|comparator)s?\b|"
    r"\bhistorically controlled\b"
)
_CONDITIONS = re.compile(r"Conditions: ([^\n]+?)\.?$", re.M)

_PAID = re.compile(
    r"(?i)\b(?:(?:fund(?:ed|ing)|support(?:ed)?|sponsored|financed)\b[^.;]{0,60}?\b(?:by|from|via)|grants? (?:of|"
    r"from)) "
    r"(?:(?:a|an|the|grants?|research|unrestricted|investigator[-‐]initiated|educational|funding|awarded|by|of|"
    r"from|in part)\s)*(?:to [^.;]{3,60}? from (?:the )?|[A-Z]*\d\S* from (?:the )?)?"
    r"([A-Z][^.;(]{2,160})"
)
_NOBODY_PAID = re.compile(r"(?i)\b(?:not?|nor|without|neither)\b[^.;]{0,60}$")
_ANY = re.compile(r"(?i)(?:any|no)\b")
_INTERESTS = re.compile(r"(?i)conflict|competing|interest|disclosure")
_NOT_THE_STUDY = re.compile(
    r"(?i)\b(?:medical writing|editorial|assistance|fees?|honoraria|speakers?|advisory|consult\w+|employee|has "
    r"received|have received|participated)\b"
)


#: Designs that describe the patients of other studies.
_OF_OTHERS = (Design.REVIEW, Design.GUIDELINE, Design.EDITORIAL, Design.ECONOMIC)


class Study(NamedTuple):
    """The study of a record. Without a value in the record, `participants` is None and a text is empty."""

    design: Design
    participants: int | None = None
    population: str = ""
    animals: bool = False
    comparator: str = ""
    partners: tuple[str, ...] = ()
    shared_treatment: str = ""
    follow_up: str = ""
    dose: str = ""
    funding: str = ""
    study_names: tuple[str, ...] = ()
    historical_control: bool = False
    crossover: bool = False
    blinding: str = ""


def read_study(hit: Hit, names: Sequence[str] = ()) -> Study:
    """The study that a record reports; `names` of the drug are needed for its dose and comparator."""
    return _read_study(hit, tuple(names))


@RememberedReading
def _read_study(hit: Hit, names: tuple[str, ...]) -> Study:
    design = design_of(hit)
    if design is Design.NO_STUDY:
        return Study(design)
    title, abstract = hit.title.translate(HYPHENS), abstract_of(hit)[:_MOST_READ].translate(HYPHENS)
    registered = database_info(hit.database).holds is Holds.STUDIES
    own, methods = "" if design in _OF_OTHERS else abstract, read_methods(hit)
    animals = not registered and is_animal(hit)
    shared = "" if design in _OF_OTHERS else read_shared_treatment(title, own, names)
    return Study(
        design=design,
        participants=participants_of(hit),
        population=_read_conditions(hit) if registered else _read_population(hit, design, animals=animals),
        animals=animals,
        comparator="" if design in _OF_OTHERS else write_as_in_sentence(read_comparator(title, own, names), title, own),
        partners=() if design in _OF_OTHERS else read_partners(title, own, names),
        shared_treatment=shared,
        follow_up="" if design in _OF_OTHERS else read_follow_up(title, own, methods, hit),
        dose=read_dose(title, own, methods, names),
        funding=_read_funding(hit),
        study_names=() if design in _OF_OTHERS else read_study_names(hit),
        historical_control=design not in _OF_OTHERS and _has_historical_control(title, own, methods),
        crossover=not animals and is_crossover(design, title, own, methods),
        blinding="" if animals else read_blinding(design, shared, title, own, methods),
    )


def _has_historical_control(*texts: str) -> bool:
    """Whether the study compares its patients with those of an earlier one, to whom nobody was assigned in it."""
    return any(_HISTORICAL.search(text) for text in texts)


def _read_conditions(hit: Hit) -> str:
    found = _CONDITIONS.search("\n".join(section.text for section in hit.sections if section.label == "CONDITIONS"))
    return shorten_phrase(found[1]) if found else ""


def _read_population(hit: Hit, design: Design, *, animals: bool) -> str:
    if design in _OF_OTHERS:
        return find_population(hit, hit.title, (), animals=animals, methods=False)
    parts = tuple(section for section in hit.sections if section.kind is SectionKind.ABSTRACT)
    beginning = Section(text=abstract_of(hit)[:_MOST_READ], kind=SectionKind.ABSTRACT)
    return find_population(hit, hit.title, parts or (beginning,), animals=animals, methods=True)


def _denies_funding(sentence: str, paid: re.Match[str]) -> bool:
    """Whether the sentence denies funding: "not supported by any company"."""
    return bool(_ANY.match(paid[1]) or _NOBODY_PAID.search(sentence[: paid.start()]) or _NOBODY_PAID.search(paid[0]))


def _read_funding(hit: Hit) -> str:
    """The funder of the study, by the back matter of the document."""
    parts = [s for s in hit.sections if s.kind is SectionKind.BACK_MATTER and not _INTERESTS.search(s.label)]
    parts.sort(key=lambda section: "fund" not in section.label.lower())
    return next(_find_funders(section.text[:_MOST_FUNDING] for section in parts), "")


def _find_funders(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for span in split_sentences(text):
            match = _PAID.search(span.text)
            if match and not (_NOT_THE_STUDY.search(span.text[: match.end(1)]) or _denies_funding(span.text, match)):
                yield shorten_phrase(
                    re.split(
                        r", (?:a |the |which|who|grant)|\b(?:grant|under|through|in \d{4})\b", match[1], maxsplit=1
                    )[0]
                )
