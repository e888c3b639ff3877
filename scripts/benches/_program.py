"""storm as a person starts it: a process of its own, on a data directory of its own."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from storm.databases.corpus.database import sample_index
from storm.store import stop_embedded

#: Nothing of the person who measures may come in; installed, storm is not compiled at each start.
_OWN = (
    "STORM_DATA_DIR", "STORM_REDIS_URL", "REDIS_URL", "STORM_JOB_TTL_DAYS", "STORM_TRACES_URL",
    "PYTHONDONTWRITEBYTECODE",
)  # fmt: skip


def command(*args: str) -> list[str]:
    """The command line of `storm ARGS`, as it was installed beside this Python."""
    return [str(Path(sys.executable).with_name("storm")), *args]


def environment(data_dir: Path) -> dict[str, str]:
    """The environment of a storm that keeps everything in that folder."""
    return {name: value for name, value in os.environ.items() if name not in _OWN} | {"STORM_DATA_DIR": str(data_dir)}


def start(data_dir: Path, *args: str, **env: str) -> subprocess.Popen[str]:
    """`storm ARGS`, started; its working directory is the data directory."""
    return subprocess.Popen(
        command(*args), env=environment(data_dir) | env, cwd=data_dir, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def finish(data_dir: Path, *args: str) -> str:
    """What `storm ARGS` printed; SystemExit, with it, if it failed."""
    process = start(data_dir, *args)
    said, _ = process.communicate(timeout=120)
    if process.returncode:
        raise SystemExit(f"storm {' '.join(args)} ended with {process.returncode}:\n{said}")
    return said


def indexed(data_dir: Path) -> Path:
    """A new data directory in which the sample is indexed."""
    data_dir.mkdir()
    sample_index(data_dir)
    return data_dir


def copied(template: Path, data_dir: Path) -> Path:
    """A fresh data directory."""
    shutil.copytree(template, data_dir)
    return data_dir


def dossier_of(data_dir: Path, name: str = "dossier") -> object:
    """The dossier or report that was written, as `comparable_dossier`."""
    path = data_dir / "report" / f"{name}.json"
    return comparable_dossier(path.read_text(encoding="utf-8")) if path.exists() else None


def comparable_dossier(text: str) -> Any:
    """A dossier without what must differ: the job's id and the times."""
    dossier = json.loads(text.replace(json.loads(text)["job_id"], "JOB"))
    for field in ("created", "retrieved"):
        del dossier[field]
    for line in dossier["search_log"]:
        del line["at"]
    return dossier


def discard(data_dir: Path) -> None:
    """Stop its server, if one runs, and remove it."""
    asyncio.run(stop_embedded(data_dir, force=True))
    shutil.rmtree(data_dir)
