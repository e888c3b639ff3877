"""Recognises sentences on the effect of another drug: one added to the drug, or one compared with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.subjects import compile_name_pattern
from storm.syllabus.drug_names import DRUG_NAME

_AGAINST = re.compile(
    r"\b(?:(?:as )?compared (?:with|to)|in comparison (?:with|to)|relative to|(?:superior|inferior) to|versus|vs\.?|"
    r"than|against)\s",
    re.I,
)
#: What was added to what the others went on with: "Addition of insulin … compared with continued zorvimab".
_ADDED_TO_CONTINUED = re.compile(
    r"\b(?:addition of|adding)\b[^.;]{3,160}?\b(?:compared (?:with|to)|versus|vs\.?|than) (?:the )?"
    r"(?:continued|continuing|continuation of)\b",
    re.I,
)
#: Characters between a word of comparison and the drug that it names: "than those on metformin".
_REACH = 70


def is_of_another_drug(text: str, names: Sequence[str]) -> bool:
    """Whether the drug is in all compared arms, one of which has another drug besides, or is only the comparator."""
    mentions, others, pivots = _find_mentions(text, names)
    if not (mentions and others and pivots):
        return False
    return _is_in_all_arms(mentions, others, pivots) or _is_comparator(text, mentions, others, pivots)


def is_only_comparator(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence is on another drug that it compares with the drug, or that was added to it."""
    mentions, others, pivots = _find_mentions(text, names)
    if (added := _ADDED_TO_CONTINUED.search(text)) and mentions and mentions[0] >= added.end():
        return True
    return bool(mentions and others and pivots) and _is_comparator(text, mentions, others, pivots)


def _find_mentions(text: str, names: Sequence[str]) -> tuple[list[int], list[tuple[int, str]], list[tuple[int, int]]]:
    """Where the drug is named, where which other drugs are, and where words of comparison stand."""
    drug = compile_name_pattern(tuple(names))
    mentions = [found.start() for found in drug.finditer(text)]
    others = [(other.start(), other[0].lower()) for other in DRUG_NAME.finditer(text) if not drug.match(other[0])]
    return mentions, others, [found.span() for found in _AGAINST.finditer(text)]


def is_compared_with(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence compares something else with the drug: "lapatinib increased it relative to zorvimab"."""
    mentions, others, pivots = _find_mentions(text, names)
    return any(_stands_behind(text, at, others, end) for at in mentions for _, end in pivots)


def _is_in_all_arms(
    mentions: Sequence[int], others: Sequence[tuple[int, str]], pivots: Sequence[tuple[int, int]]
) -> bool:
    """Whether the drug stands on both sides of a comparison, and another drug on one side alone."""
    return any(
        mentions[0] < start < mentions[-1]
        and {name for at, name in others if at < start} != {name for at, name in others if at > start}
        for start, _ in pivots
    )


def _is_comparator(
    text: str, mentions: Sequence[int], others: Sequence[tuple[int, str]], pivots: Sequence[tuple[int, int]]
) -> bool:
    """Whether each mention of the drug follows a word of comparison, whose other side names another drug: what stands
    before it, or after the comma of "Compared with the drug, …"."""
    return all(any(_is_compared(text, at, others, pivot) for pivot in pivots) for at in mentions)


def _is_compared(text: str, at: int, others: Sequence[tuple[int, str]], pivot: tuple[int, int]) -> bool:
    start, end = pivot
    if not _stands_behind(text, at, others, end):
        return False
    comma = text.find(",", at)
    return any(other < start if start else 0 < comma < other for other, _ in others)


def _stands_behind(text: str, at: int, others: Sequence[tuple[int, str]], end: int) -> bool:
    """Whether what is named there is what the word of comparison before `end` compares with."""
    if not end <= at <= end + _REACH or any(end <= other < at for other, _ in others):
        return False
    between = text[end:at].lower()
    return "placebo" not in between and not any(mark in between for mark in ",;:()")
