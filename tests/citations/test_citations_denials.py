"""A statement that says the opposite of its quote."""

from __future__ import annotations

import pytest

from storm.citations.denials import find_contradiction, find_equivalence_fault

QUOTE_DENIES, STATEMENT_DENIES = "its quote denies something, it does not", "it denies something, its quote does not"


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab improved survival.", "Zorvimab did not improve survival in non-smokers"),
        (
            "Zorvimab improved survival in non-small-cell lung cancer.",
            "Zorvimab did not improve survival in non-small-cell lung cancer",
        ),
        ("Zorvimab prolonged survival in non-Hodgkin lymphoma.", "It did not improve survival in non-Hodgkin lymphoma"),
        ("Zorvimab improved survival nonetheless.", "Zorvimab did not improve survival at all"),
        ("It improved survival in men without metastases.", "It did not improve survival in men without metastases"),
        ("It improved survival in men not treated before.", "It did not improve survival in men not treated before"),
        ("Zorvimab was inferior.", "Zorvimab was not inferior to the comparator"),
        ("Zorvimab without doubt improved survival.", "Zorvimab did not improve survival at all here"),
        ("Deaths occurred with zorvimab.", "No deaths occurred with zorvimab"),
        ("Response rose with toxicity.", "Response rose without toxicity in all men"),
        ("It improved survival.", "Neither zorvimab nor placebo improved survival"),
        ("Men lived longer.", "Men lived no longer than women"),
        ("It helped more than 5%.", "It helped no more than 5% of them"),
        ("Zorvimab did not fail to improve survival.", "Zorvimab did not improve survival at all"),
        ("Men had improved responses.", "Men had no improved responses at all"),
    ],
)
def test_a_statement_that_leaves_out_the_denial_of_its_quote_is_found(statement: str, quote: str) -> None:
    assert find_contradiction(statement, quote) == QUOTE_DENIES


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab did not prolong survival.", "Zorvimab prolonged survival in women"),
        ("It did not help non-smokers.", "It helped men and non-smokers"),
        ("It did not improve survival in men not treated before.", "It improved survival in men not treated before"),
        ("No deaths occurred with zorvimab.", "Deaths occurred with zorvimab"),
        ("Response rose without toxicity.", "Response rose with toxicity in all men"),
    ],
)
def test_a_statement_that_denies_what_its_quote_says_is_found(statement: str, quote: str) -> None:
    assert find_contradiction(statement, quote) == STATEMENT_DENIES


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Survival did not improve.", "No improvement in survival was seen with it."),
        ("Survival did not differ between the arms.", "Survival was comparable between the two arms."),
        ("Efficacy was equivalent.", "No significant difference in efficacy was seen between groups."),
        (
            "Trastuzumab improved overall survival.",
            "It improved overall survival; the median was not reached in either arm.",
        ),
        ("Survival was unchanged with zorvimab.", "Survival did not differ with zorvimab at all."),
        ("Survival was unchanged.", "Survival was not improved and remained unchanged."),
        ("Zorvimab was noninferior.", "Zorvimab was not inferior to the comparator"),
        ("Zorvimab was not inferior.", "Zorvimab was non-inferior to the comparator"),
        ("Zorvimab was non-inferior.", "Zorvimab was non-inferior to the comparator"),
        ("A nonsignificant change was seen.", "The change was not statistically relevant (P=0.3)"),
        ("Risk fell with zorvimab.", "There was no increase, and risk fell with zorvimab"),
        ("No deaths occurred.", "Survival did not differ, and no deaths occurred"),
        ("Two deaths occurred with placebo.", "No deaths occurred with zorvimab; two deaths with placebo"),
        ("All patients survived.", "No patient died in the two years of the trial"),
        ("It improved survival and response.", "It not only improved survival but also response"),
        ("It not only improved survival but also response.", "It improved survival and response"),
        ("Zorvimab improved survival.", "Zorvimab did not fail to improve survival"),
        ("Toxicity was seen.", "The treatment was not without toxicity"),
        ("It did not improve survival.", "It improved response but not survival"),
        ("It did not improve survival.", "Zorvimab failed to improve survival in men"),
        ("It did not improve survival in NSCLC.", "It did not improve survival in non-small-cell lung cancer"),
        ("It improved survival in non-Hodgkin lymphoma.", "It improved survival in patients with NHL"),
        ("Patients without prior therapy responded.", "Patients with no prior therapy responded"),
        ("Zorvimab was given with chemotherapy.", "It was given with or without chemotherapy"),
        ("Response to zorvimab was 22%.", "Response was 22% with zorvimab against 11% without zorvimab"),
        ("Men did not live longer.", "Men lived no longer than women"),
        ("Neither drug helped.", "Neither drug helped the men"),
        ("It was tested without zorvimab.", "It was tested with and without zorvimab"),
        ("80 people without diabetes had it.", "In the Diabetes Program, 80 people without diabetes had it"),
        ("The drugs did not differ.", "The drugs did not differ (difference 0.1)"),
        ("It works without heat.", "Cold did not stop it, which shows that it works without heat"),
        ("It was non-inferior.", "It was non inferior in all respects"),
        ("It was approved.", "It was approved whether or not surgery was done"),
    ],
)
def test_a_denial_that_is_repeated_or_irrelevant_is_harmless(statement: str, quote: str) -> None:
    assert find_contradiction(statement, quote) == ""


NO_DIFFERENCE = "There was no significant difference in relapse rate between zorvimab and placebo (p = 0.61)."


@pytest.mark.parametrize(
    "statement",
    [
        "Zorvimab was equivalent to placebo in relapse rate.",
        "Zorvimab was as effective as placebo.",
        "Zorvimab was non-inferior to placebo for relapse rate.",
    ],
)
def test_no_difference_found_is_no_equality(statement: str) -> None:
    assert find_equivalence_fault(statement, NO_DIFFERENCE)


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Relapse rates did not differ significantly.", NO_DIFFERENCE),
        ("Zorvimab was non-inferior to ramipril.", "Zorvimab was non-inferior to ramipril (margin 1.5%)."),
        ("Zorvimab was as effective as ramipril.", "Zorvimab and ramipril were similarly effective."),
    ],
)
def test_an_equality_of_the_quote_may_be_stated(statement: str, quote: str) -> None:
    assert not find_equivalence_fault(statement, quote)
