"""`storm run DRUG`: one drug, one dossier."""

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
    Out,
    Program,
    Questions,
    Set,
    SettingsFile,
    Unsupported,
)
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.new_job import split_databases, start_job
from storm.cli.output_options import AsJson, Overwrite, PaperOption, Quiet, TemplateOption, Verbose
from storm.cli.research_settings import read_settings_given
from storm.cli.work import OutputOptions
from storm.errors import UsageError
from storm.models import JobLimits, Paper
from storm.settings import read_settings

Prefill = Annotated[
    str,
    typer.Option(help="rules: what is plainly about the drug is filed by rules before the model is called; or none."),
]
Mode = Annotated[
    str,
    typer.Option(
        help="broad: with a language model; extractive: without, even if one is configured; parallel: researches "
        "its questions side by side, reviews the answers and searches again."
    ),
]


def run(
    drug: Annotated[str | None, typer.Argument(help="The drug's name.")] = None,
    offline: Offline = False,
    databases: Databases = None,
    syllabus: Questions = None,
    also: Also = None,
    meaning: Meaning = "",
    model: Model = "",
    program: Program = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    mode: Mode = "",
    settings_given: Set = None,
    settings_file: SettingsFile = None,
    unsupported: Unsupported = "remove",
    prefill: Prefill = "",
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
    """Write the dossier of one drug: search, file, answer, write.

    Example: storm run trastuzumab --offline --also Herceptin --out reports
    """
    settings = read_settings()
    request = job_request(
        _check_drug(drug),
        settings,
        also=also or (),
        meaning=meaning,
        offline=offline,
        databases=split_databases(databases),
        syllabus=syllabus,
        model=model,
        program=program,
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes),
        mode=mode,
        configurable=read_settings_given(settings_file, settings_given),
        unsupported=unsupported,
        prefill=prefill,
        out=out,
        formats=split_list(formats),
        paper=paper,
        template=template,
    )
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose)
    start_job(settings, request, job_id, out, wanted)


def _check_drug(drug: str | None) -> str:
    """The drug's name; UsageError if there is none, or if it is a question."""
    if drug is None:
        raise UsageError("nothing is asked for", hint="name one drug, for example: storm run trastuzumab --offline")
    if drug.rstrip().endswith("?"):
        raise UsageError("this is a question, and storm run takes a drug", hint='ask it: storm report "QUESTION"')
    return drug
