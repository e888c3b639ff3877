"""What a sentence excepts: "A, but not B, reduced it", "unlike B, A reduced it", "A reduced it, whereas B did not"."""

from __future__ import annotations

import re
from typing import NamedTuple

from storm.citations.comparisons import Words, side_words
from storm.citations.terms import read_terms

_WHO = r"(?P<who>[^,.;:()]{2,80}?)"
_FORMS = (
    re.compile(rf",? but not {_WHO}(?:,|(?=[.;]|\s\(|$))", re.IGNORECASE),
    re.compile(
        rf"(?:^|,? )(?:unlike|in contrast (?:to|with)|as opposed to) {_WHO}(?:,|(?=[.;]|\s\(|$))", re.IGNORECASE
    ),
    re.compile(rf",? (?:whereas|while|but) {_WHO} did not(?: do so| have this effect)?(?=\W*$)", re.IGNORECASE),
)
#: "A, but not B, reduced it".
_SUBJECTS = re.compile(r"^(?P<one>[^,.;]{2,80}), but not (?P<who>[^,.;]{2,80}), (?P<rest>.{2,2000})$", re.DOTALL)
_P_VALUE = re.compile(r"\(p\s?[=<≤][^()]{1,20}\)", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|no|never|neither|nor|cannot|without)\b", re.IGNORECASE)


class _Excepted(NamedTuple):
    """A sentence without what it excepts, and the words of that."""

    rest: str
    words: Words


def align_exceptions(statement: str, quote: str) -> tuple[str, str]:
    """Both without what the quote excepts, where the statement excepts the same or does not speak of it; where the
    statement denies it of the excepted, the quote as that denial. Otherwise both as they are."""
    theirs, ours = _split_exception(quote), _split_exception(statement)
    if not theirs.words:
        return statement, quote
    if ours.words and ours.words <= theirs.words | _words(theirs.rest):
        is_same = bool(ours.words & theirs.words) and not _words(ours.rest) & theirs.words
        return (ours.rest, theirs.rest) if is_same else (statement, quote)
    said, denies = _words(statement), bool(_DENIES.search(statement))
    if not said & theirs.words and not denies:
        return statement, theirs.rest
    subjects = _SUBJECTS.match(quote)
    if denies and subjects and said & theirs.words and not said & _words(subjects["one"]):
        return statement, f"{subjects['who']} did not {_P_VALUE.sub('', subjects['rest'])}"
    return statement, quote


def _split_exception(text: str) -> _Excepted:
    for form in _FORMS:
        if match := form.search(text):
            rest = f"{text[: match.start()]} {text[match.end() :]}".strip()
            return _Excepted(rest, _words(match["who"]) - _words(rest))
    return _Excepted(text, frozenset())


def _words(text: str) -> Words:
    return side_words(read_terms(text))
