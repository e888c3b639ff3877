"""What all clients of public services share: their description, their service, search outcomes, query narrowing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar, Self

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.search_words import holds_terms
from storm.databases.services.answers import FoundRecords, not_applicable, outcome_of
from storm.errors import QueryRejected
from storm.models import DatabaseInfo, Hit, SearchOutcome, SearchQuery, SearchStatus
from storm.ports import Limiter


class PublicClient(ABC):
    """A client of a public service; every list of databases is derived from the `info` of these classes.

    `asks` names its services in config/databases.yaml if they differ from its own name; `use` says what it is for if
    jobs do not search it like the others, and `instead` what to do in place of a search.
    """

    info: ClassVar[DatabaseInfo]
    asks: ClassVar[tuple[str, ...]] = ()
    use: ClassVar[str] = ""
    instead: ClassVar[str] = ""

    def __init__(self, http: Http, service: Service) -> None:
        self.scope = f"{service.label} ({service.scope})"
        self.limit = service.limit
        self.service = service
        self._http = http

    @property
    def name(self) -> str:
        """The database name."""
        return self.info.name

    @classmethod
    def service_names(cls) -> tuple[str, ...]:
        """The names of its services."""
        return cls.asks or (cls.info.name,)

    @classmethod
    def open_client(cls, http: Http, usable: Mapping[str, Service], limiter: Limiter) -> Self | None:
        """A client of its first usable service; None if none is usable."""
        service = next((usable[name] for name in cls.service_names() if name in usable), None)
        return None if service is None else cls._create_client(http, service, usable, limiter)

    @classmethod
    def _create_client(cls, http: Http, service: Service, usable: Mapping[str, Service], limiter: Limiter) -> Self:
        return cls(http, service)


class PublicDatabase(PublicClient):
    """Implements `ports.Database` over one service.

    `reads_words`: words that only rank change its answer. `dates_changes`: it can be searched for records that were
    entered or changed since a day; others are searched whole. `needs_name`: a search without a name does not apply.
    `searches_required`: it searches required terms itself; otherwise they are matched against the records found.
    `reads_native`: it checks and sends searches in its own syntax.
    """

    reads_words: ClassVar[bool] = True
    dates_changes: ClassVar[bool] = False
    needs_name: ClassVar[bool] = False
    searches_required: ClassVar[bool] = True
    reads_native: ClassVar[bool] = False
    example_id: ClassVar[str] = ""

    @classmethod
    def accepted_names(cls) -> frozenset[str]:
        """The names by which a job may request it: its own, and the one its records are filed under."""
        return frozenset(filter(None, (cls.info.name, cls.info.files_as)))

    def holds_any(self, databases: Collection[str]) -> bool:
        """Whether it is one of these databases."""
        return not self.accepted_names().isdisjoint(databases)

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        """The query without parts that have no effect here; None if it is limited to other databases."""
        if query.databases and not self.holds_any(query.databases):
            return None
        keeps_words = self.reads_words or not (query.names or query.required)
        return query.model_copy(
            update={
                "databases": (),
                "words": query.words if keeps_words else (),
                "changed_since": query.changed_since if self.dates_changes else None,
                "native": query.native if self.reads_native else "",
            }
        )

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """At most `limit` hits in the service's order, best first; a failure is an outcome, not an exception."""
        if self.needs_name and not query.names:
            return not_applicable(self.name, query, "it is searched by a drug's name, and the search has none")
        return await outcome_of(self.name, query, self._find_matching(query, limit))

    async def fetch(self, external_id: str) -> Hit | None:
        """The record of that id, or None if there is none; ServiceError if the service fails or has no ids."""
        raise QueryRejected(f"{self.service.label} does not offer records by id", service=self.service.label)

    def invalid_id_error(self, external_id: str) -> QueryRejected:
        """The error for a malformed id, which must not be reported as a missing record: nothing was searched."""
        message = f"{external_id!r} is not a valid {self.service.label} id (example: {self.example_id})"
        return QueryRejected(message, service=self.service.label)

    async def _find_matching(self, query: SearchQuery, limit: int) -> FoundRecords:
        """The results, filtered by the required terms if the service cannot search for them."""
        found = await self._find_hits(query, limit)
        if self.searches_required or not query.required:
            return found
        hits = [hit for hit in found.hits if holds_terms(hit, query.required)]
        whole = sum(1 for hit in found.hits if hit.text)
        seen = f"the words were searched in the texts of {whole:,} of {found.total:,} records"
        remarks = [*found.remarks, seen] if whole < found.total else found.remarks
        return found._replace(hits=hits, total=len(hits), remarks=remarks)

    @abstractmethod
    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        """The results of the service; ServiceError if it fails or its answer is unusable."""


class UnreachableDatabase:
    """An unreachable database: every search fails with the known reason."""

    def __init__(self, database: PublicDatabase, reason: str) -> None:
        self.name = database.name
        self.scope = database.scope
        self.limit = database.limit
        self.narrow_query = database.narrow_query
        self._reason = reason

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """A failed outcome."""
        return SearchOutcome(
            database=self.name, query=str(query), status=SearchStatus.FAILED, reason=self._reason, down=True
        )
