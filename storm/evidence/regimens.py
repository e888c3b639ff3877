"""Reads the short names of combinations that a document defines: "zorvimab 80 mg plus placebin 25 mg (Z80/P25)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.syllabus.drug_names import DRUG_NAME

_AMOUNT = r" \d[\d.,]{0,6} ?(?:m?g|µg|μg|mcg|IU)\b"
#: Doses are left out, and the digit of "5-fluorouracil": a figure in a printed sentence is one of its source.
_DOSE = re.compile(_AMOUNT)
_DIGIT = re.compile(r"\b\d-(?=[a-z])")
#: What stands before a name and has no letter in a short name.
_BEFORE_NAME = re.compile(r"(?<![\w-])(?:(?:high|low|standard)-dose |bolus |oral |\d-)+", re.I)
_PART = (
    r"(?:(?:high|low|standard)-dose |bolus |oral )?(?:\d-)?[A-Za-z][\w'’-]{1,30}"
    r"(?: (?:acid|sodium|potassium|propionate|furoate|sulfate|sulphate|hydrochloride|fumarate))?"
    rf"(?:{_AMOUNT})?"
)
_JOINT = r"(?: ?[/+] ?|,? plus |,? and |, | in combination with | combined with )"
_SHORT = r"[A-Z][A-Za-z0-9]{0,7}(?: ?[/+-] ?[A-Z][A-Za-z0-9]{0,7}){0,3}"
#: A combination and its short name; the joint may be the hyphen of one word.
_NAMED = re.compile(
    rf"(?<![\w/-])(?P<whole>{_PART}(?:{_JOINT}{_PART}){{0,4}})(?P<noun> (?:combination|regimen|group|arm))? "
    rf"\((?:group )?(?P<short>{_SHORT})\)"
)
_JOINTS = re.compile(rf"{_JOINT}|-")
#: A sum of drugs is what an acronym after it stands for, whose letters may be those of brands: "zorvimab plus placebin
#: (TOMIZ)".
_PLUS = re.compile(r" plus ", re.I)
_ACRONYM = re.compile(r"[A-Z]{3,8}\d?")
#: "placebin with (group PZ) or without (group P) zorvimab".
_WITH_OR_WITHOUT = re.compile(
    rf"(?P<base>[A-Za-z][\w-]{{3,30}})(?: \([^()]{{1,40}}\))? with \(group (?P<short>{_SHORT})\) or without "
    rf"\(group {_SHORT}\) (?P<added>{_PART})"
)
#: What is said of the drug, or its control, and not another drug beside it: "zorvimab-resistant (ZR)".
NO_PARTNER = re.compile(r"-(?:resistant|induced|na[iï]ve|treated|related|control|placebo|eluting|based|sensitive)\b")
_PLACEBO = re.compile(r"\bplacebo\b", re.I)
#: Characters before a short name in which its definition is looked for.
_REACH = 160
_DEFINED = re.compile(rf"\((?:group )?{_SHORT}\)")


def find_regimens(text: str, drug: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """The short names of combinations with the drug, and the combinations, where the letters of the name are those with
    which the parts begin, or the text calls the parts a combination or a regimen."""
    for defined in _DEFINED.finditer(text):
        start = max(0, defined.start() - _REACH)
        if not drug.search(text, start, defined.end() + _REACH):
            continue
        for found in _NAMED.finditer(text, start, defined.end()):
            if whole := _find_combination(found["whole"], found["short"], found["noun"] or "", drug):
                yield found["short"], whole
        for found in _WITH_OR_WITHOUT.finditer(text, start, defined.end() + _REACH):
            if drug.fullmatch(found["added"]):
                yield found["short"], f"{found['base']} plus {found['added']}"


def _find_combination(words: str, short: str, noun: str, drug: re.Pattern[str]) -> str:
    """The last parts of a list that the short name stands for, among them the drug; "" if there are none."""
    starts = [0, *(joint.end() for joint in _JOINTS.finditer(words))]
    is_summed = _PLUS.search(words) and _ACRONYM.fullmatch(short)
    for start in starts[:-1]:
        whole = words[start:]
        is_named = (is_summed and _is_of_sum(short, whole)) or _begin_parts(short, _JOINTS.split(whole))
        is_called = noun in (" combination", " regimen") and len(list(DRUG_NAME.finditer(whole))) > 1
        if (is_named or is_called) and drug.search(whole) and not (NO_PARTNER.search(whole) or _PLACEBO.search(whole)):
            return _DIGIT.sub("", _DOSE.sub("", whole))
    return ""


def _is_of_sum(short: str, whole: str) -> bool:
    """Whether an acronym has the first letter of each part before the last one, and is not that of the last alone."""
    *parts, last = _JOINTS.split(_BEFORE_NAME.sub("", whole.casefold()))
    letters = short.casefold()
    return all(part[:1] in letters for part in parts) and not _stand_in_order(letters, last)


def _begin_parts(short: str, parts: list[str]) -> bool:
    """Whether the first letters of the parts stand in the short name in their order, the first at its beginning."""
    initials = "".join(part[:1] for part in parts).casefold()
    return all(parts) and initials[:1] == short[0].casefold() and _stand_in_order(initials, short.casefold())


def _stand_in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)
