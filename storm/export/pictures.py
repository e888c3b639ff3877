"""Draws a figure's SVG as PNG, for formats that show no SVG, where the extra `pdf` is installed."""

from __future__ import annotations

#: Pixels per inch: sharp in print, small enough to be sent.
PPI = 200
_PAGE = b"""\
#set document(title: "Picture")
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", alt: "Picture")
"""


def draw_png(svg: str) -> bytes | None:
    """The picture as PNG, with letters that the fonts lack in Latin letters; None if it cannot be drawn here."""
    try:
        import typst  # an extra

        from storm.export.missing_letters import read_missing_letters, replace_in_svg
    except ImportError:
        return None
    try:  # only the check of accessibility names the letters
        typst.compile(_PAGE, pdf_standards="ua-1", ignore_system_fonts=True, sys_inputs={"svg": svg})
    except typst.TypstError as error:
        svg = replace_in_svg(svg, read_missing_letters(error.diagnostic))
    try:
        return typst.compile(_PAGE, format="png", ppi=PPI, ignore_system_fonts=True, sys_inputs={"svg": svg})
    except typst.TypstError:
        return None
