"""Which groups of patients a document names, and which treatment each of them got."""

from __future__ import annotations

import pytest

from storm.evidence.abbreviations import read_abbreviations
from storm.models import Hit, Section, SectionKind


def explain(defined: str, said: str) -> str:
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", text=defined)
    return read_abbreviations(hit, ("zorvimab",)).explain_short_names(said)


def test_a_group_is_defined_at_the_end_of_what_it_got() -> None:
    text = "Patients had zorvimab (2 mg daily, by mouth; group Z) or nothing (group C)."
    assert explain(text, "It fell in group Z.") == "It fell in group Z [zorvimab]."


@pytest.mark.parametrize(
    "defined",
    [
        "Group A received placebo. Group B received zorvimab.",
        "Group A received saline without zorvimab.",
        "Group A had more pain. Zorvimab was given to all later.",
        "We compared group A with group B after zorvimab became available (ABC).",
    ],
)
def test_a_group_that_did_not_get_the_drug_is_not_explained(defined: str) -> None:
    assert explain(defined, "Pain was lower in group A.") == ""


def test_a_group_of_whatever_it_is_compared_with_is_not_that_of_the_drug() -> None:
    text = "Patients in the non-exposed group received placebo, zorvimab, placebin or insulin."
    assert explain(text, "Deaths were more frequent in the non-exposed group.") == ""


@pytest.mark.parametrize(
    ("defined", "said", "expected"),
    [
        ("They had zhibitai 480 mg + zorvimab 10 mg (ZA10 group) or zorvimab 20 mg (Z20 group).",
         "It fell in the ZA10 group and the Z20 group.",
         "It fell in the ZA10 group [zhibitai 480 mg + zorvimab 10 mg] and the Z20 group [zorvimab 20 mg]."),
        ("Three arms (K1 group: zorvimab infusion of 1 µg/kg/min following bolus 0.5 mg/kg, Control group: saline).",
         "It fell in the K1 group.",
         "It fell in the K1 group [zorvimab infusion of 1 µg/kg/min following bolus 0.5 mg/kg]."),
        ("They had zorvimab 20 mg once daily (Z20 group, n=104) or placebo (P group).", "It fell in the Z20 group.",
         "It fell in the Z20 group [zorvimab 20 mg once daily]."),
        ("The Z20 group received zorvimab 20 mg, then 40 mg.", "It fell in the Z20 group.",
         "It fell in the Z20 group [zorvimab]."),
    ],
)  # fmt: skip
def test_a_group_is_explained_with_its_dose_where_that_is_all_that_is_said_of_it(
    defined: str, said: str, expected: str
) -> None:
    assert explain(defined, said) == expected


@pytest.mark.parametrize(
    ("defined", "meaning"),
    [
        ("Group A received adalimumab plus zorvimab 20 mg. Group B received placebo.", "with zorvimab"),
        ("Group A received zorvimab 20 mg. After 4 weeks group A received zorvimab 40 mg.", "zorvimab"),
        ("Group A received up to zorvimab 20 mg. Group B received placebo.", "zorvimab"),
    ],
)
def test_a_dose_that_is_not_all_that_a_group_had_does_not_explain_it(defined: str, meaning: str) -> None:
    assert explain(defined, "It fell in group A.") == f"It fell in group A [{meaning}]."


@pytest.mark.parametrize(
    "defined",
    [
        "Group C received placebo and 0.05 µg/kg/min zorvimab; group RH received placebo and 0.3 µg/kg/min zorvimab.",
        "Group C received zorvimab alone. Group RH received placebin and zorvimab.",
        "Zorvimab was infused at 2 ng/mL (group C, n = 23), 4 ng/mL (group RH, n = 21) and 6 ng/mL (group D). "
        "In group D there were no cases of hypotension.",
    ],
)
def test_groups_that_all_got_the_drug_are_not_told_apart_by_it(defined: str) -> None:
    assert explain(defined, "Pain was worse in group RH.") == ""


def test_a_group_that_got_the_drug_after_placebo_leaves_the_other_its_explanation() -> None:
    defined = "Group A received zorvimab. Group B received placebo. After week 12 group B received zorvimab."
    assert explain(defined, "Deaths were rarer in group A.") == "Deaths were rarer in group A [zorvimab]."


def test_groups_that_all_got_the_drug_are_told_apart_by_its_dose() -> None:
    defined = "Group A received zorvimab 10 mg. Group B received zorvimab 20 mg."
    assert explain(defined, "It fell in group B.") == "It fell in group B [zorvimab 20 mg]."


def test_what_all_had_before_they_were_assigned_is_not_what_a_group_got() -> None:
    defined = (
        "100 patients under zorvimab sedation were randomised to ketamine 0.5 mg/kg (K group) or saline (S group)."
    )
    assert explain(defined, "Pain was less in the K group than in the S group.") == ""


def test_the_treatment_may_stand_before_its_group() -> None:
    defined = "Zorvimab was used as an anaesthetic in group 1 (n = 22), while propofol was used in group 2 (n = 24)."
    said = "Temperature was lower in group 1 (34.9) than in group 2 (35.4)."
    assert explain(defined, said) == (
        "Temperature was lower in group 1 [zorvimab] (34.9) than in group 2 [propofol] (35.4)."
    )


def test_numbers_of_groups_that_crossed_over_name_no_treatment() -> None:
    defined = "Group-1 received zorvimab for three months, then the groups were crossed over."
    assert explain(defined, "Two patients in Group-1 died.") == ""


def test_groups_and_treatments_in_two_lists_are_not_matched_by_their_order() -> None:
    defined = "Groups H0, H1, and H2 were given saline, zorvimab 1 mg, and zorvimab 2 mg, respectively."
    assert explain(defined, "Pain was lower in group H0.") == ""


def test_a_crossover_study_that_a_discussion_names_does_not_hide_the_groups() -> None:
    abstract = Section(label="Methods", kind=SectionKind.ABSTRACT, text="Group F received zorvimab.")
    discussion = Section(label="Discussion", text="A crossover pilot study had found the same.")
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", sections=(abstract, discussion))
    explained = read_abbreviations(hit, ("zorvimab",)).explain_short_names("It was lower in Group F.")
    assert explained == "It was lower in Group F [zorvimab]."


@pytest.mark.parametrize(
    "defined",
    [
        "In this trial of zorvimab, saline was given to group 1 and propofol to group 2.",
        "Unlike zorvimab, propofol was used in group 1.",
        "Because of an allergy to zorvimab propofol was given in group 1.",
        "After induction with zorvimab, propofol was infused in group 1 for an hour.",
        "Zorvimab was given to mothers and placebo to group 1.",
    ],
)
def test_a_drug_before_the_treatment_of_a_group_is_not_its_treatment(defined: str) -> None:
    assert explain(defined, "Two adults died in group 1.") == ""


@pytest.mark.parametrize(
    "defined",
    [
        "Group 2 did not receive midazolam.",
        "Group 2 never received midazolam.",
        "Group 2: adults with diabetes who took metformin.",
        "Group 2 received standard care plus acupuncture.",
        "Group 2 received acupuncture plus standard care.",
        "Group 2 received acupuncture and standard care.",
        "Group 2 received saline and acupuncture.",
    ],
)
def test_a_group_is_not_named_by_what_it_did_not_get_had_before_or_got_with_something_else(defined: str) -> None:
    assert explain(f"Group 1 received zorvimab. {defined}", "Pain was lower in group 1 than in group 2.") == (
        "Pain was lower in group 1 [zorvimab] than in group 2."
    )


@pytest.mark.parametrize(
    "defined",
    [
        "Group 2 received placebo and group 1 received zorvimab.",
        "Group 2 received placebo and patients in group 1 received zorvimab.",
        "Group 2 received placebo, and the women in group 1 received zorvimab.",
        "Adults had zorvimab (group 1) and placebo (group 2). Group 1 received zorvimab.",
        "Group 2 received placebo instead of propranolol. Group 1 received zorvimab.",
        "Group 2: men and women who received placebo. Group 1: zorvimab.",
    ],
)
def test_a_group_is_named_by_the_one_treatment_it_got(defined: str) -> None:
    explained = explain(defined, "Pain was lower in group 1 than in group 2.")
    assert explained == "Pain was lower in group 1 [zorvimab] than in group 2 [placebo]."


@pytest.mark.parametrize(
    "remark",
    [
        "Group 2: radiotherapy, zorvimab being allowed at relapse.",
        "Group 2 (later zorvimab was allowed).",
        "Group 2 received radiotherapy, as zorvimab had failed.",
        "Group 2 received radiotherapy, because all had refused zorvimab.",
        "Group 2 received zorvimab as rescue.",
        "Group 2 received zorvimab at relapse.",
    ],
)
def test_a_drug_that_came_before_or_after_is_not_the_treatment_of_a_group(remark: str) -> None:
    said = "Survival was longer in group 2."
    assert explain(f"Group 2 received radiotherapy only. {remark}", said) == ""


@pytest.mark.parametrize("other", ["radiotherapy", "acupuncture", "laser surgery", "yoga", "CPAP alone"])
def test_treatments_of_any_name_outvote_one_mention_of_the_drug(other: str) -> None:
    defined = f"Group 2 received {other}. Group 2 was treated with {other}. Group 2 was given {other}."
    said = "Survival was longer in group 2."
    assert explain(f"{defined} Group 2 received zorvimab.", said) == ""


@pytest.mark.parametrize(
    "said_of_it", ["received more morphine", "was given the study drug", "had zorvimab, after fasting"]
)
def test_other_words_on_a_group_do_not_outvote_the_drug(said_of_it: str) -> None:
    defined = f"Group 2 received zorvimab after surgery, as planned. Group 2 {said_of_it}."
    assert explain(defined, "It fell in group 2.") == "It fell in group 2 [zorvimab]."


METHODS, INTRODUCTION = SectionKind.METHODS, SectionKind.INTRODUCTION


@pytest.mark.parametrize(
    ("kind", "design", "explained"),
    [
        (METHODS, "This was a cross-over study.", ""),
        (METHODS, "Crossover was not allowed.", "It fell in group 1 [zorvimab]."),
        (INTRODUCTION, "A crossover study had found little.", "It fell in group 1 [zorvimab]."),
    ],
)
def test_the_methods_may_tell_that_groups_crossed_over(kind: SectionKind, design: str, explained: str) -> None:
    abstract = Section(label="Abstract", kind=SectionKind.ABSTRACT, text="We treated 20 adults.")
    paper = Section(label="Part", kind=kind, text=f"{design} Group 1 received zorvimab first.")
    hit = Hit.of("pubmed", "1", "https://example.org/1", "A trial", pmid="1", sections=(abstract, paper))
    assert read_abbreviations(hit, ("zorvimab",)).explain_short_names("It fell in group 1.") == explained


@pytest.mark.parametrize(
    "defined",
    [
        "Group A and group B received zorvimab and propofol, respectively.",
        "Group A and group B received propofol and zorvimab, respectively.",
        "Patients in group A and patients in group B were given propofol and zorvimab, respectively.",
        "Group A (n = 20), group B (n = 20) and group C received zorvimab, saline and water, respectively.",
    ],
)
def test_two_groups_that_are_named_next_to_each_other_are_not_matched_with_a_list(defined: str) -> None:
    assert explain(defined, "Pain was lower in group A than in group B and group C.") == ""


def test_respectively_in_another_sentence_does_not_hide_a_group() -> None:
    defined = "We compared group A and group B. Group B received zorvimab. Ages were 40 and 50, respectively."
    assert explain(defined, "Pain was lower in group B.") == "Pain was lower in group B [zorvimab]."


def test_groups_whose_treatments_stand_beside_them_may_be_listed_with_their_results() -> None:
    defined = "Pain fell in group A (zorvimab), group B (saline) and group C (water) by 3, 2 and 1, respectively."
    assert explain(defined, "It fell in group A.") == "It fell in group A [zorvimab]."


def test_a_group_with_the_name_of_another_drug_is_not_explained_as_this_one() -> None:
    text = "Patients on a stable dose of zorvimab were assigned to aripiprazole and zorvimab (aripiprazole group)."
    assert explain(text, "Scores fell in the aripiprazole group (P = 0.003).") == ""
