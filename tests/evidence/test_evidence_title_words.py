"""Words of a title in Title Case are written as in a sentence, names excepted."""

from __future__ import annotations

import pytest

from storm.evidence.title_words import write_as_in_sentence

TITLE = "Zorvimab Relieves Patients With Severe Asthma"


@pytest.mark.parametrize(
    ("words", "abstract", "written"),
    [
        ("Patients With Severe Asthma", "", "patients with severe asthma"),
        ("Asian Patients With HER2-Positive Disease", "", "Asian patients with HER2-positive disease"),
        ("Patients With Parkinson's Disease", "", "patients with Parkinson's disease"),
        ("Zorvi Patients", "They had Zorvi.", "Zorvi patients"),
        ("Patients With Asthma", "With it, patients breathed. Asthma fell; asthma was mild.", "patients with asthma"),
    ],
)
def test_words_of_a_title_in_title_case_are_written_small(words: str, abstract: str, written: str) -> None:
    assert write_as_in_sentence(words, TITLE, abstract) == written


def test_words_of_a_title_in_sentence_case_stay_as_they_are() -> None:
    assert write_as_in_sentence("Zorvi users", "Relief of asthma in Zorvi users", "") == "Zorvi users"
