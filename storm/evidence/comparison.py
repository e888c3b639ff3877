"""Recognizes sentences that compare one drug with another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from storm.evidence.subjects import compile_name_pattern
from storm.syllabus.drug_names import DRUG_NAME

_AS_AS = r"as (?:well|effective|good|safe|much) as"
#: Words between the two sides of a comparison.
_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison (?:with|to)|relative to|(?:superior|inferior|equivalent|"
    rf"comparable|similar|identical) to|{_AS_AS}|similar (?:with|between)|"
    r"between|superiority of (?:\w+ ){1,5}to)\b",
    re.I,
)
_COMPARES = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison|relative to|superior\w*|inferior\w*|similar\w*|"
    rf"comparabl[ey]|equivalen\w+|identical\w*|differ(?:ed|s|ent|ently|ence|ences)?|{_AS_AS}|equally|whereas|only)\b",
    re.I,
)
_INACTIVE = re.compile(r"\b(?:placebo|control|saline|untreated|no treatment|sham|vehicle)\b", re.I)
#: The start of another statement within a sentence, and characters read after a word of comparison.
_CLAUSE = re.compile(r"; |, (?:and|but|whereas|while|although)\b")
_REACH = 60


def compares_drugs(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence compares the drug with another drug, and not just names both together."""
    drug = compile_name_pattern(tuple(names))
    own = drug.search(text)
    if not own or not _COMPARES.search(text) or _INACTIVE.search(text):
        return False
    others = [other for other in DRUG_NAME.finditer(text) if not drug.match(text, other.start())]
    if _is_added(others):
        return False
    return bool(others) and any(_is_between(against, text, drug, others) for against in _AGAINST.finditer(text))


def _is_added(others: Sequence[re.Match[str]]) -> bool:
    """Whether both sides received each other drug, so that this drug was an add-on: each is named twice."""
    named = Counter(other[0].lower().removesuffix("s") for other in others)
    return bool(named) and min(named.values()) > 1


def _is_between(against: re.Match[str], text: str, drug: re.Pattern[str], others: Sequence[re.Match[str]]) -> bool:
    """Whether the drug is on one side of a word of comparison, and another drug on the other side."""
    after = text[against.end() : against.end() + _REACH]
    clause = max((end.end() for end in _CLAUSE.finditer(text, 0, against.start())), default=0)
    if (not clause and against.start() <= 2) or against[0].lower().endswith("between"):
        return bool(drug.search(after) and others) or any(_starts_within(o, against.end(), _REACH) for o in others)
    if own := drug.search(text, against.end(), against.end() + _REACH):
        nearer = any(against.end() <= other.start() < own.start() for other in others)
        return not nearer and any(clause <= other.start() < against.start() for other in others)
    named = drug.search(text, clause, against.start())
    return named is not None and any(_starts_within(other, against.end(), _REACH) for other in others)


def _starts_within(other: re.Match[str], start: int, reach: int) -> bool:
    return start <= other.start() < start + reach
