"""The interface of reports, whichever mode made them. To add one, define a type and register its functions here.

A mode's `report` type needs a document, and a summary if its title says too little.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple, Protocol

from pydantic import JsonValue

from storm.errors import StormError
from storm.models import Dossier, Reference
from storm.models.reference import ReferenceList
from storm.reports.document import Document


class Report(Protocol):
    """The result of a job, a pydantic model: the store saves it as JSON, and `--format json` writes its fields.

    `file_name` is the name of its files without a suffix. `exit_code` is 0 if it is complete, 3 if partial, 4 if
    nothing was found. `can_go_on` is true if a resume would gather more.
    """

    @property
    def file_name(self) -> str: ...

    @property
    def job_id(self) -> str: ...

    @property
    def exit_code(self) -> int: ...

    @property
    def can_go_on(self) -> bool: ...

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


class Summary(NamedTuple):
    """What is shown when a job has ended: `lines` to people, `fields` to programs; `warning` even with `--quiet`."""

    lines: tuple[str, ...]
    fields: Mapping[str, JsonValue]
    warning: str = ""


@singledispatch
def document_of(report: Report) -> Document:
    """Lay out the report for readers."""
    raise StormError(
        f"no document is registered for the report type {type(report).__name__}",
        hint="register one with storm.reports.document_of; the job's results are saved",
    )


@singledispatch
def references_of(report: Report) -> tuple[Reference, ...]:
    """The report's references in their order; where no function is registered, those of its document."""
    return tuple(entry.record for entry in document_of(report).references)


@references_of.register(Dossier)
@references_of.register(ReferenceList)
def _list_references(report: Dossier | ReferenceList) -> tuple[Reference, ...]:
    """The report's references, without laying it out."""
    return report.references


@singledispatch
def summary_of(report: Report) -> Summary:
    """Summarise the report in a few lines."""
    return Summary((document_of(report).title,), {"job_id": report.job_id, "exit_code": report.exit_code})
