from __future__ import annotations

import ast
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import storm
from storm.models import normal_forms
from storm.models.normal_forms import MOST_MARKS, normal_form

PACKAGE = Path(storm.__file__).parent
#: Where a text of at most a few thousand characters, or one character, is brought into a form.
SHORT = {"models/written_identifiers.py", "databases/services/query_text.py"}


class _Unicode:
    """Notes the longest row of marks that Python is asked to put in order."""

    def __init__(self) -> None:
        self.longest = 0

    def normalize(self, form: Any, text: str) -> str:
        row = 0
        for char in text:
            row = row + 1 if unicodedata.combining(char) else 0
            self.longest = max(self.longest, row)
        return unicodedata.normalize(form, text)


@pytest.mark.parametrize("pair", ["\u0301\u0323", "\u0483\u0487", "\u05b0\u05b1", "\u3099\u302a", "\ufe20\ufe27"])
def test_never_more_than_a_few_marks_are_put_in_order_together(monkeypatch: pytest.MonkeyPatch, pair: str) -> None:
    seen = _Unicode()
    monkeypatch.setattr(normal_forms, "unicodedata", seen)
    normal_form("NFKD", "a" + pair * 1000)
    assert MOST_MARKS / 2 < seen.longest <= MOST_MARKS


def test_every_combining_mark_counts_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _Unicode()
    monkeypatch.setattr(normal_forms, "unicodedata", seen)
    marks = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.combining(char)]
    assert len(marks) > 800
    normal_form("NFC", "a" + "".join(marks))
    assert seen.longest <= MOST_MARKS


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
@pytest.mark.parametrize(
    "text",
    [
        "", "plain", "e\u0301" * 100, "ﬁ½²", "ộ", "e\u0323\u0301" * 40, "e\u0301" + "…" * 100, "가" * 40,
        "e" + "\u0323\u0301" * (MOST_MARKS // 2),
    ],
)  # fmt: skip
def test_what_people_write_has_the_form_that_unicode_gives_it(form: Any, text: str) -> None:
    assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.slow
def test_a_long_text_is_brought_into_a_form_here_only() -> None:
    own = {path for path in PACKAGE.rglob("*.py") if path.name != "normal_forms.py" and _normalizes(path)}
    assert {str(path.relative_to(PACKAGE)) for path in own} == SHORT


def _normalizes(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(n, ast.Attribute) and ast.unparse(n) == "unicodedata.normalize" for n in ast.walk(tree))
