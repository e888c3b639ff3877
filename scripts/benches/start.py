"""How long the short commands take, as multiples of `python -c pass`, and which of the big libraries they import.

Each is a process of its own; the commands take turns and the fastest of each counts. With `server running` another
client holds the embedded server, as a job under way does; without it the command starts the server and stops it again.
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

from _program import command, environment, finish
from _report import Row, parser, report

from storm.app import utc_now
from storm.store import open_store

BIG = ("dspy", "litellm", "numpy", "httpx", "fastapi", "sqlalchemy", "tantivy", "lxml", "Bio", "rich")
BARE = "python -c pass"

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
    arguments = {"storm --help": ["--help"], "storm jobs": ["jobs"], "storm inspect JOB": ["inspect", job_id]}
    commands = {BARE: [sys.executable, "-c", "pass"]} | {name: command(*args) for name, args in arguments.items()}
    alone = fastest(commands, data_dir, times)
    async with await open_store(data_dir=data_dir, redis_url=None, job_ttl=timedelta(days=1), clock=utc_now):
        beside = fastest(commands, data_dir, times)
    imports = {name: imported(data_dir, args) for name, args in arguments.items()} | {BARE: "none"}
    rows = [row(name, times, alone, imports[name]) for name in commands]
    opening = [name for name in arguments if name != "storm --help"]
    return rows + [row(f"{name}, server running", times, beside, imports[name], name) for name in opening]


def fastest(commands: Mapping[str, Sequence[str]], data_dir: Path, times: int) -> dict[str, float]:
    """Seconds of the fastest run of each command."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(times):
        for name, line in commands.items():
            began = time.perf_counter()
            subprocess.run(line, env=environment(data_dir), cwd=data_dir, check=True, stdout=subprocess.DEVNULL)
            seconds[name].append(time.perf_counter() - began)
    return {name: min(found) for name, found in seconds.items()}


def imported(data_dir: Path, arguments: Sequence[str]) -> str:
    """The big libraries that the command had imported when it ended."""
    line = [sys.executable, "-c", WITNESS, json.dumps(BIG), *arguments]
    done = subprocess.run(line, env=environment(data_dir), cwd=data_dir, check=True, capture_output=True, text=True)
    return ", ".join(json.loads(done.stderr.splitlines()[-1])) or "none"


def row(variant: str, times: int, seconds: Mapping[str, float], imports: str, name: str = "") -> Row:
    """One line; `times_bare` is the multiple of `python -c pass`."""
    took = seconds[name or variant]
    return {
        "variant": variant, "n": times, "min_ms": round(took * 1000, 1), "times_bare": round(took / seconds[BARE], 1),
        "imports": imports,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
