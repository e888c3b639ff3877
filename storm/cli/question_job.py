"""Start the job of a question, whose answer is printed."""

from __future__ import annotations

from pathlib import Path

from storm.cli.new_job import read_file, start_job
from storm.cli.tool_steps import print_step
from storm.cli.work import OutputOptions
from storm.errors import StormError, UsageError
from storm.models import JobRequest
from storm.settings import Settings
from storm.toolkit.running import describe_failure


def read_context(text: str, file: Path | None) -> str:
    """What was said before, as a text or in a file; UsageError for both."""
    if text and file:
        raise UsageError("two contexts are given, a text and a file", hint="give one of --context and --context-file")
    return read_file(file) if file else text


def start_question(
    settings: Settings, request: JobRequest, job_id: str, out: Path | None, wanted: OutputOptions, *, writes_files: bool
) -> None:
    """Start the job, work on it, print its answer, and end the command with its exit code. In a stream, an error is
    its last line, too."""
    if wanted.stream and wanted.as_json:
        raise UsageError("--json and --stream exclude each other", hint="give one of them")
    try:
        start_job(settings, request, job_id, out, wanted, writes_files=writes_files)
    except StormError as error:
        if wanted.stream:
            print_step(describe_failure(error, "deep_research"))
        raise
