"""A job ends soon after Ctrl-C or SIGTERM, whatever it is doing, and can be resumed."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from storm_program import Program, await_event

RUN = ("run", "trastuzumab", "--offline", "--out", "reports")
SENTENCE = "Trastuzumab improved overall survival in women with HER2-positive breast cancer"

#: Code that is deaf to what `asyncio` does at a signal: a loop in the main thread, and a thread that Python waits for.
DEAF_LOOP = """
import signal
from storm.cli.interruption import Interruption
from storm.cli.main import _end_at_signals
_end_at_signals()
signal.signal(signal.SIGINT, lambda number, frame: None)
interruption = Interruption()
interruption.job_id = "zorvimab-1"
with interruption.watch_signals():
    print("ready", flush=True)
    while True:
        pass
"""
DEAF_THREAD = """
import asyncio, threading
from storm.cli.console import print_note
from storm.cli.interruption import Interruption
from storm.cli.main import _end_at_signals
_end_at_signals()
interruption = Interruption()
interruption.job_id = "zorvimab-1"
async def work():
    print("ready", flush=True)
    await asyncio.to_thread(threading.Event().wait)
try:
    with interruption.watch_signals():
        asyncio.run(work())
except KeyboardInterrupt:
    print_note(f"Error: {interruption.make_error()}")
"""


def ris(number: int, abstract: str) -> str:
    return f"TY  - JOUR\nTI  - {SENTENCE} {number}\nPY  - 2020\nDO  - 10.1234/{number}\nAB  - {abstract}\nER  - \n\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("code", [DEAF_LOOP, DEAF_THREAD])
def test_work_that_hears_no_signal_is_ended_with_the_way_to_go_on(
    program: Program, code: str, number: signal.Signals
) -> None:
    child = program.start_python("-c", code)
    assert child.first_line() == "ready\n"
    child.send(number)
    outcome = child.end()
    assert outcome.code == 130 and outcome.is_one_clear_error()
    assert "Error: zorvimab-1 was interrupted; what it found is kept" in outcome.err
    assert "go on: storm resume zorvimab-1" in outcome.err


@pytest.fixture
def picture(program: Program) -> Path:
    """A corpus of which one record holds a picture of 300,000 letters in the middle of its abstract."""
    path = program.folder / "own.ris"
    pictured = f"{SENTENCE}. Figure {'QUJD' * 75_000} shows it. The safety of trastuzumab was good."
    records = [ris(1, pictured), *(ris(n, f"{SENTENCE} by {n} months.") for n in range(2, 12))]
    path.write_text("".join(records))
    assert program("corpus", "add", path).code == 0
    return path


@pytest.mark.slow
def test_a_job_over_a_record_with_a_picture_in_its_text_ends(program: Program, picture: Path) -> None:
    outcome = program("run", "trastuzumab", "--offline", "--json")
    assert outcome.code == 3
    assert outcome.json()["coverage"]["total"] > 0


@pytest.mark.slow
def test_sigterm_ends_a_job_over_a_record_with_a_picture_in_its_text(program: Program, picture: Path) -> None:
    child = program.start(*RUN)
    job_id = child.job_id()
    await_event(program, job_id, "search", 1)
    child.send(signal.SIGTERM)
    outcome = child.end()
    assert outcome.code == 130 and outcome.is_one_clear_error()
    assert f"{job_id} was interrupted; what it found is kept" in outcome.err
    assert f"go on: storm resume {job_id}" in outcome.err
    assert [job["state"] for job in program.jobs()] == ["interrupted"]
    assert program("resume", job_id).code == 3


#: Work whose end is disturbed by an interruption: a second signal reaches it while the first ends it.
TWICE = """
import asyncio, signal
from storm.cli.console import print_note
from storm.cli.interruption import Interruption
from storm.cli.main import _end_at_signals
_end_at_signals()
interruption = Interruption()
async def work():
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()
    finally:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        print("ended", flush=True)
try:
    with interruption.watch_signals():
        asyncio.run(interruption.hear_once(work()))
except KeyboardInterrupt:
    signal.raise_signal(signal.SIGINT)
    print("said", flush=True)
"""


def test_a_second_ctrl_c_does_not_disturb_the_end_that_the_first_began(program: Program) -> None:
    said = program.start_python("-c", TWICE).end()
    assert (said.code, said.out, said.err) == (0, "ended\nsaid\n", "")


def test_ctrl_c_while_a_command_is_loaded_is_no_silent_end(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("storm.cli.commands.load_command", interrupt)
    outcome = program("jobs")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "Error: interrupted\n")


#: A command in which the exception of the signal is lost, as in any `__del__`, and the work goes on.
LOST = """
import threading
from storm.cli import main
class Fragile:
    def __del__(self):
        print("ready", flush=True)
        while True:
            pass
def command():
    Fragile()
    threading.Event().wait()
main.app = command
main.main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_lost_the_signal_ends_all_the_same(program: Program, number: signal.Signals) -> None:
    child = program.start_python("-c", LOST)
    assert child.first_line() == "ready\n"
    child.send(number)
    outcome = child.end()
    assert outcome.code == 130
    assert "Exception ignored" in outcome.err
    assert outcome.err.endswith("\nError: interrupted\n")
