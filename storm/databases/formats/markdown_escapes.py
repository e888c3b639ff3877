"""Remove the Markdown backslashes in ClinicalTrials.gov's texts (`\\>= 2`)."""

from __future__ import annotations

import re
from typing import Any

from storm.databases.formats.fields import clean_text, text_line

_ESCAPE = re.compile(r"\\([\\<>\[\]()*_~^#|`+.!-])")


def unescape_text(value: Any) -> str:
    """A text value without Markdown escapes."""
    return _ESCAPE.sub(r"\1", clean_text(value))


def unescape_line(value: Any) -> str:
    """A text value without Markdown escapes, on one line."""
    return _ESCAPE.sub(r"\1", text_line(value))
