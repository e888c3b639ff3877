"""The kind of evidence that a record is."""

from __future__ import annotations

import pytest

from storm.evidence.strength import evidence_of
from storm.models import Evidence, Hit


def record(database: str, types: tuple[str, ...], title: str = "Zorvimab") -> Hit:
    return Hit.of(database, "1", "https://example.org/1", title, publication_types=types)


@pytest.mark.parametrize(
    ("database", "types", "design"),
    [
        ("pubmed", ("Journal Article", "Randomized Controlled Trial"), "randomised trial"),
        ("pubmed", ("Randomized Controlled Trial", "Meta-Analysis"), "meta-analysis or systematic review"),
        ("pubmed", ("Systematic Review",), "meta-analysis or systematic review"),
        ("pubmed", ("Clinical Trial, Phase II",), "other clinical trial"),
        ("pubmed", ("Observational Study",), "observational study"),
        ("pubmed", ("Review",), "review or guideline"),
        ("pubmed", ("Journal Article",), "other"),
        ("clinicaltrials", ("Interventional",), "other clinical trial"),
        ("clinicaltrials", ("Observational",), "observational study"),
        ("clinicaltrials", (), "other clinical trial"),
        ("patents", ("Patent",), "patent"),
        ("openfda", ("Drug Label",), "regulatory record"),
        ("pubmed", ("Journal Article", "Drug Labeling", "Patents"), "other"),
        ("pubmed", ("Journal Article", "Drug Approval"), "other"),
    ],
)
def test_the_kind_of_evidence_is_the_one_that_the_records_types_name(
    database: str, types: tuple[str, ...], design: str
) -> None:
    assert evidence_of(record(database, types)) == design


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.ema.europa.eu/en/medicines/human/EPAR/zorvex", Evidence.REGULATORY),
        ("https://www.accessdata.fda.gov/drugsatfda_docs/zorvex.pdf", Evidence.REGULATORY),
        ("https://notfda.gov/zorvex", Evidence.OTHER),
        ("https://fda.gov.example.org/zorvex", Evidence.OTHER),
        ("https://news.example.org/?from=fda.gov", Evidence.OTHER),
    ],
)
def test_a_page_of_an_agency_itself_is_a_regulatory_record(url: str, kind: Evidence) -> None:
    page = Hit.of("web", "1", url, "Zorvex", publication_types=("Web page",))
    assert evidence_of(page) is kind


def test_reviews_of_trials_come_first_and_animals_after_people() -> None:
    records = (
        record("pubmed", ("Meta-Analysis",)), record("pubmed", ("Randomized Controlled Trial",)),
        record("openfda", ("Drug Label",)), record("pubmed", ("Case Reports",)), record("pubmed", ("Review",)),
    )  # fmt: skip
    order = [*map(evidence_of, records)]
    assert [*order, Evidence.PRECLINICAL] == sorted((*order, Evidence.PRECLINICAL), key=list(Evidence).index)
