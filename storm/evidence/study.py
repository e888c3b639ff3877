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
_BEFORE = 50
_NEAR = 25

_HISTORICAL = re.compile(
    r"(?i)\b(?:as|with|to|versus|against|from) (?:an? |the )?historical (?:control|cohort|comparator)s?\b|"
    r"\bhistorically controlled\b"
)
_CONDITIONS = re.compile(r"Conditions: ([^\n]+?)\.?$", re.M)

_UNIT = r"(?:weeks?|months?|years?|days?)"
_DAYS = {"d": 1, "w": 7, "m": 30.4, "y": 365}
#: A standard deviation after a value is not a value.
_SPREAD = r"(?: ?(?:±|\+/-) ?\d+(?:\.\d+)?)?"
_RANGE = r"(?:[–-]\d+(?:\.\d+)?)?"
_TIME = rf"(?<![\d.–-])(?<!±)(?<!± )(?<!\+/- )(\d+(?:[–-]\d+)?{_SPREAD})"
_FOLLOW_UP = re.compile(
    rf"(?i)\bfollow(?:ed)?[- ]?up\b[^.;]{{0,40}}?(?<![\d.])(?<!±)(?<!± )(?<!\+/- "
    rf")(?<!\d[–-])(\d+(?:\.\d+)?{_RANGE}{_SPREAD})[- ]({_UNIT})\b"
)
#: "3 months after discharge": when the last outcomes were read, which is no time of treatment.
_AFTERWARDS = re.compile(
    rf"(?i)(?<![\d.])(\d+(?:\.\d+)?{_RANGE}{_SPREAD})[- ]({_UNIT}) (?:after|following|post) "
    r"(?:hospital )?(?:discharge|injury|randomi[sz]ation|enrol?lment)\b"
)
_TYPICAL_FOLLOW_UP = re.compile(
    rf"(?i)\b(?:median|mean|average)(?: duration| length| time)?(?: of)? (?:the )?follow(?:ed)?[- ]?up\b[^.;,]{{0,20}}?"
    rf"(?<![\d.])(\d+(?:\.\d+)?{_RANGE}{_SPREAD})[- ]({_UNIT})\b"
)
#: Words before years that are an age, or the duration of a programme of trials.
_NO_FOLLOW_UP = re.compile(
    r"(?i)(?:\b(?:aged?|ages)\b[^.;]{0,30}|\b(?:patients|women|men|adults|people|subjects|persons|individuals|those|"
    r"children|trials|studies)(?: \w+){0,2} )$"
)
#: Words before and after a time that is that of a birth, of stored samples, or until an event.
_OF_SOMETHING_ELSE = re.compile(
    r"(?i)\b(?:deliver|born|birth|gestation|pregnan|stor(?:ed|age)\b|frozen|shelf|stable|stability|relapsed?\b|"
    r"recurred|"
    r"half-li)[^.;]{0,40}$|\b(?:measured|recorded|sampled|monitored) (?:\w* ?daily )?$|\b(?:past|previous|last|prior|"
    r"preceding|next)[^.;]{0,8}$|\b(?:starting|beginning|started|begun) (?:(?:at|from) )?$|\bagain $"
)
#: Chemotherapy, which is given for some days of each cycle, in the clause of a time; and the days that one takes.
_IN_CYCLES = re.compile(
    r"(?i)(?:\b(?:(?:each|every|per|\d{1,2}[- ]?(?:day|week)) cycles?|cycles? of)\b|"
    r"\dm?g?[  ]?(?:/|m\^?[−-])m?\^?2\b|mg/m\^?2|mg m\^?[−-]2)(?:(?!, and\b|\bobserved|\bfollowed)[^.;]){0,50}$"
)
_CYCLE = 28
_DAYS_AFTER = re.compile(r"(?i)\d+ days? (?:after|following)\b")
#: The longest that a treatment could be given.
_AT_MOST = re.compile(r"(?i)for up to\b")
#: Words before a time that is a point in a longer one.
_TIME_POINT = re.compile(r"(?i)\bat (?:\d+ and )?$")
#: Words around the time of a phase before that which is reported.
_BEFORE_THE_STUDY = re.compile(r"(?i)\b(?:run-?in|lead-?in|wash-?out|screening|stabili[sz]ation|titration)\b")
_THEN_RANDOMISED = re.compile(r"(?i)(?:[^.;]|\.\d){0,140}\b(?:were|was) (?:\w+ )?randomi[sz]ed\b")
_AFTER = re.compile(r"(?i)\bafter\b[^.;,]{0,60}$")
#: A rate estimated for a time, which is not a duration: "survival at 4 years".
_RATE_AT = re.compile(r"(?i)\b(?:survival|rates?)\b[^.;]{0,40}\bat [\d.]+ \w+$")
_OF_PREGNANCY = re.compile(r"(?i)[’']? (?:of |in )?(?:gestation|pregnan|post-?conception)")
_LONG = re.compile(
    rf"(?i){_TIME}[- ]({_UNIT})(?![- ]old|[- ]of[- ]age| of age|ly| in an? )(?=,? (?:(?!(?:with|survival|"
    rf"mortality|rates?|incidence)\b)[\w-]+[ ,]+){{0,3}}"
    rf"(?:follow(?!ed by\b)|trial|study|treatment|"
    rf"extension|period|results|double|open|randomi|main|core))"
)
#: The length of a study in its methods: "a 12-week, single-centre, open-label trial".
_LENGTH = re.compile(
    rf"(?i)\b(?:an?|the|this|was|in) (?:\w+ )?{_TIME}[- ](week|month|year)\b(?![- ]old)(?=,? (?:[\w-]+[ ,]+){{0,4}}"
    r"(?:trial|study|double-blind|open-label|randomi[sz]ed|parallel))"
)
_FOR = re.compile(
    rf"(?i)\b(?:for|after|over|at) (?:a further |approximately |about |up to )?{_TIME} ({_UNIT})\b(?! "
    rf"old| of age)"
)

_DOSE = (
    rf"(?<![\d.])(?<!±)(?<!± )(?<!\+/- )\d+(?:[.,]\d+)?{_SPREAD}(?:[-–]\d+(?:\.\d+)?)? ?(?:mgs?|µg|μg|mcg|g|ng|IU|"
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
        follow_up="" if design in _OF_OTHERS else _read_follow_up(title, own, read_methods(hit)[:_MOST_METHODS]),
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


def _read_follow_up(title: str, abstract: str, methods: str) -> str:
    """The longest time of the first kind that is stated; the methods are read last, for the length of the study."""
    places = (
        (_TYPICAL_FOLLOW_UP, abstract),
        (_LONG, title),
        (_FOLLOW_UP, abstract),
        (_AFTERWARDS, abstract),
        (_LONG, abstract),
        (_FOR, title),
        (_FOR, abstract),
        (_LENGTH, methods),
    )
    for pattern, text in places:
        if match := _find_longest(pattern, text):
            if pattern is _LONG and _TIME_POINT.search(text[: match.start()][-_NEAR:]):
                match = max((match, _find_longest(_FOR, text) or match), key=_count_days)
            unit = match[2].lower().rstrip("s")
            return f"{match[1]} {unit}{'' if match[1] == '1' else 's'}"
    return ""


def _find_longest(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    times = (found for found in pattern.finditer(text) if not _is_other_time(text, found, pattern))
    return max(times, key=_count_days, default=None)


def _count_days(time: re.Match[str]) -> float:
    """The duration in days; of a range, its end; of a mean, without its deviation."""
    value = re.split(r" ?(?:±|\+/-)", time[1])[0]
    return float(re.split("[–-]", value)[-1]) * _DAYS[time[2][0].lower()]


def _is_other_time(text: str, time: re.Match[str], pattern: re.Pattern[str]) -> bool:
    """Whether the time is an age ("aged 18-72 years", "starting at 6 months"), that of a birth or of stored samples
    ("stored for 480 days"), that of a phase before randomisation, or the duration of a programme ("trials over 11
    years").
    """
    before = text[max(0, time.start() - _BEFORE) : time.start()]
    if _is_of_earlier_phase(text, time):
        return True
    if pattern is _LONG and _DAYS_AFTER.match(text, time.start()):
        return True
    if _RATE_AT.search(f"{before}{time[0]}"[-_BEFORE:]):
        return True
    if pattern is _FOR and _AT_MOST.match(time[0]):
        return True
    is_in_days = time[2].lower().startswith("day") and _count_days(time) < _CYCLE
    if pattern is _FOR and is_in_days and _IN_CYCLES.search(before):
        return True
    if _OF_SOMETHING_ELSE.search(before) or _OF_PREGNANCY.match(text, time.end()):
        return True
    if re.search("[–-]", time[1]) and time[2].lower().startswith("year") and pattern is not _FOLLOW_UP:
        return True
    return bool(_NO_FOLLOW_UP.search(before)) and (pattern is not _FOR or time[0].lower().startswith("over"))


def _is_of_earlier_phase(text: str, time: re.Match[str]) -> bool:
    """Whether the time is that of a run-in or the like, or passed before the participants were randomised."""
    before, after = text[max(0, time.start() - _BEFORE) : time.start()], text[time.end() : time.end() + _NEAR]
    if _BEFORE_THE_STUDY.search(re.split("[.;,]", after)[0]) or _BEFORE_THE_STUDY.search(before[-_NEAR:]):
        return True
    head = text[max(0, time.start() - _BEFORE) : time.end()]
    return bool(_AFTER.search(head) and _THEN_RANDOMISED.match(text, time.end()))


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
