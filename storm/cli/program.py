"""The program `storm`: a command, and an end without the teardown of Python's modules, a tenth of a short command."""

from __future__ import annotations

import atexit
import os
import sys


class _Ending:
    """The exit code, once the command has ended."""

    code: int | None = None


def run_program() -> None:
    """Run the command of the command line, and end with its exit code."""
    atexit.register(_end_at_once)  # what is registered first, before any library has, is called last
    try:
        from storm.cli.main import main

        main()
    except KeyboardInterrupt:  # before the command could hear it
        sys.stderr.write("Error: interrupted\n")
        _Ending.code = 130
        sys.exit(130)
    except SystemExit as ended:
        _Ending.code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise
    _Ending.code = 0


def _end_at_once() -> None:
    """End the process where the command has ended and everything is written; otherwise Python ends it, and says why."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    if _Ending.code is not None:
        os._exit(_Ending.code)
