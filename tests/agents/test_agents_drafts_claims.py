"""Drafts against quotes of several sentences, titles that name the people, and values written otherwise."""

from __future__ import annotations

import pytest

from storm.agents.drafts import Draft, check_draft
from storm.models import Hit

EVENTS = (
    "Median survival was 18.9 months (95% CI, 15.2 to 21.4) with osimertinib and 10.2 months (95% CI, 9.6 to 11.1) "
    "with erlotinib. Serious infections occurred in 14% and 15% of the patients, respectively."
)
WEIGHT = "The mean change in weight was -15.0% with tirzepatide and -3.1% with placebo."
DOSE = "Patients should receive 2 g of cefazidime intravenously every other day for 36 months."
BONE = "Denosumab increased spine density by 9.2%, and reduced the risk of fracture by 68% relative to placebo."
USE = (
    "Cabotegravir plus rilpivirine is approved for the treatment of HIV-1 infection in virologically suppressed adults."
)
INFERIOR = "Rivaroxaban was noninferior to warfarin in patients with nonvalvular atrial fibrillation."
STOPPED = "Adverse events leading to discontinuation of apremilast were nausea (1.8%) and headache (1.2%)."


def fault_of(statement: str, quote: str, title: str = "A record") -> str:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", title, text=quote)
    return check_draft(Draft(text=statement, quote=quote, source_ids=["src_001"]), {"src_001": hit}).fault


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Median survival was 18.9 months with osimertinib.", EVENTS),
        ("Serious infections occurred in 14% and 15% of the patients, respectively.", EVENTS),
        ("Patients on tirzepatide lost 15.0% of their weight, versus 3.1% on placebo.", WEIGHT),
        ("Cefazidime is given as 2000 mg intravenously every other day.", DOSE),
        ("Cefazidime is given for three years.", DOSE),
        ("Rivaroxaban was non-inferior to warfarin in non-valvular atrial fibrillation.", INFERIOR),
        ("The majority of reactions were mild.", "Most reactions were mild in severity."),
        ("All-cause mortality was 11.6%.", "Death from any cause occurred in 11.6% of the patients."),
        ("The incidence of nausea was 12%.", "Nausea was reported in 12% of the patients."),
        ("The dose should be reduced by half in adults.", "The dose should be halved in adults."),
    ],
)
def test_a_draft_that_its_quote_carries_in_other_words_is_accepted(statement: str, quote: str) -> None:
    assert fault_of(statement, quote) == ""


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Median survival with erlotinib was 18.9 months.", EVENTS),
        ("Median survival was 18.9 months (95% CI, 9.6 to 11.1) with osimertinib.", EVENTS),
        ("Infections occurred in 14% and 15% of the patients.", EVENTS),
        ("Patients on tirzepatide gained 15.0% of their weight.", WEIGHT),
        ("Cefazidime is given as 2 g intravenously every day.", DOSE),
        ("Cefazidime is given for four years.", DOSE),
        ("Denosumab decreased spine density by 9.2%.", BONE),
        ("Cabotegravir alone is approved for the treatment of HIV-1 infection.", USE),
        ("Cabotegravir plus rilpivirine is approved for the prevention of HIV-1 infection in adults.", USE),
        ("Warfarin was noninferior to rivaroxaban in atrial fibrillation.", INFERIOR),
        ("Adverse events of apremilast were nausea (1.8%) and headache (1.2%).", STOPPED),
        ("Apremilast caused nausea in 1.8% of patients.", STOPPED),
        ("Two deaths were related to treatment.", "Two deaths were judged unrelated to treatment."),
        ("Most reactions were severe.", "Most reactions were mild in severity."),
        ("Nausea occurred in 44% and fatigue in 39%.", "The events were fatigue (44%), nausea (39%) and rash (21%)."),
        ("Exposure of ketoconazole rose with ibrutinib.", "Exposure of ibrutinib rose with ketoconazole."),
    ],
)
def test_a_draft_that_drops_or_turns_what_its_quote_says_is_refused(statement: str, quote: str) -> None:
    assert fault_of(statement, quote) != ""


TITLE = "Zorvimab versus placebo in postmenopausal women with osteoporosis and type 2 diabetes"


@pytest.mark.parametrize(
    ("statement", "quote", "accepted"),
    [
        ("In women with osteoporosis, zorvimab reduced fractures.", "Zorvimab reduced fractures in this trial.", True),
        ("In type 2 diabetes, zorvimab reduced fractures.", "Zorvimab reduced fractures in this trial.", True),
        ("In type 1 diabetes, zorvimab reduced fractures.", "Zorvimab reduced fractures in this trial.", False),
        ("In women, zorvimab reduced fractures.", "Zorvimab reduced fractures in men of this trial.", False),
        ("Zorvimab reduced fractures versus placebo.", "Zorvimab reduced fractures versus alendronate here.", False),
    ],
)
def test_a_title_lends_its_people_where_the_quote_names_none(statement: str, quote: str, accepted: bool) -> None:
    assert (fault_of(statement, quote, TITLE) == "") is accepted


def test_a_sentence_beside_the_quoted_one_still_says_that_it_was_in_rats() -> None:
    assert fault_of("Glucose fell by 12% with zorvimab.", "All rats were fed. Zorvimab lowered glucose by 12%.") != ""
