"""Unpaywall: legal free copies of works."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from storm.databases.formats.fields import mapping_at, text_line
from storm.databases.services.answers import FoundRecords, doi_of, gather_all, json_object, must_be_about, outcome_of
from storm.databases.services.public import PublicClient
from storm.errors import NotConfigured
from storm.models import Hit, SearchOutcome, database_info
from storm.models.identifiers import normalize_doi

#: Unpaywall's message, after the quoted DOI, for an unknown or invalid DOI.
_MISSING = re.compile(rb"' (?:isn't in Unpaywall|is an invalid doi)")


class Unpaywall(PublicClient):
    """Looks up one DOI at a time. It requires a real e-mail address."""

    info = database_info("unpaywall")
    use = "asked about the sources of a job"
    instead = "a job asks it where its sources can be read free"

    async def look_up_hits(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Implements `ports.Register`: free copies of the works that have a DOI but no known free copy."""
        unknown = {doi: hit for hit in hits if not hit.open_url and not _in_pmc(hit) and (doi := doi_of(hit))}
        wanted = dict(list(unknown.items())[: self.service.limit])
        if not wanted:
            return None
        asked = f"free copies of {len(wanted)} of {len(unknown)} DOIs"
        return await outcome_of(self.name, asked, self._find_copies(wanted))

    async def _find_copies(self, wanted: Mapping[str, Hit]) -> FoundRecords:
        async def find_copy(doi: str) -> Hit | None:
            found = await self.find_open_copy(doi)
            hit = wanted[doi]
            return Hit.of(self.name, doi, hit.url, hit.title, open_access=True, open_url=found) if found else None

        copies, failed = await gather_all([find_copy(doi) for doi in wanted])
        hits = [hit for hit in copies if hit]
        return FoundRecords(hits, len(hits), failed)

    async def find_open_copy(self, doi: str) -> str | None:
        """The URL of a free copy of that DOI, or None if Unpaywall knows none; ServiceError if Unpaywall fails."""
        name = normalize_doi(doi)
        if name is None:
            return None
        if not self.service.contact:
            raise NotConfigured("Unpaywall requires an e-mail address", service=self.service.label)

        def read_work(body: bytes) -> Mapping[str, Any]:
            value = json_object(body, self.service.label)
            must_be_about([normalize_doi(text_line(value.get("doi"))) or "no work"], [name], self.service.label)
            return value

        secret = {"email": self.service.contact}
        answer = await self._http.fetch_answer(
            self.service, quote(name, safe=""), secret_params=secret, missing=_MISSING, read=read_work
        )
        return None if answer.value is None else read_open_copy(answer.value)


def _in_pmc(hit: Hit) -> bool:
    return any(name.startswith("pmcid:") for name in hit.identifiers)


def read_open_copy(answer: Mapping[str, Any]) -> str | None:
    """The URL of the best copy in an answer, if it is a web address."""
    place = mapping_at(answer, "best_oa_location")
    url = text_line(place.get("url")) or text_line(place.get("url_for_landing_page"))
    return url if url.startswith(("https://", "http://")) else None
