"""The command line: registers the commands, and turns an error into one line and an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from types import FrameType
from typing import Annotated, NoReturn

import typer

from storm.cli.commands import LazyCommands
from storm.cli.console import print_error, print_line
from storm.cli.hints import hint_of, message_of
from storm.cli.interruption import Interruption
from storm.errors import StormError
from storm.version import __version__

app = typer.Typer(
    name="storm",
    cls=LazyCommands,
    help="Turns a drug name into a cited dossier, a question into a cited report, and a drug with a disease into "
    "hypotheses with the evidence on each.\n\n"
    "Example: storm run trastuzumab --offline",
    epilog="Exit codes: 0 complete, 1 error, 2 usage, 3 partial, 4 nothing found, 130 interrupted.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line(f"storm {__version__}")
        raise typer.Exit


@app.callback()
def _read_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command of the command line; its end is a SystemExit with its exit code."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # pydantic would search every installed package
    if threading.current_thread() is threading.main_thread():
        _end_at_signals()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with Interruption().watch_signals():
        _run_command()


def _run_command() -> None:
    try:
        app()
    except StormError as error:
        if isinstance(error.__cause__, OSError):
            _give_up_output()
        _exit_with_error(message_of(error), hint_of(error), error.exit_code)
    except KeyboardInterrupt:
        _exit_with_error("interrupted", "", 130)
    except BrokenPipeError:
        _give_up_output()
        sys.exit(0)
    except OSError as error:
        _give_up_output()
        place = f": {error.filename}" if error.filename else ""
        hint = "free some disk space, for reports or in the data directory" if error.errno == errno.ENOSPC else ""
        _exit_with_error(f"{error.strerror or error}{place}", hint, 1)
    except UnicodeError as error:
        _give_up_output()
        _exit_with_error(str(error), "", 1)


def _end_at_signals() -> None:
    """Make SIGTERM and SIGHUP act like Ctrl-C, also in the background (&), where sh ignores SIGINT. Under nohup SIGHUP
    stays ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Blocked, not ignored: Ctrl-C still does nothing, and asyncio cancels tasks only at a SIGINT that is handled.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _as_ctrl_c)


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # a second signal must not disturb the first
    signal.raise_signal(signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _give_up_output() -> None:
    """Redirect output to /dev/null: what is buffered would fail again when Python ends."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_with_error(message: str, hint: str, exit_code: int) -> NoReturn:
    with contextlib.suppress(OSError):  # a terminal that is gone
        print_error(message, hint)
    sys.exit(exit_code)
