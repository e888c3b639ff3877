"""Life science patents from Europe PMC; needs no key."""

from __future__ import annotations

from storm.databases.services.answers import FoundRecords
from storm.databases.services.europepmc import fetch_record, find_records, id_parts
from storm.databases.services.public import PublicDatabase
from storm.models import Hit, Retraction, SearchQuery, database_info

_SOURCE = "PAT"


class Patents(PublicDatabase):
    """Names are searched in title and abstract: Europe PMC does not have the claims.

    Required words may be anywhere in the record; words that only rank never narrow. `since` and `until` bound the day
    of publication.
    """

    info = database_info("patents")
    example_id = "EP1234567"

    async def fetch(self, external_id: str) -> Hit | None:
        """The patent of that publication number (`EP1234567`), or None if Europe PMC holds none."""
        source, number = id_parts(f"{_SOURCE}:{external_id.strip()}")
        if not source:
            raise self.invalid_id_error(external_id)
        found = await fetch_record(self._http, self.service, source, number)
        return _to_patent(found) if found else None

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        found = await find_records(self._http, self.service, query, [_SOURCE], limit)
        return found._replace(hits=[_to_patent(hit) for hit in found.hits])


def _to_patent(record: Hit) -> Hit:
    """Europe PMC's record of a patent, under the patent's own number."""
    number = record.external_id.partition(":")[2]
    return Hit.of(
        "patents",
        number,
        record.url,
        record.title,
        sections=record.sections,
        authors=record.authors,
        year=record.year,
        date=record.date,
        publication_types=record.publication_types or ("Patent",),
        trials=record.trials,
        retraction=Retraction.NOT_RETRACTED,
        publication=record.publication,
    )
