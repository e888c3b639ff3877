"""Reads the searches that a model wrote for an item of a checklist: of PubMed and of the web, where a job has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storm.agents.earlier_searches import search_key
from storm.agents.written_searches import WrittenSearches, read_pubmed_searches, read_searches
from storm.models import Plan, SearchIteration, SearchQuery
from storm.models.search import PUBMED, WEB

#: How many searches of PubMed, and of the web, are read, and how each is written.
PER_DATABASE = 2
PUBMED_SEARCHES = (
    "1 or 2 searches of PubMed in its own syntax, the names of the subject included: terms with field tags ([tiab], "
    '[mh], [pt]), "phrases in quotes", AND, OR and NOT in capitals, parentheses'
)
WEB_SEARCHES = (
    '1 or 2 searches of the web, for what journals do not have: two to four plain words or "phrases in quotes", all '
    "of which a page must contain, without the names of the subject, which are added"
)
#: Characters of all searches of earlier rounds in a prompt.
EARLIER = 600


class ItemSearchReader:
    """Reads searches for the items of a plan, except those that an earlier round ran. `available` are the databases of
    the job, `only` those to which its request limits it; empty means all. Without PubMed its searches go to all of
    these databases; without the web, web searches are dropped."""

    def __init__(
        self,
        plan: Plan,
        available: Sequence[str] = (),
        only: Sequence[str] = (),
        iterations: Iterable[SearchIteration] = (),
    ) -> None:
        self._plan = plan
        self._only = tuple(only)
        self._has_pubmed = not available or PUBMED in available
        self._has_web = not available or WEB in available
        self._is_of_web = plan.research is not None and not plan.research.is_biomedical
        self._taken = {
            (key, query.databases, search_key(query))
            for one in iterations
            for key, queries in one.searches.items()
            for query in queries
        }

    def read(self, key: str, pubmed: Sequence[str], web: Sequence[str]) -> WrittenSearches:
        """The searches for the item that can be run, and what is wrong with the others."""
        plan = self._plan.of_question(self._plan.syllabus.question(key))
        written = [read_searches(web, plan, len(web), (WEB,))] if self._has_web or self._is_of_web else []
        if not self._is_of_web:
            databases = (PUBMED,) if self._has_pubmed else self._only
            written.insert(0, read_pubmed_searches(pubmed, plan, databases))
        queries = tuple(query for one in written for query in self._take_new(key, one.queries))
        return WrittenSearches(queries, tuple(fault for one in written for fault in one.faults))

    def _take_new(self, key: str, queries: Iterable[SearchQuery]) -> list[SearchQuery]:
        """At most two of them that were not run or taken before."""
        taken: list[SearchQuery] = []
        for query in queries:
            name = (key, query.databases, search_key(query))
            if name not in self._taken and len(taken) < PER_DATABASE:
                self._taken.add(name)
                taken.append(query)
        return taken
