"""With which other treatments a study gave the drug."""

from __future__ import annotations

import pytest

from storm.evidence.partners import read_partners


@pytest.mark.parametrize(
    ("title", "abstract", "partners"),
    [
        ("Zorvimab plus temozolomide in patients with tumours", "", ("temozolomide",)),
        ("Safety of zorvimab in combination with topical corticosteroids in adults", "", ("topical corticosteroids",)),
        ("Low-dose olanzapine plus granisetron and zorvimab for nausea", "", ("olanzapine", "granisetron")),
        ("Neratinib (NER) plus 240 mg zorvimab for breast cancer", "", ("neratinib",)),
        ("Etoposide plus zorvimab for germ cell tumours", "", ("etoposide",)),
        ("Zorvimab and azithromycin, a combined regimen", "", ("azithromycin",)),
        ("Zorvimab and azithromycin in pneumonia", "", ()),
        ("Zorvimab plus placebo in adults", "", ()),
        ("Zorvimab in adults", "The adults received zorvimab with nab-paclitaxel.", ("nab-paclitaxel",)),
        ("Zorvimab in adults", "Zorvimab, metformin and insulin were compared.", ()),
        (
            "Zorvimab in adults",
            "R-CHOP is zorvimab, cyclophosphamide, doxorubicin plus vincristine and prednisone.",
            (),
        ),
        ("Efficacy of Neratinib Plus Zorvimab in Women With Cancer", "", ("neratinib",)),
    ],
)
def test_what_is_given_with_the_drug_is_named_in_the_words_of_the_record(
    title: str, abstract: str, partners: tuple[str, ...]
) -> None:
    assert read_partners(title, abstract, ("zorvimab",)) == partners
