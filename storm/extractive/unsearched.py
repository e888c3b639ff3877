"""Questions whose searches are for databases that the job does not search: a failure, not an empty result."""

from __future__ import annotations

from collections.abc import Iterable

from storm.models import Question, SearchOutcome, SearchStatus
from storm.models.search import WEB
from storm.ports import Searcher


async def log_unsearched(searcher: Searcher, question: Question, databases: Iterable[str]) -> None:
    """Log a failed search of each database that the question asks for: what was not searched must not look as if
    nothing was found."""
    for database in dict.fromkeys(databases):
        outcome = SearchOutcome(
            database=database,
            query=question.label,
            status=SearchStatus.FAILED,
            reason="the job does not search this database, for which the question has queries",
        )
        await searcher.keep_outcome(outcome, "", question.key)


async def log_web_unsearched(searcher: Searcher, question: Question, *, once: bool) -> None:
    """Log that there are searches for the web and that the job does not search it, which is not a failure: the question
    is searched elsewhere, for which one line in the whole job is enough (`once`), or the job is offline."""
    if once and any(record.database == WEB for record in searcher.latest_searches()):
        return
    outcome = SearchOutcome(
        database=WEB,
        query=question.label,
        status=SearchStatus.NOT_APPLICABLE,
        reason="not searched: this job has no web search (offline, switched off, or without a key)",
    )
    await searcher.keep_outcome(outcome, "", question.key)
