"""The stages of a job, in order. A stage whose artefact is in the store is skipped: that is all there is to resume."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from storm.citations.verification import verify_statement
from storm.models import (
    Answer,
    Dossier,
    DraftCitation,
    Hit,
    Job,
    Plan,
    Question,
    Source,
    Spending,
    Statement,
    StatementCounts,
    Unsupported,
    Verdict,
)
from storm.roles import Checker, Collection, Journal, Planner, Researcher, Synthesizer
from storm.workflow.dossier import MODEL_ERROR, compile_dossier


class Crew(NamedTuple):
    """Who plays which role in a job, and what they share; `engine`, `notes` and, at the end, what was `spent` and the
    `remarks` are told to the reader."""

    engine: str
    planner: Planner
    researcher: Researcher
    checker: Checker
    synthesizer: Synthesizer
    collection: Collection
    journal: Journal
    notes: tuple[str, ...] = ()
    spent: Callable[[], Sequence[Spending]] = tuple
    remarks: Callable[[], Sequence[str]] = tuple


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
    """The job's dossier; every stage that is not finished yet is run and its artefact kept.

    Where the model failed while it gathered, what is there is written up and not kept: a resume gathers on.
    """
    finished = await crew.journal.stages()
    artefacts = Artefacts()
    for stage in STAGES:
        adapter = TypeAdapter(stage.artefact)
        if stage.name in finished:
            value = adapter.validate_json(finished[stage.name])
        else:
            await crew.journal.report("stage", stage.name)
            value = await stage.make(job, crew, artefacts)
        artefacts = artefacts._replace(**{stage.name: value})
        if stage.name not in finished and artefacts.gather != MODEL_ERROR:
            await crew.journal.finish_stage(stage.name, adapter.dump_json(value).decode())
    assert artefacts.report is not None
    return artefacts.report


async def _plan(job: Job, crew: Crew, made: Artefacts) -> Plan:
    return await crew.planner.plan(job.request)


async def _gather(job: Job, crew: Crew, made: Artefacts) -> str:
    return await crew.researcher.gather(job.request, _planned(made))


async def _check(job: Job, crew: Crew, made: Artefacts) -> None:
    await crew.checker.check()


async def _answer(job: Job, crew: Crew, made: Artefacts) -> tuple[Answer, ...]:
    """One verified answer a question, in the syllabus' order; each is kept as soon as it is made."""
    plan = _planned(made)
    sources = await crew.collection.sources()
    kept = await crew.journal.stages()

    async def answered(question: Question) -> Answer:
        name = f"answer:{question.key}"
        if name in kept:
            return Answer.model_validate_json(kept[name])
        own = [source for source in sources if question.key in source.questions]
        draft = await crew.synthesizer.answer(question, plan, own)
        answer = await _checked(draft, own, crew.collection, job.request.unsupported)
        if made.gather != MODEL_ERROR:
            await crew.journal.finish_stage(name, answer.model_dump_json())
        shown = len(answer.statements) + sum(len(conflict.statements) for conflict in answer.conflicts)
        told = f"{question.label}: {shown} statement{'s' * (shown != 1)}"
        await crew.journal.report("answer", told, question=question.key)
        return answer

    # Where one fails the others are still finished: what they have cost is not to be paid again by a resume.
    ended = await asyncio.gather(*map(answered, plan.syllabus.questions), return_exceptions=True)
    for failure in ended:
        if isinstance(failure, BaseException):
            raise failure
    return tuple(answer for answer in ended if isinstance(answer, Answer))


async def _report(job: Job, crew: Crew, made: Artefacts) -> Dossier:
    return compile_dossier(
        job,
        _planned(made),
        engine=crew.engine,
        stopped=made.gather,
        sources=await crew.collection.sources(),
        answers=made.answer,
        searches=await crew.journal.searches(),
        notes=(*crew.notes, *crew.remarks()),
        spending=crew.spent(),
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


async def _checked(
    draft: Answer, sources: Sequence[Source], collection: Collection, unsupported: Unsupported
) -> Answer:
    """The answer with each statement verified and cited; what became of those that are written is counted.

    What its source does not carry, or who wrote the answer found unsupported, is removed, or marked where that is
    wanted and it points at a source; what nobody judged stays `unchecked`. A conflict is told only if all of
    its sides hold.
    """
    hits = {source.source_id: source.hit for source in sources}
    sides = [statement for conflict in draft.conflicts for statement in conflict.statements]
    written = list(dict.fromkeys((*draft.statements, *sides)))
    carried = {s: await _cited(s, hits[s.source_ids[0]], collection) for s in written if _is_carried(s, hits)}
    marked = {
        s: s.model_copy(update={"verdict": Verdict.UNSUPPORTED})
        for s in written
        if unsupported == "mark" and s not in carried and s.source_ids and hits.keys() >= set(s.source_ids)
    }
    held = [conflict for conflict in draft.conflicts if carried.keys() >= set(conflict.statements)]
    in_conflict = {statement for conflict in held for statement in conflict.statements}
    alone = dict.fromkeys((*draft.statements, *(side for side in sides if side not in in_conflict)))
    shown = carried | marked
    unjudged = sum(s.verdict is Verdict.UNCHECKED for s in carried)
    # Those that were written, but are not in the draft: it shows only so many.
    unseen = draft.counts.supported - sum(s.verdict is Verdict.SUPPORTED for s in written)
    unseen_unjudged = draft.counts.unjudged - sum(s.verdict is Verdict.UNCHECKED for s in written)
    return draft.model_copy(
        update={
            "statements": tuple(shown[statement] for statement in alone if statement in shown),
            "conflicts": tuple(
                conflict.model_copy(update={"statements": tuple(carried[side] for side in conflict.statements)})
                for conflict in held
            ),
            "counts": StatementCounts.of(
                supported=len(carried) - unjudged + max(0, unseen),
                removed=draft.counts.removed + len(written) - len(shown),
                marked=len(marked),
                unjudged=unjudged + max(0, unseen_unjudged),
            ),
        }
    )


def _is_carried(statement: Statement, hits: Mapping[str, Hit]) -> bool:
    """Whether its source carries it; what was found unsupported stays so."""
    was_refused = statement.verdict is Verdict.UNSUPPORTED
    return not was_refused and verify_statement(statement, hits).verdict is Verdict.SUPPORTED


async def _cited(statement: Statement, hit: Hit, collection: Collection) -> Statement:
    """The statement, bound to a citation of its first source, registered once; its verdict stays."""
    draft = DraftCitation(statement.text, statement.quote, True, hit.url)
    citation = (await collection.register(hit, draft)).citation
    return statement.model_copy(update={"citation_id": citation.citation_id})
