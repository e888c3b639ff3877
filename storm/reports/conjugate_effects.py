"""Reads the effect of a conjugate of the drug that a sentence compares with the drug itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storm.citations.results import read_result
from storm.evidence.subjects import compile_name_pattern
from storm.reports.quoted_effects import QuotedEffect, describe_effect
from storm.syllabus.drug_names import DRUG_NAME
from storm.syllabus.relation import PAYLOAD


def read_conjugate_effect(quote: str, names: Sequence[str]) -> QuotedEffect | None:
    """The effect of the one conjugate that a sentence compares with the drug of these names and with nothing else; None
    where it is open what was measured, or compared."""
    drug = compile_name_pattern(tuple(names))
    conjugates = re.compile(rf"(?:{drug.pattern}){PAYLOAD.pattern}\b", re.I)
    named = {found[0].lower() for found in conjugates.finditer(quote)}
    rest = conjugates.sub("", quote)
    alone = {found[0].lower() for found in drug.finditer(rest)}
    others = {found[0].lower() for found in DRUG_NAME.finditer(rest)} - alone
    found = read_result(quote)
    if len(named) != 1 or len(alone) != 1 or others or found is None:
        return None
    if not (found.is_relative and found.interval and found.endpoint):
        return None
    return describe_effect(found, quote, found.endpoint, alone.pop(), is_of_drugs=True)._replace(arm=named.pop())
