"""Isolates the comparisons that a sentence states with their intervals, where the figures of each arm stand beside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storm.citations.endpoints import find_endpoints
from storm.citations.quotes import normalize_text

_NUMBER = r"[-−–]?\d{1,5}(?:\.\d{1,5})?"
_UNIT = r"(?:[ -]?(?:%|percentage points?|points?|kg|mm ?Hg|mmol/(?:L|mol)|mg/dL|mg|days?|hours?|minutes?))?"
_RANGE = rf"{_NUMBER} ?%?(?:,| to| and| ?[-–])? ?{_NUMBER} ?%?"
_LEVEL = r"9\d(?:\.\d)? ?% ?(?:CI|confidence interval)(?: of| was|,|:| ?=)? ?"
_RATIO = r"(?:hazard ratio|odds ratio|relative risk|risk ratio|rate ratio|HR|OR|RR|IRR)"
#: "hazard ratio 0.66 [95% CI 0.28–1.51], P = 0.32", "difference of −6.2 kg (95% CI −7.6, −5.0)".
_STATED = re.compile(
    rf"\b(?:{_RATIO}|difference)(?: of| was|,|:| ?=)? ?{_NUMBER}{_UNIT}[,;:]? ?"
    rf"(?:[(\[] ?{_LEVEL}{_RANGE} ?[)\]]|{_LEVEL}{_RANGE})(?:[,;] ?(?:two-sided )?[Pp] ?[=<>≤] ?0?\.\d{{1,9}})?"
)
_ANY_RATIO = re.compile(rf"\b{_RATIO}\b")
#: The short forms of the measure and of the interval, as they are introduced; and decimal points of British journals.
_SHORT_FORMS = re.compile(r" ?[(\[](?:HR|OR|RR|IRR|CI)[)\]]")
_POINT = re.compile(r"(?<=\d)·(?=\d)")
#: The interval of an arm's own value, with its level or without: "[95% CI 4.6–8.7]", "(2.8-4.1)".
_ARM_INTERVAL = re.compile(rf"[(\[] ?(?:{_LEVEL})?{_RANGE} ?[)\]]|{_LEVEL}{_RANGE}")
#: What counts or measures an arm alone: "23 (0.3%)", "median 6.2 months", "0.042 events/100 patient-years".
_ARM_VALUE = re.compile(
    r"(?:\bmedian (?:(?:overall|progression-free|disease-free|survival|was) ){0,3})?(?<![\w.-])"
    rf"(?:[Nn] ?= ?)?{_NUMBER}(?:,\d{{3}})*"
    r"(?: ?%| months| (?:events?|patients|participants))?(?: ?(?:/|per )\d{2,5} (?:patient|person)[- ]years)?"
    r"(?![\w-]| (?:days?|weeks?|months?|years?)\b)"
)
#: Brackets without a word once the figures, and the heterogeneity of pooled studies (I²), have gone.
_EMPTY = re.compile(r" ?[(\[{][\s,;:/=–^-]*(?:(?:vs|versus|of|I\^2?)\b[\s.,;:=]*)?[)\]}]")
#: What follows a result without narrowing whom it is of.
_ASIDE = re.compile(r",? (?:particularly|especially|regardless|irrespective)\b.*$|, with [^,]{1,80}, respectively$")
_BRACKETS = re.compile(r"[()\[\]]")
#: Most characters between an outcome and its comparison.
_REACH = 6
#: Between the comparisons of a list: "improved OS (…) and PFS (…)".
_NEXT = re.compile(r"[)\]\s]*(?:,| and| or|, and|, or| as well as)(?: (?:of|in|for|on|the))* ")


def isolate_comparisons(sentence: str) -> Iterator[str]:
    """The sentence with each of its comparisons in brackets at the end, and without the figures of each arm; nothing if
    it states no ratio or difference with its interval, lists values with "respectively", or it is open what each is of.
    """
    plain = _POINT.sub(".", _SHORT_FORMS.sub("", sentence))
    stated = list(_STATED.finditer(plain))
    ends = [0, *(found.end() for found in stated)]
    between = [plain[end : found.start()] for end, found in zip(ends, stated, strict=False)]
    after = _ASIDE.sub("", plain[ends[-1] :].rstrip(" ."))
    if not stated or "respectively" in "".join((*between, after)):
        return
    for found, text in zip(stated, _name_outcomes(between), strict=False):
        rest = f"{text}{after}"
        if not _ANY_RATIO.search(rest):
            yield f"{_drop_figures(rest)} ({' '.join(_BRACKETS.sub(' ', found[0]).split())})."


def _name_outcomes(between: Sequence[str]) -> list[str]:
    """What stands before each comparison: for those after the first, what stands before the first with the outcome of
    that replaced by their own; empty if it is no list of outcomes."""
    first, *others = between
    if not others:
        return [first]
    named = list(find_endpoints(normalize_text(first)))
    own = named[-1][1] if named else ""
    start = first.lower().rfind(own)
    if not own or start < len(first) - len(own) - _REACH:
        return []
    found = [first]
    for text in others:
        begins = _NEXT.match(text)
        if not begins or not _is_outcome(text[begins.end() :]):
            return []
        found.append(f"{first[:start]}{text[begins.end() :]}")
    return found


def _is_outcome(text: str) -> bool:
    """Whether the text before a bracket names an endpoint and nothing else."""
    outcome = normalize_text(text.rstrip(" ([").strip())
    return any(words == outcome for _, words in find_endpoints(outcome))


def _drop_figures(text: str) -> str:
    """The text without the values of each arm and the brackets that held nothing else."""
    text = _ARM_VALUE.sub("", _ARM_INTERVAL.sub("", text))
    while (shorter := _EMPTY.sub("", text)) != text:
        text = shorter
    return " ".join(text.split())
