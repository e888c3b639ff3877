"""The checklist of a question by rules, the searches of its items, and what a given syllabus becomes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from drug_records import Records, molecule

from storm import planning_wording
from storm.databases.identity.known_names import read_known_names
from storm.extractive import ChecklistQueryWriter, QuestionPlanner, RuleChecklistPlanner, RuleRefiner
from storm.models import JobRequest, Plan, Question, RequestKind, SearchQuery, Syllabus
from storm.syllabus import bundled_syllabus

CONFIG = Path(__file__).parents[2] / "config"
SYLLABUS, KNOWN_NAMES = bundled_syllabus(CONFIG), read_known_names(CONFIG / "names.yaml")
METFORMIN = molecule(1431, "METFORMIN")
LIVE = ("pubmed", "europepmc", "clinicaltrials", "openfda", "web")


async def plan(text: str, *records: object, **request: object) -> Plan:
    found = Records(*records)  # type: ignore[arg-type]
    asked = JobRequest.model_validate({"kind": RequestKind.QUESTION, "text": text, **request})
    by_rules = QuestionPlanner(found, found, SYLLABUS, known_names=KNOWN_NAMES)  # type: ignore[arg-type]
    refined = await RuleRefiner(KNOWN_NAMES).refine(asked)
    return await RuleChecklistPlanner(by_rules, SYLLABUS, KNOWN_NAMES).plan(asked, refined)


async def write(made: Plan, key: str, available: Sequence[str], databases: Sequence[str] = ()) -> Sequence[SearchQuery]:
    return await ChecklistQueryWriter(available, databases).write_queries(made.syllabus.question(key), made)


@pytest.mark.parametrize(
    "text",
    [
        "Does metformin lower HbA1c compared with glipizide?",
        "How does metformin work?",
        "What are the effects, harms, costs, dose, mechanism and patents of metformin compared with sulfonylureas?",
        "Who won the cup in 1998?",
        "¿La metformina reduce la mortalidad?",
        "Does exercise help in depression?",
        "aspirin " * 2_000,
    ],
)
async def test_a_checklist_has_three_to_seven_items_and_begins_with_the_question_itself(text: str) -> None:
    made = await plan(text, METFORMIN)
    items = made.syllabus.questions
    assert 3 <= len(items) <= 7
    assert items[0].key == "answer" and items[0].importance == 1.0
    assert len({item.label for item in items}) == len(items)


@pytest.mark.parametrize(
    ("text", "is_noted"),
    [
        ("What is the half-life of metformin? Who makes it?", True),
        ("What is the half-life of metformin, and how is it given?", True),
        ("What is the half-life of metformin in adults and in children?", False),
    ],
)
async def test_a_note_says_that_only_the_first_of_several_questions_is_answered_as_it_stands(
    text: str, is_noted: bool
) -> None:
    assert (planning_wording.SEVERAL_QUESTIONS in (await plan(text, METFORMIN)).notes) is is_noted


@pytest.mark.parametrize(
    "text",
    [
        "What is the half-life of metformin?",
        "How long does metformin stay in the body?",
        "How quickly is metformin cleared from the blood?",
        "What is metformin?",
        "Who makes metformin?",
        "Which company sells metformin?",
        "When does the patent on metformin expire?",
        "Is metformin approved in Europe?",
        "What does metformin cost?",
        "How much does metformin cost in Germany?",
        "Is metformin cheaper than sitagliptin?",
        "How many patients took part in the trial of metformin?",
    ],
)
async def test_a_plain_fact_is_one_item_without_studies_of_it_and_disputes(text: str) -> None:
    assert (await plan(text, METFORMIN)).syllabus.keys == ("answer",)


@pytest.mark.parametrize(
    "text", ["Is metformin approved for obesity?", "How does metformin work?", "Is metformin cost-effective?"]
)
async def test_where_there_is_more_to_say_of_a_fact_the_items_ask_for_it(text: str) -> None:
    assert (await plan(text, METFORMIN)).syllabus.keys[:3] == ("answer", "answer.strength", "answer.limits")


async def test_who_may_have_a_drug_is_looked_for_in_what_is_contraindicated() -> None:
    texts = "Can people with kidney disease take metformin?", "Does metformin lower HbA1c?"
    asked, other = [await plan(text, METFORMIN) for text in texts]
    said = "Metformin is contraindicated at an eGFR under 30 mL/min."
    found = [any(re.search(cue, said) for cue in one.syllabus.questions[0].cues) for one in (asked, other)]
    assert found == [True, False]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("What is the mechanism and cost of metformin?", "cost"),
        ("What is metformin used for?", "answer.limits"),
        ("How many patients respond to metformin compared with glimepiride?", "answer.strength"),
        ("How many patients die of lactic acidosis under metformin?", "answer.limits"),
    ],
)
async def test_what_else_is_asked_for_is_an_item(text: str, key: str) -> None:
    assert key in (await plan(text, METFORMIN)).syllabus.keys


@pytest.mark.parametrize(
    "text",
    ["What does metformin cost?", "What is the dose of metformin?", "How much cheaper is metformin than sitagliptin?"],
)
async def test_a_facet_that_is_the_question_is_no_item_beside_it(text: str) -> None:
    assert not {"cost", "dose"}.intersection((await plan(text, METFORMIN)).syllabus.keys)


async def test_the_first_item_has_the_words_of_the_refined_question() -> None:
    made = await plan("Does it lower HbA1c?", METFORMIN, context="We spoke of metformin.")
    assert made.syllabus.questions[0].label == "Does metformin lower HbA1c?"
    assert made.identity is not None and made.names[0] == "metformin"


async def test_an_effect_has_items_on_its_strength_and_on_what_speaks_against_it() -> None:
    made = await plan("Does metformin lower HbA1c?", METFORMIN)
    assert made.syllabus.keys[:3] == ("answer", "answer.strength", "answer.limits")


async def test_items_on_no_drug_have_the_phrases_of_the_question_as_names() -> None:
    made = await plan("Does exercise help in depression?")
    assert "depression" in made.syllabus.questions[0].names


@pytest.mark.parametrize(("given", "kept"), [(1, 1), (7, 7), (30, 7)])
async def test_of_a_given_syllabus_the_seven_most_important_questions_are_kept(given: int, kept: int) -> None:
    questions = tuple(
        Question(key=f"q{n}", label=f"Question {n}", description="what?", min_sources=1, importance=n / given)
        for n in range(1, given + 1)
    )
    made = await plan("Does metformin lower HbA1c?", METFORMIN, syllabus=Syllabus(name="own", questions=questions))
    assert made.syllabus.keys == tuple(f"q{n}" for n in range(given - kept + 1, given + 1))
    assert any("30 questions" in note for note in made.notes) is (given == 30)


async def test_an_item_is_searched_for_in_pubmed_and_on_the_web_and_trials_in_registries() -> None:
    made = await plan("Does metformin lower HbA1c?", METFORMIN)
    searches = await write(made, "answer", LIVE)
    places = [query.databases for query in searches]
    assert 1 <= places.count(("pubmed",)) <= 2 and 1 <= places.count(("web",)) <= 2
    assert places[-1] == ("clinicaltrials",)
    assert (await write(made, "answer.limits", LIVE))[-1].databases == ("openfda",)


async def test_offline_an_item_is_searched_for_in_what_there_is() -> None:
    made = await plan("Does metformin lower HbA1c?", METFORMIN)
    assert {query.databases for query in await write(made, "answer", ("corpus",))} == {()}


async def test_a_job_that_is_limited_to_databases_searches_those() -> None:
    made = await plan("Does metformin lower HbA1c?", METFORMIN)
    assert {query.databases for query in await write(made, "answer", LIVE, ("europepmc",))} == {("europepmc",)}


async def test_a_question_that_names_nothing_but_a_drug_is_answered_by_the_rules_of_what_it_asks() -> None:
    first, strength, _ = (await plan("How does metformin work?", METFORMIN)).syllabus.questions
    mechanism = SYLLABUS.question("mechanism.moa")
    assert (first.key, first.label, first.rules) == ("answer", "How does metformin work?", mechanism.rules)
    assert set(mechanism.focus) == set(strength.about[0].phrases)


async def test_an_item_on_a_drug_is_narrowed_to_what_the_question_names_beside_it() -> None:
    made = await plan("Does metformin raise the risk of lactic acidosis in type 1 diabetes?", METFORMIN)
    assert [(one.label, one.role) for one in made.syllabus.question("answer").about] == [
        ("lactic acidosis", "outcome"),
        ("type 1 diabetes", "setting"),
    ]


@pytest.mark.parametrize(
    "text", ["How much does metformin lower HbA1c?", "Does metformin lower HbA1c better than glipizide?"]
)
async def test_what_asks_the_question_again_is_no_item_of_its_own(text: str) -> None:
    made = await plan(text, METFORMIN)
    assert made.syllabus.keys == ("answer", "answer.strength", "answer.limits")


async def test_an_item_on_a_drug_is_searched_for_by_all_words_for_what_it_names_beside_it() -> None:
    first, *_ = await write(await plan("Does metformin reduce mortality?", METFORMIN), "answer", ("corpus",))
    assert first.names and {"mortality", "death", "died"} <= set(first.required[0])


@pytest.mark.parametrize("text", ["What is the half-life of metformin?", "When does the patent on metformin expire?"])
async def test_a_question_that_is_not_on_an_effect_has_no_items_on_its_size(text: str) -> None:
    labels = {item.label for item in (await plan(text, METFORMIN)).syllabus.questions}
    assert not labels & {planning_wording.STRENGTH[0], planning_wording.LIMITS[0]}


async def test_a_half_life_is_no_mechanism() -> None:
    made = await plan("What is the half-life of metformin?", METFORMIN)
    assert made.syllabus.question("answer").about[0].label == "half-life"
    assert "mechanism.moa" not in made.syllabus.keys


async def test_a_drug_that_no_record_lists_is_known_by_the_stem_of_its_name() -> None:
    made = await plan("Is zorvimab safe?", METFORMIN)
    assert made.identity is not None and made.names == ("zorvimab",) and "zorvimab" in made.notes[0]
    assert (await plan("Are benzodiazepines safe?", METFORMIN)).identity is None


async def test_what_a_question_on_harms_names_nothing_of_is_narrowed_to_harms() -> None:
    made = await plan("What are the side effects of metformin?", METFORMIN)
    strength = made.syllabus.question("answer.strength")
    assert {"adverse", "diarrhoea"} <= {phrase for one in strength.about for phrase in one.phrases}


async def test_a_question_whether_to_stop_is_answered_by_what_is_said_of_stopping() -> None:
    made = await plan("Should I stop taking metformin?", METFORMIN)
    assert [one.label for one in made.syllabus.questions[0].about] == ["stopping"]


async def test_an_item_on_a_drug_that_names_nothing_else_is_searched_for_by_its_words() -> None:
    first, *_ = await write(await plan("How much does metformin cost?", METFORMIN), "answer", ("corpus",))
    assert (first.names[0], first.required) == ("metformin", (("cost", "price"),))


async def test_an_abbreviation_of_a_drug_that_is_compared_stands_for_its_full_name() -> None:
    made = await plan("Was trastuzumab better than T-DM1?", molecule(1201585, "TRASTUZUMAB"))
    compared = [one for item in made.syllabus.questions for one in item.about if one.role == "comparator"]
    assert compared and all({"T-DM1", "trastuzumab emtansine"} <= set(one.phrases) for one in compared)
    assert "trastuzumab emtansine" in made.syllabus.question("answer").focus


async def test_which_copies_are_approved_is_a_plain_fact() -> None:
    made = await plan("Which biosimilars of trastuzumab are approved in Europe?", molecule(1201585, "TRASTUZUMAB"))
    assert [item.key for item in made.syllabus.questions] == ["answer"]
    assert made.syllabus.questions[0].takes_relatives


async def test_the_maximum_dose_is_no_other_maximum() -> None:
    made = await plan("What is the maximum dose of metformin?", METFORMIN)
    (dose,) = made.syllabus.question("answer").about
    assert "maximum dose" in dose.phrases and "highest dose" in dose.phrases and "highest" not in dose.phrases


@pytest.mark.parametrize(
    "text",
    ["What is the boxed warning of metformin?", "metformin contraindications", "What were metformin sales in 2019?"],
)
async def test_what_labels_and_accounts_state_is_a_plain_fact(text: str) -> None:
    made = await plan(text, METFORMIN)
    assert not {"answer.strength", "answer.limits"}.intersection(item.key for item in made.syllabus.questions)


async def test_what_a_patent_protects_is_no_question_of_effects() -> None:
    made = await plan("Which patents protect metformin and were they challenged?", METFORMIN)
    assert "clinical.efficacy" not in [item.key for item in made.syllabus.questions]


@pytest.mark.parametrize(
    "text",
    [
        "Which was the first trastuzumab biosimilar in the United States?",
        "Which companies obtained approval for generic trastuzumab in 2002?",
        "How many biosimilars of trastuzumab are there?",
    ],
)
async def test_which_copies_there_are_compares_nothing(text: str) -> None:
    made = await plan(text, molecule(1201585, "TRASTUZUMAB"))
    assert all(one.role != "comparator" for item in made.syllabus.questions for one in item.about)


async def test_ordinary_words_need_not_stand_in_an_answer() -> None:
    made = await plan("What did metformin cost on average worldwide?", METFORMIN)
    assert made.syllabus.question("answer").about == ()
