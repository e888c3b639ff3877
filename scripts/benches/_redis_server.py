"""A Redis server of one's own on loopback, and a proxy before it whose connections can be cut."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from storm.store.server_program import find_server_program


class RedisServer:
    """One server; what it holds is on disk if `keeps`, so that it survives `kill` and `start`."""

    def __init__(self, folder: Path, *, keeps: bool = True) -> None:
        folder.mkdir()
        self.port = _find_port()
        self._command = [
            str(find_server_program().binary), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder),
            "--save", "", "--appendonly", "yes" if keeps else "no", "--logfile", "server.log",
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        with Redis(port=self.port, retry=Retry(ConstantBackoff(0.02), 500)) as redis:
            redis.ping()

    def kill(self) -> None:
        """SIGKILL, and wait."""
        self._process.kill()
        self._process.wait()

    def limit_memory(self, spare: int | None) -> None:
        """Leave so many bytes more than are used now; None lifts the limit."""
        with Redis(port=self.port) as redis:
            used = int(redis.info("memory")["used_memory"])
            redis.config_set("maxmemory", 0 if spare is None else used + spare)


class Proxy:
    """Passes connections on to a port, until it is cut."""

    def __init__(self, target: int) -> None:
        self.port = _find_port()
        self._target = target
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def cut(self) -> None:
        """Let nothing through, as a cable that was pulled: connections stay open, and new ones hang."""
        self._loop.call_soon_threadsafe(self._is_open.clear)

    def repair(self) -> None:
        """Close what hung, and pass new connections on."""
        self._loop.call_soon_threadsafe(self._reopen)

    def _reopen(self) -> None:
        self._is_open.set()
        for task in self._tasks:
            task.cancel()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # its server is away
            writer.close()
            return
        pairs = ((reader, back), (onward, writer))
        tasks = [asyncio.ensure_future(self._pass_on(*pair)) for pair in pairs]
        self._tasks.update(tasks)
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.difference_update(tasks)
        for each in (writer, back):
            each.close()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await source.read(65_536):
                await self._is_open.wait()
                target.write(content)
                await target.drain()
        target.close()


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
