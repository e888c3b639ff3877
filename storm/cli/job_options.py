"""The options of the commands that start a job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from storm.cli.console import FORMATS_HELP

Offline = Annotated[bool, typer.Option("--offline", help="Search only your corpus, or the bundled sample.")]
Databases = Annotated[
    str | None, typer.Option(help="Search only these databases, separated by commas: pubmed,clinicaltrials")
]
Questions = Annotated[Path | None, typer.Option(help="YAML file of your own questions, like config/syllabus/drug.yaml")]
Model = Annotated[str, typer.Option(help="Language model for every role: openai/gpt-4.1-mini, ollama_chat/qwen3:14b …")]
Program = Annotated[str, typer.Option(help="Prompts that `storm optimize` saved: a name or a file.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of research: max_questions=6; may be repeated."),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="YAML or JSON file of such settings; --set wins."),
]
Unsupported = Annotated[
    str, typer.Option(help="What to do with a statement that its source does not support: remove or mark.")
]
Also = Annotated[list[str] | None, typer.Option(help="A synonym of the drug; may be repeated.")]
Meaning = Annotated[
    str, typer.Option(help="The drug that is meant if several share the name: a generic name or ChEMBL id.")
]
OtherMode = Annotated[str, typer.Option(hidden=True, help="Another mode that takes such a request.")]
JobId = Annotated[
    str,
    typer.Option(
        help="An id of your own for the job: 1 to 80 of a-z, 0-9 and -, first a letter or digit. It must be new."
    ),
]
Out = Annotated[Path | None, typer.Option(help="Folder for the files; by default ./storm-reports/JOB/")]
Formats = Annotated[str, typer.Option("--format", help=f"{FORMATS_HELP}.")]
#: The default of `--format`: storm.models.DEFAULT_FORMATS, which a command's help must not wait for.
FORMATS = "html,md,json"
