"""The thesaurus: what it lets a claim say, and what it never decides."""

from __future__ import annotations

import pytest

from storm.citations.claims import find_claim_faults
from storm.citations.support import is_carrier, is_fixed, supports_word
from storm.citations.terms import read_terms
from storm.citations.thesaurus import has_opposite, list_kinds, means_as_much


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("especially", "particularly"), ("option", "alternative"), ("mostly", "generally"), ("single", "solitary"),
        ("meaningful", "significant"), ("relief", "relieved"), ("expending", "expenditure"), ("cardiac", "heart"),
        ("hepatic", "liver"), ("renal", "kidney"), ("ascribed", "attributed"), ("tumour", "cancer"),
    ],
)  # fmt: skip
def test_synonyms_and_words_of_one_root_mean_as_much(word: str, other: str) -> None:
    assert means_as_much(word, frozenset((other,)))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("increase", "decrease"), ("men", "women"), ("mortality", "morbidity"), ("safe", "effective"),
        ("week", "month"), ("incidence", "prevalence"), ("mean", "median"), ("injection", "infusion"),
        ("tablet", "capsule"), ("doctor", "nurse"), ("partial", "complete"), ("migraine", "headache"),
    ],
)  # fmt: skip
def test_opposites_and_words_beside_each_other_do_not(word: str, other: str) -> None:
    assert not supports_word(word, frozenset((other,)))


def test_a_general_act_may_stand_for_a_special_one_but_a_disease_may_not() -> None:
    assert means_as_much("examination", frozenset(("autopsy",)))
    assert not means_as_much("headache", frozenset(("migraine",)))


@pytest.mark.parametrize(
    "word", ["severe", "proven", "approved", "increased", "women", "cured", "only", "caused", "may"]
)
def test_words_that_make_a_statement_false_are_fixed(word: str) -> None:
    assert is_fixed(word) and not supports_word(word, frozenset((word, "serious", "shown", "licensed")))


def test_an_antonym_in_the_quote_refuses_a_synonym() -> None:
    assert has_opposite("inactive", frozenset(("active",)))
    assert not supports_word("inactive", frozenset(("active", "passive")))


def test_a_verb_of_saying_or_being_only_carries_a_sentence() -> None:
    terms = read_terms("outcomes match those of resection and the drug cured patients")
    carriers = [term.word for n, term in enumerate(terms) if is_carrier(terms, n)]
    assert "match" in carriers and "cured" not in carriers and "resection" not in carriers


def test_an_unknown_word_has_no_kinds() -> None:
    assert list_kinds("zorvimab") == frozenset()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab may be an option.", "Zorvimab may be an alternative."),
        ("A larger rise was seen, especially in smokers.", "The increase was higher, particularly in smokers."),
        ("By phone, 67.5% of physicians were reached.", "In all, 67,5% of the physicians were contacted by phone."),
        ("Zorvimab might cause rash (5%).", "Side effects possibly due to zorvimab were rash (5%)."),
        ("Zorvimab is effective against asthma.", "Zorvimab is an effective treatment of asthma."),
    ],
)
def test_a_claim_in_other_words_passes(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        (
            "Only the placebo group had an improvement of hair.",
            "Only the zorvimab group had an improvement of hair; in the placebo group hair did not change.",
        ),
        ("Infections were seen after surgery.", "No allergic reactions or infections were seen after surgery."),
        (
            "Zorvimab caused shivering that mirvetinib alleviated.",
            "Shivering caused by mirvetinib was alleviated by zorvimab.",
        ),
        ("Inactivity is linked to less absence.", "Inactivity is linked to a greater incidence of absence."),
        (
            "Residue was seen in 15.7% at 12 months.",
            "Residue was seen in 15.7% and 5.8% at 3 and 12 months, respectively.",
        ),
        ("17 patients were weaned on PSV and 19 on ATC.", "17 patients were weaned on ATC and 19 on PSV."),
        (
            "Zorvimab improves blood glucose.",
            "Zorvimab, an antibody against IL-6, might improve reflexes and, ultimately, blood glucose.",
        ),
        (
            "Failure was linked to zorvimab, but not to mirvetinib.",
            "Failure was linked to mirvetinib, but not to zorvimab.",
        ),
    ],
)  # fmt: skip
def test_a_claim_about_another_one_fails(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote)
