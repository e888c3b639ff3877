"""`storm jobs`: list the jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from storm.app import open_app
from storm.cli.console import name_program, print_json, print_line, print_note, print_table, run_async, shorten_text
from storm.cli.workers import describe_waiting
from storm.models import JobState
from storm.settings import read_settings
from storm.store import JobList, JobSummary

#: Columns of a question in the table.
_WIDTH = 60


def jobs(
    limit: Annotated[int | None, typer.Option(min=1, help="List only so many, the newest.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the jobs in this store, newest first.

    Example: storm jobs --limit 20
    """

    async def read_jobs() -> tuple[JobList, Mapping[str, str]]:
        async with open_app(read_settings()) as app:
            return await app.store.jobs.all(), await app.store.submissions.waiting()

    (listed, unreadable, damaged), waiting = run_async(read_jobs())
    found = listed[:limit]
    if unreadable:
        print_note(f"Not listed, since another version of storm wrote them: {', '.join(unreadable)}")
    for job_id in damaged:
        print_note(name_program(f"Not listed, since its metadata is damaged: {job_id} (storm inspect {job_id})"))
    if as_json:
        print_json([_describe_job(job, waiting) for job in found])
    elif not found:
        print_line(name_program("No jobs yet. Start one: storm run trastuzumab --offline"))
    else:
        endings = {None: "", 0: "complete", 3: "partial", 4: "nothing found"}
        has_updates = any(job.update_of for job in found)
        print_table(
            ("JOB", "SUBJECT", "MODE", "STATE", "RESULT", "CREATED (UTC)", *(["UPDATE OF"] if has_updates else [])),
            [
                (
                    job.job_id,
                    shorten_text(job.drug, _WIDTH),
                    job.mode,
                    job.state,
                    endings.get(job.exit_code, ""),
                    f"{job.created:%Y-%m-%d %H:%M:%S}",
                    *([job.update_of] if has_updates else []),
                )
                for job in found
            ],
        )
        for line in describe_waiting(waiting):
            print_note(line)
        if any(job.state is JobState.INTERRUPTED and job.job_id not in waiting for job in found):
            print_note(name_program("Go on with an interrupted job: storm resume JOB"))


def _describe_job(job: JobSummary, waiting: Mapping[str, str]) -> Mapping[str, object]:
    """The fields of a job as JSON; `waiting` has the reasons of the jobs that wait for a worker."""
    return {
        "job_id": job.job_id,
        "drug": job.drug,
        "mode": job.mode or None,
        "state": job.state.value,
        "created": job.created.isoformat(),
        "exit_code": job.exit_code,
        "complete": job.exit_code == 0,
        "update_of": job.update_of or None,
        "waits_for_worker": job.job_id in waiting,
        "why_it_waits": waiting.get(job.job_id) or None,
    }
