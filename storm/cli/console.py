"""Printing and ending a command. Imports nothing heavy."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import combining, east_asian_width

import typer

from storm.errors import StormError

T = TypeVar("T")

#: The program in a command, which stands alone, in brackets or after a colon: "go on: storm resume JOB".
_COMMAND = re.compile(r"(?:(?<=: )|(?<=\()|^)storm(?= [a-z])")

#: Help of `--format` in every command that writes a dossier.
FORMATS_HELP = "Formats, separated by commas: html, md, docx, pdf, json, bib, ris, csl, tables, log, flow, changes"


def make_printable(text: str) -> str:
    """Text that is safe for a terminal: one line without control characters."""
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    elif "  " not in text and text[:1] != " " != text[-1:]:
        return text  # a printable text has no other blanks: most are as they should be
    return " ".join(text.split())


def measure_width(text: str) -> int:
    """The columns of a terminal that the text takes: wide letters take two, accents none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(2 if east_asian_width(one) in "WF" else not combining(one) for one in text)


def shorten_text(text: str, width: int) -> str:
    """The text as `make_printable` has it, in at most so many columns."""
    line = make_printable(text)
    if measure_width(line) <= width:
        return line
    while measure_width(line) >= width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def count_noun(number: int, noun: str, several: str = "") -> str:
    """`1 job`, `2 jobs`; `several` is an irregular plural."""
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def split_list(text: str) -> list[str]:
    """The parts of a comma-separated option."""
    return [name for part in text.split(",") if (name := part.strip())]


def name_program(text: str) -> str:
    """The text with the commands in it as they can be typed: by the program's path where `storm` is not on PATH."""
    if shutil.which("storm"):
        return text
    called = Path(sys.argv[0])
    beside = called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called
    program = "python -m storm" if called.name == "__main__.py" else str(beside)
    return _COMMAND.sub(lambda _: program, text)


def print_line(text: str = "", end: str = "\n") -> None:
    """Print a line to standard output; StormError if it cannot be written."""
    try:
        typer.echo(text + end, nl=False)
    except BrokenPipeError:
        raise  # the reader has gone: main ends silently
    except OSError as exc:
        raise StormError(f"cannot write the output: {exc.strerror}") from exc


def print_text(text: str) -> None:
    """Print lines that are safe for a terminal, with their indentation."""
    for line in text.splitlines():
        print_line(f"{' ' * (len(line) - len(line.lstrip(' ')))}{make_printable(line)}")


def print_note(text: str) -> None:
    """Print a line to standard error; standard output is for results."""
    typer.echo(text, err=True)


def print_error(message: str, hint: str) -> None:
    """Print the error in one line, and what to do about it in another."""
    print_note(f"Error: {make_printable(message)}")
    if hint:
        print_note(f"  {hint}")


def bind_notes() -> Callable[[str], None]:
    """Bind `print_note` to the present standard error, which a library may redirect later."""
    stream = sys.stderr
    return lambda text: typer.echo(text, file=stream)


def print_json(value: Any) -> None:
    """Print a value as JSON to standard output."""
    print_line(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print columns as wide as their longest cell."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(measure_width, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = (cell + " " * (width - measure_width(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(padded).rstrip())
    print_line("\n".join(lines))


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine: the only place where a command enters the event loop."""
    import asyncio

    return asyncio.run(work)


def exit_with(exit_code: int) -> None:
    """End the command with this exit code; 0 does nothing."""
    if exit_code:
        raise typer.Exit(exit_code)
