"""A value as JSON, as all files of storm have it."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """Its fields in their order, letters as they are, a line each."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
