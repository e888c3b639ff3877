"""Reads by what share the drug lowered or raised a risk, where the sentence gives the interval of that share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.evidence.subjects import compile_name_pattern
from storm.reports.quoted_effects import QuotedEffect

_CHANGED = r"(?:reduc\w+|lower\w*|cut|decreas\w+|(?P<up>rais\w+|increas\w+))"
_RISK = (
    r"(?:the )?(?:relative )?(?:risk|incidence|rate|odds|hazard) of "
    r"(?P<outcome>(?:(?!by\b|in\b)[\w-]+ ){0,6}?(?!by\b|in\b)[\w-]+)(?: in [\w-]{1,30})?"
)
_SHARE = r"(?P<share>\d{1,3}(?:\.\d{1,2})?) ?(?:%|per ?cent)"
_INTERVAL = (
    r"[^()]{0,60}\((?:(?:relative risk reduction,? )?\d{1,3}(?:\.\d+)? ?%[,;] )?(?P<level>\d\d) ?% "
    r"(?:CI|confidence interval)[:,]? (?P<low>\d{1,3}(?:\.\d{1,2})?) ?%? ?(?:-|–|to) ?"
    r"(?P<high>\d{1,3}(?:\.\d{1,2})?) ?%?(?:[;,] ?P ?(?P<p>[<=] ?0?\.\d{1,9}))?"
)
#: What it was compared with, before the sentence's clause or after its share.
_CONTROL = r"(?P<{0}>placebo|usual care|no treatment|standard care)"
_COMPARED = r"(?:compared (?:with|to)|relative to|versus|vs\.?)"
_BEFORE = rf"(?:{_COMPARED} {_CONTROL.format('first')},? )?"
_AFTER = rf"(?:,? {_COMPARED} {_CONTROL.format('last')})?"
#: Those who were treated, and how their risk stood to that of others: "had a 32% lower risk of stroke than".
_TREATED = (
    r"(?:[\w-]+ )?(?:patients|people|women|men|participants|subjects|those) "
    r"(?:treated with|given|receiving|on|taking|allocated to|assigned to)"
)
_OF_THEM = (
    rf"(?: in [A-Z][\w-]{{1,20}}(?: \d{{1,3}})?)? had an? {_SHARE} (?:lower|reduced|(?P<up>higher|increased|greater)) "
    r"(?:relative )?risk of (?P<outcome>(?:(?!than\b)[\w-]+ ){1,6})"
    r"than (?P<first>(?!(?:those|that|in)\b)[a-z][\w -]{2,40}) (?=\()"
)


def read_relative_reduction(sentence: str, names: Sequence[str]) -> QuotedEffect | None:
    """What a sentence that opens with the drug, with what it was compared with, or with the risk says the drug did to
    the risk: "Metformin cut the incidence of diabetes by 31% (95% CI 17-43)"."""
    name = f"(?:{compile_name_pattern(tuple(names)).pattern})"
    drug = rf"{name}(?: therapy| treatment| use)?"
    by_drug = rf"{_BEFORE}{drug} (?:significantly )?{_CHANGED} {_RISK} by {_SHARE}{_AFTER}{_INTERVAL}"
    of_risk = rf"{_BEFORE}{_RISK} was (?:significantly )?{_CHANGED} by {_SHARE} (?:with|by) {name}{_AFTER}{_INTERVAL}"
    of_patients = rf"{_TREATED} {name}{_OF_THEM}{_INTERVAL}"
    found = next(filter(None, (re.match(form, sentence, re.I) for form in (by_drug, of_risk, of_patients))), None)
    if found is None or float(found["low"]) > float(found["high"]):
        return None
    return QuotedEffect(
        endpoint=found["outcome"].strip().lower(),
        measure="relative increase" if found["up"] else "relative reduction",
        value=f"{found['share']}%",
        unit="",
        interval=f"{found['level']}% CI {found['low']} to {found['high']}",
        p=(found["p"] or "").replace(" ", "").removeprefix("="),
        comparator=(found["first"] or found.groupdict().get("last") or "").lower(),
        is_of_drugs=False,
        qualifiers=frozenset(),
    )
