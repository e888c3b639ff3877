"""What an update changed, for programs."""

from __future__ import annotations

from storm.errors import StormError
from storm.export.json_text import json_bytes, json_text
from storm.models import Dossier
from storm.models.changes import Changes
from storm.reports import Report


def changes_to_json(report: Report) -> bytes:
    """The changes since the job that this one updates; of a job that updates none, `update_of` is null and nothing is
    listed."""
    if not isinstance(report, Dossier):
        raise StormError(
            f"the {report.file_name} has no changes to export", hint="leave the format changes out; it is for dossiers"
        )
    changes = report.changes or Changes(update_of="", since=report.created)
    fields = changes.model_dump(mode="json") | ({} if report.changes else {"update_of": None, "since": None})
    return json_bytes(json_text({"job_id": report.job_id, **fields}))
