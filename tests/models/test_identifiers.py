"""When two documents are the same one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.models import find_trials, lookup_keys, number_of_trial
from storm.models.identifiers import (
    identifiers_of,
    normalize_doi,
    normalize_nct,
    normalize_patent,
    normalize_pmcid,
    normalize_pmid,
    normalize_url,
)


@pytest.mark.parametrize(
    "written",
    [
        "11248153",
        " 11248153 ",
        "PMID:11248153",
        "pmid: 11248153",
        "PubMed 11248153",
        "https://pubmed.ncbi.nlm.nih.gov/11248153/",
        "http://www.ncbi.nlm.nih.gov/pubmed/11248153",
        "0011248153",
    ],
)
def test_a_pmid_is_one_whatever_its_form(written: str) -> None:
    assert normalize_pmid(written) == "11248153"


@pytest.mark.parametrize("written", ["", "0", "PMC123", "12a", "NCT00045032", "10.1056/x", "1234567890", "١٢٣"])
def test_what_is_no_pmid_is_none(written: str) -> None:
    assert normalize_pmid(written) is None


@pytest.mark.parametrize(
    "written",
    ["PMC2855860", "pmc2855860", "2855860", "https://pmc.ncbi.nlm.nih.gov/articles/PMC2855860/", "PMC2855860.1"],
)
def test_a_pmcid_is_one_whatever_its_form(written: str) -> None:
    assert normalize_pmcid(written) == "PMC2855860"


@pytest.mark.parametrize(
    "written",
    [
        "10.1056/NEJMoa052306",
        "doi:10.1056/NEJMoa052306",
        "https://doi.org/10.1056/nejmoa052306",
        "http://dx.doi.org/10.1056%2FNEJMoa052306",
        "10.1056/NEJMoa052306.",
    ],
)
def test_a_doi_is_one_whatever_its_form(written: str) -> None:
    assert normalize_doi(written) == "10.1056/nejmoa052306"


def test_a_registry_number_is_upper_case_and_eight_digits() -> None:
    assert normalize_nct("nct00045032") == "NCT00045032"
    assert normalize_nct("NCT0004503") is None


def test_the_kind_code_of_a_us_grant_does_not_count_that_of_an_application_does() -> None:
    assert normalize_patent("US 6,407,213 B1") == normalize_patent("US6407213") == "US6407213"
    assert normalize_patent("US20030086924A1") == "US20030086924A1"
    assert normalize_patent("EP0590058B1") != normalize_patent("EP0590058A1")
    assert normalize_patent("6407213") is None


def test_scheme_www_host_case_final_slash_and_tracking_do_not_count_in_a_url() -> None:
    assert normalize_url("http://www.Example.org/a/?utm_source=x") == normalize_url("https://example.org/a")
    assert normalize_url("https://example.org/a?id=1") != normalize_url("https://example.org/a?id=2")
    assert normalize_url("https://example.org.evil.net/a") != normalize_url("https://example.org/a")
    assert normalize_url("javascript:alert(1)") is None
    assert normalize_url("http://[bad") is None


def test_a_web_page_is_identified_by_its_url_only_without_another_identifier() -> None:
    page = identifiers_of("web", "page-1", url="https://example.org/a")
    assert set(page) == {"web:page-1", "url:example.org/a"}
    article = identifiers_of("web", "page-1", url="https://example.org/a", doi="10.1000/x")
    assert "url:example.org/a" not in article


@pytest.mark.parametrize(
    "written", ["10.1000/a%00b", "10.1000/a\x7f", "10.1000/\ud800", "10.\u0661\u0660\u0660\u0660/a"]
)
def test_what_no_doi_may_hold_makes_it_none(written: str) -> None:
    assert normalize_doi(written) is None


def test_an_address_that_is_no_text_is_compared_all_the_same() -> None:
    assert normalize_url("https://example.org/a?b=\ud800") == "example.org/a?b=%3F"


def test_pmid_comes_before_pmcid_before_doi_before_a_database_s_own_id() -> None:
    found = identifiers_of("europepmc", "MED:1", pmid="1", pmcid="PMC2", doi="10.1000/x")
    assert found == ("pmid:1", "pmcid:PMC2", "doi:10.1000/x", "europepmc:MED:1")


@given(st.text(max_size=80))
def test_normalising_is_idempotent_and_never_fails(text: str) -> None:
    for normalise in (normalize_pmid, normalize_pmcid, normalize_doi, normalize_nct, normalize_patent):
        once = normalise(text)
        assert once is None or normalise(once) == once
    normalize_url(text)
    assert lookup_keys("web", text, text)


def test_trials_are_found_once_each_in_their_order() -> None:
    assert find_trials("NCT00045032, nct01041404; NCT00045032") == ("NCT00045032", "NCT01041404")
    assert number_of_trial(("ISRCTN12345678", "NCT00000001")) == "NCT00000001", "one trial in two registries"
    assert number_of_trial(("NCT00000001", "NCT00000002")) == number_of_trial(()) == ""
    assert find_trials("ISRCTN 83088383, UMIN-000010445, ChiCTR-TRC-12001958, IRCT2016061128392N1, EXP12345678") == (
        "ISRCTN83088383", "UMIN000010445", "CHICTR-TRC-12001958", "IRCT2016061128392N1",
    )  # fmt: skip
