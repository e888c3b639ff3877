"""The tools that run a job: its events are their progress, its report their result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from dossiers import dossier
from repurposing_parts import use_parts

from storm.app import App
from storm.models import Dossier, Event, ResearchReport
from storm.testing import open_test_app
from storm.toolkit import ToolContext, ToolProgress, ToolResult, call_tool, run_tool
from storm.toolkit.jobs import _describe_report

QUESTION = "Is trastuzumab safe for the heart?"


@pytest.fixture
async def app(data_dir: Path) -> AsyncIterator[App]:
    async with open_test_app(data_dir=data_dir) as opened:
        yield opened


async def collect(name: str, params: Any, context: ToolContext) -> tuple[list[ToolProgress], ToolResult]:
    async with aclosing(run_tool(name, params, context)) as steps:
        *progress, result = [step async for step in steps]
    assert isinstance(result, ToolResult)
    return [step for step in progress if isinstance(step, ToolProgress)], result


@pytest.mark.slow
async def test_a_question_gives_a_report_and_the_progress_of_its_job(app: App, tmp_path: Path) -> None:
    seen = list[Event]()
    context = ToolContext(app=app, out=tmp_path / "out", on_event=seen.append)
    progress, result = await collect("report", {"question": QUESTION, "offline": True}, context)
    (job,) = (await app.store.jobs.all()).jobs
    assert [step.data["kind"] for step in progress] == [event.kind for event in seen]
    assert {step.data["job_id"] for step in progress} == {job.job_id}
    assert (progress[0].progress, progress[-1].progress) == (0, 1)
    assert {"Planning", "Searching", "Answering", "Reviewing answers, round 1"} <= {step.message for step in progress}
    assert any(step.message.startswith("Sources: ") for step in progress)
    assert (result.failed, result.exit_code, result.payload["type"]) == (False, 0, "report_result")
    first, *others = result.text.splitlines()
    assert first == f"{job.job_id}: complete."
    assert others[:3] == [f"File: {tmp_path}/out/{job.job_id}/report.{suffix}" for suffix in ("html", "md", "json")]
    assert f"# {QUESTION}" in others and "## Summary" in others and len(result.text) < 7_000
    data = result.payload["data"]
    assert (data["job_id"], data["exit_code"]) == (job.job_id, 0)
    assert [Path(file).is_file() for file in data["files"]] == [True] * 3
    assert json.loads((tmp_path / "out" / job.job_id / "report.json").read_text()) == data["report"]
    assert ResearchReport.model_validate(data["report"]).research is not None


async def test_an_observer_that_fails_gets_no_more_events_and_the_progress_goes_on(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    seen = list[Event]()

    def fail(event: Event) -> None:
        seen.append(event)
        raise OSError("no room")

    context = ToolContext(app=app, on_event=fail)
    progress, result = await collect("report", {"question": QUESTION, "offline": True}, context)
    assert (len(seen), progress[-1].progress, result.exit_code) == (1, 1, 0)
    assert caplog.text.count("an observer failed and gets no more events") == caplog.text.count("OSError: no room") == 1


@pytest.mark.slow
async def test_two_calls_write_into_two_folders(app: App, tmp_path: Path) -> None:
    context = ToolContext(app=app, out=tmp_path / "out")
    for _ in range(2):
        await call_tool("report", {"question": QUESTION, "offline": True}, context)
    assert len(list((tmp_path / "out").glob("*/report.md"))) == 2


@pytest.mark.slow
async def test_a_drug_gives_a_dossier_and_no_file_without_a_folder(app: App, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*.md"))
    progress, result = await collect("run_drug", {"drug": "metformin", "offline": True}, ToolContext(app=app))
    data = result.payload["data"]
    assert Dossier.model_validate(data["report"]).drug == "metformin"
    assert (data["files"], sorted(tmp_path.rglob("*.md"))) == ([], before)
    assert "cut here: " in result.text and "File: " not in result.text
    assert progress[-1].progress == 1


@pytest.mark.parametrize(("exit_code", "state"), [(0, "complete"), (3, "partial"), (4, "nothing found")])
def test_the_first_line_of_a_report_says_whether_it_is_whole(exit_code: int, state: str) -> None:
    found = dossier(exit_code=exit_code)
    result = _describe_report("run_drug", found, None)
    assert result.text.splitlines()[0].startswith(f"{found.job_id}: {state}.")


async def test_a_drug_and_a_disease_give_the_hypotheses(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    use_parts(monkeypatch)
    params = {"query": "trastuzumab for breast cancer", "offline": True, "research": {"max_iterations": 0}}
    _, result = await collect("repurpose", params, ToolContext(app=app))
    assert (result.failed, result.payload["type"]) == (False, "repurpose_result")
    assert result.payload["data"]["report"]["repurposing"]["report"]["hypotheses_tested"]


async def test_a_drug_that_nothing_is_known_of_is_nothing_found_and_has_not_failed(app: App) -> None:
    _, result = await collect("run_drug", {"drug": "zorvimab", "offline": True}, ToolContext(app=app))
    assert (result.failed, result.exit_code) == (False, 4)
    assert ": nothing found. " in result.text.splitlines()[0]


@pytest.mark.parametrize(
    ("name", "params", "said"),
    [
        ("run_drug", {"drug": "metformin", "offline": True, "databases": ["nosuch"]}, "there is no database nosuch"),
        ("run_drug", {"drug": "?!", "offline": True}, "drug"),
        ("report", {"question": QUESTION, "preferences": {"tune": "x"}}, "'tune' is not a preference"),
        ("report", {"question": QUESTION, "research": {"max_questions": 0}}, "max_questions"),
        ("repurpose", {"query": "?!", "offline": True}, "repurposing question"),
    ],
)
async def test_options_that_a_job_refuses_are_a_failed_result_and_no_job(
    app: App, name: str, params: Any, said: str
) -> None:
    result = await call_tool(name, params, ToolContext(app=app))
    assert (result.failed, result.exit_code) == (True, 2) and said in result.text
    assert (await app.store.jobs.all()).jobs == ()


async def test_a_tool_that_is_cancelled_stops_its_job_which_can_be_resumed(app: App) -> None:
    searching = asyncio.Event()

    def watch(event: Event) -> None:
        if event.stage == "search":
            searching.set()

    context = ToolContext(app=app, on_event=watch)
    task = asyncio.create_task(call_tool("report", {"question": QUESTION, "offline": True}, context))
    await searching.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (job,) = (await app.store.jobs.all()).jobs
    assert job.exit_code is None
    report = await app.work(job.job_id)
    assert report.exit_code == 0


async def test_without_an_app_the_tool_opens_its_own(data_dir: Path) -> None:
    result = await call_tool("report", {"question": QUESTION, "offline": True})
    assert (result.failed, result.exit_code) == (False, 0)
    source = result.payload["data"]["report"]["references"][0]
    read = await call_tool("get_source", {"job": result.payload["data"]["job_id"], "source_id": source["source_id"]})
    assert (read.failed, read.payload["data"]["hit"]["title"]) == (False, source["title"])
