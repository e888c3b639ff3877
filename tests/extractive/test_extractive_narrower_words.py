from __future__ import annotations

import pytest

from storm.extractive.narrower_words import expand_term


@pytest.mark.parametrize(
    ("term", "belongs"),
    [
        ("pregnancy", "fetal"),
        ("kidney failure", "creatinine"),
        ("kidney failure", "renal failure"),
        ("the liver", "transaminase"),
        ("sulfonylureas", "glimepiride"),
        ("heart failure", "ejection fraction"),
        ("low blood sugar", "hypoglycemia"),
    ],
)
def test_a_term_stands_for_its_synonyms_and_for_what_belongs_to_it(term: str, belongs: str) -> None:
    assert belongs in expand_term(term.removeprefix("the "))


@pytest.mark.parametrize(("term", "other"), [("gastric cancer", "leukemia"), ("blood pressure", "heart")])
def test_a_term_does_not_stand_for_what_one_of_its_words_means_alone(term: str, other: str) -> None:
    assert other not in expand_term(term)


def test_a_term_that_no_table_has_stands_for_itself() -> None:
    assert expand_term("gut microbiome")[0] == "gut microbiome"
