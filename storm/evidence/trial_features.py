"""Reads how a trial was laid out: as a crossover, and who knew which treatment was given."""

from __future__ import annotations

import re

from storm.models.design import Design

#: Designs that are laid out so.
_TRIALS = (Design.RANDOMISED, Design.NON_RANDOMISED, Design.INTERVENTIONAL, Design.PHARMACOKINETIC)
_CROSSOVER = r"(?<!case[- ])cross(?:ed)?[-‐ ]?over"
#: "a two-way crossover study", "crossover design"; "in a randomised, double-blind, crossover fashion". That patients
#: may cross over when they get worse is no design.
_IS_CROSSOVER = re.compile(
    rf"\b{_CROSSOVER}(?:[,/]? [\w-]{{1,20}}){{0,5}}?,? (?:stud(?:y|ies)|trials?|designs?|comparison|experiments?|"
    rf"fashion|manner|protocol|investigation)\b|"
    rf"\b(?:stud(?:y|ies)|trial|design) (?:was|is|had|used|followed) (?:an? |the )?(?:[\w-]{{1,20}},? ){{0,6}}"
    rf"{_CROSSOVER}\b|"
    rf"\b(?:(?:two|three|four|[234])[- ](?:way|period|arm|treatment)|randomi[sz]ed|double[- ]blind(?:ed)?|controlled),?"
    rf" {_CROSSOVER}\b",
    re.I,
)
_BLINDED = re.compile(r"\b(single|double|triple)[-‐ ]?(?:blind|mask)(?:ed|ing)?\b", re.I)
_OPEN = re.compile(r"\bopen[-‐ ]?label(?:l?ed)?\b", re.I)
#: Of other studies, or of what patients of an arm had after it.
_NOT_ITS_OWN = re.compile(
    r"\b(?:previous|prior|earlier|other|another|no|not|without|unlike|than|allowed|permitted|adjust\w*|systematic|included)"
    r"\b[^.;]{0,60}$",
    re.I,
)
#: Characters before such words that are read for that.
_BEFORE = 80


def is_crossover(design: Design, *texts: str) -> bool:
    """Whether one of the texts (title, abstract, methods) calls the study a crossover; only a trial can be one."""
    return design in _TRIALS and any(_find_own(_IS_CROSSOVER, text) for text in texts)


def read_blinding(design: Design, *texts: str) -> str:
    """ "double-blind", "open-label" …, by the first of the texts (title, abstract, methods) of a trial that says it;
    empty where that says both, as of parts that followed each other."""
    for text in texts if design in _TRIALS else ():
        blinded, is_open = _find_own(_BLINDED, text), _find_own(_OPEN, text)
        if blinded and is_open:
            return ""
        if blinded or is_open:
            return f"{blinded[1].lower()}-blind" if blinded else "open-label"
    return ""


def _find_own(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where the text says it of its own study."""
    places = ((found, text[max(0, found.start() - _BEFORE) : found.start()]) for found in pattern.finditer(text))
    return next((found for found, before in places if not _NOT_ITS_OWN.search(before)), None)
