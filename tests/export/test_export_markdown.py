"""A dossier as Markdown: text from records shows itself and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.export.markdown import escape


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a *bold* claim", r"a \*bold\* claim"),
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        ("P<0.001 and P>0.05", "P<0.001 and P>0.05"),
        ("[177Lu]Lu-PSMA-617", r"\[177Lu\]Lu-PSMA-617"),
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("- not a list", r"\- not a list"),
        ("a | b", r"a \| b"),
        ("a response of 23 [12] in patients [3, 4]", "a response of 23 (12) in patients (3, 4)"),
        ("see https://evil.example/b", r"see https\://evil.example/b"),
        ("see www.evil.example or a@evil.example", r"see www\.evil.example or a\@evil.example"),
        ("two\nlines\x1b[31m", r"two lines \[31m"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("10^9 cells/µL, α-tocopherol", "10^9 cells/µL, α-tocopherol"),
    ],
)
def test_text_is_escaped(written: str, shown: str) -> None:
    assert escape(written) == shown


@given(st.text(max_size=200))
def test_escaped_text_never_holds_a_mark_a_link_a_tag_or_a_line_break(text: str) -> None:
    shown = escape(text)
    assert not re.search(r"(?<!\\)\[\d+(?:, \d+)*\]", shown.replace("\\\\", ""))
    assert "\n" not in shown
    assert not re.search(r"(?<!\\)<[A-Za-z/!?]", shown.replace("\\\\", ""))
