"""How many took part in what a record reports."""

from __future__ import annotations

import json

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.clinicaltrials import read_studies
from storm.evidence.participants import participants_of
from storm.models import Hit, RecordFacts, Section, SectionKind
from storm.models.study import EnrollmentKind


def paper(abstract: str, methods: str = "", title: str = "Zorvimab in asthma") -> Hit:
    sections = [Section(text=abstract, kind=SectionKind.ABSTRACT)]
    sections += [Section(label="Methods", text=methods)] if methods else []
    return Hit.of("pmc", "PMC1", "https://example.org/1", title, sections=tuple(sections))


@pytest.mark.parametrize(
    ("abstract", "number"),
    [
        ("In total, 351 patients with asthma were randomized to zorvimab (n = 173) or placebo (n = 178).", 351),
        ("Patients were randomised (n = 416) to receive zorvimab (n = 211) or placebo (n = 205).", 416),
        ("They were randomly assigned to placebo (n = 100), zorvimab 5 mg (n = 50) or zorvimab 10 mg (n = 50).", 200),
        ("Sixty patients scheduled for surgery were randomly assigned to one of three groups.", 60),
        ("One hundred and four adults took part. Of them 12 had pain.", 104),
        ("Patients were assigned to zorvimab 20 mg (n=28, age: 56.1 years) or placebo (n=24).", 52),
        (
            "From 2010 on, 46 participants were randomly assigned to the treatment group and 22 to the placebo "
            "group; of whom 40 completed.",
            68,
        ),
        (
            "Twenty-two patients had zorvimab compared with 20 patients as the control group.",
            42,
        ),
        ("Patients with asthma (n = 137) were randomized to exercise or usual care.", 137),
        ("There were three groups, with 10 patients in each.", 30),
        ("A total of 44 patients were enrolled in the study, 32 of whom were randomised to treatment.", 32),
        ("Among the 187 randomized subjects, 23 had 27 cases of major protocol violations.", 187),
        ("In an efficacy analysis of 94 patients, median survival was 2.7 months.", None),
        ("This was an open-label trial in 230 previously untreated women with lupus.", 230),
        ("In a previously published trial in 230 women zorvimab was given.", None),
        ("There were 20 patients in each of the two groups.", 40),
        ("Of the 1066 patients randomised, 1021 (n = 507 for zorvimab and n = 514 for placebo) returned.", 1066),
        ("Of 1,250 patients screened, 900 were eligible. A total of 2,322 patients with asthma were enrolled.", 2322),
        ("The response was seen in 12% of patients, at 5 mg in 3 patients.", None),
        ("A sample size of 80 patients was calculated.", None),
        ("Mortality was 2.3% for 49 children allocated to zorvimab and zinc, and 1.8% with zinc alone.", None),
        ("After a screening of up to 30 days, eligible patients were randomised to zorvimab or placebo.", None),
        ("It ran at 88 sites (Poland, n = 18; Chile, n = 16), and arms were randomised by centre.", None),
        ("24, 18 and 22 patients were randomised to placebo, zorvimab and both.", 64),
        ("561 and 542 patients were randomised to zorvimab and placebo.", 1103),
        ("Of 440 patients screened, 366 patients were randomised to zorvimab or placebo.", 366),
        ("1171 patients were screened, 891 patients were randomized (N = 357, N = 534), and 687 completed it.", 891),
        ("Of the 1171 patients screened, 891 met eligibility criteria and were randomized.", 891),
        ("Of 1,712 subjects screened, 1,041 were randomized and 1,040 were exposed to trial drugs.", 1041),
        ("Of 250 patients assessed for eligibility, 120 (48%) were randomly assigned to zorvimab or rest.", 120),
        (
            "Of 250 patients screened, 130 met exclusion criteria and were not randomised; 120 patients were "
            "randomised.",
            120,
        ),
        ("250 patients were screened; 130 were not enrolled and 120 patients were enrolled.", 120),
        ("Of 250 patients screened, 100 were randomised to zorvimab and 100 were randomised to placebo.", None),
        ("Of 250 patients assessed for eligibility, 60 (24%) were allocated to zorvimab, 61 (24%) to placebo.", None),
        ("250 patients were screened, 120 were enrolled in a run-in, and 110 were randomised to two arms.", None),
        ("1200 women were screened for breast cancer, 30 women had cancer.", None),
        ("80 patients were screened at 12 centres. We enrolled 60 patients.", 60),
        ("A total of 500 patients were screened; 45 were excluded and 455 patients were randomised.", 455),
        ("Asthma is common.", None),
        (
            "In the first phase 78 patients were recruited. Later on 43 (55.1%) patients in remission were randomized "
            "to one of two arms.",
            43,
        ),
        ("In all, 78 adults were enrolled and 43 were randomised.", 43),
        ("In all 96 patients were screened and 60 were randomly assigned to zorvimab (n=30) or rest (n=30).", 60),
        ("By June, 118 patients had been enrolled. A response was seen in 6 (8%) of 77 patients with a marker.", 118),
        ("From randomization to endpoint (n = 162), scores fell.", 162),
        (
            "Ten boys were screened; 12 were randomised to zorvimab (n = 8) or control group (n = 4).",
            12,
        ),
        ("10 healthy men and 10 healthy women took zorvimab.", 20),
        ("Adults with asthma (six women, seven men) took zorvimab.", 13),
        ("A total of 3 214 patients were included.", 3214),
        ("At week 12 345 patients were included.", 345),
        ("Nausea occurred in 30 of 150 adults on zorvimab and in 10 of 150 on placebo.", 300),
        ("Of the patients, 30 of 150 adults relapsed and 10 of 30 children did.", 150),
        ("Pregnancy loss occurred in 3 of 40 women and 2 of 35 men stopped zorvimab.", 40),
        ("Of those on zorvimab, 12 of 50 had nausea and 8 of 50 had rash, unlike placebo.", None),
        (
            "Fifteen clinicians were randomly assigned to refer patients to exercise (n = 8) or usual care (n = 7). "
            "Data from 119 patients were available.",
            119,
        ),
        ("Adults were assigned to 15 mg (12 adults), 9 mg (12 adults) or no zorvimab (12 adults).", 36),
        ("Fifty individuals with rashes and 132 matched controls participated.", 182),
        ("We assigned patients to zorvimab (62 patients) or injections with saline (Sal; 58 patients).", 120),
        (
            "The trial set zorvimab in 214 obese patients with asthma against usual care, chiefly steroids, in 230. "
            "A supplementary trial took 390 patients and randomised 195 to zorvimab.",
            444,
        ),
        ("Vitamin D was measured in 803 participants assigned to zorvimab and 811 assigned to placebo.", 1614),
        ("In 20 trials 4,210 participants received zorvimab and 5,100 a comparator.", 9310),
        (
            "Thirty adults were randomly assigned to receive placebin, and 30 adults were assigned to get zorvimab.",
            60,
        ),
        ("A register compared 1,204 men who had asthma with 12,040 controls.", 13244),
        ("Later, an analysis of 310 men with asthma saw no association.", None),
        (
            "The trial included 204 women. A fracture was found in six women assigned to zorvimab and seven assigned "
            "to placebo.",
            204,
        ),
    ],
)
def test_an_abstract_says_how_many_took_part(abstract: str, number: int | None) -> None:
    assert participants_of(paper(abstract)) == number


def test_the_number_in_a_column_of_the_users_own_is_that_of_the_study() -> None:
    stated = paper("Of 120 patients given zorvimab 18 had a headache.").model_copy(
        update={"facts": RecordFacts(enrollment=240)}
    )
    assert participants_of(stated) == 240


def test_the_sizes_of_one_of_two_studies_are_not_those_of_both() -> None:
    first, second = "Study 1: zorvimab (n=134) or placebo (n=135).", "Study 2: zorvimab (n=185) or placebo (n=189)."
    text = f"Two studies randomly assigned children to a group. {first} {second}"
    assert participants_of(paper(text, "In all, 374 patients were randomised.")) is None


def test_a_secondary_analysis_does_not_have_the_participants_that_its_text_tells_of() -> None:
    text = "We followed patients of an earlier trial.", "In all, 30 patients were randomised."
    assert participants_of(paper(*text, title="Zorvimab: a post hoc analysis")) is None
    own = "In this post hoc analysis, we followed up 25 patients on dialysis for 20 months."
    assert participants_of(paper(own, text[1], title="Zorvimab: a post hoc analysis")) == 25


def test_the_methods_say_it_where_the_abstract_does_not() -> None:
    assert participants_of(paper("Zorvimab was studied.", "We enrolled 42 adults with asthma.")) == 42
    text = "Forty healthy right-handed volunteers (19 females), mean age 25.60 years, participated in this study."
    assert participants_of(paper("Zorvimab was studied.", text)) == 40


@pytest.mark.parametrize(
    ("methods", "number"),
    [
        ("Those with zorvimab (n = 52) and those of the control group (n = 25) were analysed.", 77),
        ("A total of 55 subjects were enrolled.", 52),
        ("A total of 286 subjects were enrolled.", None),
    ],
)
def test_a_number_that_may_be_that_of_one_arm_is_held_against_the_total(methods: str, number: int | None) -> None:
    assert participants_of(paper("In 52 subjects zorvimab was tried.", methods)) == number


def test_what_is_planned_is_no_number_of_participants() -> None:
    planned = "In total, 240 patients will be randomised."
    assert participants_of(paper(planned)) is None
    assert participants_of(paper("A total of 282 patients were recruited.", title="Zorvimab: study protocol")) is None


def study(kind: EnrollmentKind | None, status: str) -> Hit:
    facts = RecordFacts(enrollment=142, enrollment_kind=kind, status=status)
    return Hit.of("clinicaltrials", "NCT00000001", "https://example.org/1", "Zorvimab", facts=facts)


def test_a_registered_study_has_its_participants_once_they_are_enrolled() -> None:
    assert participants_of(study(EnrollmentKind.ENROLLED, "Completed")) == 142
    assert participants_of(study(EnrollmentKind.PLANNED, "Completed")) is None
    assert participants_of(study(None, "Recruiting")) is None


@needs_recorded_answers
def test_real_registry_records_give_the_count_of_their_own_field() -> None:
    for name in ("aact_NCT02278341.json", "aact_NCT05594173.json"):
        path = ANSWERS / "clinicaltrials" / name
        enrolled = json.loads(path.read_text(encoding="utf-8"))["protocolSection"]["designModule"]["enrollmentInfo"]
        with path.open("rb") as stream:
            (found,) = read_studies(stream)
        assert isinstance(found, Hit)
        expected = enrolled["count"] if enrolled.get("type") == "ACTUAL" else None
        assert participants_of(found) == expected


def test_of_a_subgroup_in_the_title_its_own_size_is_reported() -> None:
    abstract = "Of 2,144 patients from the whole trial, 182 (8.5%) were Japanese and randomized to zorvimab or placebo."
    title = "Zorvimab in Japanese patients with asthma: a subgroup analysis of a trial"
    assert participants_of(paper(abstract, title=title)) == 182


@pytest.mark.parametrize(
    ("abstract", "number"),
    [
        ("We identified 32 studies in 11,487 subjects, including three trials and 29 cohort studies.", 11_487),
        ("A total of 4 randomised studies including 202 participants were identified.", 202),
        ("26 studies were finally included, comprising 9604 patients.", 9_604),
        ("11 studies were read and 10 individual studies were pooled.", None),
    ],
)
def test_a_meta_analysis_has_the_people_of_its_studies(abstract: str, number: int | None) -> None:
    assert participants_of(paper(abstract, title="Zorvimab in asthma: a meta-analysis")) == number


@pytest.mark.parametrize(
    ("abstract", "number"),
    [
        ("We allotted 40 to zorvimab and 41 to placebo.", 81),
        ("Allocation was 1,040 to zorvimab and 1,042 to placebo.", 2082),
        ("Allocation was 140 to zorvimab and one hundred and two to placebo.", 242),
        ("Relief was seen in 30 of 150 on zorvimab and in 10 of the 150 on placebo.", 300),
        ("Relief was seen in thirty of one hundred on zorvimab and in ten of one hundred on placebo.", 200),
        ("Pain fell from 60 to 20 with zorvimab and 58 to 40 with placebo.", None),
        ("The dose rose from 40 to 80 mg and five to nine tablets were taken.", None),
    ],
)
def test_numbers_without_a_word_for_people_are_read(abstract: str, number: int | None) -> None:
    assert participants_of(paper(abstract)) == number


@pytest.mark.parametrize(
    ("abstract", "number"),
    [
        ("The final safety analysis of 300 patients with asthma randomised to zorvimab or placebo is reported.", 300),
        ("We report the safety analysis of the trial, in which 300 patients were randomised to zorvimab.", 300),
        ("300 patients were randomised to zorvimab or placebo for the efficacy analysis of relapse.", 300),
        ("In an interim analysis of 94 patients pain fell; 300 patients were randomised to zorvimab.", 300),
        ("In a per-protocol analysis of 94 patients pain fell.", None),
        ("The share was 2.4% in 56 children in the zinc arm.", None),
        ("It was evaluated in 85 patients in the paediatric age group.", 85),
    ],
)
def test_of_an_analysis_only_those_who_were_randomised_count(abstract: str, number: int | None) -> None:
    assert participants_of(paper(abstract)) == number


def test_those_who_answered_and_those_of_one_arm_are_not_all_participants() -> None:
    assert participants_of(paper("A total of 175 patients answered a question.", "We enrolled 265 patients.")) == 265
    each = "In total, 239 patients were enrolled in each arm. All 478 patients enrolled in the study received zorvimab."
    assert participants_of(paper("Zorvimab was studied.", each)) == 478


def test_how_many_were_assigned_at_random_is_read_in_the_text_where_the_abstract_counts_events() -> None:
    methods = (
        "During the study 202 patients were approached and 176 eligible patients were randomly assigned to two groups."
    )
    assert participants_of(paper("Ten patients on zorvimab vomited.", methods)) == 176
