"""Names of drugs are distinguished from words that end alike."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.syllabus.drug_names import DRUG_NAME

REAL = [
    "trastuzumab",
    "etanercept",
    "liraglutide",
    "leuprorelin",
    "imatinib",
    "palbociclib",
    "olaparib",
    "cisplatin",
    "paclitaxel",
    "doxorubicin",
    "capecitabine",
    "pemetrexed",
    "irinotecan",
    "lenalidomide",
    "vorinostat",
    "sitagliptin",
    "metformin",
    "rosuvastatin",
    "losartan",
    "amlodipine",
    "metoprolol",
    "enalapril",
    "rivaroxaban",
    "clopidogrel",
    "fluconazole",
    "acyclovir",
    "erythromycin",
    "amoxicillin",
    "ciprofloxacin",
    "doxycycline",
    "sumatriptan",
    "fluoxetine",
    "escitalopram",
    "diazepam",
    "haloperidol",
    "pregabalin",
    "ibuprofen",
    "omeprazole",
    "salbutamol",
    "dexamethasone",
]
NONE = [
    "peptide",
    "baseline",
    "guideline",
    "medicine",
    "saline",
    "routine",
    "creatinine",
    "glycine",
    "urine",
    "concept",
    "except",
    "glyceride",
    "triglyceride",
    "glycoside",
    "cholesterol",
    "thermostat",
    "nucleotide",
    "lipopeptide",
    "somatostatin",
    "protein",
    "vaccine",
    "marine",
    "machine",
    "combine",
    "determine",
    "decline",
    "examine",
    "equine",
    "bovine",
    "outline",
    "iodine",
    "histamine",
    "dopamine",
    "tyrosine",
    "oxide",
    "chloride",
    "suicide",
    "placebo",
    "control",
    "imidazole",
]


@pytest.mark.parametrize("name", REAL)
def test_an_international_name_is_a_drugs(name: str) -> None:
    assert DRUG_NAME.fullmatch(name)
    assert DRUG_NAME.search(f"In adults given {name.capitalize()}, less was seen.")


@pytest.mark.parametrize("word", NONE)
def test_a_word_that_ends_like_one_is_none(word: str) -> None:
    assert not DRUG_NAME.search(f"In adults, {word} or {word}s were seen.")


def test_insulin_is_a_drug_and_resistance_to_it_is_none() -> None:
    assert DRUG_NAME.search("adults on insulin")
    assert not DRUG_NAME.search("insulin resistance and insulin-like growth")


@given(
    st.lists(
        st.sampled_from(
            [*REAL[:12], "insulin", "insulin-resistant", "Fentanyl", "cells", "the", "S-", "5-", " ", ", ", "é"]
        )
    )
)
def test_a_text_is_searched_as_the_compiled_pattern_does(words: list[str]) -> None:
    text, compiled = "".join(words), re.compile(DRUG_NAME.pattern, re.IGNORECASE)
    assert [found.span() for found in DRUG_NAME.finditer(text)] == [found.span() for found in compiled.finditer(text)]
    first, expected = DRUG_NAME.search(text, 2), compiled.search(text, 2)
    assert (first and first.span()) == (expected and expected.span())
