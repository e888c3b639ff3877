"""Automatic pipelining: commands that are issued in one iteration of the event loop share one round trip."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis
from redis.exceptions import DataError, RedisError

T = TypeVar("T")

#: A call of the client's methods. On a pipeline, which answers later, it queues exactly one command; one that sends
#: several, or awaits an answer, is sent `alone`.
Command = Callable[[Any], Any]
#: Iterations of the event loop until a command is sent: the caller, the collecting of commands, the task that sends.
_ITERATIONS = 3


class _NotOneCommand(Exception):
    """A command that queued none or several; raised before any was sent."""


class _PendingCommand(NamedTuple):
    """A command to be sent, and the future for its answer."""

    command: Command
    answer: asyncio.Future[Any]


async def start_request(ask: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task for the answer, returned once its command has been sent, so that server and caller work at the same
    time."""
    asking = asyncio.create_task(ask)
    try:
        for _ in range(_ITERATIONS):
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        asking.cancel()
        raise
    return asking


async def read_ahead(asked: Iterable[Callable[[], Coroutine[Any, Any, T]]]) -> AsyncIterator[T]:
    """The answers in order; the next is requested while one is processed."""
    in_flight: asyncio.Task[T] | None = None
    try:
        for ask in asked:
            before, in_flight = in_flight, await start_request(ask())
            if before:
                yield await before
        if in_flight:
            yield await in_flight
    finally:
        if in_flight:
            in_flight.cancel()


class AutoPipeline:
    """Collects the commands of one iteration of the event loop, and sends them in order, in one pipeline."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queued: list[_PendingCommand] = []
        self._in_flight: set[asyncio.Task[None]] = set()

    def request_answer(self, command: Command, *, alone: bool = False) -> asyncio.Future[Any]:
        """A future of the command's answer, or of the client's error; with `alone` it is sent at once and separately.

        A separate task sends it, so that Ctrl-C interrupts the waiting at any point.
        """
        loop = asyncio.get_running_loop()
        asked = _PendingCommand(command, loop.create_future())
        if alone:
            self._start_sending([asked])
        else:
            self._queued.append(asked)
            if len(self._queued) == 1:
                loop.call_soon(self._send_all)
        return asked.answer

    async def cancel_pending(self) -> None:
        """Cancel all commands without an answer, and those who wait for them."""
        asked, self._queued = self._queued, []
        for each in asked:
            each.answer.cancel()
        while self._in_flight:
            for task in self._in_flight:
                task.cancel()
            # Repeated: in redis-py, before Python 3.12, a cancellation during a finished send is lost.
            await asyncio.wait(self._in_flight, timeout=0.1)

    def _send_all(self) -> None:
        asked, self._queued = self._queued, []
        if asked:
            self._start_sending(asked)

    def _start_sending(self, asked: Sequence[_PendingCommand]) -> None:
        task = asyncio.create_task(self._send_and_settle(asked))
        self._in_flight.add(task)
        task.add_done_callback(self._in_flight.discard)

    async def _send_and_settle(self, asked: Sequence[_PendingCommand]) -> None:
        """Send these, and set each one's answer or error."""
        answers: Sequence[Any]
        try:
            answers = await self._send_commands([each.command for each in asked])
        except asyncio.CancelledError:
            for each in asked:
                each.answer.cancel()
            raise
        except Exception as exc:
            # One command that cannot be encoded or queued, or whose answer cannot be decoded, must not fail the others:
            # in the last case all have run, and run again as after a lost connection.
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
        for number, command in enumerate(commands, 1):
            queued = command(pipeline)
            if asyncio.iscoroutine(queued):
                queued.close()  # it runs when it is sent separately
            if len(pipeline) != number:
                raise _NotOneCommand
        answers: list[Any] = await pipeline.execute(raise_on_error=False)
        return answers
