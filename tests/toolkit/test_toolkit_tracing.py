"""Each use of a tool is a trace of its user, unless the tool runs a job, which is recorded itself."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from asked_parts import use_parts

from storm.app import App
from storm.app.similar_questions import SimilarQuestion
from storm.models import JobRequest
from storm.settings import read_settings
from storm.toolkit import ToolConfig, ToolContext, ToolProgress, ToolResult, call_tool, registry, run_tool
from storm.toolkit.tool import Params
from storm.toolkit.tracing import TraceToolRecorder
from storm.traces import EventKind, Owner, Trace, TraceEvent, TraceStatus, open_traces


async def read_traces(owner: Owner | None = None) -> list[tuple[Trace, list[TraceEvent]]]:
    async with open_traces(read_settings(), owner or Owner(), create=False) as traces:
        return [(trace, list(lines)) async for trace, lines in traces.export_traces()]


@pytest.fixture(autouse=True)
def own_tool(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that reports two stages, and fails or stops as its input says."""

    async def execute(params: Params, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
        yield ToolProgress("reading", "Reading", 0.25, {"secret": "not kept"})
        yield ToolProgress("reading", "Reading on", 0.5)
        yield ToolProgress("counting", "Counting", 0.75)
        if params["word"] == "fail":
            raise ValueError("no such word")
        yield ToolResult(f"{len(params['word'])} letters", {"type": "own_result", "data": {"big": "x" * 100_000}})

    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    tool = ToolConfig(name="own", description="Count.", input_schema=schema, executor=execute, streaming=True)
    monkeypatch.setitem(registry._tools, "own", tool)


async def test_a_use_is_a_trace_with_its_stages_and_the_text_of_its_result() -> None:
    await call_tool("own", {"word": "ja"}, ToolContext(user_id=7, org_id=3))
    ((trace, lines),) = await read_traces(Owner(user_id=7, org_id=3))
    assert (trace.tool_name, trace.input_params) == ("own", {"word": "ja"})
    assert (trace.status, trace.progress) == (TraceStatus.COMPLETED, 1)
    assert trace.result == {"text": "2 letters", "exit_code": 0}
    assert [(line.kind, line.name) for line in lines] == [(EventKind.STAGE, "reading"), (EventKind.STAGE, "counting")]


async def test_a_use_that_fails_says_why() -> None:
    await call_tool("own", {"word": "fail"})
    ((trace, _),) = await read_traces()
    assert (trace.status, trace.progress) == (TraceStatus.FAILED, 0.75)
    assert trace.error_message == "own failed: ValueError: no such word"


async def test_a_use_that_is_closed_early_is_cancelled() -> None:
    steps = run_tool("own", {"word": "ja"})
    await anext(steps)
    await steps.aclose()
    ((trace, _),) = await read_traces()
    assert trace.status is TraceStatus.CANCELLED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "params", "status"),
    [
        ("search_corpus", {"query": "metformin"}, TraceStatus.COMPLETED),
        ("search_database", {"database": "pubmed", "words": "metformin"}, TraceStatus.FAILED),
        ("get_source", {"job": "nobody-1", "source_id": "src_001"}, TraceStatus.FAILED),
    ],
)
async def test_the_tools_that_run_no_job_are_recorded(name: str, params: Any, status: TraceStatus) -> None:
    await call_tool(name, params)
    ((trace, _),) = await read_traces()
    assert (trace.tool_name, trace.status) == (name, status)
    assert trace.input_params.items() >= params.items()


async def test_wrong_input_is_no_use() -> None:
    assert (await call_tool("own", {})).failed
    assert not (read_settings().data_dir / "traces").exists()


async def test_a_tool_works_where_its_trace_cannot_be_written(caplog: pytest.LogCaptureFixture) -> None:
    (read_settings().data_dir / "traces").write_text("in the way")
    assert (await call_tool("own", {"word": "ja"})).text == "2 letters"
    assert caplog.text.count("is not written") == 1


@pytest.mark.parametrize("recorder", [False, True])
async def test_an_earlier_answer_that_is_taken_is_a_trace_of_its_own(
    recorder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_parts(monkeypatch)
    asked, context = {"question": "Does trastuzumab harm the heart?"}, ToolContext(user_id=7, org_id=3)
    first = await call_tool("deep_research", {**asked, "offline": True}, context)

    async def find(app: App, request: JobRequest) -> SimilarQuestion:
        job = await app.store.jobs.get(first.payload["data"]["trace_id"])
        return SimilarQuestion(job.job_id, request.text, 1.0, job.created, 2, True)

    monkeypatch.setattr(App, "find_similar", find)
    own = TraceToolRecorder(read_settings()) if recorder else None
    taken = await call_tool("deep_research", asked, replace(context, recorder=own))
    assert first.payload["data"]["earlier"] is None
    earlier = taken.payload["data"]["earlier"]
    assert (earlier["score"], earlier["age_days"], len(earlier["asked_on"])) == (1.0, 2, len("2026-11-23"))
    job, *others = sorted([trace for trace, _ in await read_traces(Owner(user_id=7, org_id=3))], key=created)
    assert job.id.startswith(taken.payload["data"]["trace_id"])
    assert [trace.result for trace in others] == ([] if recorder else [{"text": taken.text, "exit_code": 0}])


def created(trace: Trace) -> datetime:
    return trace.created_at
