"""Recognises sections of results on who took part in a study, and on what they took before and besides."""

from __future__ import annotations

import re

from storm.evidence.clinical_outcomes import is_compared

_WHO = r"(?:patients?|participants?|subjects?|study population|sample)"
#: Headings on who took part, and for how long they took the drug.
_OF_PARTICIPANTS = re.compile(
    r"(?:^|: )(?:(?:\w+ )?(?:compliance|adherence)|"
    r"(?:base-?line(?: (?:data|values|comparisons?))?|(?:\w+ )?demographics?|demographic data|general data|"
    r"participants? flow)"
    r"(?: (?:and|of|analysis) ?[\w ]{0,40})?|"
    rf"(?:[\w-]+ ){{0,2}}(?:baseline|demographic|{_WHO})[’'s]{{0,2}} (?:\w+ ){{0,2}}characteristics"
    r"(?: of [\w ]{1,40})?|"
    rf"(?:characteristics|flow|disposition) of (?:the )?{_WHO}|{_WHO} disposition|recruitment|enrol?lment|"
    rf"(?:the |study )?{_WHO})$",
    re.I,
)
#: Headings on what they took.
_OF_MEDICATION = re.compile(
    r"(?:^|: )(?:treatment patterns|(?:treatment patterns and )?(?:prior|previous|concomitant) "
    r"(?:medications?|treatments?|therap(?:y|ies)))$",
    re.I,
)


def is_on_participants(heading: str, sentence: str) -> bool:
    """Whether a sentence of a section of results is on who took part, or on other drugs and compares no groups."""
    is_on_medication = _OF_MEDICATION.search(heading) and not is_compared(sentence)
    return bool(_OF_PARTICIPANTS.search(heading) or is_on_medication)
