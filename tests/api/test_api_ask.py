"""storm.ask: a question in, its answer with sources and coverage out."""

from __future__ import annotations

import asyncio
import inspect
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from asked_parts import use_parts

import storm
from storm.api import question_request
from storm.api.earlier_answers import EarlierAnswer, find_earlier
from storm.app.similar_questions import SimilarQuestion
from storm.errors import UsageError
from storm.models import Event, JobLimits, JobState, RequestKind, ResearchSettings

ASKED = "Does trastuzumab harm the heart?"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    use_parts(monkeypatch)


def test_a_question_gives_an_answer_and_the_report_behind_it(tmp_path: Path) -> None:
    result = storm.ask(ASKED, offline=True)
    assert isinstance(result, storm.DeepResearchResult)
    assert (result.status, result.iterations_used, result.error) == ("completed", 2, "")
    assert [source.id for source in result.sources[:4]] == ["src_1", "src_2", "src_3", "src_4"]
    assert all(f"[{number}]" in result.answer for number in range(1, len(result.sources) + 1))
    assert result.checklist_coverage.satisfied == ("Benefit", "Harm to the heart")
    assert not [*tmp_path.rglob("report.*")]
    report = storm.resume(result.trace_id)
    assert isinstance(report, storm.ResearchReport) and report.job_id == result.trace_id
    assert report.deep_research is not None and len(report.deep_research.iterations) == 2


def test_a_folder_takes_the_report_as_files(tmp_path: Path) -> None:
    storm.ask(ASKED, offline=True, out="r", formats=["json"])
    assert [path.name for path in (tmp_path / "r").iterdir()] == ["report.json"]


async def request_of(**options: Any) -> Any:
    async with storm.open_app() as app:
        await storm.aask(ASKED, offline=True, job_id="mine", app=app, **options)
        return (await app.store.jobs.get("mine")).request


async def test_its_request_is_that_of_a_question_with_the_breadth_and_the_limit_of_an_answer() -> None:
    request = await request_of(context="Of women over 65.")
    settings, research = request.settings, request.settings.research
    assert (request.kind, settings.mode, request.context) == (
        RequestKind.QUESTION,
        "deep_research",
        "Of women over 65.",
    )
    assert settings.limits == JobLimits(minutes=10)
    found = (
        research.max_iterations,
        research.max_search_results,
        research.queries_per_question,
        research.max_questions,
    )
    assert found == (10, 10, 4, 7)


@pytest.mark.parametrize(
    ("options", "iterations", "results", "minutes"),
    [
        ({"max_iterations": 3, "minutes": 2}, 3, 10, 2),
        ({"research": {"max_search_results": 4}}, 10, 4, 10),
        ({"research": ResearchSettings(max_iterations=4)}, 4, 10, 10),
        ({"configurable": {"configurable": {"max_iterations": 5}}}, 5, 10, 10),
        ({"limits": JobLimits(minutes=1)}, 10, 10, 1),
    ],
)
async def test_what_is_given_takes_the_place_of_that(
    options: dict[str, Any], iterations: int, results: int, minutes: float
) -> None:
    settings = (await request_of(**options)).settings
    assert (settings.research.max_iterations, settings.research.max_search_results) == (iterations, results)
    assert settings.limits.minutes == minutes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_iterations": 0}, "max_iterations is 0; it must be a whole number from 1 to 50"),
        ({"max_iterations": 51}, "max_iterations is 51"),
        ({"max_iterations": True}, "max_iterations is True"),
        ({"max_iterations": "ten"}, "max_iterations is 'ten'"),
        ({"research": {"max_iterations": 0}}, "max_iterations is 0"),
        ({"research": 3}, "research is 3; it must be a mapping of values by name"),
        ({"minutes": 0}, "minutes is 0; it must be a number above 0"),
        ({"minutes": float("nan")}, "minutes is nan"),
        ({"context": 3}, "context is 3; it must be text"),
        ({"databases": ["nosuch"]}, "there is no database nosuch"),
    ],
)
def test_a_wrong_option_is_an_error_and_no_job(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        storm.ask(ASKED, offline=True, **options)
    assert storm.jobs() == ()


@pytest.mark.slow
def test_an_earlier_answer_is_taken_offline_only_if_that_is_wanted() -> None:
    first = storm.ask(ASKED, offline=True)
    again = storm.ask(ASKED, offline=True, cached=True)
    assert first.earlier is None and again.earlier is not None
    assert again.model_copy(update={"earlier": None}) == first
    assert (again.earlier.score, again.earlier.age_days, again.earlier.asked_on) == (1.0, 0, asked_on())
    assert storm.ask(ASKED, offline=True, cached=True, job_id="mine").trace_id == "mine"
    assert storm.ask(ASKED, offline=True).trace_id != first.trace_id


def asked_on() -> date:
    (job,) = storm.jobs()
    return job.created.date()


@pytest.mark.slow
def test_parts_of_the_caller_s_own_answer_themselves_and_for_nobody_else() -> None:
    seen = list[str]()

    def change(bench: Any, crew: Any) -> Any:
        seen.append(bench.job.job_id)
        return crew

    first = storm.ask(ASKED, offline=True)
    own = storm.ask(ASKED, offline=True, cached=True, crew=change)
    assert own.trace_id != first.trace_id and seen == [own.trace_id]
    asyncio.run(delete_job(first.trace_id))
    assert storm.ask(ASKED, offline=True, cached=True).trace_id not in {first.trace_id, own.trace_id}


async def delete_job(job_id: str) -> None:
    async with storm.open_app() as app:
        await app.store.jobs.delete(job_id)


@pytest.mark.parametrize(
    ("same", "cached", "differences", "taken"),
    [
        (True, False, (), True),
        (False, False, (), False),
        (False, True, (), True),
        (False, True, ("other words",), True),
        (False, False, ("other words",), False),
        (True, True, ("other databases",), False),
    ],
)
async def test_over_public_databases_the_answer_to_the_same_question_is_taken_and_to_a_similar_one_if_wanted(
    same: bool, cached: bool, differences: tuple[str, ...], taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimilarQuestion("first", ASKED, 0.9, date(2026, 11, 1), 22, same, differences)

    async def find(app: Any, request: Any) -> SimilarQuestion:
        return found

    monkeypatch.setattr("storm.app.App.find_similar", find)
    async with storm.open_app() as app:
        request = question_request(ASKED, app.settings)
        assert await find_earlier(app, request, fresh=False, cached=cached) == EarlierAnswer(found, taken)
        assert await find_earlier(app, request, fresh=True, cached=False) is None


@pytest.mark.parametrize("option", ["kind", "mode", "syllabus", "preferences", "also", "nosuch"])
async def test_an_option_that_it_does_not_have_is_a_type_error(option: str) -> None:
    with pytest.raises(TypeError, match=rf"ask\(\) takes no '{option}'"):
        await storm.aask(ASKED, **{option: "x"})  # type: ignore[arg-type]


def test_its_signature_names_its_options() -> None:
    assert {"context", "max_iterations", "minutes", "offline", "model", "limits"} <= {
        *inspect.signature(storm.ask).parameters
    }


async def test_who_waits_may_be_cancelled_and_the_job_goes_on_later_where_it_was() -> None:
    begun = asyncio.Event()

    def watch(event: Event) -> None:
        if event.stage == "search:2":
            begun.set()

    async with storm.open_app() as app:
        task = asyncio.create_task(storm.aask(ASKED, offline=True, on_event=watch, app=app))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (job,) = await storm.ajobs(app=app)
        assert job.state is JobState.INTERRUPTED
        seen = list[str]()
        await storm.aresume(job.job_id, app=app, on_event=lambda event: seen.append(event.stage))
    assert "plan" not in seen and "search:2" in seen
