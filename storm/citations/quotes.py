"""Whether a quote stands word for word in a text.

White space, Unicode forms, dashes, quotation marks and case do not count; every other character does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from storm.models import Hit, Span
from storm.models.normal_forms import normal_form

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_MARKS = dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-") | dict.fromkeys("‘’‚‛′`´‹›＇", "'") | dict.fromkeys("“”„‟″«»＂", '"')
#: Characters without a width: a soft hyphen or a joiner is not a letter of the word that holds it.
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_WORD = re.compile(r"\w")
#: Letters of scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_REST = re.compile(rf"(?:(?!{UNSPACED.pattern})\w)*")
#: Combining marks, and the vowels and finals of Hangul.
_COMBINING = r"[\u0300-\u036f\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]"
#: Characters that become one other each, whatever stands beside them: of ASCII, Latin, Greek, Cyrillic and Chinese.
SIMPLE = rf"[!-~À-ÖØ-Þà-öø-ÿΑ-ΡΣ-Ωα-ωА-я\u3400-\u4dbf\u4e00-\u9fff{''.join(_MARKS)}]"
#: Words of such characters, white space, a run of superscripts, or one character with its combining marks.
_PIECE = re.compile(
    rf"(?P<words>{SIMPLE}+(?: {SIMPLE}+)*(?!{_COMBINING}))|(?P<space>\s+)"
    rf"|(?P<raised>[{re.escape(''.join(_SUPERSCRIPTS))}]+)|(?s:.){_COMBINING}*"
)
_TABLE = str.maketrans(_MARKS)
#: The title's name among the sections of a record.
TITLE = "Title"


class Located(NamedTuple):
    """A quote as a record has it, the name of the section that it stands in, and its place in that section's text."""

    text: str
    section: str
    span: Span
    within: str


class _NormalText(NamedTuple):
    """A normalised text in segments, with the start of each here and in the original."""

    text: str
    starts: tuple[int, ...]
    offsets: tuple[int, ...]

    def original_offset(self, at: int) -> int:
        """The offset in the original of the character there."""
        segment = bisect_right(self.starts, at) - 1
        return self.offsets[segment] + at - self.starts[segment]


def normalize_text(text: str) -> str:
    """The form in which quotes are compared: one space between words, NFKC, plain dashes and quotation marks, small
    letters; superscripts are written `^9` and subscripts plain, so that 10⁹ never becomes 109."""
    return _normalize_with_offsets(text).text.strip()


def find_quote(quote: str, text: str) -> Span | None:
    """Where the quote stands in the text, word for word, as a span of the original; None if it does not.

    A quote must not start or end inside a number, nor inside a word where blanks separate words.
    """
    wanted = normalize_text(quote)
    if not _WORD.search(wanted):
        return None
    normal = _normalize_with_offsets(text)
    at = normal.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        beyond = at + 1
        if _cuts_word(normal.text, at):
            beyond = max(beyond, _end_of_word(normal.text, at))
        elif not _cuts_word(normal.text, end):
            return _span_in_original(text, normal, at, end)
        at = normal.text.find(wanted, beyond)
    return None


def count_words(text: str) -> int:
    """The words of a text; in scripts without blanks two letters count as one."""
    return len(UNSPACED.sub(" ", text).split()) + len(UNSPACED.findall(text)) // 2


def locate_quote(quote: str, hit: Hit) -> Located | None:
    """Where the quote stands in a record: in one section, in one row of a table, or in the title."""
    places = [(section.text, section.name, bool(section.rows)) for section in hit.sections]
    for find in (_find_unnormalized, find_quote):  # normalising is slow and rarely needed
        for text, name, is_table in (*places, (hit.title, TITLE, False)):
            span = find(quote, text)
            if span and not (is_table and "\n\n" in span.text):
                return Located(span.text, name, span, text)
    return None


def is_quote_verified(quote: str, hit: Hit) -> bool:
    """Whether the quote stands in the record's text, or in its title."""
    return locate_quote(quote, hit) is not None


def _find_unnormalized(quote: str, text: str) -> Span | None:
    """Where the quote stands in the text unchanged, with white space around it."""
    words = quote.strip()
    at = text.find(words)
    end = at + len(words)
    is_apart = at >= 0 and not text[max(0, at - 1) : at].strip() and not text[end : end + 1].strip()
    return Span(at, end, words) if is_apart and _WORD.search(normalize_text(words)) else None


def _span_in_original(text: str, normal: _NormalText, at: int, end: int) -> Span:
    start = normal.original_offset(at)
    stop = normal.original_offset(end) if end < len(normal.text) else len(text)
    piece = text[start:stop]
    return Span(start, start + len(piece.rstrip()), piece.rstrip())


def _cuts_word(text: str, at: int) -> bool:
    """Whether this place of a normalised text is inside a word or a number."""
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    left, right = before[-1], after[0]
    if UNSPACED.match(left) or UNSPACED.match(right):
        return False
    if _is_word_character(left) and _is_word_character(right):
        return True
    if right in "-^" and left.isalnum():
        return len(after) > 1 and after[1].isalnum()
    if left in "-^" and right.isalnum():
        return right.isdigit() or before[0].isalnum()
    if right in ".,·" and left.isdigit():
        return len(after) > 1 and after[1].isdigit()
    return left in ".,·" and right.isdigit() and (len(before) < 2 or not before[0].isalpha())


def _end_of_word(text: str, at: int) -> int:
    """Where the word at this place ends: no quote begins before that."""
    rest = _REST.match(text, at)
    return rest.end() if rest else at


def _is_word_character(char: str) -> bool:
    return char.isalnum() or char == "_"


@lru_cache(maxsize=8_192)
def _normalize_with_offsets(text: str) -> _NormalText:
    made: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    length = 0
    for match in _PIECE.finditer(text):
        kind, piece, place = match.lastgroup, match[0], match.start()
        for segment in _normalize_run(kind, piece) if kind else _normalize_character(piece):
            if segment == " " and made and made[-1] == " ":
                continue
            made.append(segment)
            starts.append(length)
            places.append(place)
            length += len(segment)
    return _NormalText("".join(made), tuple(starts), tuple(places))


def _normalize_run(kind: str, piece: str) -> Sequence[str]:
    """The normalised text of words, white space or superscripts, in parts that begin where the run does."""
    if kind == "words":
        return (piece.casefold().translate(_TABLE),)
    if kind == "space":
        return (" ",)
    return ("^", "".join(map(_SUPERSCRIPTS.__getitem__, piece)))


@lru_cache(maxsize=4096)
def _normalize_character(piece: str) -> Sequence[str]:
    """The same for one character with its combining marks."""
    if piece[0] in _INVISIBLE:
        return ()
    if plain := _MARKS.get(piece[0]):
        return (plain,)
    return tuple(normal_form("NFKC", normal_form("NFKC", piece).casefold()))
