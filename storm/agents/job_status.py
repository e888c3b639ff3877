"""The status of a job as its agent sees it: what is there, what is missing, and the last searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storm.agents.fencing import fence_text, plain_line
from storm.models import Coverage, Plan, SearchQuery, SearchRecord, SearchStatus, database_label
from storm.ports import Collection, Searcher
from storm.syllabus.coverage import coverage, neediest_first

#: The progress credit for a dropped source: more than most sources give, so that dropping one is progress, once.
_DROP_CREDIT = 4
#: The most questions that the state names.
_MAX_NAMED_QUESTIONS = 20
#: The most characters of a query in the state.
_MAX_QUERY_CHARACTERS = 48


class JobStatus:
    """The status of one job, in few words; it reads the store once per step."""

    def __init__(self, plan: Plan, collection: Collection, searcher: Searcher) -> None:
        self._plan = plan
        self._collection = collection
        self._searcher = searcher
        self._achieved = 0

    async def read_coverage(self) -> Coverage:
        """The current coverage of the syllabus."""
        now = await self._collection.progress()
        self._achieved = now.total + sum(now.counts.values()) + _DROP_CREDIT * now.dropped
        return coverage(self._plan.syllabus, now.counts, now.databases, now.total)

    async def describe_state(self) -> str:
        """The state as shown to the model."""
        return "\n".join(
            (*_coverage_lines(await self.read_coverage()), *_search_lines(self._searcher.latest_searches(), self._plan))
        )

    def count_achieved(self) -> int:
        """The number of sources, of their assignments to questions and of what dropped ones had, as last read."""
        return self._achieved

    async def describe_missing(self) -> str:
        """What is missing, for the model; empty if nothing is."""
        state = await self.read_coverage()
        if state.ready:
            return ""
        missing = "; ".join(_missing_lines(state))
        return f"Not yet: {missing}. Go on; if you have tried and there is no more to be found, call finish again."


def _coverage_lines(state: Coverage) -> Iterable[str]:
    done = [q for q in state.questions if q.sufficient]
    found = ", ".join(state.databases) or "none"
    yield f"Sources saved: {state.total}. Their databases: {found} (at least {state.min_databases} are needed)."
    yield f"Questions with enough sources: {len(done)} of {len(state.questions)}."
    needy = [q for q in neediest_first(state) if not q.sufficient]
    for q in needy[:_MAX_NAMED_QUESTIONS]:
        yield f"  {q.question}: {q.sources} of {q.min_sources}"
    if len(needy) > _MAX_NAMED_QUESTIONS:
        yield f"  and {len(needy) - _MAX_NAMED_QUESTIONS} more questions"
    if state.ready:
        yield "All that the syllabus needs is there: finish, unless something important is still missing."


def _missing_lines(state: Coverage) -> Iterable[str]:
    for q in [q for q in neediest_first(state) if not q.sufficient][:_MAX_NAMED_QUESTIONS]:
        yield f"{q.question} needs {q.min_sources - q.sources} more"
    if (lacking := state.min_databases - len(state.databases)) > 0:
        yield f"sources from {lacking} more databases are needed"


def _search_lines(records: Sequence[SearchRecord], plan: Plan) -> Iterable[str]:
    """The last searches, one line per database."""
    own = str(SearchQuery(names=plan.names))
    before = (f"({own}) AND ", f"{own} AND ", f"{own} + ", own)  # how a query begins that looks for the plan's names
    by_database: dict[str, list[str]] = {}
    for record in records:
        asked = record.query.removeprefix(next(filter(record.query.startswith, before), ""))
        query = plain_line(asked or "the names alone", _MAX_QUERY_CHARACTERS)
        outcome = f"{record.total} found" if record.status is SearchStatus.FOUND else record.status.value
        by_database.setdefault(record.database, []).append(f"{query} → {outcome}")
    if by_database:
        lines = [f"{database_label(name)}: {'; '.join(searches)}" for name, searches in by_database.items()]
        yield "Last searches:"
        yield fence_text("\n".join(lines), "searches")
