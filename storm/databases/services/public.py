"""What all clients of public services share: who they are, a service, three outcomes, and their part of a query."""

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
    """A client of a public service; every list of databases is made from the `info` of these classes.

    `asks` are the services of config/databases.yaml that it can ask, where that is not the one of its own name; `use`
    says what it is for where a job does not search it as others, and `instead` what to do in place of searching it.
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
        """What it is searched by."""
        return self.info.name

    @classmethod
    def service_names(cls) -> tuple[str, ...]:
        """The services that it can ask, by name."""
        return cls.asks or (cls.info.name,)

    @classmethod
    def open_client(cls, http: Http, usable: Mapping[str, Service], limiter: Limiter) -> Self | None:
        """A client of the first of its services that is usable; None if none is."""
        service = next((usable[name] for name in cls.service_names() if name in usable), None)
        return None if service is None else cls._create_client(http, service, usable, limiter)

    @classmethod
    def _create_client(cls, http: Http, service: Service, usable: Mapping[str, Service], limiter: Limiter) -> Self:
        return cls(http, service)


class PublicDatabase(PublicClient):
    """Implements `ports.Database` over one service.

    `reads_words` is whether the words of a query that only rank change its answer. Where `needs_name` a search without
    a name does not apply. Unless it `searches_required`, what must match is looked for in the records that come.
    """

    reads_words: ClassVar[bool] = True
    needs_name: ClassVar[bool] = False
    searches_required: ClassVar[bool] = True
    example_id: ClassVar[str] = ""

    @classmethod
    def names(cls) -> frozenset[str]:
        """By which a job may ask for it: its own, and what its records are filed under."""
        return frozenset(filter(None, (cls.info.name, cls.info.files_as)))

    def holds_any(self, databases: Collection[str]) -> bool:
        """Whether its records are of one of these databases."""
        return not self.names().isdisjoint(databases)

    def narrowed(self, query: SearchQuery) -> SearchQuery | None:
        """The query without what changes nothing here; None if it asks for records of other databases only."""
        if query.databases and not self.holds_any(query.databases):
            return None
        keeps_words = self.reads_words or not (query.names or query.required)
        return query.model_copy(update={"databases": (), "words": query.words if keeps_words else ()})

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """At most `limit` hits in the service's order, best first; every failure is an outcome."""
        if self.needs_name and not query.names:
            return not_applicable(self.name, query, "it is searched by a drug's name, and the search gives none")
        return await outcome_of(self.name, query, self._find_matching(query, limit))

    async def fetch(self, external_id: str) -> Hit | None:
        """The record of that id, or None if there is none; ServiceError if it could not be asked, or has no ids."""
        raise QueryRejected(f"{self.service.label} gives no records by their ids", service=self.service.label)

    def invalid_id_error(self, external_id: str) -> QueryRejected:
        """What is told of an id that cannot be one here: nobody was asked, so it is not told as a record not there."""
        message = f"{external_id!r} is no id of {self.service.label}; one looks like {self.example_id}"
        return QueryRejected(message, service=self.service.label)

    async def _find_matching(self, query: SearchQuery, limit: int) -> FoundRecords:
        """What the service has, without the records that lack what is required where it cannot search for that."""
        found = await self._find_hits(query, limit)
        if self.searches_required or not query.required:
            return found
        hits = [hit for hit in found.hits if holds_terms(hit, query.required)]
        whole = sum(1 for hit in found.hits if hit.text)
        seen = f"the words were looked for in the texts of {whole:,} of {found.total:,} records"
        remarks = [*found.remarks, seen] if whole < found.total else found.remarks
        return found._replace(hits=hits, total=len(hits), remarks=remarks)

    @abstractmethod
    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        """What the service has; ServiceError if it could not be asked, or its answer not used."""


class UnreachableDatabase:
    """A database that cannot be reached: every search there fails, for the reason that was found out before."""

    def __init__(self, database: PublicDatabase, reason: str) -> None:
        self.name = database.name
        self.scope = database.scope
        self.limit = database.limit
        self.narrowed = database.narrowed
        self._reason = reason

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """The failure."""
        return SearchOutcome(
            database=self.name, query=str(query), status=SearchStatus.FAILED, reason=self._reason, down=True
        )
