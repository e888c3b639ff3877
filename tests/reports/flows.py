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
    searches, sources = await journal.searches(), await collection.load_sources()
    exclusions = await collection.exclusions()
    works = await collection.find_works([*exclusions, *(key for one in searches for key in one.hits)])
    cited = [reference(one, trials=one.hit.trials) for one in sources if one.number % 2]
    before = _previous_dossier(sources)
    ids = {one.source_id: one.source_id for one in sources if one.carried}
    found = count_flow(searches, sources, cited, exclusions, works, before=before, ids=ids)

    looked_up = ("names", "sources")
    hits = sum(len(one.hits) for one in searches if one.question not in looked_up and one.database != "web")
    assert found.search_counts.identified == hits
    new = [one for one in sources if not one.carried]
    assert found.total.sought == len(new)
    assert found.total.included == len([one for one in cited if one.source_id in {source.source_id for source in new}])
    assert (found.total_reports, found.total.known_before <= len(sources) - len(new)) == (len(cited), True)
    assert found.studies <= found.total_studies <= len(cited)
    return found


def _previous_dossier(sources: Sequence[Source]) -> Dossier | None:
    """One that cited every third of the sources that were carried over, and one that is gone."""
    carried = [source for source in sources if source.carried]
    gone = [source.model_copy(update={"source_id": "src_099"}) for source in carried[:1]]
    references = tuple(reference(one) for one in (*carried[::3], *gone))
    return dossier(references=references, flow=None) if carried else None
