"""Recognizes sentences that judge a drug, or set the study beside others, without a result of it; how they name the
authors of other works."""

from __future__ import annotations

import re

_JUDGED = r"(?:safer?|effective|healthy|superior|better|useful|good|reasonable|suitable|valuable|viable|attractive)"
_VERDICT = re.compile(
    rf"\b(?:confirms?|proves?) that [\w -]{{1,60}} (?:is|are) (?:an? )?{_JUDGED}\b|"
    rf"\b(?:is|are|be) (?:an? )?(?:\w+ )?{_JUDGED}(?:,? (?:and|but) [\w-]+)? (?:alternative|option|choice)\b|"
    r"\bwe (?:therefore |thus |also )?(?:consider|regard|prefer)(?:ed)? [\w -]{1,60} (?:as|to be) "
    r"(?:an? |the )?(?:most |more )?(?:appropriate|suitable|preferable|useful|effective|safe)\b|"
    r"\b(?:compared (?:to|with)|than (?:those )?in) (?:some|other|previous|earlier|most|many) (?:\w+ )?"
    r"(?:studies|trials|reports)\b|\b(?:is|would be|are) premature\b",
    re.I,
)
#: Values of this study set beside those of another: "shorter in our study than in the previous study".
_BESIDE_ANOTHER = re.compile(
    r"\bthan (?:that |those )?(?:reported|found|seen|observed|described) in (?:the |a )?(?:previous|earlier|"
    r"other|prior)\b|"
    r"\bin (?:our|this|the present) (?:study|trial|series) (?:compared (?:to|with)|than) (?:(?:in|that of|those of) )?"
    r"(?:the |a |some |most )?(?:previous|earlier|other)\b",
    re.I,
)
#: Whose reports are not those of other authors.
_OWN_SPEAKERS = (
    "We|It|This|They|Authors|Investigators|Researchers|Reviewers|Physicians|Clinicians|Patients|Participants|"
    "Respondents|Subjects|Volunteers|Women|Men|Mothers|Parents|Children|Caregivers"
)
#: Other authors, with what they did, or with what they said at the beginning of a sentence: "Goh has highlighted that".
OTHER_AUTHORS = (
    r"\bet al\b|\band (?:colleagues|associates|co-?workers)\b|"
    rf"^(?!(?:{_OWN_SPEAKERS}) )(?-i:[A-Z])[a-z]{{2,14}} (?:and (?-i:[A-Z])[a-z]{{2,14}} )?"
    r"(?:(?:also|has|have|had) ){0,2}(?:claimed|concluded|declared|discovered|highlighted|reported|stated)"
    r"(?: [\w-]+){0,2} that\b"
)
#: A value by which the result can be checked.
_VALUE = re.compile(r"\d\s?%|\bp ?[=<>≤≥]|\d[.·]\d|\d/\d|\bn ?= ?\d", re.I)
#: A part of the patients, what compares them, and a test of the difference.
_SUBGROUP = re.compile(r"\bin (?:the|this|our) (?:present |current |\w+ )?sub-?groups?\b", re.I)
_COMPARES = re.compile(r"\b(?:than|compared|versus|vs)\b", re.I)
_TESTED = re.compile(r"\bp ?[=<>≤≥]|\bCI\b|\bsignifican|\binteraction\b", re.I)


def is_verdict(text: str) -> bool:
    """Whether a sentence of a discussion is the authors' judgement, and has no value by which it can be checked; or
    compares a part of the patients without a test."""
    judged = _VERDICT.search(text) and not _VALUE.search(text)
    untested = _SUBGROUP.search(text) and _COMPARES.search(text) and not _TESTED.search(text)
    return bool(judged or untested or _BESIDE_ANOTHER.search(text))
