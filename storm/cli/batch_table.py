"""A batch as a table in the terminal."""

from __future__ import annotations

from storm.api.batches import BatchTable
from storm.cli.console import count_noun, make_printable, name_program, print_line, print_table, shorten_text
from storm.store import BatchState

#: Columns of a subject and of a reason.
_WIDTH = 40


def print_batch(table: BatchTable) -> None:
    """Print a row a job, and the summary."""
    print_table(
        ("JOB", "SUBJECT", "STATE", "EXIT", "SOURCES", "COVERED", "USD", "MINUTES", "REASON"),
        [
            (
                job.job_id,
                shorten_text(job.subject, _WIDTH),
                job.state,
                *map(_show, (job.exit_code, job.sources, job.covered, job.usd, job.minutes)),
                shorten_text(job.reason, _WIDTH),
            )
            for job in table.jobs
        ],
    )
    print_line(summarize_batch(table))


def _show(cell: float | str | None) -> float | str:
    return "" if cell is None else cell


def summarize_batch(table: BatchTable) -> str:
    """How many jobs are in each state, the pace and what limits it, in one line."""
    counts = ", ".join(f"{number:,} {state}" for state, number in sorted(table.counts.items()))
    pace = ""
    if table.remaining and table.batch.is_held and table.per_minute and table.minutes_left:
        left = count_noun(round(table.minutes_left), "minute")
        pace = f"; {table.per_minute:.1f} a minute so far, {left} left at that pace"
    limits = f"; limited by {make_printable('; '.join(table.limits))}" if table.limits else ""
    stopped = ""
    if table.batch.state == "cancelled" and not table.batch.is_held and table.counts.keys() - {"finished", "failed"}:
        stopped = name_program(f"; it was cancelled, and goes on with: storm batch resume {table.batch.name}")
    return f"{table.batch.name}: {counts}{pace}{limits}{stopped}"


def explain_nothing(table: BatchTable) -> str:
    """Why no job was run."""
    if table.counts.keys() & {"failed", "refused"}:
        return f"Nothing is missing; the jobs that failed run again with: storm batch retry {table.batch.name}"
    return "Nothing was left to run."


def name_state(batch: BatchState) -> str:
    """What the list of batches says of one."""
    return "running" if batch.is_held else "ended" if batch.has_ended else batch.state
