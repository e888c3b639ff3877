"""Finds the number under which a full text says that its own trial is registered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.models import Section, SectionKind, find_trials

#: What a sentence with the number of the article's own trial says; other numbers are those of trials that it cites.
_IS_OWN = re.compile(
    r"\b(?:this|our|the (?:present|current)) (?:[\w-]+ ){0,4}(?:study|trial|protocol|research)\b|"
    r"\b(?:study|trial|protocol) (?:was|is|has been)\b|\b(?:was|is|been) (?:\w+ ){0,3}registered\b|"
    r"\b(?:clinical )?trials? (?:registration|reg\.|information|registry)|\bregistration (?:number|no\b)",
    re.I,
)
#: A study that is named, as those of others are, and sections on other things.
_IS_NAMED = re.compile(
    r"\b(?:which|that) (?:was|is|were) |\beach\b|\b[A-Z][\w-]{0,12}[A-Z][\w-]{0,12} (?:study|trial)\b|"
    r"[a-z] the [A-Z]\w{1,20} (?:study|trial)\b"
)
#: A number behind the article's own trial: "This … trial (NCT00335699)".
_IS_THIS = re.compile(r"\bthis [^.;()]{0,120}\b(?:trial|study) \((?:ClinicalTrials\.gov[,:]? )?NCT\d{8}\)", re.I)
_ELSEWHERE = re.compile(r"\b(?:references|competing|conflicts?|disclosures?|acknowledge?ments?)\b", re.I)
_IS_REGISTERED = re.compile(r"\bregist|\breg\. ?no|\bidentifier\b|\bclinical trial information\b", re.I)
_OF_OTHERS = re.compile(
    r"\b(?:ongoing|underway|another|previous\w*|earlier|other|these (?:studies|trials)|e\.g\.|such as|include)\b", re.I
)
#: Where it stands, and characters of such a section that are read; a trial may be in two registries.
_PLACES = (SectionKind.METHODS, SectionKind.BACK_MATTER)
_MOST_READ, _NUMBERS_OF_ONE = 20_000, 2
_SENTENCE = re.compile(r"(?<=[.;!?])(?<!\bno\.)(?<!\bNo\.)\s+(?=[A-Z(])|\n")


def find_registration(sections: Sequence[Section]) -> tuple[str, ...]:
    """The numbers of the first sentence of the methods or the back matter that says where the trial is registered;
    empty if it has more than those of one trial."""
    own = (one for one in sections if one.kind in _PLACES and not _ELSEWHERE.search(one.label))
    texts = (f"{one.label}: {one.text[:_MOST_READ]}" for one in own)
    for sentence in (part for text in texts for part in _SENTENCE.split(text)):
        if (numbers := find_trials(sentence)) and _is_registration(sentence):
            return numbers if len(numbers) <= _NUMBERS_OF_ONE else ()
    return ()


def _is_registration(sentence: str) -> bool:
    if _IS_THIS.search(sentence):
        return True
    is_own = _IS_OWN.search(sentence) and _IS_REGISTERED.search(sentence)
    return bool(is_own) and not (_OF_OTHERS.search(sentence) or _IS_NAMED.search(sentence))
