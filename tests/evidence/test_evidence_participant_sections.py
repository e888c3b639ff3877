"""Sections on who took part."""

from __future__ import annotations

import pytest

from storm.evidence.participant_sections import is_on_participants


@pytest.mark.parametrize(
    ("heading", "sentence", "is_on"),
    [
        ("Baseline characteristics", "Zorvimab was given to 40.", True),
        ("Results: Patient disposition", "Zorvimab was given to 40.", True),
        ("Concomitant medication", "Zorvimab was given to 40.", True),
        ("Concomitant medication", "Rescue was rarer with zorvimab than with placebo (p = 0.01).", False),
        ("Primary outcome", "Zorvimab was given to 40.", False),
        ("", "Zorvimab was given to 40.", False),
    ],
)
def test_a_section_on_participants_is_known_by_its_heading(heading: str, sentence: str, *, is_on: bool) -> None:
    assert is_on_participants(heading, sentence) is is_on
