"""Recognises sentences whose comparison is not of giving the drug: it was given before, or stopped, or something else
is what the ratio is of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.subjects import compile_name_pattern

#: The drug as what was given before, beside, or no longer; {name} is the drug.
GIVEN_OTHERWISE = (
    r"\b(?:after|following|failure of|progress(?:ed|ing|ion) on|refractory to|resistant to|pre-?treated with|"
    r"background|prior|previous|unlike|like|stopp(?:ed|ing)|discontinu(?:ed|ation of|ing)|withdrawal of|"
    r"switch(?:ed|ing)? from|crossover|adherence to|without|surgery after|induction with)"
    r"(?: (?!to )[\w-]+){{0,2}} {name}"
    r"|\bcrossover from [\w ]{{1,30}} to {name}"
    r"|\banti-{name}"
    r"|{name}(?:[- ](?:pre-?treated|refractory|resistant|na[iï]ve|era|induction|exposure|failure|eluting|"
    r"concentrations?|levels?|non-?adheren\w*|non-?responders?|non-?users?))\b"
    r"|{name} as (?:the )?reference|\(reference,? {name}|\b(?:placebo|superior|inferior) to {name}"
    r"|\bbetween [\w -]{{1,40}} and {name}"
)
#: Those who got the drug, as the people in whom something else was tried; not those who were assigned to it.
AMONG_TREATED = (
    r"^(?:In|Among|For) (?:(?:[\d,]+|the|all) )*(?:patients|participants|people|women|men|adults|those|children)"
    r"(?! (?:who were )?(?:randomi[sz]ed|assigned|allocated))[^,]{{0,60}} {name}, (?!.*{name})"
)
#: What is associated with an outcome is the drug only where the sentence begins with it.
ASSOCIATED = (
    r"^(?:[^,]{{0,80}}, )?(?:the )?(?:use of |treatment with |therapy with |exposure to )?(?:[\w-]+ )?{name}"
    r"[^.;:()]{{0,40}} (?:was|were|is|are) [\w -]{{0,30}}associated with\b"
)
_ASSOCIATED = re.compile(r"\bassociated with\b")
#: Other analyses, factors and outcomes than those of the trial.
_OTHER = re.compile(
    r"\binteraction\b|\bpredict(?:s|ed|ors?|ive)\b|\bprognostic\b|\b(?:each|every) (?:[\d.]+|one)\b"
    r"|\bper (?:[\d.]+[- ])?(?:unit|SD|point|mg|decade)\b"
    r"|\bsensitivity analys|\bcrossover[- ]adjust|\bRPSFT\b|\b(?:before|without) adjustment\b"
    r"|\bcomposite\b|\bdeaths? or\b|\bor deaths?\b|\bnon-?cardiovascular\b|\bsudden (?:cardiac )?death"
    r"|\bdeaths? (?:from|due to) (?!cardiovascular|any\b|all\b)|\bplacebo (?:arm|patients|group) (?:of|with)\b"
    r"|\bfreedom from\b|\babsence of\b"
    r"|\b(?!progression|disease|event|relapse|recurrence|metastasis|invasive|failure|treatment)[a-z]+-free\b"
    r"|\b(?:simulated|expected|target|modell?ed|required|assumed|hypothe\w+|(?:upper|lower) (?:bound|limit))\b"
    r"|\b(?:lower|reduc|decreas)\w*\b[^.;()]{0,60} by an? (?:mean |absolute )?difference of \d"
    r"|\bat \d+ (?:weeks|months|years) and \d+ "
    r"|\bbenefit of [^.;:]{1,60} was (?:greater|larger|smaller)\b",
    re.I,
)
_TEST_OF_INTERACTION = re.compile(
    r"[;,]? ?\bp(?:[- ]values?)?(?: for interaction ?[=<>:]? ?0?\.\d+| ?[=<>] ?0?\.\d+ for interaction)", re.I
)


def drop_interaction(sentence: str) -> str:
    """The sentence without the p of a test for interaction."""
    return _TEST_OF_INTERACTION.sub("", sentence)


def is_unclear(sentence: str, names: Sequence[str]) -> bool:
    """Whether the comparison may be of something else than of giving the drug with these names."""
    name = f"(?:{compile_name_pattern(tuple(names)).pattern})"
    if _OTHER.search(sentence) or any(
        re.search(pattern.format(name=name), sentence, re.I) for pattern in (GIVEN_OTHERWISE, AMONG_TREATED)
    ):
        return True
    is_association = _ASSOCIATED.search(sentence) is not None
    return is_association and re.search(ASSOCIATED.format(name=name), sentence, re.I) is None
