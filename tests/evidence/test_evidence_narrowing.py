from __future__ import annotations

import pytest

from storm.evidence.narrowing import is_on_question, may_answer, names_outcome
from storm.evidence.passages import Passage
from storm.extractive.narrower_words import expand_term
from storm.models import Hit, Narrowing, NarrowingRole, Question, Section, SectionKind
from storm.syllabus.gaps import source_gaps

TITLE = "Metformin or glimepiride in women with gestational diabetes"


def ask(role: NarrowingRole, *phrases: str) -> Question:
    about = (Narrowing(label=phrases[0], phrases=phrases, role=role),)
    return Question(key="a", label="A", description="B", min_sources=1, about=about)


def record(section: Section, title: str) -> Hit:
    return Hit.of("pubmed", "1", "https://example.org/1", title).model_copy(update={"sections": (section,)})


def is_on(text: str, question: Question, title: str = TITLE) -> bool:
    section = Section(label="Results", text=text)
    hit = record(section, title)
    return is_on_question(Passage(text, text, section), hit, question, ("metformin",))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Diabetics had fewer events.", "diabetes"),
        ("Haemorrhages were rare.", "hemorrhage"),
        ("Metastases in the brain shrank.", "brain metastases"),
        ("Two cases of acute pancreatitis occurred.", "pancreatitis"),
        ("The risk of stroke fell.", "strokes"),
        ("It was added to a sulphonylurea.", "sulfonylureas"),
        ("It helped obese people most.", "obesity"),
        ("Of those with atopic dermatitis most had less itch.", "atopic dermatitis"),
        ("Acne was rare.", "acne"),
        ("One had an acute infection.", "acute infections"),
    ],
)
def test_a_sentence_names_a_thing_in_any_form_and_order_of_its_words(text: str, phrase: str) -> None:
    assert is_on(text, ask("outcome", phrase))
    assert names_outcome(text, ask("outcome", phrase))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The lifestyle programme was better.", "life"),
        ("Pancreatic cancer was rare.", "pancreatitis"),
        ("Blood was drawn.", "blood pressure"),
    ],
)
def test_a_word_that_only_begins_alike_or_one_of_two_is_not_the_thing(text: str, phrase: str) -> None:
    assert not is_on(text, ask("outcome", phrase))


def test_a_setting_may_stand_in_the_title_and_an_outcome_may_not() -> None:
    assert is_on("Birth weight did not differ.", ask("setting", "pregnancy", "gestation"))
    assert not is_on("Birth weight did not differ.", ask("outcome", "pregnancy", "gestation"))


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ("In total 200 women were randomly assigned after neoadjuvant treatment.", True),
        ("Earlier work had shown an effect after neoadjuvant treatment.", False),
        ("In total 200 women were enrolled; those after neoadjuvant treatment were excluded.", False),
    ],
)
def test_a_setting_may_stand_where_the_abstract_says_who_took_part(methods: str, expected: bool) -> None:
    section = Section(label="Abstract: RESULTS", text="Survival was longer.", kind=SectionKind.ABSTRACT)
    hit = record(section, "Metformin in breast cancer")
    own = Section(label="Abstract: METHODS", text=methods, kind=SectionKind.ABSTRACT)
    hit = hit.model_copy(update={"sections": (own, section)})
    passage = Passage(section.text, section.text, section)
    setting, outcome = (ask(role, *expand_term("neoadjuvant therapy")) for role in ("setting", "outcome"))
    assert is_on_question(passage, hit, setting, ("metformin",)) is expected
    assert not is_on_question(passage, hit, outcome, ("metformin",))


@pytest.mark.parametrize(
    "text",
    [
        "Metformin lowered HbA1c more than glimepiride did.",
        "Weight was lower with metformin.",  # the title names what it is compared with
        "Treatment failed in 34% on glimepiride and in 21% on metformin.",
    ],
)
def test_with_a_comparator_a_sentence_compares_and_it_or_the_title_names_it(text: str) -> None:
    assert is_on(text, ask("comparator", "glimepiride"))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Metformin lowered HbA1c.", TITLE),
        ("Metformin lowered HbA1c more than placebo did.", "Metformin in diabetes"),
        ("Metformin failed less often than rosiglitazone.", TITLE),
        ("Metformin is given alone or with glimepiride.", TITLE),
        ("Metformin as well as glimepiride is given by mouth.", TITLE),
    ],
)
def test_the_drug_alone_and_another_comparator_do_not_answer_a_comparison(text: str, title: str) -> None:
    assert not is_on(text, ask("comparator", "glimepiride"), title)


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("It does not evoke cardiovascular and respiratory depression.", "depression", False),
        ("It does not evoke cardiovascular and respiratory depression.", "respiratory depression", True),
        ("Myocardial depression was rare.", "depression", False),
        ("Treatment-resistant depression improved.", "depression", True),
        ("During hospitalization 11 patients had dysfunction.", "hospitalisations", False),
        ("Zorvimab reduced hospitalization for heart failure.", "hospitalisations", True),
        ("Slight falls in haemoglobin were seen.", "falls", False),
        ("Falls were rarer on zorvimab.", "falls", True),
        ("Zorvimab reduced falls in older adults.", "falls", True),
    ],
)
def test_a_word_in_another_sense_does_not_name_an_outcome(text: str, phrase: str, expected: bool) -> None:
    assert is_on(text, ask("outcome", phrase), title="Ketamine") is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In vascular disease higher doses were more effective than lower ones.", False),
        ("Among patients with type 2 diabetes, weight fell.", False),
        ("In multiple sclerosis higher doses were more effective.", True),
        ("In this trial higher doses were more effective.", True),
    ],
)
def test_a_sentence_that_begins_with_another_disease_is_not_of_that_in_the_title(text: str, expected: bool) -> None:
    question = ask("setting", "multiple sclerosis")
    assert is_on(text, question, title="Atorvastatin in multiple sclerosis") is expected


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("In type 1 diabetes, metformin did not lower it.", "type 1 diabetes", True),
        ("At week 1, metformin lowered it in type 2 diabetes.", "type 1 diabetes", False),
        ("Stage III disease was less frequent with metformin.", "stage iii disease", True),
        ("It is poised to interact with other members of the family.", "interactions", False),
        ("Metformin interacts with contrast agents.", "interactions", True),
    ],
)
def test_a_number_belongs_to_its_word_and_proteins_have_no_drug_interactions(
    text: str, phrase: str, expected: bool
) -> None:
    assert is_on(text, ask("outcome", *expand_term(phrase)), "Metformin") is expected


def test_two_values_of_two_drugs_are_a_comparison() -> None:
    text = "The fall in HbA1c amounted to 1.5 points on metformin and 1.4 points on pioglitazone."
    assert is_on(text, ask("comparator", "pioglitazone"), "Two drugs")


def test_a_trials_report_is_on_the_trial_that_its_abstract_names_and_a_review_is_not() -> None:
    asked, text = ask("setting", "ZORBA"), "Survival was longer with metformin (HR 0.54)."
    sections = (Section(label="Abstract", text=f"The ZORBA trial compared two drugs. {text}"),)
    for types, expected in ((("Randomized Controlled Trial",), True), (("Review",), False)):
        hit = Hit.of("pubmed", "1", "https://example.org/1", "Metformin in cancer", publication_types=types)
        hit = hit.model_copy(update={"sections": sections})
        assert is_on_question(Passage(text, text, sections[0]), hit, asked, ("metformin",)) is expected


def test_a_record_is_on_the_copies_of_a_drug_if_its_title_says_that_its_product_is_one() -> None:
    asked, text = ask("outcome", "biosimilars"), "In Europe, Zorvex was approved in November 2017."
    assert is_on(text, asked, "Zorvex (metformin-abcd) biosimilar")
    assert not is_on(text, asked, "Zorvex (metformin)")


def test_a_record_that_never_names_the_thing_cannot_answer() -> None:
    section = Section(label="", text="Fetal growth was normal.")
    hit = record(section, "Metformin")
    assert may_answer(hit, ask("setting", "pregnancy", "fetal"))
    assert not may_answer(hit, ask("setting", "children"))


def test_a_question_that_is_not_narrowed_takes_any_text() -> None:
    open_question = Question(key="a", label="A", description="B", min_sources=1)
    assert is_on("Anything.", open_question)
    assert not names_outcome("Anything.", open_question)


def test_a_question_without_an_answer_says_what_nothing_was_found_on() -> None:
    compared = ask("comparator", "biosimilars")
    children = Narrowing(label="children", phrases=("children",), role="setting")
    both = compared.model_copy(update={"about": (*compared.about, children)})
    assert "No statement on this compares it with biosimilars (children); what other questions print may." in list(
        source_gaps(both, (), ())
    )
    assert "No statement that answers this was found on: heart failure." in list(
        source_gaps(ask("outcome", "heart failure"), (), ())
    )
    assert not any("biosimilars" in gap for gap in source_gaps(compared, (), ("src_1",)))


@pytest.mark.parametrize(
    ("text", "compares"),
    [
        ("Survival was longer with metformin plus glimepiride than with glimepiride.", False),
        ("Survival was longer on combining glimepiride with metformin than on glimepiride alone.", False),
        ("Survival was longer with metformin than with glimepiride.", True),
        ("Metformin plus glimepiride was better than metformin, and metformin better than glimepiride.", True),
        ("Metformin compared with glimepiride lowered weight more.", True),
    ],
)
def test_both_together_against_one_of_them_is_no_comparison_of_the_two(text: str, compares: bool) -> None:
    assert is_on(text, ask("comparator", "glimepiride")) is compares


@pytest.mark.parametrize(
    ("text", "compares"),
    [
        ("HbA1c rose at rates of 30.4 on glimepiride and 38.1 on sitagliptin, each added to metformin.", False),
        ("In adults inadequately controlled on metformin, glimepiride lowered HbA1c more than sitagliptin.", False),
        ("HbA1c fell more with metformin than with glimepiride, each added to metformin XR.", True),
        ("As an add-on to metformin, glimepiride was better than sitagliptin.", False),
        ("Insulin added to metformin caused less weight gain than insulin added to glimepiride.", True),
        ("Weight fell more in patients treated with metformin than in patients treated with glimepiride.", True),
    ],
)
def test_what_all_sides_were_given_is_no_side_of_a_comparison(text: str, compares: bool) -> None:
    assert is_on(text, ask("comparator", "glimepiride")) is compares


def test_the_death_of_cells_is_not_that_of_people() -> None:
    assert not is_on("Metformin induced cell death in culture.", ask("outcome", "mortality", "death"))
    assert is_on("Metformin induced cell death in culture.", ask("outcome", "cell death"))
    assert is_on("Metformin reduced cardiac death.", ask("outcome", "mortality", "death"))


@pytest.mark.parametrize(
    ("text", "is_answer"),
    [
        ("Birth weight was higher with insulin than with metformin.", True),
        ("Weight was higher with insulin than in the other groups.", True),
        ("HbA1c fell below 7% in 9% on diet, 28% on insulin and 24% on a sulfonylurea.", False),
        ("Metformin and placebo did not differ in weight.", False),
        ("Weight was 2 kg lower with metformin than without treatment.", False),
    ],
)
def test_a_comparison_has_both_sides_and_no_third(text: str, is_answer: bool) -> None:
    title = "Metformin or placebo in patients who take insulin"
    assert is_on(text, ask("comparator", "insulin"), title) is is_answer


def test_of_several_settings_a_sentence_is_on_half_and_of_outcomes_and_comparators_on_one() -> None:
    def narrow(*named: tuple[str, NarrowingRole]) -> Question:
        about = tuple(Narrowing(label=phrase, phrases=(phrase,), role=role) for phrase, role in named)
        return Question(key="a", label="A", description="B", min_sources=1, about=about)

    text, title = "Birth weight was lower with metformin than with glibenclamide in Finland.", "Metformin"
    assert is_on(
        text, narrow(("birth weight", "outcome"), ("height", "outcome"), ("glibenclamide", "comparator")), title
    )
    assert is_on(text, narrow(("Finland", "setting"), ("support programme", "setting")), title)
    assert not is_on(text, narrow(("Norway", "setting"), ("support programme", "setting")), title)
    assert not is_on(text, narrow(("birth weight", "outcome"), ("insulin", "comparator")), title)


def test_a_word_is_found_in_its_past_form() -> None:
    assert is_on("It was compared with platinum-based chemotherapy.", ask("outcome", "platinum-based chemotherapy"))


def test_a_short_term_that_the_record_defines_names_what_it_stands_for() -> None:
    defined = Section(label="Aim", text="The incidence of postoperative delirium (POD) was compared.")
    said = "It lowered the incidence of POD."
    section = Section(label="Results", text=said)
    hit = Hit.of("pubmed", "1", "https://example.org/1", TITLE).model_copy(update={"sections": (defined, section)})
    assert is_on_question(Passage(said, said, section), hit, ask("outcome", "delirium"), ("metformin",))
    assert not is_on(said, ask("outcome", "delirium"))


def test_newborns_of_treated_mothers_are_not_children_who_are_treated() -> None:
    text = "The infants of mothers on metformin weighed less."
    treated, born = ask("population", "children", "infant"), ask("population", "pregnancy", "infant")
    assert not is_on(text, treated) and is_on(text, born)
    assert is_on("In infants metformin lowered weight.", treated, title="Metformin in obese children")
