"""Questions that ask for the same are similar; those that differ in what matters never are, however alike they look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.ranking.question_words import list_content, list_parts
from storm.ranking.similar_questions import THRESHOLD, is_same_question, list_similar, score_similarity

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "scripts/benches/similar_pairs.jsonl").read_text("utf-8").splitlines()
]
DRUGS = st.sampled_from(["metformin", "phenformin", "aspirin", "warfarin", "interferon beta-1a", "interferon beta-1b"])
QUESTIONS = st.sampled_from([
    "Is {drug} safe in children?", "What are the side effects of {drug}?",
    "Does {drug} with insulin reduce {n} strokes?", "How does {drug} work?", "{drug} versus placebo after {n} months",
])  # fmt: skip


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair["differs"]], ids=lambda pair: str(pair["second"]))
def test_questions_that_differ_in_what_matters_are_not_similar(pair: dict[str, str]) -> None:
    assert score_similarity(pair["first"], pair["second"]) == 0.0
    assert list_similar(pair["first"], [pair["second"]]) == []


@given(QUESTIONS, DRUGS, DRUGS, st.integers(0, 99), st.integers(0, 99))
def test_another_drug_or_number_is_another_question(text: str, one: str, other: str, n: int, m: int) -> None:
    first, second = text.format(drug=one, n=n), text.format(drug=other, n=m)
    assert (score_similarity(first, second) > 0) is (first == second)


@given(QUESTIONS, DRUGS)
def test_a_denial_is_another_question(text: str, drug: str) -> None:
    asked = text.format(drug=drug, n=3)
    for word in ("not", "without", "never", "no"):
        assert score_similarity(asked, f"{asked.rstrip('?')} {word}") == 0.0


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_score_is_a_share_and_the_order_of_two_questions_does_not_matter(one: str, other: str) -> None:
    assert 0.0 <= score_similarity(one, other) <= 1.0
    assert score_similarity(one, other) == score_similarity(other, one)
    assert score_similarity(one, one) == 1.0


def test_the_most_similar_comes_first_and_of_two_alike_the_first() -> None:
    earlier = [
        "Is metformin safe in children?",
        "What are the adverse effects of metformin?",
        "metformin: side effects?",
        "What are the side effects of metformin",
        "WHAT ARE the side effects of metformin?!",
    ]
    found = list_similar("What are the side effects of metformin?", earlier)
    assert [one.place for one in found][:2] == [3, 4]
    assert 0 not in [one.place for one in found]
    assert all(THRESHOLD <= one.score <= 1.0 for one in found)


def test_case_and_punctuation_do_not_make_another_question() -> None:
    assert is_same_question("Is  Metformin safe?", "is metformin safe")
    assert not is_same_question("Is metformin safe?", "Is metformin a safe drug?")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("How does metformin work?", ("metformin", "mechanism")),
        ("Does metformin work?", ("metformin", "efficacy")),
        ("Which tumours respond?", ("which", "tumor", "respond")),
        ("What are the side effects of aspirin?", ("adverse", "aspirin")),
        ("Isn't it safe at > 0.5 mg in HER2- disease?", ("not", "safe", ">", "0.5", "mg", "her", "2", "-", "disease")),
        ("type 2 diabetes mellitus", ("type 2 diabetes",)),
    ],
)
def test_what_makes_the_meaning_of_a_question_is_kept(text: str, content: tuple[str, ...]) -> None:
    assert list_content(list_parts(text)) == content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Is the treatment of asthma a risk for pneumonia?", "Is asthma a risk for pneumonia treatment?"),
        ("Is 10⁻³ M safe?", "Is 10³ M safe?"),
        ("Do CD4+ cells fall?", "Do CD4 cells fall?"),
        ("Is R-warfarin active?", "Is S-warfarin active?"),
        ("Is TNF-α elevated?", "Is TNF-β elevated?"),
    ],
)
def test_signs_letters_and_order_make_other_questions(one: str, other: str) -> None:
    assert score_similarity(one, other) == 0.0
    assert not is_same_question(one, other)


def test_nothing_is_similar_where_nothing_was_asked() -> None:
    assert list_similar("Is metformin safe?", []) == []
