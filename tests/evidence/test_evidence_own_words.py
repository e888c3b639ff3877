"""Records are filed under a question without rules by the question's own words."""

from __future__ import annotations

import pytest

from storm.evidence.own_words import answers_by_words
from storm.models import Hit, Question, Section

NAMES = ("zorvimab", "Zorva")
HEART = Question(
    key="heart",
    label="Heart damage",
    description="How often zorvimab damages the heart and how patients are monitored",
    min_sources=1,
)


def record(*texts: str, title: str = "A study of zorvimab", label: str = "") -> Hit:
    sections = tuple(Section(label=label, text=text) for text in texts)
    return Hit.of("pubmed", "1", "https://example.org/1", title).model_copy(update={"sections": sections})


@pytest.mark.parametrize(
    "text",
    [
        "It rained. Damage to the heart was seen in 3% of patients.",
        "Hearts were monitored every three months.",
        "Cardiac damage was looked for by monitoring.",
    ],
)
def test_a_sentence_with_enough_of_the_words_answers_in_whatever_form_they_stand(text: str) -> None:
    assert answers_by_words(record(text), HEART, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "Patients were treated with zorvimab. Survival was longer.",
        "The heart beats. Walls were damaged. Patients were monitored.",
        "Zorvimab was given to patients often.",
    ],
)
def test_words_of_any_study_the_drug_s_name_and_words_in_different_sentences_do_not(text: str) -> None:
    assert not answers_by_words(record(text), HEART, NAMES)


def test_the_title_counts_as_a_sentence() -> None:
    assert answers_by_words(record(title="Heart damage under zorvimab"), HEART, NAMES)
    assert not answers_by_words(record(title="Zorvimab in heart failure"), HEART, NAMES)


def test_a_focus_counts_like_the_label() -> None:
    text = "The ejection fraction was monitored."
    assert not answers_by_words(record(text), HEART, NAMES)
    assert answers_by_words(record(text), HEART.model_copy(update={"focus": ("ejection fraction",)}), NAMES)


@pytest.mark.parametrize("label", ["Methods", "Funding"])
def test_methods_and_what_stands_after_the_text_answer_nothing(label: str) -> None:
    assert not answers_by_words(record("Patients with heart damage were excluded.", label=label), HEART, NAMES)


def test_a_question_of_common_words_needs_as_many_of_them() -> None:
    dosing = Question(key="dosing", label="Dosing", description="How it is given", min_sources=1)
    assert answers_by_words(record("A dose of 8 mg/kg was given weekly."), dosing, NAMES)
    assert not answers_by_words(record("The dose is not known."), dosing, NAMES)


def test_a_question_without_any_word_is_answered_by_what_was_found_for_it() -> None:
    empty = Question(key="q", label="What is it?", description="And how?", min_sources=1)
    assert answers_by_words(record("It rained."), empty, NAMES)
