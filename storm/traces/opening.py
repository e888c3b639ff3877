"""Opening the traces of the settings. SQLAlchemy is imported to read them, and to write to another database than the
file in the data directory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from storm.errors import TracesUnavailable
from storm.settings import Settings
from storm.traces.trace import LOCAL, Owner
from storm.traces.writer import TraceWriter

if TYPE_CHECKING:
    from storm.traces.service import Traces


#: The STORM_TRACES_URL of those who want no traces.
OFF = "off"


def are_traces_on(settings: Settings) -> bool:
    """Whether jobs and tools are recorded."""
    return settings.traces_url != OFF


def traces_place(settings: Settings) -> str | Path:
    """The database of the settings: STORM_TRACES_URL, or a file in the data directory. TracesUnavailable if traces are
    turned off."""
    if not are_traces_on(settings):
        raise TracesUnavailable("traces are turned off (STORM_TRACES_URL is off)", hint="unset STORM_TRACES_URL")
    return settings.traces_url or settings.data_dir / "traces" / "traces.db"


def open_writer(settings: Settings, owner: Owner = LOCAL) -> TraceWriter:
    """What a recorder writes through; nothing is opened before it writes."""
    place = traces_place(settings)
    if isinstance(place, Path):
        from storm.traces.trace_file import TraceFile

        return TraceFile(place, owner)
    from storm.traces.database import TraceDatabase
    from storm.traces.service import Traces

    return Traces(TraceDatabase(place), owner)


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
