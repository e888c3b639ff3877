"""PubMed Central: open access articles with their full text, from NCBI and from Europe PMC."""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable

from storm.databases.answers import Found
from storm.databases.eutils import Eutils, search_term
from storm.databases.formats.jats import read_jats
from storm.databases.http import Expect, Http
from storm.databases.public import PublicDatabase
from storm.databases.service import Service
from storm.errors import BadAnswer, QueryRejected, RecordError, ServiceError
from storm.models import Hit, SearchQuery
from storm.models.identifiers import normalize_pmcid

#: A full text is 100 to 250 kB.
_PAGE_SIZE = 20
_BODY = re.compile(rb"<(?:[\w.-]+:)?body[\s>]")
#: How read_jats begins to tell that the service says it has no such article.
_NO_SUCH = "the service has no such article"


class Pmc(PublicDatabase):
    """Names are looked for in title, abstract and keywords of open access articles.

    In a full text a drug may be named in passing. Words never narrow. `since` and `until` bound the publication date.
    """

    name = "pmc"

    def __init__(self, http: Http, service: Service, europepmc: Service) -> None:
        """`service` is NCBI's; `europepmc` is asked first where one full text is wanted."""
        super().__init__(http, service)
        self._eutils = Eutils(http, service, "pmc")
        self._europepmc = europepmc

    async def fetch(self, external_id: str) -> Hit | None:
        """The article of that PMCID with its full text, or None if neither place gives one.

        Where only front matter is given there is no full text. ServiceError if one place could not be asked and the
        other gives none.
        """
        pmcid = normalize_pmcid(external_id)
        if pmcid is None:
            return None
        failure: ServiceError | None = None
        places: tuple[Callable[[str], Awaitable[bytes | None]], ...] = (self._at_europepmc, self._at_ncbi)
        for place in places:
            try:
                body = await place(pmcid)
                if body is not None and (hit := self._full_text(body, pmcid)):
                    return hit
            except ServiceError as exc:
                failure = exc
        if failure:
            raise failure
        return None

    async def _at_europepmc(self, pmcid: str) -> bytes | None:
        try:
            answer = await self._http.ask(self._europepmc, f"{pmcid}/fullTextXML", expect=Expect.XML)
        except QueryRejected as exc:
            if exc.status == 404:
                return None
            raise
        return answer.body

    async def _at_ncbi(self, pmcid: str) -> bytes | None:
        return await self._eutils.records([pmcid.removeprefix("PMC")])

    def _full_text(self, body: bytes, pmcid: str) -> Hit | None:
        items = _items(body)
        hits = [item for item in items if isinstance(item, Hit)]
        if found := next((hit for hit in hits if hit.external_id == pmcid), None):
            return found if _BODY.search(body) else None
        if hits:
            raise BadAnswer(f"{hits[0].external_id} came where {pmcid} was asked for", service=self._service.label)
        told = next((item.message for item in items if isinstance(item, RecordError)), "")
        if not told or told.startswith(_NO_SUCH):
            return None
        raise BadAnswer(f"{pmcid} could not be read: {told}", service=self._service.label)

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        term = f"{search_term(query, 'Title', 'Abstract', 'Keyword')} AND open access[filter]"
        return await self._eutils.find(query, term, limit, page_size=_PAGE_SIZE, read=_open_items, prefix="PMC")


def _items(body: bytes) -> list[Hit | RecordError]:
    return list(read_jats(io.BytesIO(body)))


def _open_items(body: bytes) -> list[Hit | RecordError]:
    """The articles of a search that was for open access articles only."""
    return [item.model_copy(update={"open_access": True}) if isinstance(item, Hit) else item for item in _items(body)]
