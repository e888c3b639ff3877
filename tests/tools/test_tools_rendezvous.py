"""Those who ask the web at once go on together."""

from __future__ import annotations

import asyncio

import pytest

from storm.tools.rendezvous import Rendezvous


async def visit(rendezvous: Rendezvous, ready: asyncio.Event, lines: list[str], name: str) -> None:
    async with rendezvous:
        await ready.wait()
        lines.append(f"{name} was answered")
        if name == "bad":
            raise OSError("no answer")
    lines.append(f"{name} goes on")


async def test_nobody_goes_on_before_the_last_is_answered() -> None:
    rendezvous, lines = Rendezvous(), list[str]()
    events = [asyncio.Event() for _ in range(2)]
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        for name, event in zip(("first", "last"), events, strict=True):
            group.create_task(visit(rendezvous, event, lines, name))
        await asyncio.sleep(0)
        events[0].set()
        for _ in range(10):
            await asyncio.sleep(0)
        assert lines == ["first was answered"]
        events[1].set()
    assert lines == ["first was answered", "last was answered", "last goes on", "first goes on"]


async def test_who_fails_waits_for_nobody_and_nobody_waits_for_it() -> None:
    rendezvous, lines, ready, never = Rendezvous(), list[str](), asyncio.Event(), asyncio.Event()
    ready.set()
    good = asyncio.create_task(visit(rendezvous, ready, lines, "good"))
    slow = asyncio.create_task(visit(rendezvous, never, lines, "slow"))
    with pytest.raises(OSError, match="no answer"):
        await visit(rendezvous, ready, lines, "bad")
    slow.cancel()
    async with asyncio.timeout(5):
        await good
    assert slow.cancelled() and lines[-1] == "good goes on"


async def test_it_serves_again_and_again() -> None:
    rendezvous, lines, ready = Rendezvous(), list[str](), asyncio.Event()
    ready.set()
    async with asyncio.timeout(5):
        for name in ("one", "two", "three"):
            await visit(rendezvous, ready, lines, name)
    assert lines[1::2] == ["one goes on", "two goes on", "three goes on"]
