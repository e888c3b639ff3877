"""Which collected source a written reference is: only the one that everything in it agrees with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.citations.references import (
    SourceIndex,
    WrittenReference,
    is_address_of,
    matching_source,
    states_other_work,
)
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
    Hit.of(
        "pubmed", "16236738", "https://pubmed.ncbi.nlm.nih.gov/16236738/", "Zorvimab", year=2005, doi="10.1000/b(2)"
    ),
)
TRIAL = source(
    3, Hit.of("clinicaltrials", "NCT00045032", "https://clinicaltrials.gov/study/NCT00045032", "The HERA of zorvimab")
)
PAGE = source(4, Hit.of("web", "p", "https://www.Example.org/News/42?id=7", "Café IL‑2 news — the «whole» story"))
PATENT = source(5, Hit.of("patents", "US6407213B1", "https://patents.example/US6407213B1", "Humanised antibodies"))
MOLECULE = source(6, Hit.of("chembl", "CHEMBL1201585", "https://www.ebi.ac.uk/chembl/x/CHEMBL1201585", "ZORVIMAB"))
EUROPEAN = source(7, Hit.of("register", "2005-001234-12", "https://register.example/7", "A European trial"))
BRITISH = source(8, Hit.of("register", "ISRCTN12345678", "https://register.example/8", "A British trial"))
PREPRINT = source(9, Hit.of("europepmc", "PPR:PPR123456", "https://europepmc.org/article/PPR/PPR123456", "A preprint"))
SOURCES = [PAPER, OTHER, TRIAL, PAGE, PATENT, MOLECULE, EUROPEAN, BRITISH, PREPRINT]


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
        (ref("", "", "PMID:16236737."), PAPER),
        (ref("", "", "(PMID: 16236737)"), PAPER),
        (ref("", "", "[PMID 16236737];"), PAPER),
        (ref("", "", "PubMed ID: 16236737"), PAPER),
        (ref("", "", "PubMed PMID: 16236737."), PAPER),
        (ref("", "", "PMID&#58; 16236737"), PAPER),
        (ref("", "", "PMCID: PMC2855860."), PAPER),
        (ref("", "", "PMC ID 2855860"), PAPER),
        (ref("", "", "PubMed Central PMCID: PMC2855860"), PAPER),
        (ref("", "", "doi 10.1056/NEJMoa052306"), PAPER),
        (ref("", "", "doi:https://doi.org/10.1056/NEJMoa052306"), PAPER),
        (ref("", "", "DOI: https://dx.doi.org/10.1056/NEJMoa052306."), PAPER),
        (ref("", "", "info:doi/10.1056/NEJMoa052306"), PAPER),
        (ref("", "", "(doi: 10.1056/NEJMoa052306)."), PAPER),
        (ref("", "", "(doi:10.1000/b(2))"), OTHER),
        (ref("", "", "10.1000/b(2)."), OTHER),
        (ref("", "", "ClinicalTrials.gov Identifier: NCT00045032"), TRIAL),
        (ref("", "", "ClinicalTrials.gov number, NCT00045032."), TRIAL),
        (ref("", "", "NCT number: NCT00045032"), TRIAL),
        (ref("", "", "EudraCT Number: 2005-001234-12"), EUROPEAN),
        (ref("", "", "ISRCTN 12345678"), BRITISH),
        (ref("", "https://www.isrctn.com/ISRCTN12345678"), BRITISH),
        (ref("", "https://www.clinicaltrialsregister.eu/ctr-search/trial/2005-001234-12/DE"), EUROPEAN),
        (ref("", "<https://pubmed.ncbi.nlm.nih.gov/16236737/>"), PAPER),
        (ref("", "https://pubmed.ncbi.nlm.nih.gov/16236737/,"), PAPER),
        (ref("", "(http://pubmed.ncbi.nlm.nih.gov/16236737)."), PAPER),
        (ref("", "https://www.ncbi.nlm.nih.gov/pubmed/?term=16236737"), PAPER),
        (ref("", "https://pubmed.ncbi.nlm.nih.gov/?term=16236737%5Buid%5D"), PAPER),
        (ref("", "https://europepmc.org/article/MED/16236737"), PAPER),
        (ref("", "europepmc.org/abstract/MED/16236737"), PAPER),
        (ref("", "http://europepmc.org/articles/PMC2855860?pdf=render"), PAPER),
        (ref("", "https://europepmc.org/article/PMC/PMC2855860"), PAPER),
        (ref("", "https://europepmc.org/abstract/PPR/PPR123456"), PREPRINT),
        (ref("", "", "https://europepmc.org/article/ppr/ppr123456"), PREPRINT),
        (ref("", "", "PMID-16236737"), PAPER),
        (ref("", "", "trial registration: ClinicalTrials.gov NCT00045032"), TRIAL),
        (ref("", "https://pmc.ncbi.nlm.nih.gov/articles/PMC2855860/pdf/nihms1.pdf"), PAPER),
        (ref("", "https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/16236737/"), PAPER),
        (ref("", "https://clinicaltrials.gov/ct2/show/NCT00045032?term=x"), TRIAL),
        (ref("", "https://clinicaltrials.gov:443/study/NCT00045032"), TRIAL),
        (ref("", "&lt;https://www.example.org/News/42?a=&amp;id=7&gt;"), PAGE),
        (ref("", "https://www.example.org/News/%34%32?id=7"), PAGE),
        (ref("“Zorvimab after adjuvant chemotherapy.”"), PAPER),
        (ref("&lt;i&gt;Zorvimab&lt;/i&gt; after adjuvant&nbsp;chemotherapy,"), PAPER),
        (ref("", "", "**PMID: 16236737**"), PAPER),
        (ref("", "", "**PMID:** 16236737"), PAPER),
        (ref("*Zorvimab after adjuvant chemotherapy*"), PAPER),
        (ref("**Zorvimab after adjuvant chemotherapy.**"), PAPER),
        (ref("", "", "[16236737](https://pubmed.ncbi.nlm.nih.gov/16236737/)"), PAPER),
        (ref("", "", "[PMID: 16236737](https://pubmed.ncbi.nlm.nih.gov/16236737/)."), PAPER),
        (ref("", "[PubMed](https://pubmed.ncbi.nlm.nih.gov/16236737/)"), PAPER),
        (ref("[Zorvimab after adjuvant chemotherapy](https://doi.org/10.1056/NEJMoa052306)"), PAPER),
        (ref("", "[1](https://doi.org/10.1000/b(2))"), OTHER),
        (ref("", "", "PMID: 16236737; PMCID: PMC2855860"), PAPER),
        (ref("", "", "doi: 10.1056/NEJMoa052306. PMID: 16236737; PMCID: PMC2855860."), PAPER),
        (ref("", "", "PMID: 16236737 [Indexed for MEDLINE]"), PAPER),
        (ref("", "", "PMID: 16236737 [PubMed - indexed for MEDLINE]; PMCID: PMC2855860 Free PMC article."), PAPER),
        (ref("", "", "PMID：16236737"), PAPER),
        (ref("", "https://www.nejm.org/doi/full/10.1056/NEJMoa052306"), PAPER),
        (ref("", "https://www.nejm.org/doi/abs/10.1056/nejmoa052306?query=x"), PAPER),
        (ref("", "nejm.org/doi/10.1056%2FNEJMoa052306"), PAPER),
        (ref("", "https://academic.oup.com/brain/article/doi/10.1056/NEJMoa052306/full"), PAPER),
        (ref("", "", "https://onlinelibrary.wiley.com/doi/pdf/10.1056/NEJMoa052306"), PAPER),
        (ref("", "", "doi:10.1056/NEJMoa052306 (2005)"), PAPER),
        (ref("", "", "NCT 00045032"), TRIAL),
        (ref("", "", "NCT number 00045032"), TRIAL),
        (ref("", "", "NCT-00045032"), TRIAL),
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
        ref("", "https://clinicaltrials.gov/x%2F..%2Fstudy/NCT00045032"),
        ref("", "https://clinicaltrials.gov/x/../study/NCT00045032"),
        ref("", "https://clinicaltrials.gov/x/%2e%2e/study/NCT00045032"),
        ref("", "https://clinicaltrials.gov/x%5C..%5Cstudy/NCT00045032"),
        ref("", "https://clinicaltrials.gov/elsewhere/NCT00045032"),
        ref("", "ftp://clinicaltrials.gov/study/NCT00045032"),
        ref("", "file://clinicaltrials.gov/study/NCT00045032"),
        ref("", "file:///clinicaltrials.gov/study/NCT00045032"),
        ref("", "ftp://doi.org/10.1056/NEJMoa052306"),
        ref("", "ftp://www.example.org/News/42?id=7"),
        ref("", "https://www.example.org/x%2F..%2FNews/42?id=7"),
        ref("", "https://www.example.org/News%2F42?id=7"),
        ref("", "https://user@www.example.org/News/42?id=7"),
        ref("", "https://clinicaltrials.gov@evil.example/study/NCT00045032"),
        ref("", "https://europepmc.org.evil.example/article/MED/16236737"),
        ref("", "https://europepmc.org:8080/article/MED/16236737"),
        ref("", "https://europepmc.org/article/PPR/16236737"),
        ref("", "https://еuropepmc.org/article/MED/16236737"),
        ref("", "https://pubmed.ncbi.nlm.nih.gov/?term=zorvimab+16236737"),
        ref("", "https://www.ncbi.nlm.nih.gov/pubmed/?term=16236737+OR+1"),
        ref("", "https://evil.example/?u=https://pubmed.ncbi.nlm.nih.gov/16236737/"),
        ref("", "", "doi:https://evil.example/10.1056/NEJMoa052306"),
        ref("", "", "PMID: 16236737 and 1"),
        ref("", "", "PMID: 162367371"),
        ref("", "", "PMC ID 16236737"),
        ref("", "", "ISRCTN12345679"),
        ref("", "", "PMID: " + "9" * 5_000),
        ref("", "https://clinicaltrials.gov/study%2FNCT00045032"),
        ref("", "https://clinicaltrials.gov/ct2%2Fshow/NCT00045032"),
        ref("", "", "**PMID: 16236739**"),
        ref("", "", "PMID: 16236737; PMCID: PMC2855861"),
        ref("", "", "PMID: 16236737, PMID: 16236738"),
        ref("", "", "[PMID: 16236738](https://pubmed.ncbi.nlm.nih.gov/16236737/)"),
        ref("", "", "[16236738](https://pubmed.ncbi.nlm.nih.gov/16236737/)"),
        ref("", "[A quite different title altogether](https://pubmed.ncbi.nlm.nih.gov/16236737/)"),
        ref("[Zorvimab](https://doi.org/10.1056/NEJMoa052306)"),
        ref("", "[PubMed](https://evil.example/16236737/)", "PMID: 16236737"),
        ref("", "", "doi:10.1056/NEJMoa052306 (2006)"),
        ref("", "https://www.nejm.org.evil.example/doi/full/10.1056/NEJMoa052306"),
        ref("", "https://evil.example/doi/full/10.1056/NEJMoa052306"),
        ref("", "https://www.nejm.org:8080/doi/full/10.1056/NEJMoa052306"),
        ref("", "ftp://www.nejm.org/doi/full/10.1056/NEJMoa052306"),
        ref("", "https://www.nejm.org/doi/x/../full/10.1056/NEJMoa052306"),
        ref("", "https://www.nejm.org/search?q=/doi/10.1056/NEJMoa052306"),
        ref("", "", "NCT 000450321"),
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


def test_an_address_in_any_form_is_the_record_s_own_and_that_of_another_work_is_none() -> None:
    for url in (
        "http://pubmed.ncbi.nlm.nih.gov/16236737",
        "europepmc.org/article/MED/16236737",
        "<doi.org/10.1056/NEJMoa052306>",
    ):
        assert is_address_of(url, PAPER.hit) and not states_other_work(url, PAPER.hit)
    for other in (
        "https://pubmed.ncbi.nlm.nih.gov/16236738/",
        "**PMID: 16236738**",
        "[PMID 16236738](https://pubmed.ncbi.nlm.nih.gov/16236737/)",
        "PMID: 16236737; PMID: 16236738",
    ):
        assert states_other_work(other, PAPER.hit)
    assert not states_other_work("https://clinicaltrials.gov/study/NCT00045032", PAPER.hit)
    assert not states_other_work("https://example.org/", PAPER.hit)


def test_a_text_too_long_for_a_title_is_that_of_no_source() -> None:
    assert matching_source(ref(PAPER.hit.title + " " * 6_000, "", "PMID: 16236737"), SOURCES) is None


def test_no_sources_no_match() -> None:
    assert matching_source(ref("Zorvimab", "https://example.org", "PMID: 1"), []) is None


@given(st.text(), st.text(), st.text(), st.sampled_from(["", "pubmed", "web"]))
def test_whatever_is_written_is_read_without_an_error(title: str, url: str, identifier: str, kind: str) -> None:
    assert SourceIndex(SOURCES).find_match(ref(title, url, identifier, kind=kind)) in (None, *SOURCES)


@given(st.sampled_from(SOURCES))
def test_a_reference_copied_from_a_source_is_that_source(one: Source) -> None:
    hit = one.hit
    copied = WrittenReference(hit.title, hit.url, (hit.external_id,), hit.database, hit.year)
    assert SourceIndex(SOURCES).find_match(copied) == one


@pytest.mark.long
@pytest.mark.slow
def test_wrong_and_harmless_changes_are_distinguished_as_measured() -> None:
    bench = Path(__file__).parents[2] / "scripts" / "benches" / "citations.py"
    command = [sys.executable, str(bench), "--json", "--references", "700"]
    measured = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    rows = {(row["variant"], row["kind"]): row for row in json.loads(measured.stdout)["rows"] if row["change"] == "all"}
    assert {key: row["n"] for key, row in rows.items()} == {
        (variant, kind): 700 for variant in ("storm", "report", "title contains") for kind in ("wrong", "harmless")
    }
    for variant in ("storm", "report"):
        assert rows[variant, "wrong"]["mistaken"] == rows[variant, "harmless"]["mistaken"] == 0
    assert rows["title contains", "wrong"]["mistaken"] > 500
