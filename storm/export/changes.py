"""What an update changed, for programs."""

from __future__ import annotations

from storm.errors import StormError
from storm.export.json_text import json_text
from storm.models import Dossier
from storm.reports import Report


def changes_to_json(report: Report) -> bytes:
    """The changes since the job that this one updates; StormError if it updates none."""
    if isinstance(report, Dossier) and report.changes:
        return json_text({"job_id": report.job_id, **report.changes.model_dump(mode="json")}).encode(errors="replace")
    raise StormError(
        f"{report.job_id} updates no other job, so it has no changes",
        hint="leave the format changes out; it is for jobs that bring another one up to date",
    )
