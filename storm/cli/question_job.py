"""Start the job of a question, whose answer is printed."""

from __future__ import annotations

from pathlib import Path

from storm.api.earlier_answers import EarlierAnswer, find_earlier
from storm.app import App
from storm.cli.console import count_noun, name_program, print_note
from storm.cli.new_job import read_file, start_job
from storm.cli.tool_steps import print_step
from storm.cli.work import OutputOptions
from storm.errors import StormError, UsageError
from storm.models import AnsweredBefore, Job, JobRequest
from storm.settings import Settings
from storm.toolkit.deep_research import DEEP_RESEARCH
from storm.toolkit.running import describe_failure


def read_context(text: str, file: Path | None) -> str:
    """What was said before, as a text or in a file; UsageError for both."""
    if text and file:
        raise UsageError("two contexts are given, a text and a file", hint="give one of --context and --context-file")
    return read_file(file) if file else text


def start_question(
    settings: Settings,
    request: JobRequest,
    job_id: str,
    out: Path | None,
    wanted: OutputOptions,
    *,
    formats: str | None,
    fresh: bool,
    cached: bool,
) -> None:
    """Start the job, work on it, print its answer, and end the command with its exit code; or print that of an earlier
    question. Files are written where a folder or formats are given. In a stream, an error is its last line, too."""
    if wanted.stream and wanted.as_json:
        raise UsageError("--json and --stream exclude each other", hint="give one of them")

    async def find_job(app: App) -> tuple[Job, AnsweredBefore] | None:
        earlier = await find_earlier(app, request, fresh=fresh or bool(job_id), cached=cached and not job_id)
        if earlier and not wanted.silent:
            print_note(name_program(_describe_earlier(earlier)))
        if earlier is None or not earlier.is_taken:
            return None
        return await app.store.jobs.get(earlier.question.job_id), earlier.describe()

    writes_files = bool(out or formats)
    try:
        start_job(settings, request, job_id, out, wanted, writes_files=writes_files, find_earlier=find_job)
    except StormError as error:
        if wanted.stream:
            print_step(describe_failure(error, DEEP_RESEARCH.name))
        raise


def _describe_earlier(earlier: EarlierAnswer) -> str:
    """Which question was answered before, how old its searches are, and how to have its answer, or another."""
    question, is_taken = earlier
    days = count_noun(question.age_days, "day")
    similar = f'A similar one (score {question.score:.2f}), "{question.question}",'
    named = "This question" if question.is_same else similar
    when = f", {days} ago," if question.age_days else ""
    said = f"{named} was asked on {question.asked_on:%Y-%m-%d}{when} in the job {question.job_id}."
    if question.obstacles:
        return f"{said} Its answer is not reused: {'; '.join(question.obstacles)}"
    if is_taken:
        return f"{said} This is its answer; search again with the option --fresh"
    return f"{said} Take its answer with the option --cached"
