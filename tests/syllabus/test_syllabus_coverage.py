"""What of a syllabus is covered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storm.models import Question, Syllabus
from storm.syllabus.coverage import coverage, neediest_first


def syllabus(minimums: list[int], min_databases: int = 2) -> Syllabus:
    questions = [
        Question(key=f"q{n}", label="Label", description="What it asks", min_sources=minimum)
        for n, minimum in enumerate(minimums)
    ]
    return Syllabus(name="test", questions=tuple(questions), min_databases=min_databases)


def test_ready_needs_every_minimum_and_enough_databases() -> None:
    two = syllabus([2, 1])
    assert coverage(two, {"q0": 2, "q1": 3}, ["pubmed", "web"], 4).ready
    assert not coverage(two, {"q0": 1, "q1": 3}, ["pubmed", "web"], 4).ready
    assert not coverage(two, {"q0": 2, "q1": 3}, ["pubmed", "pubmed"], 4).ready


def test_counts_of_unknown_questions_are_ignored_and_missing_ones_are_none() -> None:
    state = coverage(syllabus([2]), {"other": 9}, ["pubmed"], 9)
    assert [(q.question, q.sources) for q in state.questions] == [("q0", 0)]
    assert state.databases == ("pubmed",)


def test_the_most_missing_come_first_then_the_smaller_share_then_the_given_order() -> None:
    state = coverage(syllabus([5, 3, 2, 5, 5]), {"q0": 4, "q1": 1, "q3": 3, "q4": 9}, [], 0)
    assert [q.question for q in neediest_first(state)] == ["q2", "q1", "q3", "q0", "q4"]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 20)), min_size=1, max_size=8))
def test_needy_questions_always_precede_complete_ones(pairs: list[tuple[int, int]]) -> None:
    counts = {f"q{n}": count for n, (_, count) in enumerate(pairs)}
    order = neediest_first(coverage(syllabus([minimum for minimum, _ in pairs]), counts, [], 0))
    assert [q.sufficient for q in order] == sorted(q.sufficient for q in order)
    assert {q.question for q in order} == counts.keys()
