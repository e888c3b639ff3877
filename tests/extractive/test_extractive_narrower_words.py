from __future__ import annotations

import pytest

from storm.extractive.narrower_words import expand_term, strip_fillers


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


@pytest.mark.parametrize(
    ("term", "left"),
    [
        ("eGFR 35", "eGFR"), ("eGFR cutoff", "eGFR"), ("cardiotoxicity incidence", "cardiotoxicity"),
        ("type 1 diabetes", "type 1 diabetes"), ("diabetes type 2", "diabetes type 2"), ("monitored", ""),
    ],
)  # fmt: skip
def test_a_term_is_looked_for_without_words_that_name_nothing(term: str, left: str) -> None:
    assert strip_fillers(term) == left
