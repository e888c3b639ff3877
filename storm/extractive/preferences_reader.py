"""Reads how a report is wanted from the words of its request: for whom, how long, in which tone and form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from storm.citations.section_length import NUMBERS, UNITS
from storm.models import ReportPreferences
from storm.models.names import split_words
from storm.models.report_form import read_form

_NUMBER = rf"(?:\d{{1,5}}|{'|'.join(NUMBERS)})"
_LAY = (
    r"lay(?:[ -](?:person|people|man|men|public|readers?|audience))?|non-?(?:experts?|specialists?|scientists?)|"
    r"(?:the )?general (?:public|readers?|audience)|(?:busy )?clinicians?|general practitioners|GPs?|"
    r"(?:health )?payers?|investors?|regulators?|journalists?|policy[ -]?makers?|(?:company )?board|beginners?"
)
#: A treatment is "for patients", too: these are readers only where the text says that it is written for them.
_PEOPLE = (
    r"patients?(?: and (?:their )?(?:families|carers|caregivers))?|(?:grand)?(?:mother|father|parents?)|children|"
    r"(?:medical |nursing |(?:high[ -])?school )?students?|(?:\d{1,2}|five|ten|twelve)[ -]year[ -]olds?|"
    r"physicians?|doctors?|nurses?|pharmacists?|oncologists?|cardiologists?|specialists?|experts?|scientists?|"
    r"researchers?|executives?|managers?|teachers?|friends?"
)
_TO_READ = (
    r"(?:explain\w*|writ(?:e|ten)|summari[sz]e\w*|report|summary|overview|briefing|leaflet|intended|aimed|suitable|"
    r"understandable|readable)"
)
_SOMEONE = r"(?:an? |the |my |our )?"
_AUDIENCE = re.compile(rf"\b(?:for|to|by) {_SOMEONE}(?P<value>{_LAY})(?: (?:readers?|audience))?\b", re.I)
_ADDRESSED = re.compile(
    rf"\b{_TO_READ}\b[^.?!]{{0,40}}? (?P<cut>(?:for|to|at|by) {_SOMEONE}(?P<value>{_PEOPLE})\b)"
    r"(?! (?:with|who|on|in|receiving|taking|aged|over|under|having)\b)",
    re.I,
)
_READERSHIP = re.compile(rf"\bfor {_SOMEONE}(?P<value>(?:{_PEOPLE}) (?:readers?|audience|readership))\b", re.I)
_PLAIN = re.compile(
    r"\bin (?P<value>(?:plain|simple|lay(?:man's)?|everyday|non-technical) (?:English|language|terms|words))\b", re.I
)
_LENGTH = re.compile(
    rf"\b(?:(?:in|within|on|about|around|at most|no more than|up to|under|less than|not more than|maximum|max) ){{1,2}}"
    rf"(?P<value>{_NUMBER}[ -](?:{'|'.join(UNITS)})s?)\b(?! of life)",
    re.I,
)
_SHAPE = re.compile(
    r"\b(?:an? )?(?P<value>(?:very )?(?:short|brief|concise|one-page|two-page|detailed|in-depth|comprehensive|long|"
    r"thorough|\d{1,5}[ -](?:word|page)))"
    r" (?:report|summary|answer|overview|review|text|article|briefing|memo|note|dossier)\b",
    re.I,
)
_ADVERB = re.compile(r"\b(?P<value>briefly|in brief|in short|in detail|in depth|at length|concisely)\b", re.I)
_TONE = re.compile(
    r"\bin an? (?P<value>(?:neutral|formal|informal|friendly|scientific|academic|critical|sober|conversational|"
    r"professional|technical|journalistic|persuasive|humorous))(?: and \w{1,20})? (?:tone|style|voice|manner|way)\b",
    re.I,
)
_FORMAT = re.compile(
    r"\b(?:as|in|using|with|formatted as|in the form of|give me) (?:an? |the (?:form|format) of )?"
    r"(?P<value>bullet(?:ed)?[ -]?(?:points?|lists?)|bullets|"
    r"(?:numbered |comparison |summary )?tables?(?: form(?:at)?)?|"
    r"numbered lists?|lists?|prose|essays?|Q ?& ?A|questions and answers|FAQs?|memos?|letters?|briefings?|slides?|"
    r"timelines?)\b",
    re.I,
)
#: The list after "with sections on"; what it is about stays in the question.
_SECTIONS = re.compile(
    r"\b(?:with|including|include|having|use|add|in) (?:the |separate |these |following ){0,3}"
    r"(?:sections?|chapters?|headings?|parts)(?: (?:on|about|for|called|titled))?:? (?P<value>[^.?!;\n]{1,300})",
    re.I,
)
_AND = re.compile(r",(?: and| or)? |,|\band\b|&|\bplus\b", re.I)
#: A section's name has at most so many words, and a report so many sections.
_LONGEST_NAME, _MOST_SECTIONS = 8, 12


class ReadPreferences(NamedTuple):
    """The preferences that a text states, and the text without the words that state them."""

    preferences: ReportPreferences
    rest: str


def read_preferences(text: str, given: ReportPreferences) -> ReadPreferences:
    """The preferences of a request: those `given`, and for the others those that its text states, of forms those that
    there are."""
    found: dict[str, str] = {}
    sections: tuple[str, ...] = ()
    if named := _SECTIONS.search(text):
        listed = _cut_wishes(named["value"])
        sections = tuple(_split_sections(listed))
        text = f"{text[: named.start()]} {text[named.start('value') + len(listed) :]}"
    for field, pattern in _PATTERNS:
        if stated := pattern.search(text):
            wish = " ".join(stated["value"].split())
            if field != "format" or read_form(wish):
                found.setdefault(field, wish)
            start, end = stated.span("cut" if "cut" in pattern.groupindex else 0)
            text = f"{text[:start]} {text[end:]}"
    own = {name: value for name, value in given.model_dump().items() if value}
    return ReadPreferences(ReportPreferences.model_validate({**found, "sections": sections, **own}), text)


_PATTERNS = (
    ("audience", _AUDIENCE),
    ("audience", _READERSHIP),
    ("audience", _ADDRESSED),
    ("audience", _PLAIN),
    ("length", _LENGTH),
    ("length", _SHAPE),
    ("length", _ADVERB),
    ("tone", _TONE),
    ("format", _FORMAT),
)


def _cut_wishes(listed: str) -> str:
    """The list of sections up to the next wish: "on safety and cost, in two pages"."""
    starts = (match.start() for _, pattern in _PATTERNS if (match := pattern.search(listed)))
    return listed[: min(starts, default=len(listed))]


def _split_sections(listed: str) -> Iterator[str]:
    parts = (" ".join(part.split()).strip("\"'“”‘’:()- ") for part in _AND.split(listed))
    named = [part for part in parts if 0 < len(split_words(part)) <= _LONGEST_NAME]
    yield from list({part.casefold(): part for part in reversed(named)}.values())[::-1][:_MOST_SECTIONS]
