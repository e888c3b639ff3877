"""`storm report "QUESTION"`: one question or topic, one report."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.api import job_request
from storm.cli.console import split_list
from storm.cli.job_options import (
    FORMATS,
    Databases,
    Formats,
    JobId,
    Model,
    Offline,
    OtherMode,
    Out,
    Program,
    Questions,
    Set,
    SettingsFile,
    Unsupported,
)
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.new_job import read_text, split_databases, start_job
from storm.cli.output_options import AsJson, Overwrite, PaperOption, Quiet, TemplateOption, Verbose
from storm.cli.research_settings import read_settings_given
from storm.cli.work import OutputOptions
from storm.models import JobLimits, Paper, ReportPreferences, RequestKind
from storm.settings import read_settings

Question = Annotated[
    str | None, typer.Argument(help="The question, in quotes; - reads it from standard input.", show_default=False)
]
Topic = Annotated[bool, typer.Option("--topic", help="It is a topic to survey, not a question.")]
Audience = Annotated[str, typer.Option(help="For whom: regulators, patients …")]
Length = Annotated[str, typer.Option(help="How long: short, two pages, 500 words …")]
Tone = Annotated[str, typer.Option(help="In which tone: plain, formal …")]
Style = Annotated[str, typer.Option(help="In which form: prose or bullets.")]
Sections = Annotated[
    list[str] | None, typer.Option("--section", help="A section that the report shall have; may be repeated.")
]


def report(
    question: Question = None,
    topic: Topic = False,
    offline: Offline = False,
    databases: Databases = None,
    syllabus: Questions = None,
    model: Model = "",
    program: Program = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    mode: OtherMode = "",
    audience: Audience = "",
    length: Length = "",
    tone: Tone = "",
    style: Style = "",
    sections: Sections = None,
    settings_given: Set = None,
    settings_file: SettingsFile = None,
    unsupported: Unsupported = "remove",
    job_id: JobId = "",
    out: Out = None,
    formats: Formats = FORMATS,
    paper: PaperOption = Paper.A4,
    template: TemplateOption = None,
    overwrite: Overwrite = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write a report on a question or topic: plan its questions, research them side by side, review, write.

    Exit codes as of `storm run`.

    Example: storm report "How does trastuzumab compare with its biosimilars in efficacy and safety?" --offline
    """
    settings = read_settings()
    request = job_request(
        read_text(question, 'ask a question, for example: storm report "Does trastuzumab harm the heart?"'),
        settings,
        kind=RequestKind.TOPIC if topic else RequestKind.QUESTION,
        offline=offline,
        databases=split_databases(databases),
        syllabus=syllabus,
        model=model,
        program=program,
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes),
        mode=mode,
        preferences=_read_preferences(audience, length, tone, style, sections),
        configurable=read_settings_given(settings_file, settings_given),
        unsupported=unsupported,
        out=out,
        formats=split_list(formats),
        paper=paper,
        template=template,
    )
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose)
    start_job(settings, request, job_id, out, wanted)


def _read_preferences(
    audience: str, length: str, tone: str, style: str, sections: list[str] | None
) -> ReportPreferences:
    return ReportPreferences(audience=audience, length=length, tone=tone, format=style, sections=tuple(sections or ()))
