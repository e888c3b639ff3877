"""Recognises sentences on what became of patients: outcomes, and comparisons of them."""

from __future__ import annotations

import re

#: Survival by what befell patients: "DFS was longer in patients with dose reduction".
_SURVIVAL_DIFFERS = re.compile(
    r"\b(?:[DEPR]FS|PFS and OS|OS|(?i:(?:disease|event|progression|relapse|recurrence)-free survival|"
    r"overall survival))\b"
    r"[^.;:]{0,60} (?:was|were) (?:not )?(?:\w+ly )?(?:longer|shorter|different|lower|higher|better|worse|improved|"
    r"similar)\b"
)
#: A clinical outcome together with a comparison or a test is a result, even if the sentence also names a target.
_OUTCOME = re.compile(
    r"\b(?:survival|PFS|ORR|response rates?|remissions?|relapses?|recurrences?|mortality|deaths?|pain|VAS|NRS|blood "
    r"pressure|[SD]?BP|HbA1c|A1C|symptoms?|exacerbations?|seizures?|attacks?|healing|hospitali[sz]ations?|fractures?|"
    r"cure|quality of life|success rates?|disability)\b",
    re.I,
)
#: What became of patients is no mechanism, whatever predicted it.
_OF_PATIENTS = re.compile(
    r"\b(?:clinical |significant )?benefits? (?:of|in|from|was|were|with)\b(?!.{0,200}\b(?:due to|mediated|through|"
    r"via)\b)|"
    r"\bpredictors? of (?:the )?(?:clinical )?response\b|\b(?:overall|progression-free) survival\b|"
    r"\bnon-?inferior to\b",
    re.I,
)
_COMPARED = re.compile(
    r"\bsignificantly (?:reduc|increas|improv|lower|prolong|decreas)\w*|"
    r"\b(?:compared (?:with|to)|than|versus|vs\.?|differences?|superior|inferior|respectively|(?:hazard|odds|risk) "
    r"ratio)\b|\bp\s?[<=>≤≥]\s?0?[.·]\d",
    re.I,
)


def names_outcome_of_patients(text: str) -> bool:
    """Whether a sentence names a clinical outcome, such as survival or pain."""
    return _OUTCOME.search(text) is not None


def is_compared(text: str) -> bool:
    """Whether a sentence compares, or tests a difference."""
    return _COMPARED.search(text) is not None


def is_of_patients(text: str) -> bool:
    """Whether a sentence is on the benefit, the response or the survival of patients, whatever it depended on."""
    return _OF_PATIENTS.search(text) is not None


def compares_survival(text: str) -> bool:
    """Whether a sentence compares survival."""
    return _SURVIVAL_DIFFERS.search(text) is not None
