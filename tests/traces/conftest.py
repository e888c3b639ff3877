"""The databases that the tests of traces run on: SQLite on disk, and PostgreSQL, which is skipped where it is not
installed, unless STORM_REQUIRE=postgres."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from postgres import PostgresServer, find_programs, start_postgres

from storm.traces import LOCAL, Owner
from storm.traces.database import TraceDatabase
from storm.traces.service import Traces
from storm.traces.trace_file import TraceFile
from storm.traces.writer import TraceWriter

IS_REQUIRED = "postgres" in os.environ.get("STORM_REQUIRE", "").split(",")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server, started once."""
    programs = find_programs()
    if programs is None:
        missing = "PostgreSQL is not installed (on Debian: apt-get install postgresql)"
        pytest.fail(missing) if IS_REQUIRED else pytest.skip(missing)
    with start_postgres(programs) as server:
        yield server


@pytest.fixture(autouse=True)
async def await_connections() -> AsyncIterator[None]:
    """Let the threads of SQLite's connections end before the test's loop is closed, on which they report."""
    yield
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, 5)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """An empty database: a file that is not there yet, or one on the server."""
    if request.param in ("sqlite", "file"):
        return tmp_path / "traces" / "traces.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.empty_database()


@pytest.fixture
async def database(place: str | Path) -> AsyncIterator[TraceDatabase]:
    """The database, with its tables when it is first used. Whoever finds it locked does not wait."""
    opened = TraceDatabase(place, busy_seconds=0)
    yield opened
    await opened.close()


@pytest.fixture
def traces(database: TraceDatabase) -> Traces:
    """The traces of the local user."""
    return Traces(database)


@pytest.fixture
def traces_of(database: TraceDatabase) -> Callable[[Owner], Traces]:
    """The traces of any owner in the same database."""
    return lambda owner=LOCAL: Traces(database, owner)


@pytest.fixture
async def writer_of(request: pytest.FixtureRequest, place: str | Path) -> AsyncIterator[Callable[..., TraceWriter]]:
    """What writes traces: the service, or where the place is the `file`, what needs no SQLAlchemy."""
    made: list[TraceWriter] = []

    def make(owner: Owner = LOCAL) -> TraceWriter:
        if request.node.callspec.params["place"] == "file":
            made.append(TraceFile(Path(place), owner, busy_seconds=0))
        else:
            made.append(Traces(TraceDatabase(place, busy_seconds=0), owner))
        return made[-1]

    yield make
    for each in made:
        await each.disconnect()


@pytest.fixture
def writer(writer_of: Callable[..., TraceWriter]) -> TraceWriter:
    """A writer of the local user's traces."""
    return writer_of()
