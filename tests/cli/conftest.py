"""A program with a data directory of its own; the sample is indexed once, and one finished job is shared by copies."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis_servers import ExternalServer
from storm_program import FinishedJob, Program, newest_job

from storm.databases.corpus.database import sample_index


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the sample's index and no job."""
    data = tmp_path_factory.mktemp("prepared") / "data"
    sample_index(data)
    return data


@pytest.fixture(scope="session")
def finished(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> FinishedJob:
    """The job that most tests look at."""
    folder = tmp_path_factory.mktemp("finished")
    shutil.copytree(prepared, folder / "data")
    program = Program(folder / "data", folder)
    outcome = program("run", "trastuzumab", "--offline", "--out", folder / "reports")
    return FinishedJob(folder / "data", newest_job(program), folder / "reports", outcome)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in this process that waits for another process looks again soon."""
    for pause in ("api.batches.running._PAUSE", "cli.batch._PAUSE", "cli.watch._PAUSE", "worker.submitting.PAUSE"):
        monkeypatch.setattr(f"storm.{pause}", 0.05)


@pytest.fixture
def program(prepared: Path, tmp_path: Path) -> Iterator[Program]:
    """A program that has run no job."""
    shutil.copytree(prepared, tmp_path / "data")
    yield from _used(Program(tmp_path / "data", tmp_path))


@pytest.fixture
def program_with_job(finished: FinishedJob, tmp_path: Path) -> Iterator[Program]:
    """A program that has run the finished job."""
    shutil.copytree(finished.data, tmp_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    yield from _used(Program(tmp_path / "data", tmp_path))


def _used(program: Program) -> Iterator[Program]:
    yield program
    program.server().stop_server(force=True)


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Callable[..., ExternalServer]]:
    """Starts a server of the user's own, with further options."""
    started: list[ExternalServer] = []

    def start(*options: str, **how: Any) -> ExternalServer:
        started.append(ExternalServer(tmp_path / f"redis-{len(started)}", *options, **how))
        return started[-1]

    yield start
    for server in started:
        server.kill()
