"""What alembic runs: the steps, on the connection and in the transaction of storm/traces/schema.py."""

from alembic import context

from storm.traces.tables import Base

# SQLite changes a column by copying its table, which render_as_batch lets a migration say.
context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
context.run_migrations()
