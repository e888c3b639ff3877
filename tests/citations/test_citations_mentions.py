"""What a sentence says of other works is read wherever it stands; its own record's brackets are dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.mentions import drop_own_mentions, find_foreign_mentions, find_mentioned_works
from storm.models import Hit

HIT = Hit.of(
    "pubmed", "16236737", "https://pubmed.ncbi.nlm.nih.gov/16236737/", "Zorvimab after adjuvant chemotherapy",
    pmcid="PMC2855860", doi="10.1056/NEJMoa052306",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("Response was 22% (PMID: 1234567).", "PMID: 1234567"),
        ("Response was 22% (PubMed ID 1234567).", "PubMed ID 1234567"),
        ("As PubMed 1234567 shows, response was 22%.", "PubMed 1234567"),
        ("Response was 22% [PMC1234567].", "PMC1234567"),
        ("Response was 22%, PMCID: PMC1234567.", "PMCID: PMC1234567"),
        ("Response was 22% (doi:10.1000/182).", "10.1000/182"),
        (
            "Response was 22%; see https://europepmc.org/article/MED/1234567.",
            "https://europepmc.org/article/MED/1234567",
        ),
    ],
)
def test_a_work_that_is_not_the_record_is_found_in_any_form(text: str, mentioned: str) -> None:
    assert find_foreign_mentions(text, [HIT]) == find_mentioned_works(text) == (mentioned,)
    assert drop_own_mentions(text, [HIT]) == text


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("Response was 22% (PMID 16236737, 16236738).", "PMID 16236738"),
        ("PMIDs 16236737 and 16236738 agree.", "PMID 16236738"),
        ("PMIDs: 16236737, 16236737, and 16236738.", "PMID 16236738"),
        ("See pubmed.ncbi.nlm.nih.gov/16236738.", "pubmed.ncbi.nlm.nih.gov/16236738"),
        ("See (www.europepmc.org/article/MED/16236738).", "www.europepmc.org/article/MED/16236738"),
        ("Response was 22% (**PMID:** 16236738).", "PMID: 16236738"),
        ("Response was 22% (**PMID: 16236738**).", "PMID: 16236738"),
        ("Response was 22% (PMID：16236738).", "PMID:16236738"),
        ("See nejm.org/doi/full/10.1056/NEJMoa1.", "nejm.org/doi/full/10.1056/NEJMoa1"),
    ],
)
def test_another_work_is_found_behind_the_record_s_own_and_without_a_scheme(text: str, mentioned: str) -> None:
    assert find_foreign_mentions(text, [HIT]) == (mentioned,)


@pytest.mark.parametrize(
    "text",
    [
        "PMID 16236737, 22 patients.", "PMID 16236737 and 12345 cells.", "In PMID 16236737, 123,456 cells grew.",
        "PMIDs 16236737 and 16236737.", "Doses of mg/kg/day e.g. 3/4 and a.b/c.",
    ],
)  # fmt: skip
def test_numbers_behind_a_mention_that_are_no_works_are_none(text: str) -> None:
    assert find_foreign_mentions(text, [HIT]) == ()


@pytest.mark.parametrize(
    "beside",
    [
        " (PMID 16236737)", " (PMID:16236737)", " [PMC2855860]", " (doi: 10.1056/NEJMoa052306)",
        " (PMID: 16236737; doi:10.1056/nejmoa052306)", " (https://pubmed.ncbi.nlm.nih.gov/16236737/)",
        " (PMID 16236737 and PMC2855860)",
    ],
)  # fmt: skip
def test_brackets_that_name_the_record_alone_are_dropped(beside: str) -> None:
    assert find_foreign_mentions(f"Response was 22%{beside}.", [HIT]) == ()
    assert drop_own_mentions(f"Response was 22%{beside}.", [HIT]) == "Response was 22%."


@pytest.mark.parametrize(
    "text",
    [
        "Response was 22% (95% CI, 18 to 26).", "In NCT00045032 (HERA) response was 22%.",
        "PubMed 1966 to 2005 was read.",
        "Doses of 10.5000 mg/kg were given.", "PMC 120 of 400 cells grew.", "Response (PMID 16236737, PMID 1) was 22%.",
    ],
)  # fmt: skip
def test_what_names_no_work_and_brackets_with_another_s_stay(text: str) -> None:
    assert drop_own_mentions(text, [HIT]) == text
    assert find_foreign_mentions(text, [HIT]) == (("PMID 1",) if "PMID" in text else ())


@given(st.text(alphabet="pmidPMCdoi10./():;[]# 0123456789", max_size=300))
def test_whatever_is_written_is_read_without_an_error(text: str) -> None:
    find_foreign_mentions(drop_own_mentions(text, [HIT]), [HIT])
