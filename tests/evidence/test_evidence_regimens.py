"""Short names of combinations with the drug."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.evidence.regimens import find_regimens
from storm.evidence.subjects import compile_name_pattern

DRUG = compile_name_pattern(("zorvimab",))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Adults had zorvimab 80 mg plus HCTZ 25 mg (Z80/H25) or placebo.",
            {"Z80/H25": "zorvimab plus HCTZ"},
        ),
        (
            "A regimen of placebin/zorvimab propionate (PLA/ZP) was given.",
            {"PLA/ZP": "placebin/zorvimab propionate"},
        ),
        ("The irinotecan-zorvimab combination (IRIZO) is given.", {"IRIZO": "irinotecan-zorvimab"}),
        ("They had quibaxan with (group QZ) or without (group Q) zorvimab.", {"QZ": "quibaxan plus zorvimab"}),
        ("They had gemcitabine plus zorvimab (GEM-ZVB).", {"GEM-ZVB": "gemcitabine plus zorvimab"}),
        ("They had zorvimab plus raltitrexed (TOMIZ).", {"TOMIZ": "zorvimab plus raltitrexed"}),
        ("They had 5-fluorouracil plus high-dose zorvimab (FOLZ).", {"FOLZ": "fluorouracil plus high-dose zorvimab"}),
        ("They had zorvimab plus docetaxel (DXL).", {}),
        ("They had zorvimab plus quibaxan (TXT).", {}),
        ("They had zorvimab plus placebo (ZP).", {}),
        ("They had the zorvimab and water combination (QX).", {}),
        ("They had zorvimab with (group QZ) or without (group Z) quibaxan.", {}),
        ("They had zorvimab and relief of pain (VAS).", {}),
        ("Tumours were zorvimab-resistant (ZR).", {}),
        ("They had placebin plus quibaxan (PQ).", {}),
    ],
)
def test_a_combination_with_the_drug_is_found_with_its_short_name(text: str, found: dict[str, str]) -> None:
    assert dict(find_regimens(text, DRUG)) == found


@given(st.text(alphabet="zorvimabplus +/()QZ1 ", max_size=60))
def test_a_combination_stands_in_the_text_and_names_the_drug(text: str) -> None:
    for short, whole in find_regimens(f"zorvimab {text}", DRUG):
        assert short in text
        assert DRUG.search(whole)
