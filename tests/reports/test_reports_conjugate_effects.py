"""A conjugate of the drug that is compared with the drug."""

from __future__ import annotations

from storm.reports.conjugate_effects import read_conjugate_effect

RESULT = "Overall survival was longer with zorvimab emtansine than with zorvimab (HR 0.70, 95% CI 0.47-0.95)."


def test_a_conjugate_is_compared_with_the_drug_alone() -> None:
    effect = read_conjugate_effect(RESULT, ("zorvimab",))
    assert effect
    assert (effect.arm, effect.comparator, effect.endpoint, effect.value) == (
        "zorvimab emtansine", "zorvimab", "overall survival", "0.70",
    )  # fmt: skip
    assert effect.is_of_drugs


def test_what_it_is_compared_with_besides_or_instead_gives_no_effect() -> None:
    for other in ("lapatinib", "chemotherapy", "zorvimab plus lapatinib"):
        assert read_conjugate_effect(RESULT.replace("than with zorvimab", f"than with {other}"), ("zorvimab",)) is None
