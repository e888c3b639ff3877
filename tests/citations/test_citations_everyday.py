"""Everyday words: those that never mean the same, whichever line they stand in."""

from __future__ import annotations

from itertools import combinations

import pytest

from storm.citations import everyday, vocabulary
from storm.citations.claims import find_claim_faults
from storm.citations.everyday import words_alike
from storm.citations.terms import stem_word, table_keys
from storm.citations.vocabulary import words_of

#: Opposites, and words of different degree, class or certainty.
NEVER_ALIKE = (
    "highest lowest", "high low", "most least", "maximum minimum", "all overall", "all many", "many several",
    "many few", "every most", "both either", "severe serious", "severe several", "severe moderate", "mild moderate",
    "discomfort pain", "rare uncommon", "common rare", "main key", "primary key", "primary secondary",
    "considerable dramatic", "small negligible", "important crucial", "important import", "should must",
    "should require", "recommended required", "option contraindicated", "option unsuitable", "tolerate intolerant",
    "acceptable unacceptable", "show prove", "suggest show", "confirm suggest", "impair decrease", "improve gain",
    "cure resolve", "cure recover", "recover excrete", "eliminate recover", "lasting chronic", "acute short",
    "chronic acute", "stop complete", "complete partial", "start stop", "enter leave", "absorb excrete",
    "activate inhibit", "agonist antagonist", "relax contract", "widen constrict", "prevent treat",
    "proportional dependent", "normal standard", "hospital clinic", "mother woman", "tumour carcinoma",
    "epilepsy seizure", "numbness tingling", "favourable positive", "positive negative", "with without",
    "before after", "first last", "new old", "same different", "include exclude", "approve refuse", "approve author",
    "cleared approved", "born borne", "quit quite", "numerous numerical", "enter enteric", "success successive",
)  # fmt: skip


@pytest.mark.parametrize("pair", NEVER_ALIKE)
def test_words_of_another_meaning_or_degree_are_not_alike(pair: str) -> None:
    one, other = pair.split()
    assert stem_word(other) not in words_alike(stem_word(one))


def test_no_line_holds_opposites() -> None:
    opposites = [(vocabulary.UP, vocabulary.DOWN), (vocabulary.BETTER, vocabulary.WORSE)]
    pairs = [(table_keys(a), table_keys(b)) for a, b in opposites]
    pairs += [
        (frozenset({stem_word(a)}), frozenset({stem_word(b)}))
        for words in vocabulary.CONTRASTS
        for a, b in combinations(words, 2)
    ]
    found = [line for line in everyday._lines() for a, b in pairs if line & (a - b) and line & (b - a)]
    assert found == []


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Zorvimab was given at the lowest dose.", "Zorvimab was given at the highest dose."),
        ("Zorvimab is an option in pregnancy.", "Zorvimab is contraindicated in pregnancy."),
        ("Severe adverse events occurred in 5%.", "Serious adverse events occurred in 5%."),
        ("Severe nausea occurred in 5%.", "Several patients had nausea (5%)."),
        ("Severe nausea occurred in 5%.", "Grade 1 nausea occurred in 5%."),
        ("All patients improved.", "Overall, patients improved."),
        ("The trial proved that zorvimab relieves pain.", "The trial showed that zorvimab relieves pain."),
        ("Zorvimab impaired cognition by 4 points.", "Zorvimab decreased cognition by 4 points."),
        ("Zorvimab is active in asthma.", "Zorvimab was compared with placebo in asthma."),
        ("Mortality was low with zorvimab.", "Mortality was lower with zorvimab than with placebo."),
        ("Zorvimab must be stopped.", "Zorvimab should be stopped."),
        ("Zorvimab relieved pain in women.", "Zorvimab relieved pain in patients with cervical pain."),
        ("The FDA approved zorvimab in 2019.", "The FDA refused zorvimab in 2019."),
        ("The FDA approved zorvimab in 2019.", "The FDA declined to license zorvimab in 2019."),
        ("Nausea was common with zorvimab.", "Nausea occurred with zorvimab in 0.1%."),
        ("Zorvimab cured 12% of patients.", "In 12% of patients on zorvimab the infection resolved."),
    ],
)
def test_a_claim_of_another_degree_or_class_is_a_fault(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) != ()


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Severe nausea occurred in 5%.", "Grade 3-4 nausea occurred in 5%."),
        ("Zorvimab was authorised in 2019.", "Zorvimab was approved in 2019."),
        ("Nausea is a side effect of zorvimab.", "Inside the trial, nausea was a side effect of zorvimab."),
        ("Patients take zorvimab once a day.", "The intake of zorvimab was once a day."),
        ("Zorvimab must be stopped.", "It is mandatory that zorvimab is stopped."),
    ],
)
def test_a_claim_in_words_of_the_same_degree_passes(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


def test_words_of_reporting_have_no_word_of_another_meaning_among_them() -> None:
    approving = words_of("approve approved approval licensed authorised authorized clearance frequent common mainly")
    neutral = frozenset(map(stem_word, vocabulary.NEUTRAL))
    assert neutral.isdisjoint(map(stem_word, approving))
