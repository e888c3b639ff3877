"""The literature readers on recorded answers of the services, where those are at hand."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers
from sections import in_abstract

from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.jats import read_jats
from storm.databases.formats.medline import read_medline
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.errors import RecordError
from storm.models import Hit, Retraction, SectionKind

pytestmark = needs_recorded_answers

Reader = Callable[[BinaryIO], Iterator[Hit | RecordError]]

#: Files of these folders that hold no record of the folder's format.
NO_RECORDS = {
    "pubmed": ("biopython_e*", "biopython_pubmed3.html", "error_*", "esearch_*", "vcr_query*", "vcr_search*"),
    "pmc": ("oa_fcgi*", "*.json"),
    "europepmc": ("*.xml",),
}


def files(folder: str) -> list[Path]:
    return sorted((PAYLOADS / folder).glob("*"))


def reader_of(path: Path) -> Reader:
    if path.parent.name == "pubmed":
        return read_medline if path.suffix in (".nbib", ".txt") else read_pubmed
    return read_jats if path.parent.name == "pmc" else read_europepmc


def read(path: Path, reader: Reader | None = None) -> list[Hit | RecordError]:
    with path.open("rb") as stream:
        return list((reader or reader_of(path))(stream))


def hits(name: str) -> list[Hit]:
    found = read(PAYLOADS / name)
    assert all(isinstance(item, Hit) for item in found), found
    return [item for item in found if isinstance(item, Hit)]


def has_records(path: Path) -> bool:
    return not any(path.match(pattern) for pattern in NO_RECORDS[path.parent.name])


ALL = [*files("pubmed"), *files("pmc"), *files("europepmc")]


@pytest.mark.parametrize("path", list(filter(has_records, ALL)), ids=lambda path: path.name)
def test_every_recorded_file_of_records_is_read_whole(path: Path) -> None:
    for item in read(path):
        assert isinstance(item, Hit), item
        assert item.title
        assert not re.search(r"</?[a-z]|&[a-z]+;", item.title)
        assert item.year is None or 1900 < item.year < 2030
        assert "  " not in item.title


@pytest.mark.parametrize("path", [path for path in ALL if not has_records(path)], ids=lambda path: path.name)
def test_every_other_recorded_file_is_one_error_that_says_so(path: Path) -> None:
    (found,) = read(path)
    assert isinstance(found, RecordError)
    assert re.search("not (?:PubMed XML|JATS XML|JSON|well-formed XML)", str(found))


def test_a_chapter_of_genereviews() -> None:
    (found,) = hits("pubmed/efetch_20301577.xml")
    assert found.title == "CACNA1C-Related Disorders"
    assert found.container == "GeneReviews®"
    assert found.identifiers == ("pmid:20301577",)
    assert found.authors == ("Napolitano C", "Priori SG")
    assert (found.date, found.publication_types) == ("2006-02-15", ("Review",))
    labels = [section.label for section in found.sections]
    assert labels == ["CLINICAL CHARACTERISTICS", "DIAGNOSIS/TESTING", "MANAGEMENT", "GENETIC COUNSELING"]


def test_a_whole_book_under_a_bare_root() -> None:
    (found,) = hits("pubmed/jabref_bookarticle.xml")
    title = "Rheumatoid Arthritis: National Clinical Guideline for Management and Treatment in Adults"
    assert (found.title, found.date) == (title, "2009-02")
    assert found.authors == ("National Collaborating Centre for Chronic Conditions (UK)", "Williams DA")
    assert found.sections == (in_abstract("", "just a dummy."),)


def test_mathml_in_an_abstract() -> None:
    (found,) = hits("pubmed/jabref_mathml_title.xml")
    assert found.text.startswith("Following are examples of MathML elements: ηp^2 ")
    assert "(a+1)/b" in found.text
    (lactate,) = hits("pubmed/biopython_pubmed6.xml")
    assert "15.0 ± 1.1 km·h^-1" in lactate.text
    (lung,) = hits("pubmed/biopython_pubmed7.xml")
    assert "inhaled ^3He/^129Xe" in lung.text


def test_a_bare_article_without_doi_or_abstract() -> None:
    (found,) = hits("pubmed/efetch_sulpub_10000166.xml")
    assert found.identifiers == ("pmid:10000166",)
    assert found.authors == ("Kostek S", "Schwartz LM", "Johnson DL")
    assert (found.date, found.container, found.sections) == ("1992-02-05", "Phys. Rev., B Condens. Matter", ())


def test_the_collection_of_biopython() -> None:
    season, day = hits("pubmed/biopython_pubmed1.xml")
    assert (season.date, season.authors, season.identifiers) == ("1990", ("Olivero JM",), ("pmid:12091962",))
    assert (day.date, day.identifiers) == ("1976-09-28", ("pmid:9997", "doi:10.1016/0005-2795(76)90109-4"))
    (telomere,) = hits("pubmed/biopython_pubmed4.xml")
    assert telomere.identifiers == ("pmid:27797938", "pmcid:PMC5442267", "doi:10.1136/gutjnl-2016-312510")
    assert [section.label for section in telomere.sections] == ["OBJECTIVE", "DESIGN", "RESULTS", "CONCLUSIONS"]
    assert telomere.date == "2017-06"


def test_a_retracted_article_and_its_notices() -> None:
    (found,) = hits("pubmed/efetch_factoid_9500320.xml")
    assert found.retraction is Retraction.RETRACTED
    assert "Retracted: Lancet. 2010 Feb 6;375(9713):445 (PMID 20137807)" in found.notices
    assert found.notices[0] == "Erratum: Lancet. 2004 Mar 6;363(9411):750 (PMID 15016483)"
    assert found.notices[2].startswith("Expression of concern: Eur J Gastroenterol Hepatol. 2011 Nov;")


def test_an_erratum_is_not_retracted() -> None:
    (found,) = hits("pubmed/efetch_38962805.xml")
    assert found.retraction is Retraction.NOT_RETRACTED
    assert found.notices == (
        "Erratum for: AIDS Care. 2024 Jul;36(sup1):24-35. doi: 10.1080/09540121.2024.2308745. (PMID 38446048)",
    )


def test_dates_and_lists_of_old_and_large_records() -> None:
    assert hits("pubmed/efetch_factoid_151222.xml")[0].date == "1978-07"
    assert len(hits("pubmed/vcr_long_record_gt64kb.xml")[0].authors) == 474
    assert [found.external_id for found in hits("pubmed/vcr_efetch_list.xml")] == ["211", "589", "591", "960"]
    assert hits("pubmed/efetch_reciter_32025781.xml")[0].authors == ()


def test_an_empty_set_holds_nothing_and_is_no_error() -> None:
    assert read(PAYLOADS / "pubmed/vcr_efetch_empty.xml") == []
    assert read(PAYLOADS / "europepmc/search_no_results.json") == []


def test_medline_texts() -> None:
    first, second = hits("pubmed/medline_manubot.nbib")
    assert first.identifiers == ("pmid:29424689", "pmcid:PMC5832410", "doi:10.7554/elife.32822")
    assert (second.external_id, second.date) == ("28288103", "2017-04")
    (focused,) = hits("pubmed/medline_pubmed_result3.txt")
    assert [section.label for section in focused.sections] == ["PURPOSE", "METHODS", "RESULTS", "CONCLUSIONS"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pubmed/biopython_esearch8.xml", "not PubMed XML: the root element is eSearchResult"),
        ("pubmed/biopython_esummary8.xml", "not PubMed XML: the root element is eSummaryResult"),
        ("pubmed/biopython_elink1.xml", "not PubMed XML: the root element is eLinkResult"),
        ("pmc/oa_fcgi_not_open_access.xml", "not JATS XML: the root element is OA"),
    ],
)
def test_answers_that_are_no_records_are_named(name: str, reason: str) -> None:
    (found,) = read(PAYLOADS / name)
    assert str(found).startswith(reason)


def test_a_page_of_pmc_instead_of_an_article() -> None:
    (found,) = read(PAYLOADS / "html" / "pmc_proof_of_work_interstitial.html", read_jats)
    assert isinstance(found, RecordError)


def test_full_texts() -> None:
    (trial,) = hits("pmc/PMC4141807.nxml")
    assert trial.identifiers == ("pmid:25148570", "pmcid:PMC4141807", "doi:10.1371/journal.pone.0105698")
    assert "BMI≥28 kg/m^2" in trial.text
    (fourth,) = [s.text for s in trial.sections if (s.kind, s.place) == (SectionKind.CAPTION, "Table 4")]
    assert fourth.startswith("The changes of lipid profile and blood pressure")
    closed, preprint = hits("pmc/kdense_jats_no_body.xml")[0], hits("pmc/kdense_jats_europepmc.xml")[0]
    assert (closed.external_id, closed.sections) == ("PMC1500000", ())
    assert preprint.authors == ("Kruse RL",)
    one, other = hits("pmc/efetch_pmc3040717.xml")[0], hits("pmc/oa_s3_pmc3040717.1.xml")[0]
    assert one == other
    assert one.date == "2010-06-15"


def test_a_correction_from_efetch_names_what_it_corrects() -> None:
    (found,) = read(PAYLOADS / "pubmed/biopython_efetch_pmc.xml", read_jats)
    assert isinstance(found, Hit)
    assert found.publication_types == ("Correction", "Author Correction")
    assert found.notices == ("Erratum for: 10.1183/23120541.00193-2021",)


def test_a_thousand_results_of_europe_pmc() -> None:
    found = hits("europepmc/search_1000results_cancer.json")
    by_source = {source: sum(hit.external_id.startswith(source) for hit in found) for source in ("MED", "PMC", "PPR")}
    assert by_source == {"MED": 923, "PMC": 53, "PPR": 24}
    assert all(hit.container for hit in found if hit.external_id.startswith("PPR"))
    notice = next(hit for hit in found if hit.external_id == "MED:40517245")
    assert (notice.retraction, notice.identifiers[0]) == (Retraction.NOT_RETRACTED, "pmid:40517245")
    assert len({hit.key for hit in found}) == 1000


def test_core_results_have_abstracts_with_their_headings() -> None:
    found = hits("europepmc/search_cancer_core.json")
    assert sum(bool(hit.sections) for hit in found) == 21
    labels = [section.label for section in found[2].sections]
    assert labels == ["Objective", "Design", "Methods", "Results", "Conclusions"]
    assert any("(at p < .001)" in hit.text for hit in found)
