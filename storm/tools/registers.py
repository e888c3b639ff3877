"""What registers know of a job's sources beyond the records that were found: retractions, and free copies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from storm.roles import Collection, Register
from storm.tools.search import JobSearch

#: The log's name for these look-ups, which belong to no question.
CHECK = "sources"


class SourceCheck:
    """Implements `roles.Checker`: all registers at once, each about all sources."""

    def __init__(self, registers: Sequence[Register], collection: Collection, search: JobSearch) -> None:
        self._registers = registers
        self._collection = collection
        self._search = search

    async def check(self) -> None:
        """What the registers tell becomes part of the sources' records; a register that fails is told in the log."""
        hits = [source.hit for source in await self._collection.sources()]
        for register, outcome in zip(
            self._registers, await asyncio.gather(*(register.about(hits) for register in self._registers)), strict=True
        ):
            if outcome is not None:
                await self._search.keep(outcome, register.scope, CHECK)
