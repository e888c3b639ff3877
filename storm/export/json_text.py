"""The JSON of all files that storm writes whole."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """Encode a value: indented, not ASCII-escaped."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def json_bytes(text: str) -> bytes:
    """The JSON as UTF-8; half a surrogate pair, which UTF-8 cannot have, as its escape."""
    return text.encode(errors="backslashreplace")
