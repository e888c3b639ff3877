"""Reads the dose of the drug in a study, and the route by which it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm import wording
from storm.evidence.abbreviations import find_short_names
from storm.evidence.follow_up import SPREAD
from storm.models.names import phrases_of
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

_NUMBER = r"\d+(?:[.,]\d+)?"
_UNIT = r"(?:mgs?|µg|μg|mcg|g|ng|IU|units?|U)"
_DOSE = (
    rf"(?<![\d.])(?<!±)(?<!± )(?<!\+/- ){_NUMBER}(?:/{_NUMBER})?{SPREAD}(?:[-–]\d+(?:\.\d+)?)? ?{_UNIT}(?:/(?:kg|m\^?2|"
    r"day|d|h|hour|min|week|dose)|[  ](?:m\^?[−-]2|kg\^?[−-]1))*(?![\w/]| (?:of [\w-]+ )?(?:base )?per k)"
)
_DOSES = rf"{_DOSE}(?:(?:,| and| or|, and|, or) {_DOSE}){{0,5}}"
_OFTEN = (
    r"(?:,? (?:once|twice|three times|\d times)[ -](?:daily|a day|weekly|a week)|,? (?:daily|weekly|nightly|"
    r"q\.?d\.?|b\.?i\.?d\.?|every \w+ \w+))?"
)
_ROUTE = (
    r"(?:oral|intravenous|subcutaneous|intramuscular|intranasal|topical|inhaled|intrathecal|epidural|intravitreal|"
    r"transdermal|rectal|sublingual|i\.?v\.?|s\.?c\.?)"
)
#: A dose, and a route, beside a name of the drug.
DOSE_BESIDE = (
    rf"(?i)\b({_ROUTE} )?(?:{{name}})(?: (?!(?:and|or|plus|with|versus|vs|than|on) )[a-z]+){{0,2}} ?"
    rf"\(?({_DOSES}{_OFTEN})|({_DOSES})(?: of)?( {_ROUTE})? (?:{{name}})\b"
)
ROUTE_BESIDE = rf"(?i)\b({_ROUTE}) (?:{{name}})\b|\b(?:{{name}}) \(?({_ROUTE})\b"
_HAS_ROUTE = re.compile(rf"\b{_ROUTE}", re.I)
_GAVE = re.compile(r"(?i)\b(?:receiv|randomi[sz]|assigned|allocated|administered|given|treated with)")
_NOT_GIVEN = re.compile(r"(?i)\b(?:previous|prior|pilot|exclu|vials?\b|supplied|stored)")
_RAISED = re.compile(rf"(?i)\b(?:increased|escalated|raised|titrated|up-titrated) to ({_DOSE})")
_AMOUNT = re.compile(_NUMBER)
_UNITS = re.compile(rf"(?<=\d) ?({_UNIT}(?:/\w+)*)")
#: Words of other doses of the drug that no name stands beside.
_OTHER_DOSES = re.compile(
    rf"(?i)\b(?:titrated|escalat\w+|maximum of|then|up to|increased by|to) {_DOSE}|"
    rf"(?<![\d.])\d{{1,5}}(?:\.\d{{1,3}})? to \d{{1,5}}(?:\.\d{{1,3}})?,? (?:or|and) {_DOSE}"
)
#: What tells of doses one after another, which no two arms had.
_IN_TURN = re.compile(
    r"(?i)\b(?:then|thereafter|afterwards|followed by|subsequent\w*|switch\w*|titrat\w+|escalat\w+|"
    r"increas(?:ed|ing) to|run-?in|lead-?in|loading|bolus|initial(?:ly)?|maintenance|prior|previous\w*|before|"
    r"earlier)\b"
)
#: What tells of arms.
_ARMS = re.compile(r"(?i)\b(?:randomi[sz]\w+|allocated|assigned|groups?|arms?)\b")
#: Most doses of arms that are named.
_MOST_DOSES = 3


def read_dose(title: str, abstract: str, methods: str, names: Sequence[str]) -> str:
    """The dose next to a name of the drug, those of several arms, or the first where one sentence says to what it was
    raised; with the route, if title and abstract name one alone. Empty where there are other doses besides."""
    text = f"{title}\n{abstract}"
    written = "|".join(_list_names(text, names))
    if not written:
        return ""
    pattern = re.compile(DOSE_BESIDE.replace("{name}", written))
    dose = _find_dose(text, pattern) or _find_dose(_find_giving(methods), pattern)
    # Of one of several arms the route may be another.
    route = "" if " or " in dose or _HAS_ROUTE.search(dose) else _find_route(text, written)
    return " ".join(filter(None, (dose, route)))


def _find_route(text: str, written: str) -> str:
    """The route that stands next to a name of the drug; empty if there are several."""
    found = re.finditer(ROUTE_BESIDE.replace("{name}", written), text)
    routes = list(dict.fromkeys((one[1] or one[2]).lower() for one in found))
    return ("IV" if routes[0] == "iv" else routes[0]) if len(routes) == 1 else ""


def _list_names(text: str, names: Sequence[str]) -> Iterator[str]:
    """The names as parts of a pattern, with the short names that the text defines."""
    yield from (r"[\W_]+".join(map(re.escape, phrase)) for phrase in phrases_of(names))
    if names:
        yield from (f"(?-i:{re.escape(short)})" for short in find_short_names(text, names))


def _find_giving(methods: str) -> str:
    """The sentences of methods that say what the participants of this study were given."""
    spans = split_sentences(methods)
    return "\n".join(one.text for one in spans if _GAVE.search(one.text) and not _NOT_GIVEN.search(one.text))


def _find_dose(text: str, pattern: re.Pattern[str]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return ""
    fullest = max(found, key=_count_amounts)
    first = _write_dose(fullest)
    raised = _find_raised_dose(text)
    if raised and raised not in first:
        return wording.DOSE_RAISED.format(dose=first, raised=raised)
    if _OTHER_DOSES.search(text):
        return ""
    amounts = set().union(*(_AMOUNT.findall(match[2] or match[3]) for match in found))
    return first if len(amounts) == _count_amounts(fullest) else _list_doses_of_arms(text, found)


def _write_dose(found: re.Match[str]) -> str:
    """A dose and its route, in one line."""
    route, dose, before, route_after = found.groups()
    return " ".join(" ".join(filter(None, (dose or before, route or route_after))).split())


def _list_doses_of_arms(text: str, found: Sequence[re.Match[str]]) -> str:
    """ "10 mg or 20 mg" of arms with different doses; empty where they may be those of one arm, one after another."""
    doses = [" ".join((match[2] or match[3]).split()).rstrip(".") for match in found]
    units = {unit for dose in doses for unit in _UNITS.findall(dose)}
    sentences = [one.text for one in split_sentences(text) if any(one.start <= m.start() < one.end for m in found)]
    is_of_arms = _ARMS.search(text) and not any(map(_IN_TURN.search, sentences))
    amounts = [_AMOUNT.findall(dose) for dose in doses]
    if not is_of_arms or len(units) > 1 or any(len(one) > 1 for one in amounts):
        return ""
    longest: dict[str, str] = {}
    for (amount,), dose in zip(amounts, doses, strict=True):
        longest[amount] = max(dose, longest.get(amount, ""), key=len)
    named = list(longest.values())
    return f"{', '.join(named[:-1])} or {named[-1]}" if len(named) <= _MOST_DOSES else ""


def _count_amounts(dose: re.Match[str]) -> int:
    return len(set(_AMOUNT.findall(dose[2] or dose[3])))


def _find_raised_dose(text: str) -> str:
    """The dose to which that of the drug was raised, by a sentence that names no drug but this one at most."""
    for span in split_sentences(text):
        match = _RAISED.search(span.text)
        if match and len({name[0].casefold() for name in DRUG_NAME.finditer(span.text)}) <= 1:
            return match[1]
    return ""
