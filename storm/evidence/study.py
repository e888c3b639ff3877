"""Reads the study of a record: population, comparator, follow-up, dose and funding.

All values are words of the record. Values that the record does not have are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from storm import wording
from storm.evidence.comparator import read_comparator
from storm.evidence.design import abstract_of, design_of, is_animal, read_methods
from storm.evidence.follow_up import SPREAD, read_follow_up
from storm.evidence.participants import participants_of
from storm.evidence.partners import read_partners
from storm.evidence.population import HYPHENS, find_population, shorten_phrase
from storm.evidence.remembered import RememberedReading
from storm.evidence.shared_treatment import read_shared_treatment
from storm.evidence.study_names import read_study_names
from storm.evidence.title_words import write_as_in_sentence
from storm.models import Hit, Holds, Section, SectionKind, database_info
from storm.models.design import Design
from storm.models.names import phrases_of
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

#: Characters read of an abstract and of a funding statement.
_MOST_READ = 6_000
_MOST_FUNDING = 1_500
_MOST_METHODS = 2_000

_HISTORICAL = re.compile(
    r"(?i)\b(?:as|with|to|versus|against|from) (?:an? |the )?historical (?:control|cohort|comparator)s?\b|"
    r"\bhistorically controlled\b"
)
_CONDITIONS = re.compile(r"Conditions: ([^\n]+?)\.?$", re.M)

_DOSE = (
    rf"(?<![\d.])(?<!±)(?<!± )(?<!\+/- )\d+(?:[.,]\d+)?{SPREAD}(?:[-–]\d+(?:\.\d+)?)? ?(?:mgs?|µg|μg|mcg|g|ng|IU|"
    rf"units?|U)(?:/(?:kg|m\^?2|day|d|h|"
    r"hour|min|week|dose)|[  ](?:m\^?[−-]2|kg\^?[−-]1))*(?![\w/])"
)
_DOSES = rf"{_DOSE}(?:(?:,| and| or|, and|, or) {_DOSE})*"
_OFTEN = (
    r"(?:,? (?:once|twice|three times|\d times)[ -](?:daily|a day|weekly|a week)|,? (?:daily|weekly|nightly|"
    r"q\.?d\.?|b\.?i\.?d\.?|every \w+ \w+))?"
)
_GAVE = re.compile(r"(?i)\b(?:receiv|randomi[sz]|assigned|allocated|administered|given|treated with)")
_NOT_GIVEN = re.compile(r"(?i)\b(?:previous|prior|pilot|exclu|vials?\b|supplied|stored)")
_RAISED = re.compile(rf"(?i)\b(?:increased|escalated|raised|titrated|up-titrated) to ({_DOSE})")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)?")
#: Words of other doses of the drug that no name stands beside.
_OTHER_DOSES = re.compile(
    rf"(?i)\b(?:titrated|escalat\w+|maximum of|then|up to|increased by|to) {_DOSE}|"
    rf"(?<![\d.])\d{{1,5}}(?:\.\d{{1,3}})? to \d{{1,5}}(?:\.\d{{1,3}})?,? (?:or|and) {_DOSE}"
)
_ROUTE = (
    r"(?:oral|intravenous|subcutaneous|intramuscular|intranasal|topical|inhaled|intrathecal|epidural|intravitreal|"
    r"transdermal|rectal|sublingual|i\.?v\.?|s\.?c\.?)"
)

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


def read_study(hit: Hit, names: Sequence[str] = ()) -> Study:
    """The study that a record reports; `names` of the drug are needed for its dose and comparator."""
    return _read_study(hit, tuple(names))


@RememberedReading
def _read_study(hit: Hit, names: tuple[str, ...]) -> Study:
    design = design_of(hit)
    if design is Design.NO_STUDY:
        return Study(design)
    title, abstract = hit.title, abstract_of(hit)[:_MOST_READ].translate(HYPHENS)
    registered = database_info(hit.database).holds is Holds.STUDIES
    own = "" if design in _OF_OTHERS else abstract
    animals = not registered and is_animal(hit)
    return Study(
        design=design,
        participants=participants_of(hit),
        population=_read_conditions(hit) if registered else _read_population(hit, design, animals=animals),
        animals=animals,
        comparator="" if design in _OF_OTHERS else write_as_in_sentence(read_comparator(title, own, names), title, own),
        partners=() if design in _OF_OTHERS else read_partners(title, own, names),
        shared_treatment="" if design in _OF_OTHERS else read_shared_treatment(title, own, names),
        follow_up="" if design in _OF_OTHERS else read_follow_up(title, own, read_methods(hit)[:_MOST_METHODS], hit),
        dose=_read_dose(f"{title}\n{own}", names) or _read_dose(_find_giving(read_methods(hit)[:_MOST_METHODS]), names),
        funding=_read_funding(hit),
        study_names=() if design in _OF_OTHERS else read_study_names(hit),
        historical_control=design not in _OF_OTHERS and _has_historical_control(title, own, read_methods(hit)),
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


def _find_giving(methods: str) -> str:
    """The sentences of methods that say what the participants of this study were given."""
    spans = split_sentences(methods)
    return "\n".join(one.text for one in spans if _GAVE.search(one.text) and not _NOT_GIVEN.search(one.text))


def _read_dose(text: str, names: Sequence[str]) -> str:
    """The dose next to a name of the drug, with its route if that is next to it too. Empty if there are several, unless
    one sentence says that the first was raised to the second."""
    written = "|".join(r"[\W_]+".join(map(re.escape, phrase)) for phrase in phrases_of(names))
    if not written:
        return ""
    pattern = re.compile(
        rf"(?i)\b({_ROUTE} )?(?:{written})(?: (?!(?:and|or|plus|with|versus|vs|than|on) )[a-z]+){{0,2}} ?"
        rf"\(?({_DOSES}{_OFTEN})|({_DOSES})(?: of)?( {_ROUTE})? (?:{written})\b"
    )
    found = list(pattern.finditer(text))
    if not found:
        return ""
    fullest = max(found, key=_count_amounts)
    route, dose, before, route_after = fullest.groups()
    first = " ".join(" ".join(filter(None, (dose or before, route or route_after))).split())
    raised = _find_raised_dose(text)
    if raised and raised not in first:
        return wording.DOSE_RAISED.format(dose=first, raised=raised)
    amounts = set().union(*(_AMOUNT.findall(match[2] or match[3]) for match in found))
    is_whole = len(amounts) == _count_amounts(fullest) and not _OTHER_DOSES.search(text)
    return first if is_whole else ""


def _count_amounts(dose: re.Match[str]) -> int:
    return len(set(_AMOUNT.findall(dose[2] or dose[3])))


def _find_raised_dose(text: str) -> str:
    """The dose to which that of the drug was raised, by a sentence that names no drug but this one at most."""
    for span in split_sentences(text):
        match = _RAISED.search(span.text)
        if match and len({name[0].casefold() for name in DRUG_NAME.finditer(span.text)}) <= 1:
            return match[1]
    return ""


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
