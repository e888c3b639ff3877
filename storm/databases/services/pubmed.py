"""PubMed: articles and book chapters from NCBI's E-utilities."""

from __future__ import annotations

from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.answers import FoundRecords, only_record, records_of
from storm.databases.services.eutils import Eutils, search_term
from storm.databases.services.public import PublicDatabase
from storm.databases.services.pubmed_syntax import choose_query
from storm.databases.services.pubmed_terms import read_terms
from storm.errors import RecordError
from storm.models import Hit, SearchQuery, database_info
from storm.models.identifiers import normalize_pmid

_PAGE_SIZE = 500


class PubMed(PublicDatabase):
    """Names and required words are searched in PubMed's text words: title, abstract, subject headings and substances.

    Words that only rank never narrow. `since` and `until` bound the date of publication, `changed_since` the days on
    which a record was added and last revised. A remark names what PubMed ignored. A search in PubMed's own syntax is
    sent as it is if nothing is wrong with it, else repaired, else its terms are; a remark says which.
    """

    info = database_info("pubmed")
    dates_changes = True
    reads_native = True
    example_id = "16236737"

    def __init__(self, http: Http, service: Service) -> None:
        super().__init__(http, service)
        self._eutils = Eutils(http, service, "pubmed")

    async def fetch(self, external_id: str) -> Hit | None:
        """The record of that PMID, or None if PubMed has none; ServiceError if PubMed cannot be searched."""
        pmid = normalize_pmid(external_id)
        if pmid is None:
            raise self.invalid_id_error(external_id)

        def read_article(body: bytes) -> Hit | None:
            items = self._read_items(body)
            return only_record(items, pmid, self.service.label) if items else None

        return await self._eutils.fetch_records([pmid], read_article)

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        native = choose_query(query.native)
        if not native.text:
            found = await self._find_matches(query, search_term(query, "Text Word"), limit)
        else:
            # What NCBI ignores of the search matters where a whole group of its terms is unknown.
            own = query.model_copy(update={"names": (), "required": read_terms(native.text)})
            term = f"({native.text})" if query.changed_since else native.text
            found = await self._find_matches(own, term, limit)
        return found._replace(remarks=[native.remark, *found.remarks]) if query.native else found

    async def _find_matches(self, query: SearchQuery, term: str, limit: int) -> FoundRecords:
        dated = _add_days(term, query.changed_since)
        return await self._eutils.find_records(query, dated, limit, page_size=_PAGE_SIZE, read=self._read_items)

    def _read_items(self, body: bytes) -> list[Hit | RecordError]:
        return records_of(body, read_pubmed, self.service.label)


def _add_days(term: str, changed_since: str | None) -> str:
    """The term for records added or revised since that day. Not by the entry date: PubMed sets it to the date of
    publication where a record was added more than a year after it."""
    if changed_since is None:
        return term
    days = f"{changed_since.replace('-', '/')}:3000/12/31"
    return f"{term} AND ({days}[crdt] OR {days}[lr])"
