"""How much a source weighs: one number with its parts, and what ranks by it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from storm.evidence.levels import _DESIGNS, _SAID
from storm.evidence.score import rate_source, weakness_of
from storm.models import Hit, RelationKind, Retraction, Section, SectionKind, Source
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
EFFICACY, SAFETY, MARKET, MECHANISM = map(
    SYLLABUS.question, ("clinical.efficacy", "clinical.safety", "market.status", "mechanism.moa")
)
RCT = "Randomized Controlled Trial"
ABSTRACT = Section(text="Of 1,200 patients who were randomised, 600 got zorvimab.", kind=SectionKind.ABSTRACT)
BODY = Section(text="Zorvimab helped.", label="Results", kind=SectionKind.RESULTS)


def source(
    *types: str, database: str = "pubmed", kind: RelationKind = RelationKind.ITSELF, number: int = 1, **fields: object
) -> Source:
    hit = Hit.of(
        database, str(number), f"https://example.org/{number}", "Zorvimab", publication_types=types, **fields
    )  # fmt: skip
    return Source(source_id=f"src_{number:03}", number=number, hit=hit, questions=(), relation_kind=kind)


def test_the_score_is_the_sum_of_its_parts() -> None:
    rating = rate_source(source(RCT, sections=(ABSTRACT, BODY), year=2021))
    assert dict(rating.score_parts) == {"design": 65, "text": 6, "size": 8, "date": 3}
    assert (rating.score, rating.level_efficacy, rating.text_read) == (82, 2, "full text")
    small = rate_source(source(RCT, sections=(Section(text="It helped.", kind=SectionKind.ABSTRACT),), year=1985))
    assert (dict(small.score_parts), small.score) == ({"design": 65, "text": 3}, 68)


def test_a_preprint_a_concern_and_another_product_lower_the_score_and_are_named() -> None:
    whole = rate_source(source(RCT)).score
    preprint = rate_source(source(RCT, "Preprint"))
    assert (preprint.preprint, preprint.score_parts["preprint"], preprint.score) == (True, -10, whole - 10)
    assert rate_source(source(RCT, retraction=Retraction.CONCERN)).score_parts["concern"] == -30
    assert rate_source(source(RCT, kind=RelationKind.DERIVATIVE)).score == whole - 15
    assert rate_source(source(RCT, kind=RelationKind.COMBINATION)).score_parts["combination"] == -3
    assert rate_source(source(RCT, kind=RelationKind.MENTIONED)).score == whole - 40


def test_a_retracted_source_scores_nothing_and_no_score_is_below_nothing() -> None:
    for rating in (
        rate_source(source(RCT, retraction=Retraction.RETRACTED, year=2021)),
        rate_source(source("Review", retraction=Retraction.CONCERN, kind=RelationKind.BACKGROUND)),
    ):
        assert rating.score == sum(rating.score_parts.values()) == 0


def test_no_other_part_lifts_a_source_over_one_of_a_higher_level_and_none_has_more_than_a_hundred_points() -> None:
    most = 6 + 8 + 3
    rows = [level for table in (_DESIGNS, _SAID) for level in table.values() if level.efficacy]
    assert max(row.points for row in rows) + most == 100
    for high, low in product(rows, rows):
        if high.efficacy and low.efficacy and high.efficacy < low.efficacy:
            assert high.points > low.points + most


@pytest.mark.parametrize("question", [SAFETY, EFFICACY])
def test_the_warning_of_a_label_comes_before_any_study_and_what_it_says_of_studies_after_trials(
    question: object,
) -> None:
    label, trial, case = source("Drug Label", database="openfda"), source(RCT), source("Case Reports")
    ordered = [(label, "BOXED WARNING"), (trial, "Abstract"), (label, "CLINICAL STUDIES"), (case, "Abstract")]
    weakness = [weakness_of(one, section, question) for one, section in ordered]  # type: ignore[arg-type]
    assert weakness == sorted(set(weakness))


def test_of_the_market_the_offices_records_come_first_and_of_facts_none_does() -> None:
    label, trial, paper = source("Drug Label", database="openfda"), source(RCT), source("Review")
    assert weakness_of(label, "", MARKET) < weakness_of(trial, "", MARKET) == weakness_of(paper, "", MARKET)
    assert weakness_of(label, "", MECHANISM) == weakness_of(trial, "", MECHANISM)


def test_of_two_trials_the_larger_comes_first() -> None:
    large, small = source(RCT, sections=(ABSTRACT,)), source(RCT, sections=(Section(text="It helped."),))
    assert weakness_of(large, "", EFFICACY) < weakness_of(small, "", EFFICACY)
