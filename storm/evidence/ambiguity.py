"""Sentences whose direction of effect is ambiguous: modifiers of an effect, the drug stopped, knockout models, and
comparisons that another treatment wins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from storm.evidence.subjects import compile_name_pattern

#: A result on whom or what the effect depends on, and what is only a wish to treat.
_UNREADABLE = re.compile(
    r"\b(?:vary|varied|varies|interactions?|heterogene\w+|irrespective|regardless|correlat\w+|predict\w+|inversely|"
    r"non-?inferior\w*|bio-?equivalen\w+|healthy|dose[- ]dependent\w*|need for (?:further|more)|"
    r"without(?! (?:the (?:antibody|drug)|it)\b)|we feel|side effects|variab\w+|role of|evaluat(?:e|es|ing|ion)|"
    r"(?:adverse|undesirable|unwanted) (?:drug )?(?:events?|reactions?|effects?)|since the introduction|"
    r"no evidence of increased|"
    r"baseline (?:characteristics|values)|switch\w*|stratif\w+|subgroups?|categor\w+|"
    r"achieved (?:on-treatment )?(?:levels?|[a-z]*CRP|LDL)|(?:above|below) (?:the )?median|"
    r"theori[sz]ed|"
    r"(?:association|relation|relationship)s? (?:between|of)|in keeping with|in line with|accords? with|unexpected|"
    r"similar (?:degrees?|extents?)|either (?:drug|agent|treatment|alone|of|one|component)|did not differ by|"
    r"changes? [^.;]{0,60} (?:greater|larger|smaller|higher|more)|time [^.;]{0,80} (?:faster|quicker|sooner)|"
    r"(?:patients|those|subjects|participants|people) not (?:on|taking|receiving|given|treated)|"
    r"trough|exposure[- ]response|but also|also [^.;]{0,30}\b(?:placebo|controls?)|"
    r"(?:later|earlier|previous|prior|other) (?:publications?|reports?|authors?|papers?)|"
    r"(?:chemo|radio)-?(?:sensi|resist)\w+|sensiti[vz]\w+ (?:of|to)|resistance to|"
    r"(?:abolish|abrogat)\w* (?:the|this|these|by)|(?:revers\w+|attenuat\w+|block\w+|prevent\w+) (?:the |this |these )?"
    r"(?:effects?|benefits?)|cells? survival|survival of [^.;]{0,40}\bcells|clonogenic|"
    r"(?:that|which|who|whom) (?:did|does|do|was|were|had|have) not)\b",
    re.I,
)
#: Before the name of the drug: it was stopped, or its other arm did better.
_STOPPED = (
    r"(?:discontinu\w+|stop(?:s|ped|ping)?|terminat\w+|cessation|withdr[ae]w\w*|interrupt\w+|non-?use|depriv\w+|"
    r"absence|lack)(?: [\w-]+){0,3}? |\boff (?:of )?|"
    r"\b(?:added|addition)(?: [\w-]+){0,4}? to (?:[\w-]+ ){0,3}?|"
    r"(?:resistant|refractory|intolerant|unresponsive) (?:to|of) (?:[\w-]+ ){0,2}|"
    r"\b(?:superior(?:ity)?|inferior(?:ity)?|advantages?|preferable) (?:over|to) (?:that of )?(?:the )?|"
    r"\b(?:rather than|instead of|outperform\w*|surpass\w*|bettered) (?:that of )?(?:the )?|"
    r"^(?:compared|relative|in comparison|as compared) (?:with|to) (?:[\w-]+ ){0,3}?"
)
#: After it: cells and patients on whom it does not act, how much of it was in the blood.
_AFTER = (
    r"(?:[- ](?:resistan|refractor|na[i\u00ef]ve|withdr|discontinu|cessation|depriv|intoleran|free\b|unexposed)"
    r"| (?:(?:serum|plasma|blood|mean|peak|trough|steady-state) ){0,2}(?:concentrations?|levels?|exposures?)\b)"
)
#: Knockout models: an effect that is missing in them may depend on what they lack.
_KNOCKOUT = re.compile(
    r"(?<!apoe)(?<!ldlr)(?<!apoe[- ])(?<!ldlr[- ])"
    r"(?:\b(?:null|knock-?(?:out|down|ed)|deficient|deleted|depleted|lacking)|-\W?/\W?-|\u2212/\u2212)"
    r"(?: [\w-]+)? (?:mice|mouse|rats?|cells?|animals?|tumou?rs?|xenografts?|macrophages|neurons)\b|"
    r"\b(?:mice|rats|cells|animals|tumou?rs) (?:lacking|deficient in|without|null for)\b|\bKO (?:mice|cells)\b",
    re.I,
)


def is_ambiguous(sentence: str, names: Sequence[str]) -> bool:
    """Whether the direction of effect that a sentence states for the drug with these names is ambiguous."""
    return bool(_UNREADABLE.search(sentence) or _compile_use(tuple(names)).search(sentence))


def is_knockout_model(sentence: str) -> bool:
    """Whether a sentence is about animals or cells that lack a gene or protein: the drug may act differently there."""
    return _KNOCKOUT.search(sentence) is not None


@lru_cache(maxsize=64)
def _compile_use(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the name of a drug that was stopped, resisted, measured or beaten."""
    name = compile_name_pattern(names).pattern
    return re.compile(rf"\b(?:{_STOPPED}){name}|{name}{_AFTER}", re.I)
