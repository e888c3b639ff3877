"""Joins a sentence that depends on the one before it, such as "They also …", with that one; and a death with its
cause."""

from __future__ import annotations

import re

from storm.citations.markers import strip_marks
from storm.evidence.passages import Passage
from storm.syllabus.drug_names import DRUG_NAME

#: How a sentence begins that adds to the one before it, or is set against it.
_DEPENDS = re.compile(
    r"(?:however|moreover|furthermore|additionally|in addition|also|similarly|likewise|conversely|"
    r"(?:in|by) contrast)\b(?! to\b| of\b)|(?!not only\b)[^,.;:()]{1,60}? also\b",
    re.I,
)
#: Harms besides those that the sentence before has told.
_OTHER_HARMS = re.compile(
    r"\b(?:all|any|the) other (?:adverse (?:events?|effects?|reactions?)|side[- ]effects?|complications?)\b", re.I
)
#: What begins with another treatment than the values of the sentence before are of: "Zorvimab also lowered …".
_ALSO = re.compile(r"(?!also\b)[^,.;:()]{1,60}? also\b", re.I)
_GROUP = re.compile(r"\b(?:group|arm|cohort)s?\b", re.I)
#: Whether a death was the drug's doing, said of the patient or the event of the sentence before.
_CAUSE = re.compile(
    r"(?:(?:however|but),? )?(?:this|these|the|it|both|all|none|neither|no|he|she|they|one)\b[^.]{0,240}"
    r"(?:(?<![\w-])(?:un)?related to\b|\b(?:be|was|were|considered|deemed|judged|not|as|possibly|probably) (?:\w+-)?"
    r"(?:un)?related\b(?! (?:adverse|serious|events?|quality|side))|\b(?:attributed|attributable|due to|caused by)\b)",
    re.I,
)
#: How a sentence begins that limits the one before it.
_LIMITS = re.compile(
    r"(?:however|but|yet|nevertheless|nonetheless|conversely|(?:in|by) contrast(?! to\b)|on the other hand)\b,? ", re.I
)
#: What says that there was no harm, or that all treatments worked; and what follows if they differed.
_REASSURES = re.compile(
    r"\bwell[- ]tolerated\b|\bno (?:\w+ ){0,3}(?:safety (?:issues?|concerns?|signals?)|adverse (?:events?|effects?))\b|"
    r"\b(?:adverse events?|side[- ]effects?)\b[^.;]{0,80}\b(?:similar|comparable|did not differ|"
    r"no (?:\w+ )?difference)\b",
    re.I,
)
_ALL_WORKED = re.compile(
    r"^(?:both|all (?:three|four|treatments?|groups|arms|drugs|doses))\b[^.;]{0,120}\b(?:effective|improved|reduced|"
    r"decreased|"
    r"(?:improvement|reduction|decrease)s?)\b",
    re.I,
)
_TELLS_HARM = re.compile(
    r"\b(?:more|higher|greater|increased)\b(?:[^.;]|\.\d){0,120}\b(?:than|compared|versus|vs)\b|"
    r"\bcompared (?:with|to)\b(?:[^.;]|\.\d){0,60}\b(?:more|higher|greater|increased)\b|"
    r"\d ?%(?:[^.;]|\.\d){0,80}\b(?:versus|vs|and|compared)\b(?:[^.;]|\.\d){0,40}\d ?%",
    re.I,
)
_HARM = re.compile(
    r"\badverse|side[- ]effect|gastrointestinal symptoms|nausea|vomit|diarrh|headache|dizz|bleed|rash|hypotens|"
    r"bradycard|"
    r"hypogly|sedat|edema|oedema",
    re.I,
)
_DIFFERED = re.compile(
    r"\b(?:significantly|superior|greater|better|more|less|higher|lower)\b(?:[^.;]|\.\d){0,120}\b(?:than|compared|versus|vs)\b",
    re.I,
)
#: What says that a result is of a part of the participants, and what says itself of whom it is.
_OF_SUBGROUP = re.compile(
    r"\bsub-?group (?:of\b|(?-i:[A-Z])\b)|\b(?:patients|participants|subjects|adults|women|men|those|people) "
    r"(?:who were )?aged\b|[≥⩾>] ?\d\d years\b|\b\d\d years(?: of age)? (?:or|and) (?:older|over|above)\b",
    re.I,
)
_OF_WHOM = re.compile(
    rf"{_OF_SUBGROUP.pattern}|\b(?:overall|all|total|whole|entire|younger|older|elderly)\b|"
    r"\b(?:in|among|for) (?:the )?(?:\w+ )?(?:patients|participants|subjects|adults|women|men|those|people|"
    r"population)\b",
    re.I,
)
_VALUE = re.compile(r"\d ?%|\bp ?[<=>≤]|\d\.\d", re.I)
#: The most that may stand between two sentences of one paragraph.
_GAP = 3


def depends_on_previous(sentence: str) -> bool:
    """Whether the sentence begins as an addition or a contrast to what was said before."""
    return bool(_DEPENDS.match(sentence) or _OTHER_HARMS.search(sentence))


def is_on_another(before: str, sentence: str) -> bool:
    """Whether a sentence says of a drug that it "also" did what the one before gives values of, without the name of
    their drug or group: they may be another's."""
    is_named = DRUG_NAME.search(before) or _GROUP.search(before)
    return bool(_ALSO.match(sentence) and _VALUE.search(before) and not is_named)


def continues_subgroup(before: str, sentence: str) -> bool:
    """Whether a sentence with values goes on from one on a part of the participants, and does not say of whom it is."""
    return bool(_VALUE.search(sentence) and not _OF_WHOM.search(sentence) and _OF_SUBGROUP.search(before))


def states_cause(sentence: str) -> bool:
    """Whether the sentence says of what stands before it whether it was related to a treatment, or what caused it."""
    return _CAUSE.match(sentence) is not None


def is_limited_by(sentence: str, following: str) -> bool:
    """Whether the next sentence sets something against this one, which is misleading alone: it begins with "However",
    tells of a harm after an assurance, or of a difference after "both were effective"."""
    if _LIMITS.match(following):
        return True
    if _REASSURES.search(sentence) and _HARM.search(following) and _TELLS_HARM.search(following):
        return True
    return bool(_ALL_WORKED.search(sentence) and _DIFFERED.search(following))


def join_passages(first: Passage, second: Passage) -> Passage | None:
    """Both sentences as one passage, verbatim, if the second directly follows the first in their section."""
    if first.section is not second.section or second.section.rows:
        return None
    text = second.section.text
    start = text.find(first.text)
    end = text.find(second.text, start + len(first.text)) if start >= 0 else -1
    between = text[start + len(first.text) : end] if end >= 0 else "\n"
    if between.strip() or "\n" in between or len(between) > _GAP:
        return None
    joined = text[start : end + len(second.text)]
    return Passage(joined, strip_marks(joined), second.section, first.is_cited or second.is_cited)
