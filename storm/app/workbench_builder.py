"""Builds what the parts of one job share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING

from storm.app.events import SourceProgress
from storm.app.finished_report import read_report
from storm.app.scope import SearchScope, add_missing
from storm.app.workbench import Workbench
from storm.models import Job, Scope, Syllabus, lookup_keys
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch

if TYPE_CHECKING:
    from storm.app.crews import Crews
    from storm.tools.carry_over import PreviousJob


class WorkbenchBuilder:
    """Builds the workbenches of the jobs in a store."""

    def __init__(self, store: Store, scope: SearchScope, crews: Crews, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._scope = scope
        self._crews = crews
        self._clock = clock

    async def build_workbench(
        self, job: Job, scope: Scope, lease: Lease, find_syllabus: Callable[[Job], Awaitable[Syllabus | None]]
    ) -> Workbench:
        """The workbench of a job that is held, which searches in this scope; UnknownJob if the job that it updates is
        gone, CorpusError if no database is left to search."""
        journal = JobJournal(self._store, job.job_id, lease)

        async def read_syllabus(questions: tuple[str, ...]) -> Syllabus | None:
            return await find_syllabus(job.model_copy(update={"questions": questions}))

        progress = SourceProgress(read_syllabus, journal)
        collection = SourceCollector(self._store, job.job_id, lease, progress.report)

        async def find_address(url: str) -> str | None:
            hit = await collection.find_hit(lookup_keys("web", url, url))
            return hit.url if hit else None

        searches = await journal.searches()
        previous = await self._read_previous(job) if job.request.update_of else None
        where = await self._scope.open_searchable(job.request, scope, find_address)
        if not await journal.find_stage("gather"):
            where = add_missing(where, job, (*(previous.searches if previous else ()), *searches))
        since = previous.searched_since if previous else {}
        limits = self._crews.limit_searches(job, where.databases)
        searcher = JobSearch(
            where.databases, journal, self._clock, searches,
            changed_since=since, limits=limits, is_queued=where.is_queued,
        )  # fmt: skip
        return Workbench(job, scope, where, searcher, collection, journal, previous)

    async def _read_previous(self, job: Job) -> PreviousJob:
        """The job that this one updates, with all that it found; UnknownJob if it is gone."""
        from storm.app import updates

        previous = await updates.find_updated(job, self._store)
        return await updates.read_previous(previous, self._store, await read_report(self._store, previous.job_id))
