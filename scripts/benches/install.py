"""What `scripts/run` installs in a fresh clone: packages, megabytes and seconds, by uv where it is here, and by pip.

The clone has the checkout's files, the home directory is empty, and nothing is cached. Packages come from wherever the
environment of this process says; seconds depend on that place and on the network more than on storm.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from _report import Row, parser, report

ROOT = Path(__file__).resolve().parents[2]

#: Packages of an environment, without pip and setuptools, which venv brings.
LIST = """
import json
from importlib.metadata import distributions
print(json.dumps(sorted({d.name for d in distributions()} - {"pip", "setuptools"})))
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    given = parser("install", "A fresh environment, as scripts/run makes it.").parse_args(argv)
    rows = [installed("pip")]
    if shutil.which("uv"):
        rows.append(installed("uv"))
    else:
        print("uv is not here: measured with pip only", file=sys.stderr)
    report(rows, as_json=given.json)
    return 0


def installed(tool: str) -> Row:
    """A clone, its environment, and what is in it."""
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        clone, home = Path(folder) / "clone", Path(folder) / "home"
        copy_checkout(clone)
        home.mkdir()
        began = time.perf_counter()
        subprocess.run([clone / "scripts" / "install"], cwd=clone, env=environment(home, tool), check=True)
        seconds = time.perf_counter() - began
        python = clone / ".venv" / "bin" / "python"
        listed = json.loads(subprocess.run([python, "-c", LIST], capture_output=True, check=True).stdout)
        return {
            "variant": tool, "n": len(listed), "mb": round(megabytes(clone / ".venv")),
            "mb_without_pip": round(megabytes(clone / ".venv") - pip_megabytes(clone / ".venv")),
            "seconds": round(seconds, 1),
        }  # fmt: skip


def copy_checkout(clone: Path) -> None:
    """The files that git tracks or would add."""
    files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(files, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)


def environment(home: Path, tool: str) -> dict[str, str]:
    """This process' environment with an empty home, no caches, and no uv on the way for pip."""
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "UV_CACHE_DIR")}
    folders = os.environ["PATH"].split(os.pathsep)
    if tool == "pip":
        folders = [folder for folder in folders if not (Path(folder) / "uv").exists()]
    own = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PIP_NO_CACHE_DIR": "1"}
    return kept | own | {"PATH": os.pathsep.join(folders), "STORM_PYTHON": sys.executable}


def megabytes(folder: Path) -> float:
    """Of all files in it; a link counts nothing."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def pip_megabytes(venv: Path) -> float:
    """What pip and setuptools themselves take."""
    found = (place for name in ("pip", "setuptools") for place in venv.glob(f"lib/*/site-packages/{name}*"))
    return sum(map(megabytes, found))


if __name__ == "__main__":
    sys.exit(main())
