"""Reads what the "combination group" and the "monotherapy group" of a trial with two drugs received."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from storm.evidence.subjects import compile_name_pattern
from storm.syllabus.drug_names import DRUG_NAME

#: Names of both groups, wherever they stand.
COMBINATION_GROUP = re.compile(
    r"\bcombination(?:[ -](?:therapy|treatment))?[ -](?:groups?|arms?)\b(?! ?\[)"
    r"|\bcombination(?:[ -](?:therapy|treatment))?(?= (?:and|or|versus|vs\.?) monotherapy (?:groups|arms)\b)",
    re.I,
)
MONOTHERAPY_GROUP = re.compile(r"\bmonotherapy[ -](?:groups?|arms?)\b(?! ?\[)", re.I)
_LONGEST_BETWEEN = 40
_JOINS = re.compile(r"(?:,? (?:plus|combined with|in combination with|together with) (?:\w+ )?|[ -]?\+ ?)", re.I)
#: "the addition of placebin to zorvimab", "placebin added to zorvimab".
_ADDED_TO = re.compile(r" (?:(?:was )?added )?to (?:\w+ )?", re.I)
_ADDITION = re.compile(r"\b(?:addition of|adding) (?:\w+ )?$", re.I)
_FAILED = re.compile(
    r"\b(?:fail\w*|inadequate\w*|uncontrolled|insufficient\w*|known|despite|refractory|resistant|previous\w*|prior)\b"
    r"[^.;]{0,60}$",
    re.I,
)
_ALONE = re.compile(r" (?:alone|monotherapy|plus placebo|and placebo)\b", re.I)


class CombinationArms(NamedTuple):
    """What the two groups received: the drug and its partner, and one of these."""

    combination: str
    monotherapy: str


def read_combination_arms(text: str, names: Sequence[str]) -> CombinationArms | None:
    """The treatments of both groups, by a title and abstract; None unless the drug has one partner there, and it is
    said which of them was given alone."""
    drug = compile_name_pattern(tuple(names))
    spans = sorted({found.span() for pattern in (DRUG_NAME, drug) for found in pattern.finditer(text)})
    partners, alone = set(), set()
    for n, (start, end) in enumerate(spans):
        if _ALONE.match(text, end) and not _FAILED.search(text[:start]):
            alone.add(_plain_name(text[start:end], drug, names[0]))
        if n + 1 == len(spans) or spans[n + 1][0] - end > _LONGEST_BETWEEN:
            continue
        between, pair = text[end : spans[n + 1][0]], (text[start:end], text[slice(*spans[n + 1])])
        plain = [_plain_name(one, drug, names[0]) for one in pair]
        is_added = _ADDED_TO.fullmatch(between) and ("added" in between or _ADDITION.search(text[:start]))
        if names[0] in plain and plain[0] != plain[1] and (_JOINS.fullmatch(between) or is_added):
            partners.update(plain)
            alone |= {plain[1]} if is_added else set()
    if len(partners) != 2 or len(alone & partners) != 1:
        return None
    (other,) = partners - {names[0]}
    return CombinationArms(f"{names[0]} plus {other}", next(iter(alone & partners)))


def _plain_name(name: str, drug: re.Pattern[str], own: str) -> str:
    return own if drug.fullmatch(name) else name.casefold()
