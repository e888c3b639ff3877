from __future__ import annotations

import pytest

from storm.extractive.asked_question import AskedQuestion, read_question
from storm.extractive.checklist_items import asks_quantity
from storm.extractive.narrowings import names_amount, read_narrowings
from storm.models import JobRequest, RequestKind


def _read(text: str) -> AskedQuestion:
    return read_question(JobRequest(kind=RequestKind.QUESTION, text=text))


def _narrow(text: str, facet: str, *drug: str) -> list[tuple[str, str]]:
    asked = _read(text)
    places = [word.start for word in asked.words if word.folded in drug]
    return [(one.label, one.role) for one in read_narrowings(asked, asked.phrases(places), facet)]


@pytest.mark.parametrize(
    ("text", "facet", "drug", "narrowed"),
    [
        ("Does metformin cause vitamin B12 deficiency?", "harm", "metformin", [("vitamin B12 deficiency", "outcome")]),
        ("Is metformin safe in pregnancy?", "harm", "metformin", [("pregnancy", "population")]),
        ("Is trastuzumab safe for her heart?", "harm", "trastuzumab", [("heart", "outcome")]),
        (
            "Does trastuzumab prolong survival in gastric cancer?", "benefit", "trastuzumab",
            [("survival", "outcome"), ("gastric cancer", "setting")],
        ),
        (
            "How does ketamine compare with propofol for sedation in children?", "harm", "ketamine",
            [("propofol", "comparator"), ("sedation", "setting"), ("children", "population")],
        ),
        ("What did the HERA trial find?", "", "", [("HERA", "setting")]),
        ("What is the loading dose of trastuzumab?", "dose", "trastuzumab", [("the loading dose", "outcome")]),
        ("Is ketamine addictive?", "harm", "ketamine", [("addictive", "outcome")]),
        ("Is metformin safe at over 75?", "harm", "metformin", [("elderly", "population")]),
        ("What does trastuzumab cost?", "cost", "trastuzumab", []),
        (
            "Is trastuzumab cardiotoxicity reversible?", "harm", "trastuzumab",
            [("cardiotoxicity", "outcome"), ("reversible", "setting")],
        ),
        (
            "Is metformin diarrhoea reversible after stopping?", "harm", "metformin",
            [("diarrhoea", "outcome"), ("reversible", "setting")],
        ),
        (
            "Does melatonin improve sleep in night workers?", "", "melatonin",
            [("sleep", "outcome"), ("night workers", "population")],
        ),
        (
            "Does aspirin prevent stroke in healthy people?", "benefit", "aspirin",
            [("stroke", "outcome"), ("healthy", "population"), ("prevention", "setting")],
        ),
        ("Does zorvimab reduce exacerbations?", "benefit", "zorvimab", [("exacerbations", "outcome")]),
        ("Is metformin a kidney toxin?", "harm", "metformin", [("kidney toxin", "outcome")]),
        ("Who should not take metformin?", "harm", "metformin", [("contraindications", "outcome")]),
        (
            "Is a year of trastuzumab as good as six months?", "benefit", "trastuzumab",
            [("one year or six months", "setting")],
        ),
        (
            "Should HER2-positive patients get trastuzumab for six or twelve months?", "benefit", "trastuzumab",
            [("HER2-positive", "setting"), ("six or twelve months", "setting")],
        ),
    ],
)  # fmt: skip
def test_what_a_question_names_beside_its_subject_narrows_it(
    text: str, facet: str, drug: str, narrowed: list[tuple[str, str]]
) -> None:
    assert _narrow(text, facet, drug) == narrowed


@pytest.mark.parametrize(("text", "amount"), [("twelve", True), ("one half", True), ("two doses", False)])
def test_an_amount_names_nothing_that_a_heading_could_say(text: str, amount: bool) -> None:
    assert names_amount(text) is amount


def test_compared_durations_are_found_in_figures_and_in_words() -> None:
    asked = _read("Is 6 versus 12 months of trastuzumab as good?")
    (durations,) = read_narrowings(asked, asked.phrases([25]), "")
    assert {"6 months", "six months", "12 months", "twelve months", "1 year", "one year"} == set(durations.searched)
    assert {"6 month 12 month", "six month twelve month", "6 month one year"} <= set(durations.phrases)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Is twelve months of trastuzumab better than six months?", ["twelve or six months"]),
        ("Is six months of trastuzumab as good as twelve?", ["six or twelve months"]),
        ("Is one year of trastuzumab better than six months?", ["one year or six months"]),
        ("Are nine weeks of trastuzumab as good as a year?", ["nine weeks or one year"]),
        ("Are two doses of trastuzumab better than one?", []),
    ],
)
def test_durations_are_compared_wherever_their_unit_stands(text: str, labels: list[str]) -> None:
    assert [label for label, _ in _narrow(text, "", "trastuzumab") if " or " in label] == labels


def test_what_is_asked_of_one_facet_does_not_narrow_another() -> None:
    text = "How well does trastuzumab work, and is it safe for the heart?"
    assert _narrow(text, "benefit", "trastuzumab") == []
    assert _narrow(text, "harm", "trastuzumab") == [("heart", "outcome")]


@pytest.mark.parametrize("killed", ["kill tumour cells", "fight cancer", "destroy HER2-positive breast cancer cells"])
def test_how_a_drug_kills_cells_is_answered_by_what_it_does_to_any(killed: str) -> None:
    text = f"How does trastuzumab {killed}?"
    assert _narrow(text, "mechanism", "trastuzumab") == [("what it does to cells", "outcome")]
    resistant = "Why do cancer cells become resistant to trastuzumab?"
    assert ("what it does to cells", "outcome") not in _narrow(resistant, "mechanism", "trastuzumab")
    assert "what it does to cells" not in dict(_narrow(f"Does trastuzumab {killed}?", "benefit", "trastuzumab"))


def test_how_long_the_drug_stays_in_the_body_is_its_half_life_and_how_long_anything_else_does_is_not() -> None:
    for asked in ("How long does ketamine stay in the body?", "How quickly is metformin cleared from the blood?"):
        assert asks_quantity(_read(asked)), asked
    for other in (
        "How long does the effect of ketamine last in the body?",
        "How long do B cells remain in the blood after rituximab?",
        "How long does virus remain in the blood in patients given trastuzumab?",
        "Is metformin cleared from the blood by dialysis?",
    ):
        assert not asks_quantity(_read(other)), other


def test_too_much_and_too_little_of_a_drug_are_an_overdose_and_a_missed_dose() -> None:
    assert ("overdose", "outcome") in _narrow("What happens if a patient takes too much metformin?", "", "metformin")
    assert ("a missed dose", "outcome") in _narrow("What happens if I miss a dose of Herceptin?", "dose", "Herceptin")
    assert _narrow("Does metformin cost too much?", "cost", "metformin") == []
    labels = dict(_narrow("Are there missing data on doses of trastuzumab?", "dose", "trastuzumab"))
    assert "a missed dose" not in labels


def test_of_two_things_joined_by_or_a_text_needs_to_name_one() -> None:
    narrowed = _narrow("Does atorvastatin cause muscle pain or rhabdomyolysis?", "harm", "atorvastatin")
    assert narrowed == [("muscle pain or rhabdomyolysis", "outcome")]


def test_what_surrounds_the_question_narrows_it_only_if_the_question_names_nothing() -> None:
    context = "I had breast cancer and got trastuzumab. My heart is racing."
    assert _narrow(f"{context} Is that from the drug?", "harm", "trastuzumab") == [("heart", "outcome")]
    assert _narrow(f"{context} Is it bad for the kidneys?", "harm", "trastuzumab") == [("kidneys", "outcome")]


def test_a_comparison_of_effects_and_harms_is_narrowed_to_them_and_to_the_names_of_the_copies() -> None:
    asked = _read("How does trastuzumab compare with its biosimilars in efficacy and safety?")
    phrases = asked.phrases([word.start for word in asked.words if word.folded == "trastuzumab"])
    compared, effects = read_narrowings(asked, phrases, "comparison", ("Herzuma",))
    assert (compared.role, "Herzuma" in compared.phrases) == ("comparator", True)
    assert (effects.label, "survival" in effects.phrases) == ("effectiveness or harms", True)


@pytest.mark.parametrize(
    ("text", "drug", "narrowed"),
    [
        (
            "What is the effect of osimertinib on progression-free survival (PFS) compared with platinum chemotherapy?",
            "osimertinib", [("survival", "outcome"), ("platinum chemotherapy", "comparator")],
        ),
        (
            "What is the effect of zorvimab (ZOR) on forced expiratory volume (FEV1) versus placebo?",
            "zorvimab", [("forced expiratory volume or FEV1", "setting"), ("placebo", "comparator")],
        ),
        (
            "What is the effect of dapagliflozin 2.5 mg b.i.d. plus metformin on HbA1c compared with placebo?",
            "dapagliflozin", [("metformin", "setting"), ("HbA1c", "outcome"), ("placebo", "comparator")],
        ),
        (
            "What is the effect of mustine with vinblastine and procarbazine on survival compared with radiotherapy?",
            "mustine", [("vinblastine or procarbazine", "setting"), ("survival", "outcome"),
                        ("radiotherapy", "comparator")],
        ),
    ],
)  # fmt: skip
def test_what_is_given_with_the_drug_is_no_comparator_and_an_abbreviation_is_no_thing_of_its_own(
    text: str, drug: str, narrowed: list[tuple[str, str]]
) -> None:
    assert _narrow(text, "", drug) == narrowed


@pytest.mark.parametrize(
    ("text", "facet", "narrowed"),
    [
        (
            "How often does zorvimab cause heart failure, and is it reversible?", "harm",
            [("heart failure", "outcome"), ("reversible", "outcome")],
        ),
        (
            "Does zorvimab prevent migraine?", "benefit",
            [("migraine", "outcome"), ("prevention", "setting")],
        ),
        ("Which drugs interact with zorvimab?", "harm", [("interactions", "outcome")]),
        ("When must zorvimab not be given?", "harm", [("contraindications", "outcome")]),
        ("What is the incidence of ILD with zorvimab?", "harm", [("ILD", "outcome")]),
        ("Zorvimab versus pioglitazone HbA1c", "", [("pioglitazone", "comparator"), ("HbA1c", "outcome")]),
        ("How many biosimilars of zorvimab are there?", "", [("biosimilars", "outcome")]),
        ("Are there any biosimilars of zorvimab?", "", [("biosimilars", "outcome")]),
        ("Is there a difference between zorvimab and its biosimilars?", "", [("biosimilars", "comparator")]),
        ("Which company holds the marketing authorisation of zorvimab?", "", []),
        ("When was zorvimab approved in the United States?", "", [("United States", "setting")]),
        ("Does zorvimab interact with contrast media?", "harm", [("contrast media", "outcome")]),
        ("What is the starting dose of zorvimab?", "", [("the starting dose", "outcome")]),
        ("Which biosimilars of zorvimab are approved?", "", [("biosimilars", "outcome")]),
        ("Are biosimilars of zorvimab as good?", "", [("biosimilars", "comparator")]),
        ("Is zorvimab better than sulfonylureas?", "", [("sulfonylureas", "comparator")]),
        ("How often does zorvimab cause hazards?", "harm", []),
        ("What was the hazard ratio for death with zorvimab?", "", [("death", "setting")]),
    ],
)  # fmt: skip
def test_what_is_asked_besides_what_is_prevented_and_what_interacts_is_looked_for(
    text: str, facet: str, narrowed: list[tuple[str, str]]
) -> None:
    assert _narrow(text, facet, "zorvimab") == narrowed
