"""The options for what a command prints and writes."""

from __future__ import annotations

from typing import Annotated

import typer

Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the files of another drug or question in the folder.")
]

Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print the lines of progress in full.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only files and problems.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

PaperOption = Annotated[str, typer.Option("--paper", metavar="SIZE", help="Paper of docx and pdf: a4 or letter.")]
TemplateOption = Annotated[
    str | None,
    typer.Option("--template", metavar="FILE", help="A .docx file with the styles, headers and footers for docx."),
]
OtherTemplateOption = Annotated[
    str | None,
    typer.Option("--template", metavar="FILE", help="Another .docx file than the job's; none for storm's own styles."),
]
