"""How the names of substances are put together."""

from __future__ import annotations

import pytest

from storm.databases.identity.substance_names import strip_salt, strip_suffix, substance_of, substances_in


@pytest.mark.parametrize(
    ("name", "substance"),
    [
        ("CLOPIDOGREL BISULFATE", "CLOPIDOGREL"),
        ("amoxicillin sodium trihydrate", "amoxicillin"),
        ("sodium chloride", "sodium chloride"),
        ("FERROUS SULFATE", "FERROUS SULFATE"),
        ("procaine hydrochloride", "procaine"),
        ("gallium nitrate", "gallium nitrate"),
        ("Rubidium chloride", "Rubidium chloride"),
        ("nickel sulfate hexahydrate", "nickel sulfate hexahydrate"),
        ("yttrium chloride", "yttrium chloride"),
        ("indium chloride", "indium chloride"),
        ("imatinib", "imatinib"),
        ("", ""),
    ],
)
def test_salts_are_taken_off_organic_substances_only(name: str, substance: str) -> None:
    assert strip_salt(name) == substance


@pytest.mark.parametrize(
    "name",
    ["dimethyl fumarate", "DIMETHYL FUMARATE", "methyl salicylate", "phenyl salicylate sodium", "ethyl chloride",
     "benzyl benzoate", "isopropyl palmitate", "choline salicylate", "diroximel fumarate"],
)  # fmt: skip
def test_half_an_ester_is_no_substance(name: str) -> None:
    assert strip_salt(name) == name
    assert substance_of(name, {name.split()[0].casefold()}) == name


def test_the_salt_of_an_ester_is_a_salt() -> None:
    assert strip_salt("methyl aminolevulinate hydrochloride") == "methyl aminolevulinate"
    assert strip_salt("fentanyl citrate") == "fentanyl"


def test_a_salt_is_its_substance_only_where_that_is_a_name_in_itself() -> None:
    assert substance_of("imatinib mesylate", {"imatinib"}) == "imatinib"
    assert substance_of("imatinib mesylate", {"dasatinib"}) == "imatinib mesylate"


@pytest.mark.parametrize(
    ("text", "substances"),
    [
        ("pertuzumab, trastuzumab, and hyaluronidase", ["pertuzumab", "trastuzumab", "hyaluronidase"]),
        ("LINAGLIPTIN; METFORMIN", ["LINAGLIPTIN", "METFORMIN"]),
        ("ampicillin, anhydrous", ["ampicillin, anhydrous"]),
        ("glyburide, micronized", ["glyburide, micronized"]),
        ("amphotericin B, liposomal", ["amphotericin B, liposomal"]),
        ("insulin human, isophane", ["insulin human, isophane"]),
        ("Penicillin G, Benzathine", ["Penicillin G, Benzathine"]),
        ("dextrose, sodium chloride", ["dextrose", "sodium chloride"]),
        ("calcium, magnesium, zinc", ["calcium", "magnesium", "zinc"]),
        ("lidocaine, hydrocortisone acetate", ["lidocaine", "hydrocortisone acetate"]),
    ],
)
def test_a_name_of_several_substances_is_parted(text: str, substances: list[str]) -> None:
    assert substances_in(text) == substances


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("trastuzumab-dkst", "trastuzumab"),
        ("valproic-acid", "valproic-acid"),
        ("Insulin-like", "Insulin-like"),
        ("x-abcd", "x-abcd"),
    ],
)
def test_the_suffix_of_a_biological_product_is_taken_off(name: str, core: str) -> None:
    assert strip_suffix(name) == core
