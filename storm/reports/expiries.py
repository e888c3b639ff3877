"""Describes expiry dates as past or future, seen from the day the job began."""

from __future__ import annotations

import re
from datetime import date

from storm import wording
from storm.databases.formats.dates import parse_date
from storm.models import ProtectionFact

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_YEAR = r"(?:19|20)\d\d(?![\d-])"
#: "2021-03-17", "2021-03", "2021", "Mar 17, 2021", "17 March 2021", "17-Mar-2021", "March 2021", "03/17/2021".
_DATE = (
    rf"(?:(?:19|20)\d\d-\d\d(?:-\d\d)?(?![\d-])|{_MONTH} (?:\d\d?(?:st|nd|rd|th)?,? )?{_YEAR}"
    rf"|\d\d?[ -]{_MONTH}[ -]{_YEAR}|\d\d?/\d\d?/{_YEAR}|{_YEAR})"
)
#: A part of a year, before it; the date is then known as the year.
_PART = r"(?:Q[1-4],? (?:of )?|(?:early|mid|late)[ -](?:in )?)?"
#: "expires on", "expiry date being", "expiry:", "exclusivity until", "protected until", "patent ends in".
_EXPIRES = re.compile(
    r"\b(?:expir(?:es?|y|ing|ation)(?: date)?(?: (?:on|in|is|of|being|by|(?:at|by) the end of))?"
    r"|(?:exclusivity|protected|protection|in force|valid) (?:until|through)"
    r"|runs? out (?:on|in|at the end of)"
    r"|(?:exclusivity|protection|patent|term) (?:lasts|runs|ends|extends) (?:until|to|on|in))"
    rf":? {_PART}({_DATE})",
    re.IGNORECASE,
)
#: "completion expected 2019-12-30", "is planned for March 2020", "expected to be launched in 2019".
_PLANNED = re.compile(
    r"\b(?:expected|planned|scheduled|anticipated|estimated)(?: to [a-z]+(?: [a-z]+)?)?"
    rf"(?: (?:primary )?(?:completion|launch|approval|readout)(?: date)?)?(?: (?:for|in|on|by|at))?:? {_PART}({_DATE})",
    re.IGNORECASE,
)
_STATED = re.compile(rf"\b{_DATE}")
_NUMERIC = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
#: Further dates of a list: full dates before its semicolon.
_FURTHER = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_MAX_LIST = 300


def has_passed(expiry: str, day: date) -> bool:
    """Whether an ISO date, possibly partial, is entirely before that day."""
    return expiry < day.isoformat()[: len(expiry)]


def describe_expiry(protection: ProtectionFact, day: date) -> str:
    """ "expired on 2021-03-17; extended by paediatric exclusivity until 2027-09-17", seen from that day."""
    parts = []
    if expiry := protection.expiry:
        parts.append(
            (wording.EXPIRED if has_passed(expiry, day) else wording.EXPIRES).format(at=_add_preposition(expiry))
        )
    if until := protection.paediatric_expiry:
        ended = wording.PAEDIATRIC_ENDED if has_passed(until, day) else wording.PAEDIATRIC_LASTS
        parts.append(ended.format(at=_add_preposition(until), until=until))
    return "; ".join(parts)


def passed_expiries(text: str, day: date) -> list[str]:
    """Expiry dates that a text describes as future but that have passed, without duplicates."""
    stated = []
    for match in _EXPIRES.finditer(text):
        stated.append(_read_date(match[1]))
        rest = text[match.end() : match.end() + _MAX_LIST].partition(";")[0]
        if len(match[1]) == len("2021-03-17"):
            stated += _FURTHER.findall(rest)
    return list(dict.fromkeys(one for one in stated if has_passed(one, day)))


def passed_plans(text: str, day: date) -> list[str]:
    """Dates of expected or planned events in a text that have passed, without duplicates."""
    planned = (_read_date(match[1]) for match in _PLANNED.finditer(text))
    return list(dict.fromkeys(one for one in planned if has_passed(one, day)))


def stated_dates(text: str) -> list[str]:
    """The dates and years in a text, in ISO format, possibly partial."""
    return [_read_date(match[0]) for match in _STATED.finditer(text)]


def _read_date(text: str) -> str:
    """The date in ISO format, possibly partial; day and month of numbers alone are read as in the United States."""
    if numbers := _NUMERIC.fullmatch(text):
        text = f"{numbers[3]}-{int(numbers[1]):02}-{int(numbers[2]):02}"
    elif any(map(str.isalpha, text)):  # 17-Mar-2021
        text = _ORDINAL.sub("", text).replace("-", " ")
    return parse_date(text) or text


def _add_preposition(expiry: str) -> str:
    return f"{'on' if len(expiry) == len('2021-03-17') else 'in'} {expiry}"
