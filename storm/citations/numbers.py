"""Numbers as tokens: which a text holds, and which of a statement its quote does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from storm.citations.quotes import UNSPACED, normalize

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: n for n, word in enumerate((*_ONES, *_TEENS), start=1)} | dict(
    zip(_TENS, range(20, 100, 10), strict=True)
)
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}

_SCALE = rf"(?:{'|'.join(_SCALES)})\b"
_PERCENT = r"per\s?cent\b(?!age)"
_NUMBER = re.compile(
    rf"""
    (?<![\w.·^])(?<![a-z]-)(?<![a-z]\.)      # not inside a word or a name such as HER2, IL-6
    (?P<sign>(?<!\S)-|(?<=[(\[=<>≤≥/±])-)?
    (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:[.·]\d+)?|\d+(?:[.·]\d+)*|[.·]\d+)
    (?P<power>\^-?\d+)?
    (?:[\s-]?(?P<scale>{_SCALE}))?
    (?:\s?(?P<percent>%|{_PERCENT}))?
    """,
    re.VERBOSE,
)
#: A number below a hundred; "one of the arms" holds none.
_SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES)}))?"
    r"|(?!one\s+(?:of\s+(?:the|these|those|many|several)|another|or\s+more\s+of)\b)"
    rf"(?:{'|'.join((*_TEENS, *_ONES))}))\b"
)
#: A scale alone ("per hundred") counts as one of them, "several hundred" as none.
_WORD = re.compile(
    rf"(?<!\w)(?:{_SMALL}|(?<!\d[\s-])(?<!few\s)(?<!many\s)(?<!several\s){_SCALE})"
    rf"(?:[\s-]{_SCALE}|(?:(?<=dred)|(?<=sand)|(?<=lion))\s(?:and\s)?{_SMALL})*(?P<percent>\s+{_PERCENT})?"
)
#: A half and the like as a quantity: not in "half-life", "the second half", "a third dose", "one third-line drug".
_PART = re.compile(
    rf"""(?<![\w-])(?:
    (?:(?:a|one)[\s-])?(?<!first\s)(?<!second\s)(?<!former\s)(?<!latter\s)(?<!other\s)(?P<half>half)(?!-|\s+li(?:fe|ves)\b)
    |(?P<times>{"|".join(_ONES)})[\s-](?P<part>{"|".join(_PARTS)})s?(?!-)
    |a\s(?P<one>{"|".join(_PARTS)})(?=\s+(?:of|as|fewer|less|more|lower|higher)\b|\s*\W?$)
    )\b""",
    re.VERBOSE,
)
#: Taken whole or not at all: else a long row of numbers is tried in every way to cut it.
_VALUE = r"(?>\d{1,3}(?:,\d{3})+(?!\d)(?:[.·]\d+)?|\d+(?:[.·]\d+)*)"
#: "22 and 17%", "10-20%": the sign belongs to both.
_SHARED_PERCENT = re.compile(
    rf"(?<![\d,])({_VALUE})(?=(?:\s?-|,\s|\s?(?:and|or|to|versus|vs\.?|against))\s?[-.·]?{_VALUE}\s?(?:%|per\s?cent\b))"
)
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,·])(\d{1,3}) (?=\d{3}(?!\d))")
#: "3x10^9" is a product and not a name.
_TIMES = re.compile(r"(?<=\d)x(?=\d)")
#: A word of letters and digits: HER2, IL-6, NCT00045032; with what a hyphen joins to it, as in PD-L1.
_NAME = re.compile(
    r"(?<![^\W_])(?P<before>(?:[^\W\d_]+-)*)"
    r"(?P<core>(?:\d+(?:[.·]\d+)*)?[^\W\d_]+[-._]?\d[^\W_]*(?:[.·]\d+)*)"
)
_RUN = re.compile(r"\d+(?:[.·]\d+)*|[^\W\d_]+")


def numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text in canonical form, in order: `0.66` for .66, 0·66 and 0.660; `1234` for 1,234; `12%` for
    12 percent; `21` for twenty-one; `1500000` for 1.5 million; `50%` for half; `2/3` for two thirds; `10^9` for 10⁹.
    Digits in names (HER2, IL-6) are none."""
    flat = _share_percents(_flat(text))
    found = [(m.start(), _share(m)) for m in _PART.finditer(flat)]
    rest = _PART.sub(lambda match: " " * len(match[0]), flat)
    found += [(m.start(), _token(m)) for m in _NUMBER.finditer(rest)]
    found += [(m.start(), f"{_value(m[0])}{'%' if m['percent'] else ''}") for m in _WORD.finditer(rest)]
    return tuple(token for _, token in sorted(found))


def unsupported_numbers(statement: str, quote: str) -> tuple[str, ...]:
    """The numbers of the statement that its quote does not hold, each once; compared as whole tokens.

    "12 345" is read both as one number and as two, on either side.
    """
    supported = _held(quote)
    readings = (
        tuple(dict.fromkeys(token for token in numbers(reading) if token not in supported))
        for reading in (statement, _joined(statement))
    )
    return min(readings, key=len)


def unsupported_names(statement: str, quote: str, known: Iterable[str]) -> tuple[str, ...]:
    """The words of letters and digits (NCT00045032, HR0.12) that stand in no known text, each once, unless the quote
    holds their numbers ("phase-3"). Hyphens, blanks and case do not count: IL6 is IL-6."""
    texts = [_flat(text) for text in known]
    return tuple(
        dict.fromkeys(
            match["core"]
            for match in _NAME.finditer(_flat(statement))
            if not any(form.search(text) for form in _forms(match) for text in texts)
            and not {token for digits in re.findall(r"\d[\d.·]*", match["core"]) for token in numbers(digits)}
            <= _held(quote)
        )
    )


def _held(quote: str) -> set[str]:
    return {*numbers(quote), *numbers(_joined(quote))}


def _forms(name: re.Match[str]) -> Iterator[re.Pattern[str]]:
    """How a name may be written: alone, or together with more and more of what a hyphen joins to it."""
    parts = [*filter(None, name["before"].split("-")), name["core"]]
    for start in reversed(range(len(parts))):
        runs = _RUN.findall("-".join(parts[start:]))
        written = r"[\W_]{0,3}".join("-?".join(map(re.escape, run)) for run in runs)
        before = r"(?<![\d.·])" if runs[0][0].isdigit() else r"(?<![^\W\d_])"
        yield re.compile(before + written + (r"(?![.·]?\d)" if runs[-1][0].isdigit() else r"(?![^\W\d_])"))


def _flat(text: str) -> str:
    return _TIMES.sub("×", UNSPACED.sub(r" \g<0> ", normalize(text)))


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
    if match["scale"]:
        digits = f"{Decimal(digits) * _SCALES[match['scale']]:f}"
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    value = f"{whole}.{part}" if part else whole
    return (match["sign"] or "") + value + (match["power"] or "") + ("%" if match["percent"] else "")


def _value(words: str) -> int:
    """The number that words say: 203,500 for two hundred and three thousand five hundred."""
    total = below = 0
    for word in re.findall(r"[a-z]+", words):
        scale = _SCALES.get(word, 0)
        if scale >= 1_000:
            total, below = total + (below or 1) * scale, 0
        else:
            below = (below or 1) * scale if scale else below + _WORDS.get(word, 0)
    return total + below


def _share(match: re.Match[str]) -> str:
    """A part of a whole, in percent where it is even."""
    times = _WORDS[match["times"]] if match["times"] else 1
    share = Fraction(times, _PARTS[match["half"] or match["part"] or match["one"]])
    return f"{share * 100}%" if (share * 100).denominator == 1 else str(share)
