"""Reads the values of a model's reply leniently: what is not of the asked form becomes empty, and the rest stays."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator

#: Characters read of one text, and how many entries of a list.
MAX_VALUE, _ENTRIES = 2_000, 200


def read_text(value: Any) -> str:
    """The text, or a number as text; empty for anything else."""
    return str(value)[:MAX_VALUE] if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def read_texts(value: Any) -> list[str]:
    """The texts of a list that are not empty; one text alone is a list of its lines, or of what commas separate."""
    if isinstance(value, str):
        text = value[:MAX_VALUE]
        value = text.splitlines() if "\n" in text else text.split(",")
    entries = value[:_ENTRIES] if isinstance(value, list | tuple) else []
    return [text for text in (read_text(entry).strip() for entry in entries) if text]


def read_weight(value: Any) -> float:
    """A number that is not negative; 0.5 for anything else."""
    try:
        weight = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.5
    return max(0.0, weight) if math.isfinite(weight) else 0.5


def read_number(value: Any) -> float | None:
    """A number, or a text that is one; None for anything else, and for what is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def read_share(value: Any) -> float:
    """A number from 0 to 1, to which others are moved; 0 for anything else."""
    return min(1.0, max(0.0, read_number(value) or 0.0))


def read_entries(value: Any) -> Any:
    """The first entries of a list; none of anything else."""
    return list(value)[:_ENTRIES] if isinstance(value, list | tuple) else []


def read_mapping(value: Any) -> Any:
    """The value if it has fields; an entry without any otherwise."""
    return value if isinstance(value, dict) else {}


Text = Annotated[str, BeforeValidator(read_text)]
Texts = Annotated[list[str], BeforeValidator(read_texts)]
Weight = Annotated[float, BeforeValidator(read_weight)]
Number = Annotated[float | None, BeforeValidator(read_number)]
Share = Annotated[float, BeforeValidator(read_share)]
