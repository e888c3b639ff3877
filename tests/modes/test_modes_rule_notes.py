"""What rules did in place of a model is said in the order of questions, reviews and sections."""

from __future__ import annotations

from storm.models import Outline, OutlinePart, Plan, Question, ReportSection, Review, SearchQuery, Syllabus
from storm.models.research import QuestionQueries
from storm.modes.rule_notes import describe_rules

QUESTIONS = tuple(Question(key=key, label=key.upper(), description=key, min_sources=1) for key in ("a", "b", "c"))
PLAN = Plan(names=("x",), syllabus=Syllabus(name="s", questions=QUESTIONS))


def section(heading: str, note: str) -> ReportSection:
    return ReportSection(part=OutlinePart(anchor="part", heading=heading), note=note)


def test_work_is_named_by_reason_in_the_order_of_the_plan_whatever_was_done_first() -> None:
    searches = {"c": "it failed", "a": "no budget", "b": "it failed"}
    reviews = [Review(), Review(note="no budget")]
    sections = [section("One", "no budget"), section("Two", ""), section("Three", "no budget")]
    said = list(describe_rules(PLAN, searches, reviews, Outline(note="it failed"), sections))
    assert said == [
        "Rules wrote the searches for “A”, since no budget.",
        "Rules wrote the searches for “B”, “C”, since it failed.",
        "Rules reviewed the answers (review 2), since no budget.",
        "Rules planned the sections of this report, since it failed.",
        "Rules put the statements into the sections “One”, “Three”, since no budget.",
    ]


def test_nothing_is_said_where_the_model_did_all() -> None:
    assert list(describe_rules(PLAN, {}, [Review()], Outline(), [section("One", "")])) == []


def test_searches_that_jobs_stored_before_there_were_notes_are_read() -> None:
    query = SearchQuery(names=("x",))
    assert QuestionQueries.model_validate([query]) == QuestionQueries(queries=(query,))
