"""Tells whether both sides of a comparison got the drug: what differs between them is then another drug's result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.syllabus.drug_names import DRUG_NAME

_AGAINST = re.compile(
    r",?\s(?:versus|vs\.?|(?:as |when )?compared (?:with|to)|in comparison (?:with|to)|than(?: with| in|"
    r" those (?:given|on))?)\s"
)
#: Where the two sides begin and end: what follows is on whom, or the name of the trial.
_START = re.compile(r"[:;]\s")
_END = re.compile(
    r"[:;(]|\s-\s|-the\b|\s(?:in|for|among|of) (?:[\w-]+ ){0,3}(?:patients|adults|people|women|men|children|type)\b"
)
_JOINT = re.compile(r",? (?:and|plus|with) |, | ?[+/] ?")
#: The drug by itself, and the drug next to a partner.
_ALONE = r"(?: \([^()]{1,30}\))? (?:\w+ )?(?:alone|monotherapy)\b"
_JOINED = r"(?:combin\w{1,8} with|together with|plus|added to|add-on to|adding to|\+)"
#: "Zorvimab with or without placebin": what may be missing is tried.
_WITH_OR_WITHOUT = r"(?: \([^()]{1,30}\))? with (?:\([^()]{1,30}\) )?(?:or|and|/) without\b"
#: A regimen with its short name: "pomalidomide, bortezomib, and dexamethasone (pvd)".
_REGIMEN = re.compile(
    rf"((?:[a-z][\w-]{{2,24}}(?:{_JOINT.pattern})){{1,5}}[a-z][\w-]{{2,24}}) \([a-z][a-z0-9-]{{0,5}}[a-z0-9]\)"
)


def is_in_both_arms(text: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded title or sentence compares two treatments with this drug, of which one has another drug too."""
    border = _AGAINST.search(text)
    if border is None:
        return False
    before = _START.split(text[: border.start()])[-1]
    sides = before, _END.split(text[border.end() :], maxsplit=1)[0]
    if not all(map(drug.search, sides)):
        return False
    if is_partner_tried(text, drug):
        return True
    one, other = ({found[0] for found in DRUG_NAME.finditer(side) if not drug.search(found[0])} for side in sides)
    return one != other and (one <= other or other <= one)


def is_partner_tried(text: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded text says that the drug with a partner was compared with the drug alone, or was given with or
    without the partner."""
    border = _AGAINST.search(text)
    if any(re.match(_WITH_OR_WITHOUT, text[found.end() :]) for found in drug.finditer(text)):
        return True
    if border is None:
        return False
    other = drug.match(text, border.end())
    if other is None or not re.match(_ALONE, text[other.end() :]):
        return False
    before = text[: border.start()]
    return any(
        re.search(rf"{_JOINED} (?:\w+ )?$", before[: found.start()]) or re.match(rf" {_JOINED} ", before[found.end() :])
        for found in drug.finditer(before)
    )


def is_in_both_regimens(text: str, drug: re.Pattern[str]) -> bool:
    """Whether a folded abstract defines two regimens with this drug, of which one has more drugs than the other."""
    regimens = [parts for parts in _list_regimens(text) if any(map(drug.search, parts))]
    return any(one < other for one in regimens for other in regimens)


def _list_regimens(text: str) -> Iterator[frozenset[str]]:
    for found in _REGIMEN.finditer(text):
        yield frozenset(part.split()[-1] for part in _JOINT.split(found[1]) if part.strip())
