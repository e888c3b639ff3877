"""How much a source's word weighs: by what its record is, and for what it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from storm.evidence.strength import Evidence, evidence_of, weakness_of
from storm.models import Hit, Section, SectionKind
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
EFFICACY, SAFETY, MARKET, MECHANISM = map(
    SYLLABUS.question, ("clinical.efficacy", "clinical.safety", "market.status", "mechanism.moa")
)
TEXT = Section(text="Zorvimab may cause liver failure.")
WARNING = Section(text="Liver failure.", label="BOXED WARNING", kind=SectionKind.LABEL)
STUDIES = Section(text="Fewer relapses.", label="CLINICAL STUDIES", kind=SectionKind.LABEL)


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
    ],
)
def test_the_kind_of_evidence_is_the_one_that_the_records_types_name(
    database: str, types: tuple[str, ...], design: str
) -> None:
    assert evidence_of(record(database, types)) == design


LABEL = record("openfda", ("Drug Label",))
TRIAL = record("pubmed", ("Randomized Controlled Trial",))
CASE = record("pubmed", ("Case Reports",))
PAPER = record("pubmed", ("Review",))


def test_the_warning_of_a_label_comes_before_any_study_and_what_it_tells_of_studies_after_trials() -> None:
    for question in (SAFETY, EFFICACY):
        ordered = [(LABEL, WARNING), (TRIAL, TEXT), (LABEL, STUDIES), (CASE, TEXT)]
        weakness = [weakness_of(hit, section, question) for hit, section in ordered]
        assert weakness == sorted(set(weakness))


def test_of_the_market_the_offices_records_come_first_and_of_facts_none_does() -> None:
    assert weakness_of(LABEL, TEXT, MARKET) < weakness_of(TRIAL, TEXT, MARKET) == weakness_of(PAPER, TEXT, MARKET)
    assert weakness_of(LABEL, TEXT, MECHANISM) == weakness_of(TRIAL, TEXT, MECHANISM)


def test_reviews_of_trials_come_first_and_animals_after_people() -> None:
    order = [*map(evidence_of, (record("pubmed", ("Meta-Analysis",)), TRIAL, LABEL, CASE, PAPER))]
    assert [*order, Evidence.PRECLINICAL] == sorted((*order, Evidence.PRECLINICAL), key=list(Evidence).index)
