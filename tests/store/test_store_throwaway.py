"""A store that is thrown away leaves nothing, also when its process was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from storm.store import clear_abandoned, throwaway_folder
from storm.store.embedded import EmbeddedServer
from storm.store.holder import process_start
from storm.store.server_program import find_server_program

#: A process that makes such a folder, starts a server in it, and is killed.
KILLED = """
import os, signal, sys
from pathlib import Path
from storm.store import throwaway_folder
from storm.store.embedded import EmbeddedServer
from storm.store.server_program import find_server_program

with throwaway_folder(Path(sys.argv[1])) as folder:
    server = EmbeddedServer(folder / "0", find_server_program())
    server.ensure_running()
    print((server.directory / "server.pid").read_text(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def contents(data_dir: Path) -> list[Path]:
    return sorted((data_dir / "throwaway").iterdir())


def test_a_folder_is_gone_with_its_server_when_it_is_left(tmp_path: Path) -> None:
    with throwaway_folder(tmp_path) as folder:
        EmbeddedServer(folder / "0", find_server_program()).ensure_running()
        pid = int((folder / "0" / "store" / "valkey" / "server.pid").read_text())
        assert process_start(pid)
    assert contents(tmp_path) == [] and process_start(pid) is None


@pytest.mark.slow
def test_what_a_killed_process_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "throwaway" / "somebodys").mkdir(parents=True)
    with throwaway_folder(tmp_path) as own:
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, tmp_path], stdout=subprocess.PIPE, text=True, check=False
        )
        pid = int(killed.stdout)
        assert process_start(pid), "the server outlives who started it"
        clear_abandoned(tmp_path)
        assert process_start(pid) is None
        somebodys = tmp_path / "throwaway" / "somebodys"
        assert contents(tmp_path) == sorted([own, own.with_name(f"{own.name}.holder"), somebodys])


def test_a_mark_that_storm_did_not_write_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "throwaway" / "x").mkdir(parents=True)
    (tmp_path / "throwaway" / "x.holder").write_text(f'{{"pid": {os.getpid()}}}')
    clear_abandoned(tmp_path)
    assert len(contents(tmp_path)) == 2
