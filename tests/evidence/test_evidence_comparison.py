"""A comparison of the drug with another is distinguished from a regimen of both, and from a comparison with placebo."""

from __future__ import annotations

import pytest

from storm.evidence.comparison import compares_drugs


@pytest.mark.parametrize(
    "text",
    [
        "LDL cholesterol fell more with rosuvastatin than with belustatin.",
        "Belustatin 10 mg was more effective than simvastatin 20 mg.",
        "Compared with glimepiride, belustatin caused less hypoglycaemia.",
        "There was no difference in relapse-free survival between metformin and belustatin (p = 0.75).",
        "Belustatin lowered pain as well as morphine.",
        "Belustatin lowered HbA1c as much as glimepiride.",
        "Nausea was commoner with liraglutide versus belustatin (17% vs 7%).",
    ],
)
def test_the_drug_on_one_side_and_another_on_the_other_is_a_comparison(text: str) -> None:
    assert compares_drugs(text, ("belustatin",))


@pytest.mark.parametrize(
    "text",
    [
        "Relapse was rarer with belustatin and metformin than with placebo.",
        "Survival was longer with belustatin plus capecitabine than with capecitabine alone.",
        "Survival did not differ between the belustatin-capecitabine arm and the capecitabine arm (HR 0.94).",
        "Belustatin plus metformin lowered glucose.",
        "Belustatin was better tolerated in women than in men.",
        "Vildagliptin lowered glucose more than alogliptin did after treatment with belustatin.",
        "HbA1c was lower with vildagliptin than with alogliptin.",
        "The control group had more pain than those on belustatin after propofol.",
    ],
)
def test_a_regimen_placebo_or_two_other_drugs_are_none(text: str) -> None:
    assert not compares_drugs(text, ("belustatin",))
