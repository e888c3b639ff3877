"""How often a job tells how its collection stands, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from storm.app.events import SourceProgress, event_sinks
from storm.models import Event, Question, Syllabus

NOTE = Event(at=datetime(2026, 11, 21, tzinfo=UTC), kind="note", message="all is there")


class Journal:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.reported: list[tuple[float, Mapping[str, Any]]] = []

    async def report(self, kind: str, message: str, part: float = 0.0, /, **data: Any) -> None:
        assert (kind, message) == ("progress", "sources per question")
        self.reported.append((part, data))


def progress_of(questions: int, journal: Journal) -> SourceProgress:
    asked = tuple(Question(key=f"q{n}", label=f"Q{n}", description="What?", min_sources=5) for n in range(questions))

    async def find(keys: tuple[str, ...]) -> Syllabus:
        return Syllabus(name="many", questions=asked)

    return SourceProgress(find, journal)  # type: ignore[arg-type]


async def test_each_of_the_first_saves_is_reported_with_all_questions() -> None:
    journal = Journal()
    progress = progress_of(2, journal)
    for saved in range(1, 4):
        await progress.report({"q0": saved, "q1": 0})
    assert journal.reported == [(n / 10, {"q0": f"{n}/5", "q1": "0/5"}) for n in (1, 2, 3)]


async def test_a_save_that_adds_nothing_is_not_reported() -> None:
    journal = Journal()
    progress = progress_of(1, journal)
    for _ in range(3):
        await progress.report({"q0": 1})
    assert len(journal.reported) == 1


@pytest.mark.parametrize(("saves", "most"), [(1_000, 65), (10_000, 90)])
async def test_a_large_collection_is_reported_as_it_grows_by_a_tenth(saves: int, most: int) -> None:
    journal = Journal()
    progress = progress_of(1, journal)
    for saved in range(1, saves + 1):
        await progress.report({"q0": saved})
    assert len(journal.reported) <= most
    last = int(journal.reported[-1][1]["q0"].partition("/")[0])
    assert saves * 0.9 <= last <= saves


async def test_a_question_that_has_what_it_needs_is_reported_at_once() -> None:
    journal = Journal()
    progress = progress_of(2, journal)
    for q1 in (4, 5, 6):
        await progress.report({"q0": 100, "q1": q1})
    assert [data["q1"] for _, data in journal.reported] == ["4/5", "5/5"]


async def test_of_many_questions_those_that_changed_are_named() -> None:
    journal = Journal()
    progress = progress_of(120, journal)
    counts = {f"q{n}": 0 for n in range(120)}
    for n in range(120):
        counts[f"q{n}"] = 1
        await progress.report(counts)
    assert max(len(data) for _, data in journal.reported) == 50
    latest = {key: count for _, data in journal.reported for key, count in data.items()}
    assert len(latest) == 120 and list(latest.values()).count("1/5") >= 108


async def test_the_questions_of_a_planner_are_counted_by_what_they_need() -> None:
    journal = Journal()
    made: list[Syllabus] = []

    async def find(keys: tuple[str, ...]) -> Syllabus | None:
        return made[-1] if made else None

    progress = SourceProgress(find, journal)  # type: ignore[arg-type]
    await progress.report({"other": 2})
    heart = Question(key="heart", label="The heart", description="Does it harm it?", min_sources=4)
    made.append(Syllabus(name="made", questions=(heart,)))
    await progress.report({"heart": 3, "other": 2})
    assert journal.reported == [(0.0, {"other": "2"}), (0.75, {"heart": "3/4", "other": "2"})]


class Written:
    def __init__(self) -> None:
        self.events: list[Event] = []

    async def write(self, event: Event) -> None:
        self.events.append(event)


async def test_an_observer_is_a_function_a_coroutine_function_or_a_sink() -> None:
    seen: list[Event] = []
    awaited, sink = Written(), Written()
    for observer in (seen.append, awaited.write, sink):
        for one in event_sinks(observer):
            await one.write(NOTE)
    assert seen == awaited.events == sink.events == [NOTE]
    assert event_sinks(None) == ()
