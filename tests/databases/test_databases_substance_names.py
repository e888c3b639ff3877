"""How the names of substances are put together."""

from __future__ import annotations

import pytest

from storm.databases.substance_names import substance_of, substances_in, unsalted, without_suffix


@pytest.mark.parametrize(
    ("name", "substance"),
    [
        ("CLOPIDOGREL BISULFATE", "CLOPIDOGREL"),
        ("amoxicillin sodium trihydrate", "amoxicillin"),
        ("sodium chloride", "sodium chloride"),
        ("FERROUS SULFATE", "FERROUS SULFATE"),
        ("procaine hydrochloride", "procaine"),
        ("imatinib", "imatinib"),
        ("", ""),
    ],
)
def test_salts_are_taken_off_organic_substances_only(name: str, substance: str) -> None:
    assert unsalted(name) == substance


def test_a_salt_is_its_substance_only_where_that_is_a_name_in_itself() -> None:
    assert substance_of("imatinib mesylate", {"imatinib"}) == "imatinib"
    assert substance_of("imatinib mesylate", {"dasatinib"}) == "imatinib mesylate"


@pytest.mark.parametrize(
    ("text", "substances"),
    [
        ("pertuzumab, trastuzumab, and hyaluronidase", ["pertuzumab", "trastuzumab", "hyaluronidase"]),
        ("LINAGLIPTIN; METFORMIN", ["LINAGLIPTIN", "METFORMIN"]),
        ("ampicillin, anhydrous", ["ampicillin, anhydrous"]),
    ],
)
def test_a_name_of_several_substances_is_parted(text: str, substances: list[str]) -> None:
    assert substances_in(text) == substances


@pytest.mark.parametrize(
    ("name", "core"), [("trastuzumab-dkst", "trastuzumab"), ("valproic-acid", "valproic-acid"), ("x-abcd", "x-abcd")]
)
def test_the_suffix_of_a_biological_product_is_taken_off(name: str, core: str) -> None:
    assert without_suffix(name) == core
