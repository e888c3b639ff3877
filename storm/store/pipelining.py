"""Automatic pipelining: commands that are issued in one iteration of the event loop share one round trip."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis
from redis.exceptions import DataError, RedisError

T = TypeVar("T")

#: A call of the client's methods. On a pipeline, which replies later, it queues exactly one command; one that sends
#: several, or awaits a reply, is sent with `pipelined=False`.
Command = Callable[[Any], Any]
#: Iterations of the event loop until a command is sent: the caller, the collecting of commands, the task that sends.
_ITERATIONS = 3


class _NotOneCommand(Exception):
    """A command that queued none or several; raised before any was sent."""


class _PendingCommand(NamedTuple):
    """A command to be sent, and the future for its reply."""

    command: Command
    reply: asyncio.Future[Any]


async def start_request(request: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task for the reply, returned once its command has been sent, so that server and caller work at the same
    time."""
    task = asyncio.create_task(request)
    try:
        for _ in range(_ITERATIONS):
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        task.cancel()
        raise
    return task


async def read_ahead(requests: Iterable[Callable[[], Coroutine[Any, Any, T]]]) -> AsyncIterator[T]:
    """The replies in order; the next is requested while one is processed."""
    current: asyncio.Task[T] | None = None
    try:
        for request in requests:
            previous, current = current, await start_request(request())
            if previous:
                yield await previous
        if current:
            yield await current
    finally:
        if current:
            current.cancel()


class AutoPipeline:
    """Collects the commands of one iteration of the event loop, and sends them in order, in one pipeline."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queued: list[_PendingCommand] = []
        self._in_flight: set[asyncio.Task[None]] = set()

    def request_reply(self, command: Command, *, pipelined: bool = True) -> asyncio.Future[Any]:
        """A future of the command's reply, or of the client's error; one that is not `pipelined` is sent at once and
        separately.

        A separate task sends it, so that Ctrl-C interrupts the waiting at any point.
        """
        loop = asyncio.get_running_loop()
        pending = _PendingCommand(command, loop.create_future())
        if not pipelined:
            self._start_sending([pending])
        else:
            self._queued.append(pending)
            if len(self._queued) == 1:
                loop.call_soon(self._send_queued)
        return pending.reply

    async def cancel_pending(self) -> None:
        """Cancel all commands without a reply, and those who wait for them."""
        pending, self._queued = self._queued, []
        for each in pending:
            each.reply.cancel()
        while self._in_flight:
            for task in self._in_flight:
                task.cancel()
            # Repeated: in redis-py, before Python 3.12, a cancellation during a finished send is lost.
            await asyncio.wait(self._in_flight, timeout=0.1)

    def _send_queued(self) -> None:
        pending, self._queued = self._queued, []
        if pending:
            self._start_sending(pending)

    def _start_sending(self, pending: Sequence[_PendingCommand]) -> None:
        task = asyncio.create_task(self._send_and_settle(pending))
        self._in_flight.add(task)
        task.add_done_callback(self._in_flight.discard)

    async def _send_and_settle(self, pending: Sequence[_PendingCommand]) -> None:
        """Send these, and set each one's reply or error."""
        replies: Sequence[Any]
        try:
            replies = await self._send_commands([each.command for each in pending])
        except asyncio.CancelledError:
            for each in pending:
                each.reply.cancel()
            raise
        except Exception as exc:
            # One command that cannot be encoded or queued, or whose reply cannot be decoded, must not fail the others:
            # in the last case all have run, and run again as after a lost connection.
            if len(pending) > 1 and (isinstance(exc, DataError) or not isinstance(exc, RedisError)):
                for each in pending:
                    await self._send_and_settle([each])
                return
            replies = [exc] * len(pending)
        for each, reply in zip(pending, replies, strict=True):
            if each.reply.done():
                continue
            if isinstance(reply, Exception):
                each.reply.set_exception(reply)
            else:
                each.reply.set_result(reply)

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
        replies: list[Any] = await pipeline.execute(raise_on_error=False)
        return replies
