"""Whatever an executor does, its caller gets progress that never falls and one result, and no exception."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from registered import use_tool

import storm
from storm.errors import ServiceDown, StoreUnavailable, UsageError
from storm.toolkit import ToolConfig, ToolContext, ToolProgress, ToolResult, call_tool, run_tool

WORD = {"word": "ja"}
Steps = list[ToolProgress | ToolResult]


async def collect(params: Any = WORD, context: ToolContext | None = None, name: str = "repeat") -> Steps:
    async with aclosing(run_tool(name, params, context)) as steps:
        return [step async for step in steps]


async def stream(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    for number in range(1, params["times"] + 1):
        yield ToolProgress("repeating", f"{number} of {params['times']}", number / params["times"], {"number": number})
    yield ToolResult(params["word"] * params["times"], {"type": "repeat_result", "data": {}})


def generate(params: Any, context: ToolContext) -> Generator[ToolProgress, None, ToolResult]:
    for number in range(1, params["times"] + 1):
        yield ToolProgress("repeating", f"{number} of {params['times']}", number / params["times"], {"number": number})
    return ToolResult(params["word"] * params["times"], {"type": "repeat_result", "data": {}})


async def return_later(params: Any, context: ToolContext) -> ToolResult:
    return ToolResult(params["word"] * params["times"])


# What each kind of executor gives.


@pytest.mark.parametrize("executor", [stream, generate])
async def test_a_generator_s_progress_comes_first_and_its_result_last(
    monkeypatch: pytest.MonkeyPatch, executor: Any
) -> None:
    use_tool(monkeypatch, executor)
    first, second, last = await collect({"word": "ja", "times": 2})
    assert first == ToolProgress("repeating", "1 of 2", 0.5, {"number": 1})
    assert second == ToolProgress("repeating", "2 of 2", 1.0, {"number": 2})
    assert last == ToolResult("jaja", {"type": "repeat_result", "data": {}})


async def test_an_async_function_s_result_is_the_only_step(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, return_later)
    assert await collect() == [ToolResult("ja")]


async def test_a_call_gives_just_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tool(monkeypatch, stream)
    assert (await storm.call_tool("repeat", {"word": "ja", "times": 3})).text == "jajaja"


async def test_a_plain_generator_works_in_a_thread_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    released, threads = threading.Event(), list[int]()

    def wait(params: Any, context: ToolContext) -> Generator[ToolProgress, None, ToolResult]:
        threads.append(threading.get_ident())
        released.wait()  # the loop sets it
        yield ToolProgress("waiting", "")
        return ToolResult("done")

    use_tool(monkeypatch, wait)
    asyncio.get_running_loop().call_soon(released.set)
    assert (await call_tool("repeat", WORD)).text == "done"
    assert threads != [threading.get_ident()]


async def test_the_executor_gets_the_defaults_and_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[Any]()

    async def look(params: Any, context: ToolContext) -> ToolResult:
        seen.append((params, context))
        return ToolResult("")

    use_tool(monkeypatch, look)
    await call_tool("repeat", WORD, ToolContext(user_id=7, org_id=3))
    await call_tool("repeat", WORD)
    assert [(params, context.user_id, context.org_id) for params, context in seen] == [
        ({"word": "ja", "times": 1}, 7, 3),
        ({"word": "ja", "times": 1}, 0, None),
    ]


# What goes wrong is a failed result.


async def test_an_unknown_tool_and_wrong_input_are_failed_results_that_say_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_tool(monkeypatch, stream)
    (unknown,) = await collect(name="repet")
    assert isinstance(unknown, ToolResult) and (unknown.failed, unknown.exit_code) == (True, 2)
    assert unknown.text.startswith("there is no tool 'repet'; did you mean repeat? there are: run_drug,")
    (wrong,) = await collect({"word": "a", "times": 0})
    assert isinstance(wrong, ToolResult) and (wrong.failed, wrong.exit_code) == (True, 2)
    assert wrong.text == (
        "wrong input of repeat: times is 0, but it must be at least 1; repeat takes word, times (optional), form "
        "(optional), parts (optional)"
    )
    assert wrong.payload["type"] == "error" and wrong.payload["data"]["message"].startswith("wrong input of repeat")


def _unfinished() -> StoreUnavailable:
    error = StoreUnavailable("the store is gone", hint="start it")
    error.unfinished_job = "metformin-1"
    return error


@pytest.mark.parametrize(
    ("error", "text", "exit_code"),
    [
        (ValueError("no power\nin the socket"), "repeat failed: ValueError: no power", 1),
        (OSError("/home/someone/notes.txt: full"), "repeat failed: OSError: …: full", 1),
        (KeyError(), "repeat failed: KeyError", 1),
        (UsageError("no such drug", hint="give another"), "no such drug; give another", 2),
        (ServiceDown("PubMed is down"), "PubMed is down", 3),
        (_unfinished(), "the store is gone; start it; then resume the job metformin-1", 1),
        (ExceptionGroup("several", [ExceptionGroup("inner", [OSError("full")])]), "repeat failed: OSError: full", 1),
        (StopAsyncIteration(), "repeat failed: RuntimeError: async generator raised StopAsyncIteration", 1),
    ],
)
async def test_an_error_of_an_executor_is_a_failed_result_after_its_progress(
    monkeypatch: pytest.MonkeyPatch, error: Exception, text: str, exit_code: int
) -> None:
    async def fail(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress, None]:
        yield ToolProgress("working", "half", 0.5)
        raise error

    use_tool(monkeypatch, fail)
    progress, result = await collect()
    assert isinstance(progress, ToolProgress) and isinstance(result, ToolResult)
    assert (result.text, result.failed, result.exit_code) == (text, True, exit_code)


async def test_an_unexpected_error_is_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(params: Any, context: ToolContext) -> Any:
        raise ValueError("before the first step")

    use_tool(monkeypatch, fail)
    result = await call_tool("repeat", WORD)
    assert result.failed and "Traceback" not in result.text
    assert [record.exc_info is not None for record in caplog.records] == [True]


async def _nothing(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress, None]:
    yield ToolProgress("working", "")


def _nothing_plainly(params: Any, context: ToolContext) -> Generator[ToolProgress, None, None]:
    yield ToolProgress("working", "")


async def _none(params: Any, context: ToolContext) -> None:
    return None


async def _text(params: Any, context: ToolContext) -> str:
    return "done"


@pytest.mark.parametrize("executor", [_nothing, _nothing_plainly, _none, _text, lambda params, context: 3])
async def test_an_executor_that_ends_without_a_result_has_failed(
    monkeypatch: pytest.MonkeyPatch, executor: Any
) -> None:
    use_tool(monkeypatch, executor)
    assert await call_tool("repeat", WORD) == ToolResult("repeat ended without a result", failed=True, exit_code=1)


# One result, at most.


async def test_what_comes_after_the_result_is_ignored_logged_and_the_executor_closed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended = list[str]()

    async def go_on(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
        try:
            yield ToolResult("first")
            ended.append("went on")
            yield ToolResult("second")
            ended.append("never")
        finally:
            ended.append("closed")

    use_tool(monkeypatch, go_on)
    assert await collect() == [ToolResult("first")]
    assert ended == ["went on", "closed"]
    assert "went on after its result" in caplog.text


async def test_an_error_after_the_result_is_logged_and_the_result_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_late(params: Any, context: ToolContext) -> AsyncGenerator[ToolResult, None]:
        yield ToolResult("first")
        raise ValueError("too late")

    use_tool(monkeypatch, fail_late)
    assert await collect() == [ToolResult("first")]
    assert "the tool repeat failed" in caplog.text


# Progress never falls.

STEP = st.one_of(
    st.builds(ToolProgress, st.just("s"), st.just("m"), st.floats() | st.none() | st.text(max_size=3) | st.integers()),
    st.builds(ToolResult, st.text(max_size=5), failed=st.booleans()),
    st.sampled_from([None, "text", 3, ValueError("raised"), UsageError("refused")]),
)


def as_async(steps: list[Any]) -> Callable[..., Any]:
    async def play(params: Any, context: ToolContext) -> AsyncGenerator[Any, None]:
        for step in steps:
            if isinstance(step, Exception):
                raise step
            yield step

    return play


def as_plain(steps: list[Any]) -> Callable[..., Any]:
    def play(params: Any, context: ToolContext) -> Generator[Any, None, Any]:
        for step in steps[:-1]:
            if isinstance(step, Exception):
                raise step
            yield step
        return steps[-1] if steps else None

    return play


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=8), kind=st.sampled_from([as_async, as_plain]))
def test_whatever_an_executor_does_progress_never_falls_and_one_result_is_last(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, steps: list[Any], kind: Any
) -> None:
    caplog.set_level(logging.CRITICAL)
    with monkeypatch.context() as patch:
        use_tool(patch, kind(steps))
        *progress, result = asyncio.run(collect())
    assert isinstance(result, ToolResult) and all(isinstance(step, ToolProgress) for step in progress)
    parts = [step.progress for step in progress]
    assert parts == sorted(parts) and all(0 <= part <= 1 for part in parts)
    first = next((step for step in steps if isinstance(step, ToolResult | Exception)), None)
    assert result == first if isinstance(first, ToolResult) else result.failed


# Cancellation reaches the executor.


async def test_a_cancellation_reaches_an_async_executor_and_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = asyncio.Event(), list[str]()

    async def hang(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress, None]:
        try:
            begun.set()
            await asyncio.Event().wait()
            yield ToolProgress("never", "")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        finally:
            ended.append("closed")

    use_tool(monkeypatch, hang)
    task = asyncio.create_task(call_tool("repeat", WORD))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["cancelled", "closed"]


async def test_a_cancellation_closes_a_plain_generator_once_its_step_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, released, ended = asyncio.Event(), threading.Event(), list[str]()
    loop = asyncio.get_running_loop()

    def wait(params: Any, context: ToolContext) -> Generator[ToolProgress, None, ToolResult]:
        try:
            loop.call_soon_threadsafe(begun.set)
            released.wait()
            yield ToolProgress("waiting", "")
            ended.append("never")
        finally:
            ended.append("closed")
        return ToolResult("never")

    use_tool(monkeypatch, wait)
    task = asyncio.create_task(call_tool("repeat", WORD))
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()  # a second one changes nothing
    released.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["closed"]


async def test_a_caller_that_stops_reading_closes_the_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = list[str]()

    async def count(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress, None]:
        try:
            while True:
                yield ToolProgress("counting", "")
        finally:
            ended.append("closed")

    use_tool(monkeypatch, count)
    async with aclosing(run_tool("repeat", WORD)) as steps:
        async for _ in steps:
            break
    assert ended == ["closed"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
async def test_what_ends_a_program_or_a_task_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    async def end(params: Any, context: ToolContext) -> AsyncGenerator[ToolProgress, None]:
        yield ToolProgress("working", "")
        raise error

    use_tool(monkeypatch, end)
    async with aclosing(run_tool("repeat", WORD)) as steps:
        await anext(steps)
        with pytest.raises(error):
            await anext(steps)


def test_a_tool_says_what_it_is() -> None:
    tool = ToolConfig("a", "b", {"type": "object"}, return_later)
    assert (tool.name, tool.streaming) == ("a", False)
