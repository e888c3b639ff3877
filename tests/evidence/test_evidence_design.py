"""What kind of study a record reports."""

from __future__ import annotations

import pytest

from storm.evidence.design import design_of, is_animal, is_report
from storm.evidence.species import is_preclinical
from storm.models import Hit, Section, SectionKind
from storm.models.design import Design


def paper(title: str, abstract: str = "", methods: str = "", types: tuple[str, ...] = (), database: str = "pmc") -> Hit:
    sections = (
        Section(text=abstract, kind=SectionKind.ABSTRACT),
        Section(label="Methods", text=methods),
    )
    return Hit.of(
        database, "1", "https://example.org/1", title, publication_types=types,
        sections=tuple(section for section in sections if section.text),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("types", "design"),
    [
        (("Journal Article", "Randomized Controlled Trial"), Design.RANDOMISED),
        (("Randomized Controlled Trial", "Meta-Analysis"), Design.META_ANALYSIS),
        (("Research Article", "Study Protocol"), Design.PROTOCOL),
        (("Correction", "Errata"), Design.ERRATUM),
        (("Retraction of Publication",), Design.RETRACTION),
        (("Letter",), Design.EDITORIAL),
        (("Case Reports",), Design.CASE_REPORT),
        (("Review Article",), Design.REVIEW),
        (("Clinical Trial, Phase II",), Design.NON_RANDOMISED),
        (("Observational Study",), Design.COHORT),
        (("Journal Article",), Design.OTHER),
    ],
)
def test_publication_types_say_the_design(types: tuple[str, ...], design: Design) -> None:
    assert design_of(paper("Zorvimab in asthma", types=types)) is design


def test_a_finished_trial_is_no_protocol_though_its_journal_types_it_so() -> None:
    types, said = ("Research Article", "Protocol"), "Patients were randomised to zorvimab or placebo."
    results = Section(label="Results", text="Survival was no longer with zorvimab (p = 0.28).")
    planned = results.model_copy(update={"text": "Results are expected in two years."})
    protocol = paper("Zorvimab in melanoma", said, types=types)
    finished, unfinished = (
        protocol.model_copy(update={"sections": (*protocol.sections, one)}) for one in (results, planned)
    )
    assert design_of(finished) is Design.RANDOMISED
    assert design_of(unfinished) is Design.PROTOCOL


def test_an_economic_model_with_the_data_of_a_trial_is_no_trial() -> None:
    title = "Cost-effectiveness of zorvimab added to usual care"
    data = "Response rates were from a randomised trial."
    assert design_of(paper(title, f"A Markov model estimated costs. {data}")) is Design.ECONOMIC
    assert design_of(paper(title, f"Costs were recorded of all patients. {data}")) is Design.RANDOMISED


@pytest.mark.parametrize(
    ("title", "design"),
    [
        ("Zorvimab in asthma: a randomised, double-blind trial", Design.RANDOMISED),
        ("Zorvimab in asthma: a non-randomised, open-label trial", Design.OTHER),
        ("Zorvimab in asthma: a post hoc analysis of a randomised trial", Design.SECONDARY),
        ("Safety of zorvimab: pooled analysis of 12 randomized studies", Design.SECONDARY),
        ("Zorvimab in the subgroup of patients with asthma from the RELIEF trial", Design.SECONDARY),
        ("Adjusted indirect comparison of zorvimab and placebin in two trials", Design.SECONDARY),
        ("Zorvimab in immunosuppressed geese", Design.ANIMAL),
        ("Views on zorvimab: findings from a cross-sectional study", Design.CROSS_SECTIONAL),
        ("Rationale and design of a randomised trial of zorvimab", Design.PROTOCOL),
        ("Zorvimab and asthma: study protocol for a randomised controlled trial", Design.PROTOCOL),
        ("Correction to: Zorvimab in asthma, a randomised trial", Design.ERRATUM),
        ("Zorvimab in asthma: a systematic review and meta-analysis of randomised trials", Design.META_ANALYSIS),
        ("A randomised survey of those who take zorvimab", Design.RANDOMISED),
        ("Zorvimab and falls: a nested case-control study", Design.CASE_CONTROL),
        ("Mendelian randomization of the target of zorvimab", Design.COHORT),
        ("Zorvimab in a mouse model of asthma", Design.ANIMAL),
        ("Pharmacokinetics of zorvimab in healthy volunteers", Design.PHARMACOKINETIC),
        ("Bioavailability of zorvimab and its prophylactic effect on oedema: a phase II trial", Design.OTHER),
        ("Anaphylaxis after zorvimab: a case report", Design.CASE_REPORT),
        ("Zorvimab in routine care: a retrospective cohort", Design.COHORT),
    ],
)
def test_a_title_says_the_design_where_types_say_nothing(title: str, design: Design) -> None:
    assert design_of(paper(title, types=("Research Article",))) is design


@pytest.mark.parametrize(
    ("abstract", "methods", "design"),
    [
        ("Sixty adults were randomly assigned to zorvimab or placebo.", "", Design.RANDOMISED),
        (
            "The review, published in 2001, reports a half-life of 6 days. In a trial, 80 patients had it.",
            "",
            Design.REVIEW,
        ),
        ("Adults were studied.", "Patients were randomised with sealed envelopes.", Design.RANDOMISED),
        ("In this open-label, single-arm phase II study, patients had 5 mg.", "", Design.NON_RANDOMISED),
        ("We reviewed medical records retrospectively.", "", Design.COHORT),
        ("We report a 52-year-old woman. We report a patient with asthma.", "", Design.CASE_REPORT),
        ("A 57-year-old man with asthma was evaluated for a rash.", "", Design.CASE_REPORT),
        ("The patient was a 53-year-old man with asthma.", "", Design.CASE_REPORT),
        ("This is a 70-year-old drug against asthma.", "", Design.OTHER),
        ("This is a post hoc analysis of the RELIEF trial, in which patients were randomised.", "", Design.SECONDARY),
        ("Patients were randomised. A post hoc test was used.", "", Design.RANDOMISED),
        ("In this trial a subgroup of patients got 5 mg. Patients were randomised.", "", Design.RANDOMISED),
        ("We did a retrospective analysis of 2088 medical records.", "", Design.COHORT),
        ("This was a secondary analysis of data from a randomised trial of diets.", "", Design.SECONDARY),
        ("Sprague-Dawley rats were randomly assigned. The rats were killed after a week.", "", Design.ANIMAL),
        ("A549 cell lines were cultured with zorvimab.", "", Design.IN_VITRO),
        ("This review tells of randomised trials.", "", Design.REVIEW),
        ("A double-blind crossover trial compared zorvimab with placebo.", "", Design.RANDOMISED),
        ("A single-blind, placebo-controlled trial was done.", "Placebo came first in all.", Design.INTERVENTIONAL),
        ("A double-blind trial was done.", "Patients were randomised by lot.", Design.RANDOMISED),
        (
            "Adults on zorvimab were matched by propensity scores in a cohort. A randomised trial is under way.",
            "",
            Design.COHORT,
        ),
        ("In this indirect comparison, two data sets of randomised trials were joined.", "", Design.SECONDARY),
        (
            "Tumour tissue from women recruited into the RELIEF trial, which randomised them, was stained.",
            "",
            Design.SECONDARY,
        ),
        (
            "Alleles are randomly allocated at conception, so we used genetic variants as instruments.",
            "",
            Design.COHORT,
        ),
        ("Adults took it. Evidence from randomised trials is lacking. We read medical records.", "", Design.COHORT),
        ("Patients had a relapse. It had not been tested in any randomised trial.", "", Design.OTHER),
        ("We did a case-control study nested in a cohort of adults.", "", Design.CASE_CONTROL),
        (
            "Participants assigned to zorvimab and placebo were seen again in an open-label extension.",
            "",
            Design.RANDOMISED,
        ),
        ("In a clinical trial, cohort A and cohort B received 5 mg. Patients were seen.", "", Design.NON_RANDOMISED),
        (
            "Patients received zorvimab 5 mg daily. A randomised study comparing both would help.",
            "",
            Design.NON_RANDOMISED,
        ),
    ],
)
def test_abstract_and_methods_say_the_design_where_the_title_does_not(
    abstract: str, methods: str, design: Design
) -> None:
    assert design_of(paper("Zorvimab in asthma", abstract, methods)) is design


@pytest.mark.parametrize(
    ("title", "abstract", "design"),
    [
        ("Smoking: a quasi-randomized controlled trial", "Smokers were allocated by day.", Design.NON_RANDOMISED),
        ("Two whitening strips", "Chips were divided randomly into three groups.", Design.IN_VITRO),
        ("Reliability of four tests", "Participants did the tests, in a randomized order, on two days.", Design.OTHER),
        (
            "Insulin secretion",
            "The two experiments before and after the treatment were carried out in randomized order on two days.",
            Design.OTHER,
        ),
        ("A bidirectional Mendelian randomization study", "Variants were pooled in a meta-analysis.", Design.COHORT),
        ("Vasculitis: a case series", "We performed a retrospective cohort study of 40 patients.", Design.COHORT),
    ],
)
def test_chance_that_assigned_no_treatment_makes_no_randomised_trial(title: str, abstract: str, design: Design) -> None:
    assert design_of(paper(title, abstract)) is design


def test_a_registered_study_has_fields_for_it_and_a_label_reports_none() -> None:
    def study(*types: str) -> Design:
        return design_of(paper("Zorvimab", types=types, database="clinicaltrials"))

    assert study("Clinical Trial", "Interventional", "Randomized") is Design.RANDOMISED
    assert study("Clinical Trial", "Interventional", "Non randomized") is Design.NON_RANDOMISED
    assert study("Clinical Trial", "Interventional") is Design.INTERVENTIONAL
    assert study("Observational") is Design.COHORT
    assert design_of(paper("Zorvimab label", database="openfda")) is Design.NO_STUDY


def test_what_reports_nothing_of_its_own_is_no_report() -> None:
    assert not is_report(paper("Reply to: Zorvimab in asthma"))
    assert not is_report(paper("Zorvimab in asthma: study protocol"))
    assert is_report(paper("Zorvimab in asthma"))


def test_animals_are_distinguished_from_people() -> None:
    assert is_animal(paper("Effect of zorvimab on sedation in horses", "Horses were randomised."))
    assert not is_animal(paper("Zorvimab in children who own dogs", "Children were randomised."))
    assert not is_animal(paper("Zorvimab in asthma", "Unlike in mice, patients improved. Patients were randomised."))


def test_a_paper_on_human_cells_that_mentions_patients_is_in_vitro() -> None:
    abstract = (
        "Zorvimab may prevent cancer in patients. In human cancer cells, zorvimab inhibited respiration. Cells without "
        "glucose died, while cells that were treated in glucose lived. Resistant cells grew."
    )
    assert design_of(paper("Zorvimab inhibits complex I of cancer cells", abstract)) is Design.IN_VITRO


def test_a_trial_in_a_cancer_named_by_its_cells_is_none_of_cells() -> None:
    abstract = "Patients with non-small cell lung cancer were treated; none had small cell cancer. 9 patients died."
    assert design_of(paper("Zorvimab in advanced cancer", abstract)) is Design.NON_RANDOMISED


@pytest.mark.parametrize(
    "title",
    [
        "Rabbit antithymocyte globulin versus zorvimab",
        "The chimeric murine antibody zorvimab",
        "Zorvimab before in vitro fertilization",
        "Guideline-directed zorvimab",
        "A survey-based quality of life with zorvimab",
        "Pharmacokinetics of zorvimab",
    ],
)
def test_a_word_of_the_title_does_not_outdo_the_type_of_a_randomised_trial(title: str) -> None:
    hit = paper(title, "Mice, rats and rabbits had been studied.", types=("Randomized Controlled Trial",))
    assert design_of(hit) is Design.RANDOMISED
    assert not is_animal(hit)


def test_a_randomised_trial_whose_title_says_animals_is_one_of_animals() -> None:
    assert design_of(paper("Zorvimab in rats", types=("Randomized Controlled Trial",))) is Design.ANIMAL


@pytest.mark.parametrize(
    "text",
    [
        "Births after in vitro fertilisation were more common.",
        "Pain fell, and calves pain too.",
        "Infants were fed cow's milk.",
        "Rabbit antithymocyte globulin caused more infections.",
        "It is a murine monoclonal antibody.",
        "It is a chimeric (murine/human) monoclonal antibody.",
        "They were given rabbit-derived antithymocyte globulin for pain in the calves.",
    ],
)
def test_what_people_were_given_is_not_preclinical(text: str) -> None:
    assert not is_preclinical(text)
    assert is_preclinical(f"{text} Rats were studied.")


def test_cells_that_lack_a_gene_or_are_kept_in_a_medium_are_preclinical() -> None:
    assert is_preclinical("Zorvimab induced cell death in HCT 116 p53^−/− cells.")
    assert is_preclinical("Zorvimab killed these cells in the absence of glucose.")
    assert not is_preclinical("Zorvimab lowered the number of CD4+ T cells in patients.")


def test_an_antibody_given_to_a_mouse_is_preclinical() -> None:
    assert is_preclinical("In a mouse model with anti-PD1 antibody, tumours shrank.")
    assert is_preclinical("A mouse given antibodies survived.")


def test_a_trial_of_doses_in_cohorts_is_no_cohort() -> None:
    hit = paper("A phase I dose-escalation study of zorvimab", "Adults got it in cohorts of three.")
    assert design_of(hit) is Design.NON_RANDOMISED


@pytest.mark.parametrize(
    ("title", "abstract", "design"),
    [
        ("Zorvimab in surgery", "Sixty patients were included randomly into three groups.", Design.RANDOMISED),
        (
            "Zorvimab before endoscopy: a randomized trial",
            "Pain fell. A subgroup analysis of the sedated showed no more.",
            Design.RANDOMISED,
        ),
        ("Zorvimab on the skin", "We studied it in a model of psoriasis in mice. Swelling fell.", Design.ANIMAL),
        ("Zorvimab in a canine model: relevance for patients", "Dogs got it.", Design.ANIMAL),
        ("Zorvimab as a rescue", "We performed a meta-analysis of trials in adults.", Design.META_ANALYSIS),
        ("Zorvimab after radiation", "We analysed 120 consecutive patients.", Design.COHORT),
        ("Safety of zorvimab in Japan", "Pooled data of patients from three trials were compared.", Design.SECONDARY),
        ("Zorvimab and hepatitis", "A patient with arthritis was presented, who had an infection.", Design.CASE_REPORT),
        ("Harms of zorvimab: a case-cross-over study", "Those who took zorvimab were compared.", Design.CASE_CONTROL),
        ("Zorvimab inhibits lung cancer cells", "A549 cells died. So did other cells.", Design.IN_VITRO),
        ("Zorvimab against injury", "A murine model of it was used.", Design.ANIMAL),
        ("Synergy of zorvimab and oxytocin", "Genes fell in corticosterone treated rats.", Design.ANIMAL),
        ("Drug-drug interactions of zorvimab", "It inhibited the enzyme in vitro.", Design.IN_VITRO),
        ("Pharmacokinetics of zorvimab", "Healthy subjects got it. In vitro it was bound.", Design.PHARMACOKINETIC),
        ("Zorvimab in giant cell arteritis", "Giant cell arteritis is of cells. Half did well.", Design.OTHER),
    ],
)
def test_an_abstract_without_a_type_says_the_design(title: str, abstract: str, design: Design) -> None:
    assert design_of(paper(title, abstract)) is design


def test_trials_that_an_introduction_or_conclusion_names_are_not_its_own_design() -> None:
    parts = {
        "BACKGROUND": "Randomised controlled trials of zorvimab enrolled others.",
        "METHODS": "We retrospectively reviewed medical records of adults.",
        "CONCLUSIONS": "A randomised phase III trial is recruiting.",
    }
    sections = tuple(Section(label=label, text=text, kind=SectionKind.ABSTRACT) for label, text in parts.items())
    hit = paper("Zorvimab in practice").model_copy(update={"sections": sections})
    assert design_of(hit) is Design.COHORT


def test_a_design_that_only_an_introduction_states_counts_where_nothing_else_does() -> None:
    parts = {"OBJECTIVE": "To follow a cohort of adults on zorvimab.", "METHODS": "Adults were seen twice."}
    sections = tuple(Section(label=label, text=text, kind=SectionKind.ABSTRACT) for label, text in parts.items())
    hit = paper("Zorvimab in practice").model_copy(update={"sections": sections})
    assert design_of(hit) is Design.COHORT
