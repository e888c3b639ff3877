"""A PostgreSQL server of the tests' own, on a socket of its own: nothing of the system's servers is touched."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Where Debian keeps the programs of each version, which are not on PATH.
_DEBIAN = Path("/usr/lib/postgresql")
_OPTIONS = "-c listen_addresses='' -c fsync=off -c synchronous_commit=off -c max_connections=30"


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl, of the newest version; None where PostgreSQL is not installed."""
    if named := shutil.which("initdb"):
        return Path(named).resolve().parent
    found = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class PostgresServer:
    """A running server; `url` names one of its databases."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._made = 0
        self._has_shared = False

    def url(self, database: str) -> str:
        return f"postgresql://storm@/{database}?host={self._folder}"

    def empty_database(self) -> str:
        """The address of a database that is emptied each time; quicker, and smaller, than a new one."""
        if not self._has_shared:
            self._run("createdb", "-h", str(self._folder), "-U", "storm", "shared")
            self._has_shared = True
        anew = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        self._run("psql", "-q", "-h", str(self._folder), "-U", "storm", "-d", "shared", "-c", anew)
        return self.url("shared")

    def create_database(self, *, owner: str = "storm") -> str:
        """A new empty database; returns its address. Another `owner` is a role with no rights beside its schema."""
        self._made += 1
        name = f"traces_{self._made}"
        self._run("createdb", "-h", str(self._folder), "-U", "storm", name)
        if owner != "storm":
            rights = f"CREATE ROLE {owner} LOGIN; ALTER SCHEMA public OWNER TO {owner}"
            self._run("psql", "-q", "-h", str(self._folder), "-U", "storm", "-d", name, "-c", rights)
        return self.url(name).replace("storm@", f"{owner}@")

    def start(self) -> None:
        options = f"{_OPTIONS} -k {self._folder}"
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Stop it; whoever is connected loses the connection."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "fast", "stop")

    def initialise(self) -> None:
        self._run("initdb", "-D", str(self._data), "-U", "storm", "-A", "trust", "-N", "-E", "UTF8")

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), *arguments], cwd=self._folder, text=True, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **_as_nobody(),
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


@contextlib.contextmanager
def start_postgres(programs: Path) -> Iterator[PostgresServer]:
    """A new server, which is stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="storm-pg-") as name:  # not pytest's: its folders are closed to others
        folder = Path(name)
        if (user := _as_nobody()) and user["user"]:
            shutil.chown(folder, user["user"], user["group"])
        server = PostgresServer(programs, folder)
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _as_nobody() -> dict[str, Any]:
    """Root may not run the server: another user does."""
    if os.getuid():
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise AssertionError("there is no user postgres or nobody to run PostgreSQL as")
