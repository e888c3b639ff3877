"""Temporary stores, removed by the process that made them, or, if it was killed, by the next one."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from storm.errors import StoreError, StoreSchemaError
from storm.store.holder import Holder
from storm.store.local import stop_servers

_PLACE = "throwaway"
#: The suffix of the file beside each folder that names its owner.
_MARK = ".holder"


@contextlib.contextmanager
def throwaway_folder(data_dir: Path) -> Iterator[Path]:
    """A new folder under the data directory, removed with its stores at the end; StoreError if it cannot be made."""
    place = data_dir / _PLACE
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place, suffix=_MARK, delete=False, encoding="utf-8") as mark:
            mark.write(Holder.of_this_process(datetime.now(UTC)).to_json())
        folder = Path(mark.name.removesuffix(_MARK))
        folder.mkdir(mode=0o700)
    except OSError as exc:
        raise StoreError(f"cannot write to {place}: {exc.strerror}", hint="set STORM_DATA_DIR") from exc
    try:
        yield folder
    finally:
        _remove_folder(Path(mark.name))


def clear_abandoned(data_dir: Path) -> None:
    """Stop the stores and remove the folders of processes that have certainly ended."""
    for mark in sorted((data_dir / _PLACE).glob(f"*{_MARK}")):
        with contextlib.suppress(OSError, StoreSchemaError):
            if Holder.from_json(mark.read_text(encoding="utf-8")).has_ended():
                _remove_folder(mark)


def _remove_folder(mark: Path) -> None:
    """Remove the folder, then its mark, so that an interrupted removal is repeated."""
    folder = Path(str(mark).removesuffix(_MARK))
    for data_dir in sorted(folder.glob("*")):
        with contextlib.suppress(StoreError):
            stop_servers(data_dir, force=True)
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        mark.unlink(missing_ok=True)
