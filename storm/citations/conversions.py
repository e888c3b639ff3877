"""Values rewritten as their quote has them: 36 months for three years, -20.9% for "lost 20.9%"; nothing is rounded."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from storm.citations import vocabulary
from storm.citations.numbers import NUMBER_WORDS, PARTS, read_numbers
from storm.citations.quotes import normalize_text
from storm.citations.terms import stem_word

#: Each unit's family, and its size in the smallest unit of that family; families are not converted into each other.
_UNITS = {
    "month": ("months", 1), "year": ("months", 12),
    "min": ("minutes", 1), "minute": ("minutes", 1), "hour": ("minutes", 60), "day": ("minutes", 1_440),
    "week": ("minutes", 10_080),
    "mcg": ("mcg", 1), "microgram": ("mcg", 1), "mg": ("mcg", 1_000), "milligram": ("mcg", 1_000),
    "g": ("mcg", 1_000_000), "gram": ("mcg", 1_000_000), "kg": ("mcg", 1_000_000_000),
}  # fmt: skip
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eighteen|twenty-four|thirty-six"
_MEASURED = re.compile(
    rf"(?<![\w.,·-])(?P<number>\d{{1,9}}(?:[.,·]\d{{1,6}})?|{_WORDS})(?P<joint>[\s-]?(?:consecutive\s)?)"
    r"(?P<unit>months?|years?|min(?:ute)?s?|hours?|days?|weeks?|mcg|micrograms?|mg|milligrams?|g|grams?|kg)\b",
    re.IGNORECASE,
)
#: A number that is neither a dose nor a time, so that it may have a sign.
_PLAIN = re.compile(
    r"(?<![\w.,·−-])(?P<sign>[−-])?(?P<digits>\d{1,9}(?:[.·]\d{1,6})?)(?P<percent>\s?(?:%|per\s?cent\b(?!age)))?"
    r"(?![\d.·]\d|\w|[\s-]?(?:days?|weeks?|months?|years?|hours?)\b)",
    re.IGNORECASE,
)
#: A ratio below one states a risk reduction in percent.
_RATIO = re.compile(
    r"\b(?:HR|RR|hazard ratio|relative risk|risk ratio|rate ratio)"
    r"(?: \(\w{1,4}\)| \[\w{1,4}\])?\W{0,4}(?P<ratio>0[.·]\d\d)\b"
)
_PERCENTAGE = re.compile(r"(?<![\w.,·-])\d{1,2}\s?(?:%|percent\b|per cent\b)")
_RISK = re.compile(r"\b(?:risk|hazard|rate|likely|mortality)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
#: How many percentage points a share may lie below and above its approximate wording.
_ROUGHLY = {
    **dict.fromkeys(("about", "around", "approximately", "roughly", "some"), (-3, 3)),
    **dict.fromkeys(("almost", "nearly", "just under", "close to", "not quite"), (-5, 0)),
    **dict.fromkeys(("under", "less than", "fewer than"), (-10, 0)),
    **dict.fromkeys(("over", "more than", "just over", "slightly more than"), (0, 10)),
}
_COUNT = "|".join(word for word, number in NUMBER_WORDS.items() if number <= 10)
_ONE_IN = re.compile(rf"\b(?P<some>{_COUNT}) (?:in|out of|of|of every|in every) (?P<all>{_COUNT})\b", re.IGNORECASE)
_ROUGH = re.compile(
    rf"\b(?P<how>{'|'.join(sorted(_ROUGHLY, key=len, reverse=True))})\s"
    r"(?:an?\s|one[\s-])?(?:(?P<times>two|three|four)[\s-])?(?P<part>half|thirds?|quarters?|fifths?|tenths?)\b(?!-|\sli(?:fe|ves))",
    re.IGNORECASE,
)


def align_values(statement: str, quote: str) -> str:
    """The statement with each value as its quote writes it, where both are exactly equal."""
    statement = _align_ratios(statement, quote)
    return _align_signs(_align_shares(_align_units(statement, quote), quote), quote)


def mentions_only_decrease(text: str) -> bool:
    """Whether the text mentions a decrease or a loss, and no increase."""
    words = {stem_word(word) for word in _WORD.findall(normalize_text(text))}
    return bool(words & _direction_stems(vocabulary.DOWN + " loss lose lost losing")) and not words & _direction_stems(
        vocabulary.UP + " gain gained"
    )


@cache
def _direction_stems(words: str) -> frozenset[str]:
    return frozenset(map(stem_word, words.split())) - _degree_stems()


@cache
def _degree_stems() -> frozenset[str]:
    """Words for the size of a change, not its direction: "a greater reduction"."""
    return frozenset(map(stem_word, ("more", "greater", "larger", "bigger", "less", "smaller", "fewer")))


def _align_units(statement: str, quote: str) -> str:
    in_quote: dict[tuple[str, Fraction], re.Match[str]] = {}
    for match in _MEASURED.finditer(normalize_text(quote)):
        in_quote.setdefault(_measured_amount(match), match)
    written = {match[0].lower() for match in in_quote.values()}

    def align_unit(match: re.Match[str]) -> str:
        own = in_quote.get(_measured_amount(match))
        same_unit = own and _canonical_unit(own) == _canonical_unit(match)
        return match[0] if own is None or same_unit or match[0].lower() in written else f"{own['number']} {own['unit']}"

    return _MEASURED.sub(align_unit, statement)


def _align_ratios(statement: str, quote: str) -> str:
    """The statement with the hazard ratio (0.71) in place of the reduction that it states ("a 29% lower risk")."""
    ratios = {
        f"{100 - round(100 * float(match['ratio'].replace('·', '.')))}%": match["ratio"]
        for match in _RATIO.finditer(quote)
    }
    if not (ratios and _RISK.search(statement) and mentions_only_decrease(statement)):
        return statement
    in_quote = set(read_numbers(quote))

    def align_ratio(match: re.Match[str]) -> str:
        share = (*read_numbers(match[0]), "")[0]
        return match[0] if share in in_quote or share not in ratios else ratios[share]

    return _PERCENTAGE.sub(align_ratio, statement)


def _align_shares(statement: str, quote: str) -> str:
    """The statement with the quote's percentage in place of "nearly half" or "two in three", where only one fits."""
    if not (_ROUGH.search(statement) or _ONE_IN.search(statement)):
        return statement
    stated = set(read_numbers(statement))
    shares = [token for token in dict.fromkeys(read_numbers(quote)) if re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?%", token)]

    def closest_share(match: re.Match[str], part: Fraction, margins: tuple[int, int]) -> str:
        near = [token for token in shares if margins[0] <= Fraction(token[:-1]) - part <= margins[1]]
        near = [token for token in near if token in stated] or near
        return near[0] if len(near) == 1 else match[0]

    def align_rough(match: re.Match[str]) -> str:
        part = Fraction(100 * NUMBER_WORDS[(match["times"] or "one").lower()], PARTS[match["part"].lower().rstrip("s")])
        return closest_share(match, part, _ROUGHLY[match["how"].lower()])

    def align_one_in(match: re.Match[str]) -> str:
        part = Fraction(100 * NUMBER_WORDS[match["some"].lower()], NUMBER_WORDS[match["all"].lower()])
        return closest_share(match, part, _ROUGHLY["about"])

    return _ROUGH.sub(align_rough, _ONE_IN.sub(align_one_in, statement))


def _measured_amount(match: re.Match[str]) -> tuple[str, Fraction]:
    family, size = _UNITS[_canonical_unit(match)]
    token = (*read_numbers(match["number"]), "0")[0]
    return family, (Fraction(token) if re.fullmatch(r"\d+(?:\.\d+)?", token) else Fraction(0)) * size


def _canonical_unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower()
    return unit if unit in _UNITS else unit.rstrip("s")


def _align_signs(statement: str, quote: str) -> str:
    in_quote = set(read_numbers(quote))
    is_fall, is_fall_in_quote = mentions_only_decrease(statement), mentions_only_decrease(quote)

    def align_sign(match: re.Match[str]) -> str:
        token = (*read_numbers(match["digits"]), "")[0] + ("%" if match["percent"] else "")
        if match["sign"]:
            return match[0][1:] if is_fall_in_quote and token in in_quote and f"-{token}" not in in_quote else match[0]
        return f"-{match[0]}" if is_fall and f"-{token}" in in_quote and token not in in_quote else match[0]

    return _PLAIN.sub(align_sign, statement)
