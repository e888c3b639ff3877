"""Reads and writes saved programs: JSON only, so that reading runs no code; also files of DSPy's own `save`.

Needs no DSPy."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json

from storm.agents.dspy_state import is_dspy_state, read_dspy_state
from storm.config_file import read_regular
from storm.errors import Code, ConfigError, UsageError
from storm.models.program import PROGRAM_VERSION, SavedProgram

#: A program is some pages of text; a larger file is something else.
_MAX_BYTES = 4_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def find_program(name: str, config_dir: Path) -> SavedProgram:
    """The program of that name in the configuration folder, or the one at that path. ConfigError if it cannot be used,
    UsageError if there is none."""
    if _NAME.fullmatch(name) and not name.endswith((".json", ".pkl", ".pickle")):
        folder = config_dir / "programs"
        path = folder / f"{name}.json"
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in folder.glob("*.json"))) or "none"
            raise UsageError(
                f"there is no program {name!r}; known: {known}",
                hint=f"they are the files of {folder}; a path to a .json file works too",
                setting="program",
            )
        return read_program(path)
    return read_program(Path(name).expanduser())


def read_program(path: Path) -> SavedProgram:
    """The program in that file; ConfigError if it is not one, or of an unsupported version of storm or DSPy."""
    if path.suffix in (".pkl", ".pickle"):
        raise _pickle_error(path)
    try:
        content = from_json(_read_content(path))
    except ValueError as exc:
        raise ConfigError(f"{path}: not JSON: {exc}") from exc
    if is_dspy_state(content):
        content = {"storm_program": PROGRAM_VERSION, **read_dspy_state(path, content)}
    found = content.get("storm_program") if isinstance(content, dict) else None
    if found is None:
        raise ConfigError(f"{path}: not a program of storm", code=Code.PROGRAM_FOREIGN)
    if found != PROGRAM_VERSION:
        raise ConfigError(
            f"{path}: a program of version {found!r}, this storm reads version {PROGRAM_VERSION}",
            hint="optimise again with this version",
            code=Code.PROGRAM_OUTDATED,
        )
    try:
        program = SavedProgram.model_validate(content)
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        field = ".".join(map(str, problem["loc"]))
        raise ConfigError(f"{path}, {field}: {problem['msg']}") from exc
    _check_dspy(path, program.dspy)
    return program


def free_path(folder: Path, name: str) -> Path:
    """The first unused path of NAME.json, NAME-2.json … in the folder."""
    paths = (folder / f"{name}{f'-{number}' if number > 1 else ''}.json" for number in count(1))
    return next(path for path in paths if not path.exists())


def check_writable(path: Path) -> None:
    """Create the folder; UsageError if a program cannot be written or used there, or if an existing file is not a
    readable program."""
    if path.suffix != ".json":
        raise UsageError(
            f"a program cannot be saved as {path}: the name must end in .json", code=Code.PROGRAM_UNWRITABLE
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(None, "not a file that may be written")
    except OSError as exc:
        raise _unwritable_error(path, exc) from exc
    if path.exists():
        _check_replaceable(path)


def write_program(program: SavedProgram, path: Path) -> None:
    """Write the file atomically."""
    building = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        building.write_text(program.model_dump_json(indent=2) + "\n", encoding="utf-8")
        building.replace(path)
    except OSError as exc:
        with suppress(OSError):
            building.unlink()
        raise _unwritable_error(path, exc) from exc


def _unwritable_error(path: Path, why: OSError) -> UsageError:
    return UsageError(
        f"the program cannot be saved as {path}: {why.strerror}", hint="name another file", code=Code.PROGRAM_UNWRITABLE
    )


def _check_replaceable(path: Path) -> None:
    try:
        read_program(path)
    except ConfigError as exc:
        raise UsageError(
            f"{path} exists already and is not a program: {exc.message}",
            hint="name another file",
            code=Code.PROGRAM_UNWRITABLE,
        ) from exc


def _read_content(path: Path) -> bytes:
    try:
        content = read_regular(path, _MAX_BYTES)
    except OSError as exc:
        raise ConfigError(f"{path}: the file cannot be read: {exc.strerror or exc}") from exc
    if len(content) > _MAX_BYTES:
        raise ConfigError(f"{path}: too large for a program of storm (over {_MAX_BYTES:,} bytes)")
    if content[:1] == b"\x80":  # the first byte of every pickle since Python 2.3
        raise _pickle_error(path)
    return content


def _pickle_error(path: Path) -> ConfigError:
    return ConfigError(f"{path}: pickles are not loaded, since they can run any code", hint="programs are .json files")


def _check_dspy(path: Path, made_with: str) -> None:
    """ConfigError if the installed DSPy is of another minor version, which may format prompts differently."""
    try:
        installed = version("dspy")
    except PackageNotFoundError:
        return  # reported where language models are first used
    if _minor_version(installed) != _minor_version(made_with):
        raise ConfigError(
            f"{path}: made with dspy {made_with}, installed is {installed}",
            hint=f"optimise again, or install dspy {_minor_version(made_with)}",
        )


def _minor_version(number: str) -> str:
    return ".".join(number.split(".")[:2])
