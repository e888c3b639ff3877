"""A loopback server that plays a script of answers, good and bad, and remembers what it was asked.

    async with FaultServer(Reply(b'{"ok": 1}'), Reply(status=503)) as server:
        ...                     # server.url, server.requests
        server.on("/esearch.fcgi", Reply(...), Reply(...))      # a script of its own for paths that end so
        async with open_http() as http: await http.fetch_answer(service_at(server.url), "search", {"q": "x"})

The replies of a script are played in turn and the last one again and again. A script's entry may also be a function
from the request to its reply. Everything runs in the test's own event loop.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import chain, repeat
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx

from storm.databases.http.client import Http
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.service import Service


@contextmanager
def closed_port() -> Iterator[int]:
    """A port on which nothing listens, and which no other test that runs at the same time is given meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


class Seen(NamedTuple):
    """One request as it arrived: `target` as sent, `path` decoded, `query` and `form` as pairs in order."""

    method: str
    target: str
    path: str
    query: list[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def params(self) -> dict[str, str]:
        return dict(self.query)

    @property
    def form(self) -> list[tuple[str, str]]:
        return parse_qsl(self.body.decode(), keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """One answer. Header names are sent as written; `content_type` and the length are added where not given.

    `piece` and `pause` send the body so many bytes at a time with so many seconds between; `announced` is a false
    Content-Length; `times` sends the body again and again as one; `reset` ends the connection with a TCP reset after
    what was sent; `silent` accepts the request and never answers; `wait` seconds pass before the first byte.
    """

    body: bytes | str = b""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    piece: int = 0
    pause: float = 0.0
    announced: int | None = None
    times: int = 1
    reset: bool = False
    silent: bool = False
    wait: float = 0.0

    @property
    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


#: What a client that wants TLS sends first; the server has none and hangs up.
_TLS_HELLO = b"\x16"

Entry = Reply | Callable[[Seen], Reply]


class FaultServer:
    """Plays its scripts on 127.0.0.1 while its context is open. A path without a script answers 404.

    `sent` counts the bytes of bodies that went out.
    """

    def __init__(self, *script: Entry) -> None:
        self.requests: list[Seen] = []
        self.connections = 0
        self._connected = asyncio.Condition()
        self.sent = 0
        self._scripts: dict[str, Iterator[Entry]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        if script:
            self.on("", *script)

    def on(self, path_end: str, *script: Entry) -> None:
        """Play this script to requests whose path ends so; the longest ending that fits is taken."""
        self._scripts[path_end] = chain(script, repeat(script[-1]))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> FaultServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=2**20)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_for_connections(self, count: int) -> None:
        """Return when there have been so many, also such as ask nothing."""
        async with self._connected:
            await self._connected.wait_for(lambda: self.connections >= count)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        async with self._connected:
            self.connections += 1
            self._connected.notify_all()
        try:
            while (seen := await _read(reader)) is not None:
                self.requests.append(seen)
                if not await self._play(self._reply(seen), seen, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    def _reply(self, seen: Seen) -> Reply:
        fitting = [end for end in self._scripts if seen.path.endswith(end)]
        if not fitting:
            return Reply(b"no script for this path", status=404, content_type="text/plain")
        entry = next(self._scripts[max(fitting, key=len)])
        return entry if isinstance(entry, Reply) else entry(seen)

    async def _play(self, reply: Reply, seen: Seen, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection may be used again."""
        if reply.silent:
            await asyncio.Event().wait()
        await asyncio.sleep(reply.wait)
        writer.write(_head(reply))
        if seen.method != "HEAD":
            for _ in range(reply.times):
                for piece in _pieces(reply):
                    writer.write(piece)
                    await writer.drain()
                    self.sent += len(piece)
                    await asyncio.sleep(reply.pause)
        await writer.drain()
        if reply.reset:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        return not reply.reset and reply.announced is None


async def _read(reader: asyncio.StreamReader) -> Seen | None:
    first = await reader.read(1)
    if first in (b"", _TLS_HELLO):
        return None
    head = first + await reader.readuntil(b"\r\n\r\n")
    start, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = start.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Seen(method, target, unquote(parts.path), parse_qsl(parts.query, keep_blank_values=True), headers, body)


def _pieces(reply: Reply) -> Iterator[bytes]:
    size = reply.piece or 65_536
    return (reply.content[start : start + size] for start in range(0, len(reply.content), size))


def _head(reply: Reply) -> bytes:
    length = reply.announced if reply.announced is not None else len(reply.content) * reply.times
    headers = {"Content-Type": reply.content_type, "Content-Length": str(length), **reply.headers}
    phrase = HTTPStatus(reply.status).phrase if reply.status in HTTPStatus._value2member_map_ else "Unknown"
    lines = [f"HTTP/1.1 {reply.status} {phrase}", *(f"{name}: {value}" for name, value in headers.items() if value)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


#: Made once: reading the machine's certificates takes longer than most tests.
_TLS = httpx.create_ssl_context()


class Time:
    """A clock that only sleeping moves, and what was slept."""

    def __init__(self, start: datetime = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)) -> None:
        self.start = start
        self.slept: list[float] = []
        self.passed = 0.0

    def clock(self) -> datetime:
        return self.start + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds
        await asyncio.sleep(0)


def open_http(time: Time | None = None, transport: httpx.AsyncBaseTransport | None = None, **options: Any) -> Http:
    """The real Http on a clock of its own: no test waits for a rate limit or a retry. Half of the jitter is taken."""
    time = time or Time()
    return Http(
        LocalLimiter(time.monotonic, time.sleep),
        clock=time.clock,
        monotonic=time.monotonic,
        sleep=time.sleep,
        transport=transport or httpx.AsyncHTTPTransport(verify=_TLS),  # no proxy of the machine that tests run on
        **{"random": lambda: 0.5, **options},
    )


def service_at(url: str, **changes: Any) -> Service:
    """A service of which the fault server plays the part."""
    known = {"name": "example", "label": "Example", "scope": "examples", "rate": 1000.0, "ttl": 0.0, "read": 5.0}
    return Service.model_validate({**known, "base_url": url, **changes})
