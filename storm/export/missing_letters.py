"""Letters that the fonts of a PDF lack, written in Latin letters instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from html import escape
from itertools import groupby

from anyascii import anyascii

#: How typst names a text that its fonts cannot show: a string literal of Rust.
_NOT_DISPLAYED = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")


def read_missing_letters(message: str) -> set[str]:
    """The letters that the compiler's message names as lacking in its fonts."""
    named = "".join(_NOT_DISPLAYED.findall(message))
    return {letter for letter in _ESCAPE.sub(lambda code: chr(int(code[1], 16)), named) if not letter.isascii()}


def replace_letters(text: str, missing: Set[str], write: Callable[[Iterable[str]], str] | None = None) -> str:
    """The text with each run of missing letters in Latin letters, "⟨WangWei⟩", or by codes where they have none."""
    if missing.isdisjoint(text):
        return text
    write = write or write_in_latin
    runs = groupby(text, key=missing.__contains__)
    return "".join(f"⟨{write(run)}⟩" if is_missing else "".join(run) for is_missing, run in runs)


def replace_in_svg(svg: str, missing: Set[str]) -> str:
    """The same in a picture, where the Latin letters must not become markup."""
    return replace_letters(svg, missing, lambda run: escape(write_in_latin(run)))


def write_in_latin(letters: Iterable[str]) -> str:
    """The letters in Latin letters, or by codes where they have none: "WangWei", "U+0489"."""
    return "".join(anyascii(letter).strip() or name_letter(letter) for letter in letters)


def name_letter(letter: str) -> str:
    """The code of a letter: "U+738B"."""
    return f"U+{ord(letter):04X}"
