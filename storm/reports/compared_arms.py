"""Reads what a sentence compares the drug with, in its own words, where these are treatments and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from storm.evidence.subjects import compile_name_pattern
from storm.syllabus.drug_names import DRUG_NAME

#: What stands between the drug and what it was compared with, with the words that lead to the name of that.
_PIVOT = re.compile(
    r"\b(?:(?:as )?compared (?:with|to)|than|versus|vs\.?|relative to|over)"
    r"(?: (?:that|those|in|with|of|on|for|given|receiving|the)\b){0,4} "
)
#: Both arms by name: "in the zorvimab group and in the docetaxel group"; {name} is the drug.
SIDES = (
    r"(?:in|with|for) (?:the )?{name}(?: groups?| arms?)?,? (?:and|versus|vs\.?) "
    r"(?:in|with|for) (?:the )?([\w+ -]{{3,60}}?) (?:group|arm)"
)
#: Words that stand for a treatment beside the names of drugs, or describe one.
_TREATMENT = re.compile(
    r"(?:placebo|no|best|supportive|standard|standard-of-care|usual|conventional|of|care|SOC|alone|monotherapy|"
    r"therapy|another-drug(?:-platinum)?|treatment|[\w-]*chemotherapy|[\w-]*radiotherapy|platinum|platinum-based|"
    r"doublet|adjuvant|concurrent|observation|surgery|and|plus|\+|sham|vehicle|controls?|non-?users?|non-?exposed|"
    r"sul(?:f|ph)onylureas?|androgen|deprivation)",
    re.I,
)
_WORD = re.compile(r"[\w+-]+")
#: Where what it was compared with ends.
_END = re.compile(r" (?:groups?|arms?|recipients|patients)\b|[,.;:(]|$")
_CONNECTIVES = ("and", "plus", "+", "of")
#: Words that name no treatment by themselves.
_VAGUE = frozenset(
    ("therapy", "treatment", "adjuvant", "concurrent", "alone", "monotherapy", "no", "best", "of", "the-drug")
)
_AND_PLACEBO = re.compile(r"\band placebo\b|\bplacebo and\b", re.I)


class ComparedArm(NamedTuple):
    """The treatment that the drug was compared with, and whether it is another drug."""

    treatment: str
    is_drug: bool


def read_compared_arm(sentence: str, names: Sequence[str]) -> ComparedArm | None:
    """What stands behind the only word of comparison, or in the other of two groups; None if the drug does not stand
    before it, or another drug does that is not behind it, too."""
    drug = compile_name_pattern(tuple(names))
    parts = _divide_arms(sentence, drug)
    if parts is None:
        return None
    before, treatment = parts
    tried, held_against = _name_drugs(before, drug), _name_drugs(treatment, drug)
    if not drug.search(before) or not tried <= held_against or not _is_treatment(treatment, drug):
        return None
    if not drug.search(treatment) and _is_tried(treatment, before):
        return None
    return ComparedArm(treatment, bool(held_against - tried) and "placebo" not in treatment.lower())


def _divide_arms(sentence: str, drug: re.Pattern[str]) -> tuple[str, str] | None:
    """What stands before the comparison, and the treatment behind it."""
    pivots = list(_PIVOT.finditer(sentence))
    if not pivots and (sides := re.search(SIDES.format(name=f"(?:{drug.pattern})"), sentence, re.I)):
        return sentence[: sides.start(1)], sides[1]
    if len(pivots) != 1:
        return None
    after = sentence[pivots[0].end() :]
    end = _END.search(after)
    return sentence[: pivots[0].start()], after[: end.start() if end else None].strip()


def _is_tried(treatment: str, before: str) -> bool:
    """Whether "no surgery" is held against surgery, and not against the drug."""
    absent = treatment.lower().removeprefix("no ")
    return absent != treatment.lower() and absent in before.lower()


def _name_drugs(text: str, drug: re.Pattern[str]) -> set[str]:
    return {found[0].lower() for found in DRUG_NAME.finditer(text) if not drug.fullmatch(found[0])}


def _is_treatment(text: str, drug: re.Pattern[str]) -> bool:
    """Whether all words stand for one treatment, and one of them names it; the drug's own name counts after "no"."""
    words = _WORD.findall(DRUG_NAME.sub("another-drug", drug.sub("the-drug", text)))
    if not words or words[0].lower() in _CONNECTIVES or words[-1].lower() in _CONNECTIVES or _AND_PLACEBO.search(text):
        return False
    is_without = words[0].lower() == "no"
    if not is_without and all(word.lower() in _VAGUE for word in words):
        return False
    return all((is_without and word == "the-drug") or _TREATMENT.fullmatch(word) for word in words)
