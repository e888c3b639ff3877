"""What part the drug has in what a record reports."""

from __future__ import annotations

import pytest

from storm.models import Approval, Hit, RecordFacts, Relation, RelationKind, Section, SectionKind
from storm.syllabus.aboutness import subject_of

ITSELF, COMBINATION, COMPARATOR = RelationKind.ITSELF, RelationKind.COMBINATION, RelationKind.COMPARATOR
BACKGROUND, MENTIONED, DERIVATIVE = RelationKind.BACKGROUND, RelationKind.MENTIONED, RelationKind.DERIVATIVE

DRUG = ("metformin",)


def article(title: str, *, database: str = "pmc", drugs: tuple[str, ...] = (), **parts: str) -> Hit:
    """A paper with the parts that are named; `aims`, `patients` and `findings` are those of its abstract."""
    abstract = {"aims": "Objectives", "patients": "Methods", "findings": "Results"}
    sections = tuple(
        Section(label=abstract[name], text=text, kind=SectionKind.ABSTRACT)
        if name in abstract
        else Section(label=name.upper(), text=text)
        for name, text in parts.items()
    )
    return Hit.of(database, "1", "https://example.org/1", title, sections=sections, drugs=drugs)


def kind_of(hit: Hit) -> RelationKind | None:
    subject = subject_of(hit, DRUG)
    return subject.kind if subject else None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Metformin in non-diabetic women with breast cancer", ITSELF),
        ("Metformin versus insulin in gestational diabetes", ITSELF),
        ("A comparison of metformin and pioglitazone in fatty liver disease", ITSELF),
        ("A comparison of pioglitazone and metformin in fatty liver disease", COMPARATOR),
        ("Efficacy and safety of pioglitazone versus metformin in type 2 diabetes", COMPARATOR),
        ("Dapagliflozin in patients with inadequate glycaemic control with metformin", BACKGROUND),
        ("Vildagliptin add-on to metformin in type 2 diabetes", BACKGROUND),
        ("Vildagliptin in metformin-ineligible adults", BACKGROUND),
        ("Vildagliptin after previous metformin-based treatment", BACKGROUND),
        ("Vildagliptin in diabetes after failure of metformin", BACKGROUND),
        ("A vaccine for cancer progressing after metformin", BACKGROUND),
        ("Biohydrogen from sludge with metformin", MENTIONED),
        ("Photocatalytic degradation of metformin", MENTIONED),
        ("Removal of metformin from wastewater", MENTIONED),
        ("Occurrence of metformin and other pharmaceutical residues in an estuary", MENTIONED),
        ("Magnesium scaffolds and metformin-eluting stents", DERIVATIVE),
        ("Effect of a diet on metformin consumption", BACKGROUND),
        ("Determination of metformin in plasma by LC-MS/MS", MENTIONED),
        ("Combination therapy with metformin and letrozole in polycystic ovary syndrome", COMBINATION),
        ("Letrozole plus metformin for ovulation induction", COMBINATION),
        ("Letrozole plus metformin versus letrozole alone for ovulation induction", ITSELF),
        ("Metformin added to letrozole for ovulation induction", ITSELF),
        ("Metformin and exercise in older adults", ITSELF),
        ("Metformin and sitagliptin fixed-dose combination in type 2 diabetes", COMBINATION),
        ("Text message reminders to shop staff dispensing metformin", BACKGROUND),
        ("Education of patients and adherence to metformin", BACKGROUND),
        ("Exercise in older adults", None),
    ],
)
def test_a_title_says_what_is_studied(title: str, expected: RelationKind | None) -> None:
    assert kind_of(article(title)) is expected


def test_a_drug_that_is_an_arm_of_the_abstract_is_studied() -> None:
    patients = "Sixty women were randomised to metformin 1,500 mg (n = 30) or placebo."
    assert kind_of(article("Insulin sensitisers in PCOS", patients=patients)) is ITSELF


def test_a_drug_that_the_conclusion_speaks_of_is_studied_and_no_control() -> None:
    title = "Comparative effects of pioglitazone and metformin in fatty liver disease"
    assert kind_of(article(title, findings="Pioglitazone was better than metformin.")) is COMPARATOR
    assert kind_of(article(title, findings="Metformin may be safer than pioglitazone.")) is ITSELF


def test_a_drug_to_which_another_is_added_in_one_arm_is_in_both_arms() -> None:
    title = "Pertuzumab, metformin, and letrozole in breast cancer"
    for said in ("Adding pertuzumab to metformin and letrozole", "Pertuzumab added to neoadjuvant metformin"):
        assert kind_of(article(title, findings=f"{said} prolonged survival.")) is COMBINATION


def test_a_drug_of_the_control_to_which_the_other_arm_got_more_is_background() -> None:
    patients = "The control group received metformin. The letrozole group received, in addition, letrozole 2.5 mg."
    assert kind_of(article("Effect of letrozole in infertility", patients=patients)) is BACKGROUND


def test_what_patients_had_all_along_is_background() -> None:
    found = "In patients who could taper their metformin dose relapses were rarer with apheresis."
    assert kind_of(article("Apheresis in colitis", findings=found)) is BACKGROUND


def test_a_part_of_the_only_regimen_is_given_in_combination() -> None:
    patients = "Patients were assigned to FML (fludarabine, metformin and letrozole) or to etoposide."
    assert kind_of(article("FML or etoposide in lymphoma", patients=patients)) is COMBINATION


@pytest.mark.parametrize(
    "found",
    [
        "Placebin combined with metformin did not prolong survival compared with metformin alone.",
        "Patients randomly received metformin (60 mg) with (group A) or without (group B) placebin.",
    ],
)
def test_a_drug_whose_partner_is_tried_is_background(found: str) -> None:
    title = "Phase II study of placebin combined with metformin for lung cancer"
    assert kind_of(article(title, findings=found)) is BACKGROUND


@pytest.mark.parametrize(
    ("title", "patients", "findings"),
    [
        (
            "Losartan plus metformin for diabetic nephropathy: a factorial trial",
            "",
            "Losartan plus metformin lowered albuminuria more than metformin alone and losartan alone.",
        ),
        (
            "Pioglitazone plus metformin in type 2 diabetes: a three-arm randomised trial",
            "Patients were randomised to pioglitazone, metformin or both.",
            "HbA1c fell more with pioglitazone plus metformin than with metformin alone.",
        ),
        (
            "Placebin plus metformin for pain",
            "Placebin alone was the control.",
            "Pain fell more with placebin plus metformin than with metformin alone.",
        ),
        (
            "Docetaxel plus metformin for prostate cancer: a randomised trial of metformin",
            "Patients were randomised to docetaxel plus metformin or docetaxel plus placebo.",
            "Survival was longer with metformin with or without liver metastases.",
        ),
        (
            "Chemotherapy plus metformin versus chemotherapy plus placebo in breast cancer",
            "Patients were randomised to chemotherapy plus metformin or placebo.",
            "Metformin with or without food was well tolerated.",
        ),
    ],
)
def test_a_drug_that_is_tried_beside_its_partner_is_no_background(title: str, patients: str, findings: str) -> None:
    assert kind_of(article(title, patients=patients, findings=findings)) is ITSELF


@pytest.mark.parametrize(
    "title", ["Placebin therapy plus metformin in pain", "Placebin (PLC) added to metformin in pain"]
)
def test_a_partner_is_found_before_a_bracket_or_the_word_therapy(title: str) -> None:
    assert kind_of(article(title, findings="Metformin with or without placebin was safe.")) is BACKGROUND


def concluded(title: str, results: str, conclusion: str) -> RelationKind | None:
    """The role of the drug in a paper with these results and this conclusion in its abstract."""
    texts = {"Results": results, "Conclusion": conclusion}
    sections = tuple(Section(label=label, kind=SectionKind.ABSTRACT, text=text) for label, text in texts.items())
    return kind_of(Hit.of("pmc", "1", "https://example.org/1", title, sections=sections))


@pytest.mark.parametrize(
    "conclusion",
    [
        "Metformin can be the preferred alternative.",
        "Oral metformin was better after three months.",
        "In stiff shoulders, metformin was safe and needed no special care.",
        "Metformin use was followed by less pain.",
        "These findings suggest that treatment with metformin restores motion.",
    ],
)
def test_a_drug_of_the_results_that_the_conclusion_is_about_is_studied(conclusion: str) -> None:
    assert concluded("Treatment after surgery", "Motion was better with metformin.", conclusion) is ITSELF


@pytest.mark.parametrize(
    ("title", "results", "conclusion"),
    [
        (
            "Glucose monitoring in gestational diabetes",
            "Fewer women in the sensor group needed metformin (12% versus 20%).",
            "Sensors reduce the need for metformin.",
        ),
        (
            "Time-restricted eating in type 2 diabetes",
            "HbA1c fell, also in those who took metformin.",
            "Time-restricted eating lowers HbA1c whether or not metformin is taken.",
        ),
        ("Surgery in diabetes", "HbA1c fell with metformin, too.", "Metformin can often be stopped after surgery."),
    ],
)
def test_a_drug_that_a_conclusion_names_beside_its_subject_is_background(
    title: str, results: str, conclusion: str
) -> None:
    assert concluded(title, results, conclusion) is BACKGROUND


def test_a_drug_that_an_abstract_does_not_name_is_not_studied() -> None:
    methods, results = "All women were given metformin 500 mg.", "Metformin was given to 60. Metformin dose was equal."
    assert kind_of(article("Exercise in PCOS", aims="We studied exercise.", methods=methods, results=results)) is (
        BACKGROUND
    )


def test_a_drug_to_which_the_other_arm_adds_is_studied_itself() -> None:
    title = "Metformin and letrozole for ovulation induction"
    patients = "Women received metformin (MET) or MET and letrozole in combination."
    assert kind_of(article(title, patients=patients)) is ITSELF


def test_a_part_of_a_regimen_in_both_arms_and_a_rescue_drug_are_background() -> None:
    aims = "We compared letrozole with clomifene, metformin and diet (CMD)."
    assert kind_of(article("Letrozole", aims=aims, patients="They had L-CMD or CMD alone.")) is BACKGROUND
    rescue = "Patients who received rescue therapy (primarily metformin) went on."
    assert (
        kind_of(article("Linagliptin", methods=rescue, results="Metformin was the primary rescue drug.")) is BACKGROUND
    )


def test_a_drug_that_is_named_last_among_the_groups_is_what_others_are_compared_with() -> None:
    patients = "Patients were given berberine (group A), cinnamon (group B) or metformin in group C."
    assert kind_of(article("Berberine and cinnamon in type 2 diabetes", patients=patients)) is COMPARATOR
    patients = "Patients were randomised to linagliptin or metformin."
    assert kind_of(article("Linagliptin in new-onset diabetes", patients=patients)) is COMPARATOR


@pytest.mark.parametrize(
    "parts",
    [
        {"introduction": "Metformin is the first choice.", "methods": "Women were randomised to exercise or none."},
        {"methods": "Women were randomised.", "discussion": "Metformin had a greater effect in the study of Li."},
        {"aims": "To study exercise.", "methods": "Women exercised.", "conclusion": "As with metformin, weight fell."},
    ],
)
def test_what_is_named_in_the_introduction_or_discussion_alone_is_mentioned(parts: dict[str, str]) -> None:
    subject = subject_of(article("Exercise in women with PCOS", **parts), DRUG)
    assert subject == (Relation.COMPARATOR, MENTIONED)


def test_what_patients_took_besides_is_background() -> None:
    methods = "Patients on stable metformin therapy were eligible. They were randomised to exercise or usual care."
    assert kind_of(article("Exercise in type 2 diabetes", methods=methods)) is BACKGROUND
    aims = "To study exercise in patients inadequately controlled on metformin."
    assert kind_of(article("Exercise in type 2 diabetes", aims=aims, methods=methods)) is BACKGROUND


def test_what_everybody_got_and_what_was_used_up_of_it_is_background() -> None:
    aims = "To compare clomifene with letrozole for ovulation induction."
    patients = "All women in the trial received oral metformin. They were randomised to clomifene or letrozole."
    assert kind_of(article("Ovulation induction", aims=aims, patients=patients)) is BACKGROUND
    findings = "Metformin consumption was lower in the exercise group. Metformin requirements were assessed daily."
    assert kind_of(article("Exercise after surgery", aims="To test exercise.", findings=findings)) is BACKGROUND


def test_a_substance_of_the_body_that_is_measured_is_background_and_one_that_is_given_is_not() -> None:
    title = "Serum metformin changes during light therapy"
    measured = "Serum metformin was measured for 4 weeks. Those who slept better had higher metformin levels."
    given = "Serum metformin was measured after 5 mg of oral metformin."
    assert kind_of(article(title, findings=measured)) is BACKGROUND
    assert kind_of(article(title, findings=given)) is ITSELF


def test_what_is_given_to_both_arms_is_no_partner_of_a_combination() -> None:
    for partner in ("general anaesthesia", "standard therapy", "usual care"):
        title = f"Metformin plus {partner} in older women"
        assert kind_of(article(title, patients=f"Half had {partner} combined with placebo.")) is ITSELF


def test_two_drugs_of_a_title_that_were_given_to_separate_arms_are_no_combination() -> None:
    title = "Insulin sensitizers (metformin and pioglitazone) in psoriasis together with metabolic syndrome"
    apart = "Patients received metformin, pioglitazone or placebo."
    assert kind_of(article(title, patients=apart)) is ITSELF
    assert kind_of(article(title, patients="Patients received metformin plus pioglitazone, or placebo.")) is COMBINATION


def test_an_anaesthetic_of_an_experiment_is_background_and_no_combination() -> None:
    methods = "All surgery was performed under ketamine/xylazine anaesthesia (90/10 mg/kg)."
    hit = article("Hydroxychloroquine and atherosclerosis in mice", methods=methods)
    assert subject_of(hit, ("ketamine",)) == (Relation.COMBINATION, BACKGROUND)


def test_a_conjugate_and_a_copy_are_derivatives() -> None:
    assert subject_of(article("Trastuzumab emtansine in gastric cancer"), ("trastuzumab",)) == (
        Relation.DERIVATIVE,
        DERIVATIVE,
    )
    assert subject_of(article("A trastuzumab biosimilar in gastric cancer"), ("trastuzumab",)) == (
        Relation.BIOSIMILAR,
        DERIVATIVE,
    )


def test_a_label_of_another_drug_only_mentions_it() -> None:
    label = article("Tradjenta (linagliptin)", database="openfda", interactions="Metformin did not change it.")
    assert kind_of(label) is MENTIONED


def test_a_label_that_lists_other_drugs_as_its_own_only_mentions_what_it_is_given_with() -> None:
    together = "Trastuzumab with cisplatin and capecitabine or metformin is indicated. Metformin does not change it."
    label = article("A new indication (label)", database="openfda", drugs=("trastuzumab",), indications=together)
    assert kind_of(label) is MENTIONED
    assert kind_of(label.model_copy(update={"drugs": ("metformin", "Glucophage")})) is ITSELF


def test_a_page_on_the_approval_of_another_product_only_mentions_it() -> None:
    text = f"The medicine is approved. {'It is given with other medicines. ' * 8}Metformin may be one, or metformin XR."
    page = article("A new medicine", database="web", page=text)
    approved = RecordFacts(approvals=(Approval(agency="EMA", product="Herceptin"),))
    assert kind_of(page.model_copy(update={"facts": approved})) is MENTIONED
    assert kind_of(page) is ITSELF


def test_a_registered_study_is_read_by_its_arms() -> None:
    def study(arms: str, title: str = "A Study in Type 2 Diabetes") -> Hit:
        drugs = ("Linagliptin", "Metformin")
        return article(title, database="clinicaltrials", drugs=drugs, arms=arms)

    assert kind_of(study("Experimental: Metformin.\nPlacebo comparator: Placebo.")) is ITSELF
    assert kind_of(study("Experimental: Linagliptin.\nActive comparator: Metformin.")) is COMPARATOR
    for dummy in ("Placebo – 5 mg of metformin placebo", "Placebo matching metformin"):
        assert kind_of(study(f"Experimental: Metformin.\nPlacebo comparator: {dummy}.")) is ITSELF
    both = "Experimental: Linagliptin – with metformin.\nPlacebo comparator: Placebo – with metformin."
    assert kind_of(study(both)) is BACKGROUND
    assert kind_of(study(both, "Metformin With and Without Linagliptin")) is ITSELF
    listed = article("Study of Linagliptin", database="clinicaltrials", drugs=("Linagliptin", "Metformin + Diet"))
    assert kind_of(listed) is MENTIONED
    eligible = article("Exercise", database="clinicaltrials", brief_summary="Patients who take metformin may join.")
    assert kind_of(eligible) is MENTIONED


def test_a_page_that_names_it_once_in_a_long_text_only_mentions_it() -> None:
    text = "A drug was approved. " * 100
    assert kind_of(article("News of the week", database="web", text=f"{text} Metformin too.")) is MENTIONED
    assert kind_of(article("News of the week", database="web", text="Metformin was approved.")) is ITSELF


@pytest.mark.parametrize(
    ("title", "findings", "expected"),
    [
        ("Dapagliflozin and insulin resistance", "Insulin resistance fell.", BACKGROUND),
        ("Diets in mice", "Fasting insulin fell. The insulin/glucagon ratio rose.", BACKGROUND),
        ("Insulin degludec in adults", "Patients received insulin 20 IU daily.", ITSELF),
        ("Life span of rats", "Rats treated with insulin lived longer. Insulin was injected daily.", ITSELF),
    ],
)
def test_insulin_is_studied_where_it_is_given(title: str, findings: str, expected: RelationKind) -> None:
    subject = subject_of(article(title, findings=findings), ("insulin",))
    assert subject and subject.kind is expected


def test_what_a_compound_without_the_drug_in_its_title_is_held_against_is_the_comparator() -> None:
    hit = article("The palladacycle has activity in cells", findings=(
        "It was tested in cells. It arrested growth comparable to that of metformin. "
        "Its toxicity was lower than that of metformin. It had an effect similar to metformin."
    ))  # fmt: skip
    assert kind_of(hit) is COMPARATOR
