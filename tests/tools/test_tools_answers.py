"""How a tool answers: under 500 characters, the neediest first."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.tools.answers import LIMIT, answer_size, clip_text, fit_answer, fold_complete

KEYS = [f"question.number.{n:02}.of.forty.characters"[:40] for n in range(10)]


def test_an_answer_that_fits_is_left_as_it_is() -> None:
    answer = {"total": 3, "questions": {"mechanism.moa": "✓ 8 sources", "ip.patents": "⚠ 2 sources (need 1 more)"}}
    assert fold_complete(answer, "questions", ["mechanism.moa"]) == answer


def test_above_the_limit_complete_questions_become_one_entry() -> None:
    answer = {"questions": {key: "✓ 8 sources" if n % 2 else "⚠ 2 sources (need 3 more)" for n, key in enumerate(KEYS)}}
    folded = fold_complete(answer, "questions", [key for n, key in enumerate(KEYS) if n % 2])
    assert folded["questions"]["5 complete"] == "✓"
    assert [key for key in KEYS[::2] if key not in folded["questions"]] == []
    assert answer_size(folded) <= LIMIT


def test_what_is_cut_is_counted_and_the_neediest_stay() -> None:
    answer = {"questions": dict.fromkeys(KEYS, "⚠ 0 sources (need 5 more)")}
    folded = fold_complete(answer, "questions", [])
    kept = [key for key in folded["questions"] if key in KEYS]
    assert kept == KEYS[: len(kept)]
    assert f"+{len(KEYS) - len(kept)} more" in folded["questions"]


def test_a_clipped_text_says_so() -> None:
    assert clip_text("abcdef", 6) == "abcdef"
    assert clip_text("abcdefg", 6) == "abcde…"


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(["message", "questions", "missing", "next_focus"]),
        st.text(max_size=900)
        | st.lists(st.text(min_size=1, max_size=60), max_size=15)
        | st.dictionaries(st.text(min_size=1, max_size=40), st.text(max_size=60), max_size=15),
    )
)
def test_every_answer_fits(answer: dict) -> None:
    # Escapes of control characters count, too: json.dumps writes \\u0000 for one.
    text = json.dumps(answer, ensure_ascii=False)
    if "\\u" not in text:
        assert answer_size(fit_answer(answer)) <= LIMIT
