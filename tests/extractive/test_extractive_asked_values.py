"""A question that asks for a value is answered by a sentence that gives one."""

from __future__ import annotations

import pytest

from storm.extractive.asked_values import (
    asks_for_first,
    asks_for_ongoing,
    asks_for_studies,
    find_value_patterns,
    is_of_combination,
    is_of_other_drug,
    is_ongoing,
)
from storm.models import Question
from storm.ranking import count_cues
from storm.ranking.cues import SHORT_ODDS_RATIO, SHORT_RATIO


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "What is the starting dose of zorvimab?", "Zorvimab is started at 500 mg a day.",
            "The full dose was tolerated by few.",
        ),
        (
            "Which dose of zorvimab is given every three weeks?", "Zorvimab is given as 6 mg/kg every three weeks.",
            "Contraception is advised for seven months after the last dose.",
        ),
        (
            "How often does zorvimab cause infusion reactions?", "Infusion reactions occurred in 3.2% of the patients.",
            "The boxed warning names infusion reactions.",
        ),
        (
            "What is the incidence of bleeding with zorvimab?", "Bleeding was seen in 12 of 230 patients.",
            "Bleeding led to the end of treatment.",
        ),
        (
            "How long should zorvimab be given?", "Zorvimab is given for 52 weeks.",
            "Zorvimab is given with an anthracycline.",
        ),
        (
            "How cost-effective is zorvimab?", "The cost per QALY was 31,300 dollars.",
            "Effective contraception is advised.",
        ),
        (
            "When does the patent on zorvimab expire?", "US 6,407,213 expired in 2019.",
            "Eighteen claims of US 6,407,213 were found unpatentable.",
        ),
        (
            "What is the response rate of zorvimab?", "Responses were seen in 61% of patients.",
            "Zorvimab delayed progression (HR 0.74).",
        ),
        (
            "What was the hazard ratio for death with zorvimab?", "Zorvimab prolonged survival (HR 0.66).",
            "Median survival was 56.5 months, 24 hr after the last dose or later.",
        ),
        (
            "When do the patents on zorvimab expire?", "The base patent was to run out on 28 July 2014.",
            "The patents are on freeze-dried formulations.",
        ),
        (
            "How often should zorvimab be given?", "Zorvimab is given twice daily with meals.",
            "Relapse was seen in those given zorvimab.",
        ),
        (
            "How often should I inject zorvimab?", "Zorvimab is given every two weeks.",
            "Zorvimab was stopped once the tumour had progressed.",
        ),
        (
            "how much zorvimab do i give every 3 weeks", "Zorvimab is given for 52 weeks (8 mg/kg, then 6 mg/kg).",
            "The trial studies zorvimab in women with breast cancer.",
        ),
        (
            "How is zorvimab dosed in gastric cancer?", "Zorvimab was started at 8 mg/kg.",
            "Zorvimab prolonged survival in gastric cancer.",
        ),
        (
            "When must zorvimab not be given?", "Patients who are breathless at rest must not be treated.",
            "Weight gain was smaller in those given zorvimab.",
        ),
        (
            "What is the eGFR cutoff for zorvimab?", "Zorvimab is contraindicated at an eGFR under 30.",
            "The eGFR is judged before treatment.",
        ),
        (
            "How many zorvimab biosimilars are there?", "Five zorvimab biosimilars are licensed.",
            "Zorvimab itself became 29% cheaper.",
        ),
        (
            "What is the incidence of ILD with zorvimab?", "The rate of ILD was 12 per thousand.",
            "The table gathers rates of ILD with zorvimab.",
        ),
        (
            "Which was the first zorvimab biosimilar in Europe?", "Zorvi became the first biosimilar of zorvimab.",
            "Zorvo became the second zorvimab biosimilar.",
        ),
        (
            "What is the primary endpoint of ZORBA?", "The primary outcome of ZORBA combines death and stroke.",
            "ZORBA started in 2023, and its primary completion is due in 2029.",
        ),
        (
            "How often should renal function be checked on zorvimab?", "The eGFR is measured at least once a year.",
            "Kidney function is judged by the eGFR.",
        ),
        (
            "What were the sales of zorvimab in 2019?", "Zorvimab earned over 6 billion US dollars in sales in 2019.",
            "Zorvimab was approved on 25 September 1998.",
        ),
        (
            "What is the boxed warning of zorvimab?", "The label has a boxed warning about lactic acidosis.",
            "The full dose was tolerated by 10%.",
        ),
        (
            "How does zorvimab lower blood sugar?", "Zorvimab inhibits gluconeogenesis in the liver.",
            "Zorvimab lowered markers of endothelial activation.",
        ),
        (
            "Why does zorvimab cause diarrhoea?", "Diarrhoea arises because bile acids are not taken up.",
            "Diarrhoea was seen in 12% of patients.",
        ),
        (
            "What is the maximum dose of zorvimab?", "The dose should not exceed 2,550 mg a day.",
            "Zorvimab lowered glucose by 39 mg/dl.",
        ),
        (
            "What is the price of zorvimab?", "It cost 20,000 US dollars on global average.",
            "Its price was not disclosed.",
        ),
        (
            "What is the number needed to treat with zorvimab?", "For each case 6.9 people needed to be treated.",
            "The risk was lowered by 26%.",
        ),
        (
            "What is the maximum daily dose of zorvimab?", "At most 2,000 mg a day are given.",
            "Hypoglycaemia had its highest frequency on glargine.",
        ),
        (
            "What was the odds ratio for B12 deficiency?", "The odds were higher (OR 2.92).",
            "Deficiency of B12 or 2 of its markers was seen.",
        ),
    ],
)  # fmt: skip
def test_a_sentence_that_gives_the_value_answers_and_one_that_only_has_the_words_does_not(
    question: str, answer: str, other: str
) -> None:
    patterns = find_value_patterns(question)
    assert count_cues(answer, patterns) and not count_cues(other, patterns)


@pytest.mark.parametrize(
    "question",
    [
        "Does zorvimab prolong survival?",
        "Is zorvimab approved in Europe?",
        "How much weight do people who take zorvimab lose?",
        "What are the dose-limiting toxicities of zorvimab?",
        "What happens if a dose of zorvimab is missed?",
        "Does zorvimab reduce the incidence of diabetes?",
        "How does zorvimab work compared with insulin?",
        "How does zorvimab compare with insulin in lowering glucose?",
        "",
    ],
)
def test_a_question_for_no_value_wants_none(question: str) -> None:
    assert find_value_patterns(question) == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which trials of zorvimab in dementia are ongoing?", True),
        ("Is zorvimab being tested in dementia?", True),
        ("Does zorvimab raise the risk of dementia?", False),
        (f"In women with {'advanced and already treated ' * 4}cancer, which trials are recruiting?", True),
    ],
)
def test_a_question_for_studies_is_answered_by_those_that_are_only_registered(question: str, expected: bool) -> None:
    asked = Question(key="answer", label=question[:100], description=question, min_sources=2)
    assert asks_for_studies(asked) is expected


def ask(text: str) -> Question:
    return Question(key="answer", label=text, description=text, min_sources=2)


def test_what_is_under_way_is_no_finished_study() -> None:
    assert asks_for_ongoing(ask("What are ongoing trials of zorvimab?"))
    assert asks_for_ongoing(ask("Which trials of zorvimab are recruiting?"))
    assert not asks_for_ongoing(ask("Which trials of zorvimab were finished?"))
    assert is_ongoing("The trial is comparing zorvimab with placebo.")
    assert not is_ongoing("Zorvimab lowered the risk by 12%.")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was zorvimab first approved in the US?", True),
        ("In which year was zorvimab originally licensed?", True),
        ("When was zorvimab approved?", False),
        ("Is zorvimab the first choice?", False),
    ],
)
def test_the_first_date_is_asked_for_where_the_question_says_so(question: str, expected: bool) -> None:
    assert asks_for_first(ask(question)) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Patients treated with zorvimab before had trastuzumab 5.4 mg/kg.", True),
        ("Zorvimab 8 mg/kg was compared with trastuzumab 6 mg/kg.", False),
        ("It is given at 8 mg/kg.", False),
        ("Zorvimab was tolerated.", False),
    ],
)
def test_a_dose_of_another_drug_is_none_of_this(sentence: str, expected: bool) -> None:
    assert is_of_other_drug(sentence, ("zorvimab",), ask("What is the dose of zorvimab?")) is expected
    assert not is_of_other_drug(sentence, ("zorvimab",), ask("Is zorvimab safe?"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(HR = 0.64)", True), ("aHR 1.2", True), ("HR of 0.66", True), ("RR=1.2", True), ("OR, 2.1", True),
        ("aOR 1.4", True), ("given at 0.5 or 1.0 g", False), ("500 mg or 1.5 g", False), ("Tablets or a syrup.", False),
    ],
)  # fmt: skip
def test_a_ratio_in_letters_is_known_by_its_value(text: str, expected: bool) -> None:
    assert bool(count_cues(text, (SHORT_RATIO, SHORT_ODDS_RATIO))) is expected


def test_a_sentence_on_the_drug_with_another_is_not_on_the_drug_alone() -> None:
    alone = Question(key="answer", label="?", description="?", min_sources=2, focus=("respond", "zorvimab", "alone"))
    together = "Responses to zorvimab plus docetaxel were seen in 61% of patients."
    assert is_of_combination(together, alone)
    assert not is_of_combination("Responses to zorvimab were seen in 14% of patients.", alone)
    assert not is_of_combination(together, alone.model_copy(update={"focus": ("respond", "zorvimab")}))
