"""A database that a job has searched and that is gone when it goes on."""

from __future__ import annotations

from storm.models import SearchOutcome, SearchQuery, SearchStatus

#: Why it cannot be searched, as the dossier says it.
GONE = "it was searched when the job began, and is not there any more: removed, emptied or switched off since"


class MissingDatabase:
    """Implements `ports.Database`: each search fails, so that what was not asked is never reported as not found."""

    limit = 0

    def __init__(self, name: str, scope: str) -> None:
        self.name = name
        self.scope = scope

    def narrowed(self, query: SearchQuery) -> SearchQuery | None:
        """The query as it is."""
        return query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """The failure."""
        return SearchOutcome(database=self.name, query=str(query), status=SearchStatus.FAILED, reason=GONE, down=True)
