"""Independent confirmation within one answer: which works confirm each other, and what that adds to their score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from deep_researched import EFFECT, HARM, PLAN, report, research, section, source, statement

from storm.export import to_markdown
from storm.models import Answer, RelationKind, Retraction, Source, Verdict
from storm.models.dossier import CONFIRMATION

REDUCED = "Metformin reduced mortality compared with placebo."
NOT_REDUCED = "Metformin did not reduce mortality compared with placebo."


def parts_of(
    *works: tuple[Source, str], questions: Sequence[str] = (), verdict: Verdict = Verdict.SUPPORTED
) -> dict[int, int | None]:
    """The points for confirmation of works that state these sentences on these items, by their numbers."""
    asked = questions or [EFFECT] * len(works)
    said = [(key, statement(one.number, text, verdict=verdict)) for key, (one, text) in zip(asked, works, strict=True)]
    answers = [
        Answer(question=key, statements=tuple(one for own, one in said if own == key))
        for key in PLAN.syllabus.keys
    ]  # fmt: skip
    shown = report(sources=tuple(one for one, _ in works), answers=answers, research=research(section()))
    return {int(one.source_id[-3:]): one.score_parts.get(CONFIRMATION) for one in shown.references}


def test_two_independent_works_with_the_same_result_confirm_each_other() -> None:
    assert parts_of((source(1, EFFECT), REDUCED), (source(2, EFFECT), "Mortality was lower with metformin.")) == {
        1: 2, 2: 2,
    }  # fmt: skip


def test_more_works_confirm_more_but_at_most_twice_as_much() -> None:
    works = [(source(n, EFFECT), REDUCED) for n in range(1, 6)]
    assert set(parts_of(*works[:3]).values()) == {4}
    assert set(parts_of(*works).values()) == {4}


def test_a_work_alone_is_not_confirmed() -> None:
    assert parts_of((source(1, EFFECT), REDUCED)) == {1: None}


def test_opposite_results_confirm_nothing() -> None:
    assert parts_of((source(1, EFFECT), REDUCED), (source(2, EFFECT), NOT_REDUCED)) == {1: None, 2: None}


def test_other_outcomes_and_other_items_confirm_nothing() -> None:
    other = "Metformin reduced pain compared with placebo."
    assert set(parts_of((source(1, EFFECT), REDUCED), (source(2, EFFECT), other)).values()) == {None}
    works = (source(1, EFFECT), REDUCED), (source(2, HARM), REDUCED)
    assert set(parts_of(*works, questions=(EFFECT, HARM)).values()) == {None}


@pytest.mark.parametrize(
    "same",
    [
        {"trials": ("NCT00000001",)},
        {"authors": ("Doe J", "Roe R")},
        {"authors": ("DOE J",)},
    ],
)
def test_works_of_one_trial_or_with_an_author_in_common_are_one(same: dict[str, Any]) -> None:
    first = source(1, EFFECT, **({"authors": ("Doe J",)} | same))
    assert parts_of((first, REDUCED), (source(2, EFFECT, **same), REDUCED)) == {1: None, 2: None}


def test_what_a_third_work_joins_is_one() -> None:
    joined = source(3, EFFECT, authors=("Doe 1", "Doe 2"))
    works = [(one, REDUCED) for one in (source(1, EFFECT), source(2, EFFECT), joined)]
    assert set(parts_of(*works).values()) == {None}
    assert set(parts_of(*works, (source(4, EFFECT), REDUCED)).values()) == {2}


def test_the_sign_of_an_incomplete_list_of_authors_is_no_author() -> None:
    works = [(source(n, EFFECT, authors=(f"Doe {n}", "et al")), REDUCED) for n in (1, 2)]
    assert parts_of(*works) == {1: 2, 2: 2}


@pytest.mark.parametrize(
    "other",
    [
        {"publication_types": ("Review",)},
        {"publication_types": ("Meta-Analysis",)},
        {"publication_types": ()},
        {"retraction": Retraction.RETRACTED},
        {"retraction": Retraction.CONCERN},
        {"authors": ()},
    ],
)
def test_reviews_doubted_and_anonymous_works_confirm_nothing(other: dict[str, Any]) -> None:
    assert parts_of((source(1, EFFECT), REDUCED), (source(2, EFFECT, **other), REDUCED)) == {1: None, 2: None}


def test_what_only_mentions_the_drug_confirms_nothing() -> None:
    other = source(2, EFFECT).model_copy(update={"relation_kind": RelationKind.MENTIONED})
    assert parts_of((source(1, EFFECT), REDUCED), (other, REDUCED)) == {1: None, 2: None}


@pytest.mark.parametrize("verdict", [Verdict.UNSUPPORTED, Verdict.UNCHECKED])
def test_statements_that_were_not_found_to_be_supported_confirm_nothing(verdict: Verdict) -> None:
    works = [(source(n, EFFECT), REDUCED) for n in (1, 2)]
    assert parts_of(*works, verdict=verdict) == {1: None, 2: None}


def test_the_score_is_still_the_sum_of_its_parts_and_no_part_lifts_a_level() -> None:
    large = {"text": "Text. " * 50 + "We randomised 2,400 participants.", "year": 2024}
    works = [(source(n, EFFECT, **large), REDUCED) for n in (1, 2, 3)]
    answers = [
        Answer(question=EFFECT, statements=tuple(statement(one.number, text) for one, text in works)),
        *(Answer(question=key) for key in PLAN.syllabus.keys[1:]),
    ]
    for one in report(sources=tuple(one for one, _ in works), answers=answers, research=research()).references:
        assert one.score == sum(one.score_parts.values())
        assert CONFIRMATION in one.score_parts
        assert sum(points for name, points in one.score_parts.items() if name != "design") <= 17


def test_the_references_say_what_is_confirmed() -> None:
    confirmed = "confirmed by independent work in this answer"
    assert to_markdown(report()).count(confirmed) == 2
