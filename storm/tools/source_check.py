"""Looks up what the found records do not say of a job's sources: retractions, free copies, whole web pages."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Sequence

from storm.errors import ServiceError
from storm.models import Hit
from storm.models.search import CHECK
from storm.ports import Collection, Journal, Pages, Register, Searcher, TextRegister
from storm.wording import format_count

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

    async def check(self, best: Sequence[str] | None = None, checked: Container[str] = ()) -> None:
        """Add what is found to the sources' records.

        A register that fails is recorded in the search log; a page that cannot be read, in the events, as reading it is
        no search.
        """
        sources = [source.hit for source in await self._collection.load_sources()]
        hits = [hit for hit in sources if not any(name in checked for name in hit.identifiers)]
        known = len(sources) - len(hits)
        texts = None if best is None else _select_hits(hits, best)
        work = [self._ask_register(register, hits, texts, known) for register in self._registers]
        pages = [hit for hit in (hits if texts is None else texts) if hit.database == "web"]
        wanted = pages[:MOST_PAGES] if texts is None else pages
        await asyncio.gather(*work, *(self._read_page(self._pages, hit) for hit in wanted if self._pages))

    async def _ask_register(
        self, register: Register, hits: Sequence[Hit], texts: Sequence[Hit] | None, known: int
    ) -> None:
        if texts is not None and isinstance(register, TextRegister):
            outcome = await register.look_up_texts(texts)
        else:
            outcome = await register.look_up_hits(hits)
        if outcome and known:  # the log has a line for each query: two look-ups of 3 works are two
            query = f"{outcome.query}, after {format_count(known, 'source')} looked up before"
            outcome = outcome.model_copy(update={"query": query})
        if outcome:
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


def _select_hits(hits: Sequence[Hit], keys: Sequence[str]) -> list[Hit]:
    """The hits of these keys, in the order of the keys, each once."""
    by_key = {name: hit for hit in hits for name in hit.identifiers}
    return list({hit.key: hit for key in keys if (hit := by_key.get(key))}.values())
