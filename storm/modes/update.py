"""What an update does that a new job does not: it takes over sources, and answers whose sources are unchanged."""

from __future__ import annotations

from collections.abc import Mapping

from storm.extractive.researcher import queries_for
from storm.models import Answer, Plan, Question, Statement
from storm.models.changes import CarriedSources
from storm.models.record_changes import compare_records
from storm.modes.run import Run
from storm.reports.changes import PreviousVersion
from storm.tools import finalize_sources
from storm.tools.carry_over import PreviousJob


async def carry_sources(run: Run, plan: Plan) -> CarriedSources:
    """The sources of the job that this one updates, after a search for what is new; none for a job of its own."""
    carrier, databases = run.crew.carrier, run.job.request.databases
    if carrier is None:
        return CarriedSources()
    queries = {q.key: tuple(queries_for(q, plan.searched_names, databases)) for q in plan.syllabus.questions}
    await run.step("search", type(None), lambda: carrier.search_again(queries), inputs={"plan": plan})
    return await run.step("carry", CarriedSources, carrier.carry_sources, inputs={"plan": plan})


async def find_kept_answers(run: Run, plan: Plan, carried: CarriedSources) -> Mapping[str, Answer]:
    """The previous answers, by question, that stay as they are: all of their sources are unchanged, and the same engine
    of the same version wrote them in full."""
    previous = run.crew.carrier.previous if run.crew.carrier else None
    if previous is None or not _is_same_writer(run, previous):
        return {}
    kept = {}
    for answer in previous.answers:
        question = plan.syllabus.question(answer.question)
        if _is_whole(answer) and await _is_unchanged(run, previous, question, carried):
            kept[answer.question] = _rename_sources(answer, carried)
    return kept


def _is_same_writer(run: Run, previous: PreviousJob) -> bool:
    same = (
        (run.crew.engine, previous.dossier.engine),
        (run.job.version, previous.job.version),
        (run.job.settings.unsupported, previous.job.settings.unsupported),
        (run.job.settings.program, previous.job.settings.program),
    )
    return all(now == before for now, before in same)


def _is_whole(answer: Answer) -> bool:
    return answer.says_something and not answer.cut_short and not answer.counts.unjudged


async def _is_unchanged(run: Run, previous: PreviousJob, question: Question, carried: CarriedSources) -> bool:
    """Whether the question has the sources that it had, and their records say what they said."""
    before = (await finalize_sources(previous.collection, question)).sources
    now = {source.source_id: source for source in (await finalize_sources(run.crew.collection, question)).sources}
    if [carried.ids.get(source.source_id) for source in before] != list(now):
        return False
    return not any(compare_records(old.hit, new.hit) for old, new in zip(before, now.values(), strict=True))


def _rename_sources(answer: Answer, carried: CarriedSources) -> Answer:
    """The answer with the ids that its sources have here."""

    def rename(statement: Statement) -> Statement:
        ids = tuple(dict.fromkeys(carried.ids[name] for name in statement.source_ids))
        return statement.model_copy(update={"source_ids": ids})

    conflicts = tuple(
        conflict.model_copy(update={"statements": tuple(map(rename, conflict.statements))})
        for conflict in answer.conflicts
    )
    statements = tuple(map(rename, answer.statements))
    refused = tuple(carried.ids[name] for name in answer.refused if name in carried.ids)
    return answer.model_copy(update={"statements": statements, "conflicts": conflicts, "refused": refused})


async def read_previous_version(run: Run, carried: CarriedSources) -> PreviousVersion | None:
    """What the dossier is compared with; None for a job of its own."""
    if run.crew.carrier is None:
        return None
    previous = run.crew.carrier.previous
    sources = await previous.collection.load_sources()
    return PreviousVersion(previous.dossier, carried.ids, sources, previous.searches)
