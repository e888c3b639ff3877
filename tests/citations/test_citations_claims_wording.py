"""Rewordings of a quote that pass, and wrong ones beside them that do not: by the class of words that is exchanged."""

from __future__ import annotations

import pytest

from storm.citations.claims import find_claim_faults
from storm.citations.coverage import Record

MASSAGE = "Serum P1NP increased after massage (P<0.01), while there was no change in serum osteocalcin or CTX."
DRUGS = "Zorvimab, but not calvimab, significantly (p < 0.05) reduced plasma glucose and plasma insulin."
PRESSURE = "Blood pressure decreased from 175 ± 18/80 ± 11 mmHg at baseline to 156 ± 20/76 ± 9 mmHg at month 20."
SPREAD = "Mean (SD) change in weight was −0.82% (0.9) with zorvimab and −0.17% (0.8) with placebo."
RASH = "Serious adverse events occurred in 12% of patients on zorvimab; the most frequent adverse event was rash."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab blocks the entry of calcium ions into cells.", "Zorvimab inhibits calcium ion influx into cells."),
        (
            "Its approval rested on two trials of asthma.",
            "Its approval was based on evidence of two asthma trials.",
        ),
        ("The study was finished by 87% of patients.", "In all, 87% of the patients completed the study."),
        ("Tablets are taken in the morning, then paused.", "Tablets are taken in the morning, followed by a break."),
        ("Zorvimab is expelled in the stool.", "Zorvimab is excreted in faeces."),
        ("The yearly cost was high.", "The annualised cost was high."),
        ("Zorvimab is toxic to the liver.", "Zorvimab causes hepatotoxicity."),
        ("Infection came back in 3% of patients.", "Recurrence of the infection was seen in 3% of patients."),
    ],
)
def test_a_word_may_be_exchanged_for_one_of_the_same_meaning(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab blocks the exit of calcium ions from cells.", "Zorvimab inhibits calcium ion influx into cells."),
        ("Zorvimab is excreted in urine.", "Zorvimab is excreted in faeces."),
        ("The monthly cost was high.", "The annualised cost was high."),
        ("Tumours were HER2 negative in all.", "Tumours were HER2 positive in all, and free of necrosis."),
        ("Those infected with it had 76 new cases.", "Those uninfected with it had 76 new cases."),
        ("It is for patients able to swallow.", "It is for patients unable to swallow."),
        ("It is proven that zorvimab reduces pain.", "Zorvimab reduced pain."),
    ],
)
def test_a_word_of_another_meaning_is_a_fault(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) != ()


@pytest.mark.parametrize(
    ("statement", "quote", "title"),
    [
        ("Postpartum haemorrhage was rarer with zorvimab.", "PPH was less frequent with zorvimab.", ""),
        ("Controlled-release tablets lasted longer than others.", "CR tablets lasted longer than others.", ""),
        ("EK was seen in 3 patients.", "Exposure keratopathy was seen in 3 patients.", ""),
        ("Staphylococcus aureus infections were rare.", "S. aureus infections were rare.", ""),
        ("Azithromycin was safe in adults.", "AZM was safe in adults.", "Azithromycin in adults with asthma"),
        ("Zorvimab is taken by mouth.", "Zorvimab is taken p.o. for a week.", ""),
        ("SAEs were rare with zorvimab.", "Serious adverse events were rare with zorvimab.", ""),
        ("Patients on anticoagulants were excluded.", "Patients on anti-coagulants were excluded.", ""),
    ],
)
def test_a_name_and_its_abbreviation_are_the_same(statement: str, quote: str, title: str) -> None:
    assert find_claim_faults(statement, quote, Record(title)) == ()


def test_an_abbreviation_stands_for_no_other_name() -> None:
    assert find_claim_faults("Pulmonary hypertension was rarer.", "PPH was less frequent.") != ()
    assert find_claim_faults("Axitinib was safe.", "AZM was safe.", Record("Azithromycin in adults")) != ()


@pytest.mark.parametrize(
    "statement",
    [
        "Osteocalcin and CTX in serum did not change after massage.",
        "Massage left serum osteocalcin unchanged.",
        "P1NP in serum went up after massage (P<0.01).",
    ],
)
def test_a_clause_without_a_difference_is_read_beside_one_with_a_change(statement: str) -> None:
    assert find_claim_faults(statement, MASSAGE) == ()


def test_what_did_not_change_must_not_be_said_to_change() -> None:
    assert find_claim_faults("Serum osteocalcin increased after massage (P<0.01).", MASSAGE) != ()


@pytest.mark.parametrize(
    "statement",
    [
        "Plasma glucose dropped significantly with zorvimab but not with calvimab (p < 0.05).",
        "Unlike calvimab, zorvimab significantly lowered plasma insulin.",
        "Zorvimab significantly reduced plasma glucose, whereas calvimab did not.",
        "Zorvimab significantly decreased plasma glucose.",
        "Calvimab did not significantly reduce plasma glucose.",
    ],
)
def test_an_exception_may_be_worded_otherwise_or_left_out(statement: str) -> None:
    assert find_claim_faults(statement, DRUGS) == ()


@pytest.mark.parametrize(
    "statement",
    [
        "Calvimab, but not zorvimab, significantly reduced plasma glucose.",
        "Zorvimab and calvimab significantly reduced plasma glucose.",
        "Calvimab significantly reduced plasma glucose.",
    ],
)
def test_an_exception_must_not_be_turned_or_included(statement: str) -> None:
    assert find_claim_faults(statement, DRUGS) != ()


def test_pressures_in_pairs_are_systolic_and_diastolic() -> None:
    assert find_claim_faults("Systolic blood pressure fell from 175 to 156 mm Hg.", PRESSURE) == ()
    assert find_claim_faults("Diastolic pressure fell from 80 mmHg to 76 mmHg at 20 months.", PRESSURE) == ()
    assert find_claim_faults("Diastolic blood pressure fell from 175 to 156 mmHg.", PRESSURE) == (
        "in the quote 175 is systolic, in the statement diastolic",
    )


def test_a_bracket_after_a_mean_may_be_its_spread() -> None:
    assert find_claim_faults("Weight fell more with zorvimab than with placebo.", SPREAD) == ()
    assert find_claim_faults("Weight changed by −0.17% with zorvimab and −0.82% with placebo.", SPREAD) != ()


def test_serious_adverse_events_are_not_all_adverse_events() -> None:
    assert find_claim_faults("Adverse events occurred in 12% of patients on zorvimab.", RASH) != ()
    assert find_claim_faults("Serious side effects were seen in 12% of patients on zorvimab.", RASH) == ()


def test_a_value_that_doubled_must_be_about_twice_the_other() -> None:
    quote = "Remission occurred in 18.5% of the zorvimab group and in 8.2% of the placebo group."
    trebled = "Remission occurred in 30.0% of the zorvimab group and in 8.2% of the placebo group."
    assert find_claim_faults("Remission doubled with zorvimab over placebo (18.5% vs 8.2%).", quote) == ()
    assert find_claim_faults("Remission doubled with zorvimab over placebo (30.0% vs 8.2%).", trebled) != ()


def test_a_title_supplies_no_disease_for_healthy_people() -> None:
    record = Record("Zorvimab in patients with asthma")
    quote = "In healthy subjects the half-life of zorvimab was 5 hours."
    assert find_claim_faults("In patients with asthma the half-life of zorvimab was 5 hours.", quote, record) != ()


def test_a_title_says_what_was_supplemented() -> None:
    record = Record("Sunlight or vitamin D supplementation in immigrants")
    quote = "Supplementation raised calcium."
    assert find_claim_faults("Vitamin D supplementation raised calcium.", quote, record) == ()
    assert find_claim_faults("Vitamin E supplementation raised calcium.", quote, record) != ()


def test_a_population_beside_a_comparison_is_no_side_of_it() -> None:
    quote = "In patients with asthma and gout, zorvimab resulted in lower risks of gout attacks than placebo."
    assert find_claim_faults("Zorvimab lowered the risk of gout attacks compared with placebo.", quote) == ()
    assert find_claim_faults("Placebo lowered the risk of gout attacks compared with zorvimab.", quote) != ()
