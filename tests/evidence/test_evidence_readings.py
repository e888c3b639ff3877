"""What was read of a record is kept for the next job with an equal plan, and for no other."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from storm.evidence import readings
from storm.evidence.candidates import CandidateReader
from storm.evidence.readings import Readings, readings_for
from storm.extractive.record_assignment import assign_record
from storm.models import Hit, Plan
from storm.syllabus import bundled_syllabus

SYLLABUS = bundled_syllabus(Path(__file__).parents[2] / "config")
PLAN = Plan(names=("zorvimab",), syllabus=SYLLABUS)
#: As a job has it; while tests run, full texts are kept, too.
LONGEST = readings._LONGEST


@pytest.fixture(autouse=True)
def recent(monkeypatch: pytest.MonkeyPatch) -> deque[readings.PlanReadings]:
    """Plans that nobody asked for before the test."""
    empty = deque[readings.PlanReadings](maxlen=2)
    monkeypatch.setattr(readings, "_recent", empty)
    monkeypatch.setattr(readings, "_LONGEST", LONGEST)
    return empty


def hit(number: int = 1, text: str = "Survival was longer with zorvimab (p = 0.02).", **fields: object) -> Hit:
    return Hit.of("pubmed", str(number), f"https://example.org/{number}", "Zorvimab in adults", text=text, **fields)


def test_an_equal_record_is_read_once_for_equal_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    first = assign_record(hit(), CandidateReader(PLAN), ())
    monkeypatch.setattr("storm.extractive.record_assignment.subject_of", None)
    monkeypatch.setattr("storm.evidence.sentences.read_passages", None)
    other = hit()
    again = assign_record(other, CandidateReader(PLAN.model_copy(deep=True)), ())
    assert again == first and again.hit is other
    with pytest.raises(TypeError):
        assign_record(hit(text="Zorvimab failed."), CandidateReader(PLAN), ())
    with pytest.raises(TypeError):
        assign_record(hit(), CandidateReader(PLAN), ("clinical.safety",))
    with pytest.raises(TypeError):
        assign_record(hit(), CandidateReader(PLAN.model_copy(update={"names": ("zorvimab", "zorvi")})), ())


def test_the_plans_that_were_asked_for_last_are_remembered(recent: deque[readings.PlanReadings]) -> None:
    plans = [PLAN.model_copy(update={"names": (name,)}) for name in ("a", "b", "c")]
    kept = [readings_for(plan) for plan in plans]
    assert readings_for(plans[2]) is kept[2] and readings_for(plans[1]) is kept[1]
    assert readings_for(plans[0]) is not kept[0]
    assert len(recent) == 2
    read_again = readings_for(plans[1])
    readings_for(PLAN)
    assert readings_for(plans[1]) is read_again


def test_the_last_short_records_are_kept_and_no_full_text() -> None:
    read: list[int] = []

    def find(number: int, text: str = "Short.") -> int:
        return kept.find(hit(number, text), None, lambda: read.append(number) or number)

    kept = Readings(most=2)
    assert [find(1), find(2), find(1), find(3), find(1), find(2)] == [1, 2, 1, 3, 1, 2]
    assert read == [1, 2, 3, 2]
    assert [find(4, "x" * 20_001), find(4, "x" * 20_001)] == [4, 4] and read[4:] == [4, 4]
