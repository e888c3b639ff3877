"""The path of an embedded server's socket."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from storm.errors import StoreError

#: The longest path of a unix socket that every system accepts, in bytes (sun_path is 104 on macOS, 108 on Linux).
_MAX_SOCKET = 103


def socket_path(directory: Path) -> Path:
    """A path in the data directory, or, if that is too long for a socket, in a private folder with a short name."""
    inside = directory / "store.sock"
    if len(os.fsencode(inside)) <= _MAX_SOCKET:
        return inside
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    for base in (Path(f"/run/user/{os.getuid()}"), Path(tempfile.gettempdir())):
        short = base / f"storm-{os.getuid()}-{digest}" / "store.sock"
        if base.is_dir() and len(os.fsencode(short)) <= _MAX_SOCKET:
            return short
    raise StoreError(
        f"the path of the store is too long for a socket: {inside}", hint="choose a shorter one with STORM_DATA_DIR"
    )


def make_private(folder: Path) -> None:
    """Create the private folder of the socket; StoreError if another user owns it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise StoreError(f"{folder} belongs to another user; the store's socket cannot be put there")
