"""`storm run DRUG`: one drug, one dossier."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.api import job_request
from storm.app import open_app, utc_now
from storm.cli.console import FORMATS_HELP, exit_with, split_list
from storm.cli.interruption import Interruption
from storm.cli.limits import MaxCalls, MaxMinutes, MaxTokens, MaxUsd
from storm.cli.work import (
    AsJson,
    OutputOptions,
    Overwrite,
    PaperOption,
    Quiet,
    TemplateOption,
    Verbose,
    mention_unfinished,
    run_job,
    work_on,
)
from storm.errors import UsageError
from storm.export import check_drug, check_folder
from storm.models import DEFAULT_FORMATS, JobLimits, JobRequest, Paper, RequestKind, new_job_id
from storm.settings import Settings, read_settings

Databases = Annotated[
    str | None, typer.Option(help="Search only these databases, separated by commas: pubmed,clinicaltrials")
]
Questions = Annotated[Path | None, typer.Option(help="YAML file of your own questions, like config/syllabus/drug.yaml")]
Meaning = Annotated[
    str, typer.Option(help="The drug that is meant if several share the name: a generic name or ChEMBL id.")
]
Model = Annotated[str, typer.Option(help="Language model for every role: openai/gpt-4.1-mini, ollama_chat/qwen3:14b …")]
Mode = Annotated[
    str, typer.Option(help="broad: with a language model; extractive: without, even if one is configured.")
]
Unsupported = Annotated[
    str, typer.Option(help="What to do with a statement that its source does not support: remove or mark.")
]
Prefill = Annotated[
    str,
    typer.Option(help="rules: what is plainly about the drug is filed by rules before the model is called; or none."),
]
JobId = Annotated[
    str,
    typer.Option(
        help="An id of your own for the job: 1 to 80 of a-z, 0-9 and -, first a letter or digit. It must be new."
    ),
]


def run(
    drug: Annotated[str | None, typer.Argument(help="The drug's name.")] = None,
    question: Annotated[
        str, typer.Option(hidden=True, help="A question instead of a drug; no built-in mode takes one yet.")
    ] = "",
    topic: Annotated[
        str, typer.Option(hidden=True, help="A topic instead of a drug; no built-in mode takes one yet.")
    ] = "",
    offline: Annotated[bool, typer.Option("--offline", help="Search only your corpus, or the bundled sample.")] = False,
    databases: Databases = None,
    syllabus: Questions = None,
    also: Annotated[list[str] | None, typer.Option(help="A synonym of the drug; may be repeated.")] = None,
    meaning: Meaning = "",
    model: Model = "",
    program: Annotated[str, typer.Option(help="Prompts that `storm optimize` saved: a name or a file.")] = "",
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_calls: MaxCalls = None,
    max_minutes: MaxMinutes = None,
    mode: Mode = "",
    unsupported: Unsupported = "remove",
    prefill: Prefill = "",
    job_id: JobId = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the files; by default ./storm-reports/JOB/")] = None,
    formats: Annotated[str, typer.Option("--format", help=f"{FORMATS_HELP}.")] = ",".join(DEFAULT_FORMATS),
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
    kind, text = _read_subject(drug, question, topic)
    request = job_request(
        text,
        settings,
        kind=kind,
        also=also or (),
        meaning=meaning,
        offline=offline,
        databases=_split_databases(databases),
        syllabus=syllabus,
        model=model,
        program=program,
        limits=JobLimits(usd=max_usd, tokens=max_tokens, calls=max_calls, minutes=max_minutes),
        mode=mode,
        unsupported=unsupported,
        prefill=prefill,
        out=out,
        formats=split_list(formats),
        paper=paper,
        template=template,
    )
    check_folder(out or Path("storm-reports"))
    if out and not overwrite:
        check_drug(out, request.subject)
    job_id = job_id or new_job_id(request.subject, utc_now())
    if out is None:  # absolute, for a resume from another folder
        request = request.model_copy(update={"out": str(Path("storm-reports", job_id).absolute())})
    wanted = OutputOptions(None, None, overwrite, quiet, as_json, settings.progress_plain, verbose)
    _start_job(settings, request, job_id, wanted)


def _read_subject(drug: str | None, question: str, topic: str) -> tuple[RequestKind, str]:
    """The subject and its kind; UsageError unless exactly one is given."""
    given = {RequestKind.DRUG: drug, RequestKind.QUESTION: question or None, RequestKind.TOPIC: topic or None}
    asked = [(kind, text) for kind, text in given.items() if text is not None]
    if len(asked) != 1:
        what = "nothing is asked for" if not asked else f"{' and '.join(f'a {kind}' for kind, _ in asked)} is too much"
        raise UsageError(what, hint="name one drug, for example: storm run trastuzumab --offline")
    return asked[0]


def _start_job(settings: Settings, request: JobRequest, job_id: str, wanted: OutputOptions) -> None:

    async def start_and_work(interruption: Interruption) -> int:
        async with open_app(settings) as app:
            job = await app.start(request, job_id)
            if not (wanted.quiet or wanted.as_json):
                await mention_unfinished(app, job)
            return await work_on(app, job, wanted, interruption)

    exit_with(run_job(start_and_work))


def _split_databases(databases: str | None) -> list[str]:
    names = [name.lower() for name in split_list(databases or "")]
    if databases is not None and not names:
        raise UsageError("--databases names none", hint="leave it out to search all")
    return names
