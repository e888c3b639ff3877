"""What databases and the services around them offer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from storm.models import Hit, SearchOutcome, SearchQuery


class Database(Protocol):
    """A database to search; `scope` says in a few words what it holds, `limit` how many hits a job takes."""

    @property
    def name(self) -> str: ...

    @property
    def scope(self) -> str: ...

    @property
    def limit(self) -> int: ...

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        """The query without parts that have no effect here; None if it asks only for records of other databases."""
        ...

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """At most `limit` hits, best first; every failure is an outcome, never an exception."""
        ...


@runtime_checkable
class Register(Protocol):
    """A lookup service, queried by identifier about records that other databases found: Crossref for retractions,
    Unpaywall for free copies."""

    @property
    def scope(self) -> str: ...

    async def look_up_hits(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """Records of these works with what it knows; None if there is nothing to look up. A failure is an outcome."""
        ...


@runtime_checkable
class TextRegister(Register, Protocol):
    """A register that has full texts: PubMed Central."""

    async def look_up_texts(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        """As `look_up_hits`, of all of these works, however many they are."""
        ...


class Pages(Protocol):
    """Reads web pages that a search of the job returned, or that the user supplied."""

    async def fetch(self, url: str) -> Hit:
        """The page with its text; ServiceError if it must not or cannot be read, or has no text."""
        ...


class Limiter(Protocol):
    """One rate limit for all workers that share a store, or for this process alone."""

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        """Wait until the service may be called; calls are spaced evenly, without bursts.

        Returns False at once, without taking a turn, if the wait would be longer than `within` seconds.
        """
        ...

    async def hold(self, service: str, seconds: float) -> None:
        """Block all calls of this service for so many seconds, including those already waiting."""
        ...
