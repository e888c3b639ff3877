"""A comparison of the drug with another is distinguished from a regimen of both, and from a comparison with placebo."""

from __future__ import annotations

import pytest

from storm.evidence.comparison import compares_drugs, compares_partners, compares_parts_only, reports_both_arms


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
        "HbA1c fell more with dulaglutide 1.5 mg (-0.67%) and dulaglutide 0.75 mg (-0.39%) versus belustatin.",
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


@pytest.mark.parametrize(
    "text",
    [
        "HbA1c fell by 0.99, 0.71 and 0.32% for dulaglutide 1.5 mg, dulaglutide 0.75 mg and belustatin, respectively.",
        "The fall in HbA1c amounted to 1.5 points on belustatin and 1.4 points on pioglitazone.",
        "In overweight patients acarbose and belustatin resembled each other in the reduction of HbA1c.",
        "Acarbose and belustatin had similar effects on HbA1c.",
    ],
)
def test_a_result_of_each_of_two_drugs_is_one_of_both_arms(text: str) -> None:
    assert reports_both_arms(text, ("belustatin",))


@pytest.mark.parametrize(
    "text",
    [
        "HbA1c fell by 0.99 and 0.71% for dulaglutide 1.5 mg and dulaglutide 0.75 mg, respectively, after belustatin.",
        "The combination of metformin and belustatin had similar effects on HbA1c.",
        "The combination of oral metformin and belustatin had comparable tolerability in both sexes.",
        "Odds were adjusted for age, sex, use of metformin, insulin and belustatin, respectively.",
        "HbA1c fell by 1.5 points with belustatin and 20 patients with neuropathy took metformin.",
        "HbA1c fell by 0.9 and 0.1% for belustatin and placebo, respectively.",
    ],
)
def test_a_regimen_placebo_or_one_drug_is_not_two_arms(text: str) -> None:
    assert not reports_both_arms(text, ("belustatin",))


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Belustatin/formoterol and formoterol gave similarly rapid relief.", True),
        ("Formoterol plus belustatin was better than formoterol.", True),
        ("Belustatin/formoterol was better than belustatin.", True),
        ("Belustatin/formoterol was better than salmeterol.", False),
        ("Belustatin/formoterol was better than theirs.", False),
        ("Belustatin/formoterol was effective.", True),
        ("Belustatin was better than placebo.", False),
    ],
)
def test_what_a_partner_adds_is_seen_where_it_is_also_given_alone(text: str, *, alone: bool) -> None:
    assert compares_parts_only(text, ("belustatin",)) is alone


@pytest.mark.parametrize(
    ("text", "partners"),
    [
        ("It was 36% for FOX4 [belustatin plus fluorouracil] and 46% for TOM [belustatin plus raltitrexed].", True),
        ("It fell in ZA10 [with belustatin] more than in A20 [belustatin].", True),
        ("It was lower in AB [belustatin+amodiaquine] than in AL or AC [belustatin+chlorproguanil].", False),
        ("It was higher in the combination [belustatin plus placebin] than in the other group [belustatin].", False),
        ("It fell by 12 mm with B80/H25 [belustatin plus HCTZ] and by 3 mm with placebo.", False),
    ],
)
def test_partners_are_compared_where_all_groups_have_the_drug(text: str, *, partners: bool) -> None:
    assert compares_partners(text, "belustatin") is partners
