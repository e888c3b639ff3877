"""The stores that the tests of the store run on: one in memory and a real server, with the same contract."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeServer
from stores import open_quick_store, store_in_memory

from storm.store import Store


@pytest.fixture(params=["memory", "server"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """An empty store, once in memory and once on a real server."""
    opened = store_in_memory(FakeServer()) if request.param == "memory" else open_quick_store()
    async with opened as found:
        yield found
