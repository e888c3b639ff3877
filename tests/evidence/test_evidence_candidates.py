"""Which sentences of a source may be printed, and under which question."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.candidates import Candidate, CandidateReader, SharedReader
from storm.evidence.passages import Passage, read_passages
from storm.models import Hit, Narrowing, Plan, Relation, RelationKind, Section, SectionKind, Source, Syllabus
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("zorvimab",), syllabus=SYLLABUS)
EFFICACY, SAFETY, MECHANISM = "clinical.efficacy", "clinical.safety", "mechanism.moa"
LANDSCAPE, MARKET = "competitive.landscape", "market.status"


def source(
    *texts: str,
    title: str = "Zorvimab in adults",
    label: str = "Results",
    kind: SectionKind = SectionKind.RESULTS,
    **fields: object,
) -> Source:
    sections = tuple(Section(label=label, text=text, kind=kind) for text in texts)
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", title, pmid="1", sections=sections)
    return Source.model_validate(
        {"source_id": "src_001", "number": 1, "hit": hit, "questions": SYLLABUS.keys, **fields}
    )


def candidates(one: Source) -> list[Candidate]:
    reader = CandidateReader(PLAN)
    return [found for question in SYLLABUS.questions for found in reader.find(question, [one])]


def filed(text: str, **fields: object) -> list[str]:
    return [found.question for found in candidates(source(text, **fields))]  # type: ignore[arg-type]


def test_a_question_with_names_of_its_own_takes_sentences_on_its_subject_alone() -> None:
    mechanism = SYLLABUS.question(MECHANISM)
    about = (Narrowing(label="AMPK", phrases=("AMPK",)),)
    update = {"key": "mechanism.disease", "names": ("placebitis",), "about": about, "itself_only": False, "says": ()}
    other = mechanism.model_copy(update=update | {"precedence": 9})
    plan = Plan(names=PLAN.names, syllabus=Syllabus(name="two", questions=(mechanism, other)))
    on_drug = source("Zorvimab inhibits AMPK in vitro.", questions=plan.syllabus.keys)
    on_disease = source("AMPK is overexpressed in placebitis.", title="Placebitis", questions=plan.syllabus.keys)
    assert [one.question for one in CandidateReader(plan).find(mechanism, [on_drug])] == [MECHANISM]
    assert [one.question for one in CandidateReader(plan.of_question(other)).find(other, [on_disease])] == [other.key]
    assert CandidateReader(plan).find(other, [on_drug, on_disease]) == []


def test_harm_is_safety_whatever_else_the_sentence_holds() -> None:
    assert filed("Severe nausea was commoner with zorvimab (12%) than with placebo (5%, p = 0.02).") == [SAFETY]


def test_harm_that_the_drug_prevents_is_efficacy() -> None:
    assert filed("Zorvimab reduced the rate of heart failure from 9% to 6% (p = 0.02).") == [EFFICACY]


def test_deaths_are_safety_unless_the_drug_made_them_fewer() -> None:
    assert filed("Eleven deaths occurred with zorvimab and three with placebo (0.6% each).") == [SAFETY]
    assert filed("There were fewer deaths with zorvimab than with placebo (156 vs 228).") == [EFFICACY]
    assert filed("Deaths were 12% with zorvimab and 17% with placebo (HR 0.66, p < 0.001).") == [EFFICACY]


@pytest.mark.parametrize(
    "text",
    [
        "Body weight was lower with zorvimab than with placebo, and nausea occurred in 20%.",
        "HbA1c was 0.8% lower with zorvimab than with placebo; diarrhoea was reported by 14% of patients.",
        "Nausea was less severe with zorvimab at 5 mg than at 10 mg, but more frequent than with placebo.",
        "Fever was seen in 20% with zorvimab versus 5% with placebo, more commonly after the first dose.",
        "Compared with placebo, pyrexia was reported more often with zorvimab (12% and 4%).",
        "Low vitamin B12 was found in 9% of adults given zorvimab and in 4% of those given placebo.",
        "Zorvimab was followed by more gastrointestinal symptoms than placebo (22% versus 13%).",
        "Hip fractures occurred in 1.9% of women on zorvimab and in 1.1% of women on placebo.",
        "Seven women (31%) on zorvimab had a raised temperature, compared with two (8%) on placebo.",
        "Hyperkalaemia developed in 6% with zorvimab and in 2% with placebo.",
        "Zorvimab had a significantly higher incidence of anaemia and of platelet reduction (p = 0.01).",
        "Of eight women, two could not tolerate the tablets of zorvimab (25%).",
        "Cytokine release syndrome with a headache was seen in 5 adults on zorvimab.",
        "Zorvimab was associated with a higher risk of stroke than placebo (HR 1.31).",
        "Ejection fraction fell by 4 points with zorvimab and by 1 point with placebo (p = 0.02).",
        "Zorvimab increased the risk of LVEF decline (6% versus 2% with placebo, p = 0.02).",
        "A greater decline in LVEF was seen with zorvimab (6 points) than with placebo (2 points).",
        "Zorvimab was effective, but acute kidney injury was seen in 5% on zorvimab and in 2% on placebo.",
    ],
)
def test_what_a_drug_may_do_to_the_body_is_safety(text: str) -> None:
    assert filed(text) == [SAFETY]


def test_a_harm_that_a_title_names_is_safety() -> None:
    title = "Zorvimab for breast cancer: survival and congestive heart failure in a randomised trial"
    said = "Congestive heart failure developed in 4.1% with zorvimab and in 0.8% with placebo (P<0.001)."
    assert SAFETY in filed(said, title=title)


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab reduced vertebral fractures from 9% to 6% (p = 0.02).",
        "Zorvimab decreased the rate of admissions for worsening heart failure (17% versus 24%).",
        "The HR for death of those treated with zorvimab was 0.93 (95% CI 0.71 to 1.21).",
        "At one year, 22% on zorvimab had died and 33% on placebo (P=0.008).",
        "Bleeding was less frequent with zorvimab (7%) than with placebo (30%; p = 0.04).",
        "Zorvimab relieved gastrointestinal symptoms in 61% of adults and placebo in 40%.",
        "Zorvimab was more effective than placebo in adults with desaturation on effort (p = 0.02).",
        "Zorvimab was more effective than placebo in adults with mild renal impairment (p = 0.02).",
        "The symptom score changed by 1.7 points, favoring zorvimab, with a difference in dizziness (p = 0.01).",
        "Symptom scores were significantly better with zorvimab for nausea and vomiting (p < 0.05).",
        "Those on placebo had a raised temperature more frequently (32%) than those on zorvimab (6%).",
        "Heartburn and nausea were significantly lower in adults on zorvimab (20 mg) than with placebo (p = 0.01).",
        "Adults on zorvimab had a higher ejection fraction than those on placebo (57% versus 51%).",
        "Zorvimab lowered the activity of the hypoxia-inducible factor by 40% compared with placebo.",
    ],
)
def test_what_a_drug_is_given_for_and_a_measure_that_rises_to_the_good_are_no_harm(text: str) -> None:
    assert SAFETY not in filed(text)


def test_the_condition_that_a_trial_is_about_is_no_harm() -> None:
    text = "Zorvimab did not reduce the share of days with diarrhoea (2.4% versus 2.5%; p = 0.85)."
    assert filed(text, title="Zorvimab to reduce diarrhoea in infants") == [EFFICACY]
    assert filed(text.replace("reduce", "increase"), title="Zorvimab in asthma") == [SAFETY]


def test_markers_beside_what_became_of_the_patients_are_no_mechanism() -> None:
    said = "Zorvimab and placebo did not differ in cytokines (p = 0.45)"
    assert filed(f"{said}.") == [MECHANISM]
    assert filed(f"{said}, duration of ventilation or length of intensive care unit stay.") == [EFFICACY]


def test_a_list_of_what_there_is_is_no_mechanism() -> None:
    assert filed("Currently available receptor agonists include twice-daily zorvimab and losartan.") == []


def test_what_improved_is_no_harm_though_a_harm_might_be_seen_in_it() -> None:
    assert filed("Significant improvements in liver enzymes were demonstrated with zorvimab (p < 0.01).") == [EFFICACY]
    assert SAFETY in filed("Zorvimab raised liver enzymes in 12% and on placebo 2% had raised ones.")
    assert SAFETY in filed("Improvements in HbA1c with zorvimab were accompanied by elevated ALT levels (p = 0.01).")
    assert SAFETY in filed("Constipation was the most frequent side effect of zorvimab and was relieved by laxatives.")


def test_how_often_it_does_harm_is_no_mechanism_and_who_left_for_want_of_an_effect_no_harm() -> None:
    glucose = "The decrease in fasting plasma glucose was significantly greater with zorvimab (p < 0.001)."
    assert MECHANISM not in filed(glucose)
    assert MECHANISM not in filed("Zorvimab had an increased incidence of gastrointestinal adverse events (12%).")
    assert SAFETY not in filed("More discontinued due to lack of efficacy with placebo (25%) than zorvimab (12%).")
    both = "Adverse events led to discontinuation in 12% with zorvimab and 3% with placebo, and lack of efficacy in 5%."
    assert SAFETY in filed(both)
    assert SAFETY in filed("Zorvimab was discontinued for toxicity in 15% and lack of efficacy in 5%.")


@pytest.mark.parametrize(
    "text",
    [
        "Treatment differences between zorvimab versus placebo were 0.67 units.",
        "In the zorvimab-first group, corresponding values were 24 (5.5%) and 16 (3.7%).",
        "The observed increases caused more frequent reporting of values above normal with zorvimab (12%).",
        "Placebo-subtracted least squares mean (LSM) changes were 23 and 18 with zorvimab 100 and 300 mg (p < 0.002).",
    ],
)
def test_a_value_of_nothing_that_is_named_is_no_result(text: str) -> None:
    assert filed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The treatment difference between zorvimab and placebo on pain at week 24 was -0.67 (p < 0.001).",
        "The observed reduction in pain with zorvimab was 1.2 points (p < 0.001).",
        "Placebo-subtracted mean changes were -5 in pain with zorvimab 10 mg (p < 0.001).",
    ],
)
def test_a_value_of_an_outcome_that_is_named_is_a_result(text: str) -> None:
    assert filed(text) == [EFFICACY]


@pytest.mark.parametrize("harm", ["QTc prolongation", "SAEs", "TEAEs", "AEs"])
def test_harms_are_known_by_their_abbreviations(harm: str) -> None:
    assert filed(f"The incidence of {harm} was higher with zorvimab (12%) than with placebo (5%).") == [SAFETY]


def test_a_null_result_is_a_result() -> None:
    assert filed("There was no significant difference in relapse rate between zorvimab and placebo (p = 0.61).") == [
        EFFICACY
    ]


def test_a_comparison_with_another_drug_stands_in_the_landscape() -> None:
    beside = "Relapse was rarer with zorvimab than with placebo (p = 0.01)."
    assert filed(f"{beside} Relapse was rarer with zorvimab than with rituximab (p = 0.03).") == [EFFICACY, LANDSCAPE]


def test_comparisons_stand_under_efficacy_if_a_trial_of_the_drug_found_nothing_else_of_its_effect() -> None:
    assert filed("Relapse was rarer with zorvimab than with rituximab (p = 0.03).") == [EFFICACY]


def test_what_the_drug_is_stands_under_mechanism_and_not_under_efficacy() -> None:
    assert filed("Zorvimab is a selective inhibitor of the KIF-2 receptor in smooth muscle.") == [MECHANISM]


@pytest.mark.parametrize(
    "text",
    [
        "Blood pressure fell further with zorvimab plus a calcium-channel blocker than with placebo (p = 0.02).",
        "The glucose AUC was 21% lower with zorvimab than with placebo (p = 0.02).",
        "Median survival with zorvimab was 10.9 months, against 5.3 months (p = 0.01), in mutation-positive disease.",
        "Pain scores were lower with zorvimab than with placebo (p = 0.02) despite its half-life of two hours.",
    ],
)
def test_what_a_trial_found_of_its_arms_is_efficacy_though_a_word_of_mechanisms_stands_in_it(text: str) -> None:
    assert filed(text) == [EFFICACY]


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab is a potent, highly selective beta-1 adrenergic blocker.",
        "The AUC of zorvimab rose by 40% after a fatty meal.",
        "Zorvimab reached a plasma AUC of 320 ng h/ml after 20 mg.",
        "Zorvimab inhibits KIF-2 and thereby lowers blood pressure.",
    ],
)
def test_how_the_drug_works_and_what_the_body_does_with_it_stand_under_mechanism(text: str) -> None:
    assert filed(text) == [MECHANISM]


def test_what_a_discussion_cites_is_no_result_of_its_own() -> None:
    said = "Zorvimab lowered relapse by 30% without serious adverse events."
    kind = SectionKind.DISCUSSION
    cited = Section(label="Discussion", text=said, kind=kind, cited=(len(said),))
    plain = source(said, kind=kind)
    one = plain.model_copy(update={"hit": plain.hit.model_copy(update={"sections": (cited,)})})
    assert candidates(plain)
    assert candidates(one) == []


def test_a_fact_that_a_discussion_cites_answers_what_facts_answer() -> None:
    said = "Zorvimab is a selective inhibitor of the KIF-2 receptor."
    plain = source(said)
    cited = Section(label="Discussion", text=said, kind=SectionKind.DISCUSSION, cited=(len(said),))
    one = plain.model_copy(update={"hit": plain.hit.model_copy(update={"sections": (cited,)})})
    assert [found.question for found in candidates(one)] == [MECHANISM]


def test_an_approval_needs_who_or_when() -> None:
    assert filed("Zorvimab was approved by the FDA in 2019 for severe asthma.") == [MARKET]
    assert filed("Zorvimab was approved by the ethics committee of the hospital.") == []


def test_a_sentence_that_does_not_name_the_drug_is_none_of_its_efficacy() -> None:
    assert filed("Survival was longer with rituximab than with placebo (p = 0.01).") == []


def test_a_sentence_is_printed_under_no_question_that_its_source_is_not_filed_under() -> None:
    said = "Severe nausea was commoner with zorvimab (12%) than with placebo (5%, p = 0.02)."
    assert filed(said, questions=(EFFICACY,)) == []


def test_a_record_about_another_drug_answers_no_question_on_the_drug_itself() -> None:
    said = "Relapse was rarer with zorvimab than with placebo (p = 0.03)."
    assert filed(said, relation=Relation.DERIVATIVE) == []


@pytest.mark.parametrize("kind", [RelationKind.MENTIONED, RelationKind.BACKGROUND])
def test_a_paper_that_only_mentions_the_drug_gives_nothing(kind: RelationKind) -> None:
    said = "Relapse was rarer with zorvimab than with placebo (p = 0.03)."
    assert filed(said, relation_kind=kind) == []


def test_of_a_trial_of_another_drug_against_it_harms_and_comparisons_are_taken() -> None:
    kind = RelationKind.COMPARATOR
    assert filed("Severe nausea was commoner with zorvimab (12%) than with placebo (5%).", relation_kind=kind) == [
        SAFETY
    ]
    assert filed("Relapse was rarer with rituximab than with zorvimab (p = 0.03).", relation_kind=kind) == [LANDSCAPE]
    assert filed("Relapse was rarer with zorvimab than before (p = 0.03).", relation_kind=kind) == []


@pytest.mark.parametrize(
    "said",
    [
        "In the zorvimab group, bone density rose by 7.5% at 24 months.",
        "The difference in bone density between the zorvimab and placebo groups was significant (P < .01).",
    ],
)
def test_of_a_trial_of_another_drug_results_of_the_arm_of_this_one_against_placebo_are_its_efficacy(said: str) -> None:
    assert filed(said, relation_kind=RelationKind.COMPARATOR) == [EFFICACY]


def test_what_patients_preferred_is_efficacy_where_a_trial_was_about_it() -> None:
    said = "Overall, 61% of patients preferred zorvimab tablets and 27% capsules (p < 0.001)."
    assert filed(said, title="Preference of patients for zorvimab tablets") == [EFFICACY]
    assert filed(said, title="Zorvimab in adults") == []


@pytest.mark.parametrize(
    "said",
    [
        "ADHD scores fell by 25 points with QBX and by 22 points with zorvimab (p < 0.01).",
        "Cure rates were 98.8% (95% CI 96, 99) for mefloquine and 96.3% (95% CI 93, 98) for zorvimab.",
    ],
)
def test_of_a_trial_against_the_drug_results_of_both_arms_are_taken(said: str) -> None:
    assert filed(said, relation_kind=RelationKind.COMPARATOR) in ([LANDSCAPE], [LANDSCAPE, LANDSCAPE])


@pytest.mark.parametrize(
    "said",
    [
        "With either rituximab 5 mg or zorvimab 40 mg, fewer than 0.6% got there (p = 0.01 versus 1%).",
        "There was a slight numerical advantage of zorvimab (79%) compared with rituximab (74%).",
    ],
)
def test_of_both_arms_together_and_of_slight_differences_no_comparison_is_made(said: str) -> None:
    assert filed(said, relation_kind=RelationKind.COMPARATOR) == []


def test_of_a_trial_of_a_combination_harms_and_effects_are_those_of_the_drug_too() -> None:
    combined = {"relation": Relation.COMBINATION, "relation_kind": RelationKind.COMBINATION}
    assert filed("Severe nausea was commoner with zorvimab plus aspirin (12%) than without (5%).", **combined) == [
        SAFETY
    ]


def test_a_mechanism_is_no_role_in_treatment_and_not_that_of_a_combination() -> None:
    assert filed("Zorvimab has played an important role in the treatment of asthma for many years.") == []
    both = "Zorvimab aerosol combined with aspirin inhibits the release of interleukin."
    assert MECHANISM not in filed(both)
    assert filed("Zorvimab inhibits the release of interleukin.") == [MECHANISM]
    assert filed("Zorvimab has a half-life of two minutes in plasma and stimulates nothing.") == []


@pytest.mark.parametrize(
    "said",
    [
        "In the zorvimab group, 43 patients (30.1%) were not evaluated for response because of early discontinuation.",
        "Thirty-one patients took their zorvimab tablets for at least 75% of the time and discontinuations were few.",
    ],
)
def test_who_was_assessed_and_took_it_is_no_harm(said: str) -> None:
    assert SAFETY not in filed(said)


def test_a_finding_under_a_heading_on_harms_is_one_on_safety() -> None:
    said = "Potassium fell by 0.2 mmol/l with zorvimab compared with 0.1 mmol/l with placebo (p = 0.03)."
    assert filed(said, label="Results: Adverse events") == [SAFETY]
    assert SAFETY not in filed(said, label="Results: Efficacy and safety outcomes")


@pytest.mark.parametrize(
    "said",
    [
        "When patients were reassessed at 6 months, 12% of those on zorvimab had died compared with 5% on placebo.",
        "Mandatory dose reductions for neutropenia occurred in 31% of patients given zorvimab.",
        "Of 300 patients who took at least one dose of zorvimab, 27% reported diarrhoea and 14% headache.",
        "Ten patients (8%) were not evaluable for response owing to discontinuation for hepatotoxicity on zorvimab.",
        "Other causes of death with zorvimab were sepsis (4%) and stroke (2%).",
    ],
)
def test_no_word_of_conduct_hides_a_harm(said: str) -> None:
    assert filed(said) == [SAFETY]


@pytest.mark.parametrize(
    "said",
    [
        "Opioid doses were not different between zorvimab and placebo (primary endpoint, p = 0.6).",
        "Morphine doses were significantly lower with zorvimab than with placebo (12 vs 21 mg, p = 0.01).",
        "The placebo effect was large, and zorvimab did not differ from placebo on the primary endpoint (p = 0.45).",
        "Infants admitted to intensive care with croup had less pain with zorvimab than with placebo (p = 0.01).",
    ],
)
def test_no_word_of_conduct_hides_an_outcome(said: str) -> None:
    assert filed(said) == [EFFICACY]


def test_what_placebo_did_is_no_effect_of_the_drug() -> None:
    assert filed("The placebo effect on pain was significant in the zorvimab group as well (p < 0.001).") == []


@pytest.mark.parametrize(
    "following",
    [
        "However, pain was lower with rituximab than with zorvimab (p = 0.02).",
        "Relapse was significantly rarer with rituximab than with zorvimab and less severe than before (p = 0.02).",
    ],
)
def test_what_limits_a_finding_is_printed_with_it(following: str) -> None:
    said = "Both zorvimab and rituximab reduced relapse in adults."
    printed = [found.text for found in candidates(source(f"{said} {following}"))]
    assert f"{said} {following}" in printed


def test_a_harm_after_an_assurance_is_printed_with_it() -> None:
    said, harm = "Zorvimab was well tolerated in adults.", "Nausea was more common than with placebo (12% versus 5%)."
    assert [found.text for found in candidates(source(f"{said} {harm}"))][:1] == [f"{said} {harm}"]
    harm = "Compared with placebo, it led to more gastrointestinal symptoms."
    assert [found.text for found in candidates(source(f"{said} {harm}"))][:1] == [f"{said} {harm}"]


def test_a_measure_in_healthy_people_is_no_efficacy_unless_they_felt_it() -> None:
    title = "Zorvimab in healthy volunteers"
    assert filed("Zorvimab increased forearm blood flow by 12% (p = 0.03).", title=title) == []
    assert filed("Zorvimab lowered pain scores by 12% (p = 0.03).", title=title) == [EFFICACY]


def test_a_group_is_shown_with_the_drug_it_got_and_quoted_as_it_stands() -> None:
    text = "Group A received zorvimab. The response rate was higher in group A than in group B (p = 0.03)."
    (found,) = candidates(source(text))
    assert found.text == "The response rate was higher in group A [zorvimab] than in group B (p = 0.03)."
    assert found.passage.text == "The response rate was higher in group A than in group B (p = 0.03)."


def test_results_are_worth_more_than_a_discussion_and_those_of_an_introduction_are_of_others() -> None:
    said = "Relapse was rarer with zorvimab than with placebo (p = 0.03)."
    results, discussion = (
        candidates(source(said, kind=kind))[0].worth for kind in (SectionKind.RESULTS, SectionKind.DISCUSSION)
    )
    assert results > discussion
    assert filed(said, kind=SectionKind.INTRODUCTION) == []


def test_what_a_trial_of_others_found_is_no_mechanism_of_an_introduction() -> None:
    found = "A randomised trial in 40 patients showed that zorvimab inhibits kinases and lowered lung water."
    known = "Zorvimab inhibits kinases of the lung."
    assert filed(found, kind=SectionKind.INTRODUCTION) == []
    assert filed(known, kind=SectionKind.INTRODUCTION) == [MECHANISM]


@pytest.mark.parametrize(
    "text",
    [
        "The duration of infusion was 24 h shorter with zorvimab than with placebo (p = 0.01).",
        "There was no significant difference in the total intended drug dose of zorvimab between groups.",
        "Similar numbers of participants in the zorvimab and placebo groups completed 12 months (78% and 77%).",
        "Third, we did not collect data on treatment with zorvimab after the end, which differed.",
        "The benefits of zorvimab over aspirin have been assessed in our study with better methods.",
        "It is recommended that zorvimab is the preferred and more effective alternative in adults.",
    ],
)
def test_how_a_trial_was_conducted_and_what_is_recommended_is_no_result(text: str) -> None:
    assert filed(text, kind=SectionKind.DISCUSSION) == []


def test_a_missed_primary_endpoint_and_a_target_reached_without_harm_are_efficacy() -> None:
    missed = "Zorvimab was well tolerated but did not meet the primary endpoint of longer survival than placebo."
    reached = "More patients reached the target without hypoglycaemia with zorvimab than with placebo (p = 0.01)."
    assert filed(missed) == filed(reached) == [EFFICACY]


def test_less_weight_gain_is_on_a_harm() -> None:
    assert filed("Weight gain was significantly lower with zorvimab than with placebo (p = 0.009).") == [SAFETY]


def test_a_change_within_one_arm_is_worth_less_than_a_comparison() -> None:
    title = "Zorvimab or placebo: a randomised trial"
    within = "There was a significant decrease in pain in the zorvimab group (p < 0.01)."
    between = "Pain decreased more in the zorvimab group than in the placebo group (p < 0.01)."
    found = candidates(source(f"{within} {between}", title=title))
    assert [one.text for one in found] == [between, within]


def test_the_most_common_harms_are_worth_more_than_who_stopped_because_of_them() -> None:
    common = "Common adverse events with zorvimab were nausea (21%) and vomiting (3%)."
    stopped = "Withdrawals due to adverse events with zorvimab were 4% in men and 3% in women."
    assert candidates(source(common))[0].worth > candidates(source(stopped))[0].worth


def test_an_effect_with_its_interval_is_worth_more_than_values_of_both_arms_and_these_more_than_words() -> None:
    said = (
        "Zorvimab lowered the risk of relapse (hazard ratio 0.71, 95% CI 0.55 to 0.91) against placebo.",
        "Zorvimab lowered relapse to 12% versus 25% on placebo.",
        "Zorvimab lowered relapse against placebo.",
        "Zorvimab lowered relapse against placebo in the subgroup of smokers.",
    )
    worths = [candidates(source(text))[0].worth for text in said]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == len(said)


def test_half_of_a_pair_is_not_printed_and_the_other_part_is_no_opening_of_it() -> None:
    half = "Fever was rarer with zorvimab than with placebo below 70 years (10% versus 14%)."
    assert filed(f"{half} However, this trend was reversed in those of 70 years and over.") == []
    assert filed(half) == [SAFETY]


def test_the_conclusion_of_a_body_weighs_less_than_its_results() -> None:
    said = "Relapse was rarer with zorvimab than with placebo (p = 0.03)."
    conclusion, result = (
        candidates(source(said, kind=kind))[0].worth for kind in (SectionKind.CONCLUSION, SectionKind.RESULTS)
    )
    assert conclusion < result


def test_a_heading_within_an_abstract_says_what_follows_it() -> None:
    text = "Objective: To test zorvimab. Results: Zorvimab lowered relapse by 30% (p = 0.01)."
    assert [found.question for found in candidates(source(text, kind=SectionKind.ABSTRACT))] == [EFFICACY]


def test_without_words_of_its_own_a_question_takes_what_holds_most_of_its_cues() -> None:
    plain = [q.model_copy(update={"says": (), "precedence": 0}) for q in SYLLABUS.questions]
    plan = Plan(names=("zorvimab",), syllabus=SYLLABUS.model_copy(update={"questions": tuple(plain)}))
    said = "Serious adverse events were more frequent with zorvimab (12%) than with placebo (5%)."
    one = source(said)
    found = [question.key for question in plain if CandidateReader(plan).find(question, [one])]
    assert found == [SAFETY]


def test_what_became_of_a_patent_is_worth_more_than_that_it_was_granted() -> None:
    hit = Hit.of("patents", "US1", "https://patents.google.com/patent/US1/en", "Zorvimab", text=(
        "The patent US 1 on zorvimab was granted on 9 August 2011 to Placebix. "
        "The patent US 1 on zorvimab was challenged in 2017 by Generix."
    ))  # fmt: skip
    patent = Source(source_id="src_001", number=1, hit=hit, questions=SYLLABUS.keys)
    found = CandidateReader(PLAN).find(SYLLABUS.question("ip.patents"), [patent])
    assert ["challenged" in one.text for one in found] == [True, False]


def test_how_a_dispute_over_a_patent_ended_is_worth_more_than_its_steps_and_than_what_it_claims() -> None:
    hit = Hit.of("patents", "US1", "https://patents.google.com/patent/US1/en", "Zorvimab", text=(
        "In 2017 Generix petitioned for inter partes review of the patent on zorvimab (IPR2017-00001). "
        "The claims of the patent US 8,000,001 are directed to treatment of asthma with zorvimab. "
        "No review of the patent US 8,000,001 on zorvimab was instituted, because each claim had been cancelled before."
    ))  # fmt: skip
    patent = Source(source_id="src_001", number=1, hit=hit, questions=SYLLABUS.keys)
    found = CandidateReader(PLAN).find(SYLLABUS.question("ip.patents"), [patent])
    assert ["instituted" in one.text for one in found] == [True, False, False]


def test_what_it_does_is_joined_to_the_sentence_that_says_what_the_drug_is() -> None:
    said = (
        "Zorvimab is a selective inhibitor of KIF-2. It prolongs the half-life of KIF-1, which binds to its receptor."
    )
    found = candidates(source(said, kind=SectionKind.INTRODUCTION))
    assert [(one.question, one.passage.shown) for one in found if one.text == said] == [(MECHANISM, said)]
    cost = "Zorvimab is the most expensive drug of its class. It costs the system much and binds its budget for years."
    assert candidates(source(cost, kind=SectionKind.INTRODUCTION)) == []
    apart = "Zorvimab was given to adults. It prolongs the half-life of KIF-1, which binds to its receptor."
    assert candidates(source(apart, kind=SectionKind.INTRODUCTION)) == []


def test_what_the_drug_is_is_worth_more_as_its_mechanism_than_what_else_it_binds() -> None:
    defined, other = (
        candidates(source(text, kind=SectionKind.INTRODUCTION))[0]
        for text in ("Zorvimab, an inhibitor of KIF-2, binds its ATP site.", "Zorvimab binds the ATP site of KIF-2.")
    )
    assert defined.worth > other.worth


def test_what_the_drug_acts_on_is_worth_more_as_its_mechanism_than_what_became_of_a_marker() -> None:
    acts, marker = (
        candidates(source(text))[0]
        for text in ("Zorvimab inhibits KIF-2 in T cells.", "Zorvimab lowered the signalling of KIF-2 in T cells.")
    )
    assert acts.worth > marker.worth


def test_a_trial_of_another_drug_against_it_compares_them_though_no_word_does() -> None:
    said = "HbA1c fell by 0.99 and 0.32% for dulaglutide 1.5 mg and zorvimab, respectively."
    comparator = {"relation": Relation.ITSELF, "relation_kind": RelationKind.COMPARATOR}
    assert filed(said, title="Dulaglutide versus zorvimab", **comparator) == [LANDSCAPE]


@given(st.permutations(range(6)))
def test_the_order_of_the_sources_changes_nothing(order: list[int]) -> None:
    def numbered(n: int) -> Source:
        text = f"Relapse was rarer with zorvimab ({n}0%) than with placebo (p = 0.03)."
        hit = Hit.of("pubmed", str(n), f"https://pubmed.ncbi.nlm.nih.gov/{n}/", "Zorvimab", pmid=str(n), text=text)
        return Source(source_id=f"src_{n:03}", number=n, hit=hit, questions=SYLLABUS.keys)

    question = SYLLABUS.question(EFFICACY)
    sources = [numbered(n) for n in range(1, 7)]
    found = CandidateReader(PLAN).find(question, [sources[n] for n in order])
    assert found == CandidateReader(PLAN).find(question, sources)


_SENTENCES = st.sampled_from(
    [
        "Relapse was rarer with zorvimab than with placebo (p = 0.03).",
        "Severe nausea was commoner with zorvimab (12%) than with placebo (5%).",
        "Relapse was rarer with zorvimab than with rituximab (p = 0.04).",
        "Zorvimab binds the KIF-2 receptor with a Kd of 3 nM.",
        "Zorvimab was approved by the FDA in 2019 for severe asthma.",
        "The patent on zorvimab expires in 2031 in the United States.",
        "Patients were given zorvimab or placebo for 12 weeks.",
        "The sky was blue that day.",
    ]
)


@given(st.lists(_SENTENCES, max_size=8, unique=True))
def test_a_sentence_stands_under_one_question_and_its_quote_is_verbatim(sentences: list[str]) -> None:
    text = " ".join(sentences)
    found = candidates(source(text))
    assert len({one.passage.text for one in found}) == len(found)
    assert all(one.passage.text in text for one in found)


HARM = "Nausea was commoner with zorvimab ({}%) than with placebo (5%, p = 0.02)."
BENEFIT = "Zorvimab reduced the rate of relapse from {}% to 6% (p = 0.02)."


def test_a_full_text_reports_on_harms_with_one_finding_on_them_and_an_abstract_does_not() -> None:
    findings = [HARM.format(12), *(BENEFIT.format(40 + n) for n in range(3))]
    full, abstract = (source(" ".join(findings), questions=(), kind=kind)
                      for kind in (SectionKind.RESULTS, SectionKind.ABSTRACT))  # fmt: skip
    assert CandidateReader(PLAN).reported_questions(full) == (EFFICACY, SAFETY)
    assert CandidateReader(PLAN).reported_questions(abstract) == (EFFICACY,)


def test_an_abstract_reports_on_harms_with_one_finding_on_serious_ones() -> None:
    serious = "Serious adverse events and deaths were commoner with zorvimab (12%) than with placebo (5%, p = 0.02)."
    findings = [serious, *(BENEFIT.format(40 + n) for n in range(3))]
    abstract = source(" ".join(findings), questions=(), kind=SectionKind.ABSTRACT)
    assert CandidateReader(PLAN).reported_questions(abstract) == (EFFICACY, SAFETY)


def test_one_finding_of_a_randomised_trial_of_the_drug_files_its_abstract() -> None:
    findings, title = (BENEFIT.format(40), HARM.format(12)), "Zorvimab in adults: a randomised trial"
    alone, both = (
        source(" ".join(said), questions=(), kind=SectionKind.ABSTRACT, title=title)
        for said in (findings[:1], findings)
    )
    assert CandidateReader(PLAN).reported_questions(alone) == (EFFICACY,)
    assert CandidateReader(PLAN).reported_questions(both) == (EFFICACY, SAFETY)
    beside = both.model_copy(update={"relation_kind": RelationKind.COMPARATOR})
    assert CandidateReader(PLAN).reported_questions(beside) == ()


def test_a_death_in_an_arm_of_the_drug_files_its_abstract_under_safety() -> None:
    groups = "They had zorvimab 40 mg (Z40 group) or placebo (P group). "
    death = f"{groups}One patient in the Z40 group had liver failure and died of it."
    abstract = source(death, questions=(), kind=SectionKind.ABSTRACT)
    assert CandidateReader(PLAN).reported_questions(abstract) == (SAFETY,)


def test_a_full_text_is_filed_under_mechanism_by_one_good_sentence_on_it() -> None:
    fact = "Zorvimab binds to the receptor of placebin and inhibits the phosphorylation of its kinase."
    findings = " ".join(BENEFIT.format(40 + n) for n in range(3))
    full = source(fact, findings, questions=())
    assert CandidateReader(PLAN).reported_questions(full) == (MECHANISM, EFFICACY)
    abstract = source(f"{fact} {findings}", questions=(), kind=SectionKind.ABSTRACT)
    assert CandidateReader(PLAN).reported_questions(abstract) == (EFFICACY,)


def test_the_arms_of_a_combination_product_are_compared_by_their_initials() -> None:
    product = {"relation": Relation.COMBINATION, "relation_kind": RelationKind.COMBINATION}
    said = "Failure was commoner with ZO (60%) than with PL (18%)."
    found = candidates(source(f"Zorvimab (ZO) was one arm. {said}", **product))  # type: ignore[arg-type]
    assert [(one.question, one.passage.text) for one in found] == [(LANDSCAPE, said)]


@pytest.mark.parametrize(
    ("harms", "benefits", "reported"),
    [(4, 3, (EFFICACY, SAFETY)), (8, 3, (SAFETY,)), (2, 2, ()), (0, 3, (EFFICACY,)), (0, 0, ())],
)
def test_a_source_reports_on_a_question_of_results_with_several_findings_and_not_many_fewer_than_on_another(
    harms: int, benefits: int, reported: tuple[str, ...]
) -> None:
    findings = [HARM.format(10 + n) for n in range(harms)] + [BENEFIT.format(40 + n) for n in range(benefits)]
    abstract = source(" ".join(findings), questions=(), kind=SectionKind.ABSTRACT)
    assert CandidateReader(PLAN).reported_questions(abstract) == reported


def test_no_text_is_read_for_filing_where_no_question_asks_for_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storm.evidence.sentences.read_passages", lambda hit: pytest.fail("it was read"))
    facts = SYLLABUS.model_copy(update={"questions": (SYLLABUS.question(MECHANISM),)})
    abstract = source(*(HARM.format(number) for number in range(10, 14)), questions=())
    assert CandidateReader(PLAN.model_copy(update={"syllabus": facts})).reported_questions(abstract) == ()


def test_the_text_of_a_source_is_read_once_for_filing_and_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def record(hit: Hit) -> Iterator[Passage]:
        read.append(hit.key)
        return read_passages(hit)

    monkeypatch.setattr("storm.evidence.readings._recent", deque())  # no other test has read it
    monkeypatch.setattr("storm.evidence.sentences.read_passages", record)
    shared, one = SharedReader(), source("The response rate with zorvimab was 22% against 11% (P<0.001).")
    shared.for_plan(PLAN).reported_questions(one.model_copy(update={"source_id": "", "questions": ()}))
    for question in PLAN.syllabus.questions:
        shared.for_plan(PLAN).find(question, [one.model_copy(deep=True)])
    assert read == [one.hit.key]
    other = one.hit.model_copy(update={"sections": (Section(text="Zorvimab failed."),)})
    shared.for_plan(PLAN).find(SYLLABUS.question(EFFICACY), [one.model_copy(update={"hit": other})])
    assert len(read) == 2


def test_a_result_on_the_planned_endpoint_comes_before_a_lesser_one_and_a_judgement_comes_last() -> None:
    texts = (
        "Zorvimab was effective in adults.",
        "Relapse was rarer with zorvimab than with placebo in women (12% vs 25%).",
        "The primary endpoint, relapse, was rarer with zorvimab than with placebo (12% vs 25%).",
    )
    found = sorted(candidates(source(*texts)), key=lambda one: -one.worth)
    assert [one.text for one in found] == list(reversed(texts))


def test_people_who_left_a_study_for_any_reason_are_no_harm() -> None:
    assert filed("More patients on placebo (25%) than on zorvimab (12%) discontinued from the study.") == [EFFICACY]
    assert filed("More patients on placebo (25%) than on zorvimab (12%) discontinued treatment.") == [SAFETY]


def test_a_sentence_that_adds_to_the_one_before_stands_with_it_in_one_quote() -> None:
    first = "More patients had heart failure with zorvimab (RR 5.11, 95% CI 3.00 to 8.72)."
    second = "Those treated with zorvimab also more often had cardiac toxicity (RR 1.83, 95% CI 1.36 to 2.47)."
    found = {one.passage.text: one.text for one in candidates(source(f"{first} {second}"))}
    assert found == {first: first, f"{first} {second}": f"{first} {second}"}
    assert {one.passage.text for one in candidates(source(first, second))} == {first, second}


def test_what_a_model_reckons_of_costs_is_no_result() -> None:
    assert EFFICACY not in filed("Zorvimab improved symptoms (p = 0.01) at an ICER of $31,660 per QALY.")


def test_a_rate_during_the_stay_and_a_result_computed_otherwise_come_after_the_others() -> None:
    later = "Dysfunction was rarer with zorvimab (19%) than with placebo (25%, p = 0.01) at 4 months."
    early = "Dysfunction was rarer with zorvimab (9%) than with placebo (15%, p = 0.01) during hospitalization."
    otherwise = "Relapse was rarer with zorvimab (9%) than with placebo (15%, p = 0.01) with age as a covariate."
    found = {one.text: one.worth for one in candidates(source(f"{early} {later} {otherwise}"))}
    assert found[later] > max(found[early], found[otherwise])


def test_what_pharmacies_have_and_dispense_is_market() -> None:
    assert filed("Zorvimab was available in 60% of pharmacies (78% of chains versus 24% of others).") == [MARKET]
    assert filed("Dispensing of it increased: zorvimab dispensing rose from 192 to 381 kits per 100 000.") == [MARKET]


def test_shares_with_decimals_of_pharmacies_are_market() -> None:
    assert filed("Zorvimab was available in 60.1% of pharmacies (77.9% of chains versus 24.0% of others).") == [MARKET]


def test_what_befell_more_of_those_who_got_the_drug_is_a_harm_unless_it_was_given_for_it() -> None:
    assert filed("The incidence of acne was higher in the zorvimab group (10%) than with placebo (2%).") == [SAFETY]
    assert filed("The incidence of remission was higher in the zorvimab group (9%) than placebo (2%).") == [EFFICACY]
    assert filed("The incidence of relapse was higher in the placebo group (9%) than with zorvimab (2%).") == [EFFICACY]


def test_how_genes_are_read_and_drugs_broken_down_is_mechanism() -> None:
    assert filed("Zorvimab significantly reduced mRNA and protein expression of ACE2 (p = 0.01).") == [MECHANISM]
    assert filed("Poor and intermediate metabolizers had higher concentrations of zorvimab (p = 0.01).") == [MECHANISM]


def test_a_result_of_another_drug_held_against_this_one_is_no_efficacy_of_it() -> None:
    assert filed("Lapatinib improved survival more than zorvimab did (12 versus 8 months, p = 0.01).") == [LANDSCAPE]


def test_what_becomes_of_the_drug_in_the_body_is_no_efficacy() -> None:
    assert EFFICACY not in filed("The pharmacokinetics of zorvimab was significantly better in the morning (p = 0.02).")


def test_a_result_in_cells_is_no_clinical_efficacy() -> None:
    said = "Zorvimab significantly improved the survival of A549 cell lines (p = 0.02)."
    one = source(said, title="Zorvimab in vitro")
    assert EFFICACY not in [found.question for found in candidates(one)]


def test_what_was_known_before_is_no_result_of_an_abstract_without_headings() -> None:
    before = "Zorvimab reduced the rate of relapse by 20% (p = 0.01)."
    own = "We found that zorvimab reduced pain by 30% (p = 0.02)."
    section = Section(label="", text=f"{before} {own}", kind=SectionKind.ABSTRACT)
    hit = source(own).hit.model_copy(update={"sections": (section,)})
    one = Source(source_id="src_001", number=1, hit=hit, questions=SYLLABUS.keys)
    assert [found.text for found in candidates(one)] == [own]


def test_a_marker_that_predicts_weighs_less_than_a_result() -> None:
    marker = "High levels of the biomarker were associated with longer survival with zorvimab (HR 0.4, p < 0.001)."
    result = "Survival was longer with zorvimab than with placebo (HR 0.8, p = 0.04)."
    found = CandidateReader(PLAN).find(SYLLABUS.question(EFFICACY), [source(marker, result)])
    assert [one.text for one in found] == [result, marker]


def test_two_groups_with_the_same_drug_are_not_told_apart() -> None:
    defined = "The CTX group received zorvimab and the EC group received zorvimab with etoposide."
    said = "Engraftment took 11.2 days in the CTX group and 9.9 days in the EC group (p > 0.05)."
    assert all("CTX" not in found.text for found in candidates(source(defined, said)))


def test_a_result_in_laboratory_animals_is_no_clinical_efficacy_and_one_in_ill_animals_is() -> None:
    said = "Zorvimab prolonged survival by 12 days (p < 0.01)."
    assert filed(said, title="Zorvimab in mice") == []
    assert filed(said, title="Zorvimab in dogs with heart failure") == [EFFICACY]


def test_what_a_computer_predicts_is_no_finding() -> None:
    assert filed("Zorvimab binds to the receptor.", title="Zorvimab in asthma: an in silico study") == []


def test_what_became_of_patients_is_no_mechanism() -> None:
    assert MECHANISM not in filed("The benefit of zorvimab was seen in tumours with mutations in the gene.")
    assert filed("The benefit of zorvimab is due to blockade of the AT1 receptor.") == [MECHANISM]
    assert filed("Zorvimab is a Janus kinase inhibitor.") == [MECHANISM]
    assert MECHANISM not in filed("Levels of BAFF were the best predictor of response to zorvimab, an antagonist.")


def test_what_a_theory_proposes_is_no_finding() -> None:
    said = "Zorvimab binds to the receptor."
    assert filed(said, title="Zorvimab in lung injury") == [MECHANISM]
    assert filed(said, title="Zorvimab in lung injury: a theoretical perspective") == []


def test_survival_by_what_befell_patients_is_efficacy() -> None:
    assert filed("DFS was longer in patients with a zorvimab dose reduction (HR 0.46).") == [EFFICACY]
    assert filed("Overall survival was longer in patients with zorvimab dose reduction (HR 0.46).") == [EFFICACY]


def test_who_uses_the_drug_is_market() -> None:
    assert filed("The most common antibiotics were zorvimab (39%) and placebin (31%).") == [MARKET]
    assert filed("Five smokers received a prescription for zorvimab in 2020.") == [MARKET]
    assert filed("The most common drug reactions to zorvimab were rash and fever.") == [SAFETY]
    assert filed("Women who received a prescription for zorvimab had a higher risk of fractures (HR 1.4).") == [SAFETY]


def test_a_drug_that_lessens_an_injury_does_no_harm() -> None:
    assert SAFETY not in filed("Zorvimab mitigated cardiac dysfunction after ischaemia.")
    assert filed("Intracranial haemorrhage occurred in 3% on zorvimab; risk mitigation was in place.") == [SAFETY]


def test_an_abstract_that_names_the_drug_in_passing_gives_no_sentences() -> None:
    rest = "Other things were found in these adults, which are told here at some length. " * 20
    hidden = f"Zorvimab lowered the rate of relapse by 12% (p < 0.01). {rest}"
    assert filed(hidden, title="Antibodies in practice", kind=SectionKind.ABSTRACT) == []


@pytest.mark.parametrize(
    "text",
    [
        "The risk of cardiovascular death was reduced by 38% with zorvimab relative to placebo (P<0.001).",
        "Consumption of supplemental morphine was significantly lower with zorvimab than with placebo (P=0.02).",
        "Zorvimab 40 mg led to fewer deaths, strokes and myocardial infarctions than placebo (P<0.001).",
    ],
)
def test_what_a_drug_averts_is_efficacy(text: str) -> None:
    assert filed(text) == [EFFICACY]


def test_what_was_more_frequent_with_the_drug_is_a_harm() -> None:
    harm = "Herpes zoster was more frequent in the zorvimab-treated patients (2.0% on placebo and 9.5%)."
    assert filed(harm) == [SAFETY]
    assert filed("Remission was more frequent with zorvimab than with placebo (33% versus 12%, P<0.001).") == [EFFICACY]


@pytest.mark.parametrize(
    "text",
    [
        "The score improved by 0.25 with zorvimab (95% confidence interval; −0.3, 0.8) on the scale of pain.",
        "Pain was lower with zorvimab than with placebo (HR 0.80, 95% CI 0.64-1.10).",
    ],
)
def test_an_effect_that_its_interval_does_not_bear_out_is_not_printed(text: str) -> None:
    assert filed(text) == []
    assert filed(text.replace(", 0.8)", ", −0.1)").replace("1.10", "0.98")) == [EFFICACY]


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab diphosphate was quantifiable in 90% of the women with vaginal dosing (P<0.001).",
        "Zorvimab concentrations were higher in rectal fluid in the periods of vaginal dosing (P<0.01).",
    ],
)
def test_how_much_of_the_drug_was_found_in_the_body_is_no_efficacy(text: str) -> None:
    assert EFFICACY not in filed(text)


@pytest.mark.parametrize(
    "text",
    [
        "The zorvimab dose used in the different groups was similar.",
        "The table gathers rates of severe heart failure from trials of zorvimab.",
    ],
)
def test_that_doses_were_alike_and_what_a_table_has_are_no_findings(text: str) -> None:
    assert filed(text) == []


def test_a_result_of_an_interim_analysis_is_worth_less_than_one_of_the_last() -> None:
    first = "At the first analysis zorvimab lowered mortality (HR 0.80, 95% CI 0.66-0.97)."
    last = first.replace("first", "final")
    found = {one.text: one.worth for one in candidates(source(first, last))}
    assert found[first] < found[last]


def test_the_result_of_all_trials_of_a_meta_analysis_is_worth_more_than_one_of_some() -> None:
    some = "In trials against placebo zorvimab lowered the risk of relapse (OR 0.79, 95% CI 0.64-0.98)."
    every = "Across the pooled trials zorvimab lowered the risk of relapse (OR 0.85, 95% CI 0.74-0.98)."
    found = {one.text: one.worth for one in candidates(source(some, every, title="Zorvimab: a meta-analysis"))}
    assert found[some] < found[every]


def test_what_was_foreseen_is_no_state_of_the_market() -> None:
    assert filed("Roche predicted for 2021 a decline in the sales of zorvimab in the United States.") == []
    assert filed("Roche announced a decline in the sales of zorvimab in the United States in 2021.") == [MARKET]


def test_neither_harm_nor_benefit_is_efficacy() -> None:
    text = "Zorvimab was associated with neither harm nor benefit for vascular events (OR 0.94, 95% CI 0.82-1.07)."
    assert filed(text) == [EFFICACY]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Zorvimab was effective and well tolerated in adults with asthma.", EFFICACY),
        ("Zorvimab was effective and safe, but 12% had adverse events.", SAFETY),
        ("Zorvimab was well tolerated and effective in adults with asthma.", SAFETY),
        ("Zorvimab significantly prolonged analgesia but decreased the incidence of nausea and vomiting.", EFFICACY),
        ("Neurologic impairment improved significantly with zorvimab compared with placebo (p = 0.01).", EFFICACY),
    ],
)
def test_a_verdict_on_efficacy_that_mentions_safety_is_one_on_efficacy(text: str, question: str) -> None:
    assert filed(text) == [question]


def test_a_fracture_is_no_harm_where_fractures_were_to_be_averted() -> None:
    text = "Hip fracture had occurred in 3.8% of women given zorvimab and 7.4% of those given placebo."
    assert filed(text, title="Reducing hip fracture risk with zorvimab in elderly women") == [EFFICACY]
    assert filed(text, title="Zorvimab in elderly women") == [SAFETY]


def test_a_gain_in_weight_is_no_harm_in_the_malnourished() -> None:
    text = "The weight gain was significantly greater with zorvimab than with placebo (p = 0.01)."
    assert filed(text, title="Zorvimab in malnourished children") == [EFFICACY]
    assert filed(text, title="Zorvimab in adults") == [SAFETY]


def test_a_value_of_one_arm_of_a_trial_is_worth_less_than_one_of_both() -> None:
    both = "Relapse occurred in 12% of adults on zorvimab and in 30% on placebo."
    one = "Relapse occurred in 12% of adults on zorvimab after ten weeks."
    found = {c.text: c.worth for c in candidates(source(both, one, title="Zorvimab in asthma: a randomised trial"))}
    alone = {c.text: c.worth for c in candidates(source(both, one, title="Zorvimab in asthma: a cohort study"))}
    assert found[one] < alone[one]
    assert found[both] == alone[both]


def test_a_group_that_is_compared_is_worth_more_than_one_that_is_only_named() -> None:
    defined = "Group A received zorvimab, group B received placebo."
    compared = "Pain was lower in group A than in group B (p = 0.01)."
    named = "Pain was reduced in group A after ten weeks of rest."
    worth = {one.passage.text: one.worth for one in candidates(source(f"{defined} {compared} {named}"))}
    assert worth[compared] > 1.3 * worth[named]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Zorvimab was effective but not well tolerated because of vomiting and dizziness.", "Zorvimab in adults"),
        (
            "Zorvimab improved pain but was not safe: grade 4 neutropenia and anaphylaxis were seen.",
            "Zorvimab in adults",
        ),
        (
            "Zorvimab did not change the OS rate, but grade 4 neutropenia was seen in 40% of adults.",
            "Zorvimab in adults",
        ),
        (
            "Weight gain occurred in 30% on zorvimab and 10% on placebo.",
            "Zorvimab, a growth factor inhibitor, in cancer",
        ),
        ("Major bleeding occurred in 12% on zorvimab and in 4% on placebo.", "Zorvimab for prevention of bleeding"),
        ("Diarrhoea was seen at 0.3 or 0.6 mg of zorvimab in 30% of adults.", "Zorvimab for treatment of diarrhoea"),
        (
            "Decreased appetite, nausea and vomiting were commoner with zorvimab (30%) than with placebo (12%).",
            "Zorvimab",
        ),
        ("Zorvimab reduced pain, but nausea and vomiting were seen in 30% of adults.", "Zorvimab in adults"),
        ("Zorvimab improved pain but psychomotor impairment was seen in 20% of adults.", "Zorvimab in adults"),
        ("Zorvimab relieved pain better than placebo, but haematoma was seen in 12%.", "Zorvimab in adults"),
        ("Hypotension occurred in 12% of adults on nitrates when given with zorvimab.", "Zorvimab in adults"),
    ],
)
def test_a_harm_beside_a_benefit_stands_under_safety(text: str, title: str) -> None:
    assert filed(text, title=title) == [SAFETY]


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab significantly increased the endorphin plasma concentration (p = 0.01) compared with placebo.",
        "Zorvimab raised the plasma level of β-endorphin (p = 0.004) more than placebo.",
        "The concentrations of serum S100B in the zorvimab group were lower than with placebo (p < 0.01).",
        "Pain scores correlated with serum glutamate levels after zorvimab (r = 0.5, p = 0.007), better than before.",
        "Zorvimab has bactericidal activity against most pathogens and was more effective than others.",
    ],
)
def test_how_much_of_a_marker_was_found_and_what_germs_are_killed_is_no_efficacy(text: str) -> None:
    assert EFFICACY not in filed(text)


def test_a_measure_of_the_disease_in_blood_is_efficacy() -> None:
    assert filed("Serum LDL cholesterol levels fell by 30% with zorvimab and by 2% with placebo (p = 0.01).") == [
        EFFICACY
    ]


@pytest.mark.parametrize(
    "text",
    [
        "There was a slight numerical advantage in cure with zorvimab (79%) compared with placebo (74%).",
        "Somewhat more patients were cured with zorvimab (87%) than with placebo (83%).",
        "There was a trend towards a more beneficial outcome with zorvimab than with placebo (p = 0.08).",
    ],
)
def test_a_difference_that_is_called_slight_and_was_not_shown_is_not_printed(text: str) -> None:
    assert filed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Serious adverse events were slightly more frequent with zorvimab (12%) than with placebo (8%).",
        "A numerically higher number of deaths was seen with zorvimab (14) than with placebo (9).",
        "Bleeding was somewhat more common with zorvimab (9%) than with placebo (6%).",
        "Nausea was slightly more frequent with zorvimab (12%) than with placebo (6%, p < 0.05).",
        "Zorvimab failed to meet its primary endpoint, and 12 patients had pancreatitis.",
        "Zorvimab did not meet the primary safety endpoint of noninferiority to warfarin for major bleeding.",
        "The target was reached without hypoglycaemia, but nausea occurred in 24% and vomiting in 11% with zorvimab.",
        "Treatment-naïve adults who received zorvimab had more rash (20%) than those who received placebo (5%).",
        "After a two-week washout, withdrawal symptoms were seen in 20% of those who had received zorvimab.",
        "The deaths were too few to compare: three with zorvimab and one with placebo.",
        "We did not record any deaths with zorvimab.",
        "The risks of arrhythmia severe enough to warrant stopping of the drug were higher with zorvimab than placebo.",
        "At the doses that guidelines recommend, major bleeding occurred in 4% with zorvimab and 2% with placebo.",
        "Similar numbers of patients in both groups completed the course, and 4 on zorvimab died.",
        "Patients who progressed on zorvimab died of liver toxicity in 3 cases.",
    ],
)
def test_no_wording_of_a_harm_hides_it(text: str) -> None:
    assert filed(text) == [SAFETY]


def test_harms_are_printed_of_groups_that_differ_by_the_partner_of_the_drug() -> None:
    defined = "Group A received zorvimab plus placebin. Group B received zorvimab."
    text = f"{defined} Four patients in group A and none in group B died of liver failure."
    assert [one.question for one in candidates(source(text)) if "died" in one.text] == [SAFETY]


def test_harms_in_an_introduction_are_printed_unless_they_are_those_of_a_trial() -> None:
    known = "Zorvimab improved survival (HR 0.7) and caused neutropenia in 20%."
    assert filed(known, kind=SectionKind.INTRODUCTION) == [SAFETY]
    of_trial = "Zorvimab improved survival in a trial and caused neutropenia in 20%."
    assert filed(of_trial, kind=SectionKind.INTRODUCTION) == []


@pytest.mark.parametrize(
    "text",
    [
        "HbA1c was slightly lower with zorvimab than with placebo (7.1% versus 7.4%, p < 0.05).",
        "Mortality was numerically higher with zorvimab (12% versus 9%).",
        "Somewhat higher rates of stroke were seen with zorvimab (2.1% vs 1.2%).",
        "Among treatment-naive patients who received zorvimab, 95% achieved a sustained virologic response.",
        "More patients on zorvimab than on placebo reached the LDL goal that guidelines recommend (60% versus 20%).",
        "The number of patients who had pain relief and completed the walk was higher with zorvimab (p=0.01).",
        "Zorvimab reduced emergence agitation compared with saline (10% versus 45%, p = 0.01).",
        "Emergence agitation was less frequent with zorvimab than with saline (10% versus 45%).",
        "The total morphine dose was lower with zorvimab than with placebo (12 versus 20 mg, p < 0.001).",
        "The cumulative prednisone dose was lower with zorvimab (1862 mg) than with placebo (3296 mg; p < 0.001).",
        "Urinary free cortisol levels were lower with zorvimab than with placebo (p < 0.001).",
        "Blood phenylalanine levels fell by 30% with zorvimab and by 2% with placebo (p < 0.001).",
        "Zorvimab showed greater antifungal activity than placebo, with cure in 60% versus 10% (p < 0.001).",
        "Pain was 30% lower with zorvimab than with placebo (p = 0.01), and patients preferred zorvimab.",
        "Before zorvimab treatment, 40% had seizures; with zorvimab 10% had seizures (p = 0.01).",
    ],
)
def test_what_is_like_the_words_of_conduct_and_advice_is_still_a_result(text: str) -> None:
    assert filed(text) == [EFFICACY]


def test_a_death_is_not_joined_to_adverse_events_that_are_called_related() -> None:
    death = "Two patients died with zorvimab."
    after = "The most common drug-related adverse events were nausea (20%) and rash (8%)."
    assert death in [one.text for one in candidates(source(f"{death} {after}"))]
    cause = "None of these was considered treatment-related."
    assert [one.text for one in candidates(source(f"{death} {cause}"))] == [f"{death} {cause}"]


def test_deaths_are_reported_with_the_next_sentence_if_that_says_that_they_did_not_differ() -> None:
    deaths = "There were 53 deaths (16.6%) in the zorvimab group and 67 (20.9%) in the placebo group."
    after = "This difference was not statistically significant (risk ratio 0.80, 0.56 to 1.15)."
    assert [one.text for one in candidates(source(f"{deaths} {after}"))] == [f"{deaths} {after}"]


def test_a_death_is_reported_with_its_cause_if_the_next_sentence_says_it() -> None:
    death, cause = "One death occurred with zorvimab.", "The patient had a tumour; this was considered unrelated."
    (found,) = candidates(source(f"{death} {cause}"))
    assert found.passage.text == f"{death} {cause}"
    assert [one.text for one in candidates(source(f"{death} The others were well."))] == [death]


def test_deaths_in_a_part_of_the_patients_come_after_those_of_all() -> None:
    part = "Of the 15 patients without fever, two died with zorvimab and one with placebo."
    whole = "In all, nine patients died with zorvimab and one with placebo."
    assert [one.text for one in candidates(source(f"{part} {whole}"))] == [whole, part]


def test_a_dose_is_no_value_of_a_judgement() -> None:
    dosed, plain = "Zorvimab 4 mg/day was effective in adults.", "Zorvimab was effective in adults."
    assert candidates(source(dosed))[0].worth == candidates(source(plain))[0].worth
    lowered = "Zorvimab was effective and lowered it by 40 mg/dL in adults."
    assert candidates(source(lowered))[0].worth > candidates(source(plain))[0].worth


def test_a_proposal_of_others_is_no_finding_of_a_conclusion() -> None:
    text = "Zorvimab has been proposed to cause pancreatitis, which occurred in"
    assert filed(f"{text} adults.", kind=SectionKind.CONCLUSION) == []
    assert filed(f"{text} 3% here.", kind=SectionKind.RESULTS) == [SAFETY]


def test_healthy_adults_with_a_disease_are_patients() -> None:
    text = "Lesions were fewer with zorvimab than with placebo (p = 0.02)."
    assert filed(text, title="Zorvimab in healthy adults with acne") == [EFFICACY]
    assert filed(text, title="Zorvimab in healthy adults") == []


def test_groups_that_differ_by_the_partner_of_the_drug_are_not_compared_under_it() -> None:
    defined = "Group A received zorvimab plus placebin. Group B received zorvimab."
    text = f"{defined} Pain was 20% lower in group A than in group B (p = 0.01)."
    assert not [one for one in candidates(source(text)) if "20% lower" in one.text]


def test_a_result_that_names_the_drug_by_the_number_of_its_group_comes_last() -> None:
    defined = "Group 1 received zorvimab. Group 2 received placebo."
    coded = "Pain was lower in group 1 than in group 2 (p = 0.01)."
    named = "Itch was lower with zorvimab than with placebo (p = 0.01)."
    texts = [one.text for one in candidates(source(f"{defined} {coded} {named}")) if "lower" in one.text]
    assert texts == [named, "Pain was lower in group 1 [zorvimab] than in group 2 [placebo] (p = 0.01)."]


def test_no_advantage_is_a_result() -> None:
    text = "Our study showed no advantage of concurrent zorvimab in adults."
    assert filed(text, kind=SectionKind.CONCLUSION) == [EFFICACY]


@pytest.mark.parametrize(
    "text",
    [
        "Before lipid-lowering treatment, LDL was 3.7 with zorvimab and 3.8 with placebo, a difference that was small.",
        "The subgroup was not large enough to show whether zorvimab improved survival in adults.",
        "We considered zorvimab as the most appropriate agent because it led to more reduction in pain.",
        "Practice guidelines recommend zorvimab as more effective and better tolerated first-line therapy.",
    ],
)
def test_states_before_a_trial_opinions_and_advice_are_no_results(text: str) -> None:
    found = filed(text, kind=SectionKind.DISCUSSION)
    assert EFFICACY not in found
    assert SAFETY not in found


def test_what_patients_preferred_is_no_efficacy() -> None:
    assert EFFICACY not in filed("Patients stated a preference for zorvimab (56%) versus placebo (32%, p < 0.001).")


def test_progression_and_deaths_together_are_survival() -> None:
    assert filed("In all, 93 patients (65%) progressed and 104 (73%) died with zorvimab.") == [EFFICACY]


def test_a_fact_on_the_drug_itself_is_its_mechanism_in_a_paper_on_a_combination_too() -> None:
    fact = "Zorvimab is an inhibitor of kinase A."
    assert filed(fact, relation=Relation.COMBINATION, relation_kind=RelationKind.COMBINATION) == [MECHANISM]


def test_limitations_that_a_discussion_lists_are_not_printed() -> None:
    text = (
        "Our study has some limitations. Third, rescue medication was only given with zorvimab. "
        "Relapse was rarer with zorvimab than with placebo in our study (p = 0.03)."
    )
    found = candidates(source(text, label="Discussion", kind=SectionKind.DISCUSSION))
    assert [one.text for one in found] == ["Relapse was rarer with zorvimab than with placebo in our study (p = 0.03)."]


def test_a_comparison_stands_under_efficacy_if_its_source_was_not_assigned_to_comparisons() -> None:
    texts = (
        "Relapse was rarer with zorvimab than with placebo (p = 0.01).",
        "Relapse was rarer with zorvimab than with rituximab (p = 0.03).",
    )
    both = source(" ".join(texts))
    only = both.model_copy(update={"questions": (EFFICACY,)})
    assert [one.question for one in candidates(both)] == [EFFICACY, LANDSCAPE]
    assert [one.question for one in candidates(only)] == [EFFICACY, EFFICACY]


def test_what_a_randomised_trial_found_in_patients_is_efficacy_though_it_names_a_target() -> None:
    title, abstract = "A randomised trial of zorvimab", "Patients were randomised to zorvimab or placebo."
    said = "The L-type calcium channel blocker zorvimab improved coronary function in patients (p = 0.01)."
    assert filed(said, title=title) == [EFFICACY]
    assert filed(abstract, title=title) == []


@pytest.mark.parametrize(
    ("said", "title", "question"),
    [
        ("After 24 h, headache intensity was 0.9 with zorvimab and 3.8 with placebo (P < 0.001).",
         "Zorvimab in reducing postdural puncture headache", EFFICACY),
        ("The median time to fever alleviation was 40 h with zorvimab and 38 h with placebo (P = .69).",
         "Zorvimab in patients with influenza", EFFICACY),
        ("No changes regarding systolic BP, HR, and oxygen saturation were found with zorvimab and placebo (p = 0.4).",
         "Zorvimab for pain", SAFETY),
        ("Apgar scores below 7 were seen in 12% with zorvimab and in 6% with placebo (p = 0.2).",
         "Zorvimab for labour", SAFETY),
        ("The frequency of ejaculation disorder was 33% with zorvimab.", "Zorvimab in stones", SAFETY),
        ("The weight of patients on zorvimab increased significantly (p = 0.01).", "Zorvimab in psychosis", SAFETY),
    ],
)  # fmt: skip
def test_outcomes_of_the_treated_condition_are_efficacy_and_signs_of_trouble_are_safety(
    said: str, title: str, question: str
) -> None:
    assert filed(said, title=title) == [question]


def test_what_an_introduction_says_of_other_drugs_is_no_answer_where_the_drug_is_only_a_partner() -> None:
    said = "Azilsartan has superior efficacy compared with both olmesartan and valsartan at their approved doses."
    part = {"label": "Introduction", "kind": SectionKind.INTRODUCTION, "title": "Azilsartan plus zorvimab in adults"}
    beside = {"relation": Relation.COMBINATION, "relation_kind": RelationKind.COMBINATION}
    assert filed(said, **part, **beside) == []


def test_how_large_an_effect_was_with_which_treatment_is_no_mechanism() -> None:
    said = "The largest reduction of variability was seen with zorvimab and a calcium channel blocker."
    assert MECHANISM not in filed(said)
    assert filed("Zorvimab blocks the calcium channel.") == [MECHANISM]
    assert filed("Zorvimab blocks its receptor, and the largest reduction in binding was in the cortex.") == [MECHANISM]


def test_values_of_a_subgroup_are_printed_with_the_sentence_that_names_it() -> None:
    named = "When adults were stratified by pressure, zorvimab helped more at low pressure (Subgroup B) than at others."
    values = "Survival was longer with zorvimab than with placebo (21 versus 14 months, p = 0.04)."
    found = [one.passage.text for one in candidates(source(f"{named} {values}"))]
    assert found == [f"{named} {values}"]


def test_a_level_by_which_the_disease_is_treated_is_an_effect_and_another_is_not() -> None:
    trial = {"title": "Zorvimab in adults: a randomised trial"}
    said = "{} levels were reduced by zorvimab, an inhibitor of its receptor, more than by placebo (p = 0.02)."
    assert filed(said.format("LDL cholesterol"), **trial) == [EFFICACY]
    assert filed(said.format("Interleukin"), **trial) == [MECHANISM]
