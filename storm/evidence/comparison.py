"""Sentences that hold one drug against another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from storm.models.names import is_odd, phrases_of

#: What stands between the two sides of a comparison.
_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison (?:with|to)|relative to|(?:superior|inferior|equivalent|"
    r"comparable|similar|identical) to|as (?:well|effective|good|safe|much) as|similar (?:with|between)|"
    r"differen(?:t|ce|ces) (?:\w+ ){0,3}between|between|from|over|and)\b",
    re.I,
)
#: Names of other drugs by the endings of their international names, and classes of drugs.
OTHER_DRUG = re.compile(
    r"\b(?:[a-z]{2,}(?:mab|nib|ciclib|parib|lisib|gliptin|gliflozin|glutide|natide|glitazone|glinide|pride|platin|taxel|"
    r"rubicin|citabine|trexed|statin|sartan|dipine|olol|azole|afil|vir|mycin|cillin|floxacin|xaban|gatran|grel|parin|"
    r"cept|limus|triptan|setron|prazole|lukast|tecan|fenib|degib|rafenib|zomib|imide|oxetine|azepam|azolam|formin|"
    r"bose|glimod|tansine|semide|cycline|profen|coxib|thiazide|relin|relix|caine|fentanil|fentanyl|morphine|barbital|"
    r"etomidine|onidine|peridol|apine|idone|pramine|triptyline|flurane|curium|curonium|opam|zepine|gabalin|gabapentin|"
    r"phylline|terol|tropium|asone|olone|fibrate|zosin|steride|dronate|thromycin|cef[a-z]+|kacin|conazole|quine)|"
    r"gli[a-z]+ide|gly[a-z]+ide|insulin|sulph?onylureas?|propofol|hyoscine|morphine|midazolam|etomidate|aspirin|warfarin|"
    r"heparin|methotrexate|interferon|lithium|digoxin|tramadol|paracetamol|acetaminophen|clonidine|nitroglycerin|"
    r"ezetimibe|niacin|magnesium|corticosteroids?|thiopental|cyclophosphamide|fluorouracil|vincristine)s?\b",
    re.I,
)
_COMPARES = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison|relative to|superior\w*|inferior\w*|similar\w*|comparabl[ey]|"
    r"equivalen\w+|identical\w*|differ(?:ed|s|ent|ently|ence|ences)?|as (?:well|effective|good|safe) as|equally|whereas|"
    r"only)\b",
    re.I,
)
_INACTIVE = re.compile(r"\b(?:placebo|control|saline|untreated|no treatment|sham|vehicle)\b", re.I)
_JOINED = re.compile(r"[\s(]*(?:and|plus|\+|/|with|in combination with|combined with|added to|as an? adjunct\w* to)\s+(?:[\w-]+\s){0,2}$")


def compares_drugs(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence holds the drug against another: more than that both are given together."""
    drug = _names(tuple(names))
    own = drug.search(text)
    if not own or not _COMPARES.search(text) or _INACTIVE.search(text):
        return False
    others = [other for other in OTHER_DRUG.finditer(text) if not drug.match(text, other.start())]
    for against in _AGAINST.finditer(text):
        side = text[against.end() : against.end() + 60]
        if against[0].lower() in ("and", "from", "over"):
            continue
        before = any(other.end() <= against.start() for other in others) or against[0].lower().endswith("between")
        if drug.search(side) and before and others:
            return True
        if own.start() < against.start() and any(against.end() <= o.start() < against.end() + 60 for o in others):
            return True
    return False


@lru_cache(maxsize=64)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    phrases = [phrase for phrase in phrases_of(names) if not is_odd(phrase)]
    written = (r"[\W_]+".join(map(re.escape, phrase)) for phrase in sorted(phrases, key=lambda p: (-len(p), p)))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(written) or '(?!)'})(?![^\W_])", re.I)
