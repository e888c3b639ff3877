"""Short names of the drug and of those who got it, as a document defines them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.abbreviations import Abbreviations, read_abbreviations
from storm.models import Hit


def read(text: str) -> Abbreviations:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", pmid="1", text=text)
    return read_abbreviations(hit, ("zorvimab",))


@pytest.mark.parametrize(
    ("defined", "said", "explained"),
    [
        (
            "Women were given zorvimab (ZOR) or placebo (PLA).",
            "Relapse was rarer with ZOR than with PLA.",
            "Relapse was rarer with ZOR [zorvimab] than with PLA.",
        ),
        (
            "Chemotherapy was given with zorvimab (Zor) or without it.",
            "Survival was longer with Zor-free chemotherapy than with Zor.",
            "Survival was longer with Zor-free chemotherapy than with Zor [zorvimab].",
        ),
        (
            "Patients were assigned to receive zorvimab (S group) or metoprolol (P group).",
            "Pain was lower in the S group than in the P group.",
            "Pain was lower in the S group [zorvimab] than in the P group.",
        ),
        (
            "Group A received zorvimab 20 mg daily. Group B received placebo.",
            "Pain was lower in group A than in group B.",
            "Pain was lower in group A [zorvimab] than in group B.",
        ),
        (
            "Patients formed two groups: K2 group: zorvimab infusion for two days; control group: saline.",
            "Less morphine was used in the K2 group (47 mg) than in the control group.",
            "Less morphine was used in the K2 group [zorvimab] (47 mg) than in the control group.",
        ),
        (
            "The intervention group was given zorvimab, and the control group saline.",
            "Recovery was faster in the intervention group.",
            "Recovery was faster in the intervention group [zorvimab].",
        ),
        (
            "Group BK received bupivacaine plus zorvimab, and group B bupivacaine.",
            "Scores were lower in groups BK and B.",
            "Scores were lower in groups BK [with zorvimab] and B.",
        ),
    ],
)
def test_a_short_name_is_explained_in_brackets_after_it(defined: str, said: str, explained: str) -> None:
    assert read(f"{defined} {said}").explain(said) == explained


@pytest.mark.parametrize(
    "defined",
    [
        "Group A received placebo. Group B received zorvimab.",
        "Group A received saline without zorvimab.",
        "Group A had more pain. Zorvimab was given to all later.",
        "We compared group A with group B after zorvimab became available (ABC).",
    ],
)
def test_a_group_that_did_not_get_the_drug_is_not_explained(defined: str) -> None:
    assert read(defined).explain("Pain was lower in group A.") == ""


def test_an_abbreviation_needs_the_letters_of_the_name() -> None:
    assert read("Zorvimab (FDA) was approved.").explain("The FDA approved it in 2020.") == ""


def test_a_sentence_that_uses_no_short_name_is_not_explained() -> None:
    assert read("Women were given zorvimab (ZOR).").explain("Relapse was rare with zorvimab.") == ""


@given(st.text(max_size=200), st.text(max_size=100))
def test_only_brackets_are_added_to_a_sentence(defined: str, sentence: str) -> None:
    explained = read(f"{defined} Group A received zorvimab. {sentence}").explain(f"In group A {sentence}")
    assert explained.replace(" [zorvimab]", "").replace(" [with zorvimab]", "") == f"In group A {sentence}".replace(
        " [zorvimab]", ""
    ).replace(" [with zorvimab]", "")
