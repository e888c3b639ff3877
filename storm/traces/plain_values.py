"""Values as every database takes them: no NUL characters, halves of characters, infinities or numbers that are none."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any


def make_storable(text: str) -> str:
    """The text with U+FFFD for what PostgreSQL or UTF-8 refuses."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def make_storable_value(value: Any) -> Any:
    """A JSON value with clean texts, and None for numbers that JSON does not have."""
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {make_storable(str(key)): make_storable_value(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [make_storable_value(each) for each in value]
    return value


def write_json(value: Any) -> str:
    """The value as JSON whose letters can be searched for."""
    return json.dumps(make_storable_value(value), ensure_ascii=False, separators=(",", ":"))
