"""Starting, inspecting and stopping the embedded servers of a data directory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from storm.store.embedded import EmbeddedServer, ServerStatus
from storm.store.server_program import ServerProgram


async def keep_embedded(data_dir: Path) -> tuple[ServerStatus, bool]:
    """Start the embedded server and keep it running until it is stopped; its status, and whether this is new."""
    server = await asyncio.to_thread(EmbeddedServer.find_installed, data_dir)
    return await asyncio.to_thread(server.keep_running)


async def embedded_status(data_dir: Path) -> tuple[ServerStatus, ...]:
    """The status of each server that was ever started there; none is started."""
    found = [await asyncio.to_thread(server.read_status) for server in _possible_servers(data_dir)]
    return tuple(status for status in found if status)


async def stop_embedded(data_dir: Path, *, force: bool) -> bool:
    """Shut down the embedded server of a data directory, Redis or Valkey; False if none was running."""
    return await asyncio.to_thread(stop_servers, data_dir, force=force)


def stop_servers(data_dir: Path, *, force: bool) -> bool:
    """`stop_embedded`, for callers outside of an event loop."""
    stopped = [server.stop_server(force=force) for server in _possible_servers(data_dir)]
    return any(stopped)


def _possible_servers(data_dir: Path) -> list[EmbeddedServer]:
    return [EmbeddedServer(data_dir, ServerProgram(name, (), Path())) for name in ("valkey", "redis")]
