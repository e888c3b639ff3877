"""What every report can do, whatever mode made it: a new one is a type of its own, and what is registered for it here.

A type that is its mode's `report` needs a document; a summary where its title alone would say too little.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple, Protocol

from pydantic import JsonValue

from storm.errors import StormError
from storm.reports.document import Document


class Report(Protocol):
    """What a job ends with, a pydantic model: the store keeps it as JSON, and `--format json` writes its fields.

    `file_name` is what its files are called, without a suffix; `exit_code` is 0 for a complete one, 3 for a partial
    one, 4 where nothing was found. `goes_on` says that a resume would gather on.
    """

    @property
    def file_name(self) -> str: ...

    @property
    def job_id(self) -> str: ...

    @property
    def exit_code(self) -> int: ...

    @property
    def goes_on(self) -> bool: ...

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


class Summary(NamedTuple):
    """What a door says when a job has ended: `lines` to a person, `fields` to a program; `warning` is said even where a
    person asked for silence."""

    lines: tuple[str, ...]
    fields: Mapping[str, JsonValue]
    warning: str = ""


@singledispatch
def document_of(report: Report) -> Document:
    """The report as its readers see it."""
    raise StormError(
        f"nothing says how a {type(report).__name__} is shown to its readers",
        hint="register its document with storm.reports.document_of; what the job made is kept",
    )


@singledispatch
def summary_of(report: Report) -> Summary:
    """The report in a few lines."""
    return Summary((document_of(report).title,), {"job_id": report.job_id, "exit_code": report.exit_code})
