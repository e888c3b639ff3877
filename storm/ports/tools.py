"""What the tools of one job offer to whoever gathers its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from storm.ports.databases import Database

if TYPE_CHECKING:
    from storm.models import Hit, SearchOutcome, SearchQuery, SearchRecord


class SearchResult(NamedTuple):
    """One search of one database; `hits` are None if it was run before and is in the log."""

    record: SearchRecord
    hits: Sequence[Hit] | None


class Searcher(Protocol):
    """Runs every search of one job: once each, with its hits recorded and its outcome logged."""

    @property
    def databases(self) -> Sequence[Database]:
        """The databases that this job searches."""
        ...

    @property
    def rendezvous(self) -> AbstractAsyncContextManager[None]:
        """Callers leave this context together, so that the store writes of one agent step share a round trip."""
        ...

    async def search(self, wanted: Mapping[str, Sequence[SearchQuery]]) -> Mapping[str, Sequence[Sequence[str]]]:
        """For each question the keys of the hits of its searches, best first, of every database that holds them.

        All databases are searched at once. A search that this job has completed is not run again.
        """
        ...

    async def search_side_by_side(
        self, wanted: Mapping[str, Sequence[SearchQuery]]
    ) -> Mapping[str, Sequence[Sequence[str]]]:
        """As `search`, with all questions at once. A search that several share is run once, for the first of them."""
        ...

    async def search_one(self, database: Database, query: SearchQuery, question: str = "") -> SearchResult:
        """Run one search of one database; a completed search is reported again without being run."""
        ...

    async def keep_outcome(self, outcome: SearchOutcome, scope: str, question: str) -> SearchRecord:
        """Record the hits of a search made elsewhere, and log its outcome."""
        ...

    def latest_searches(self) -> Sequence[SearchRecord]:
        """The last searches of each database, oldest first."""
        ...

    async def wait_for_answer(self, seconds: float) -> None:
        """Wait until one search of the job was answered, whatever it found, or databases have had so many seconds."""
        ...


class Toolbox(Protocol):
    """The tools of one job, as an agent calls them: plain arguments in, a small dictionary out (or `{"error": …}`)."""

    async def save_source(
        self,
        source_type: str,
        external_id: str,
        url: str,
        title: str,
        relevant_questions: list[str],
        key_excerpts: str | None = None,
        citation_id: str | None = None,
    ) -> dict[str, Any]: ...

    async def scrape_url(self, url: str) -> dict[str, Any]: ...

    async def register_citation(
        self,
        claim: str,
        source_type: str,
        source_id: str,
        direct_quote: str,
        context: str = "",
        metadata: dict[str, str] | None = None,
    ) -> dict[str, Any]: ...

    async def get_citation(self, citation_id: str) -> dict[str, Any]: ...

    async def get_progress(self) -> dict[str, Any]: ...

    async def check_completion(self) -> dict[str, Any]: ...
