"""Opening the traces of the settings; SQLAlchemy is imported then, and not before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from storm.settings import Settings
from storm.traces.trace import LOCAL, Owner

if TYPE_CHECKING:
    from storm.traces.service import Traces


def traces_place(settings: Settings) -> str | Path:
    """The database of the settings: STORM_TRACES_URL, or a file in the data directory."""
    return settings.traces_url or settings.data_dir / "traces" / "traces.db"


@asynccontextmanager
async def open_traces(settings: Settings, owner: Owner = LOCAL, *, create: bool = True) -> AsyncIterator[Traces]:
    """Open the traces of one owner; the tables are made, or brought up to date.

    TracesError if that cannot be done: TracesUnavailable if there are none and `create` is false.
    """
    from storm.traces.database import TraceDatabase
    from storm.traces.service import Traces

    database = TraceDatabase(traces_place(settings))
    try:
        await database.open(create=create)
        yield Traces(database, owner)
    finally:
        await database.close()
