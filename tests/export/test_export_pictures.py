"""Pictures as PNG."""

from __future__ import annotations

from documents import SVG

from storm.export.pictures import draw_png


def test_a_picture_is_drawn_the_same_twice() -> None:
    png = draw_png(SVG)
    assert png is not None and png.startswith(b"\x89PNG")
    assert png == draw_png(SVG)


def test_letters_that_the_fonts_lack_are_drawn_in_latin_letters() -> None:
    assert draw_png(SVG.replace("Drawn", "\u738b")) == draw_png(SVG.replace("Drawn", "\u27e8Wang\u27e9"))


def test_what_is_no_picture_is_not_drawn() -> None:
    assert draw_png("<svg") is None
