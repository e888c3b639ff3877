"""Read single values of foreign records safely, whatever their type."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from storm.models.identifiers import normalize_url

#: Characters of a text, which is divided into sections, and of a line or paragraph, which is read as a whole. Longer
#: ones are cut off here, with CUT_OFF at their end.
MAX_TEXT, MAX_LINE = 1_000_000, 300_000
CUT_OFF = " [… cut off here by storm: it is longer than {most:,} characters]"
#: Longer addresses are dropped.
MAX_ADDRESS = 2000

#: Invisible characters: controls, lone surrogates, soft hyphens, zero-width, direction and annotation marks, tags.
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
#: Spaces and line ends that only some programs recognise.
_ODD_SPACE = re.compile(r"[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")


def as_mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def mapping_at(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at a path of keys, or an empty one."""
    for name in path:
        value = as_mapping(value).get(name)
    return as_mapping(value)


def as_list(value: Any) -> list[Any]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def clean_characters(text: str) -> str:
    """The text without invisible characters, which could hide words or reverse their order, and with plain hyphens for
    those of typesetters (U+2010, U+2011): words are written with them in one way."""
    return _INVISIBLE.sub("", text).replace("\u2010", "-").replace("\u2011", "-")


def clean_text(value: Any) -> str:
    """A text value without invisible characters and outer white space; empty if not a text or number."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _ODD_SPACE.sub(" ", clean_characters(cut_off(str(value), MAX_TEXT))).strip()


def text_line(value: Any) -> str:
    """A text value on one line, its white space collapsed; empty if not a text or number."""
    return " ".join(clean_text(cut_off(value, MAX_LINE) if isinstance(value, str) else value).split())


def cut_off(text: str, most: int) -> str:
    """The text, or so many of its characters and a note that the rest is left out."""
    return text if len(text) <= most else text[:most] + CUT_OFF.format(most=most)


def text_lines(value: Any, *, distinct: bool = True) -> tuple[str, ...]:
    """The text values of an array, each on one line; a single value counts as an array of one. Unless they must be
    `distinct`, repeated ones stay: two authors may have one name."""
    texts = filter(None, map(text_line, value if isinstance(value, list) else [value]))
    return tuple(dict.fromkeys(texts) if distinct else texts)


def web_address(value: Any) -> str | None:
    """An http or https address exactly as written; None for other text, or with spaces or invisible characters.

    No character is dropped: without it, the address would be another one.
    """
    text = value.strip() if isinstance(value, str) else ""
    is_plain = text.isprintable() and " " not in text and len(text) <= MAX_ADDRESS
    return text if is_plain and normalize_url(text) is not None else None


def read_quantity(value: Any) -> float | None:
    """A finite number, also from a text; None for anything else."""
    try:
        number = float(text_line(value))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def end_sentence(text: str) -> str:
    """End the text with a full stop unless it ends with `.`, `!` or `?`."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
