"""Looks up what the found records do not say of a job's sources: retractions, free copies, whole web pages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from storm.errors import ServiceError
from storm.models import Hit
from storm.models.search import CHECK
from storm.ports import Collection, Journal, Pages, Register, Searcher

#: At most this many web pages are read whole; of the others the job keeps the search engine's excerpt.
MOST_PAGES = 12


class SourceCheck:
    """Implements `roles.Checker`: queries all registers about all sources, and reads the web pages among them."""

    def __init__(
        self,
        registers: Sequence[Register],
        pages: Pages | None,
        collection: Collection,
        journal: Journal,
        search: Searcher,
    ) -> None:
        self._registers = registers
        self._pages = pages
        self._collection = collection
        self._journal = journal
        self._search = search

    async def check(self) -> None:
        """Add what is found to the sources' records.

        A register that fails is recorded in the search log; a page that cannot be read, in the events, as reading it is
        no search.
        """
        hits = [source.hit for source in await self._collection.sources()]
        pages = [hit for hit in hits if hit.database == "web"][:MOST_PAGES]
        work = [self._ask_register(register, hits) for register in self._registers]
        await asyncio.gather(*work, *(self._read_page(self._pages, hit) for hit in pages if self._pages))

    async def _ask_register(self, register: Register, hits: Sequence[Hit]) -> None:
        if outcome := await register.look_up_hits(hits):
            await self._search.keep_outcome(outcome, register.scope, CHECK)

    async def _read_page(self, pages: Pages, hit: Hit) -> None:
        try:
            page = await pages.fetch(hit.external_id)
        except ServiceError as exc:
            await self._journal.report("page", f"{hit.external_id} was not read: {exc.message}")
            return
        if page.external_id != hit.external_id:
            await self._journal.report("page", f"{hit.external_id} was not read: it leads to {page.external_id}")
            return
        await self._collection.record_hits([page])
        await self._journal.report("page", f"{hit.external_id} was read: {len(page.text):,} characters")
