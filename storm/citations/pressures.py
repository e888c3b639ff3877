"""Blood pressures written in pairs: of 175/80 mmHg the first is systolic, the second diastolic."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storm.citations.numbers import read_numbers
from storm.citations.quotes import normalize_text
from storm.citations.vocabulary import words_of

_PRESSURE = re.compile(r"\b(?:blood pressures?|bp)\b")
_PAIR = re.compile(
    r"(?<![\d/.])(\d{2,3}(?:\.\d)?)(?: ?(?:±|\+/-) ?\d{1,2}(?:\.\d)?)?(?: ?mmhg)? ?/ ?(\d{2,3}(?:\.\d)?)(?![\d/])"
)
#: The kinds of pressure in the order of a pair, and the words that name them.
_KINDS = ("systolic", "diastolic")
WORDS = words_of("systol diastol systolic diastolic") | {f"{kind} blood pressure" for kind in _KINDS}


def read_pressure_pairs(text: str) -> list[tuple[str, str]]:
    """The pairs of a text that speaks of blood pressure, each systolic first."""
    plain = normalize_text(text)
    return _PAIR.findall(plain) if _PRESSURE.search(plain) else []


def find_pressure_faults(statement: str, quote: str) -> Iterator[str]:
    """A diastolic value of the quote's pairs that the statement calls systolic, or the other way round."""
    pairs = read_pressure_pairs(quote)
    plain = normalize_text(statement)
    named = [kind for kind in _KINDS if kind in plain]
    if not pairs or len(named) != 1:
        return
    place = _KINDS.index(named[0])
    own, others = {pair[place] for pair in pairs}, {pair[1 - place] for pair in pairs}
    for token in read_numbers(statement):
        if token in others - own:
            yield f"in the quote {token} is {_KINDS[1 - place]}, in the statement {named[0]}"
            return
