"""A database that a job searched and that no longer exists when the job is resumed."""

from __future__ import annotations

from storm.models import SearchOutcome, SearchQuery, SearchStatus

#: The reason that the dossier prints.
GONE = "it was searched when the job began and is no longer available: removed, emptied or switched off since"


class MissingDatabase:
    """Implements `ports.Database`: every search fails, so that a missing database never counts as an empty result."""

    limit = 0

    def __init__(self, name: str, scope: str) -> None:
        self.name = name
        self.scope = scope

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        """The query, unchanged."""
        return query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """A failed outcome."""
        return SearchOutcome(database=self.name, query=str(query), status=SearchStatus.FAILED, reason=GONE, down=True)
