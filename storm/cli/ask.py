"""`storm ask QUESTION`: one question, one answer with its sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.cli.console import split_list
from storm.cli.job_options import Databases, JobId, Model, Offline, Program, Set, SettingsFile, Unsupported
from storm.cli.limits import MaxCalls, MaxTokens, MaxUsd
from storm.cli.output_options import Overwrite, Verbose

# What only a question that is asked needs is imported where it is used: the help must not wait for it.

Question = Annotated[
    str | None, typer.Argument(help="The question, in quotes; - reads it from standard input.", show_default=False)
]
Context = Annotated[str, typer.Option(help="What was said before: the drug or patients that the question leaves open.")]
ContextFile = Annotated[Path | None, typer.Option(metavar="FILE", help="A text file with it.")]
MaxIterations = Annotated[int, typer.Option(min=1, max=50, help="The most rounds of searches.")]
Minutes = Annotated[
    float, typer.Option(min=0.1, max=1e6, help="Time limit in minutes; then it answers with what it has.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Search again, even if the same question was answered before.")]
Cached = Annotated[bool, typer.Option("--cached", help="Take the answer to a similar earlier question, also offline.")]
Out = Annotated[
    Path | None, typer.Option(help="Folder for the whole report as files; by default the answer is printed alone.")
]
Formats = Annotated[
    str | None, typer.Option("--format", help="Formats of these files, separated by commas: html, md, json, docx …")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress, only the answer, files and problems.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Stream = Annotated[bool, typer.Option("--stream", help="Print progress and answer as lines of JSON.")]


def ask(
    question: Question = None,
    context: Context = "",
    context_file: ContextFile = None,
    max_iterations: MaxIterations = 10,
    minutes: Minutes = 10,
    offline: Offline = False,
    databases: Databases = None,
    model: Model = "",
    program: Program = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    settings_given: Set = None,
    settings_file: SettingsFile = None,
    unsupported: Unsupported = "remove",
    fresh: Fresh = False,
    cached: Cached = False,
    job_id: JobId = "",
    out: Out = None,
    formats: Formats = None,
    overwrite: Overwrite = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    stream: Stream = False,
) -> None:
    """Answer a question with cited sources: make a checklist, search in rounds for what is open, answer.

    Exit codes as of `storm run`.

    Example: storm ask "Does metformin cause lactic acidosis?" --offline
    """
    from storm.api import question_request
    from storm.cli.new_job import read_text, split_databases
    from storm.cli.question_job import read_context, start_question
    from storm.cli.research_settings import read_settings_given
    from storm.cli.work import OutputOptions
    from storm.models import DEFAULT_FORMATS, JobLimits
    from storm.settings import read_settings

    settings = read_settings()
    request = question_request(
        read_text(question, 'ask a question, for example: storm ask "Does metformin cause lactic acidosis?"'),
        settings,
        context=read_context(context, context_file),
        max_iterations=max_iterations,
        minutes=minutes,
        offline=offline,
        databases=split_databases(databases),
        model=model,
        program=program,
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls),
        configurable=read_settings_given(settings_file, settings_given),
        unsupported=unsupported,
        out=out,
        formats=split_list(formats) if formats else DEFAULT_FORMATS,
    )
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose, stream=stream)
    start_question(settings, request, job_id, out, wanted, formats=formats, fresh=fresh, cached=cached)
