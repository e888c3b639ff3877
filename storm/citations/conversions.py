"""Values written otherwise than in their quote: three years for 36 months, "lost 20.9%" for -20.9%; nothing rounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from storm.citations import vocabulary
from storm.citations.numbers import read_numbers
from storm.citations.quotes import normalize
from storm.citations.terms import stem

#: How many of the first unit of its family a unit is; of different families nothing is converted.
_UNITS = {
    "month": ("months", 1), "year": ("months", 12),
    "min": ("minutes", 1), "minute": ("minutes", 1), "hour": ("minutes", 60), "day": ("minutes", 1_440),
    "week": ("minutes", 10_080),
    "mcg": ("mcg", 1), "microgram": ("mcg", 1), "mg": ("mcg", 1_000), "milligram": ("mcg", 1_000),
    "g": ("mcg", 1_000_000), "gram": ("mcg", 1_000_000), "kg": ("mcg", 1_000_000_000),
}  # fmt: skip
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eighteen|twenty-four|thirty-six"
_MEASURED = re.compile(
    rf"(?<![\w.,·-])(?P<number>\d{{1,9}}(?:[.,·]\d{{1,6}})?|{_WORDS})(?P<joint>[\s-]?)"
    r"(?P<unit>months?|years?|min(?:ute)?s?|hours?|days?|weeks?|mcg|micrograms?|mg|milligrams?|g|grams?|kg)\b",
    re.IGNORECASE,
)
#: A number that is no dose and no time: these have no sign.
_PLAIN = re.compile(
    r"(?<![\w.,·−-])(?P<sign>[−-])?(?P<digits>\d{1,9}(?:[.·]\d{1,6})?)(?P<percent>\s?(?:%|per\s?cent\b(?!age)))?"
    r"(?![\d.·]\d|\w|[\s-]?(?:days?|weeks?|months?|years?|hours?)\b)",
    re.IGNORECASE,
)
#: A ratio below one says by how many percent a risk is less.
_RATIO = re.compile(
    r"\b(?:HR|RR|hazard ratio|relative risk|risk ratio|rate ratio)"
    r"(?: \(\w{1,4}\)| \[\w{1,4}\])?\W{0,4}(?P<ratio>0[.·]\d\d)\b"
)
_PERCENTAGE = re.compile(r"(?<![\w.,·-])\d{1,2}\s?(?:%|percent\b|per cent\b)")
_RISK = re.compile(r"\b(?:risk|hazard|rate|likely|mortality)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
#: By how many percentage points a share may be below and above what it is roughly said to be.
_ROUGHLY = {
    **dict.fromkeys(("about", "around", "approximately", "roughly", "some"), (-3, 3)),
    **dict.fromkeys(("almost", "nearly", "just under", "close to", "not quite"), (-5, 0)),
    **dict.fromkeys(("under", "less than", "fewer than"), (-10, 0)),
    **dict.fromkeys(("over", "more than", "just over", "slightly more than"), (0, 10)),
}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_TIMES_OF = {"two": 2, "three": 3, "four": 4}
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_ONE_IN = re.compile(
    rf"\b(?P<some>{'|'.join(_COUNTS)}) (?:in|out of|of|of every|in every) (?P<all>{'|'.join(_COUNTS)})\b", re.IGNORECASE
)
_ROUGH = re.compile(
    rf"\b(?P<how>{'|'.join(sorted(_ROUGHLY, key=len, reverse=True))})\s"
    r"(?:an?\s|one[\s-])?(?:(?P<times>two|three|four)[\s-])?(?P<part>half|thirds?|quarters?|fifths?|tenths?)\b(?!-|\sli(?:fe|ves))",
    re.IGNORECASE,
)


def align_values(statement: str, quote: str) -> str:
    """The statement with each value as its quote writes it, where that is exactly the same."""
    statement = _align_ratios(statement, quote)
    return _align_signs(_align_shares(_align_units(statement, quote), quote), quote)


def mentions_only_decrease(text: str) -> bool:
    """Whether the text speaks of less or of a loss, and of nothing that is more."""
    words = {stem(word) for word in _WORD.findall(normalize(text))}
    return bool(words & _direction_stems(vocabulary.DOWN + " loss lose lost losing")) and not words & _direction_stems(
        vocabulary.UP + " gain gained"
    )


@cache
def _direction_stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split())) - _degree_stems()


@cache
def _degree_stems() -> frozenset[str]:
    """How large a change is, not which way it goes: "a greater reduction"."""
    return frozenset(map(stem, ("more", "greater", "larger", "bigger", "less", "smaller", "fewer")))


def _align_units(statement: str, quote: str) -> str:
    held: dict[tuple[str, Fraction], re.Match[str]] = {}
    for match in _MEASURED.finditer(normalize(quote)):
        held.setdefault(_measured_amount(match), match)
    written = {match[0].lower() for match in held.values()}

    def aligned(match: re.Match[str]) -> str:
        own = held.get(_measured_amount(match))
        same_unit = own and _canonical_unit(own) == _canonical_unit(match)
        return match[0] if own is None or same_unit or match[0].lower() in written else f"{own['number']} {own['unit']}"

    return _MEASURED.sub(aligned, statement)


def _align_ratios(statement: str, quote: str) -> str:
    """The statement with "a 29% lower risk" as the hazard ratio of 0.71 that says so."""
    ratios = {
        f"{100 - round(100 * float(match['ratio'].replace('·', '.')))}%": match["ratio"]
        for match in _RATIO.finditer(quote)
    }
    if not (ratios and _RISK.search(statement) and mentions_only_decrease(statement)):
        return statement
    held = set(read_numbers(quote))

    def aligned(match: re.Match[str]) -> str:
        share = (*read_numbers(match[0]), "")[0]
        return match[0] if share in held or share not in ratios else ratios[share]

    return _PERCENTAGE.sub(aligned, statement)


def _align_shares(statement: str, quote: str) -> str:
    """The statement with "nearly half" as the one percentage of the quote that this can be."""
    if not (_ROUGH.search(statement) or _ONE_IN.search(statement)):
        return statement
    told = set(read_numbers(statement))
    shares = [token for token in dict.fromkeys(read_numbers(quote)) if re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?%", token)]

    def aligned(match: re.Match[str]) -> str:
        part = (
            Fraction(100, 1)
            * _TIMES_OF.get((match["times"] or "").lower(), 1)
            / _PARTS[match["part"].lower().rstrip("s")]
        )
        low, high = _ROUGHLY[match["how"].lower()]
        near = [token for token in shares if low <= Fraction(token[:-1]) - part <= high]
        near = [token for token in near if token in told] or near
        return near[0] if len(near) == 1 else match[0]

    return _ROUGH.sub(aligned, _ONE_IN.sub(_as_share(shares, told), statement))


def _as_share(shares: Sequence[str], told: set[str]) -> Callable[[re.Match[str]], str]:
    """ "Two in three" as the one percentage that this can be."""

    def aligned(match: re.Match[str]) -> str:
        part = Fraction(100 * _COUNTS[match["some"].lower()], _COUNTS[match["all"].lower()])
        near = [token for token in shares if abs(Fraction(token[:-1]) - part) <= _ROUGHLY["about"][1]]
        near = [token for token in near if token in told] or near
        return near[0] if len(near) == 1 else match[0]

    return aligned


def _measured_amount(match: re.Match[str]) -> tuple[str, Fraction]:
    family, size = _UNITS[_canonical_unit(match)]
    token = (*read_numbers(match["number"]), "0")[0]
    return family, (Fraction(token) if re.fullmatch(r"\d+(?:\.\d+)?", token) else Fraction(0)) * size


def _canonical_unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower()
    return unit if unit in _UNITS else unit.rstrip("s")


def _align_signs(statement: str, quote: str) -> str:
    held = set(read_numbers(quote))
    fallen, quote_falls = mentions_only_decrease(statement), mentions_only_decrease(quote)

    def aligned(match: re.Match[str]) -> str:
        token = (*read_numbers(match["digits"]), "")[0] + ("%" if match["percent"] else "")
        if match["sign"]:
            return match[0][1:] if quote_falls and token in held and f"-{token}" not in held else match[0]
        return f"-{match[0]}" if fallen and f"-{token}" in held and token not in held else match[0]

    return _PLAIN.sub(aligned, statement)
