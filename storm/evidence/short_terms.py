"""Short terms that a record defines, such as "postoperative delirium (POD)", in the words that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from storm.models import Hit

#: Characters of a record that are read for them, and short terms of one record.
_MOST_READ = 100_000
_MOST_TERMS = 200
#: "… the incidence of postoperative delirium (POD)": the words before a term in brackets.
_DEFINED = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})(?:[;,] [^()]{1,40})?\)")
_REACH = 120
_TERM = re.compile(r"(?<![\w-])[A-Z][A-Za-z0-9-]{1,9}(?![\w-])")
#: Terms that every reader of trials knows, and how many others are explained in one sentence.
_KNOWN = frozenset({
    "CI", "CIs", "HR", "HRs", "RR", "OR", "ORs", "SD", "SE", "SEM", "IQR", "ANOVA", "ITT", "LS", "RCT", "BMI", "DNA",
    "RNA", "FDA", "EMA", "HIV", "AIDS", "HbA1c", "HbA1C", "LDL", "HDL", "LDL-C", "HDL-C", "BP", "ECG", "MRI", "CT",
    "ICU", "IV", "IM", "SC", "AE", "AEs", "SAE", "SAEs", "PCR", "COPD", "WHO", "US", "USA", "UK", "EU",
})  # fmt: skip
_MOST_EXPLAINED, _LONGEST_MEANING = 2, 60


def explain_terms(text: str, hit: Hit) -> str:
    """The text with the words that its record's own short terms stand for, in square brackets behind their first
    mention; those that it explains itself, and common ones, are left as they are."""
    terms, said = _read_terms(tuple(hit.list_first_texts(_MOST_READ))), text.casefold()
    unknown = dict.fromkeys(found[0] for found in _TERM.finditer(text) if found[0] not in _KNOWN)
    meanings = {term: terms[term] for term in unknown if term in terms and terms[term].casefold() not in said}
    short = [term for term, meaning in meanings.items() if len(meaning) <= _LONGEST_MEANING]
    for term in short[:_MOST_EXPLAINED]:
        before, mention, after = text.partition(term)
        explained = before[-1:].isalnum() or after[:1].isalnum() or after.lstrip().startswith("[")
        explained |= before.endswith("(") and after.startswith(")")  # its own definition, or "25(OH)D"
        text = text if explained else f"{before}{mention} [{meanings[term]}]{after}"
    return text


def spell_out_terms(text: str, hit: Hit) -> str:
    """The text, followed by the words that its short terms stand for in this record."""
    terms = _read_terms(tuple(hit.list_first_texts(_MOST_READ)))
    if not terms:
        return text
    meanings = dict.fromkeys(terms[found[0]] for found in _TERM.finditer(text) if found[0] in terms)
    return f"{text} {' '.join(meanings)}" if meanings else text


@lru_cache(maxsize=256)
def _read_terms(texts: tuple[str, ...]) -> Mapping[str, str]:
    return dict(_find_terms(texts))


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
    """The last words of which the first one begins with the first letter of the term, and which have its letters in
    their order, each at the beginning of a word if there are as many; "" if there are none."""
    letters = [letter for letter in term.lower() if letter.isalpha()]
    for size in range(1, min(len(words), len(letters) + 2) + 1):
        last = words[-size:]
        if last[0][:1].lower() == letters[0] and _has_letters(" ".join(last).lower(), letters):
            return " ".join(last) if size > 1 or len(last[0]) > len(term) else ""
    return ""


def _has_letters(words: str, letters: list[str]) -> bool:
    rest = iter(words)
    return all(letter in rest for letter in letters)
