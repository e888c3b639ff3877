"""The arm of a trial that tries one drug only, by what any trial may call it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.arms import (
    explain_all_arms,
    explain_arm,
    explain_both_arms,
    explain_only_arm,
    has_one_arm,
    is_on_both_arms,
    tries_only,
)
from storm.models import Hit, Section, SectionKind


@pytest.mark.parametrize(
    ("sentence", "explained"),
    [
        ("Pain fell in the treatment group.", "Pain fell in the treatment group [zorvimab]."),
        ("Ten drug-treated subjects had a rash.", "Ten drug-treated subjects [zorvimab] had a rash."),
        ("Placebo-treated patients had less than treated patients.",
         "Placebo-treated patients had less than treated patients [zorvimab]."),
        ("Rash was commoner in the low-dose group.", "Rash was commoner in the low-dose group [zorvimab]."),
        ("The most common adverse events (AEs) were rash and fever.",
         "The most common adverse events (AEs) [with zorvimab] were rash and fever."),
        ("Rash was rare in the 20 mg/day group.", "Rash was rare in the 20 mg/day group [zorvimab]."),
    ],
)  # fmt: skip
def test_the_arm_is_shown_with_the_drug(sentence: str, explained: str) -> None:
    assert explain_arm(sentence, "zorvimab") == explained


@pytest.mark.parametrize(
    "sentence",
    [
        "Pain was the same in the treatment groups.",
        "Pain was the same in each treatment group.",
        "Pain rose in untreated patients.",
        "Pain rose in the control treatment group.",
        "Pain rose in the placebo group.",
        "Deaths were as many regardless of treatment group.",
        "The most common adverse events with placebo were rash and fever.",
    ],
)
def test_no_arm_and_any_arm_are_not(sentence: str) -> None:
    assert explain_arm(sentence, "zorvimab") == ""


@pytest.mark.parametrize(
    ("sentence", "explained"),
    [
        ("Side effects were comparable between the two groups.",
         "Side effects were comparable between the two groups [zorvimab and placebo]."),
        ("No severe hypoglycemia occurred in either group.",
         "No severe hypoglycemia occurred in either group [zorvimab and placebo]."),
        ("There were no deaths or other serious adverse events.",
         "There were no deaths or other serious adverse events [with zorvimab or placebo]."),
        ("Adverse events were as many regardless of treatment group.",
         "Adverse events were as many regardless of treatment group [zorvimab and placebo]."),
        ("Pain scores did not differ significantly between the two anesthesia groups (p = 0.4).",
         "Pain scores did not differ significantly between the two anesthesia groups [zorvimab and placebo] "
         "(p = 0.4)."),
        ("Response rates were similar in the two groups.",
         "Response rates were similar in the two groups [zorvimab and placebo]."),
        ("None of the 40 patients had side effects.",
         "None of the 40 patients [with zorvimab or placebo] had side effects."),
    ],
)  # fmt: skip
def test_harms_that_both_arms_or_nobody_had_are_shown_with_both_treatments(sentence: str, explained: str) -> None:
    assert is_on_both_arms(sentence)
    assert explain_both_arms(sentence, "zorvimab", "placebo") == explained
    assert explain_both_arms(sentence, "zorvimab", "") == ""


def test_beside_a_drug_alone_the_other_arm_had_it_too() -> None:
    explained = explain_both_arms("Falls did not differ between the groups.", "zorvimab", "quetiapine alone")
    assert explained == "Falls did not differ between the groups [quetiapine plus zorvimab and quetiapine alone]."
    other = explain_both_arms("Falls did not differ between the groups.", "zorvimab", "chemotherapy alone")
    assert other == "Falls did not differ between the groups [zorvimab and chemotherapy alone]."
    none = explain_both_arms("No serious adverse events occurred.", "zorvimab", "conventional dose")
    assert none == "No serious adverse events [with zorvimab] occurred."
    doses = explain_both_arms("Falls did not differ between the groups.", "zorvimab", "conventional dose")
    assert doses == "Falls did not differ between the groups [zorvimab in different doses]."


@pytest.mark.parametrize(
    "sentence",
    [
        "Age did not differ between the groups.",
        "Adverse events were commoner in the low-dose group.",
        "Pain was less between groups A1 and A2 (p = 0.01), and the rest was similar.",
        "Pain scores fell by 3 points in both groups.",
        "Response rates were similar in these two groups.",
    ],
)
def test_the_baseline_and_one_arm_are_not_told_of_both(sentence: str) -> None:
    assert not is_on_both_arms(sentence)


@pytest.mark.parametrize(
    ("title", "abstract", "alone"),
    [
        ("Zorvimab in adults with asthma", "Zorvimab was better than placebo.", True),
        ("Zorvimab versus placebo in asthma", "Relapse was rarer.", True),
        ("Zorvimab in new diabetes", "Zorvimab preserved insulin secretion.", True),
        ("Zorvimab as adjunctive therapy in asthma", "Relapse was rarer than with placebo.", True),
        ("Zorvimab CR: a comparative study in asthma", "Zorvimab CR was as good as zorvimab IR.", True),
        ("Zorvimab CR: a comparative study in asthma", "Zorvimab CR was as good as surgery.", False),
        ("Zorvimab versus surgery in asthma", "Relapse was rarer.", False),
        ("Zorvimab in adults with asthma", "Rituximab was given to the others.", False),
        ("Asthma in adults", "Zorvimab was better than placebo.", False),
    ],
)
def test_a_document_tries_one_drug_only_where_no_other_treatment_is_named(
    title: str, abstract: str, *, alone: bool
) -> None:
    sections = (Section(label="Abstract", text=abstract, kind=SectionKind.ABSTRACT),)
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", title, pmid="1", sections=sections)
    assert tries_only(hit, ("zorvimab",)) is alone


@given(st.text(max_size=200))
def test_only_brackets_are_added(sentence: str) -> None:
    assert explain_arm(f"{sentence} treatment group", "zorvimab").replace(" [zorvimab]", "") in (
        "", f"{sentence} treatment group".replace(" [zorvimab]", "")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("abstract", "alone"),
    [
        ("In this single-arm study zorvimab was given to adults.", True),
        ("Participants received zorvimab 200 mg every 3 weeks.", True),
        ("Adults who were treated with oral zorvimab were seen again.", True),
        ("Participants received zorvimab. They were compared with baseline.", True),
        ("Participants received zorvimab or placebo.", False),
        ("Participants received zorvimab. They were compared with untreated adults.", False),
        ("In this single-arm study zorvimab was given at two doses.", False),
        ("Zorvimab was described.", False),
    ],
)
def test_a_study_has_one_arm_where_everybody_got_the_drug(abstract: str, *, alone: bool) -> None:
    sections = (Section(label="Abstract", text=abstract, kind=SectionKind.ABSTRACT),)
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Zorvimab in asthma", pmid="1", sections=sections)
    assert has_one_arm(hit, ("zorvimab",)) is alone


@pytest.mark.parametrize(
    ("sentence", "explained"),
    [
        ("Median survival was 10 months.", "Median survival [with zorvimab] was 10 months."),
        ("Ten (8%) patients had a response.", "Ten (8%) patients [with zorvimab] had a response."),
        ("Of 84 patients, 26 had a response.", ""),
        ("In all, they had a response.", ""),
        ("The study found that they had a response.", ""),
        ("There were no deaths.", ""),
        ("Response in 26 of 84 patients.", ""),
    ],
)
def test_the_only_arm_is_named_before_the_verb_of_its_result(sentence: str, explained: str) -> None:
    assert explain_only_arm(sentence, "zorvimab") == explained


@pytest.mark.parametrize(
    "sentence",
    [
        "No serious adverse events occurred in the control group.",
        "None of the patients in the placebo group had bleeding complications.",
        "No adverse events were seen with placebo, but 12 patients on the drug had bleeding.",
        "There was no increase in adverse events with the active drug.",
        "Bleeding was more frequent in the groups given aspirin (12%).",
        "Bleeding was as frequent in both groups of smokers.",
    ],
)
def test_what_is_of_one_arm_or_of_other_groups_is_not_told_of_both(sentence: str) -> None:
    assert not is_on_both_arms(sentence)


@pytest.mark.parametrize(
    ("sentence", "explained"),
    [
        ("Adverse events did not differ among the three groups.",
         "Adverse events did not differ among the three groups [one with zorvimab]."),
        ("There was no difference between the four treatment groups in survival.",
         "There was no difference between the four treatment groups [one with zorvimab] in survival."),
        ("Survival was longest of the three groups with zorvimab.", ""),
        ("Age was similar in all three groups.", ""),
    ],
)  # fmt: skip
def test_harms_and_null_results_of_several_arms_are_shown_with_the_drug_as_one(sentence: str, explained: str) -> None:
    assert explain_all_arms(sentence, "zorvimab") == explained


def test_both_arms_are_not_named_where_there_are_more() -> None:
    assert explain_both_arms("Side effects were alike in both groups.", "zorvimab", "metformin and placebo") == ""
