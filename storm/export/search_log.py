"""The search log for reviewers: each strategy exactly as it was run, with its outcome, as CSV and as JSON."""

from __future__ import annotations

from typing import Any

from storm import wording
from storm.errors import StormError
from storm.export.csv_text import to_csv
from storm.export.json_text import json_bytes, json_text
from storm.models import Dossier, RecordFlow, SearchLine, database_label
from storm.reports import Report
from storm.reports import flow_wording as words
from storm.reports.flow import is_look_up

#: The columns of the CSV, in order; the JSON has the same fields. The records of look-ups are in no count of the flow.
_FIELDS = (
    "database", "name", "scope", "question", "query", "translated", "address", "at", "answered", "status", "reason",
    "incomplete", "total", "hits", "kept", "look_up",
)  # fmt: skip
#: The public pages of records, by the kind of their identifier.
_ADDRESSES = {
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/{}/",
    "doi": "https://doi.org/{}",
    "registry": "https://clinicaltrials.gov/study/{}",
    "url": "https://{}",
}


def log_to_csv(report: Report) -> bytes:
    """One row per search, with a head."""
    fields = [_log_fields(line) for line in search_log_of(report)]
    return to_csv([_FIELDS, *([_to_cell(row[name]) for name in _FIELDS] for row in fields)])


def log_to_json(report: Report) -> bytes:
    """A list of the searches."""
    fields = [_log_fields(line) for line in search_log_of(report)]
    return json_bytes(json_text(fields))


def not_kept_to_csv(report: Report) -> bytes:
    """One row for each record that was found and is not cited, with the reason and its title, and for each other
    identifier under which a work was found again, below a header row."""
    flow = (report.flow if isinstance(report, Dossier) else None) or RecordFlow()
    titles = flow.not_kept_titles
    reasons = {record: (reason.value, wording.EXCLUSIONS[reason]) for record, reason in flow.not_kept.items()}
    same = {record: ("duplicate", words.DUPLICATE.format(work=work)) for record, work in flow.duplicates.items()}
    rows = (
        (record, *reason, _find_address(record), titles.get(record, ""))
        for record, reason in sorted((reasons | same).items())
    )
    return to_csv([("record", "reason", "explanation", "address", "title"), *rows])


def _find_address(record: str) -> str:
    """Where the record of an identifier is shown; empty if that has no public page."""
    kind, _, value = record.partition(":")
    return _ADDRESSES[kind].format(value) if kind in _ADDRESSES else ""


def search_log_of(report: Report) -> tuple[SearchLine, ...]:
    """The searches of a report; StormError if it lists none."""
    if isinstance(report, Dossier):
        return report.search_log
    raise StormError(
        f"the {report.file_name} has no search log to export", hint="leave the format log out; json has all its fields"
    )


def _log_fields(line: SearchLine) -> dict[str, Any]:
    fields = {**line.model_dump(mode="json"), "name": database_label(line.database), "look_up": is_look_up(line)}
    return {name: fields[name] for name in _FIELDS}


def _to_cell(value: Any) -> str | int:
    """A cell: numbers stay numbers, and what is not known is empty."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int) else value or ""
