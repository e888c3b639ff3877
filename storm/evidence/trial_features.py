"""Reads how a trial was laid out: as a crossover, and who knew which treatment was given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.models.design import Design

#: Designs that are laid out so.
_TRIALS = (Design.RANDOMISED, Design.NON_RANDOMISED, Design.INTERVENTIONAL, Design.PHARMACOKINETIC)
_CROSSOVER = r"(?<!case[- ])cross(?:ed)?[-‐ ]?over"
#: Words of a design that may stand before and after "crossover".
_OF_DESIGN = (
    r"(?:prospective|randomi[sz]ed|controlled|placebo-controlled|double-blind(?:ed)?|single-blind(?:ed)?|open-label|"
    r"single-cent(?:re|er)|(?:two|three|four|[234])[- ](?:way|period|arm|treatment|sequence)|phase \w{1,3}|pilot|"
    r"clinical)"
)
#: "a two-way crossover study", "the design was crossover"; "in a double-blind, crossover fashion". That patients may
#: cross over when they get worse is no design.
_IS_CROSSOVER = re.compile(
    rf"\b{_CROSSOVER}(?:[,/]? (?!(?:to|was|were|is|are|had|has|at|after|of|per|during|in|by|from|for|on|occurred)\b)"
    r"[\w-]{1,20}){0,4}?,? (?:stud(?:y|ies)|trials?|designs?|comparison|experiments?|fashion|manner|protocol|"
    r"investigation)\b|"
    rf"\b(?:study|trial|design) (?:was|is|used|followed) (?:an? |the |of |in )?(?:{_OF_DESIGN},? (?:and )?){{0,5}}"
    rf"{_CROSSOVER}\b(?! (?:to|was|of|from|allowed|permitted)\b)|"
    rf"\b{_OF_DESIGN},? {_CROSSOVER}\b(?! (?:to|was|is|were|of|from|allowed|permitted|at)\b)",
    re.I,
)
_BLINDED = re.compile(r"\b(single|double|triple)[-‐ ]?(?:blind|mask)(?:ed|ing)?\b", re.I)
#: Not of an extension, of rescue, or of another treatment: "with open-label steroids".
_OPEN = re.compile(
    r"(?<!with )(?<!plus )(?<!of )\bopen[-‐ ]?label(?:l?ed)?\b"
    r"(?!,?(?: [\w-]{1,20})?,? (?:extension|rescue|follow-?up))",
    re.I,
)
#: Of other studies.
_NOT_ITS_OWN = re.compile(
    r"\b(?:previous|prior|earlier|other|another|no|not|without|unlike|than|those|agree[sd]?|pivotal|original|systematic|"
    r"included)(?:,? [\w-]{1,20}){0,3},? $",
    re.I,
)
#: Characters before such words that are read for that.
_BEFORE = 80


def is_crossover(design: Design, *texts: str) -> bool:
    """Whether one of the texts (title, abstract, methods) calls the study a crossover; only a trial can be one."""
    return design in _TRIALS and any(any(_find_own(_IS_CROSSOVER, text)) for text in texts)


def read_blinding(design: Design, shared: str, *texts: str) -> str:
    """ "double-blind", "open-label" …, by the first of the texts (title, abstract, methods) of a trial that says it;
    empty where a part of the trial was open-label and another was blinded. The treatment that all arms shared may be
    open-label in any trial."""
    if design not in _TRIALS:
        return ""
    is_open = any(not _is_of_shared(found, shared) for text in texts for found in _find_own(_OPEN, text))
    for text in texts:
        if blinded := [found[1].lower() for found in _find_own(_BLINDED, text)]:
            # A single-blind run-in may come before the double-blind trial.
            return "" if is_open else f"{'double' if 'double' in blinded else blinded[0]}-blind"
    return "open-label" if is_open else ""


def _is_of_shared(found: re.Match[str], shared: str) -> bool:
    """Whether the treatment that all arms shared follows: "open-label metformin"."""
    return bool(shared) and found.string[found.end() :].lstrip().casefold().startswith(shared.casefold())


def _find_own(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where the text says it of its own study."""
    for found in pattern.finditer(text):
        if not _NOT_ITS_OWN.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            yield found
