"""Draws a figure's SVG as PNG, for formats that show no SVG, where typst is installed."""

from __future__ import annotations

#: Pixels per inch: sharp in print, small enough to be sent.
_PPI = 200
_PAGE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image(bytes(sys.inputs.svg), format: "svg")\n'


def draw_png(svg: str) -> bytes | None:
    """The picture as PNG; None without typst, or if it cannot draw it."""
    try:
        import typst  # an extra
    except ImportError:
        return None
    try:
        return typst.compile(_PAGE, format="png", ppi=_PPI, ignore_system_fonts=True, sys_inputs={"svg": svg})
    except typst.TypstError:
        return None
