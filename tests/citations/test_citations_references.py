"""Which collected source a written reference is: only the one that everything in it agrees with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.references import SourceIndex, WrittenReference, matching_source
from storm.models import Hit, Source


def source(number: int, hit: Hit) -> Source:
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=("q",))


PAPER = source(
    1,
    Hit.of(
        "pubmed", "16236737", "https://pubmed.ncbi.nlm.nih.gov/16236737/", "Zorvimab after adjuvant chemotherapy",
        pmcid="PMC2855860", doi="10.1056/NEJMoa052306", year=2005, trials=("NCT00045032",),
    ),
)  # fmt: skip
OTHER = source(
    2,
    Hit.of("pubmed", "16236738", "https://pubmed.ncbi.nlm.nih.gov/16236738/", "Zorvimab", year=2005, doi="10.1/b(2)"),
)
TRIAL = source(
    3, Hit.of("clinicaltrials", "NCT00045032", "https://clinicaltrials.gov/study/NCT00045032", "The HERA of zorvimab")
)
PAGE = source(4, Hit.of("web", "p", "https://www.Example.org/News/42?id=7", "Café IL‑2 news — the «whole» story"))
PATENT = source(5, Hit.of("patents", "US6407213B1", "https://patents.example/US6407213B1", "Humanised antibodies"))
MOLECULE = source(6, Hit.of("chembl", "CHEMBL1201585", "https://www.ebi.ac.uk/chembl/x/CHEMBL1201585", "ZORVIMAB"))
SOURCES = [PAPER, OTHER, TRIAL, PAGE, PATENT, MOLECULE]


def ref(title: str = "", url: str = "", *ids: str, kind: str = "", year: int | None = None) -> WrittenReference:
    return WrittenReference(title, url, ids, kind, year)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (ref("", "", "PMID: 16236737"), PAPER),
        (ref("", "", "pmid16236737"), PAPER),
        (ref("", "", "16236737", kind="pubmed"), PAPER),
        (ref("", "", "PubMed 16236737"), PAPER),
        (ref("", "", "pmc2855860"), PAPER),
        (ref("", "", "DOI: 10.1056/nejmOA052306"), PAPER),
        (ref("", "", "https://dx.doi.org/10.1056/NEJMoa052306"), PAPER),
        (ref("", "", "10.1056/NEJMoa052306", "PMID 16236737", year=2005), PAPER),
        (ref("", "", "nct00045032"), TRIAL),
        (ref("", "", "US 6,407,213 B1"), PATENT),
        (ref("", "", "US6407213"), PATENT),
        (ref("", "", "chembl1201585"), MOLECULE),
        (ref("", "", *PAPER.hit.identifiers), PAPER),
        (ref("", "", "registry:NCT00045032"), TRIAL),
        (ref("", "http://www.pubmed.ncbi.nlm.nih.gov/16236737"), PAPER),
        (ref("", "pubmed.ncbi.nlm.nih.gov/16236737/?utm_source=x#abstract"), PAPER),
        (ref("", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC2855860/"), PAPER),
        (ref("", "HTTPS://DOI.ORG/10.1056/NEJMoa052306/"), PAPER),
        (ref("", "doi.org/10.1056%2Fnejmoa052306?utm_medium=mail"), PAPER),
        (ref("", "https://clinicaltrials.gov/study/nct00045032"), TRIAL),
        (ref("", "http://example.org/News/42/?id=7&utm_campaign=z"), PAGE),
        (ref("ZORVIMAB AFTER ADJUVANT CHEMOTHERAPY."), PAPER),
        (ref("[Zorvimab  after\nadjuvant chemotherapy]"), PAPER),
        (ref("<i>Zorvimab</i> after adjuvant chemotherapy", year=2005), PAPER),
        (ref('Cafe\u0301 IL-2 news - the "whole" story'), PAGE),
        (ref("cafe IL-2 news – the “whole” story"), PAGE),
    ],
)
def test_a_harmless_variant_is_the_source(reference: WrittenReference, expected: Source) -> None:
    assert matching_source(reference, SOURCES) == expected


@pytest.mark.parametrize(
    "reference",
    [
        ref(),
        ref(" ", " ", " "),
        ref("", "", "PMID: 16236739"),
        ref("Zorvimab after adjuvant chemotherapy", "", "PMID: 16236739"),
        ref("Zorvimab after adjuvant chemotherapy", "", "PMID: 16236738"),
        ref("", "", "PMID: 16236737", "10.1056/NEJMoa052307"),
        ref("", "", "16236737"),
        ref("Zorvimab", "https://pubmed.ncbi.nlm.nih.gov/16236737/"),
        ref("Zorvimab after adjuvant"),
        ref("Zorvimab after adjuvant chemotherapy in women"),
        ref("Zorvimab after adjuvant chemotherapy", year=2006),
        ref("The HERA of zorvimab", year=2005),
        ref("Zorvimab after adjuvant chemotherapy", "https://pubmed.ncbi.nlm.nih.gov.example.com/16236737/"),
        ref("", "https://pubrned.ncbi.nlm.nih.gov/16236737/"),
        ref("", "https://example.com/https://doi.org/10.1056/NEJMoa052306"),
        ref("", "https://doi.org.example.com/10.1056/NEJMoa052306"),
        ref("", "https://example.com\\@pubmed.ncbi.nlm.nih.gov/16236737/"),
        ref("", "https://pubmed.ncbi.nlm.nih.gov@example.com/16236737/"),
        ref("", "https://clinicaltrials.gov.example.com/study/NCT00045032"),
        ref("", "https://clinicaltrials.gov:8080/study/NCT00045032"),
        ref("", "https://example.org/news/42?id=7"),
        ref("", "https://example.org/News/42?id=8"),
        ref("", "https://ехample.org/News/42?id=7"),
        ref("", "http://[broken/"),
        ref("Zorvimab after adjuvant chemotherapy", "ftp://pubmed.ncbi.nlm.nih.gov/16236737/"),
    ],
)
def test_what_disagrees_in_anything_with_every_source_is_none_of_them(reference: WrittenReference) -> None:
    assert matching_source(reference, SOURCES) is None


def test_the_trial_that_a_paper_names_is_not_the_paper() -> None:
    assert matching_source(ref("Zorvimab after adjuvant chemotherapy", "", "NCT00045032"), SOURCES) is None
    assert matching_source(ref("", "", "NCT00045032"), [PAPER]) is None


def test_a_title_that_two_sources_share_names_neither() -> None:
    twin = source(9, Hit.of("web", "t", "https://example.org/t", "Zorvimab."))
    assert matching_source(ref("zorvimab"), [OTHER, twin]) is None
    assert matching_source(ref("zorvimab", year=2005), [OTHER, twin]) == OTHER


def test_a_source_without_a_title_is_not_matched_by_an_empty_one() -> None:
    nameless = source(9, Hit.of("web", "t", "https://example.org/t", ""))
    assert matching_source(ref("..."), [nameless]) is None


def test_no_sources_no_match() -> None:
    assert matching_source(ref("Zorvimab", "https://example.org", "PMID: 1"), []) is None


@given(st.text(), st.text(), st.text(), st.sampled_from(["", "pubmed", "web"]))
def test_whatever_is_written_is_read_without_an_error(title: str, url: str, identifier: str, kind: str) -> None:
    assert SourceIndex(SOURCES).matching(ref(title, url, identifier, kind=kind)) in (None, *SOURCES)


@given(st.sampled_from(SOURCES))
def test_a_reference_copied_from_a_source_is_that_source(one: Source) -> None:
    hit = one.hit
    copied = WrittenReference(hit.title, hit.url, (hit.external_id,), hit.database, hit.year)
    assert SourceIndex(SOURCES).matching(copied) == one


def test_changed_references_are_told_apart_as_measured() -> None:
    bench = Path(__file__).parents[2] / "scripts" / "benches" / "citations.py"
    command = [sys.executable, str(bench), "--json", "--references", "700"]
    measured = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    rows = {(row["variant"], row["kind"]): row for row in json.loads(measured.stdout)["rows"] if row["change"] == "all"}
    assert {key: row["n"] for key, row in rows.items()} == {
        (variant, kind): 700 for variant in ("storm", "title contains") for kind in ("wrong", "harmless")
    }
    assert rows["storm", "wrong"]["mistaken"] == 0
    assert rows["storm", "harmless"]["mistaken"] == 0
    assert rows["title contains", "wrong"]["mistaken"] > 500
