"""Values written otherwise than in their quote: three years for 36 months, "lost 20.9%" for -20.9%; nothing rounded."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from storm.citations import vocabulary
from storm.citations.numbers import numbers
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
    r"(?<![\w.,·-])(?P<sign>-)?(?P<digits>\d{1,9}(?:[.·]\d{1,6})?)(?P<percent>\s?(?:%|per\s?cent\b(?!age)))?"
    r"(?![\d.·]\d|\w|[\s-]?(?:mg|mcg|g|kg|ml|days?|weeks?|months?|years?|hours?)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+")


def align_values(statement: str, quote: str) -> str:
    """The statement with each value as its quote writes it, where that is exactly the same."""
    return _align_signs(_align_units(statement, quote), quote)


def falls(text: str) -> bool:
    """Whether the text speaks of less or of a loss, and of nothing that is more."""
    words = {stem(word) for word in _WORD.findall(normalize(text))}
    return bool(words & _stems(vocabulary.DOWN + " loss lose lost losing")) and not words & _stems(
        vocabulary.UP + " gain gained"
    )


@cache
def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split())) - _degrees()


@cache
def _degrees() -> frozenset[str]:
    """How large a change is, not which way it goes: "a greater reduction"."""
    return frozenset(map(stem, ("more", "greater", "larger", "bigger", "less", "smaller", "fewer")))


def _align_units(statement: str, quote: str) -> str:
    held: dict[tuple[str, Fraction], re.Match[str]] = {}
    for match in _MEASURED.finditer(normalize(quote)):
        held.setdefault(_amount(match), match)
    written = {match[0].lower() for match in held.values()}

    def aligned(match: re.Match[str]) -> str:
        own = held.get(_amount(match))
        same_unit = own and _unit(own) == _unit(match)
        return match[0] if own is None or same_unit or match[0].lower() in written else f"{own['number']} {own['unit']}"

    return _MEASURED.sub(aligned, statement)


def _amount(match: re.Match[str]) -> tuple[str, Fraction]:
    family, size = _UNITS[_unit(match)]
    token = (*numbers(match["number"]), "0")[0]
    return family, (Fraction(token) if re.fullmatch(r"\d+(?:\.\d+)?", token) else Fraction(0)) * size


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower()
    return unit if unit in _UNITS else unit.rstrip("s")


def _align_signs(statement: str, quote: str) -> str:
    held = set(numbers(quote))
    fallen, quote_falls = falls(statement), falls(quote)

    def aligned(match: re.Match[str]) -> str:
        token = (*numbers(match["digits"]), "")[0] + ("%" if match["percent"] else "")
        if match["sign"]:
            return match[0][1:] if quote_falls and token in held and f"-{token}" not in held else match[0]
        return f"-{match[0]}" if fallen and f"-{token}" in held and token not in held else match[0]

    return _PLAIN.sub(aligned, statement)
