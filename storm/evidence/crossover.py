"""Tells whether a study is a crossover, in which each participant gets the treatments one after another."""

from __future__ import annotations

import re

from storm.models.design import Design

#: Designs that may be a crossover.
_TRIALS = (Design.RANDOMISED, Design.NON_RANDOMISED, Design.INTERVENTIONAL, Design.PHARMACOKINETIC)
_CROSSOVER = r"(?<!case[- ])cross(?:ed)?[-‐ ]?over"
#: "a two-way crossover study", "crossover design"; "in a randomised, double-blind, crossover fashion". That patients
#: may cross over when they get worse is no design.
_DESIGN = re.compile(
    rf"\b{_CROSSOVER}(?:[,/]? [\w-]{{1,20}}){{0,5}}?,? (?:stud(?:y|ies)|trials?|designs?|comparison|experiments?|"
    rf"fashion|manner|protocol|investigation)\b|"
    rf"\b(?:stud(?:y|ies)|trial|design) (?:was|is|had|used|followed) (?:an? |the )?(?:[\w-]{{1,20}},? ){{0,6}}"
    rf"{_CROSSOVER}\b|"
    rf"\b(?:(?:two|three|four|[234])[- ](?:way|period|arm|treatment)|randomi[sz]ed|double[- ]blind(?:ed)?|controlled),?"
    rf" {_CROSSOVER}\b",
    re.I,
)
#: Of other studies, or of what patients of an arm had after it.
_NOT_ITS_OWN = re.compile(
    r"\b(?:previous|prior|earlier|other|another|no|not|without|unlike|than|allowed|permitted|adjust\w*|systematic|included)"
    r"\b[^.;]{0,60}$",
    re.I,
)
#: Characters before such words that are read for that.
_BEFORE = 80


def is_crossover(design: Design, title: str, abstract: str, methods: str) -> bool:
    """Whether title, abstract or methods call the study a crossover; only a trial can be one."""
    return design in _TRIALS and any(map(_calls_itself_crossover, (title, abstract, methods)))


def _calls_itself_crossover(text: str) -> bool:
    return any(
        not _NOT_ITS_OWN.search(text, max(0, found.start() - _BEFORE), found.start())
        for found in _DESIGN.finditer(text)
    )
