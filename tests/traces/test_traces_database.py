"""Opening the database of traces: migrations of old ones, refusals of newer and foreign ones, and its faults."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from postgres import PostgresServer
from sqlalchemy import Connection, text

from storm import traces as package
from storm.errors import TracesBusy, TracesError, TracesRefused, TracesSchemaError, TracesUnavailable, UsageError
from storm.traces import schema
from storm.traces.database import TraceDatabase
from storm.traces.schema import migrate
from storm.traces.service import Traces
from storm.traces.tables import Base
from storm.traces.versions import REVISIONS

MIGRATIONS = Path(str(package.__file__)).parent / "migrations"


@contextmanager
def sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, as another program opens it."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        yield connection


async def make_old(database: TraceDatabase, version: str = REVISIONS[0]) -> None:
    """A database as an earlier version left it, with one trace."""
    database._check_file(create=True)
    async with database._writer.begin() as connection:
        await connection.run_sync(migrate, version)
        await connection.execute(
            text(
                "INSERT INTO tool_traces"
                " (id, user_id, tool_name, input_params, status, progress, current_stage, created_at)"
                " VALUES ('old', 0, 'report', '{}', 'completed', 1.0, '', '2026-01-02 03:04:05.000000')"
            )
        )


# Versions.


@pytest.mark.slow
async def test_the_migrations_make_what_the_tables_say(database: TraceDatabase) -> None:
    def is_of_traces(name: str | None, kind: str, parents: object) -> bool:
        return not (name or "").startswith(("trace_text", "ix_tool_traces_texts"))  # what texts are found by

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"include_name": is_of_traces})
        return list(compare_metadata(context, Base.metadata))

    await database.open()
    async with database.read() as connection:
        assert await connection.run_sync(differences) == []


def test_the_versions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS


async def test_an_earlier_database_is_brought_up_to_date_with_what_it_holds(database: TraceDatabase) -> None:
    await make_old(database)
    traces = Traces(database)
    assert (await traces.get_trace("old")).tool_name == "report"
    assert await traces.list_events("old") == []


async def test_a_file_is_copied_before_it_is_migrated(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path / "traces.db")
    await make_old(database)
    await database.open()
    await database.close()
    with sqlite(tmp_path / "traces.db.version-0001") as copy:
        assert copy.execute("SELECT id FROM tool_traces").fetchall() == [("old",)]
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = TraceDatabase(tmp_path / "traces.db")
    await make_old(database)
    upgrade = schema._upgrade

    def upgrade_and_fail(connection: Connection, target: str) -> None:
        upgrade(connection, target)
        raise OSError("no space left on device")

    with monkeypatch.context() as patch, pytest.raises(TracesError):
        patch.setattr(schema, "_upgrade", upgrade_and_fail)
        await database.open()
    await database.close()
    with sqlite(tmp_path / "traces.db") as found:
        assert found.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
        assert not found.execute("SELECT 1 FROM sqlite_master WHERE name = 'trace_events'").fetchall()


async def test_a_newer_database_is_refused_in_one_line_and_left_alone(database: TraceDatabase) -> None:
    await database.open()
    async with database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    newer = TraceDatabase(database._engine.url.render_as_string(hide_password=False))
    with pytest.raises(
        TracesSchemaError, match=rf"version 0099, and this storm knows versions up to {REVISIONS[-1]}"
    ) as refused:
        await newer.open()
    await newer.close()
    assert "\n" not in refused.value.message
    assert refused.value.hint == "update storm, or name another database in STORM_TRACES_URL"


async def test_tables_of_another_program_are_refused_and_left_alone(database: TraceDatabase) -> None:
    database._check_file(create=True)
    async with database._writer.begin() as connection:
        await connection.execute(text("CREATE TABLE tool_traces (x TEXT)"))
    with pytest.raises(TracesSchemaError, match="not those of storm"):
        await database.open()
    async with database._engine.connect() as connection:
        assert (await connection.execute(text("SELECT x FROM tool_traces"))).all() == []


#: Opens a database, after the word to go.
OPENS = textwrap.dedent("""
    import asyncio, pathlib, sys
    from storm.traces.database import TraceDatabase
    from storm.traces.service import Traces

    async def main():
        place = sys.argv[1] if "://" in sys.argv[1] else pathlib.Path(sys.argv[1])
        database = TraceDatabase(place)
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(int(sys.argv[3])):
            await Traces(database).create_trace("tool", {}, trace_id=f"{sys.argv[2]}-{number}")
        print("written", flush=True)
        sys.stdin.readline()
        await database.close()

    asyncio.run(main())
""")


def start_writer(place: str | Path, name: str, number: int = 10) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OPENS, str(place), name, str(number)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def say(process: subprocess.Popen[str], expected: str) -> None:
    """Wait until the process says so, and tell it to go on."""
    assert process.stdout and process.stdin
    assert process.stdout.readline().strip() == expected
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.slow
async def test_two_processes_migrate_and_write_at_once(place: str | Path, database: TraceDatabase) -> None:
    await make_old(database)
    writers = [start_writer(place, name) for name in "ab"]
    for word in ("ready", "written"):
        for writer in writers:
            say(writer, word)
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        assert writer.stdin
        assert writer.stdout
        writer.stdin.close()
        writer.stdout.close()
    found = {trace.id for trace in (await Traces(database).list_traces()).traces}
    assert found == {"old"} | {f"{name}-{number}" for name in "ab" for number in range(10)}


@pytest.mark.slow
async def test_what_a_killed_process_wrote_is_there(place: str | Path, database: TraceDatabase) -> None:
    await asyncio.to_thread(_write_and_kill, place)
    traces = Traces(database)
    assert len((await traces.list_traces()).traces) == 3
    await traces.create_trace("tool", {})


def _write_and_kill(place: str | Path) -> None:
    with start_writer(place, "a", 3) as writer:
        say(writer, "ready")
        assert writer.stdout
        assert writer.stdout.readline().strip() == "written"
        writer.send_signal(signal.SIGKILL)


# Faults.


async def test_a_locked_database_is_said_and_can_be_read_meanwhile(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path / "traces.db", busy_seconds=0)
    traces = Traces(database)
    await traces.create_trace("tool", {}, trace_id="a")
    with sqlite(tmp_path / "traces.db") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TracesBusy, match="locked by another process"):
            await traces.create_trace("tool", {})
        assert (await traces.get_trace("a")).id == "a"
        other.execute("ROLLBACK")
    await traces.create_trace("tool", {})
    await database.close()


async def test_a_full_database_is_said_and_nothing_is_written_in_part(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path / "traces.db")
    traces = Traces(database)
    await traces.create_trace("tool", {}, trace_id="a")
    async with database._engine.connect() as connection:
        pages = await connection.scalar(text("PRAGMA page_count"))
    from sqlalchemy import event

    event.listen(
        database._engine.sync_engine, "begin", lambda each: each.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    )
    with pytest.raises(TracesRefused, match="no space left") as full:
        await traces.update_progress("a", 0.5, state={"text": "x" * 100_000})
    assert full.value.hint
    assert (await traces.get_trace("a")).progress == 0
    await database.close()


async def test_a_read_only_database_is_said_and_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "traces.db"
    written = TraceDatabase(path)
    await Traces(written).create_trace("tool", {}, trace_id="a")
    database = TraceDatabase(f"sqlite:///file:{path}?mode=ro&uri=true")
    traces = Traces(database)
    assert (await traces.get_trace("a")).id == "a"
    with pytest.raises(TracesRefused, match="may be read, but not written"):
        await traces.create_trace("tool", {})
    for each in (database, written):
        await each.close()


async def test_a_read_only_database_of_postgresql_is_said(postgres: PostgresServer) -> None:
    database = TraceDatabase(postgres.create_database())
    traces = Traces(database)
    await traces.create_trace("tool", {}, trace_id="a")
    async with database._writer.begin() as connection:
        name = await connection.scalar(text("SELECT current_database()"))
        await connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    await database.close()
    with pytest.raises(TracesRefused, match="may be read, but not written"):
        await traces.create_trace("tool", {})
    assert (await traces.get_trace("a")).id == "a"
    await database.close()


async def test_a_file_that_is_no_database_is_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "traces.db"
    path.write_text("This is the diary of somebody else.\n" * 50)
    database = TraceDatabase(path)
    with pytest.raises(TracesRefused, match="damaged, or no SQLite database"):
        await database.open()
    await database.close()
    assert path.read_text().startswith("This is the diary")


async def test_a_folder_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path)
    with pytest.raises(TracesUnavailable, match="cannot be opened"):
        await database.open()


async def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(TracesUnavailable, match="taken"):
        await TraceDatabase(tmp_path / "taken" / "traces.db").open()


async def test_a_database_that_is_not_there_is_said_and_not_made(place: str | Path, database: TraceDatabase) -> None:
    with pytest.raises(TracesUnavailable, match="there are no traces at"):
        await database.open(create=False)
    assert not isinstance(place, Path) or not place.exists()


async def test_a_server_that_is_not_there_is_said_without_its_password(tmp_path: Path) -> None:
    database = TraceDatabase(f"postgresql://me:secret@/traces?host={tmp_path}")
    with pytest.raises(TracesUnavailable, match="no database answers") as away:
        await database.open()
    assert "secret" not in f"{away.value} {away.value.hint}"


async def test_a_database_that_the_server_lacks_is_said(postgres: PostgresServer) -> None:
    with pytest.raises(TracesUnavailable, match="there is no database at"):
        await TraceDatabase(postgres.url("nobody")).open()


async def test_a_server_that_is_gone_in_mid_job_is_said_and_used_again_when_it_is_back(
    postgres: PostgresServer,
) -> None:
    database = TraceDatabase(postgres.create_database())
    traces = Traces(database)
    await traces.create_trace("tool", {}, trace_id="a")
    await asyncio.to_thread(postgres.stop)
    try:
        with pytest.raises(TracesUnavailable, match="no database answers"):
            await traces.update_progress("a", 0.5)
    finally:
        await asyncio.to_thread(postgres.start)
    await traces.update_progress("a", 0.5)
    assert (await traces.get_trace("a")).progress == 0.5
    await database.close()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://me:secret@host/x", "mysql is not among"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("secret", "not a database URL"),
        ("postgresql://me:secret@host:port/x", "not a database URL"),
    ],
)
def test_a_wrong_address_is_refused_without_repeating_it(url: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        TraceDatabase(url)
    assert "secret" not in str(refused.value)


async def test_the_file_is_its_user_s_alone_and_takes_readers_beside_a_writer(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path / "traces" / "traces.db")
    await database.open()
    async with database.read() as connection:
        assert await connection.scalar(text("PRAGMA journal_mode")) == "wal"
    await database.close()
    assert (tmp_path / "traces").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "traces" / "traces.db").stat().st_mode & 0o777 == 0o600
