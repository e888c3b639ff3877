"""The stages of a job, in order. A stage whose artefact is in the store is skipped: that is all there is to resume."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from storm.citations.verification import verify_statement
from storm.models import Answer, Dossier, DraftCitation, Hit, Job, Plan, Question, Source, Statement, Verdict
from storm.roles import Checker, Collection, Journal, Planner, Researcher, Synthesizer
from storm.workflow.dossier import compile_dossier


class Crew(NamedTuple):
    """Who plays which role in a job, and what they share; `engine` and what was `spent` are told to the reader."""

    engine: str
    planner: Planner
    researcher: Researcher
    checker: Checker
    synthesizer: Synthesizer
    collection: Collection
    journal: Journal
    notes: tuple[str, ...] = ()
    spent: Callable[[], Sequence[str]] = tuple


class Artefacts(NamedTuple):
    """What the stages have made so far."""

    plan: Plan | None = None
    gather: str = ""
    check: None = None
    answer: tuple[Answer, ...] = ()
    report: Dossier | None = None


class Stage(NamedTuple):
    """One step: its name, the type of its artefact, and what makes it."""

    name: str
    artefact: Any
    make: Callable[[Job, Crew, Artefacts], Awaitable[Any]]


async def run_stages(job: Job, crew: Crew) -> Dossier:
    """The job's dossier; every stage that is not finished yet is run and its artefact kept."""
    finished = await crew.journal.stages()
    artefacts = Artefacts()
    for stage in STAGES:
        adapter = TypeAdapter(stage.artefact)
        if stage.name in finished:
            value = adapter.validate_json(finished[stage.name])
        else:
            await crew.journal.report("stage", stage.name)
            value = await stage.make(job, crew, artefacts)
            await crew.journal.finish_stage(stage.name, adapter.dump_json(value).decode())
        artefacts = artefacts._replace(**{stage.name: value})
    assert artefacts.report is not None
    return artefacts.report


async def _plan(job: Job, crew: Crew, made: Artefacts) -> Plan:
    return await crew.planner.plan(job.request)


async def _gather(job: Job, crew: Crew, made: Artefacts) -> str:
    return await crew.researcher.gather(job.request, _planned(made))


async def _check(job: Job, crew: Crew, made: Artefacts) -> None:
    await crew.checker.check()


async def _answer(job: Job, crew: Crew, made: Artefacts) -> tuple[Answer, ...]:
    """One verified answer a question, in the syllabus' order."""
    plan = _planned(made)
    sources = await crew.collection.sources()

    async def answered(question: Question) -> Answer:
        own = [source for source in sources if question.key in source.questions]
        return await _checked(await crew.synthesizer.answer(question, plan, own), own, crew.collection)

    return tuple(await asyncio.gather(*map(answered, plan.syllabus.questions)))


async def _report(job: Job, crew: Crew, made: Artefacts) -> Dossier:
    return compile_dossier(
        job,
        _planned(made),
        engine=crew.engine,
        stopped=made.gather,
        sources=await crew.collection.sources(),
        answers=made.answer,
        searches=await crew.journal.searches(),
        notes=(*crew.notes, *crew.spent()),
    )


STAGES: Sequence[Stage] = (
    Stage("plan", Plan, _plan),
    Stage("gather", str, _gather),
    Stage("check", None, _check),
    Stage("answer", tuple[Answer, ...], _answer),
    Stage("report", Dossier, _report),
)


def _planned(made: Artefacts) -> Plan:
    assert made.plan is not None, "the plan is the first stage"
    return made.plan


async def _checked(draft: Answer, sources: Sequence[Source], collection: Collection) -> Answer:
    """The answer with each statement verified and cited; what its source does not carry is left out and counted."""
    hits = {source.source_id: source.hit for source in sources}
    kept = await _supported(draft.statements, hits, collection)
    conflicts = []
    for conflict in draft.conflicts:
        sides = await _supported(conflict.statements, hits, collection)
        if len(sides) == len(conflict.statements):
            conflicts.append(conflict.model_copy(update={"statements": sides}))
    made = len(draft.statements)
    gap = f"Left out, since their quotes did not carry them: {made - len(kept)} of {made} statements."
    gaps = (*draft.gaps, gap) if len(kept) < made else draft.gaps
    return draft.model_copy(update={"statements": kept, "conflicts": tuple(conflicts), "gaps": gaps})


async def _supported(
    statements: Sequence[Statement], hits: dict[str, Hit], collection: Collection
) -> tuple[Statement, ...]:
    """The statements that their sources carry, each bound to a citation of its first source, registered once."""
    cited = []
    for statement in (verify_statement(statement, hits) for statement in statements):
        if statement.verdict is Verdict.SUPPORTED:
            hit = hits[statement.source_ids[0]]
            citation = await collection.register(hit, DraftCitation(statement.text, statement.quote, True, hit.url))
            cited.append(statement.model_copy(update={"citation_id": citation.citation_id}))
    return tuple(cited)
