"""`storm inspect JOB`: what a job has so far, also while it runs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from storm.app import App, open_app
from storm.cli.console import counted, plain, run_async, say, say_json
from storm.models import Spent, summed
from storm.settings import read_settings

_EVENTS = 8


def inspect(
    job: Annotated[str, typer.Argument(help="The job's id, as `storm jobs` lists it.")],
    sources: Annotated[bool, typer.Option("--sources", help="List the sources, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON on standard output.")] = False,
) -> None:
    """What a job has: sources per question, what happened last, and with --sources each source.

    Example: storm inspect trastuzumab-20261121-7f3a9c --sources
    """

    async def look() -> dict[str, Any]:
        async with open_app(read_settings()) as app:
            return await _described(app, job, sources)

    found = run_async(look())
    if as_json:
        say_json(found)
    else:
        _tell(found)


async def _described(app: App, job_id: str, with_sources: bool) -> dict[str, Any]:
    job = await app.store.jobs.check(job_id)
    collection, journal = app.collection(job_id), app.journal(job_id)
    progress = await collection.progress()
    spending = (await journal.spending()).spending
    found: dict[str, Any] = {
        "job_id": job_id,
        "drug": job.request.drug,
        "state": job.state.value,
        "created": job.created.isoformat(),
        "total": progress.total,
        "databases": list(progress.databases),
        "questions": {
            question.key: {"sources": progress.counts.get(question.key, 0), "min_sources": question.min_sources}
            for question in job.request.syllabus.questions
        },
        "spent": summed(row.spent for row in spending)._asdict() if spending else None,
        "events": [
            {"at": event.at.isoformat(), "kind": event.kind, "message": event.message}
            for event in await journal.events(_EVENTS)
        ],
    }
    if with_sources:
        found["sources"] = [
            {
                "source_id": source.source_id,
                "source_type": source.hit.database,
                "external_id": source.hit.external_id,
                "url": source.hit.url,
                "title": source.hit.title,
                "relation": source.relation.value,
                "questions": list(source.questions),
                "citation_ids": list(source.citation_ids),
            }
            for source in await collection.sources()
        ]
    return found


def _tell(found: dict[str, Any]) -> None:
    created = found["created"][:19].replace("T", " ")
    say(f"{found['job_id']}: {plain(found['drug'])}, {found['state']}, created {created} UTC")
    for key, count in found["questions"].items():
        mark = "✓" if count["sources"] >= count["min_sources"] else "⚠"
        say(f"  {mark} {key}: {counted(count['sources'], 'source')}, {count['min_sources']} needed")
    databases = found["databases"]
    origins = f" from {counted(len(databases), 'database')}: {', '.join(databases)}" if databases else ""
    say(f"  {counted(found['total'], 'source')}{origins}")
    if found["spent"]:
        say(f"  language models: {Spent(**found['spent'])}")
    for source in found.get("sources", []):
        about = "" if source["relation"] == "itself" else f" ({source['relation']})"
        origin = f"{source['source_type']} {plain(source['external_id'])}"
        say(f"{source['source_id']}  {origin}{about}: {plain(source['title'])}")
        say(f"         {', '.join(source['questions'])}  {plain(source['url'])}")
    say("Last events:")
    for event in found["events"]:
        say(f"  {event['at'][11:19]}  {event['kind']}: {plain(event['message'])}")
