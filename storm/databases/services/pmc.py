"""PubMed Central: open access articles with their full text, from NCBI and from Europe PMC."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Self

from storm.databases.formats.jats import read_jats
from storm.databases.http.client import Expect, Http
from storm.databases.http.service import Service
from storm.databases.services.answers import FoundRecords, gather_all, outcome_of, records_of
from storm.databases.services.eutils import Eutils, search_term
from storm.databases.services.public import PublicDatabase
from storm.errors import BadAnswer, RecordError, ServiceError
from storm.models import Hit, SearchOutcome, SearchQuery, database_info
from storm.models.identifiers import normalize_pmcid
from storm.ports import Limiter

#: A full text has 100 to 250 kB.
_PAGE_SIZE = 20
_BODY = re.compile(rb"<(?:[\w.-]+:)?body[\s>]")
#: A record with fewer characters of text has an abstract at most.
_FULL_TEXT = 8_000
#: Europe PMC answers 404 with any body if it has no full text; only a web page means something else.
_NO_TEXT = re.compile(rb"")
#: How the message of read_jats begins if the service says that it has no such article.
_NO_SUCH = "the service has no such article"


class Pmc(PublicDatabase):
    """Names and required words are searched in title, abstract and keywords of open access articles.

    A full text may mention a drug in passing. Words that only rank never narrow. `since` and `until` bound the
    publication date.
    """

    info = database_info("pmc")
    example_id = "PMC2803426"

    def __init__(self, http: Http, service: Service, europepmc: Service | None) -> None:
        """`service` is NCBI's; `europepmc`, if enabled, is tried first for a single full text."""
        super().__init__(http, service)
        self._eutils = Eutils(http, service, "pmc")
        self._europepmc = europepmc

    @classmethod
    def _create_client(cls, http: Http, service: Service, usable: Mapping[str, Service], limiter: Limiter) -> Self:
        return cls(http, service, usable.get("europepmc"))

    async def look_up_hits(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Implements `ports.Register`: the full texts of works in PMC that have at most an abstract."""
        return await self._look_up_texts(hits, self.limit)

    async def look_up_texts(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Implements `ports.TextRegister`."""
        return await self._look_up_texts(hits, len(hits))

    async def _look_up_texts(self, hits: Sequence[Hit], most: int) -> SearchOutcome | None:
        short = list(dict.fromkeys(pmcid for hit in hits if len(hit.text) < _FULL_TEXT and (pmcid := _pmcid_of(hit))))
        wanted = short[:most]
        if not wanted:
            return None
        asked = f"full texts of {len(wanted)} of {len(short)} articles"
        return await outcome_of(self.name, asked, self._fetch_full_texts(wanted))

    async def _fetch_full_texts(self, pmcids: Sequence[str]) -> FoundRecords:
        found, failed = await gather_all([self.fetch(pmcid) for pmcid in pmcids])
        hits = [hit for hit in found if hit]
        return FoundRecords(hits, len(hits), failed)

    async def fetch(self, external_id: str) -> Hit | None:
        """The article of that PMCID with its full text, or None if neither service has it.

        Front matter alone is not a full text. Raises ServiceError if one service fails and the other has none.
        """
        pmcid = normalize_pmcid(external_id)
        if pmcid is None:
            raise self.invalid_id_error(external_id)
        failure: ServiceError | None = None
        first = () if self._europepmc is None else (partial(self._fetch_from_europepmc, self._europepmc),)
        places: tuple[Callable[[str], Awaitable[Hit | None]], ...] = (*first, self._fetch_from_ncbi)
        for place in places:
            try:
                if hit := await place(pmcid):
                    return hit
            except ServiceError as exc:
                failure = exc
        if failure:
            raise failure
        return None

    async def _fetch_from_europepmc(self, service: Service, pmcid: str) -> Hit | None:
        read = partial(self._read_full_text, pmcid=pmcid)
        answer = await self._http.fetch_answer(
            service, f"{pmcid}/fullTextXML", expect=Expect.XML, missing=_NO_TEXT, read=read
        )
        hit: Hit | None = answer.value
        return hit

    async def _fetch_from_ncbi(self, pmcid: str) -> Hit | None:
        return await self._eutils.fetch_records([pmcid.removeprefix("PMC")], partial(self._read_full_text, pmcid=pmcid))

    def _read_full_text(self, body: bytes, pmcid: str) -> Hit | None:
        items = records_of(body, read_jats, self.service.label)
        hits = [item for item in items if isinstance(item, Hit)]
        if found := next((hit for hit in hits if hit.external_id == pmcid), None):
            return found if _BODY.search(body) else None
        if hits:
            raise BadAnswer(f"{hits[0].external_id} was returned instead of {pmcid}", service=self.service.label)
        problem = next((item.message for item in items if isinstance(item, RecordError)), "")
        if not problem or problem.startswith(_NO_SUCH):
            return None
        raise BadAnswer(f"{pmcid} could not be read: {problem}", service=self.service.label)

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        term = f"{search_term(query, 'Title', 'Abstract', 'Keyword')} AND open access[filter]"
        found = await self._eutils.find_records(
            query, term, limit, page_size=_PAGE_SIZE, read=self._read_items, prefix="PMC"
        )
        if found.widened:
            return found  # what NCBI dropped may be the filter
        return found._replace(hits=[hit.model_copy(update={"open_access": True}) for hit in found.hits])

    def _read_items(self, body: bytes) -> list[Hit | RecordError]:
        return records_of(body, read_jats, self.service.label)


def _pmcid_of(hit: Hit) -> str:
    return next((name.partition(":")[2] for name in hit.identifiers if name.startswith("pmcid:")), "")
