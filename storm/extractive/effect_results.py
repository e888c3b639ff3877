"""Whether a sentence is a result that may name the effect of a drug: of the drug itself, not of its dose."""

from __future__ import annotations

import re
from enum import IntEnum

from storm.citations.cues import finds_no_difference, read_cues
from storm.citations.terms import read_terms
from storm.evidence.outcomes import Outcomes
from storm.evidence.sides import Side, Subject, read_stated_sides
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.mechanism_reader import names_other_drug
from storm.models import Disease


class Result(IntEnum):
    """What a sentence says of an effect."""

    NONE = 0
    DENIED = 1
    STATED = 2


#: A sentence that asks for a result and gives none.
_ASKS = re.compile(
    r"\b(?:evaluat|investigat|assess|examin|explor|stud)\w* (?:the |a )?(?:\w+ )?"
    r"(?:roles?|effects?|impact|efficacy|use)\b",
    re.I,
)
_NUMBER = r"(?<![\d.])(?:\d+|one|two|three|six|nine|twelve|eighteen)"
_TIME = rf"{_NUMBER}[ -](?:weeks?|months?|years?)"
#: Results of how much of the drug was given or found in the blood, or for how long or in which form it was given; of
#: stopping it, and of what it does not act on.
_OF_EXPOSURE = re.compile(
    r"\b(?:troughs?|exposure[- ](?:response|effect)|biosimilars?|dos(?:e|ing)[- ](?:dependent\w*|response|schedules?)|"
    r"(?:higher|lower|highest|lowest|increasing|low|high|different) (?:\w+ ){0,2}(?:concentrations?|exposures?|doses?)|"
    r"(?:concentrations?|exposures?|doses?) (?:\w+ ){0,3}(?:higher|lower|highest|lowest)|"
    r"(?:short|shorter|long|longer|brief|conventional|extended|reduced)(?: \w+){0,3} (?:courses?|durations?)|"
    r"(?:courses?|durations?) (?:of treatment|of therapy|arms?|groups?))\b|"
    r"\bresistan\w+ to\b|"
    r"\b(?:discontinuation|withdrawal|termination|cessation|stopping|non-?use|deprivation) of\b|"
    rf"\b{_TIME} of (?!follow).{{1,80}}?\b(?:and|versus|vs\.?|against|or|than|with)\b.{{1,40}}?{_TIME}\b|"
    rf"\b{_NUMBER} (?:(?:weeks|months|years?) )?(?:versus|vs\.?|against|or|than) {_TIME} of\b",
    re.I,
)
#: How common or how telling a mark is: nothing was done to it.
_OF_MARK = re.compile(r"\b(?:prevalen\w+|the share of|prognos\w+|(?:later|earlier|previous) publications)\b", re.I)
_RESISTS = re.compile(r"[- ](?:resistan|refractor)", re.I)
_ADDED_TO = re.compile(r"\b(?:add(?:ed|ition|ing|s)?\b[^.;,]{0,40} to|on top of) (?:[\w-]+ ){0,3}$", re.I)
_DENIES = re.compile(
    r"\b(?:(?:did|does|do|could|was|were) not|didn['’]t|cannot|fail(?:s|ed|ure)? to|neither|"
    r"(?:no|without)(?: \w+){0,2} "
    r"(?:benefits?|advantages?|differences?|improvements?|effects?|reductions?|associations?))\b",
    re.I,
)
#: A cancer of one organ, which is not what a question on cancer asks.
_OF_ORGAN = re.compile(
    r"\b(?:breast|prostat\w+|lung|pulmonary|colorectal|colon|rectal|bowel|gastric|stomach|pancrea\w+|ovar\w+|"
    r"endometrial|uterine|cervical|liver|hepat\w+|bladder|kidney|renal|thyroid|skin|o?esophag\w+|head and neck|brain) "
    r"(?:cancer|tumou?r|carcinoma|neoplasm)s?\b",
    re.I,
)


def read_result(text: str, names: tuple[str, ...], disease: Disease) -> Result:
    """What a sentence on the drug of these names says of the outcomes that it names."""
    if _ASKS.search(text) or _OF_EXPOSURE.search(text) or is_narrower(text, disease) or _is_of_others(text, names):
        return Result.NONE
    sides = read_stated_sides(text, Subject(names, Outcomes(disease.names, ""), has_control=True))
    if Side.FOR in sides:
        return Result.STATED
    if names_other_drug(text, names):  # which of the two it is a result of, is unclear
        return Result.DENIED if sides else Result.NONE
    return Result.DENIED if sides or denies(text) else Result.STATED


def _is_of_others(text: str, names: tuple[str, ...]) -> bool:
    """Whether a sentence is a result of another drug that was added to this one, or of what resists this one."""
    for mention in compile_name_pattern(names).finditer(text):
        if _RESISTS.match(text, mention.end()):
            return True
        added = _ADDED_TO.search(text[: mention.start()])
        if added is not None and names_other_drug(text[: added.start()], names):
            return True
    return False


def denies(text: str) -> bool:
    """Whether a sentence denies that something changed."""
    return _DENIES.search(text) is not None or finds_no_difference(read_cues(read_terms(text)))


def is_of_mark(text: str) -> bool:
    """Whether a sentence says how common or how telling a molecule is, not what it does."""
    return _OF_MARK.search(text) is not None or _OF_EXPOSURE.search(text) is not None


def is_narrower(text: str, disease: Disease) -> bool:
    """Whether a sentence is on the cancer of one organ, where the question is on cancer."""
    return _OF_ORGAN.search(text) is not None and not any(map(_OF_ORGAN.search, disease.names)) and any(
        re.search(r"\b(?:cancer|tumou?r|neoplasm|carcinoma|malignan\w+)s?\b", name, re.I) for name in disease.names
    )  # fmt: skip
