"""Drafts worded freely: by class of wording, what says the same as its quote and what does not."""

from __future__ import annotations

import pytest

from storm.agents.drafts import Draft, check_draft
from storm.models import Hit

SHARES = "Response was seen in 46.6% of the velorin group and in 24.1% of the placebo group."
SIGNED = "Reductions in weight (- 5.9 ± 1.4 vs. - 2.1 ± 1.3 kg, p < 0.001) were larger with velorin than with placebo."
EVENTS = "The events were rash in the velorin group (5%) and headache in the placebo group (7%)."
GRADES = "Events were grade 3 rash in one patient (2%) and grade 2 bleeding in one patient (2%)."
EXCEPTED = "Platelets rose during treatment with velorin plus tarsol but not during treatment with either drug alone."
STOPPED = "Eight out of 11 people using velorin stopped early compared with none assigned to placebo."
BETTER = "Velorin was significantly more effective than tarsol in reducing blood pressure."
BRACKET = "Bleeding occurred in 4% with velorin and 9% with tarsol (p = 0.21)."
REACHED = "Velorin reduced the risk of stroke, irrespective of whether patients were above their goals."
ELSEWHERE = "Heart rate did not change, and systolic blood pressure rose by 4 mmHg with velorin."
RANGE = "The prevalence of asthma ranged from 3.5% in Freedonia to 10.7% in Sylvania."
BASELINE = "In this population (mean baseline weight of 90 kg), velorin reduced weight with a mean difference of 4 kg."
DURING = "During the intensive phase, 95% of the patients took velorin under direct observation."
LACKING = "Velorin without concomitant insulin increased response significantly."
VERBS = "Velorin reduced blood pressure and enhanced endothelial function."
DOSES = "The higher dose showed a greater decrease in glucose than the lower dose."
RATIO = "Walking was associated with a lower risk of falls (HR 0.71, 95% CI 0.58-0.87)."
LATER = "Velorin relieved pain more than tarsol, which might be explained by its faster absorption."


def fault_of(statement: str, quote: str) -> str:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A record", text=quote)
    return check_draft(Draft(text=statement, quote=quote, source_ids=["src_001"]), {"src_001": hit}).fault


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Nearly half of the velorin group responded (46.6%).", SHARES),
        ("Weight fell more with velorin than with placebo (5.9 vs 2.1 kg).", SIGNED),
        ("Rash was seen in 5% of the velorin group.", EVENTS),
        ("Bleeding of grade 2 was reported in one patient (2%).", GRADES),
        ("Platelets went up during treatment with velorin plus tarsol.", EXCEPTED),
        ("Eight of 11 people on velorin stopped early.", STOPPED),
        ("Tarsol lowered blood pressure significantly less than velorin did.", BETTER),
        ("Bleeding did not differ significantly between velorin (4%) and tarsol (9%).", BRACKET),
        ("Velorin lowered the risk of stroke whatever the goals of the patients.", REACHED),
        ("Systolic blood pressure went up by 4 mmHg with velorin.", ELSEWHERE),
        ("Mean weight at the outset was 90 kg.", BASELINE),
        ("Velorin enhanced endothelial function.", VERBS),
        ("Glucose fell more with the higher dose than with the lower dose.", DOSES),
        ("The risk of falls was 29% lower with walking (HR 0.71).", RATIO),
        ("Velorin relieved pain better than tarsol did.", LATER),
    ],
)
def test_a_draft_that_says_the_same_in_free_words_is_accepted(statement: str, quote: str) -> None:
    assert fault_of(statement, quote) == ""


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Nearly half of the placebo group responded.", SHARES),
        ("Weight fell by 5.9 kg with placebo.", SIGNED),
        ("Headache was seen in 5% of people.", EVENTS),
        ("Rash occurred in the placebo group.", EVENTS),
        ("Grade 3 bleeding was reported in one patient (2%).", GRADES),
        ("Platelets rose during treatment with velorin alone.", EXCEPTED),
        ("Eight of 11 people assigned to placebo stopped early.", STOPPED),
        ("Tarsol reduced blood pressure significantly more than velorin.", BETTER),
        ("Bleeding was significantly less frequent with velorin than with tarsol.", BRACKET),
        ("Heart rate rose with velorin.", ELSEWHERE),
        ("The prevalence of asthma was 10.7% in Freedonia.", RANGE),
        ("Velorin reduced weight by 90 kg.", BASELINE),
        ("After the intensive phase 95% of the patients took velorin under direct observation.", DURING),
        ("Velorin with insulin increased response significantly.", LACKING),
        ("Velorin reduced endothelial function.", VERBS),
        ("The lower dose gave the greater decrease in glucose.", DOSES),
        ("The risk of falls was 39% lower with walking.", RATIO),
        ("Velorin is absorbed faster than tarsol.", LATER),
    ],
)
def test_a_draft_that_gives_it_to_another_in_free_words_is_refused(statement: str, quote: str) -> None:
    assert fault_of(statement, quote)


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Velorin lowered it (p = 0.5.1).", "Velorin () lowered it similarly (p = 0.5.1) and (HR 0·71)."),
        ("The risk was 29% lower with velorin.", "With velorin the risk was lower (HR 0·71, 95% CI 0·58–0·87) ()."),
    ],
)
def test_empty_brackets_and_odd_numbers_are_read(statement: str, quote: str) -> None:
    assert isinstance(fault_of(statement, quote), str)
