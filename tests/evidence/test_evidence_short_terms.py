"""The short terms that a record defines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.short_terms import explain_terms, spell_out_terms
from storm.models import Hit, Section


def record(text: str) -> Hit:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "Zorvimab in adults")
    return hit.model_copy(update={"sections": (Section(label="Results", text=text),)})


@pytest.mark.parametrize(
    ("defined", "said", "meaning"),
    [
        ("The incidence of postoperative delirium (POD) fell.", "POD was rare.", "postoperative delirium"),
        ("On one day they had placebo plus xylobin (PX).", "PX raised it.", "placebo plus xylobin"),
        ("In heart failure with preserved ejection fraction (HFpEF) it fell.", "HFpEF was rare.",
         "heart failure with preserved ejection fraction"),
        ("Urinary tract infection (UTI, culture-proven) was rare.", "Few had a UTI.", "Urinary tract infection"),
        ("It is a proton pump inhibitor (PPIs).", "PPIs were given.", "proton pump inhibitor"),
        ("Patients with reactive oxygen species (ROS) had less.", "ROS fell.", "reactive oxygen species"),
    ],
)  # fmt: skip
def test_a_short_term_is_followed_by_the_words_that_define_it(defined: str, said: str, meaning: str) -> None:
    assert spell_out_terms(said, record(defined)) == f"{said} {meaning}"


@pytest.mark.parametrize(
    ("defined", "said"),
    [
        ("Adults got zorvimab (USA) in 2020.", "USA was rare."),
        ("The flow 100 ms before the end of exhalation (TEF10) fell.", "TEF10 was low."),
        ("The incidence of postoperative delirium (POD) fell.", "PODs were rare."),
        ("It was measured after the thiopental bolus (T1).", "T1 was low."),
        ("POD n (%): Study 1 (POD).", "POD was rare."),
        ("Nothing is defined here.", "POD was rare."),
    ],
)
def test_what_is_not_defined_is_left_as_it_is(defined: str, said: str) -> None:
    assert spell_out_terms(said, record(defined)) == said


@given(st.text(max_size=300), st.text(max_size=100))
def test_a_text_is_only_added_to(defined: str, said: str) -> None:
    assert spell_out_terms(said, record(defined)).startswith(said)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("POD fell, and POD was rare.", "POD [postoperative delirium] fell, and POD was rare."),
        ("Postoperative delirium (POD) fell.", "Postoperative delirium (POD) fell."),
        ("POD [delirium] fell.", "POD [delirium] fell."),
        ("Less POD, MMN and ISR were seen.",
         "Less POD [postoperative delirium], MMN [mismatch negativity] and ISR were seen."),
        ("The HR was 0.7.", "The HR was 0.7."),
        ("It fell in the POD group [zorvimab].", "It fell in the POD group [zorvimab]."),
        ("PODs fell.", "PODs fell."),
        ("25(POD)D fell.", "25(POD)D fell."),
    ],
)  # fmt: skip
def test_short_terms_that_few_readers_know_are_explained_once_in_square_brackets(said: str, shown: str) -> None:
    defined = (
        "We measured postoperative delirium (POD), mismatch negativity (MMN), the insulin secretion rate (ISR) and the "
        "heart rate (HR)."
    )
    assert explain_terms(said, record(defined)) == shown


def test_a_term_with_two_meanings_is_not_explained_and_initials_come_before_letters() -> None:
    twice = record(
        "Partial response (PR) was rare, as was the progesterone receptor (PR). Multiple myeloma (MM) is rare."
    )
    assert explain_terms("PR was 20%.", twice) == "PR was 20%."
    assert explain_terms("Survival in MM rose.", twice) == "Survival in MM [Multiple myeloma] rose."


def test_only_the_term_itself_is_explained() -> None:
    defined = record("Left ventricular ejection fraction (LVEF) and prostate-specific antigen (PSA) were read.")
    assert explain_terms("LVEFs rose, and LVEF was 60%.", defined) == (
        "LVEFs rose, and LVEF [Left ventricular ejection fraction] was 60%."
    )
    assert explain_terms("Anti-PSA antibodies rose.", defined) == "Anti-PSA antibodies rose."


def test_the_first_of_a_pair_that_is_explained_is_not_explained_again() -> None:
    defined = record("Zorvimab medoxomil (ZVB-M) was given with chlorthalidone (CTD).")
    said = "Both ZVB-M/CTD [zorvimab/chlorthalidone] arms improved."
    assert explain_terms(said, defined) == said
