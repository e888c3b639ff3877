"""Questions whose searches are for databases that the job does not search: a failure, not an empty result."""

from __future__ import annotations

from collections.abc import Iterable

from storm.models import Question, SearchOutcome, SearchStatus
from storm.ports import Searcher


async def log_unsearched(searcher: Searcher, question: Question, databases: Iterable[str]) -> None:
    """Log a failed search of each database that the question asks for: what was not searched must not look as if
    nothing was found."""
    for database in dict.fromkeys(databases):
        outcome = SearchOutcome(
            database=database,
            query=question.label,
            status=SearchStatus.FAILED,
            reason="the question has queries for this database only, and the job does not search it",
        )
        await searcher.keep_outcome(outcome, "", question.key)
