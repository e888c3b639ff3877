"""Words for the people whom sentences count, and the same sentences with their numbers as digits."""

from __future__ import annotations

import re

from storm.citations.numbers import find_numbers, flatten_text

#: Characters read of a sentence.
_SENTENCE = 500
WHO = (
    r"(?:patients?|participants?|subjects?|volunteers?|women|men|children|adults?|individuals?|infants?|neonates?|"
    r"adolescents?|persons?|people|outpatients?|inpatients?|girls|boys|males?|females?|students|cases|eyes|pregnancies|"
    r"mothers|parturients|residents|employees|smokers|users|mice|rats?|horses|dogs|cats|rabbits|pigs|sheep|goats|"
    r"monkeys|animals)"
    r"(?![ -](?:years?|months?|days?)\b)"
)
#: Words between a number and the people that it counts.
LIKE = r"(?:type [12] |(?!with\b|who\b|and\b|of\b|to\b|in\b|were\b|had\b|for\b|at\b)[a-z][\w/'-]*[ ,]+){0,5}"
#: Thousands that stand apart: "3 214 patients", not "at week 12 345 patients".
_THOUSANDS = re.compile(
    rf"(?<![\d.,±=<>-])(?<!week )(?<!weeks )(?<!day )(?<!month )(?<!year )(?<!group )(?<!phase )(?<!stage )(?<!type )"
    rf"(?<!grade )(?<!study )(?<!trial )(?<!arm )\b(\d{{1,3}}) (\d{{3}})(?= {LIKE}{WHO}\b)"
)
#: "the two arms": the reader of numbers leaves this "two" as a word.
_THE_TWO = re.compile(r"(?<=\bthe )two(?= (?:arms|groups|cohorts)\b)")
#: Screened people before the number of participants: "of 440 patients screened, 366 were randomised".
_SCREENING = r"(?:screened|assessed for eligibility)"
_TAKEN_IN = (
    r"(?:(\d{1,6}) (?=(?:\([^()]{1,20}\) )?(?:were|met)\b(?![^.;\d]*\b(?:not|never|exclu\w+|before)\b)[^.;\d]{0,60}"
    r"\b(?:randomi|randomly\b|enrol|assigned\b|allocated\b|included\b))"
    # Nobody is counted where a second number is that of another arm, or of those who were randomised after a run-in.
    r"(?!.*\b\d{1,6} (?:\([^()]{1,20}\) )?(?:were )?(?:randomi|randomly\b|assigned\b|allocated\b|to\b)))?"
)
#: Behind a mere comma, those who were taken in have to follow: "1171 were screened, 891 patients were randomised".
_TAKEN_IN_FOLLOW = (
    r"(?= \d{1,6} (?:[\w-]+ ){0,3}(?:\([^()]{1,20}\) )?(?:were|met)\b[^.;\d]{0,60}"
    r"\b(?:random|enrol|assign|allocat|includ|exclu))"
)
_SCREENED = re.compile(
    rf"(?<![\d.,])\d{{1,6}} {LIKE}({WHO}) were {_SCREENING}\b[^,;.\d]{{0,40}}"
    rf"(?:,?(?: and| of whom| of which)|[,;]{_TAKEN_IN_FOLLOW}) (?=\d){_TAKEN_IN}|"
    rf"\b(?:of|from)(?: the| a total of)? \d+ {LIKE}({WHO})(?: who were| were)? {_SCREENING}[^,;]{{0,40}}, {_TAKEN_IN}"
)


def write_counts_as_digits(sentence: str) -> str:
    """The sentence in lower case with its numbers as digits: "one hundred and four" becomes 104, "3 214" 3214."""
    flat = _THOUSANDS.sub(r"\1\2", flatten_text(sentence[:_SENTENCE]))
    pieces, end = [], 0
    for number in find_numbers(flat):
        pieces += [flat[end : number.start], number.token]
        end = number.end
    return _SCREENED.sub(_write_taken_in, _THE_TWO.sub("2", "".join((*pieces, flat[end:]))))


def _write_taken_in(screened: re.Match[str]) -> str:
    """The people who were taken in, in place of those who were screened before."""
    people, number = screened[1] or screened[3], screened[2] or screened[4]
    return f"{number} {people} " if number else ""
