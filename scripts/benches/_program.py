"""storm as a person starts it: a process of its own, on a data directory of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: Nothing of the person who measures may come in.
_OWN = ("STORM_DATA_DIR", "STORM_REDIS_URL", "REDIS_URL", "STORM_JOB_TTL_DAYS")


def command(*args: str) -> list[str]:
    """The command line of `storm ARGS`, under the same Python."""
    return [sys.executable, "-m", "storm", *args]


def environment(data_dir: Path) -> dict[str, str]:
    """The environment of a storm that keeps everything in that folder."""
    return {name: value for name, value in os.environ.items() if name not in _OWN} | {"STORM_DATA_DIR": str(data_dir)}


def start(data_dir: Path, *args: str) -> subprocess.Popen[str]:
    """`storm ARGS`, started; its working directory is the data directory."""
    return subprocess.Popen(
        command(*args), env=environment(data_dir), cwd=data_dir, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def finish(data_dir: Path, *args: str) -> str:
    """What `storm ARGS` printed; SystemExit, with it, if it failed."""
    process = start(data_dir, *args)
    said, _ = process.communicate(timeout=120)
    if process.returncode:
        raise SystemExit(f"storm {' '.join(args)} ended with {process.returncode}:\n{said}")
    return said
