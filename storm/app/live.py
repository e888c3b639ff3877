"""The public databases, behind one rate limit, cache and HTTP client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from storm.databases.catalogue import read_services
from storm.databases.clients import open_databases, open_registers
from storm.databases.http.client import Http, user_agent
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.http.recording import open_transport
from storm.databases.http.replay_clock import ReplayClock
from storm.databases.live import LiveDatabases
from storm.databases.pages.reader import MayRead, PageReader
from storm.ports import Limiter, Pages
from storm.settings import Settings
from storm.store import Store, StoreLimiter

#: Seconds for which a call of an unattended job waits for its turn: 500 jobs at once at three calls a second need less.
_LONG_QUEUE = 3_600.0


@asynccontextmanager
async def open_live(settings: Settings, store: Store) -> AsyncIterator[LiveDatabases]:
    """Open the public databases that the settings list."""
    services = read_services(settings.databases, settings.environment)
    replayed = settings.http.startswith("replay:")
    replay = ReplayClock()
    monotonic, sleep = (replay.monotonic, replay.sleep) if replayed else (time.monotonic, asyncio.sleep)
    limiter = LocalLimiter(monotonic, sleep) if replayed else StoreLimiter(store)
    async with Http(
        limiter,
        cache_dir=None if settings.http else settings.data_dir / "http",
        user_agent=user_agent(settings.contact),
        transport=open_transport(settings.http, sleep) if settings.http else None,
        monotonic=monotonic,
        sleep=sleep,
        longest_queue=_LONG_QUEUE if settings.unattended else None,
    ) as http:
        if settings.http:  # its library makes its own requests, which are neither recorded nor replayed
            services = {name: service for name, service in services.items() if name != "duckduckgo"}
        found = open_databases(http, services, limiter)
        pages = None if settings.http else _page_reader(settings, limiter)
        registers = open_registers(http, services, limiter)
        yield LiveDatabases(services, found, registers, pages, replayed=replayed, is_queued=lambda: http.is_queued)


def _page_reader(settings: Settings, limiter: Limiter) -> Callable[[MayRead], Pages]:

    agent = user_agent(settings.contact)
    return lambda may_read: PageReader(
        limiter, may_read=may_read, user_agent=agent, honour_robots=settings.honour_robots
    )
