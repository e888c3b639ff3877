"""By what share the drug changed a risk."""

from __future__ import annotations

import pytest

from storm.reports.relative_reductions import read_relative_reduction


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Relative to placebo, zorvimab cut the incidence of diabetes by 31% (95% CI 17-43).",
            ("diabetes", "relative reduction", "31%", "95% CI 17 to 43", "", "placebo"),
        ),
        (
            "Zorvimab reduced the risk of stroke by 30% compared with placebo (95% CI 20 to 40; P<0.001).",
            ("stroke", "relative reduction", "30%", "95% CI 20 to 40", "<0.001", "placebo"),
        ),
        (
            "The risk of heart failure in IDPP-1 was increased by 12.5% with zorvimab (95% CI 1.5-26).",
            ("heart failure", "relative increase", "12.5%", "95% CI 1.5 to 26", "", ""),
        ),
        (
            "Older women treated with zorvimab in CARDIO 34 had a 32% lower risk of any event than untreated women "
            "(95% CI 13-47; P=0.002).",
            ("any event", "relative reduction", "32%", "95% CI 13 to 47", "0.002", "untreated women"),
        ),
        (
            "Patients on zorvimab had a 12% higher risk of stroke than patients on placebo (95% CI 2-20).",
            ("stroke", "relative increase", "12%", "95% CI 2 to 20", "", "patients on placebo"),
        ),
        ("Patients on placebin had a 12% lower risk of stroke than patients on zorvimab (95% CI 2-20).", None),
        ("Patients on zorvimab had a 12% lower risk of stroke than those on placebin (95% CI 2-20).", None),
        ("Placebin reduced the risk of stroke by 30% (95% CI 20-40), and zorvimab did not.", None),
        ("Zorvimab reduced the risk of stroke by 30%.", None),
        ("Zorvimab reduced blood pressure by 30% (95% CI 20-40).", None),
    ],
)
def test_a_share_is_read_with_its_interval(sentence: str, expected: tuple[str, ...] | None) -> None:
    read = read_relative_reduction(sentence, ("zorvimab",))
    found = read and (read.endpoint, read.measure, read.value, read.interval, read.p, read.comparator)
    assert found == expected
