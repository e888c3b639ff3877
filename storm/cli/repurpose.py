"""`storm repurpose "DRUG for DISEASE"`: whether a drug could treat a disease, as hypotheses put to the test."""

from __future__ import annotations

from typing import Annotated

import typer

from storm.api import job_request
from storm.cli.console import split_list
from storm.cli.job_options import (
    FORMATS,
    Also,
    Databases,
    Formats,
    JobId,
    Meaning,
    Model,
    Offline,
    OtherMode,
    Out,
    Program,
    Set,
    SettingsFile,
    Unsupported,
)
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.new_job import read_text, split_databases, start_job
from storm.cli.output_options import AsJson, Overwrite, PaperOption, Quiet, TemplateOption, Verbose
from storm.cli.research_settings import read_settings_given
from storm.cli.work import OutputOptions
from storm.models import JobLimits, Paper, RequestKind
from storm.settings import read_settings

Text = Annotated[
    str | None,
    typer.Argument(help="A drug and a disease, in quotes; - reads them from standard input.", show_default=False),
]


def repurpose(
    text: Text = None,
    offline: Offline = False,
    databases: Databases = None,
    also: Also = None,
    meaning: Meaning = "",
    model: Model = "",
    program: Program = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    mode: OtherMode = "",
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
    """Report whether a drug could treat a disease: hypotheses, and the evidence for and against each.

    Exit code 4: no evidence on the drug in this disease; the others as of `storm run`.

    Example: storm repurpose "metformin for breast cancer" --offline
    """
    settings = read_settings()
    request = job_request(
        read_text(text, 'name a drug and a disease: storm repurpose "metformin for breast cancer"'),
        settings,
        kind=RequestKind.REPURPOSING,
        also=also or (),
        meaning=meaning,
        offline=offline,
        databases=split_databases(databases),
        model=model,
        program=program,
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes),
        mode=mode,
        configurable=read_settings_given(settings_file, settings_given),
        unsupported=unsupported,
        out=out,
        formats=split_list(formats),
        paper=paper,
        template=template,
    )
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose)
    start_job(settings, request, job_id, out, wanted)
