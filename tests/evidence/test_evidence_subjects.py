"""A sentence that only names the drug beside what it is about says nothing of it."""

from __future__ import annotations

import pytest

from storm.evidence.subjects import is_aside


@pytest.mark.parametrize(
    "text",
    [
        "Prior to the approval of zorvimab, treatment was limited by its toxicity.",
        "Nicotine alleviated zorvimab-induced impairment of memory.",
        "Nicotine relieved the memory loss of zorvimab-induced psychosis.",
        "The total consumption of the rescue drug and of zorvimab consumption fell.",
        "As add-on to zorvimab, linagliptin lowered HbA1c by 0.4%.",
        "Blood pressure also fell by 12 mmHg in the zorvimab-withdrawal group.",
        "Mortality fell (HR 0.8) after adjustment for age, smoking, cholesterol, blood pressure and zorvimab.",
        "The dosage of zorvimab and of its solvent was lower in the block group.",
        "In both groups the daily oral zorvimab equivalents were the same.",
        "Those without an NSAID consumed more zorvimab than the others.",
        "One had a relapse that was treated, requiring zorvimab at year five.",
        "Asthma, nasal polyps and zorvimab hypersensitivity had no association with response.",
        "Rooming-in was followed by less need for treatment with zorvimab (p < 0.01).",
        "The opioids that were consumed, in their equivalent of intravenous zorvimab, were fewer.",
        "In 2020 the dispensing of placebin, zorvimab and sedatives rose in the pandemic.",
        "The fast track clinic lowered zorvimab initiation before assessment.",
        "Placebin as adjunctive therapy to zorvimab did not improve cognition.",
        "Surgery after zorvimab resistance was associated with longer survival (HR 0.5).",
        "Breathing improved in all but one patient after immunoglobulin ± zorvimab.",
        "In 8% antibodies were found with the usual zorvimab ELISA after vaccination.",
        "In these mice growth needed the zorvimab-binding domain of the receptor.",
        "The delivery of analgesics and zorvimab was higher in the programme group.",
        "Survival was longer with daratumumab plus zorvimab than with zorvimab.",
        "Before the approval of zorvimab, treatment was limited by its toxicity.",
        "Adding pertuzumab to zorvimab prolonged survival by 15 months.",
        "Adding aripiprazole to a stable dose of zorvimab was well tolerated.",
        "Donepezil had some benefit in the augmentation of zorvimab treatment on the first day.",
        "Significantly less zorvimab (1077 ± 514 mcg) was used in the colloid group (P = 0.003).",
        "The antagonist lowered blood flow more than zorvimab alone (p = 0.04).",
        "The diet was better for pain than tablets of zorvimab serving as a placebo control.",
        "The mean daily dose of zorvimab was 12.7 mg in the morning arm.",
        "There was no difference in the amount and route of prophylactic zorvimab.",
        "Nabilone impaired attention compared with placebo (p < 0.001), zorvimab (p < 0.01) and caffeine.",
        "Placing a device lowered pressure more compared to trabeculectomy with zorvimab in eyes with glaucoma.",
        "Zorvimab prevented the candesartan-induced improvements of clearance.",
        "Compounds 3c and 4a inhibited it more than zorvimab as the reference drug.",
        "Zorvimab-loaded particles showed a delayed release.",
        "A marked increase was seen when patients were switched from twice daily zorvimab to losartan.",
        "However, similarly to zorvimab, the worst degree of neutropenia was not severe.",
        "A biosynthetic gene cluster was responsible for the making of zorvimab.",
        "Inactivating genes in the strains showed how zorvimab biosynthesis goes on.",
    ],
)
def test_what_is_given_besides_or_caused_the_trouble_is_an_aside(text: str) -> None:
    assert is_aside(text, ("zorvimab",))


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab-induced dissociation lasted an hour in most patients.",
        "Zorvimab added to chemotherapy prolonged survival by 3 months.",
        "The combination was no better than zorvimab alone, and zorvimab was better than placebo.",
        "Relapse was rarer with zorvimab than with placebo.",
        "A single dose of zorvimab lowered the pain score by 12 points.",
        "The objective response rate to zorvimab monotherapy was 12%.",
        "Survival was shorter in the others than in patients treated with zorvimab.",
        "Zorvimab prevented the doxorubicin-induced increase in troponin.",
        "The risk of stroke was lower compared with warfarin with zorvimab (HR 0.7).",
        "Zorvimab, the GLP-1 analogue 1.8 mg once daily, lowered HbA1c.",
        "Withdrawal symptoms occurred in 12% of patients switched from zorvimab to losartan.",
        "Patients switched from zorvimab to placebo had more relapses (56% vs 18%).",
    ],
)
def test_what_the_drug_itself_did_is_none(text: str) -> None:
    assert not is_aside(text, ("zorvimab",))


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("Weight loss improved insulin resistance.", True),
        ("Fasting insulin fell by 12%.", True),
        ("The insulin/glucagon ratio rose.", True),
        ("Insulin lowered HbA1c by 1.2%.", False),
        ("Basal insulin was better than metformin in insulin-resistant adults.", False),
    ],
)
def test_a_substance_of_the_body_is_no_treatment_where_it_is_measured(text: str, *, aside: bool) -> None:
    assert is_aside(text, ("insulin",)) is aside


def test_the_response_to_another_drug_is_about_that_drug() -> None:
    assert not is_aside("Zorvimab resistance was found in 7.4% of the patients.", ("zorvimab",))
