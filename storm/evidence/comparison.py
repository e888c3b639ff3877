"""Recognizes sentences that compare one drug with another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.subjects import compile_name_pattern
from storm.syllabus.drug_names import DRUG_NAME

_AS_AS = r"as (?:well|effective|good|safe|much) as"
#: Words between the two sides of a comparison.
_AGAINST = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison (?:with|to)|relative to|(?:superior|inferior|equivalent|"
    rf"comparable|similar|identical) to|{_AS_AS}|similar (?:with|between)|"
    r"between|superiority of (?:\w+ ){1,5}to)\b",
    re.I,
)
_BRACKET = r"(?: \([^()]{1,40}\))?"
#: The values of each arm: "-0.7 and -0.3% for X and Y, respectively", "1.5 points on X and 1.4 points on Y".
_OF_EACH_ARM = re.compile(
    r"(?<!adjusted )(?<!adjusting )\bfor (?:[^;,]{1,60}, ){0,4}[^;,]{1,60},? and (?:the )?[^;,]{1,60},? respectively\b"
    rf"|\d%?(?: \w+)?{_BRACKET} (?P<arm>on|with|for|after|in) (?:the )?[\w-]+(?: group| arm)?,? and (?:by |to |of )?"
    rf"[-−]?\d[\d.,]*%?(?: \w+)?{_BRACKET} (?P=arm) (?:the )?[\w-]+",
    re.I,
)
#: "X and Y did not differ in …", "X and Y had similar …".
_ALIKE = re.compile(
    r"(?<!of )(?<!both )\b[\w-]+ and [\w-]+ (?:did not differ|(?:were|are|had|have|showed|produced) (?:\w+ )?"
    r"(?:similar\w*|comparabl\w+|equivalent\w*|equal\w*)|resembled each other)\b",
    re.I,
)
_COMPARES = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|comparison|relative to|superior\w*|inferior\w*|similar\w*|"
    rf"comparabl[ey]|equivalen\w+|identical\w*|differ(?:ed|s|ent|ently|ence|ences)?|{_AS_AS}|equally|whereas|only)\b",
    re.I,
)
#: What joins a drug and its partner.
_JOINT = re.compile(r" ?[/+] ?|-| plus | in combination with ", re.I)
#: What a short name or a group is explained with.
_GLOSS = re.compile(r"\[([^\[\]]+)\]")
#: What stands between the parts of a combination, and an arm that is explained with none.
_PARTS = re.compile(r" plus |,? and | ?[/+] ?|-|^with ")
_OTHER_ARM = re.compile(
    r"\b(?:versus|vs\.?|than|compared (?:with|to)|and|or) (?:in |with |on )?(?:the )?"
    r"(?:placebo|[A-Z]{2,}[\w+/-]*)(?! ?\[)(?![\w+/-])"
)
#: Both were given together.
_TOGETHER = re.compile(
    r"\b(?:combin\w+|co-?administ\w+|concomitant\w*|together|plus|dual|fixed-dose|add(?:ed|ing|ition))\b", re.I
)
_INACTIVE = re.compile(r"\b(?:placebo|control|saline|untreated|no treatment|sham|vehicle)\b", re.I)
#: The start of another statement within a sentence, and characters read after a word of comparison.
_CLAUSE = re.compile(r"; |, (?:and|but|whereas|while|although)\b")
_REACH = 60


def compares_drugs(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence compares the drug with another drug, and not just names both together."""
    drug = compile_name_pattern(tuple(names))
    own = drug.search(text)
    if not own or not _COMPARES.search(text) or _INACTIVE.search(text):
        return False
    others = _find_others(text, drug)
    sides = [against for against in _AGAINST.finditer(text) if not _is_added(_find_middle(against, text), others)]
    return bool(others) and any(_is_between(against, text, drug, others) for against in sides)


def reports_both_arms(text: str, names: Sequence[str]) -> bool:
    """Whether the sentence gives a result of the drug and one of another drug, or says that both were alike."""
    drug = compile_name_pattern(tuple(names))
    others = [] if _INACTIVE.search(text) or _TOGETHER.search(text) else _find_others(text, drug)
    return bool(others) and any(
        _names_both(found, drug, others) for words in (_OF_EACH_ARM, _ALIKE) for found in words.finditer(text)
    )


def compares_partners(text: str, name: str) -> bool:
    """Whether the groups of a sentence differ by what the drug was combined with, which is then on trial."""
    glosses = [gloss[1] for gloss in _GLOSS.finditer(text)]
    combined = sum(gloss.endswith(f" {name}") for gloss in glosses)
    with_partner = sum(name in _PARTS.split(gloss.casefold()) and gloss != name for gloss in glosses)
    in_all = with_partner > 1 and not _OTHER_ARM.search(text)
    return in_all or combined > 1 or (combined == 1 and name in glosses)


def compares_parts_only(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence names no other drug than partners of this one, and compares the combination with nothing but
    one of its parts: "zorvimab/placebin and placebin"."""
    drug = compile_name_pattern(tuple(names))
    others = _find_others(text, drug)
    joined = [(other, own) for other in others for own in drug.finditer(text) if _is_joined(text, other, own)]
    partners = {other[0].casefold() for other, _ in joined}
    is_own_alone = {own.start() for own in drug.finditer(text)} > {own.start() for _, own in joined}
    is_alone = is_own_alone or len({other.start() for other, _ in joined}) < len(others)
    return (
        bool(others)
        and (is_alone or not _COMPARES.search(text))
        and all(other[0].casefold() in partners for other in others)
    )


def _is_joined(text: str, other: re.Match[str], own: re.Match[str]) -> bool:
    """Whether nothing but a sign or a word for a combination stands between two drugs."""
    between = min(own.end(), other.end()), max(own.start(), other.start())
    return _JOINT.fullmatch(text, *between) is not None


def _find_others(text: str, drug: re.Pattern[str]) -> list[re.Match[str]]:
    return [other for other in DRUG_NAME.finditer(text) if not drug.match(text, other.start())]


def _names_both(arms: re.Match[str], drug: re.Pattern[str], others: Sequence[re.Match[str]]) -> bool:
    """Whether the drug and another one are among these arms."""
    is_other = any(arms.start() <= other.start() < arms.end() for other in others)
    return is_other and drug.search(arms[0]) is not None


def _find_middle(against: re.Match[str], text: str) -> int:
    """Where the second side of a comparison begins: at the "and" of "between X and Y"."""
    return text.find(" and ", against.end()) if against[0].lower().endswith("between") else against.start()


def _is_added(middle: int, others: Sequence[re.Match[str]]) -> bool:
    """Whether both sides of a comparison received each other drug, so that this drug was an add-on."""
    sides: dict[str, set[bool]] = {}
    for other in others:
        sides.setdefault(other[0].lower().removesuffix("s"), set()).add(other.start() < middle)
    return bool(sides) and all(len(each) > 1 for each in sides.values())


def _is_between(against: re.Match[str], text: str, drug: re.Pattern[str], others: Sequence[re.Match[str]]) -> bool:
    """Whether the drug is on one side of a word of comparison, and another drug on the other side."""
    after = text[against.end() : against.end() + _REACH]
    clause = max((end.end() for end in _CLAUSE.finditer(text, 0, against.start())), default=0)
    if (not clause and against.start() <= 2) or against[0].lower().endswith("between"):
        return bool(drug.search(after) and others) or any(_starts_within(o, against.end(), _REACH) for o in others)
    if own := drug.search(text, against.end(), against.end() + _REACH):
        nearer = any(against.end() <= other.start() < own.start() for other in others)
        return not nearer and any(clause <= other.start() < against.start() for other in others)
    named = drug.search(text, clause, against.start())
    return named is not None and any(_starts_within(other, against.end(), _REACH) for other in others)


def _starts_within(other: re.Match[str], start: int, reach: int) -> bool:
    return start <= other.start() < start + reach
