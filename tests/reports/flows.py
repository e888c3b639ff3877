"""The flow of a job as its store has it, with what must hold of it whatever happened to the job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dossiers import dossier

from storm.models import Dossier, RecordFlow, Reference, Source
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
    ids = {one.source_id: one.source_id for one in sources if one.carried}
    found = count_flow(searches, sources, cited, exclusions, works, previous_dossier(sources), ids)

    looked_up = ("names", "sources")
    hits = sum(len(one.hits) for one in searches if one.question not in looked_up and one.database != "web")
    assert found.search_counts.identified == hits
    new = {one.source_id for one in sources if not one.carried}
    assert (found.total.sought, found.total.included) == (len(new), sum(one.source_id in new for one in cited))
    assert found.total.known_before <= len(sources) - len(new)
    assert found.studies <= found.total_studies <= found.total_reports == len(cited)
    return found


def previous_dossier(sources: Sequence[Source]) -> Dossier | None:
    """Of an update, one that cited every third of the sources that were carried over, and one that is gone."""
    carried = [source for source in sources if source.carried]
    references = [reference(source) for source in carried[::3]]
    references += [one.model_copy(update={"source_id": "src_099"}) for one in references[:1]]
    return dossier(references=tuple(references), flow=None) if carried else None
