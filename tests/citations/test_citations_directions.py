"""More, less, better, worse or the same, and of whom."""

from __future__ import annotations

import pytest

from storm.citations.claims import find_claim_faults

LOWER = "Zorvix had lower rates of pain than placebo (0.056 vs. 0.107/100 patient-years)."
NAMES = "Patients on QX-7 had lower LDL than those on NRP104 (2.1 vs 3.4 mmol/l)."
GROUPS = "In group 1 pain was significantly delayed in comparison with group 2."
DOSES = "Pain was lower with zorvix 20 mg than with placebo or zorvix 10 mg."
MIXED = "Compared with placebo, zorvix lowered ferritin and albumin, but increased bilirubin and lipase."
COURSE = "Zorvix had a reduced decline in ferritin vs placebo."
TAIL = "Higher insulin was associated with a longer survival, while higher ferritin was linked to a shorter survival."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Placebo had higher rates of pain than zorvix (0.107 vs 0.056).", LOWER),
        ("Pain was rarer with zorvix (0.056 per 100 patient-years) than with placebo (0.107).", LOWER),
        ("LDL was 2.1 mmol/l with QX-7 and 3.4 mmol/l with NRP104.", NAMES),
        ("In group 1 pain was significantly delayed compared with group 2.", GROUPS),
        ("Zorvix 20 mg lowered pain more than placebo.", DOSES),
        ("Zorvix increased lipase compared with placebo.", MIXED),
        ("Higher ferritin was associated with shorter survival.", TAIL),
        (
            "Ferritin declined less with zorvix than with placebo.",
            COURSE,
        ),
        ("The risk fell by 24%.", "Zorvix reduced the risk by 24%."),
    ],
)
def test_the_same_direction_in_other_words_is_supported(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Placebo had lower rates of pain than zorvix (0.056 vs 0.107).", LOWER),
        ("Zorvix had lower rates of pain than placebo (0.107 vs 0.056).", LOWER),
        ("Pain was rarer with zorvix (0.107) than with placebo (0.056).", LOWER),
        ("Patients on NRP104 had lower LDL than those on QX-7 (2.1 vs 3.4 mmol/l).", NAMES),
        ("LDL was 2.1 mmol/l with NRP104 and 3.4 mmol/l with QX-7.", NAMES),
        ("In group 2 pain was significantly delayed compared with group 1.", GROUPS),
        ("Zorvix 10 mg lowered pain compared with placebo.", DOSES),
        ("Zorvix lowered lipase compared with placebo.", MIXED),
        ("Higher ferritin was associated with longer survival.", TAIL),
        (
            "Ferritin declined more with zorvix than with placebo.",
            COURSE,
        ),
        ("The risk fell to 24%.", "Zorvix reduced the risk by 24%."),
    ],
)
def test_another_direction_or_other_sides_are_refused(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) != ()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvix 40 mg daily lowered pain.", "Zorvix 40 mg/d lowered pain."),
        ("Two had pain, which was not clinically relevant.", "Pain without clinical relevance was seen in two."),
        ("Pain was recorded up to 48 hours.", "Pain was recorded until 48 hours."),
        ("The relative risk of pain was 0.33.", "Pain was rare (relative risk [95% CI] = 0.33 [0.20, 0.57])."),
        ("Pain appeared in 20%.", "Pain was seen in 20%."),
    ],
)
def test_what_is_written_otherwise_is_the_same(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()
