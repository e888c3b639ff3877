"""The data directory: only its user can read what storm keeps there."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

#: What storm creates there; anything else belongs to somebody else.
_OURS = ("store", "http", "corpus", "throwaway", "traces")
_BEGINNINGS = ("sample-", ".sample-")


def make_private(data_dir: Path) -> None:
    """Create the directory, and let no other user read or write what storm keeps there.

    An existing directory that holds other things keeps its mode. Errors are ignored here: whoever uses the directory
    reports them.
    """
    with contextlib.suppress(OSError):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        _restrict_all(data_dir)


def _restrict_all(data_dir: Path) -> None:
    found = list(data_dir.iterdir())
    ours = [path for path in found if path.name in _OURS or path.name.startswith(_BEGINNINGS)]
    if len(ours) == len(found):
        _restrict(data_dir, 0o700)
    for top in ours:
        _restrict(top, 0o700 if top.is_dir() else 0o600)
        for folder, folders, files in os.walk(top):
            for name in folders:
                _restrict(Path(folder, name), 0o700)
            for name in files:
                _restrict(Path(folder, name), 0o600)


def _restrict(path: Path, mode: int) -> None:
    """Restrict the mode; a file that is gone, or that another user owns, is left alone."""
    with contextlib.suppress(OSError):
        found = path.lstat()
        is_plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
        if is_plain and found.st_uid == os.getuid() and found.st_mode & 0o777 & ~mode:
            path.chmod(found.st_mode & 0o777 & mode)
