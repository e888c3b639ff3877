"""The flow of a job as its store has it, with what must hold of it whatever happened to the job."""

from __future__ import annotations

from typing import Any

from storm.models import RecordFlow, Reference, Source
from storm.reports.flow import count_flow
from storm.store import JobJournal, SourceCollector


def reference(of: Source, **fields: Any) -> Reference:
    hit = of.hit
    return Reference(
        n=1, source_id=of.source_id, source_type=hit.database, external_id=hit.external_id, url=hit.url,
        title=hit.title, identifiers=hit.identifiers, **fields,
    )  # fmt: skip


async def read_flow(collection: SourceCollector, journal: JobJournal) -> RecordFlow:
    """The flow where every second source is cited; the model of the counts refuses numbers that do not add up."""
    searches, sources, exclusions = await journal.searches(), await collection.sources(), await collection.exclusions()
    works = await collection.find_works([*exclusions, *(key for one in searches for key in one.hits)])
    cited = [reference(one, trials=one.hit.trials) for one in sources if one.number % 2]
    found = count_flow(searches, sources, cited, exclusions, works)

    looked_up = ("names", "sources")
    hits = sum(len(one.hits) for one in searches if one.question not in looked_up and one.database != "web")
    assert found.search_counts.identified == hits
    assert (found.total.sought, found.total.included) == (len(sources), len(cited))
    assert found.studies <= len(cited)
    return found
