"""The parts of which pictures are drawn, as SVG without scripts, styles or outside references."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from unicodedata import east_asian_width

from storm.reports.document import escape_markup, printable_line

#: Height of a line and width of a character in pixels, of text in 12 px sans-serif.
LINE, CHARACTER = 16, 6.3


def frame_svg(width: int, height: int, title: str, description: str, parts: Iterable[str], left: int = 0) -> str:
    """One SVG element with a title and a description for those who do not see it; `left` is its least x."""
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{left} 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="currentColor" stroke="none">',
        f"<title>{escape_markup(title)}</title>",
        f"<desc>{escape_markup(description)}</desc>",
        *parts,
        "</svg>",
    )
    return "\n".join(lines) + "\n"


def draw_text(x: float, y: float, text: str, anchor: str = "start") -> str:
    """A line of text; `anchor` is the part of it at x: start, middle or end."""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{placed}>{escape_markup(text)}</text>'


def draw_line(x1: float, y1: float, x2: float, y2: float, *, faint: bool = False) -> str:
    """A straight line; a faint one is for reading off values."""
    opacity = ' stroke-opacity="0.25"' if faint else ""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="currentColor"{opacity}/>'


def fit_lines(text: str, width: float, most: int | None = None) -> list[str]:
    """The text in lines of that width, if `most` is given in at most so many, with … where it was cut."""
    columns = int(width / CHARACTER)
    line = printable_line(text).strip()
    if any(east_asian_width(character) in "WF" for character in line):
        columns //= 2  # these letters are twice as wide
    return textwrap.wrap(line, columns, max_lines=most, placeholder="…", break_on_hyphens=False)
