"""The plan without a model: the syllabus as configured, the names from the records of drug databases."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import PRODUCT_DATABASES, Hit, JobRequest, Plan, Relation, SearchQuery
from storm.roles import Collection, Searcher
from storm.syllabus.relation import relation_of

_LIMIT = 50
#: The log's name for these searches, which belong to no question.
NAMES = "names"


class ExtractivePlanner:
    """Implements `roles.Planner`."""

    def __init__(self, searcher: Searcher, collection: Collection) -> None:
        self._searcher = searcher
        self._collection = collection

    async def plan(self, request: JobRequest) -> Plan:
        """The drug's own name, those given with it, then brand and code names that its own records list."""
        given = (request.drug, *request.also)
        wanted = tuple(name for name in sorted(PRODUCT_DATABASES) if not request.databases or name in request.databases)
        hits: list[Hit] = []
        for database in self._searcher.databases if wanted else ():
            query = SearchQuery(names=given, databases=wanted)
            keys = await self._searcher.search(database, NAMES, query, _LIMIT)
            found = await self._collection.find_hits(keys)
            hits += [hit for hit in found if hit is not None]
        return Plan(names=names_of(given, hits), syllabus=request.syllabus)


def names_of(given: Sequence[str], hits: Sequence[Hit]) -> tuple[str, ...]:
    """The given names and those that records of the same drug list, each once whatever its case.

    A product's record gives a name only if it leaves exactly one after the known ones: its brand. With two or more
    it may be a combination, and the other could be another drug's name.
    """
    names = {name.casefold(): name for name in reversed(given)}
    for hit in sorted(hits, key=lambda hit: hit.key):
        listed = {name.casefold(): name for name in hit.drugs}
        if not any(name.casefold() in listed for name in given) or relation_of(hit, given) is not Relation.ITSELF:
            continue
        others = {key: name for key, name in listed.items() if not any(g.casefold() in key for g in given)}
        if hit.database == "chembl" or len(others) == 1:
            names = {**others, **names}
    own = [name.casefold() for name in given]
    ordered = [*dict.fromkeys(own), *sorted(key for key in names if key not in own)]
    return tuple(names[key] for key in ordered)
