"""Reads from a title what a drug was given for, which is not a harm of the drug."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: Words of a title before the condition that the drug is to treat or to prevent.
_AIMED_AT = re.compile(
    r"\b(?:for|in|with|against|reliev\w+|(?:to )?(?:reduc|prevent|treat)\w*(?: of)?|management of)\b"
    r"(?P<condition>[^:]+)",
    re.I | re.S,
)
#: What a drug does for the better to a condition, or does not, with a P above .05 too, and that it came back. Any
#: other rate of it may be a harm of the drug.
_TREATED = re.compile(
    r"\b(?:no(?:t|ne)?\b|neither\b|without\b|reduc|lower|less\b|fewer|shorter|improv|prevent|relie[fv]|decreas|decline|"
    r"(?:intensity|severity|scores?)\b(?!.{0,200}\b(?:greater|worse|higher|rose|increased)\b)|"
    r"resol|heal|similar|differ|respon|remission|cure|benefi|effective|surviv|favou?r|recurr|relaps|"
    r"p ?[=>≥] ?0?[.·](?:0[6-9]|[1-9])|"
    r"(?:relative risk|(?:hazard|odds|risk|rate) ratio|(?-i:\b[HRO]R)),?(?: of| was)?[ =:]{1,3}"
    r"0?[.·]\d)",
    re.I,
)
#: The rates of it on the drug and without it: "3.8% compared with 7.4% in women receiving placebo".
_RATES = re.compile(
    r"(\d{1,3}(?:[.·]\d{1,2})?) ?%[^.;%]{0,60}\b(?:and|versus|vs|compared (?:with|to)|than)\b[^;%]{0,40}?"
    r"(\d{1,3}(?:[.·]\d{1,2})?) ?%[^.;%]{0,40}\b(?:placebo|controls?)\b",
    re.I,
)
#: Characters read of a title, and letters that a word of it has in common with its other forms.
_MOST_READ = 300
_STEM = 6
#: Who was in the study: "children at high risk for diarrhoea" and "(and thus at risk for it)" have none of the drug.
_AT_RISK = re.compile(
    r"\b(?:children|infants|patients|adults|women|men|people|subjects|participants|individuals) "
    r"(?:who (?:are|were) )?at (?:high |increased |low )?risk (?:for|of) (?:[^,;.()]{1,90}(?= ?[,(])|[\w-]+)"
    r"|\((?:and )?(?:thus|hence|therefore) at (?:high |increased |low )?risk (?:for|of) [^()\d]{1,200}\)",
    re.I,
)
#: What titles are on, and the outcomes on which drugs for it are tried.
_OUTCOMES_OF = (
    (
        re.compile(
            r"anti-?emetic|\b(?:decreas|reduc|prevent|treat|reliev|control|manag|prophyla)\w*[^.:]{0,60}"
            r"\b(?:nausea|vomiting|emesis|PONV|CINV)\b",
            re.I,
        ),
        re.compile(r"\b(?:nausea|vomit|emesis|emetic|retching)[\w-]*", re.I),
    ),
    (
        re.compile(r"\bosteopor|\bfracture risk reduction", re.I),
        re.compile(r"\bfractur[\w-]*", re.I),
    ),
    (
        re.compile(
            r"^(?!.*\bvaccin)(?:.*\b(?:malaria|falciparum|influenza|antipyretic)\b|"
            r".*\b(?:treat|reduc|prevent|control)\w*[^.:]{0,40}\bfever\b)",
            re.I | re.S,
        ),
        re.compile(r"\b(?:fever|febrile|pyrexi)[\w-]*", re.I),
    ),
    (
        re.compile(r"\bprophylactic (?:paracetamol|acetaminophen|ibuprofen)", re.I),
        re.compile(r"\b(?:fever|febrile|pyrexi)[\w-]*|\blocal reactions?\b", re.I),
    ),
    (
        re.compile(r"\bpressor response|\battenuat\w+ of\b[^.:]{0,60}\bresponse", re.I),
        re.compile(r"\b(?:tachycard|hypertens)[\w-]*", re.I),
    ),
    (
        re.compile(
            r"\bstress[- ]ulcer|\bgastric ph\b|\bpeptic ulcer|"
            r"\b(?:reduc|decreas|prevent|control)\w*[^.:]{0,40}\b(?:bleeding|blood loss|h(?:a)?emorrhage)\b|"
            r"\btranexamic",
            re.I,
        ),
        re.compile(r"\b(?:bleed|h(?:a)?emorrhag|blood loss)[\w-]*", re.I),
    ),
    (re.compile(r"\bepilep|\bseizures?\b", re.I), re.compile(r"\bseizure[\w-]*", re.I)),
)
#: A harm all the same.
_UNTOWARD = re.compile(r"\b(?:adverse|side[- ]effects?|atypical|subtrochanteric|serious|fatal|died|deaths?)\b", re.I)
#: It was commoner on the drug, or worse; on placebo it may be.
_COMMONER = re.compile(
    r"\b(?:commoner|(?:more|most) (?:often|frequent\w*|common\w*)|increased|higher|greater|worse|developed|rose)\b"
    r"(?![^.;]{0,60}\b(?:on|with|in|of) (?:the )?(?:placebo|controls?)\b)",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{6,}")
#: Those for whom a gain in weight is what is wanted.
_TOO_LIGHT = re.compile(
    r"malnour|undernour|underweight|cachexi|anorexi|wasting|stunt|growth (?:failure|falter|retard|restrict)|"
    r"birth ?weight|preterm",
    re.I,
)
_GAIN = re.compile(r"\b(?:weight gains?|gains? in weight|gained weight|weight increased?)\b", re.I)
#: Words of harm that name no condition.
_OF_HARM = frozenset(("advers", "effect", "events", "harmfu", "safety", "tolera", "toxici"))


def remove_condition(sentence: str, title: str) -> str:
    """The sentence without words for what the drug was given for: diarrhoea in a trial to reduce diarrhoea, or in
    children at risk for it.

    The first only if it says that the drug helped against it, or did not: what may report harm is left as it is.
    """
    sentence = _AT_RISK.sub("", sentence)
    if _TOO_LIGHT.search(title[:_MOST_READ]):
        sentence = _GAIN.sub("", sentence)
    for outcome in _find_outcomes(title[:_MOST_READ]):
        if not (_UNTOWARD.search(sentence) or _COMMONER.search(sentence) or _is_rarer(sentence) is False):
            sentence = outcome.sub("", sentence)
    is_treated = _TREATED.search(sentence) or _is_rarer(sentence)
    pattern = _compile_condition(title[:_MOST_READ]) if is_treated else None
    return pattern.sub("", sentence) if pattern else sentence


@lru_cache(maxsize=256)
def _find_outcomes(title: str) -> Sequence[re.Pattern[str]]:
    return [outcome for titled, outcome in _OUTCOMES_OF if titled.search(title)]


def _is_rarer(sentence: str) -> bool | None:
    """Whether it was rarer on the drug than on placebo, by the first two rates; None if there are none."""
    found = _RATES.search(sentence)
    return _read_share(found[1]) < _read_share(found[2]) if found else None


def _read_share(number: str) -> float:
    return float(number.replace("·", "."))


@lru_cache(maxsize=256)
def _compile_condition(title: str) -> re.Pattern[str] | None:
    found = _AIMED_AT.search(title)
    words = _WORD.findall(found["condition"]) if found else ()
    stems = {word[:_STEM].lower() for word in words} - _OF_HARM
    return re.compile(rf"\b(?:{'|'.join(sorted(stems))})[\w-]*", re.I) if stems else None
