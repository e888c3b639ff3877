"""`storm stats`: the jobs, workers and batches of the store in numbers, and what limits their pace."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from storm.api.statistics import StoreStatistics, read_statistics
from storm.app import open_app
from storm.cli.console import count_noun, make_printable, print_json, print_line, print_table, run_async
from storm.cli.workers import describe_waiting
from storm.settings import read_settings


def stats(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Count the jobs, workers and batches of this store, and say what limits their pace.

    Example: storm stats --json
    """

    async def read() -> StoreStatistics:
        async with open_app(read_settings()) as app:
            return await read_statistics(app)

    found = run_async(read())
    if as_json:
        print_json(_to_json(found))
    else:
        _print(found)


def _print(found: StoreStatistics) -> None:
    states = ", ".join(f"{number:,} {state}" for state, number in sorted(found.jobs.items()))
    total = count_noun(sum(found.jobs.values()), "job")
    print_line(f"{total}: {states}" if states else total)
    if found.unreadable:
        print_line(f"{count_noun(found.unreadable, 'job')} damaged or of another version of storm")
    for line in describe_waiting(found.waiting):
        print_line(line)
    print_line(f"{count_noun(len(found.workers), 'worker')}: {found.working} of {found.slots} jobs at a time")
    if found.batches:
        print_line(f"Batches that are worked on: {make_printable(', '.join(found.batches))}")
    print_line(f"Store: {found.store.memory_bytes / 1e6:.1f} MB in memory")
    if found.services:
        head = ("SERVICE", "CALLS A SECOND", "NEXT CALL IN (S)", "IN USE WITHOUT A PAUSE FOR (S)")
        rows = [
            (one.service, f"{one.per_second:g}", f"{one.next_slot:.1f}", f"{one.waited_for:.0f}")
            for one in found.services
        ]
        print_table(head, rows)
    for limit in found.limits:
        print_line(f"Limits the pace: {make_printable(limit)}")


def _to_json(found: StoreStatistics) -> dict[str, Any]:
    return {
        "jobs": dict(found.jobs),
        "unreadable": found.unreadable,
        "waiting": len(found.waiting),
        "workers": len(found.workers),
        "slots": found.slots,
        "working": found.working,
        "batches": found.batches,
        "memory_bytes": found.store.memory_bytes,
        "busy_services": [one._asdict() for one in found.services],
        "limits": found.limits,
    }
