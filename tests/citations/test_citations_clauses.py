"""Who does what in a quote of several clauses, and of how many it is said."""

from __future__ import annotations

import pytest

from storm.citations.claims import find_claim_faults

TWO = "Ginkgo lowered pain, and valerian improved sleep."
COMMON = "Nausea was the commonest event with A-102, and headache was commonest with B-77."
ONLY = "All doses of zorvix lowered glucose more than placebo, while only 10 mg lowered it more than metformin."
NOTHING = "Zorvix reduced pain, whereas valerian did not change sleep."


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Valerian improved sleep.", TWO),
        ("Ginkgo lowered pain, valerian improved sleep.", TWO),
        ("With B-77 headache was the commonest event.", COMMON),
        ("All doses of zorvix lowered glucose more than placebo.", ONLY),
        ("Either metformin or zorvix was continued.", "Metformin or zorvix was continued."),
        ("Some patients on zorvix had pain.", "Pain was seen in patients on zorvix."),
        ("Zorvix improved quality of life.", "Zorvix lowered pain, and quality of life improved."),
    ],
)
def test_a_subject_with_its_own_predicate_is_supported(statement: str, quote: str) -> None:
    assert find_claim_faults(statement, quote) == ()


@pytest.mark.parametrize(
    ("statement", "quote", "fault"),
    [
        ("Ginkgo improved sleep.", TWO, "of 'valerian'"),
        ("Headache was the commonest event with A-102.", COMMON, "of 'nausea'"),
        ("Zorvix did not change sleep.", NOTHING, "of 'valerian'"),
        ("All doses of zorvix lowered glucose more than metformin.", ONLY, "only"),
        ("Metformin plus zorvix was continued.", "Metformin or zorvix was continued.", "or"),
        ("Both metformin and zorvix were continued.", "Metformin or zorvix was continued.", "or"),
        ("Metformin or zorvix was continued.", "Metformin plus zorvix was continued.", "plus"),
        ("Some patients had pain.", "All patients had pain.", "some"),
        ("Patients had pain.", "Some patients had pain.", "some patients"),
    ],
)
def test_what_another_clause_says_is_reported(statement: str, quote: str, fault: str) -> None:
    assert any(fault in one for one in find_claim_faults(statement, quote))
