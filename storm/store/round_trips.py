"""Sending commands: those that are asked for at the same time in one round trip."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis
from redis.exceptions import DataError, RedisError

T = TypeVar("T")

#: A call of the client's methods; a pipeline takes it as well, and answers later.
Command = Callable[[Any], Any]


class _PendingCommand(NamedTuple):
    """A command that is to be sent, and who waits for its answer."""

    command: Command
    answer: asyncio.Future[Any]


async def read_ahead(asked: Iterable[Callable[[], Coroutine[Any, Any, T]]]) -> AsyncIterator[T]:
    """The answers in order; while one is worked on the next is under way."""
    under_way: asyncio.Task[T] | None = None
    try:
        for ask in asked:
            before, under_way = under_way, asyncio.create_task(ask())
            if before:
                yield await before
        if under_way:
            yield await under_way
    finally:
        if under_way:
            under_way.cancel()


class RoundTrips:
    """Gathers what is asked before the event loop turns again, and sends it in the order in which it was asked."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._asked: list[_PendingCommand] = []
        self._under_way: set[asyncio.Task[None]] = set()

    def request_answer(self, command: Command, *, alone: bool = False) -> asyncio.Future[Any]:
        """The answer to come, or the client's error; `alone` it is sent at once and by itself.

        A task of its own sends it: Ctrl-C ends the waiting wherever it meets it.
        """
        loop = asyncio.get_running_loop()
        asked = _PendingCommand(command, loop.create_future())
        if alone:
            self._start_sending([asked])
        else:
            self._asked.append(asked)
            if len(self._asked) == 1:
                loop.call_soon(self._send_all)
        return asked.answer

    async def cancel_pending(self) -> None:
        """End what is not answered yet; who still waits for it is cancelled."""
        asked, self._asked = self._asked, []
        for each in asked:
            each.answer.cancel()
        while self._under_way:
            for task in self._under_way:
                task.cancel()
            # More than once: in redis-py, before Python 3.12, a cancellation that meets a finished send is lost.
            await asyncio.wait(self._under_way, timeout=0.1)

    def _send_all(self) -> None:
        asked, self._asked = self._asked, []
        if asked:
            self._start_sending(asked)

    def _start_sending(self, asked: Sequence[_PendingCommand]) -> None:
        task = asyncio.create_task(self._send_and_settle(asked))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _send_and_settle(self, asked: Sequence[_PendingCommand]) -> None:
        """Send these, and give each its answer, or the error that it met."""
        answers: Sequence[Any]
        try:
            answers = await self._send_commands([each.command for each in asked])
        except asyncio.CancelledError:
            for each in asked:
                each.answer.cancel()
            raise
        except Exception as exc:
            # What one cannot be sent with, a text that is no Unicode, is not the others' fault.
            if len(asked) > 1 and (isinstance(exc, DataError) or not isinstance(exc, RedisError)):
                for each in asked:
                    await self._send_and_settle([each])
                return
            answers = [exc] * len(asked)
        for each, answer in zip(asked, answers, strict=True):
            if each.answer.done():
                continue
            if isinstance(answer, Exception):
                each.answer.set_exception(answer)
            else:
                each.answer.set_result(answer)

    async def _send_commands(self, commands: Sequence[Command]) -> Sequence[Any]:
        if len(commands) == 1:
            return [await commands[0](self._redis)]
        pipeline = self._redis.pipeline(transaction=False)
        for command in commands:
            command(pipeline)
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
        return answers
