"""Numbers as tokens: those of a text, and those of a statement that are missing in its quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from storm.citations.quotes import UNSPACED, normalize_text

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = {word: n for n, word in enumerate((*_ONES, *_TEENS), start=1)} | dict(
    zip(_TENS, range(20, 100, 10), strict=True)
)
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}

_SCALE = rf"(?:{'|'.join(_SCALES)})\b"
_PERCENT = r"per\s?cent\b(?!age)"
_NUMBER = re.compile(
    rf"""
    (?=[-.·\d])(?<![\w.·^])(?<![a-z]-)(?<![a-z]\.)      # not inside a word or a name such as HER2, IL-6
    (?P<sign>(?<!\S)-|(?<=[(\[=<>≤≥/±])-)?
    (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:[.·]\d+)?|\d+(?:[.·]\d+)*|[.·]\d+)
    (?P<power>\^-?\d+)?
    (?:[\s-]?(?P<scale>{_SCALE}))?
    (?:\s?(?P<percent>%|{_PERCENT}))?
    """,
    re.VERBOSE,
)
#: After these, "one" or "two" at the end of a clause is a noun: "between the two", "a warfarin-based one".
_NOUNED = "|".join(rf"(?<={word}\s)" for word in ("the", "based", "other", "latter", "former", "lower", "higher"))
#: A number below a hundred; "one of the arms" has none.
_SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES)}))?"
    rf"|(?!(?:{_NOUNED})(?:one|two|three)\s?(?:[,.;)]|$))"
    r"(?!one\s(?:[^\W\d_]{1,20}\s){1,3}(?:as\s|than\s|and\s|or\s|to\s)?(?:in\s|with\s|of\s)?the\sother\b)"
    r"(?!(?<=the\s)two\s(?:arms|groups|sides|treatments|therapies|drugs|regimens|cohorts"
    r"|were|are|had|have|did|worked|showed|performed)\b)"
    r"(?!one\s+(?:of\s+(?:the|these|those|them|many|several)|another|or\s+more\s+of)\b)"
    rf"(?:{'|'.join((*_TEENS, *_ONES))}))\b"
)
#: A scale alone ("per hundred") counts as one of them, "several hundred" as none.
_WORD = re.compile(
    rf"(?<!\w)(?=[bdefhmnost])(?:{_SMALL}|(?<!\d[\s-])(?<!few\s)(?<!many\s)(?<!several\s){_SCALE})"
    rf"(?:[\s-]{_SCALE}|(?:(?<=dred)|(?<=sand)|(?<=lion))\s(?:and\s)?{_SMALL})*(?P<percent>\s+{_PERCENT})?"
)
#: A half and the like as a quantity: not in "half-life", "the second half", "a third dose", "one third-line drug".
_PART = re.compile(
    rf"""(?<![\w-])(?:
    (?:(?:a|one)[\s-])?(?<!first\s)(?<!second\s)(?<!former\s)(?<!latter\s)(?<!other\s)(?P<half>half)(?!-|\s+li(?:fe|ves)\b)
    |(?P<times>{"|".join(_ONES)})[\s-](?P<part>{"|".join(PARTS)})s?(?!-)
    |a\s(?P<one>{"|".join(PARTS)})(?=\s+(?:of|as|fewer|less|more|lower|higher|received|took|had|were)\b|\s*\W?$)
    )\b""",
    re.VERBOSE,
)
#: What stands between two numbers that share a percent sign ("22 and 17%", "10-20%"); a comma only before such a one.
_SHARES = re.compile(r"\s?(?:-|±|,?\s(?:and|or|to|versus|vs\.?|against))\s?")
_LISTS = re.compile(r",\s")
#: After these words, a percentage names an interval: "0.8 and 95% CI".
_INTERVAL = re.compile(r"\s?(?:ci|cis|confidence|credible|prediction)\b")
#: After a label a number is not a percentage: "n = 235 and 45%", "group 2 and 45%", "HR 0.9 to 95%".
_LABEL = re.compile(
    r"(?:[=<>≤≥:]|\b(?:n|p|hr|rr|ratio|weeks?|days?|months?|years?|grades?|phases?|stages?|cycles?|tables?|figures?"
    r"|groups?|arms?|cohorts?|levels?|pasi|acr|easi|asas|hiscr|sri)|\d%\sat)\s?$"
)
_HALVED = re.compile(r"\bhalv(?:ed?|es|ing)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,·])(\d{1,3}) (?=\d{3}(?!\d))")
#: A sign with a space before its number: "(- 35.9", "vs. - 30".
_SPACED_SIGN = re.compile(r"(?<=[(\[/])-\s(?=\d)|(?<=vs\.\s)-\s(?=\d)|(?<=versus\s)-\s(?=\d)|(?<=vs\s)-\s(?=\d)")
#: A minus sign right after its label: "95% CI-0.9".
_JOINED_SIGN = re.compile(r"(?<=\bci)(?=-\d)")
_DOLLARS = re.compile(r"\$us(?=\s?\d)|\bus\$")
_HALF_HOUR = re.compile(r"\bhalf an hour\b")
#: "67,5%" has a decimal comma.
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d{1,2}),(\d)(?=\s?%)")
_DECADE = re.compile(r"(?:\ba |\bone )?(?<!this )\bdecade\b")
#: "The closed one in both".
_PRONOUN = re.compile(
    r"\b((?:the|a|an|this|that) [a-z]{3,20}) one"
    r"(?=\s?[,.;)]|\s(?:in|at|with|for|on|by|after|and|or|than|was|were|is|had|did)\b|$)"
)
#: "3x10^9" is a product, not a name.
_TIMES = re.compile(r"(?<=\d)x(?=\d)")
#: A word of letters and digits: HER2, IL-6, NCT00045032; with what a hyphen joins to it, as in PD-L1.
_NAME = re.compile(
    r"(?<![^\W_])(?P<before>(?:[^\W\d_]+-){0,8})"
    r"(?P<core>(?:(?<!\d[.·])\d++(?:[.·]\d++)*+)?[^\W\d_]+[-._]?\d[^\W_]*(?:[.·]\d+)*)"
)
_RUN = re.compile(r"\d+(?:[.·]\d+)*|[^\W\d_]+")


class NumberSpan(NamedTuple):
    """A number as a token, and where it stands in a flattened text."""

    start: int
    end: int
    token: str


#: "The first year" is year 1; the limits of an interval may be written with or without "%".
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})(?= (?:day|week|month|year|cycle|visit)\b)")
_FOLD = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten)fold\b")
_LIMITS = re.compile(r"\b(?:ci|interval)\W{0,3}(?P<limits>\d[\d.]{0,6}%? ?(?:to|-|,) ?\d[\d.]{0,6}%)")


def read_numbers(text: str) -> tuple[str, ...]:
    """The numbers of a text in canonical form, in order: `0.66` for .66, 0·66 and 0.660; `1234` for 1,234; `12%` for
    12 percent; `21` for twenty-one; `1500000` for 1.5 million; `50%` for half; `2/3` for two thirds; `10^9` for 10⁹.
    Digits in names (HER2, IL-6) do not count."""
    return tuple(number.token for number in find_numbers(flatten_text(text)))


def find_numbers(flat: str) -> tuple[NumberSpan, ...]:
    """The numbers of a flattened text, in order and with their places."""
    found, rest = [], flat
    if any(part in flat for part in PARTS):
        found = [NumberSpan(*m.span(), _share_token(m)) for m in _PART.finditer(flat)]
        rest = _PART.sub(lambda match: " " * len(match[0]), flat)
    found += [NumberSpan(*m.span(), _canonical_token(m)) for m in _NUMBER.finditer(rest)]
    found += [
        NumberSpan(*m.span(), f"{_parse_number_words(m[0])}{'%' if m['percent'] else ''}") for m in _WORD.finditer(rest)
    ]
    found.sort()
    tokens = _spread_percent_signs(flat, found)
    return tuple(number._replace(token=token) for number, token in zip(found, tokens, strict=True))


def flatten_text(text: str) -> str:
    """The text in the form in which its numbers are searched."""
    flat = _DECIMAL_COMMA.sub(r"\1.\2", UNSPACED.sub(r" \g<0> ", normalize_text(text)))
    flat = _TIMES.sub("×", _SPACED_SIGN.sub("-", flat))
    flat = _DECADE.sub("10 years", _PRONOUN.sub(r"\1 kind", flat))
    return _HALF_HOUR.sub("30 minutes", _DOLLARS.sub("$", _JOINED_SIGN.sub(" ", flat)))


@lru_cache(maxsize=2_048)
def find_unsupported_numbers(statement: str, quote: str) -> tuple[str, ...]:
    """The numbers of the statement that its quote does not have, each once; compared as whole tokens.

    "12 345" is read both as one number and as two, on either side.
    """
    supported = _supported_numbers(quote)
    readings = (
        tuple(dict.fromkeys(token for token in _stated_numbers(reading) if token not in supported))
        for reading in (statement, _join_thousands(statement))
    )
    return min(readings, key=len)


def find_unsupported_names(statement: str, quote: str, known: Iterable[str]) -> tuple[str, ...]:
    """The words of letters and digits (NCT00045032, HR0.12) that stand in no known text, each once, unless the quote
    has their numbers ("phase-3"). Hyphens, blanks and case do not count: IL6 is IL-6."""
    texts = [flatten_text(text) for text in known]
    in_quote = _supported_numbers(quote)
    return tuple(
        dict.fromkeys(
            match["core"]
            for match in _NAME.finditer(flatten_text(statement))
            if not any(form.search(text) for form in _name_patterns(match) for text in texts)
            and not {token for digits in re.findall(r"\d[\d.·]*", match["core"]) for token in read_numbers(digits)}
            <= in_quote
        )
    )


def _stated_numbers(reading: str) -> tuple[str, ...]:
    """The numbers of a statement; "halved" counts as a half."""
    return (*read_numbers(reading), *(("50%",) if _HALVED.search(normalize_text(reading)) else ()))


def _supported_numbers(quote: str) -> set[str]:
    halved = {"50%"} if _HALVED.search(normalize_text(quote)) else set[str]()
    plain = normalize_text(quote)
    ordinals = {str(_ORDINALS.index(match[1]) + 1) for match in _ORDINAL.finditer(plain)}
    limits = {token.rstrip("%") for match in _LIMITS.finditer(plain) for token in read_numbers(match["limits"])}
    limits |= {f"{token}%" for token in limits}
    folds = {str(NUMBER_WORDS[match[1]]) for match in _FOLD.finditer(plain)}
    return {*folds, *read_numbers(quote), *read_numbers(_join_thousands(quote)), *halved, *ordinals, *limits}


def _name_patterns(name: re.Match[str]) -> Iterator[re.Pattern[str]]:
    """Patterns for a name: alone, then with more and more of the parts that hyphens join to it."""
    parts = [*filter(None, name["before"].split("-")), name["core"]]
    for start in reversed(range(len(parts))):
        runs = _RUN.findall("-".join(parts[start:]))
        written = r"[\W_]{0,3}".join("-?".join(map(re.escape, run)) for run in runs)
        before = r"(?<!\d)(?<!\d[.·])" if runs[0][0].isdigit() else r"(?<![^\W\d_])"
        yield re.compile(before + written + (r"(?![.·]?\d)" if runs[-1][0].isdigit() else r"(?![^\W\d_])"))


def _join_thousands(text: str) -> str:
    return _SPACED_THOUSANDS.sub(r"\1,", normalize_text(text))


def _spread_percent_signs(flat: str, found: Sequence[NumberSpan]) -> tuple[str, ...]:
    """The tokens, with the percent sign of a list at each of its numbers: "10, 20 and 30%", "five to ten percent".

    A comma joins no number to one with a sign of its own ("HR 0.98, 95% CI", "of 235, 45% and 12%"), and the percent
    sign of an interval is its own.
    """
    tokens = [number.token for number in found]
    has_label = _find_labelled(flat, found)
    in_list = False
    for n in range(len(found) - 2, -1, -1):
        left, right = found[n], found[n + 1]
        between = flat[left.end : right.start]
        joined = _SHARES.fullmatch(between)
        in_list = bool(
            (joined or (in_list and "%" not in right.token and _LISTS.fullmatch(between)))
            and tokens[n + 1].endswith("%")
            and not _INTERVAL.match(flat, right.end)
            and not (has_label[n] or _YEAR.fullmatch(left.token))
        )
        if in_list and "%" not in tokens[n]:
            tokens[n] += "%"
    return tuple(tokens)


def _find_labelled(flat: str, found: Sequence[NumberSpan]) -> list[bool]:
    """Whether each number has a label, itself or at the beginning of its list: "weeks 4, 8"."""
    has_label: list[bool] = []
    for n, number in enumerate(found):
        between = flat[found[n - 1].end : number.start] if n else ""
        joined = between and (_SHARES.fullmatch(between) or _LISTS.fullmatch(between))
        before = flat[max(0, number.start - 12) : number.start]
        has_label.append(bool(_LABEL.search(before) or (joined and has_label[-1] and "%" not in found[n - 1].token)))
    return has_label


def _canonical_token(match: re.Match[str]) -> str:
    digits = match["digits"].replace("·", ".").replace(",", "")
    if digits.count(".") > 1:
        return digits
    if match["scale"]:
        digits = f"{Decimal(digits) * _SCALES[match['scale']]:f}"
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    value = f"{whole}.{part}" if part else whole
    return (match["sign"] or "") + value + (match["power"] or "") + ("%" if match["percent"] else "")


def _parse_number_words(words: str) -> int:
    """The number in words: 203,500 for "two hundred and three thousand five hundred"."""
    total = below = 0
    for word in re.findall(r"[a-z]+", words):
        scale = _SCALES.get(word, 0)
        if scale >= 1_000:
            total, below = total + (below or 1) * scale, 0
        else:
            below = (below or 1) * scale if scale else below + NUMBER_WORDS.get(word, 0)
    return total + below


def _share_token(match: re.Match[str]) -> str:
    """A fraction as a token, in percent where that is a whole number."""
    times = NUMBER_WORDS[match["times"]] if match["times"] else 1
    share = Fraction(times, PARTS[match["half"] or match["part"] or match["one"]])
    return f"{share * 100}%" if (share * 100).denominator == 1 else str(share)
