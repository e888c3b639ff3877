"""The tool that answers a question: what a chat sees while it works, and what it gives back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import dspy
import pytest
from asked_parts import use_parts

from storm.app import App
from storm.models import DeepResearchResult, Event, SearchStatus
from storm.testing import open_test_app
from storm.toolkit import ToolContext, ToolProgress, ToolResult, as_dspy_tool, call_tool, find_tool, run_tool
from storm.toolkit.deep_research import describe_answer
from storm.toolkit.question_progress import QuestionProgress

ASKED = "Does trastuzumab harm the heart?"
PARAMS = {"question": ASKED, "offline": True}


@pytest.fixture
async def app(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    use_parts(monkeypatch)
    async with open_test_app(data_dir=data_dir) as opened:
        yield opened


async def collect(params: Any, context: ToolContext) -> tuple[list[ToolProgress], ToolResult]:
    async with aclosing(run_tool("deep_research", params, context)) as steps:
        *progress, result = [step async for step in steps]
    assert isinstance(result, ToolResult)
    return [step for step in progress if isinstance(step, ToolProgress)], result


@pytest.mark.slow
async def test_the_stages_and_messages_are_those_that_a_chat_shows(app: App) -> None:
    progress, _ = await collect(PARAMS, ToolContext(app=app))
    stages = list(dict.fromkeys(step.stage for step in progress))
    assert stages == ["refining", "checklist", "iteration_1", "iteration_2", "synthesizing"]
    messages = [step.message for step in progress]
    assert messages[:4] == [
        "Refining the question",
        "Making the checklist",
        "Checklist: Benefit; Harm to the heart",
        "Iteration 1/10",
    ]
    assert 'Searching Bundled sample: "trastuzumab" + survival' in messages
    assert any(message.startswith("Processing ") for message in messages)
    assert messages.index("Checklist: 1/2 items satisfied") == messages.index("Iteration 2/10") - 1
    done = [step.progress for step in progress]
    assert (done[0], done[-1]) == (0, 1) and done == sorted(done)
    (job,) = (await app.store.jobs.all()).jobs
    assert {step.data["job_id"] for step in progress} == {job.job_id}


async def test_the_result_has_the_answer_as_text_and_its_fields_as_payload(app: App, tmp_path: Path) -> None:
    context = ToolContext(app=app, out=tmp_path / "out")
    _, result = await collect(PARAMS, context)
    assert (result.failed, result.exit_code, result.payload["type"]) == (False, 0, "deep_research_result")
    found = DeepResearchResult.model_validate(result.payload["data"])
    first, *others = result.text.splitlines()
    assert first.startswith(f"{found.trace_id}: complete, asked on 20")
    assert others[0] == f"File: {tmp_path}/out/{found.trace_id}/report.html" and Path(others[0][6:]).is_file()
    assert found.answer in result.text and "Sources:" in others and "Answered: Benefit; Harm to the heart" in others


async def test_the_question_is_completed_by_its_context_and_limited_in_rounds(app: App) -> None:
    params = {**PARAMS, "context": "Of women over 65.", "max_iterations": 1, "max_minutes": 5, "databases": None}
    _, result = await collect(params, ToolContext(app=app))
    found = DeepResearchResult.model_validate(result.payload["data"])
    assert (found.status, found.iterations_used) == ("max_iterations_reached", 1)
    request = (await app.store.jobs.get(found.trace_id)).request
    assert (request.context, request.settings.limits.minutes) == ("Of women over 65.", 5)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "question is missing"),
        ({"question": ""}, "question is"),
        ({"question": "?!"}, "the question has no letter or digit; write it out in words"),
        ({"question": "a" * 50_000}, "it must have at most 20,000 characters: shorten it"),
        ({"question": ASKED, "max_iterations": 0}, "max_iterations is 0, but it must be at least 1"),
        ({"question": ASKED, "max_iterations": 51}, "max_iterations is 51, but it must be at most 50"),
        ({"question": ASKED, "max_iterations": "ten"}, 'max_iterations is "ten", but it must be a whole number'),
        ({"question": ASKED, "max_minutes": 0}, "max_minutes is 0, but it must be at least 0.1"),
        ({"question": ASKED, "offline": True, "databases": ["nosuch"]}, "there is no database nosuch"),
        ({"question": ASKED, "user_id": 7}, '"user_id" is not a parameter'),
    ],
)
async def test_wrong_input_is_a_failed_result_that_says_what_to_do_and_no_job(app: App, params: Any, said: str) -> None:
    result = await call_tool("deep_research", params, ToolContext(app=app))
    assert (result.failed, result.exit_code) == (True, 2) and said in result.text
    assert (await app.store.jobs.all()).jobs == ()


@pytest.mark.parametrize(
    "stage",
    ["refine", "plan", "queries", "search", "file", "check", "answer", "judge:1", "search:2", "judge:2", "section",
     "report"],
)  # fmt: skip
async def test_a_cancellation_at_any_stage_stops_the_job_which_can_be_resumed(app: App, stage: str) -> None:
    reached = asyncio.Event()

    def watch(event: Event) -> None:
        if event.stage == stage:
            reached.set()

    task = asyncio.create_task(call_tool("deep_research", PARAMS, ToolContext(app=app, on_event=watch)))
    waiting = asyncio.create_task(reached.wait())
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    assert reached.is_set(), "there was no such stage"
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (job,) = (await app.store.jobs.all()).jobs
    assert job.exit_code is None
    assert (await app.work(job.job_id)).exit_code == 0


async def test_where_no_search_succeeded_the_result_has_failed_and_says_what_was_tried(app: App) -> None:
    _, result = await collect(PARAMS, ToolContext(app=app))
    report: Any = await app.report(result.payload["data"]["trace_id"])
    (use,) = [one for one in report.databases if one.name == "sample"]
    down = use.model_copy(update={"status": SearchStatus.FAILED, "reason": "the disk is broken"})
    lines = [
        one.model_copy(update={"status": SearchStatus.FAILED, "reason": "the disk is broken"})
        for one in report.search_log
    ]
    fields = {"databases": (down,), "references": (), "answers": (), "search_log": tuple(lines), "exit_code": 3}
    research = report.research.model_copy(update={"sections": ()})
    failed = describe_answer(report.model_copy(update={**fields, "research": research}))
    assert (failed.failed, failed.exit_code, failed.payload["data"]["status"]) == (True, 3, "error")
    assert "the disk is broken" in failed.text and failed.payload["data"]["answer"] == ""


async def test_nothing_found_has_not_failed(app: App) -> None:
    _, result = await collect({"question": "Does zorvimab harm?", "offline": True}, ToolContext(app=app))
    assert (result.failed, result.exit_code, result.payload["data"]["sources"]) == (False, 4, [])


def test_its_description_says_how_long_it_takes_to_ask_first_and_when_not_to_use_it() -> None:
    said = find_tool("deep_research").description
    assert "1 to 3 minutes" in said and "tell the user so and ask" in said
    assert "Do not use it for a simple fact, for what the current report or the conversation answers already" in said


def test_a_model_observes_at_most_2000_tokens_of_it(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_parts(monkeypatch)
    tool: dspy.Tool = as_dspy_tool("deep_research")
    observed = tool(**PARAMS)
    assert "Sources:" in observed and len(observed) <= 8_000


def test_a_database_that_is_not_searched_is_said_to_be_so_once() -> None:
    data = {"database": "web", "status": SearchStatus.NOT_APPLICABLE, "reason": "not searched: offline", "query": "x"}
    fields = {"id": "1-0", "job_id": "j", "at": "2026-11-21T09:30:00Z", "stage": "search", "progress": 0.1}
    event = Event.model_validate({**fields, "kind": "search", "message": "", "data": data})
    read_event = QuestionProgress(10).read_event
    messages = [step.message for _ in range(2) for step in read_event(event)]
    assert messages == ["Iteration 1/10", "Web is not searched: offline"]
