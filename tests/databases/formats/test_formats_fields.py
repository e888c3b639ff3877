"""Single values out of foreign records."""

from __future__ import annotations

import pytest

from storm.databases.formats.fields import CUT_OFF, MAX_TEXT, clean_text, text_line


@pytest.mark.parametrize("read", [clean_text, text_line])
def test_a_text_that_is_cut_off_says_so_and_one_that_just_fits_does_not(read: object) -> None:
    assert callable(read)
    assert read("a" * MAX_TEXT) == "a" * MAX_TEXT
    assert read("a" * (MAX_TEXT + 1)) == "a" * MAX_TEXT + CUT_OFF
    assert "longer than 4,000,000 characters" in CUT_OFF
