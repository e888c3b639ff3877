"""Marks after references were removed or put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.renumbering import renumber_marks

#: Of five references the second is the first again, and the fourth is removed.
NUMBERS = {1: 1, 2: 1, 3: 2, 5: 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It helps [3].", "It helps [2]."),
        ("It helps [4].", "It helps [reference removed]."),
        ("It helps. [4] It harms. [5]", "It helps. [reference removed] It harms. [3]"),
        ("It helps. [5] It harms [4].", "It helps. [3] It harms [reference removed]."),
        ("It helps [4]. [5] It harms.", "It helps. [3] It harms."),
        ("It helps [4], and harms [5].", "It helps, and harms [3]."),
        ("[4] It helps.\nIt harms [4].", "[reference removed] It helps.\nIt harms [reference removed]."),
        ("It helps [1, 3, 5].", "It helps [1, 2, 3]."),
        ("It helps [1,4,5].", "It helps [1,3]."),
        ("It helps [5; 3].", "It helps [3; 2]."),
        ("It helps [4, 4].", "It helps [reference removed]."),
        ("It helps [3-5].", "It helps [2-3]."),
        ("It helps [1–5].", "It helps [1–3]."),
        ("It helps [1, 3–5].", "It helps [1–3]."),
        ("It helps [4-4].", "It helps [reference removed]."),
        ("It helps [1]–[5].", "It helps [1–3]."),
        ("It helps [1][2].", "It helps [1]."),
        ("It helps [1] [4] [3] [3].", "It helps [1] [2]."),
        ("It helps[3], in 2005 [3].", "It helps[2], in 2005 [2]."),
        ("It fell by 12% [3].", "It fell by 12% [2]."),
        ("It helps [8].", "It helps [reference removed]."),
        ("It helps [3, 8].", "It helps [2]."),
    ],
)
def test_marks_have_the_new_numbers_and_those_of_removed_references_go(text: str, expected: str) -> None:
    assert renumber_marks(text, NUMBERS, 5).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "[Figure 4] [1H-NMR] [4a] [] [ ] [-4] [4+2] [0] [0, 4] [5-3]",
        "p[4] and (p[4]), [4]rotaxane, [18]F-FDG, [18]-crown-6, spiro[4,5]decane",
        "95% CI [2, 4], range [4-5], IQR: [1–4]",
        "a median of 15 [4-5] months; 15% [10-20]; 23 [12]",
        "It was seen in [2019], and until [2019-2022].",
        "unclosed [4, and unopened 4], [[], []], [3[4]x]",
        "",
    ],
)
def test_what_is_no_mark_stays_as_it_is(text: str) -> None:
    assert renumber_marks(text, NUMBERS, 5) == (text, ())


def test_numbers_that_no_reference_has_are_named_once() -> None:
    assert renumber_marks("A [8]. B [3, 7-9].", NUMBERS, 5) == ("A [reference removed]. B [2].", (8, 7, 9))


def test_a_mark_that_vanishes_leaves_the_mark_around_it() -> None:
    assert renumber_marks("It helps [3, 5 [4]].", NUMBERS, 5).text == "It helps [2, 3]."


_PIECES = st.sampled_from([*"[]123459,;-– \n.ap0", "[4]", "[1, 4]", " [3-5]", "median 15 ", "CI ", "[8]", "]–["])


@given(st.lists(_PIECES, max_size=40).map("".join), st.lists(st.sampled_from([0, 1, 2, 3]), max_size=5))
def test_a_second_time_changes_nothing(text: str, found: list[int]) -> None:
    order = list(dict.fromkeys(place for place in found if place))
    numbers = {n: order.index(place) + 1 for n, place in enumerate(found, start=1) if place}
    once = renumber_marks(text, numbers, len(found)).text
    assert renumber_marks(once, {n: n for n in range(1, len(order) + 1)}, len(order)) == (once, ())


@given(st.text(), st.integers(0, 5))
def test_without_a_bracket_nothing_changes_and_nothing_raises(text: str, count: int) -> None:
    made = renumber_marks(text, NUMBERS, count).text
    assert "[" in text or made == text
