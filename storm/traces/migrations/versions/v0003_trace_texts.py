"""What the texts of traces are found by: without it each trace is read to find a few letters."""

import sqlalchemy as sa
from alembic import op

from storm.traces.versions import TEXT_INDEX, TRACE_TEXT

revision = "0003"
down_revision = "0002"

#: The server lacks the extension, or the role the right to add it.
_NOT_TO_BE_HAD = ("0A000", "42501", "58P01", "42704")
_TRIGRAMS = """CREATE INDEX ix_tool_traces_texts ON tool_traces USING gin (
    CAST(input_params AS TEXT) gin_trgm_ops, id gin_trgm_ops, tool_name gin_trgm_ops, error_message gin_trgm_ops
) WITH (fastupdate = off)"""


def upgrade() -> None:
    """Create the index, and enter the traces that are there."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        _create_trigrams(connection)
        return
    for statement in TEXT_INDEX:
        op.execute(sa.text(statement))
    op.execute(f"INSERT INTO trace_texts (trace_id, text) SELECT id, {TRACE_TEXT} FROM tool_traces AS new")


def _create_trigrams(connection: sa.Connection) -> None:
    """A role that may not add the extension goes without the index: all is found, more slowly."""
    try:
        with connection.begin_nested():
            connection.execute(sa.text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
            connection.execute(sa.text(_TRIGRAMS))
    except sa.exc.DBAPIError as exc:
        if getattr(exc.orig, "sqlstate", "") not in _NOT_TO_BE_HAD:
            raise
