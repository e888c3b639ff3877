"""Python processes for tests, forked from one that has imported storm, which would be most of the work of each.

What a process imports by itself, and how the program is started, is tested with `subprocess`."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType

import pytest

#: The variable that says where the index of the sample is that all tests share.
SHARED_SAMPLE = "STORM_TESTS_SAMPLE"

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["imported_storm"])


class PythonProcess:
    """`python ARGUMENTS` in a session of its own, its output in two pipes; used as `subprocess.Popen` is."""

    def __init__(self, arguments: Sequence[str | Path], folder: Path, env: Mapping[str, str]) -> None:
        (out, child_out), (err, child_err) = _FORKS.Pipe(duplex=False), _FORKS.Pipe(duplex=False)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", str(Path(__file__).parent))  # for the first, which starts that one
            self._process = _FORKS.Process(
                target=_run, args=([*map(str, arguments)], folder, dict(env), child_out, child_err), daemon=True
            )
            self._process.start()
        child_out.close()
        child_err.close()
        self.stdout, self.stderr = FileIO(os.dup(out.fileno())), FileIO(os.dup(err.fileno()))

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """As `subprocess` has it: None while it runs, and a negative number if a signal ended it."""
        return self.poll()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int | None:
        self._process.join(timeout)
        return self.poll()

    def send_signal(self, number: int) -> None:
        """Nothing happens where the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self) -> tuple[bytes, bytes]:
        """Wait for the end; what was still to be read of standard output and standard error."""
        with ThreadPoolExecutor(1) as reader, self.stdout, self.stderr:
            rest = reader.submit(self.stderr.read)
            out, err = self.stdout.read(), rest.result()
        self.wait()
        return out, err


def run_python(*arguments: str | Path) -> int | None:
    """Run `python ARGUMENTS` to its end, in the folder and with the environment of the test: how it ended."""
    process = PythonProcess(arguments, Path.cwd(), os.environ)
    process.communicate()
    return process.returncode


def _run(arguments: list[str], folder: Path, env: dict[str, str], out: Connection, err: Connection) -> None:
    """What `python ARGUMENTS` does, in the process that was forked."""
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    out.close()
    err.close()
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    try:
        _run_main(*arguments)
    finally:
        atexit._run_exitfuncs()  # type: ignore[attr-defined]


def _run_main(first: str, *rest: str) -> None:
    sys.modules["__main__"] = main = ModuleType("__main__")
    sys.argv = [first, *rest]
    if first == "-m":
        sys.argv = [*rest]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = [first, *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        runpy.run_path(first, run_name="__main__")
