"""Numbers as tokens: which a text holds, and which of a statement its quote does not hold."""

from __future__ import annotations

import re

from storm.citations.quotes import normalize

_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_NUMBER = re.compile(
    r"""
    (?<![\w.·^])(?<![a-z]-)(?<![a-z]\.)      # not inside a word or a name such as HER2, IL-6
    (?P<sign>(?<!\S)-|(?<=[(\[=<>≤≥/±])-)?
    (?P<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:[.·]\d+)?|\d+(?:[.·]\d+)*|[.·]\d+)
    (?P<power>\^-?\d+)?
    (?:\s?(?P<percent>%|per\s?cent\b(?!age)))?
    """,
    re.VERBOSE,
)
_WORD = re.compile(
    rf"(?<![\w])(?<!ty-)(?P<word>{'|'.join(_WORDS)})\b(?!\s+(?:hundred|thousand|of\s+(?:the|these|those|many|several)|"
    r"another|or\s+more\s+of)\b)(?P<percent>\s+per\s?cent\b(?!age))?"
)
#: "22 and 17%", "10-20%": the sign belongs to both.
_SHARED_PERCENT = re.compile(
    r"(\d[\d.,·]*)(?=\s?(?:-|,|and|or|to|versus|vs\.?|against)\s?[-.·]?\d[\d.,·]*\s?(?:%|per\s?cent\b))"
)
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,·])(\d{1,3}) (?=\d{3}(?!\d))")


def numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text in canonical form, in order: `0.66` for .66, 0·66 and 0.660; `1234` for 1,234; `12%` for
    12 percent; `3` for three (up to twelve); `10^9` for 10⁹. Digits in names (HER2, IL-6) are none."""
    flat = _share_percents(normalize(text))
    found = [(m.start(), _token(m)) for m in _NUMBER.finditer(flat)]
    found += [(m.start(), _WORDS[m["word"]] + ("%" if m["percent"] else "")) for m in _WORD.finditer(flat)]
    return tuple(token for _, token in sorted(found))


def unsupported_numbers(statement: str, quote: str) -> tuple[str, ...]:
    """The numbers of the statement that its quote does not hold, each once; compared as whole tokens.

    "12 345" is read both as one number and as two, on either side.
    """
    supported = {*numbers(quote), *numbers(_joined(quote))}
    readings = (
        tuple(dict.fromkeys(token for token in numbers(reading) if token not in supported))
        for reading in (statement, _joined(statement))
    )
    return min(readings, key=len)


def _joined(text: str) -> str:
    return _SPACED_THOUSANDS.sub(r"\1,", normalize(text))


def _share_percents(text: str) -> str:
    previous = ""
    while previous != text:
        previous, text = text, _SHARED_PERCENT.sub(r"\1%", text, count=1)
    return text


def _token(match: re.Match[str]) -> str:
    digits = match["digits"].replace("·", ".").replace(",", "")
    if digits.count(".") > 1:
        return digits
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    value = f"{whole}.{part}" if part else whole
    return (match["sign"] or "") + value + (match["power"] or "") + ("%" if match["percent"] else "")
