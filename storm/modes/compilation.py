"""Compiles the report of a job from what its steps left in the store."""

from __future__ import annotations

from collections.abc import Sequence

from storm.models import Answer, DeepResearch, Dossier, Plan, Repurposing, Research, StopReason
from storm.modes.run import Run
from storm.reports import DossierMaterial, compile_dossier
from storm.reports.changes import PreviousVersion


async def compile_job(
    run: Run,
    plan: Plan,
    stopped: StopReason,
    answers: Sequence[Answer],
    *,
    previous: PreviousVersion | None = None,
    research: Research | None = None,
    repurposing: Repurposing | None = None,
    deep_research: DeepResearch | None = None,
    remarks: Sequence[str] = (),
) -> Dossier:
    """The dossier of the job, or the report on a question; its notes end with the `remarks`."""
    crew = run.crew
    searches, exclusions = await crew.journal.searches(), await crew.collection.exclusions()
    found = {key for search in searches for key in search.hits}
    sources = await crew.collection.load_sources()
    works = await crew.collection.find_works(sorted(found | exclusions.keys()))
    not_saved = {works.get(key, key) for key in found} - {source.hit.key for source in sources}
    material = DossierMaterial(
        run.job,
        plan,
        crew.engine,
        stopped,
        sources,
        answers,
        searches,
        exclusions,
        works=works,
        titles=await crew.collection.find_titles(sorted(not_saved)),
        notes=(*crew.notes, *crew.remarks(), *remarks),
        spending=crew.spent(),
        judged_by_writer=crew.judged_by_writer,
        by_model=crew.by_model,
        previous=previous,
        research=research,
        repurposing=repurposing,
        deep_research=deep_research,
    )
    return compile_dossier(material)
