"""What a sentence is about that does not name the drug: another drug of the title, or the drug's class."""

from __future__ import annotations

import pytest

from storm.evidence.other_drugs import read_other_drugs
from storm.models import Hit


def remark(sentence: str) -> str:
    hit = Hit.of(
        "pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Rosuvastatin versus zorvimab in adults", pmid="1",
        text="Zorvimab, a selective KIF-2 inhibitor, lowers cholesterol. KIF-2 inhibitors and fibrates are new.",
    )  # fmt: skip
    return read_other_drugs(hit, ("zorvimab",)).remark_on(sentence)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rosuvastatin lowered cholesterol by 48%.", "about: rosuvastatin"),
        ("KIF-2 inhibitors raise the clearance of cholesterol.", "class: KIF-2 inhibitors"),
        ("Pravastatin lowered cholesterol by 20%.", ""),
        ("Cholesterol fell in most patients.", ""),
    ],
)
def test_another_drug_of_the_title_and_the_class_are_named(sentence: str, expected: str) -> None:
    assert remark(sentence) == expected
