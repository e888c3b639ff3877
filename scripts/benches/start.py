"""How long the short commands take, as multiples of `python -c pass`, and which of the big libraries they import.

Each is a process of its own; the commands take turns and the fastest of each counts, once by the clock and once by the
processor time of the process, which other work on the machine disturbs less. With `server running` another client holds
the embedded server, as a job under way does; without it the command starts the server and stops it again.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

from _program import command, environment, finish
from _report import Row, parser, report

from storm.app import utc_now
from storm.store import open_store

BIG = ("dspy", "litellm", "numpy", "httpx", "fastapi", "sqlalchemy", "tantivy", "lxml", "Bio", "rich")
BARE = "python -c pass"
PACKAGE = "import storm"
#: What any command of this kind imports and does: the least that `storm inspect` can take. Garbage is not collected
#: meanwhile, as when storm loads a command.
LIBRARIES = (
    "import gc; gc.disable(); import asyncio, typer, pydantic, redis.asyncio; "
    "asyncio.run(asyncio.sleep(0)); pydantic.create_model('Job', name=(str, ...))(name='')"
)
BIBLIOGRAPHIES = "bib,ris,csl"

#: Runs a command in this process and then says which of the big libraries it has imported.
WITNESS = """
import json, sys
big, sys.argv = json.loads(sys.argv[1]), ["storm", *sys.argv[2:]]
from storm.cli.main import main
try:
    main()
except SystemExit:
    pass
print(json.dumps([name for name in big if name in sys.modules]), file=sys.stderr)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("start", "The start of the short commands.")
    options.add_argument("--times", type=int, default=10, help="how often each is run")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), given.times))
    report(rows, as_json=given.json)
    return 0


async def measure(data_dir: Path, times: int) -> list[Row]:
    """A row for each command, after one job has run."""
    finish(data_dir, "run", "trastuzumab", "--offline", "--quiet", "--out", "report")
    job_id = json.loads(finish(data_dir, "jobs", "--json"))[0]["job_id"]
    exporting = ["export", job_id, "--format", BIBLIOGRAPHIES, "--out", "again"]
    arguments = {
        "storm --help": ["--help"], "storm jobs": ["jobs"], "storm inspect JOB": ["inspect", job_id],
        f"storm export JOB --format {BIBLIOGRAPHIES}": exporting,
    }  # fmt: skip
    codes = {BARE: "pass", PACKAGE: PACKAGE, "the libraries and one model": LIBRARIES}
    commands = {name: [sys.executable, "-c", code] for name, code in codes.items()}
    commands |= {name: command(*args) for name, args in arguments.items()}
    alone = measure_fastest(commands, data_dir, times)
    async with await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=1), clock=utc_now):
        beside = measure_fastest(commands, data_dir, times)
    imports = {name: imported(data_dir, args) for name, args in arguments.items()} | dict.fromkeys(codes, "none")
    rows = [row(name, times, alone, imports[name]) for name in commands]
    opening = [name for name in arguments if name != "storm --help"]
    return rows + [row(f"{name}, server running", times, beside, imports[name], name) for name in opening]


class Taken(NamedTuple):
    """Seconds by the clock, and of the processor."""

    wall: float
    cpu: float


def measure_fastest(commands: Mapping[str, Sequence[str]], data_dir: Path, times: int) -> dict[str, Taken]:
    """The least that each command took, each of both by itself."""
    taken: dict[str, list[Taken]] = {name: [] for name in commands}
    for _ in range(times):
        for name, line in commands.items():
            taken[name].append(run(line, data_dir))
    return {name: Taken(*map(min, zip(*each, strict=True))) for name, each in taken.items()}


def run(line: Sequence[str], data_dir: Path) -> Taken:
    """Run one command to its end."""
    began, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    subprocess.run(line, env=environment(data_dir), cwd=data_dir, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    return Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def imported(data_dir: Path, arguments: Sequence[str]) -> str:
    """The big libraries that the command had imported when it ended."""
    line = [sys.executable, "-c", WITNESS, json.dumps(BIG), *arguments]
    done = subprocess.run(line, env=environment(data_dir), cwd=data_dir, check=True, capture_output=True, text=True)
    return ", ".join(json.loads(done.stderr.splitlines()[-1])) or "none"


def row(variant: str, times: int, taken: Mapping[str, Taken], imports: str, name: str = "") -> Row:
    """One line; `times_bare` and `times_bare_cpu` are the multiples of `python -c pass`."""
    took, bare = taken[name or variant], taken[BARE]
    return {
        "variant": variant, "n": times, "min_ms": round(took.wall * 1000, 1),
        "times_bare": round(took.wall / bare.wall, 1), "cpu_ms": round(took.cpu * 1000, 1),
        "times_bare_cpu": round(took.cpu / bare.cpu, 1), "imports": imports,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
