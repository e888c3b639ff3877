"""The versions of the tables, and how a new file of SQLite gets them. SQLAlchemy is not needed here."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkstemp

from storm.errors import TracesSchemaError

#: The versions of the tables, oldest first; each is a file in migrations/versions/.
REVISIONS = ("0001", "0002", "0003")

#: What of a trace its text index holds; `new` is the trace.
TRACE_TEXT = (
    "new.id || char(10) || new.tool_name || char(10) || coalesce(new.error_message, '') || char(10) || new.input_params"
)
#: The text index of SQLite, kept by triggers whoever writes. Its numbers stay when the file is compacted; those that
#: SQLite gives the rows of `tool_traces` do not.
TEXT_INDEX = (
    "CREATE TABLE trace_texts (number INTEGER PRIMARY KEY, trace_id VARCHAR(200) NOT NULL UNIQUE, text TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE trace_text_index USING fts5("
    "text, content='trace_texts', content_rowid='number', tokenize='trigram', detail='none')",
    "CREATE TRIGGER trace_texts_inserted AFTER INSERT ON trace_texts BEGIN "
    "INSERT INTO trace_text_index (rowid, text) VALUES (new.number, new.text); END",
    "CREATE TRIGGER trace_texts_deleted AFTER DELETE ON trace_texts BEGIN "
    "INSERT INTO trace_text_index (trace_text_index, rowid, text) VALUES ('delete', old.number, old.text); END",
    "CREATE TRIGGER tool_traces_inserted AFTER INSERT ON tool_traces BEGIN "
    f"INSERT INTO trace_texts (trace_id, text) VALUES (new.id, {TRACE_TEXT}); END",
    "CREATE TRIGGER tool_traces_deleted AFTER DELETE ON tool_traces BEGIN "
    "DELETE FROM trace_texts WHERE trace_id = old.id; END",
    "CREATE TRIGGER tool_traces_changed AFTER UPDATE OF error_message ON tool_traces "
    "WHEN old.error_message IS NOT new.error_message BEGIN DELETE FROM trace_texts WHERE trace_id = old.id; "
    f"INSERT INTO trace_texts (trace_id, text) VALUES (new.id, {TRACE_TEXT}); END",
)

#: The tables of the newest version, as the migrations make them; a test compares the two.
NEWEST = (
    *f"""
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO alembic_version VALUES ('{REVISIONS[-1]}');
CREATE TABLE tool_traces (
    id VARCHAR(200) NOT NULL, user_id BIGINT NOT NULL, org_id BIGINT, tool_name VARCHAR(100) NOT NULL,
    input_params JSON NOT NULL, status VARCHAR(20) NOT NULL, progress FLOAT NOT NULL, current_stage TEXT NOT NULL,
    state JSON, result JSON, error_message TEXT, created_at DATETIME NOT NULL, started_at DATETIME,
    completed_at DATETIME, metrics JSON, PRIMARY KEY (id)
);
CREATE INDEX ix_tool_traces_user_id_tool_name ON tool_traces (user_id, tool_name);
CREATE INDEX ix_tool_traces_status ON tool_traces (status);
CREATE INDEX ix_tool_traces_user_id_created_at ON tool_traces (user_id, created_at, id);
CREATE INDEX ix_tool_traces_user_id_status_created_at ON tool_traces (user_id, status, created_at, id);
CREATE INDEX ix_tool_traces_org_id_created_at ON tool_traces (org_id, created_at, id);
CREATE TABLE trace_events (
    trace_id VARCHAR(200) NOT NULL, event_id VARCHAR(100) NOT NULL, at DATETIME NOT NULL, kind VARCHAR(20) NOT NULL,
    name TEXT NOT NULL, message TEXT NOT NULL, outcome TEXT NOT NULL, prompt_tokens BIGINT, completion_tokens BIGINT,
    cost_usd FLOAT, seconds FLOAT, PRIMARY KEY (trace_id, event_id)
)""".split(";"),  # noqa: E501
    *TEXT_INDEX,
)


def check_version(version: str, place: str) -> str:
    """The version of the tables at that place; TracesSchemaError if a newer storm made them."""
    if version and version not in REVISIONS:
        raise TracesSchemaError(
            f"the traces at {place} are of version {version}, and this storm knows versions up to {REVISIONS[-1]}: "
            "a newer storm wrote them",
            hint="update storm, or name another database in STORM_TRACES_URL",
        )
    return version


def make_file(file: Path) -> None:
    """Make a file without tables that can be read while it is written to, and its folder, which only their user can
    read. A file that another process makes meanwhile stays."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = mkstemp(prefix=f".{file.name}-", dir=file.parent)
    os.close(handle)
    made = Path(name)
    try:
        # Not in the file itself: while two processes change its mode, SQLite refuses one of them without a wait.
        with closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        with suppress(FileExistsError):
            file.hardlink_to(made)
    finally:
        made.unlink()
