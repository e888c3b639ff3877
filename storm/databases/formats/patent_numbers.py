"""Take the numbers of patent documents apart: `EP 2 400 812 A1` is EP, 2400812 and A1."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(r"([A-Z]{2})((?:RE|D|PP)?\d{4,13})([A-Z]\d?)?", re.A)
_SEPARATORS = re.compile(r"[\s,./-]")


class PatentNumber(NamedTuple):
    """The parts of a document's number; `kind` is None where the record does not state it."""

    country: str
    number: str
    kind: str | None = None


def split_patent_number(text: str) -> PatentNumber | None:
    """The parts of `US 2024-0362478 A1`; None of a text of another form."""
    found = _NUMBER.fullmatch(_SEPARATORS.sub("", text).upper())
    return PatentNumber(*found.groups()) if found else None
