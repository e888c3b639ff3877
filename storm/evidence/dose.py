"""Reads the dose of the drug in a study, and the route by which it was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from storm import wording
from storm.evidence.abbreviations import find_short_names
from storm.evidence.follow_up import SPREAD
from storm.models.names import phrases_of
from storm.ranking import split_sentences
from storm.syllabus.drug_names import DRUG_NAME

_NUMBER = r"\d+(?:[.,]\d+)?"
_UNIT = r"(?:mgs?|µg|μg|mcg|g|ng(?=/(?:kg|min|h)\b)|IU|units?|U)"  # an amount in ng alone is one that was measured
_PER = r"(?:/(?:kg|m\^?2|day|d|h|hour|min|week|dose)|[  ](?:m\^?[−-]2|kg\^?[−-]1))*"
#: What shows that it is no dose, or not all of it: "5 mg/ml", "5 mg of salt per kilogram", but not "60 mg/d/14 days".
_NO_DOSE = r"(?:(?![\w/])|(?<=/d)(?=/\d+ days\b))(?! (?:of [\w-]+ )?(?:base )?per (?:k|sq|m))"
_DOSE = (
    rf"(?<![\d.])(?<!±)(?<!± )(?<!\+/- ){_NUMBER}(?:/{_NUMBER})?{SPREAD}"
    rf"(?:[-–]\d+(?:\.\d+)?)? ?{_UNIT}{_PER}{_NO_DOSE}"
)
_DOSES = rf"{_DOSE}(?:(?:,| and| or|, and|, or) {_DOSE}){{0,5}}"
#: The first of several numbers with one unit: "10 and 20 mg", right behind the name.
_NUMBERS = rf"(?:{_NUMBER}(?:,| and| or|, and|, or) ){{1,4}}"
_OFTEN = (
    r"(?:(?:(?: administered| given| taken)? (?:orally|intravenously|subcutaneously|intramuscularly|by mouth))?"
    r"(?:,? (?:once|twice|three times|\d times)[ -](?:daily|a day|weekly|a week)|,? (?:daily|weekly|nightly|"
    r"q\.?d\.?|b\.?i\.?d\.?|every \w+ \w+)))?"
)
_ROUTE = (
    r"(?:oral|intravenous|subcutaneous|intramuscular|intranasal|nasal|topical|inhaled|intrathecal|epidural|intravitreal|"
    r"transdermal|rectal|vaginal|buccal|sublingual|i\.?v\.?|s\.?c\.?)"
)
#: A dose, and a route, beside a name of the drug.
DOSE_BESIDE = (
    rf"(?i)\b({_ROUTE} )?(?:{{name}})(?: \((?:[a-z]|{{name}})\))?"
    rf"(?:(?: (?!(?:and|or|plus|with|versus|vs|than|on) )[a-z]+){{0,2}} ?\(?(?={_DOSE})|"
    rf" \(?(?={_NUMBERS}{_DOSE}))((?:{_NUMBERS})?{_DOSES}{_OFTEN})|({_DOSES})(?: of)?( {_ROUTE})? (?:{{name}})\b"
)
ROUTE_BESIDE = rf"(?i)\b({_ROUTE}) (?:{{name}})\b|\b(?:{{name}}) \(?({_ROUTE})\b"
#: Words between a drug, its dose and the infusion that followed it, and no others, which might name another drug.
_GIVEN_AT_ONCE = (
    r"(?: (?:sulphate|sulfate|hydrochloride|citrate|injection|bolus|loading|initial|dose|of|at|as|an?|in|was|given|"
    r"administered|i\.?v\.?|intravenous(?:ly)?|over|within|for|\d+ ?(?:min(?:utes)?|s|sec|h))){0,8}"
)
#: A dose at once and one rate of the infusion that followed: "zorvimab 1 mg/kg, followed by an infusion at 2 mg/h".
BOLUS_AND_INFUSION = (
    rf"(?i)\b(?:{{name}})(?![\w-]){_GIVEN_AT_ONCE} \(?({_DOSE})\)?"
    rf"{_GIVEN_AT_ONCE},? followed by (?:an? |the )?"
    r"(?:(?:continuous|constant|maintenance|intravenous|i\.?v\.?) ){0,2}infusion"
    rf"(?: of (?:{{name}})(?: sulphate| sulfate| hydrochloride)?)?(?: at| of)?(?: a)?(?: rate of)? "
    rf"({_NUMBER} ?{_UNIT}(?:/kg)?/(?:h(?:r|our)?|min)\b)(?!,? ?(?:or|to|and|-|–)? ?\d)"
)
#: How often, before a name of the drug; and a dose that says so itself.
FREQUENCY_BEFORE = r"(?i)\b(once|twice)[- ](daily|weekly|monthly) (?:oral |subcutaneous )?(?:{name})\b"
_HAS_ROUTE = re.compile(rf"\b{_ROUTE}", re.I)
_FREQUENCY = re.compile(r"(?i)\b(?:once|twice|three times|\d times|q\.?d|b\.?i\.?d|every \w+)")
_PER_TIME = re.compile(r"(?i)/(?:d|day|h|hour|min|week)\b|\b(?:daily|weekly|nightly|intravenous|i\.?v\.?|bolus)\b")
_GAVE = re.compile(r"(?i)\b(?:receiv|randomi[sz]|assigned|allocated|administered|given|treated with)")
_NOT_GIVEN = re.compile(r"(?i)\b(?:previous|prior|pilot|exclu|fail|vials?\b|supplied|stored|to dilute|costed)")
_RAISED = re.compile(rf"(?i)\b(?:increased|escalated|raised|titrated|up-titrated) to ({_DOSE})")
_SPAN = r"(?:days?|weeks?|months?)\b"
#: Two doses of one unit, one after the other and no more: "50 mg for 2 weeks, 100 mg for 6 weeks".
_STEPS = re.compile(
    rf"(?i)({_NUMBER}) ?(?P<unit>{_UNIT}{_PER}) for (?:the )?(?:first |initial )?(?P<time>\d+ {_SPAN})"
    rf"(?:, then|,? followed by|,? and(?: then)?|,) (?P<second>({_NUMBER}) ?(?P=unit)) for (?:the )?"
    rf"(?:next |following |remaining )?(?!(?P=time))\d+ {_SPAN}(?!,? (?:and |or |then )*(?:{_DOSE}|placebo))"
)
#: Two or more such doses, whatever their order, which may be of arms.
_ANY_STEPS = re.compile(rf"(?i){_DOSE} for (?:the )?(?:first |initial )?\d+ {_SPAN}[^.;]{{0,20}} {_DOSE} for")
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
    r"increas(?:ed|ing) to|reduced?|continued?|\d ?[ap]m|day \d+|morning|evening|at week|run-?in|lead-?in|loading|"
    r"bolus|initial(?:ly)?|maintenance|prior|previous\w*|before|earlier)\b"
)
#: What tells of arms.
_ARMS = re.compile(r"(?i)\b(?:randomi[sz]\w+|allocated|assigned|groups?|arms?)\b")
#: Most doses of arms that are named.
_MOST_DOSES = 3


def read_dose(title: str, abstract: str, methods: str, names: Sequence[str]) -> str:
    """The dose next to a name of the drug, those of several arms, or the first where one sentence says to what it was
    raised, without a dose where there are others besides; then the route, if it is one alone."""
    text = f"{title}\n\n{abstract}"
    written = "|".join(_list_names(text, names))
    if not written:
        return ""
    pattern = re.compile(DOSE_BESIDE.replace("{name}", written))
    given = _find_giving(methods)
    dose = (
        _find_infusion(f"{text}\n{given}", written, pattern) or _find_dose(text, pattern) or _find_dose(given, pattern)
    )
    if dose and not (_FREQUENCY.search(dose) or _PER_TIME.search(dose)):
        dose = f"{dose} {_find_frequency(title, written)}".rstrip()
    # Of one of several arms the route may be another.
    route = "" if " or " in dose or _HAS_ROUTE.search(dose) else _find_route(title, _find_giving(abstract), written)
    return " ".join(filter(None, (dose, route)))


def _find_infusion(text: str, written: str, beside: re.Pattern[str]) -> str:
    """A dose at once, then the rate of the infusion that followed, if no other dose of the drug is given."""
    found = {_write_on_one_line(one) for one in re.finditer(BOLUS_AND_INFUSION.replace("{name}", written), text)}
    if len(found) != 1:
        return ""
    bolus, rate = found.pop()
    others = [dose for dose in _list_doses(beside.finditer(text)) if not dose.startswith((bolus, rate))]
    return "" if others else wording.DOSE_THEN.format(bolus=bolus, rate=rate)


def _write_on_one_line(found: re.Match[str]) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in found.groups())


def _find_frequency(title: str, written: str) -> str:
    """How often the drug was given, by the words before its name in the title: "once-weekly zorvimab"."""
    found = re.finditer(FREQUENCY_BEFORE.replace("{name}", written), title)
    often = {f"{one[1]} {one[2]}".lower() for one in found}
    return next(iter(often)) if len(often) == 1 else ""


def _find_route(title: str, giving: str, written: str) -> str:
    """The route next to a name of the drug in the title or where it is given; empty if another is named there."""
    text = f"{title}\n{giving}"
    found = re.search(ROUTE_BESIDE.replace("{name}", written), text)
    routes = {route[0].lower().replace(".", "") for route in _HAS_ROUTE.finditer(text)}
    if found is None or len(routes) > 1:
        return ""
    route = found[1] or found[2]
    return route.upper() if len(route) == len("IV") else route.lower()


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
    raised = _find_raised_dose(text) or _find_steps(text, fullest)
    if raised and raised not in first:
        return wording.DOSE_RAISED.format(dose=first, raised=raised)
    if _OTHER_DOSES.search(text) or _ANY_STEPS.search(text):
        return ""
    amounts = set().union(*(_AMOUNT.findall(match[2] or match[3]) for match in found))
    if len(amounts) > _count_amounts(fullest):
        return _list_doses_of_arms(text, found)
    return "" if _differ_in_frequency(_list_doses(found)) else first


def _write_dose(found: re.Match[str]) -> str:
    """A dose and its route, in one line."""
    route, dose, before, route_after = found.groups()
    amount = dose or before
    way = "" if _HAS_ROUTE.search(amount) else route or route_after
    return " ".join(" ".join(filter(None, (amount, way))).split())


def _list_doses(found: Iterable[re.Match[str]]) -> list[str]:
    """The doses as they are written, each in one line."""
    return [" ".join((match[2] or match[3]).split()).rstrip(".") for match in found]


def _list_doses_of_arms(text: str, found: Sequence[re.Match[str]]) -> str:
    """ "10 mg or 20 mg" of arms with different doses; empty where they may be those of one arm, one after another, or
    where one dose was given in several ways."""
    told = [one for one in split_sentences(text) if _GAVE.search(one.text) or _ARMS.search(one.text)]
    told = [one for one in told if any(one.start <= match.start() < one.end for match in found)]
    given = [match for match in found if any(one.start <= match.start() < one.end for one in told)]
    doses = _list_doses(given)
    units = {unit for dose in doses for unit in _UNITS.findall(dose)}
    amounts = [_AMOUNT.findall(dose) for dose in doses]
    of_arms = any(_ARMS.search(one.text) for one in told) and not any(_IN_TURN.search(one.text) for one in told)
    if not of_arms or len(units) > 1 or any(len(one) > 1 for one in amounts) or _differ_in_frequency(doses):
        return ""
    longest: dict[str, str] = {}
    for (amount,), dose in zip(amounts, doses, strict=True):
        longest[amount] = max(dose, longest.get(amount, ""), key=len)
    if len(longest) > _MOST_DOSES:
        return ""
    *others, last = longest.values()
    return f"{', '.join(others)} or {last}" if others else last


def _differ_in_frequency(doses: Sequence[str]) -> bool:
    """Whether one amount was given more often here than there."""
    often: dict[tuple[str, ...], set[str]] = {}
    for dose in doses:
        if found := _FREQUENCY.search(dose):
            often.setdefault(tuple(_AMOUNT.findall(dose)), set()).add(found[0].lower())
    return any(len(one) > 1 for one in often.values())


def _count_amounts(dose: re.Match[str]) -> int:
    return len(set(_AMOUNT.findall(dose[2] or dose[3])))


def _find_raised_dose(text: str) -> str:
    """The dose to which that of the drug was raised, by a sentence that names no drug but this one at most."""
    for span in split_sentences(text):
        match = _RAISED.search(span.text)
        if match and len({name[0].casefold() for name in DRUG_NAME.finditer(span.text)}) <= 1:
            return match[1]
    return ""


def _find_steps(text: str, dose: re.Match[str]) -> str:
    """The higher dose that follows this one after some time; empty if there is none."""
    steps = _STEPS.match(text, dose.start(2)) if dose[2] else None
    if steps is None:
        return ""
    first, second = (float(number.replace(",", ".")) for number in (steps[1], steps[5]))
    return steps["second"] if second > first else ""
