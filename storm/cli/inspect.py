"""`storm inspect JOB`: show a job, also while it runs."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from storm import wording
from storm.app import App, open_app
from storm.cli.console import count_noun, make_printable, name_program, print_json, print_line, run_async
from storm.models import Exclusion, JobState, Spent, sum_amounts
from storm.settings import read_settings

if TYPE_CHECKING:
    from storm.models import ListedSource

Batches: TypeAlias = "AsyncIterator[Sequence[ListedSource]]"

_EVENTS = 8
#: States of a job that may wait for a worker.
_MAY_WAIT = (JobState.QUEUED, JobState.INTERRUPTED)
#: States of a job on which nothing works, and which `storm resume` goes on with.
RESUMABLE = (*_MAY_WAIT, JobState.CANCELLED)


def inspect(
    job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")],
    sources: Annotated[bool, typer.Option("--sources", help="List the sources too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a job: sources per question and its last events. It may still be running.

    Example: storm inspect trastuzumab-20261121-7f3a9c --sources
    """

    async def print_job() -> None:
        async with open_app(read_settings()) as app:
            found = await _describe_job(app, job)
            batches = app.collection(job).iter_source_summaries() if sources else None
            await (_print_json if as_json else _print_text)(found, batches)

    run_async(print_job())


async def _describe_job(app: App, job_id: str) -> dict[str, Any]:
    job = await app.store.jobs.check(job_id)
    collection, journal = app.collection(job_id), app.journal(job_id)
    progress, (spending, _), syllabus, exclusions, steps, events = await asyncio.gather(  # in few round trips
        collection.progress(), journal.spending(), app.syllabus(job), collection.exclusions(), journal.count_steps(),
        journal.events(_EVENTS),
    )  # fmt: skip
    waiting = await app.store.submissions.waiting() if job.state in _MAY_WAIT else {}
    found: dict[str, Any] = {
        "job_id": job_id,
        "drug": job.request.subject,
        "kind": job.request.kind.value,
        "state": job.state.value,
        "created": job.created.isoformat(),
        "update_of": job.request.update_of or None,
        "waits_for_worker": job_id in waiting,
        "why_it_waits": waiting.get(job_id) or None,
        "total": progress.total,
        "databases": list(progress.databases),
        "questions": {
            question.key: {"sources": progress.counts.get(question.key, 0), "min_sources": question.min_sources}
            for question in (syllabus.questions if syllabus else ())
        },
        "not_kept": dict(Counter(reason.value for reason in exclusions.values())),
        "agents": dict(steps),
        "spent": sum_amounts(row.amounts for row in spending)._asdict() if spending else None,
        "events": [
            {
                "at": event.at.isoformat(),
                "kind": event.kind,
                "message": event.message,
                "stage": event.stage,
                "progress": event.progress,
                "data": event.data,
            }
            for event in events
        ],
    }
    return found


async def _print_json(found: dict[str, Any], batches: Batches | None) -> None:
    """Print one JSON value. The sources are streamed, so few are in memory at a time."""
    if batches is None:
        print_json(found)
        return
    before, after = json.dumps({**found, "sources": []}, ensure_ascii=False, indent=2).rsplit("]", 1)
    has_any = False
    async for batch in batches:
        print_line(before + ",".join(map(_source_json, batch)), end="")
        before, has_any = ",", True
    print_line(f"\n  ]{after}" if has_any else f"{before}]{after}")


def _source_json(source: ListedSource) -> str:
    fields = {
        "source_id": source.source_id,
        "source_type": source.database,
        "external_id": source.external_id,
        "url": source.url,
        "title": source.title,
        "relation": source.relation.value,
        "relation_kind": source.relation_kind.value,
        "questions": source.questions,
        "citation_ids": source.citation_ids,
        "note": source.note,
    }
    return "\n    " + json.dumps(fields, ensure_ascii=False, indent=2).replace("\n", "\n    ")


async def _print_text(found: dict[str, Any], batches: Batches | None) -> None:
    created = found["created"][:19].replace("T", " ")
    print_line(f"{found['job_id']}: {make_printable(found['drug'])}, {found['state']}, created {created} UTC")
    if found["update_of"]:
        print_line(f"  updates {found['update_of']}")
    if found["waits_for_worker"]:
        print_line(f"  waits for a worker{': ' * bool(found['why_it_waits'])}{found['why_it_waits'] or ' to be free'}")
    for key, count in found["questions"].items():
        mark = "✓" if count["sources"] >= count["min_sources"] else "⚠"
        print_line(f"  {mark} {key}: {count_noun(count['sources'], 'source')} collected, {count['min_sources']} needed")
    databases = found["databases"]
    origins = f" from {count_noun(len(databases), 'database')}: {', '.join(databases)}" if databases else ""
    print_line(f"  {count_noun(found['total'], 'source')}{origins}")
    if found["not_kept"]:
        reasons = (f"{wording.EXCLUSIONS[Exclusion(one)]} {number}" for one, number in found["not_kept"].items())
        print_line(f"  {count_noun(sum(found['not_kept'].values()), 'record')} not kept: {'; '.join(reasons)}")
    for agent, steps in found["agents"].items():
        print_line(f"  {make_printable(agent)}: {count_noun(steps, 'step')}")
    if found["spent"]:
        print_line(f"  language models: {Spent(**found['spent'])}")
    if batches is not None:
        async for batch in batches:
            print_line("\n".join(map(_source_lines, batch)))
    print_line("Last events:")
    for event in found["events"]:
        print_line(f"  {event['at'][11:19]}  {describe_event(event['kind'], event['message'], event['data'])}")
    if found["state"] in RESUMABLE and not found["waits_for_worker"]:
        print_line(name_program(f"Go on with it: storm resume {found['job_id']}"))


def describe_event(kind: str, message: str, data: Mapping[str, object]) -> str:
    """An event in one line: of progress the counts, of others the message."""
    counts = ", ".join(f"{key} {value}" for key, value in data.items())
    return f"{kind}: {make_printable(counts if kind == 'progress' else message)}"


def _source_lines(source: ListedSource) -> str:
    """Two lines, and a third for a note."""
    relation = wording.describe_relation(source.relation, source.relation_kind)
    about = f" ({relation})" if relation else ""
    record = f"{source.database} {make_printable(source.external_id)}"
    note = make_printable(source.note) if source.note else ""
    return (
        f"{source.source_id}  {record}{about}: {make_printable(source.title)}\n"
        f"         {', '.join(source.questions)}  {make_printable(source.url)}"
        + (f"\n         note of the research, not the source's words: {note}" if note else "")
    )
