"""What the parts of one job share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from storm.app.scope import Searchable
    from storm.models import Job, Plan, Scope
    from storm.ports import Collection, Journal, Searcher, Toolbox
    from storm.tools.carry_over import PreviousJob


class Workbench(NamedTuple):
    """The dependencies that the agents of one job share: what it asks, the databases that it searches, and in Redis its
    collection (sources) and its journal (searches and agent steps). `previous` is the job that it updates, if any."""

    job: Job
    scope: Scope
    where: Searchable
    searcher: Searcher
    collection: Collection
    journal: Journal
    previous: PreviousJob | None = None

    @property
    def is_prefilled(self) -> bool:
        """Whether rules file sources before the agent is asked."""
        return self.job.settings.prefill == "rules"

    def toolbox(self, plan: Plan) -> Toolbox:
        """The tools that file sources under the plan's questions."""
        from storm.tools import JobTools

        return JobTools(self.collection, plan, self.where.pages, self.searcher.rendezvous)

    def tools(self, plan: Plan) -> Sequence[Callable[..., Awaitable[Any]]]:
        """The tools of an agent: a search for each database, reading, filing, progress, and, where rules file sources
        first, their review."""
        from storm.tools import SourceReader, SourceReview, database_tools

        box, review = self.toolbox(plan), SourceReview(self.collection, plan)
        reviewing = (review.list_sources, review.refile_source) if self.is_prefilled else ()
        searching = database_tools(self.searcher, self.collection, plan, marks_saved=self.is_prefilled)
        return [
            *searching, SourceReader(self.collection).read_source, box.scrape_url, box.save_source,
            box.register_citation, box.get_citation, box.get_progress, box.check_completion, *reviewing,
        ]  # fmt: skip
