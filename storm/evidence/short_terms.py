"""Short terms that a record defines, such as "postoperative delirium (POD)", in the words that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from storm.models import Hit

#: Characters of a record that are read for them, and short terms of one record.
_MOST_READ = 100_000
_MOST_TERMS = 200
#: "… the incidence of postoperative delirium (POD)": the words before a term in brackets, unless it is a point in
#: time: "after the bolus of thiopental (T1)".
_DEFINED = re.compile(r"\((?!T[0-25-9]\b)([A-Z][A-Za-z0-9-]{1,9})(?:[;,] [^()]{1,40})?\)")
_REACH = 120
_TERM = re.compile(r"(?<![\w-])[A-Z][A-Za-z0-9-]{1,9}(?![\w-])")
#: Terms that every reader of trials knows, and how many others are explained in one sentence.
_KNOWN = frozenset({
    "CI", "CIs", "HR", "HRs", "RR", "OR", "ORs", "SD", "SE", "SEM", "IQR", "ANOVA", "ITT", "LS", "RCT", "BMI", "DNA",
    "RNA", "FDA", "EMA", "HIV", "AIDS", "HbA1c", "HbA1C", "LDL", "HDL", "LDL-C", "HDL-C", "BP", "ECG", "MRI", "CT",
    "ICU", "IV", "IM", "SC", "AE", "AEs", "SAE", "SAEs", "PCR", "COPD", "WHO", "US", "USA", "UK", "EU",
})  # fmt: skip
_MOST_EXPLAINED, _LONGEST_MEANING = 2, 60
#: No term stands for words that begin with one of these: "the end of exhalation (TEF10)".
_NO_BEGINNING = frozenset((
    "the", "a", "an", "of", "to", "at", "in", "on", "and", "or", "for", "with", "that", "this", "plus", "versus", "vs",
    "than", "by", "from", "as",
))  # fmt: skip
#: What follows a term that is explained, or is the first of a pair that is: "AZL-M/CTD [azilsartan/chlorthalidone]".
_IS_EXPLAINED = re.compile(r"(?:[/+][\w-]{1,12})?(?: (?:group|arm)s?)? ?\[")


def explain_terms(text: str, hit: Hit) -> str:
    """The text with the words that its record's own short terms stand for, in square brackets behind their first
    mention; those that it explains itself or defines in two ways, and common ones, are left as they are."""
    meanings, lowered = _read_meanings(tuple(hit.list_first_texts(_MOST_READ))), text.casefold()
    explained: dict[str, re.Match[str]] = {}
    for found in _TERM.finditer(text):
        if len(meanings.get(found[0], ())) == 1 and found[0] not in _KNOWN:
            explained.setdefault(found[0], found)
    shown = [
        (found.end(), meaning)
        for term, found in explained.items()
        if (meaning := meanings[term][0]).casefold() not in lowered
        and len(meaning) <= _LONGEST_MEANING
        and not _IS_EXPLAINED.match(text, found.end())
        and text.count("[", 0, found.start()) <= text.count("]", 0, found.start())
        and not (text[: found.start()].endswith("(") and text.startswith(")", found.end()))  # "25(OH)D"
    ]
    for end, meaning in sorted(shown[:_MOST_EXPLAINED], reverse=True):
        text = f"{text[:end]} [{meaning}]{text[end:]}"
    return text


def spell_out_terms(text: str, hit: Hit) -> str:
    """The text, followed by the words that its short terms stand for in this record."""
    terms = _read_terms(tuple(hit.list_first_texts(_MOST_READ)))
    if not terms:
        return text
    meanings = dict.fromkeys(terms[found[0]] for found in _TERM.finditer(text) if found[0] in terms)
    return f"{text} {' '.join(meanings)}" if meanings else text


def _read_terms(texts: tuple[str, ...]) -> Mapping[str, str]:
    return {term: meanings[-1] for term, meanings in _read_meanings(texts).items()}


@lru_cache(maxsize=256)
def _read_meanings(texts: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """The different meanings of each short term, in the order of their definitions."""
    found: dict[str, dict[str, str]] = {}
    for term, meaning in _find_terms(texts):
        found.setdefault(term, {}).setdefault(meaning.casefold(), meaning)
    return {term: tuple(meanings.values()) for term, meanings in found.items()}


def _find_terms(texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    count = 0
    for text in texts:
        for match in _DEFINED.finditer(text):
            words = text[max(0, match.start() - _REACH) : match.start()].replace(",", "").split()
            if meaning := _find_meaning(words, match[1]):
                yield match[1], meaning
                count += 1
            if count >= _MOST_TERMS:
                return


def _find_meaning(words: list[str], term: str) -> str:
    """The last words whose initials are the letters of the term; or else the fewest that begin with its first letter
    and have the others in their order; "" if there are none."""
    singular = term.removesuffix("s") if term.removesuffix("s").isupper() else term
    letters = [letter for letter in singular.lower() if letter.isalpha()]
    initials = words[-len(letters) :]
    is_spelt = len(letters) > 1 and [word[:1].lower() for word in initials] == letters
    if is_spelt and initials[0].lower() not in _NO_BEGINNING:
        return " ".join(initials)
    for size in range(1, min(len(words), len(letters) + 2) + 1):
        last = words[-size:]
        if last[0].lower() in _NO_BEGINNING or term in last:  # no words stand for themselves
            continue
        if last[0][:1].lower() == letters[0] and _has_letters(" ".join(last).lower(), letters):
            return " ".join(last) if size > 1 or len(last[0]) > len(term) else ""
    return ""


def _has_letters(words: str, letters: list[str]) -> bool:
    rest = iter(words)
    return all(letter in rest for letter in letters)
