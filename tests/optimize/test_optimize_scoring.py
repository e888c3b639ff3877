"""The metric: what a real dossier scores, which way each part moves it, and what is said of what was missing."""

from __future__ import annotations

import pytest
from optimize.example import settings

import storm
from storm.models import Answer, Dossier, Spent, StatementCounts
from storm.optimize.scoring import (
    COST,
    COVERAGE,
    DATABASES,
    QUOTES,
    gathering_feedback,
    score_dossier,
    writing_feedback,
)

NOTHING = Spent()


@pytest.fixture(scope="module")
def dossier(tmp_path_factory: pytest.TempPathFactory) -> Dossier:
    """The dossier of metformin that the sample gives without a model."""
    return storm.run("metformin", offline=True, settings=settings(tmp_path_factory.mktemp("metric")))


def with_counts(dossier: Dossier, *, written: int, supported: int, unjudged: int = 0) -> Dossier:
    """The same with so many statements in each answer."""
    removed = written - supported - unjudged
    counts = StatementCounts.of(supported=supported, removed=removed, marked=0, unjudged=unjudged)
    answers = tuple(answer.model_copy(update={"counts": counts}) for answer in dossier.answers)
    return dossier.model_copy(update={"answers": answers})


def with_sources(dossier: Dossier, **changes: int) -> Dossier:
    """The same with these numbers of sources for the first questions."""
    state = dossier.coverage
    questions = tuple(q.model_copy(update=changes) for q in state.questions)
    return dossier.model_copy(update={"coverage": state.model_copy(update={"questions": questions})})


def test_the_parts_come_to_one() -> None:
    assert pytest.approx(1.0) == COVERAGE + QUOTES + DATABASES


@pytest.mark.slow
def test_a_complete_dossier_whose_statements_are_all_supported_scores_one(dossier: Dossier) -> None:
    whole = with_counts(with_sources(dossier, sources=9), written=4, supported=4)
    assert score_dossier(whole, NOTHING) == (1.0, 1.0, 1.0, NOTHING)
    assert score_dossier(whole, NOTHING).value == 1.0


def test_nothing_found_scores_nothing(dossier: Dossier) -> None:
    empty = with_sources(dossier, sources=0)
    empty = empty.model_copy(update={"coverage": empty.coverage.model_copy(update={"databases": ()})})
    assert score_dossier(empty, Spent(3, 500_000, 0)).value == 0.0


def test_half_of_the_sources_give_half_of_the_coverage(dossier: Dossier) -> None:
    assert score_dossier(with_sources(dossier, sources=2, min_sources=4), NOTHING).coverage == 0.5


def test_more_sources_than_needed_give_no_more(dossier: Dossier) -> None:
    assert score_dossier(with_sources(dossier, sources=40, min_sources=4), NOTHING).coverage == 1.0


def test_the_quotes_are_the_share_of_what_was_written(dossier: Dossier) -> None:
    assert score_dossier(with_counts(with_sources(dossier, sources=5), written=4, supported=3), NOTHING).quotes == 0.75


def test_statements_that_nobody_judged_are_not_taken_for_supported(dossier: Dossier) -> None:
    full = with_sources(dossier, sources=5)
    assert score_dossier(with_counts(full, written=10, supported=0, unjudged=10), NOTHING).quotes == 0.0
    some = with_counts(full, written=4, supported=2, unjudged=1)
    assert score_dossier(some, NOTHING).quotes == 0.5
    feedback = "\n".join(writing_feedback(some))
    assert f"{full.answers[0].question}: 1 of 4 statements was not judged" in feedback
    assert "Every statement" not in "\n".join(writing_feedback(with_counts(full, written=4, supported=0, unjudged=4)))


def test_an_unanswered_question_that_has_sources_counts_nothing(dossier: Dossier) -> None:
    full = with_counts(with_sources(dossier, sources=5), written=4, supported=4)
    first, *others = full.answers
    silent = full.model_copy(update={"answers": (Answer(question=first.question), *others)})
    assert score_dossier(silent, NOTHING).quotes == pytest.approx(1 - 1 / len(full.answers))


def test_a_question_without_sources_is_no_fault_of_the_writer(dossier: Dossier) -> None:
    full = with_counts(with_sources(dossier, sources=5), written=4, supported=4)
    state = full.coverage
    without = state.model_copy(update={"questions": (state.questions[0].model_copy(update={"sources": 0}),
                                                     *state.questions[1:])})  # fmt: skip
    assert score_dossier(full.model_copy(update={"coverage": without}), NOTHING).quotes == 1.0


def test_databases_count_against_what_the_syllabus_wants(dossier: Dossier) -> None:
    one = dossier.coverage.model_copy(update={"databases": ("pubmed",), "min_databases": 4})
    assert score_dossier(dossier.model_copy(update={"coverage": one}), NOTHING).databases == 0.25


def test_tokens_take_off_a_tenth_at_most(dossier: Dossier) -> None:
    whole = with_counts(with_sources(dossier, sources=9), written=4, supported=4)
    values = [score_dossier(whole, Spent(1, tokens, 0)).value for tokens in (0, 250_000, 500_000, 9_000_000)]
    assert values == pytest.approx([1.0, 1 - COST / 2, 1 - COST, 1 - COST])


def test_what_was_missing_is_reported(dossier: Dossier) -> None:
    short = with_sources(dossier, sources=1, min_sources=5)
    feedback = "\n".join(gathering_feedback(short, Spent(7, 900, 100)))
    key = short.coverage.questions[0].question
    assert f"{key} ({short.coverage.questions[0].label}) has 1 of the 5 sources that it needs." in feedback
    assert "It took 7 calls, 1,000 tokens, price unknown." in feedback
    assert "Every question has its sources." in "\n".join(gathering_feedback(with_sources(short, sources=5), NOTHING))


def test_statements_that_were_lost_and_questions_without_any_are_reported(dossier: Dossier) -> None:
    full = with_sources(dossier, sources=5)
    lost = "\n".join(writing_feedback(with_counts(full, written=4, supported=1)))
    assert f"{full.answers[0].question}: 3 of 4 statements are not supported by their source" in lost
    silent = "\n".join(writing_feedback(with_counts(full, written=0, supported=0)))
    assert "no statement was written from its sources (5)" in silent
    assert "supported by its source" in "\n".join(writing_feedback(with_counts(full, written=4, supported=4)))
