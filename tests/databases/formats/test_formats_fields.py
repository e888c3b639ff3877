"""Single values out of foreign records."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from storm.databases.formats.fields import MAX_LINE, MAX_TEXT, clean_text, text_line
from storm.databases.formats.xml_text import text_of_html


@pytest.mark.parametrize(("read", "most"), [(clean_text, MAX_TEXT), (text_line, MAX_LINE), (text_of_html, MAX_LINE)])
def test_a_text_that_is_cut_off_says_so_and_one_that_just_fits_does_not(read: Callable[[str], str], most: int) -> None:
    assert read("a" * most) == "a" * most
    assert read("a" * (most + 1)) == "a" * most + f" [… cut off here by storm: it is longer than {most:,} characters]"
