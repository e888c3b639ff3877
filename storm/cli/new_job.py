"""Start the job of a new request, and work on it to its end."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from storm.app import App, open_app, utc_now
from storm.cli.console import exit_with, split_list
from storm.cli.interruption import Interruption
from storm.cli.submission import current_submission
from storm.cli.work import OutputOptions, mention_unfinished, run_job, work_on
from storm.errors import UsageError
from storm.export import check_folder, check_subject
from storm.models import AnsweredBefore, Job, JobRequest, new_job_id
from storm.models.request import MAX_TEXT
from storm.settings import Settings

#: Bytes of a text: a character has at most four in UTF-8.
_MOST = 4 * MAX_TEXT


def start_job(
    settings: Settings,
    request: JobRequest,
    job_id: str,
    out: Path | None,
    wanted: OutputOptions,
    *,
    writes_files: bool = True,
    find_earlier: Callable[[App], Awaitable[tuple[Job, AnsweredBefore] | None]] | None = None,
) -> None:
    """Start the job, work on it, and end the command with its exit code. UsageError before that if its files cannot be
    written to `out`, or would replace those of another drug or question. An earlier job that is found serves instead.
    Within `storm submit` the job is handed over to the workers.
    """
    if submission := current_submission():
        submission.submit(settings, request, job_id, as_json=wanted.as_json)
        return
    if writes_files:
        check_folder(out or Path("storm-reports"))
    if out and not wanted.overwrite:
        check_subject(out, request)
    job_id = job_id or new_job_id(request.subject, utc_now())
    if writes_files and out is None:  # absolute, for a resume from another folder
        request = request.model_copy(update={"out": str(Path("storm-reports", job_id).absolute())})

    async def start_and_work(interruption: Interruption) -> int:
        async with open_app(settings) as app:
            if find_earlier and (found := await find_earlier(app)):
                taken = wanted._replace(out=out and out.absolute(), formats=request.formats) if writes_files else wanted
                earlier, before = found
                return await work_on(app, earlier, taken._replace(earlier=before), interruption)
            job = await app.start(request, job_id)
            if not wanted.silent:
                await mention_unfinished(app, job)
            return await work_on(app, job, wanted, interruption)

    exit_with(run_job(start_and_work))


def read_text(given: str | None, hint: str) -> str:
    """What is asked, which `-` takes from standard input; UsageError, with this hint, if there is nothing, or if it is
    no text."""
    if given is None:
        raise UsageError("nothing is asked for", hint=hint)
    if given != "-":
        return given
    return _decode(sys.stdin.buffer.read(_MOST + 1), "standard input")


def read_file(file: Path) -> str:
    """The text of a file; UsageError if it cannot be read, is too long, or no text."""
    try:
        with file.open("rb") as opened:
            return _decode(opened.read(_MOST + 1), str(file))
    except OSError as exc:
        raise UsageError(f"{file} cannot be read: {exc.strerror}", hint="name a text file") from exc


def _decode(content: bytes, source: str) -> str:
    if len(content) > _MOST:
        raise UsageError(f"{source} has more than the {MAX_TEXT:,} characters that are taken", hint="shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise UsageError(f"{source} is not UTF-8 (byte {exc.start})", hint="save the text as UTF-8") from exc


def split_databases(databases: str | None) -> list[str]:
    """The names given with --databases; UsageError if it names none."""
    names = [name.lower() for name in split_list(databases or "")]
    if databases is not None and not names:
        raise UsageError("--databases names none", hint="leave it out to search all")
    return names
