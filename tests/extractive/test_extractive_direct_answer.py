"""Answering a question by its own words: which records and sentences do, and which only look like it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from storm.extractive import DirectSelector, DirectSynthesizer
from storm.extractive.checklist_items import OF_NUMBERS
from storm.models import (
    Answer,
    CollectedQuestion,
    DrugIdentity,
    Exclusion,
    Hit,
    Narrowing,
    Plan,
    Question,
    Relation,
    Section,
    SectionKind,
    Source,
    Syllabus,
)
from storm.roles import Selection

QUESTION = Question(
    key="answer",
    label="Does backpack weight change the posture of schoolchildren?",
    description="Does backpack weight change the posture of schoolchildren?",
    min_sources=2,
    focus=("backpack", "weight", "change", "posture", "schoolchildren"),
    names=("backpack", "posture"),
)
OTHER = QUESTION.model_copy(update={"key": "other"})
PLAN = Plan(names=("backpack",), syllabus=Syllabus(name="checklist", questions=(QUESTION, OTHER), min_databases=1))
RESULT = "Backpack weight did not change the posture of schoolchildren at any anatomical point (p = 0.4)."
ASIDE = "The weather was pleasant in all of the schools that took part in the first year."


def make_hit(number: int, title: str, text: str) -> Hit:
    return Hit.of(
        "pubmed", str(number), f"https://pubmed.ncbi.nlm.nih.gov/{number}/", title, text=text, pmid=str(number)
    )


STUDY = make_hit(1, "Backpack loads and posture in schoolchildren: a trial of weight", f"{ASIDE} {RESULT}")
ELSEWHERE = make_hit(2, "Backpack trips of hikers", "Hikers carried a backpack over the mountains for a day.")


class Others:
    """Selects nothing, and answers nothing."""

    async def select(self, questions: Sequence[Question], *_: object) -> dict[str, Selection]:
        return {question.key: Selection() for question in questions}

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        return Answer(question=collected.question.key)

    async def find_hits(self, keys: Sequence[str]) -> list[Hit | None]:
        return [next((hit for hit in (STUDY, ELSEWHERE) if hit.key == key), None) for key in keys]


def answer(question: Question, *hits: Hit) -> Answer:
    sources = tuple(
        Source(source_id=f"src_{n}", number=n, hit=hit, questions=(question.key,)) for n, hit in enumerate(hits, 1)
    )
    collected = CollectedQuestion(question=question, sources=sources, citations=())
    return asyncio.run(DirectSynthesizer(Others()).answer(collected, PLAN.of_question(question)))


def test_the_sentence_with_the_words_of_the_question_answers_it() -> None:
    (statement,) = answer(QUESTION, STUDY).statements
    assert statement.text == RESULT and statement.source_ids == ("src_1",)


def test_a_sentence_is_not_repeated() -> None:
    assert len(answer(QUESTION, STUDY, make_hit(3, STUDY.title, RESULT)).statements) == 1


def test_an_item_that_wants_a_word_takes_no_sentence_without_it() -> None:
    assert answer(QUESTION.model_copy(update={"says": (r"\bhazard ratio\b",)}), STUDY).statements == ()


def test_other_questions_are_answered_by_the_other_role() -> None:
    assert answer(OTHER, STUDY).statements == ()


def test_a_source_without_the_words_answers_nothing_and_that_is_said() -> None:
    made = answer(QUESTION, make_hit(4, "Weather in schools", ASIDE))
    assert made.statements == () and made.gaps


def test_records_with_half_of_the_words_are_filed_and_the_others_have_a_reason() -> None:
    found = {key: [[STUDY.key, ELSEWHERE.key]] for key in ("answer", "other")}
    selector = DirectSelector(Others(), Others())  # type: ignore[arg-type]
    selected = asyncio.run(selector.select([QUESTION, OTHER], found, PLAN.of_question(QUESTION), {}))
    assert [one.hit.key for one in selected["answer"].records] == [STUDY.key]
    assert selected["answer"].records[0].excerpt == RESULT
    assert selected["answer"].excluded == {ELSEWHERE.key: Exclusion.NO_QUESTION}
    assert not selected["other"].records


def test_what_was_filed_before_is_not_filed_again() -> None:
    found = {"answer": [[STUDY.key]]}
    selector = DirectSelector(Others(), Others())  # type: ignore[arg-type]
    selected = asyncio.run(selector.select([QUESTION], found, PLAN, {"answer": {STUDY.key}}))
    assert not selected["answer"].records


DRUG = QUESTION.model_copy(update={
    "focus": ("zorvimab", "risk", "heart", "failure", "asthma"),
    "about": (Narrowing(label="heart failure", phrases=("heart failure",), role="outcome"),),
})  # fmt: skip
OF_DRUG = PLAN.model_copy(update={
    "names": ("zorvimab",), "identity": DrugIdentity(asked="zorvimab", inn="zorvimab"),
    "syllabus": PLAN.syllabus.model_copy(update={"questions": (DRUG,)}),
})  # fmt: skip
INDICATION = "Zorvimab is used for the treatment of severe asthma and lowers the risk of attacks."
COHORT = "The risk of heart failure with zorvimab in asthma was 2.0% in this cohort of patients."
TRIAL = "The risk of heart failure with zorvimab in asthma was 1.1% in this randomised trial."


def answer_on_drug(*hits: Hit) -> list[str]:
    sources = tuple(
        Source(source_id=f"src_{n}", number=n, hit=hit, questions=("answer",)) for n, hit in enumerate(hits)
    )
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(DRUG, sources), OF_DRUG))
    return [one.text for one in made.statements]


def test_a_sentence_on_the_drug_that_lacks_the_outcome_is_no_answer_even_if_none_has_it() -> None:
    cohort = make_hit(4, "Zorvimab in asthma", f"{COHORT} {INDICATION}")
    assert answer_on_drug(cohort) == [COHORT]
    assert answer_on_drug(make_hit(5, "Zorvimab in asthma", INDICATION)) == []


def test_a_member_of_the_class_that_is_compared_with_answers_beside_the_class_itself() -> None:
    against = Narrowing(label="placebins", phrases=("placebins", "oldaplacebin"), role="comparator")
    question = DRUG.model_copy(update={"focus": ("placebins",), "about": (against,)})
    named = "Attacks were fewer on zorvimab than on placebins, the placebins of which some were old."
    member = "By five years 21% on zorvimab and 34% on oldaplacebin had attacks."
    hits = [make_hit(6, "Zorvimab or placebins", named), make_hit(7, "Zorvimab or oldaplacebin in asthma", member)]
    sources = tuple(Source(source_id=hit.key, number=n, hit=hit, questions=("answer",)) for n, hit in enumerate(hits))
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(question, sources), OF_DRUG))
    assert {one.text for one in made.statements} == {named, member}


def test_what_an_introduction_knows_without_the_drug_is_no_answer_on_it() -> None:
    parts = (SectionKind.INTRODUCTION, SectionKind.RESULTS)
    known = "The risk of heart failure in asthma was 9% in a survey of that time."
    found = "The risk of heart failure in asthma was 1% in the treated group."
    sections = tuple(
        Section(label=kind.value, text=text, kind=kind) for kind, text in zip(parts, (known, found), strict=True)
    )
    hit = make_hit(8, "Zorvimab in asthma", "").model_copy(update={"sections": sections})
    assert answer_on_drug(hit) == [found]


def test_values_of_arms_that_the_sentence_does_not_name_are_no_answer() -> None:
    order = "Heart failure in asthma was a risk in 6 (5.8%), 15 (14.4%) and 5 (4.8%) patients, respectively."
    named = "Heart failure in asthma was a risk in 15 (14%) and 5 (4%) patients on zorvimab and placebo, respectively."
    assert answer_on_drug(make_hit(9, "Zorvimab in asthma", f"{order} {named}")) == [named]


def test_of_two_sentences_that_answer_as_well_that_of_the_stronger_design_comes_first() -> None:
    trial = make_hit(6, "Zorvimab in asthma", TRIAL).model_copy(
        update={"publication_types": ("Randomized Controlled Trial",)}
    )
    assert answer_on_drug(make_hit(4, "Zorvimab in asthma", COHORT), trial) == [TRIAL, COHORT]


def test_without_a_drug_a_source_that_lacks_a_part_of_the_question_is_no_answer_beside_one_that_has_all() -> None:
    hikers = make_hit(7, "Backpack posture of hikers", "Posture under a backpack did not change in hikers (p = 0.4).")
    assert [one.text for one in answer(QUESTION, STUDY, hikers).statements] == [RESULT]


CELLS = "Zorvimab lowered the risk of heart failure in cultured cells from patients with asthma."


def test_a_result_in_cells_or_animals_is_no_answer_on_people_unless_the_question_asks_for_those() -> None:
    hits = make_hit(8, "Zorvimab in asthma", f"{COHORT} {CELLS}")
    assert answer_on_drug(hits) == [COHORT]
    asked = DRUG.model_copy(update={"focus": (*DRUG.focus, "cells")})
    source = Source(source_id="src_1", number=1, hit=hits, questions=("answer",))
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(asked, (source,)), OF_DRUG))
    assert CELLS in [one.text for one in made.statements]


def test_a_question_whether_a_drug_helps_is_answered_by_results_before_approvals() -> None:
    asked = DRUG.model_copy(update={
        "focus": ("zorvimab", "asthma"),
        "about": (Narrowing(label="asthma", phrases=("asthma",), role="setting"),),
    })  # fmt: skip
    result = "Attacks fell by 40% with zorvimab and by 10% with placebo (p = 0.01)."
    label = Hit.of("openfda", "9", "https://example.org/9", "ZORVIMAB label", text=INDICATION, drugs=("zorvimab",))
    label = label.model_copy(update={"publication_types": ("Drug label",)})
    sources = tuple(
        Source(source_id=f"src_{n}", number=n, hit=hit, questions=("answer",))
        for n, hit in enumerate((label, make_hit(9, "Zorvimab in asthma", result)))
    )
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(asked, sources), OF_DRUG))
    assert [one.text for one in made.statements][:1] == [result]


def test_a_result_is_of_those_who_took_part_by_the_methods_although_they_have_more_words_of_the_question() -> None:
    asked = DRUG.model_copy(update={
        "focus": ("zorvimab", "asthma", "apnoea"),
        "about": (Narrowing(label="apnoea", phrases=("apnoea",), role="setting"),),
    })  # fmt: skip
    methods = "In total 200 adults with apnoea were randomly assigned to zorvimab or to placebo."
    result = "Attacks of asthma fell by 40% with zorvimab and by 10% with placebo (p = 0.01)."
    sections = [
        Section(label=f"Abstract: {label}", text=text, kind=SectionKind.ABSTRACT)
        for label, text in (("METHODS", methods), ("RESULTS", result))
    ]
    hit = make_hit(13, "Zorvimab in asthma", "").model_copy(update={"sections": tuple(sections)})
    others = [make_hit(n, "Zorvimab in asthma", TRIAL) for n in range(14, 18)]
    sources = tuple(
        Source(source_id=f"src_{n}", number=n, hit=one, questions=("answer",)) for n, one in enumerate((hit, *others))
    )
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(asked, sources), OF_DRUG))
    assert [one.text for one in made.statements] == [result]


def test_how_many_took_part_is_answered_by_the_number_and_not_by_a_plan() -> None:
    asked = QUESTION.model_copy(update={"focus": ("patients", "XYLO"), "names": ("XYLO",), "says": OF_NUMBERS})
    number = "Of the cohort, 594 patients were allocated at random to one of two groups."
    study = make_hit(10, "XYLO: a trial in patients", f"{number} A number of 900 patients was planned at the start.")
    assert [one.text for one in answer(asked, study).statements] == [number]


def test_a_result_that_adds_to_the_one_before_it_is_printed_with_that() -> None:
    adds = "Zorvimab also raised the risk of a second heart failure (RR 1.83)."
    assert answer_on_drug(make_hit(11, "Zorvimab in asthma", f"{TRIAL} {adds}"))[:1] == [f"{TRIAL} {adds}"]


def test_a_result_of_an_interim_analysis_comes_last() -> None:
    interim = TRIAL.replace("1.1%", "0.9%").replace("in this", "at the interim analysis of this")
    sources = (make_hit(15, "Zorvimab in asthma: first results", interim), make_hit(16, "Zorvimab in asthma", COHORT))
    assert answer_on_drug(*sources) == [COHORT, interim]


def test_a_result_that_points_back_to_the_one_before_it_is_printed_with_that() -> None:
    points = "This difference in heart failure with zorvimab corresponded to a hazard ratio of 0.68 (P<0.001)."
    assert answer_on_drug(make_hit(11, "Zorvimab in asthma", f"{TRIAL} {points}"))[:1] == [f"{TRIAL} {points}"]
    assert answer_on_drug(make_hit(11, "Zorvimab in asthma", points)) == []


def test_a_record_on_a_copy_answers_a_question_on_copies() -> None:
    copies = Narrowing(label="biosimilars", phrases=("biosimilars",), role="outcome")
    asked = DRUG.model_copy(update={"focus": ("zorvimab", "Europe"), "about": (copies,), "takes_facts": True})
    approved = "In Europe, Zorvicopy was approved in November 2017 for the same uses."
    hit = make_hit(14, "Zorvicopy (zorvimab-abcd) biosimilar", approved)
    copy = Source(source_id="src_1", number=1, hit=hit, questions=("answer",), relation=Relation.BIOSIMILAR)
    for takes, expected in ((True, [approved]), (False, [])):
        question = asked.model_copy(update={"takes_relatives": takes})
        made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(question, (copy,)), OF_DRUG))
        assert [one.text for one in made.statements] == expected


def test_what_names_a_group_by_its_letter_alone_is_no_answer() -> None:
    lettered = "Heart failure was more frequent in Group-B of this trial of zorvimab (P=0.021)."
    assert answer_on_drug(make_hit(12, "Zorvimab in asthma", f"{TRIAL} {lettered}")) == [TRIAL]


def test_a_fact_is_answered_by_a_sentence_with_another_name_of_the_drug() -> None:
    asked = DRUG.model_copy(update={"focus": ("zorvex", "cost"), "about": (), "takes_facts": True})
    plan = OF_DRUG.model_copy(update={"names": ("Zorvex", "zorvimab")})
    price = "Zorvimab cost 20,000 US dollars a year on global average."
    hit = make_hit(13, "Zorvimab in asthma", f"{INDICATION} {price}")
    source = Source(source_id="src_1", number=1, hit=hit, questions=("answer",))
    made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(asked, (source,)), plan))
    assert [one.text for one in made.statements] == [price]


def test_the_number_of_people_may_stand_in_a_record_that_only_mentions_the_trial() -> None:
    asked = QUESTION.model_copy(update={"focus": ("patients", "XYLO", "trial"), "names": ("XYLO",), "says": OF_NUMBERS})
    stated = "According to the registry, 5,099 women took part in XYLO."
    registered = Hit.of("clinicaltrials", "NCT1", "https://example.org/1", "Zorvimab in women", text=stated)
    assert [one.text for one in answer(asked, registered).statements] == [stated]


def test_the_name_of_a_trial_does_not_say_what_a_word_like_it_asks() -> None:
    result = "Zorvimab did not prevent asthma in REMOVAL (P=0.4)."
    source = Source(source_id="src_1", number=1, hit=make_hit(17, "REMOVAL", result), questions=("answer",))
    for word, expected in (("removed", []), ("removal", [result])):
        asked = DRUG.model_copy(update={"focus": ("zorvimab", word), "about": ()})
        made = asyncio.run(DirectSynthesizer(Others()).answer(CollectedQuestion(asked, (source,)), OF_DRUG))
        assert [one.text for one in made.statements] == expected


def test_a_ratio_and_the_outcome_may_be_in_other_words_than_those_asked_where_no_drug_is_named() -> None:
    death = Narrowing(label="overall survival", phrases=("overall survival", "death"), role="outcome")
    update = {"focus": ("hazard", "death", "XYLO"), "names": ("XYLO",), "about": (death,), "says": (r"\bHR\b",)}
    result = "Overall survival was better in XYLO (HR 0.70, 95% CI 0.47-0.95)."
    study = make_hit(19, "A trial in patients", result)
    assert [one.text for one in answer(QUESTION.model_copy(update=update), study).statements] == [result]
    without_trial = make_hit(20, "A trial in patients", result.replace("XYLO", "another trial"))
    assert answer(QUESTION.model_copy(update=update), without_trial).statements == ()


def test_a_record_of_a_patent_need_not_say_that_it_is_one() -> None:
    asked = QUESTION.model_copy(update={"focus": ("patent", "Zorvex"), "names": ("Zorvex",), "takes_facts": True})
    expiry = "For Zorvex, the Orange Book lists US 1,234,567 with an expiry date of 2 May 2031."
    listed = Hit.of("patents", "US1234567", "https://example.org/3", "Salt of zorvimab", text=expiry)
    assert [one.text for one in answer(asked, listed).statements] == [expiry]
    assert answer(asked, make_hit(18, "Salt of zorvimab", expiry)).statements == ()


def test_a_registration_without_results_says_nothing_of_an_effect() -> None:
    planned = "Backpack weight and the posture of schoolchildren are compared."
    registered = Hit.of("clinicaltrials", "NCT2", "https://example.org/2", "Backpack weight", text=planned)
    assert answer(QUESTION, registered).statements == ()
    asks_for_fact = QUESTION.model_copy(update={"takes_facts": True})
    assert [one.text for one in answer(asks_for_fact, registered).statements] == [planned]
