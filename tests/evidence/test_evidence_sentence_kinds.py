"""What kind of sentence it is: findings and facts are distinguished from aims, methods and other people's results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.markers import strip_marks
from storm.evidence.passages import Passage
from storm.evidence.sentence_kinds import SentenceKind, continues_other_work, kind_of
from storm.models import Section, SectionKind


def kind(text: str, role: SectionKind = SectionKind.RESULTS) -> SentenceKind:
    return kind_of(Passage(text, strip_marks(text), Section(text=text, kind=role)), role)


@pytest.mark.parametrize(
    "text",
    [
        "Overall survival was longer with zorvimab than with placebo (hazard ratio 0.71; p = 0.003).",
        "There was no significant difference in relapse rate between zorvimab and placebo (p = 0.61).",
        "Heart failure was about five times as likely with zorvimab as without it (RR 5.11).",
        "Zorvimab did not improve walking distance at 24 weeks.",
        "Grade 3 neutropenia occurred in 12 of 140 patients given zorvimab.",
        "To compare both doses, we found that 20 mg of zorvimab was significantly better than 10 mg.",
        "Patients who received zorvimab had fewer relapses than those on placebo (12% vs 25%).",
        "Zorvimab was well tolerated in all age groups.",
        "Two patients had a complete response to zorvimab.",
        "Median survival with zorvimab was 12 months.",
        "When cells were treated with zorvimab, the expression of collagen was suppressed.",
        "Zorvimab was evaluated in 40 adults, of whom 22 (55%) had a response.",
        "Rats that received zorvimab lived longer.",
        "The odds of deficiency rose by 13% for every year that zorvimab was taken (odds ratio 1.13).",
        "In 84 patients who were included, 26 (31%) had a response to zorvimab.",
        "Zorvimab failed to reach statistical significance against ramipril for the primary outcome (p = 0.07).",
    ],
)
def test_results_and_null_results_are_findings(text: str) -> None:
    assert kind(text) is SentenceKind.FINDING


@pytest.mark.parametrize(
    "text",
    [
        "Anaphylaxis with zorvimab occurred in two patients and was reported for the first time.",
        "Fasting insulin on zorvimab did not differ between the two study days, but hypoglycaemia was more frequent.",
        "Fasting blood pressure was similar between visits, but three patients on zorvimab died.",
    ],
)
def test_no_harm_is_taken_for_an_aim_or_a_baseline(text: str) -> None:
    section = Section(text=text, kind=SectionKind.RESULTS)
    assert kind_of(Passage(text, text, section), SectionKind.RESULTS) is SentenceKind.FINDING


def test_a_patient_who_had_something_is_a_finding() -> None:
    text = "One patient in the zorvimab group had asystole and needed resuscitation."
    section = Section(text=text, kind=SectionKind.RESULTS)
    assert kind_of(Passage(text, text, section), SectionKind.RESULTS) is SentenceKind.FINDING


def test_the_word_or_is_no_odds_ratio() -> None:
    assert kind("Zorvimab is a tablet or a syrup.") is SentenceKind.FACT
    assert kind("Relapse with zorvimab: OR 0.4.") is SentenceKind.FINDING


@pytest.mark.parametrize(
    "text",
    [
        "After adjustment for baseline differences, survival was longer with zorvimab (14.2 vs. 9.1 months).",
        "More patients receiving placebo (61%) than zorvimab (40%) had a headache.",
        "No bleeding event related to zorvimab was recorded.",
        "Bradycardia was the most frequent of the events that were recorded in the zorvimab group.",
        "More events were considered possibly related to zorvimab (9.1%) than to placebo (4.0%).",
        "One mild rash, which might be related to the study drug, occurred with zorvimab.",
        "According to the score at week 8, zorvimab was superior to placebo (71% vs 52%).",
        "Adverse events in 3% or more of double-blind zorvimab recipients were headache (7.4%) and rash (3.7%).",
        "During open-label dose escalation, 100 patients (38%) reported adverse events.",
        "Serious adverse events were seen in six patients receiving zorvimab: rash (n = 4) and vomiting (n = 2).",
        "The mean blood loss in the zorvimab group was recorded at 340 mL and that in the control group was 515 mL.",
        "More infections were attributed to zorvimab (6%) than to placebo (1%).",
        "No serious adverse events were reported with zorvimab, and all patients completed the study.",
        "Seven on zorvimab and 22 on placebin dropped out of the study due to adverse events (P = 0.005).",
        "Efficacy would be 85.7% for zorvimab and 94.6% for placebin (p = 0.21).",
        "Scores fell by 29%, 58% and 12% as compared to the condition before the intervention with zorvimab.",
        "Rash was commoner in those who were given zorvimab (p = 0.02).",
        "The mean follow-up was 12 months, and 4% on zorvimab and 9% on placebo relapsed.",
        "Pain scores before the injection of zorvimab were 7 but fell to 2 at 30 min.",
        "Patients who used concomitant drugs had more bleeding with zorvimab (12%).",
        "Baseline scores improved at week 12 with zorvimab (p = 0.01).",
        "Bleeding deaths were omitted from the analysis of zorvimab, in which 3 patients died.",
        "The abscess closed in 20 ± 4 days in patients receiving zorvimab and in 31 ± 6 days in the others.",
    ],
)
def test_a_value_for_each_group_or_a_denied_effect_is_a_finding_whatever_else_the_sentence_says(text: str) -> None:
    assert kind(text) is SentenceKind.FINDING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Blood pressure was recorded every 15 minutes after zorvimab.", SentenceKind.METHOD),
        ("Patients receiving zorvimab had visits at weeks 2, 4 and 8.", SentenceKind.METHOD),
        ("The groups did not differ in sex, weight or age.", SentenceKind.BASELINE),
        ("There were no differences when compared for age, duration of anaesthesia and doses.", SentenceKind.BASELINE),
        ("The distribution of variables including gender differed significantly.", SentenceKind.BASELINE),
        ("Adjusting for variables including age, bleeding was more frequent with zorvimab.", SentenceKind.FINDING),
        ("At the end of the run-in, pain was less in 62% on zorvimab and 60% on placebo.", SentenceKind.BASELINE),
        (
            "Patients receiving zorvimab were shown to cope, which might imply a gain.",
            SentenceKind.SPECULATION,
        ),
        ("Of all patients, 610 (70%) were given zorvimab and 255 (30%) placebo.", SentenceKind.METHOD),
        ("The mean age was 54 ± 9 years with zorvimab and 55 ± 8 years with placebo.", SentenceKind.BASELINE),
    ],
)
def test_doses_visits_and_who_the_patients_were_stay_methods_and_baseline(text: str, expected: SentenceKind) -> None:
    assert kind(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "Zorvimab has been used for decades to relieve pain without major adverse effects.",
        "Moreover, no adverse effects of zorvimab are reported.",
        "According to the guidelines, zorvimab lowers the rate of relapse.",
    ],
)
def test_what_is_generally_said_in_a_discussion_is_second_hand(text: str) -> None:
    assert kind(text, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The aim of this study was to compare zorvimab with placebo in sepsis.", SentenceKind.OBJECTIVE),
        ("The purpose of the ZEST study was to demonstrate equivalence of zorvimab.", SentenceKind.OBJECTIVE),
        ("Baseline findings of endoscopy indicated ulcers in 25% on zorvimab (P = 0.6).", SentenceKind.BASELINE),
        ("The sex distribution with zorvimab (45% male) and placebo (55%) was alike.", SentenceKind.BASELINE),
        ("The scores before the injection of zorvimab and placebin were 89 ± 12 and 85 ± 14.", SentenceKind.BASELINE),
        ("At the start of the study three patients on zorvimab carried it.", SentenceKind.BASELINE),
        ("The two groups were comparable in terms of age (28 vs 27 with zorvimab).", SentenceKind.BASELINE),
        ("In all, 12 (12%) on zorvimab used concomitant medications.", SentenceKind.BASELINE),
        ("There was an imbalance in IL-6 levels with zorvimab at baseline (P = 0.08).", SentenceKind.BASELINE),
        ("Secondly, the follow-up period was relatively short for zorvimab.", SentenceKind.SPECULATION),
        ("In addition, in a recent study, others gave less zorvimab than our study.", SentenceKind.SECOND_HAND),
        ("Some subjects in that study had more zorvimab than those of the present study.", SentenceKind.SECOND_HAND),
        ("To evaluate the effect of zorvimab on pain after surgery in adults.", SentenceKind.OBJECTIVE),
        ("The superiority of zorvimab over placebin is reported for the first time.", SentenceKind.OBJECTIVE),
        (
            "Results by Riaz are in agreement with ours that zorvimab is superior.",
            SentenceKind.SECOND_HAND,
        ),
        ("Thirty male Wistar rats with colitis received zorvimab 10 mg/kg by gavage or vehicle.", SentenceKind.METHOD),
        ("Most previous evaluations of zorvimab in children have used the total symptom score.", SentenceKind.METHOD),
        (
            "Fasting glucose did not differ between the four study days (7.4 ± 0.3 mmol/L with zorvimab).",
            SentenceKind.BASELINE,
        ),
        ("This trial was designed to assess whether zorvimab lowers the rate of relapse.", SentenceKind.OBJECTIVE),
        ("We hypothesised that zorvimab would lower the rate of relapse in women.", SentenceKind.HYPOTHESIS),
        ("About 28.3% of patients were on zorvimab, and 18% on insulin before enrolment.", SentenceKind.BASELINE),
        ("They had been on insulin treatment for a median of 4 years, 92% with zorvimab.", SentenceKind.BASELINE),
        ("Unlike our present findings, a model suggested that zorvimab lowered it.", SentenceKind.SECOND_HAND),
        ("The loss on zorvimab reflects the widespread distribution of its receptors.", SentenceKind.SPECULATION),
        ("If an antagonist, such as zorvimab, is given, then control reverts to dopamine.", SentenceKind.HYPOTHESIS),
        ("Relapse was likely to be rarer with zorvimab.", SentenceKind.SPECULATION),
        ("Zorvimab was expected to lower the rate of relapse by 20%.", SentenceKind.SPECULATION),
        ("Patients were excluded if they had used zorvimab within a month.", SentenceKind.ELIGIBILITY),
        ("The study of zorvimab was approved by the ethics committee of the hospital.", SentenceKind.ETHICS),
        ("The Animal Care and Use Committee approved the protocol with zorvimab.", SentenceKind.ETHICS),
        ("Zorvimab was administered as an infusion over 30 minutes every 3 weeks.", SentenceKind.METHOD),
        ("Forty patients received zorvimab or placebo for 12 weeks in random order.", SentenceKind.METHOD),
        ("Baseline characteristics were similar in the zorvimab and placebo groups.", SentenceKind.BASELINE),
        ("Renin did not differ; there was no significant difference in baseline renin levels.", SentenceKind.BASELINE),
        ("There were no significant differences in renin between the arms at baseline.", SentenceKind.BASELINE),
        ("The zorvimab group received 20.4 ± 9.1 mg/day, placebo less (p < 0.001).", SentenceKind.BASELINE),
        ("The safety of two forms of zorvimab was compared in adults with asthma.", SentenceKind.METHOD),
        ("In Tables 2 and 3, pain after zorvimab and the time to its relief are reported.", SentenceKind.METHOD),
        ("In Table 4, the pain of 60 adults on zorvimab is set against that of 58 on placebo.", SentenceKind.METHOD),
        ("Adults on zorvimab were studied beside those who had surgery.", SentenceKind.METHOD),
        ("Levels of zorvimab were not measured for lack of funds.", SentenceKind.METHOD),
        (
            "Arms were also categorised as zorvimab alone, diet alone or both, to judge a single one.",
            SentenceKind.METHOD,
        ),
        ("Septic shock on admission was seen in 7 on zorvimab and 8 on placebo.", SentenceKind.BASELINE),
        ("The groups did not differ in errors (pre-treatment): 16% with zorvimab.", SentenceKind.BASELINE),
        ("The dosage of zorvimab used in this study was that of most others.", SentenceKind.METHOD),
        ("Studies comparing zorvimab with placebo show an advantage.", SentenceKind.SECOND_HAND),
        ("Girls on zorvimab were heavier than those on placebo at study entry (p = 0.04).", SentenceKind.BASELINE),
        ("Asthma, children, zorvimab, inhaled corticosteroids, quality of life.", SentenceKind.FRAGMENT),
        ("Several in vitro researches confirmed an effect of zorvimab.", SentenceKind.SECOND_HAND),
        ("An endeavour was made to compare zorvimab with placebo after surgery.", SentenceKind.OBJECTIVE),
        ("Such a report encouraged us to give zorvimab before surgery.", SentenceKind.OBJECTIVE),
        ("The basis of our study was that zorvimab prevents swelling.", SentenceKind.OBJECTIVE),
        ("Earlier zorvimab was common to all patients, and 31% had metastases.", SentenceKind.BASELINE),
        ("Bone metastases were present at baseline in 48% of those on zorvimab.", SentenceKind.BASELINE),
        ("The findings support further (Phase 3) investigations of zorvimab.", SentenceKind.SPECULATION),
        ("Zorvimab can be expected to prevent a worsening of symptoms.", SentenceKind.SPECULATION),
        ("Treatment with zorvimab needs to be considered in all adults.", SentenceKind.SPECULATION),
        ("Since they did not differ, either medication can be used in adults.", SentenceKind.SPECULATION),
        ("Adults on zorvimab were stratified into two groups by dose.", SentenceKind.METHOD),
        ("Two patients on zorvimab withdrew from the study.", SentenceKind.BASELINE),
        ("The strengths of this study include a change of FGF23 with zorvimab.", SentenceKind.OBJECTIVE),
        ("Zorvimab may be useful in children with severe asthma.", SentenceKind.SPECULATION),
        ("Further studies of zorvimab are needed in older patients.", SentenceKind.SPECULATION),
        ("Miller et al. found that zorvimab lowered the rate of relapse.", SentenceKind.SECOND_HAND),
        ("Previous studies with zorvimab showed a lower rate of relapse.", SentenceKind.SECOND_HAND),
        ("Multicentre cohorts and randomised trials showed an effect of zorvimab.", SentenceKind.SECOND_HAND),
        ("In vitro, A549 cells were treated with zorvimab or its solvent.", SentenceKind.METHOD),
        ("Female Wistar rats received daily zorvimab (10 mg/kg) for 14 days.", SentenceKind.METHOD),
        ("The effects of zorvimab on inflammation were comparatively investigated.", SentenceKind.METHOD),
        ("Cell death after zorvimab was detected by flow cytometry.", SentenceKind.METHOD),
        ("Zorvimab-loaded particles were employed to follow it in foam cells.", SentenceKind.METHOD),
        ("We infiltrated the gum with saline, 2% zorvimab or both.", SentenceKind.METHOD),
        ("The present study aims at finding the effect of zorvimab in rats.", SentenceKind.OBJECTIVE),
        ("We have discussed the studies of zorvimab in different parts of the world.", SentenceKind.OBJECTIVE),
        ("A total of 225 patients on 6256 mg zorvimab for 6.5 years were included.", SentenceKind.BASELINE),
        ("By June, 118 patients had been enrolled and received a dose of zorvimab.", SentenceKind.BASELINE),
        ("Seventy-one per cent (71%) of the children were treated with zorvimab and rest.", SentenceKind.BASELINE),
        ("Many receive zorvimab, but who benefits remains challenging to predict.", SentenceKind.SPECULATION),
        ("To overcome resistance to zorvimab, we screened other drugs.", SentenceKind.OBJECTIVE),
        ("Injury was established by injecting mice with zorvimab.", SentenceKind.METHOD),
        ("Twenty patients underwent magnetic resonance imaging before zorvimab.", SentenceKind.METHOD),
        ("Sixty-nine patients each received either zorvimab or rest for 12 months.", SentenceKind.METHOD),
        ("Most doses of zorvimab were adhering to the protocol.", SentenceKind.BASELINE),
        ("The use of zorvimab in children still awaits a trial.", SentenceKind.SPECULATION),
        ("We recommend no more than 20 tablets of zorvimab.", SentenceKind.SPECULATION),
        ("Figure 2 Survival with zorvimab and with placebo over 5 years.", SentenceKind.FRAGMENT),
        ("Miller A, Jones BC, Smith D. Zorvimab in severe asthma: a randomised trial.", SentenceKind.FRAGMENT),
    ],
)
def test_what_is_no_result_of_the_work_has_its_own_kind_and_is_not_printed(text: str, expected: SentenceKind) -> None:
    assert kind(text, SectionKind.OTHER) is expected
    assert not expected.is_printable


def test_what_a_drug_is_stands_as_a_fact() -> None:
    assert kind("Zorvimab is a monoclonal antibody of the IgG1 type.", SectionKind.INTRODUCTION) is SentenceKind.FACT
    known = "Zorvimab is a highly effective HMG-CoA reductase inhibitor."
    assert kind(known, SectionKind.INTRODUCTION) is SentenceKind.FACT
    for told in ("in patients with inhibitors", "after TNF inhibitor failure", "without an agonist"):
        assert kind(f"Zorvimab was effective {told}.", SectionKind.RESULTS) is SentenceKind.FINDING


def test_a_result_with_a_reference_mark_in_a_discussion_is_another_work_s() -> None:
    said = "Zorvimab lowered the rate of relapse by 30% in adults [12]."
    assert kind(said, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND
    assert kind(said, SectionKind.RESULTS) is SentenceKind.FINDING


def test_what_only_upholds_the_own_result_is_another_work_s() -> None:
    said = "Our results are supported by the findings of a study from Norway, in which 87% responded to zorvimab."
    assert kind(said, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND


def test_a_study_s_own_result_beside_another_s_is_its_own() -> None:
    said = "In the present study zorvimab lowered the rate of relapse, as previous studies showed."
    assert kind(said, SectionKind.DISCUSSION) is SentenceKind.FINDING
    other = "Miller et al. showed fewer relapses with zorvimab than we saw in our study."
    assert kind(other, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Miller has highlighted that the relapse rate was 45.6% without zorvimab.", SentenceKind.SECOND_HAND),
        ("Miller also reported that relapses did not differ.", SentenceKind.SECOND_HAND),
        ("Miller declared similar results that relapses were fewer with zorvimab.", SentenceKind.SECOND_HAND),
        ("Patients reported that relapses were fewer with zorvimab.", SentenceKind.FINDING),
    ],
)
def test_what_an_author_of_another_work_says_is_second_hand(said: str, expected: SentenceKind) -> None:
    assert kind(said, SectionKind.DISCUSSION) is expected


def test_a_result_that_is_compared_with_the_own_one_is_another_work_s() -> None:
    other = "Miller discovered that zorvimab prevents relapses, which is contradictory to our results."
    assert kind(other, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND
    own = "Our results, similar to those of Miller, show that zorvimab prevents relapses."
    assert kind(own, SectionKind.DISCUSSION) is SentenceKind.FINDING


@pytest.mark.parametrize(
    "said",
    [
        "There were two deaths in the other group in our study, which confirms that zorvimab is a safer drug.",
        "Zorvimab is a safe and healthy alternative to coffee, as it improves performance.",
        "Relapses in this study were rare when compared to some studies of zorvimab.",
        "In the present subgroup relapses were 3% fewer with zorvimab than with placebo.",
        "A firm conclusion is premature, yet the data show that zorvimab lowers elastase.",
    ],
)
def test_a_judgement_in_a_discussion_without_a_value_is_no_finding(said: str) -> None:
    assert kind(said, SectionKind.DISCUSSION) is SentenceKind.SPECULATION


def test_a_judgement_with_its_value_is_a_finding() -> None:
    said = "In our study zorvimab was better, and is a good alternative: relapses fell by 31% (P = 0.01)."
    assert kind(said, SectionKind.DISCUSSION) is SentenceKind.FINDING


def test_a_harm_in_a_part_of_the_patients_is_a_finding() -> None:
    assert kind("Two deaths occurred in the elderly subgroup.", SectionKind.DISCUSSION).is_printable


def test_the_order_of_treatments_is_no_finding() -> None:
    said = "There was no significant sequence effect (p = 0.2) for zorvimab."
    assert not kind(said, SectionKind.RESULTS).is_printable


@pytest.mark.parametrize("role", [SectionKind.METHODS, SectionKind.BACK_MATTER, SectionKind.CAPTION, SectionKind.TABLE])
def test_methods_captions_and_tables_hold_no_sentence_to_print(role: SectionKind) -> None:
    assert not kind("Survival was longer with zorvimab than with placebo (p = 0.003).", role).is_printable


@given(st.text(max_size=300), st.sampled_from(SectionKind))
def test_every_text_has_a_kind(text: str, role: SectionKind) -> None:
    assert kind(text, role) in SentenceKind


def test_a_sentence_that_adds_to_another_works_result_is_that_works() -> None:
    section = Section(text="A discussion.", kind=SectionKind.DISCUSSION)
    other, added, own = (
        Passage(text, text, section)
        for text in (
            "A previous study reported that zorvimab lowered elastase.",
            "Zorvimab also prevented hypoxia and preserved lung function.",
            "In our study zorvimab also prevented hypoxia.",
        )
    )
    assert continues_other_work(added, other, SectionKind.DISCUSSION)
    assert not continues_other_work(own, other, SectionKind.DISCUSSION)
    assert not continues_other_work(added, own, SectionKind.DISCUSSION)
    assert not continues_other_work(added, other, SectionKind.RESULTS)


def test_what_follows_a_sentence_on_other_authors_in_a_discussion_is_theirs() -> None:
    section = Section(text="", kind=SectionKind.DISCUSSION)
    others, theirs, ours = (
        Passage(text, strip_marks(text), section)
        for text in (
            "Lin et al. treated 91 patients with zorvimab, placebo or both.",
            "Bleeding recurred less often with zorvimab (2/30, 6.7%) than with placebo (9/30, 30%; p = 0.04).",
            "In our study bleeding recurred less often with zorvimab (p = 0.02).",
        )
    )
    assert continues_other_work(theirs, others, SectionKind.DISCUSSION)
    for opening in ("In another study", "In 1 study", "In one trial"):
        other = Passage(f"{opening} zorvimab was added in 9 [21].", f"{opening} zorvimab was added in 9.", section)
        assert continues_other_work(theirs, other, SectionKind.DISCUSSION)
    for opening in ("Another limitation of the trial is its length", "In one trial of the programme it was added"):
        own = Passage(f"{opening}.", f"{opening}.", section)
        assert not continues_other_work(theirs, own, SectionKind.DISCUSSION)
    assert not continues_other_work(ours, others, SectionKind.DISCUSSION)
    assert not continues_other_work(theirs, ours, SectionKind.DISCUSSION)
    assert not continues_other_work(theirs, others, SectionKind.RESULTS)


def test_an_approval_with_its_authority_is_a_fact_even_beside_another_works_result() -> None:
    text = (
        "Zorvimab has been shown to be effective in trials and has been licensed by the Food and Drug Administration."
    )
    assert kind(text, SectionKind.ABSTRACT).is_printable
    assert kind(text.partition(" and has")[0] + ".", SectionKind.ABSTRACT) is SentenceKind.SECOND_HAND


def test_a_comparison_with_published_data_and_what_was_not_measured_are_no_findings() -> None:
    assert not kind("Zorvimab was better tolerated vs previously published data.", SectionKind.DISCUSSION).is_printable
    assert not kind("Zorvimab inhibits elastase, but this study did not measure it.").is_printable
    assert not kind("The mechanism of action of zorvimab in asthma is still unknown.").is_printable


def test_compliance_and_convenience_are_no_findings() -> None:
    assert not kind("Treatment compliances of zorvimab and placebo were 88.9% ± 13.0% and 90.4% ± 11.6%.").is_printable
    assert not kind("The advantage of zorvimab over placebo is its ease of administration.").is_printable


def test_a_percentage_in_square_brackets_is_no_reference() -> None:
    said = "The most frequently reported events were acne (19 [7%] of 281 patients on zorvimab) and cough."
    assert kind(said) is SentenceKind.FINDING


@pytest.mark.parametrize("said", ["Our recent study showed that zorvimab reduced inflammation in cells.",
                                  "Our previous work found less pain with zorvimab."])  # fmt: skip
def test_an_earlier_study_of_the_same_authors_is_another_work(said: str) -> None:
    assert kind(said, SectionKind.ABSTRACT) is SentenceKind.SECOND_HAND


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Nonresponders received zorvimab, an antibody.", SentenceKind.METHOD),
        ("Twenty-one subjects, 18 with colitis, received zorvimab.", SentenceKind.METHOD),
        ("On days 15 and 18, a subset of rats received injections of zorvimab.", SentenceKind.METHOD),
        ("Adults had zorvimab added to their therapy, titrated up to 20 mg/kg.", SentenceKind.METHOD),
        ("Zorvimab was mostly coadministered with valproate (62%) and others (41%).", SentenceKind.METHOD),
        ("Drug treatments included zorvimab (2.5 or 5 mg/kg) or saline.", SentenceKind.METHOD),
        ("We now present a detailed evaluation of the activity of zorvimab.", SentenceKind.OBJECTIVE),
        ("There were no significant differences based on age or discharge with zorvimab.", SentenceKind.BASELINE),
        ("The contribution of metabolites of zorvimab to bleeding is unknown.", SentenceKind.SPECULATION),
        ("Among all 673 patients, 35.4% were ≥70 y and 61% were male; all had zorvimab.", SentenceKind.BASELINE),
        ("The safety and efficacy of zorvimab have been tested in adults with asthma.", SentenceKind.OBJECTIVE),
        ("We here present data on whether zorvimab improves learning.", SentenceKind.OBJECTIVE),
        ("We report in detail the genes of kidneys that got zorvimab.", SentenceKind.OBJECTIVE),
        ("We then cultured fibroblasts and exposed them to zorvimab.", SentenceKind.METHOD),
        ("We induced fibrosis in rats, followed by treatment with zorvimab.", SentenceKind.METHOD),
        ("Genes of kidneys on zorvimab were first screened out by comparison.", SentenceKind.METHOD),
        ("A membrane with zorvimab was fabricated as a barrier.", SentenceKind.METHOD),
        ("The effects of zorvimab (1-30 mg/kg, p.o.) were evaluated in ulcers (30 mg/kg, p.o.).", SentenceKind.METHOD),
        ("Zorvimab was added due to the loss of effect of the first drug.", SentenceKind.METHOD),
        ("The patient improved and was discharged home on zorvimab.", SentenceKind.METHOD),
        ("Factors such as use of zorvimab were taken into a risk scoring system.", SentenceKind.METHOD),
        ("With patients on zorvimab the c index was 0.64 (95% CI 0.63-0.65).", SentenceKind.METHOD),
        ("With zorvimab there were 44 significantly up-regulated genes.", SentenceKind.METHOD),
        ("Macaques received a single injection of zorvimab.", SentenceKind.METHOD),
        ("We determined blood pressure in rats given zorvimab.", SentenceKind.METHOD),
        ("A two-compartment model was optimal for zorvimab.", SentenceKind.METHOD),
        ("The analysis populations comprised adults with one dose of zorvimab.", SentenceKind.BASELINE),
        ("Eighty-four (41%) of the placebo group crossed over to zorvimab.", SentenceKind.METHOD),
        ("Zorvimab was initiated prior to admission in 54% of the patients.", SentenceKind.METHOD),
        ("The mean time after zorvimab initiation was 17 months.", SentenceKind.BASELINE),
        ("By then 77 patients had discontinued zorvimab.", SentenceKind.BASELINE),
        ("18 patients were included in this study, comprising 10 on zorvimab.", SentenceKind.BASELINE),
        ("Patient numbers on zorvimab were 564 (46%) in India and 354 (29%) elsewhere.", SentenceKind.BASELINE),
        ("The main reason for selecting zorvimab was to lower HbA1c (88%).", SentenceKind.BASELINE),
        ("Knockout mice were pair-fed and got zorvimab for 4 weeks.", SentenceKind.METHOD),
        ("Further, we reported the effect of zorvimab on regulators.", SentenceKind.METHOD),
    ],
)
def test_who_got_it_and_that_it_was_tested_are_no_results(said: str, expected: SentenceKind) -> None:
    assert kind(said, SectionKind.ABSTRACT) is expected


@pytest.mark.parametrize(
    "said",
    [
        "Due to hepatotoxicity 12% of patients had discontinued zorvimab.",
        "Survival was longer with zorvimab (HR 0.70, p < 0.001) although 60% of the others crossed over to it.",
        "Mortality was 5% with zorvimab, which was initiated during admission, versus 9% with placebo (p < 0.01).",
        "Patients discharged on zorvimab had lower mortality at 30 days (12% vs 20%, HR 0.6).",
        "Rescue therapy was added because of lack of efficacy in 5% of patients on zorvimab and 20% on placebo.",
        "QT prolongation was confirmed as an adverse effect of zorvimab.",
        "Despite the strengths of this study, zorvimab did not improve survival.",
        "In all, 120 had received zorvimab before the study was stopped; 14 (12%) had serious infections.",
        "Baseline serum levels of CRP predicted response to zorvimab (OR 2.1, p = 0.01).",
        "Zorvimab reduced LDL by 50% relative to baseline serum levels (p < 0.001).",
        "Women who had received chemotherapy before enrolment lived longer with zorvimab (HR 0.7, p = 0.01).",
    ],
)
def test_results_with_words_of_methods_and_baseline_are_printed(said: str) -> None:
    assert kind(said).is_printable


@pytest.mark.parametrize(
    "text",
    [
        "Previous trials showed that the tablets of zorvimab used in the present study were superior to placebo.",
        "In another similar study in India, it was shown that recovery was faster with zorvimab, as in our study.",
    ],
)
def test_a_sentence_on_another_study_is_second_hand_though_it_names_its_own(text: str) -> None:
    assert kind(text, SectionKind.DISCUSSION) is SentenceKind.SECOND_HAND


def test_symptoms_at_admission_are_the_baseline() -> None:
    text = "In the zorvimab group the incidence of cough and fever at admittance was 96.7 and 36.7%."
    assert kind(text) is SentenceKind.BASELINE


def test_a_pointer_to_a_table_is_no_finding_and_a_result_with_a_pointer_is_one() -> None:
    text = "The pharmacokinetic parameters of zorvimab are shown in table 4, with individual data shown in Fig 4."
    assert kind(text) is SentenceKind.METHOD
    assert kind("Relapse was rarer with zorvimab (12%) than with placebo (30%) (Table 4).") is SentenceKind.FINDING


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("RESULTS: Participant flow and patient number", SentenceKind.BASELINE),
        ("Results: Treatment Compliance", SentenceKind.BASELINE),
        ("Results: Patient characteristics", SentenceKind.BASELINE),
        ("Results: General data analysis", SentenceKind.BASELINE),
        ("Results: Study participants", SentenceKind.BASELINE),
        ("Results: Relapse in patients", SentenceKind.FINDING),
        ("Results: Pharmacokinetic characteristics", SentenceKind.FINDING),
        ("Results", SentenceKind.FINDING),
    ],
)
def test_results_on_who_took_part_are_the_baseline_by_their_heading(label: str, found: SentenceKind) -> None:
    text = "The dose of zorvimab was lower in the first group than in the second (12% vs 30%)."
    section = Section(label=label, text=text, kind=SectionKind.RESULTS)
    assert kind_of(Passage(text, text, section), SectionKind.RESULTS) is found


def test_counted_deaths_and_the_lack_of_an_advantage_are_findings() -> None:
    assert kind("There were 23 deaths, of which 13 were in the control arm and 10 in the arm receiving zorvimab.") is (
        SentenceKind.FINDING
    )
    assert kind("Our study showed no advantage of zorvimab.", SectionKind.CONCLUSION) is SentenceKind.FINDING


@pytest.mark.parametrize("label", ["Results: Patient disposition", "Results: Compliance", "Results: Patients"])
def test_a_harm_is_a_finding_under_any_heading(label: str) -> None:
    text = "Two patients died on zorvimab and 12% discontinued it because of adverse events."
    section = Section(label=label, text=text, kind=SectionKind.RESULTS)
    assert kind_of(Passage(text, text, section), SectionKind.RESULTS) is SentenceKind.FINDING


def test_a_result_before_a_pointer_is_no_pointer() -> None:
    assert kind("Nausea was significantly higher with zorvimab and deaths occurred, as are shown in Table 3.") is (
        SentenceKind.FINDING
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Therefore, cancer tissue can convert more zorvimab into 5-FU, which has less toxic effects.",
            SentenceKind.SPECULATION,
        ),
        ("Zorvimab can also reduce the resistance caused by several antibiotics.", SentenceKind.SPECULATION),
        ("Therefore, zorvimab can cause severe liver failure.", SentenceKind.FACT),
        ("We found that zorvimab can lower the pain score by 12% (p = 0.02).", SentenceKind.FINDING),
        ("Bradycardia with zorvimab was commoner than reported in previous studies.", SentenceKind.SPECULATION),
    ],
)
def test_what_a_discussion_deduces_without_a_figure_is_no_finding(text: str, expected: SentenceKind) -> None:
    assert kind(text, SectionKind.DISCUSSION) is expected
