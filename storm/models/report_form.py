"""The forms of a report's text."""

from __future__ import annotations

from enum import StrEnum


class ReportForm(StrEnum):
    """How the statements of a section stand: as running text or in lists."""

    PROSE = "prose"
    BULLETS = "bullets"


#: Words of a wanted form by which it is this one; lists first: "bullet points, no paragraphs".
_WORDS = {
    ReportForm.BULLETS: ("bullet", "list", "points"),
    ReportForm.PROSE: ("prose", "paragraph", "running text", "essay"),
}


def read_form(wanted: str) -> ReportForm | None:
    """The form that these words want; None if it is none of them."""
    text = wanted.casefold()
    return next((form for form, words in _WORDS.items() if any(word in text for word in words)), None)
