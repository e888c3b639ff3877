"""What the combination group and the monotherapy group of a trial received."""

from __future__ import annotations

import pytest

from storm.evidence.combination_arms import read_combination_arms


@pytest.mark.parametrize(
    ("text", "arms"),
    [
        ("The addition of methotrexate to zorvimab in psoriasis.", ("zorvimab plus methotrexate", "zorvimab")),
        ("Methotrexate added to zorvimab in psoriasis.", ("zorvimab plus methotrexate", "zorvimab")),
        ("Zorvimab added to methotrexate in psoriasis.", ("zorvimab plus methotrexate", "methotrexate")),
        (
            "Zorvimab plus methotrexate was better than methotrexate alone.",
            ("zorvimab plus methotrexate", "methotrexate"),
        ),
        (
            "Zorvimab in combination with methotrexate or zorvimab monotherapy.",
            ("zorvimab plus methotrexate", "zorvimab"),
        ),
        ("Zorvimab plus methotrexate, methotrexate alone or zorvimab alone.", None),
        ("Zorvimab plus methotrexate was compared with placebo.", None),
        ("Zorvimab plus methotrexate and zorvimab plus metformin, or zorvimab alone.", None),
        ("Methotrexate and metformin were stopped.", None),
        ("Zorvimab plus methotrexate where methotrexate had failed, or after failure of methotrexate alone.", None),
    ],
)
def test_the_groups_are_known_where_the_drug_has_one_partner_and_one_was_given_alone(
    text: str, arms: tuple[str, str] | None
) -> None:
    assert read_combination_arms(text, ("zorvimab",)) == arms
