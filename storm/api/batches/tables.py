"""The table of a batch as CSV, JSON and HTML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from html import escape

from storm.api.batches.status import BatchTable, JobLine

#: With one of these first, programs for spreadsheets take a cell for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc}"""


def to_csv(table: BatchTable, links: Mapping[str, str] | None = None) -> str:
    """A row a job; text that a spreadsheet would take for a formula has an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*JobLine._fields, "path"))
    for job in table.jobs:
        writer.writerow([_guard_cell(cell) for cell in (*job, (links or {}).get(job.job_id))])
    return text.getvalue()


def to_json(table: BatchTable, links: Mapping[str, str] | None = None) -> str:
    """The batch with its counts and jobs; with `links`, each has the `path` of its file, or null."""
    left = table.minutes_left
    return json.dumps(
        {
            "batch": table.batch.name,
            "state": table.batch.state,
            "is_worked_on": table.batch.is_held,
            "created": table.batch.created,
            "limits": json.loads(table.batch.limits),
            "counts": dict(table.counts),
            "remaining": table.remaining,
            "finished_per_minute": table.per_minute and round(table.per_minute, 2),
            "minutes_left": left and round(left, 1),
            "limited_by": table.limits,
            "exit_code": table.exit_code,
            "jobs": [
                {**job._asdict(), **({} if links is None else {"path": links.get(job.job_id)})} for job in table.jobs
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def to_html(table: BatchTable, links: Mapping[str, str] | None = None) -> str:
    """One page that requests nothing from anywhere; with `links`, each subject leads to its file."""
    title = escape(f"Batch {table.batch.name}")
    counts = escape(", ".join(f"{number:,} {state}" for state, number in sorted(table.counts.items())))
    head = "".join(f"<th scope=col>{name.replace('_', ' ')}</th>" for name in JobLine._fields)
    rows = "\n".join(_make_row(job, (links or {}).get(job.job_id, "")) for job in table.jobs)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1><p>{counts}</p>\n"
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></body></html>\n"
    )


def _make_row(job: JobLine, link: str) -> str:
    cells = ["" if cell is None else escape(str(cell)) for cell in job]
    if link:
        cells[1] = f'<a href="{escape(link)}">{cells[1]}</a>'
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _guard_cell(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
