"""The version of the tables: brought up to date when an older database is opened, after a backup."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL, Connection, inspect, text

from storm.traces.versions import REVISIONS, check_version

_VERSION_TABLE = "alembic_version"
#: A number that only storm's migrations lock: two processes that open one database wait for each other.
_LOCK = 0x73746F726D


def is_sqlite(url: URL) -> bool:
    """Whether it is a file of SQLite."""
    return url.get_backend_name() == "sqlite"


def name_place(url: URL) -> str:
    """The database as messages name it: a file by its path, a server without its password."""
    return str(url.database) if is_sqlite(url) else url.render_as_string(hide_password=True)


def read_version(connection: Connection) -> str:
    """The version of the tables, empty without any; TracesSchemaError if a newer storm made them."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return ""
    version = connection.scalar(text(f"SELECT version_num FROM {_VERSION_TABLE}")) or ""
    return check_version(version, name_place(connection.engine.url))


def migrate(connection: Connection, target: str = REVISIONS[-1]) -> None:
    """Bring the tables up to date, in the transaction of the connection. A SQLite file is copied before."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = read_version(connection)  # another process may have migrated while this one waited
    if version == REVISIONS[-1]:
        return
    if version and connection.dialect.name == "sqlite":
        back_up(Path(connection.exec_driver_sql("PRAGMA database_list").all()[0].file), version)
    _upgrade(connection, target)


def back_up(database: Path, version: str) -> Path:
    """Copy the database to a file beside it that is named by its version; returns the copy."""
    copy = database.with_name(f"{database.name}.version-{version}")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def _upgrade(connection: Connection, target: str) -> None:
    from alembic import command  # slow to import, and of use for an old or new database only
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
