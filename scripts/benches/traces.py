"""Traces: the pages of a list of 100,000 with its filters, on SQLite and PostgreSQL; and what recording costs a job.

The filters take turns, and each page is read anew. PostgreSQL is started on a socket of its own, where it is
installed. A job is trastuzumab on the sample within this process, with and without its trace in turns, both after a
first one that imports everything; processor time is that of the process and its threads. The last rows are whole
processes: without a trace, with one in the data directory, and with one by an address, which needs SQLAlchemy.
"""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from _program import environment, indexed
from _report import Row, p50, p95, parser, report
from sqlalchemy import insert, text

from storm.app import open_app
from storm.models import JobRequest
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus
from storm.traces import Owner, TraceFilter, TraceStatus
from storm.traces.database import TraceDatabase
from storm.traces.service import Traces
from storm.traces.tables import ToolTrace

sys.path.append(str(Path(__file__).parents[2] / "tests"))
from postgres import find_programs, start_postgres  # type: ignore[import-not-found]  # the tests' own server

START = datetime(2026, 1, 1, tzinfo=UTC)
OWNER = Owner(user_id=1, org_id=1)
TOOLS = ("deep_research", "run_drug", "report", "repurpose", "search_database")
STATUSES = ("completed",) * 90 + ("failed",) * 6 + ("cancelled",) * 2 + ("max_iterations", "in_progress")
WORDS = ("safety", "efficacy", "dose", "kidney", "heart", "liver", "children", "pregnancy", "cost", "resistance")
FILTERS: dict[str, dict[str, Any]] = {
    "all": {},
    "tool": {"tool_name": "report"},
    "status, frequent": {"status": TraceStatus.COMPLETED},
    "status, one in a hundred": {"status": TraceStatus.IN_PROGRESS},
    "tool, status, a month": {
        "tool_name": "repurpose", "status": TraceStatus.FAILED, "since": START + timedelta(days=30),
        "until": START + timedelta(days=60),
    },
    "the organisation's": {"everyone": True},
    "the organisation's, one in a hundred": {"everyone": True, "status": TraceStatus.MAX_ITERATIONS},
    "text, frequent": {"text": "kidney"},
    "text, one in 100,000": {"text": "question 77777 "},
    "text, nowhere": {"text": "unobtainium"},
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("traces", "Lists of traces, and the cost of recording.")
    options.add_argument("--traces", type=int, default=100_000, help="how many there are")
    options.add_argument("--times", type=int, default=100, help="how often each page is read")
    options.add_argument("--no-lists", action="store_true", help="measure recording alone")
    options.add_argument("--jobs", type=int, default=10, help="how many jobs with, and how many without")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as name:
        folder = Path(name)
        rows = [] if given.no_lists else list_rows(folder, given.traces, given.times)
        rows += asyncio.run(measure_jobs(indexed(folder / "data"), given.jobs))
        rows += measure_processes(folder / "data", given.jobs)
    report(rows, as_json=given.json)
    return 0


def list_rows(folder: Path, number: int, times: int) -> list[Row]:
    """A row for each filter on each database."""
    rows = asyncio.run(measure_lists("SQLite", folder / "traces.db", number, times))
    if programs := find_programs():
        with start_postgres(programs) as server:
            rows += asyncio.run(measure_lists("PostgreSQL", server.create_database(), number, times))
    return rows


async def measure_lists(engine: str, place: str | Path, number: int, times: int) -> list[Row]:
    """Fill the database, and read the first page and one in the middle with each filter."""
    database = TraceDatabase(place)
    await fill(database, number)
    traces = Traces(database, OWNER)
    seconds: dict[str, list[float]] = {name: [] for name in FILTERS}
    found: dict[str, int] = {}
    for turn in range(times):
        for name, values in FILTERS.items():
            wanted = TraceFilter(**values)
            cursor = "" if turn % 2 else (await traces.list_traces(wanted, limit=500)).cursor
            began = time.perf_counter()
            page = await traces.list_traces(wanted, cursor=cursor)
            seconds[name].append(time.perf_counter() - began)
            found[name] = max(found.get(name, 0), len(page.traces))
    await database.close()
    return [
        {"list": f"{engine}: {name}", "n": times, "found": found[name], "p50_ms": p50(each), "p95_ms": p95(each)}
        for name, each in seconds.items()
    ]


async def fill(database: TraceDatabase, number: int) -> None:
    """Nine in ten traces are the owner's, the others of his organisation or of another."""
    dice = random.Random(1)
    async with database.write() as connection:
        for start in range(0, number, 5_000):
            numbers = range(start, min(start + 5_000, number))
            await connection.execute(insert(ToolTrace), [make_row(each, dice) for each in numbers])
    if database.place.startswith("postgresql"):
        async with database.write() as connection:
            await connection.execute(text("ANALYZE"))


def make_row(number: int, dice: random.Random) -> dict[str, Any]:
    """A trace with a state and a result of some kilobytes."""
    created = START + timedelta(seconds=300 * number / 10)
    question = f"Question {number} on {dice.choice(WORDS)} and {dice.choice(WORDS)} of trastuzumab in adults?"
    user, organisation = dice.choice([(1, 1)] * 9 + [(2, 1), (1, 2), (3, None)])
    facts = [f"Fact {each} on {dice.choice(WORDS)} " * 3 for each in range(20)]
    return {
        "id": f"job-{number}-{dice.randbytes(6).hex()}", "user_id": user, "org_id": organisation,
        "tool_name": dice.choice(TOOLS), "input_params": {"question": question, "max_iterations": 10},
        "status": dice.choice(STATUSES), "progress": 1.0, "current_stage": "synthesizing",
        "state": {"knowledge_base": {"facts": facts}}, "result": {"answer": question * 10}, "error_message": None,
        "created_at": created, "started_at": created, "completed_at": created, "metrics": {"llm_calls": 12},
    }  # fmt: skip


async def measure_jobs(data_dir: Path, jobs: int) -> list[Row]:
    """Jobs with and without a recorder in turns, in this process."""
    settings = read_settings()._replace(data_dir=data_dir, redis_url=None, traces_url=None)
    seconds: dict[str, list[float]] = {"without": [], "with": []}
    cpu: dict[str, list[float]] = {"without": [], "with": []}
    async with open_app(settings) as app:
        for turn in range(jobs + 1):
            for way in sorted(seconds, reverse=bool(turn % 2)):
                app.settings = settings._replace(traces_url=None if way == "with" else "off")
                job = await app.start(
                    JobRequest(text="trastuzumab", offline=True, syllabus=bundled_syllabus(settings.config_dir))
                )
                began, used = time.perf_counter(), time.process_time()
                await app.work(job.job_id)
                if turn:  # the first imports everything
                    seconds[way].append(time.perf_counter() - began)
                    cpu[way].append(time.process_time() - used)
    return [job_row(f"job, {way} a trace", seconds[way], cpu[way], cpu["without"]) for way in ("without", "with")]


#: A whole process that runs one job.
PROGRAM = "import storm; storm.run('trastuzumab', offline=True)"


def measure_processes(data_dir: Path, jobs: int) -> list[Row]:
    """The same as processes of their own, also with another database, for which SQLAlchemy is imported."""
    places = {"without": "off", "with": "", "with, by SQLAlchemy": f"sqlite:///{data_dir}/others.db"}
    seconds: dict[str, list[float]] = {way: [] for way in places}
    cpu: dict[str, list[float]] = {way: [] for way in places}
    for turn in range(jobs + 1):
        for way in sorted(places, reverse=bool(turn % 2)):
            own = environment(data_dir) | {"STORM_TRACES_URL": places[way]}
            before, began = used_by_children(), time.perf_counter()
            subprocess.run([sys.executable, "-c", PROGRAM], env=own, check=True)
            if turn:  # the first makes the tables
                seconds[way].append(time.perf_counter() - began)
                cpu[way].append(used_by_children() - before)
    return [job_row(f"process, {way} a trace", seconds[way], cpu[way], cpu["without"]) for way in places]


def used_by_children() -> float:
    """Processor seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def job_row(variant: str, seconds: Sequence[float], cpu: Sequence[float], alone: Sequence[float]) -> Row:
    """One line; `more_pct` is the processor time beyond that of the jobs without a trace, turn by turn."""
    more = statistics.median(ours / theirs for ours, theirs in zip(cpu, alone, strict=True))
    return {
        "variant": variant, "n": len(seconds), "wall_p50_ms": p50(seconds), "cpu_p50_ms": p50(cpu),
        "more_pct": round((more - 1) * 100, 1),
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
