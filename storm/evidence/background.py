"""Tells whether a quote of a study's report says what was known before or elsewhere, and not what the study found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.evidence.design import design_of
from storm.evidence.passages import Passage, read_passages
from storm.evidence.sentence_kinds import SentenceKind, is_borrowed, kind_of
from storm.models import Hit, SectionKind
from storm.models.design import Design

#: Designs without participants of their own: what they say is not set beside numbers of a study.
_NO_STUDIES = (Design.NO_STUDY, Design.REVIEW, Design.META_ANALYSIS, Design.GUIDELINE, Design.EDITORIAL)
_POOLING = (Design.SECONDARY, Design.META_ANALYSIS)
_DISCUSSING = (SectionKind.INTRODUCTION, SectionKind.DISCUSSION)
_OWN = re.compile(
    r"(?i)\b(?:we|our|ours|this|these|present|current) (?!drug|agent|medic|effect|mechanism|class)(?:[\w-]+ ){0,2}"
    r"(?:stud(?:y|ies)|trials?|analys[ei]s|results?|findings?|data|patients|participants|subjects|cohort|work|report|"
    r"investigation|experiments?|population|sample)\b|\b(?:we|our)\b|\bthe observed\b|"
    r"\b(?:groups?|arms?|recipients|end-?points?|baseline|randomi[sz]\w+)\b"
)
_POOLED = re.compile(r"(?i)\b(?:combined|pooled) analys[ei]s|\bmeta-?analys[ei]s")
_OF_OTHER_WORK = re.compile(
    r"(?i)\b(?:previous|prior|earlier|another|other|several|recent)(?: [\w-]+){0,3} (?:stud(?:y|ies)|trials?|reports?|"
    r"investigators?|authors)\b|\bet al\b"
)
_GOES_ON = re.compile(r"(?i)\b(?:also|moreover|similarly|likewise|furthermore|in addition|additionally)\b")
#: The first verb, of what is so in general or of what happened.
_GENERALLY = (
    r"(?:is|are|has|have|can|belongs?|acts?|works?|binds?|inhibits?|blocks?|suppress(?:es)?|prevents?|exerts?|"
    r"undergoes|undergo|consists?|represents?|possess(?:es)?|stimulates?|activates?|causes?|reduces?|increases?|"
    r"decreases?|improves?)"
)
_FIRST_VERB = re.compile(
    rf"(?i)\b(?:(?P<general>{_GENERALLY})|was|were|did|had|showed|showing|gave|led|fell|rose|[a-z]{{3,}}ed)\b"
)
#: A judgement on the drug may be the conclusion of the study.
_CONCLUDES = re.compile(
    r"(?i)^(?:thus|therefore|hence|overall|in conclusion|in summary|taken together|collectively|finally)\b|"
    r"\b(?:effective|ineffective|efficacious|safe|tolerated|superior|inferior|better|worse|useful|beneficial|"
    r"comparable|equivalent|similar)\b|\bno (?:\w+ ){0,2}differences?\b|\bp ?[<=>≤≥] ?0?[.·]\d|\d ?%"
)
#: What the drug is, which no trial finds.
_DEFINES = re.compile(
    r"(?i)\b(?:is|are) (?:an? |the |one of the )?(?:[\w/-]+,? ){0,8}(?:agonists?|antagonists?|inhibitors?|blockers?|"
    r"modulators?|antibod(?:y|ies)|analog(?:ue)?s?|derivatives?|pro-?drugs?|agents?|drugs?|hormones?|antibiotics?|"
    r"steroids?|opioids?|peptides?)\b"
)
_FIGURE = re.compile(r"(?i)\bp ?[<=>≤≥] ?0?[.·]\d|\d ?%|\d[.·]\d|±")


def is_background(quote: str, hit: Hit) -> bool:
    """Whether a quote from an introduction or a discussion of a study's report is not of that study."""
    design = design_of(hit)
    if design in _NO_STUDIES:
        return False
    return any(_is_of_elsewhere(passage, before, design) for passage, before in _find_passages(quote, hit))


def _find_passages(quote: str, hit: Hit) -> Iterator[tuple[Passage, str]]:
    """The sentences of such sections that stand in the quote, each with the sentence before it."""
    before = ""
    for passage in read_passages(hit):
        if passage.section.role in _DISCUSSING and (passage.text in quote or quote in passage.text):
            yield passage, before
        before = passage.text


def _is_of_elsewhere(passage: Passage, before: str, design: Design) -> bool:
    text, role = passage.shown, passage.section.role
    if _POOLED.search(text) and design not in _POOLING:
        return True
    if _OWN.search(text):
        return False
    if role is SectionKind.INTRODUCTION or is_borrowed(passage, role):
        return True
    if kind_of(passage, role) is SentenceKind.SECOND_HAND:
        return True
    if _GOES_ON.search(text) and _OF_OTHER_WORK.search(before):
        return True
    verb = _FIRST_VERB.search(text)
    if not (verb and verb["general"]):
        return False
    return not _CONCLUDES.search(text) or bool(_DEFINES.match(text, verb.start()) and not _FIGURE.search(text))
