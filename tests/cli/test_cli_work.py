"""The process that carries out jobs."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from storm.cli.interruption import Interruption
from storm.cli.work import run_job

#: Allocates in eight threads at once, then counts the arenas by the C library's report on itself.
ALLOCATE = """
import ctypes, tempfile, threading
from storm.cli.work import run_job
barrier = threading.Barrier(8)
def allocate():
    kept = [bytes(700) for _ in range(2_000)]
    barrier.wait()
async def work(interruption):
    threads = [threading.Thread(target=allocate) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return 0
run_job(work)
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as report:
    file = ctypes.c_void_p(libc.fopen(report.name.encode(), b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
    print(report.read().count(b"<heap nr="))
"""


async def finish(_: Interruption) -> int:
    """Work that is done."""
    return 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="the C library is not glibc")
def test_the_threads_of_a_job_allocate_from_one_arena() -> None:
    result = subprocess.run([sys.executable, "-c", ALLOCATE], capture_output=True, text=True, check=True)
    assert result.stdout == "1\n"


def test_a_job_is_carried_out_where_the_allocator_has_no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert run_job(finish) == 0
