"""The SQL database of the traces: SQLite in the data directory, or PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from storm.errors import TracesError, TracesUnavailable, UsageError, name_install
from storm.traces.faults import BUSY_SECONDS, make_error, unreachable
from storm.traces.plain_values import write_json
from storm.traces.schema import is_sqlite, migrate, name_place, read_version
from storm.traces.versions import REVISIONS, make_file

#: Seconds that a connection to a server may take.
CONNECT_SECONDS = 5
#: An execution option of connections that write.
_WRITES = "storm_writes"
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite", "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg",
    "sqlite+aiosqlite": "sqlite+aiosqlite", "postgresql+psycopg": "postgresql+psycopg",
}  # fmt: skip


class TraceDatabase:
    """Connections to the database; the tables are made or brought up to date when it is first used."""

    def __init__(self, place: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        url = _read_place(place)
        self.place = name_place(url)
        self._file = _find_file(url)
        self._is_sqlite = is_sqlite(url)
        self._engine = _make_engine(url, busy_seconds)
        self._writer = self._engine.execution_options(**{_WRITES: True})
        self._is_current = False

    async def open(self, *, create: bool = True) -> None:
        """Make the tables, or bring them up to date. TracesSchemaError if a newer storm made them; TracesUnavailable if
        there are none and `create` is false."""
        if self._is_current:
            return
        self._check_file(create=create)
        with _translate_errors(self.place):
            async with self._engine.connect() as connection:
                version = await connection.run_sync(read_version)
            if not (version or create):
                raise self._missing_error()
            if version != REVISIONS[-1]:
                await self._migrate()
        self._is_current = True

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that reads; nobody waits for it."""
        await self.open()
        with _translate_errors(self.place):
            async with self._engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes, alone in SQLite; it is committed at the end, or nothing of it is written."""
        await self.open()
        with _translate_errors(self.place):
            async with self._writer.begin() as connection:
                yield connection

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def _migrate(self) -> None:
        if self._is_sqlite:
            async with self._engine.connect() as connection:
                await connection.exec_driver_sql("COMMIT")  # the mode is changed outside of transactions
                await connection.exec_driver_sql("PRAGMA journal_mode=WAL")  # is kept in the file
        async with self._writer.begin() as connection:
            await connection.run_sync(migrate)

    def _check_file(self, *, create: bool) -> None:
        """Make the folder of a new file, which only its user can read."""
        if not self._file or self._file.exists():
            return
        if not create:
            raise self._missing_error()
        with _translate_errors(self.place):
            make_file(self._file)

    def _missing_error(self) -> TracesUnavailable:
        return TracesUnavailable(
            f"there are no traces at {self.place}", hint="they are made while a job is recorded; see STORM_TRACES_URL"
        )


@contextmanager
def _translate_errors(place: str) -> Iterator[None]:
    """Raise storm's error for one of SQLAlchemy or a driver; `place` names the database without its password."""
    try:
        yield
    except DBAPIError as exc:
        raise make_error(exc.driver_exception, place) from exc
    except SQLAlchemyError as exc:
        raise TracesError(f"the traces at {place} cannot be used: {exc}") from exc
    except OSError as exc:
        raise unreachable(place) from exc


def _read_place(place: str | Path) -> URL:
    """The address with its driver; UsageError if storm has none for it."""
    if isinstance(place, Path):
        return URL.create("sqlite+aiosqlite", database=str(place))
    try:
        url = make_url(place)
    except (ArgumentError, ValueError) as exc:
        raise _bad_url_error("it is not a database URL") from exc
    if url.drivername not in _DRIVERS:
        raise _bad_url_error(f"{url.drivername} is not among the databases that storm knows")
    if is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise _bad_url_error("it names no file")
    return url.set(drivername=_DRIVERS[url.drivername])


def _find_file(url: URL) -> Path | None:
    """The file of SQLite, which storm makes; None for a server, and for an address with options (`file:…?mode=ro`)."""
    database = url.database or ""
    return Path(database) if is_sqlite(url) and not database.startswith("file:") else None


def _bad_url_error(why: str) -> UsageError:
    """An error that does not repeat the address, which may hold a password."""
    return UsageError(
        f"STORM_TRACES_URL is wrong: {why}",
        hint="sqlite:////PATH/traces.db, or postgresql://USER:PASSWORD@HOST/DATABASE",
    )


def _make_engine(url: URL, busy_seconds: float) -> AsyncEngine:
    # Without an isolation level Python begins no transaction: `_begin` does.
    arguments: dict[str, Any] = (
        {"timeout": busy_seconds, "isolation_level": None} if is_sqlite(url) else {"connect_timeout": CONNECT_SECONDS}
    )
    try:
        engine = create_async_engine(url, json_serializer=write_json, connect_args=arguments)
    except (ImportError, NoSuchModuleError) as exc:
        raise TracesUnavailable(
            "to keep traces in PostgreSQL, storm needs psycopg",
            hint=f"install it: {name_install('postgres')}",
        ) from exc
    if is_sqlite(url):
        event.listen(engine.sync_engine, "begin", _begin)
        event.listen(engine.sync_engine, "connect", _hurry)
    return engine


def _begin(connection: Connection) -> None:
    """Take SQLite's lock at once where something will be written: taken later, it may be refused without a wait."""
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _hurry(connection: Any, record: object) -> None:
    """Wait for the disk at checkpoints, not at each commit: a power failure may lose the last seconds of traces."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()
