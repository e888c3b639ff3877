"""Text for HTML: every piece is escaped, and holds no character that HTML forbids."""

from __future__ import annotations

from storm.reports.document import escape_markup


def open_tag(tag: str, **attributes: str | int) -> str:
    """A start tag; empty attributes are left out, and underscores become hyphens (`class_` is `class`)."""
    given = (
        f' {name.rstrip("_").replace("_", "-")}="{escape_markup(str(value))}"'
        for name, value in attributes.items()
        if value != ""
    )
    return f"<{tag}{''.join(given)}>"


def make_element(tag: str, content: str, **attributes: str | int) -> str:
    """An element around content that is HTML."""
    return f"{open_tag(tag, **attributes)}{content}</{tag}>"
