"""The rows of a batch, each checked and made into the request of its job before any is started."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, get_args

from pydantic import ValidationError

from storm.api.batches.lines import GivenRow, RowFormat, describe_unknown_columns, read_rows
from storm.api.request import check_choice, job_request
from storm.app import App
from storm.errors import RowsRefused, StormError, UsageError
from storm.models import (
    JobLimits,
    JobRequest,
    Prefill,
    RequestKind,
    RunSettings,
    Syllabus,
    Unsupported,
    request_job_id,
)
from storm.modes import MODES
from storm.settings import Settings
from storm.store import BatchRow
from storm.syllabus import bundled_syllabus, load_syllabus

__all__ = ["CheckedBatch", "Questions", "RowFormat", "check_options", "check_rows", "make_request"]

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def _read_texts(value: Any) -> list[str]:
    texts = [text.strip() for text in value.split(";")] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("texts, separated by semicolons")
    return [text for text in texts if text]


def _read_choice(value: Any) -> bool:
    if isinstance(value, bool) or str(value).lower() in (*_TRUE, *_FALSE):
        return str(value).lower() in _TRUE
    raise ValueError("true or false")


def _read_whole(value: Any) -> int:
    if isinstance(value, int | str) and not isinstance(value, bool):
        try:
            return int(value)
        except ValueError:
            pass
    raise ValueError("a whole number")


def _read_priority(value: Any) -> int:
    if abs(priority := _read_whole(value)) > 1_000:
        raise ValueError("a whole number from -1000 to 1000")
    return priority


def _read_amount(value: Any) -> float:
    try:
        amount = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except ValueError:
        amount = 0.0
    if not 0 < amount < 1e9:
        raise ValueError("a number above 0")
    return amount


def _read_settings(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    parts = [pair.partition("=") for pair in _read_texts(value)]
    if not all(name.strip() and given.strip() for name, _, given in parts):
        raise ValueError("settings like max_questions=6, separated by semicolons")
    return {name.strip(): given.strip() for name, _, given in parts}


#: The columns that a row may have, and how each is read; ValueError says what it must be.
COLUMNS: Mapping[str, Callable[[Any], Any]] = {
    "drug": _read_text, "question": _read_text, "kind": _read_text, "priority": _read_priority, "also": _read_texts,
    "meaning": _read_text, "offline": _read_choice, "databases": _read_texts, "syllabus": _read_text,
    "model": _read_text, "program": _read_text, "max_usd": _read_amount, "max_tokens": _read_whole,
    "max_calls": _read_whole, "max_minutes": _read_amount, "mode": _read_text, "unsupported": _read_text,
    "prefill": _read_text, "settings": _read_settings,
}  # fmt: skip


class CheckedBatch(NamedTuple):
    """The jobs of a batch, each once, in the order of the rows; `digest` identifies them, `merged` says which rows were
    the same job as one before."""

    rows: tuple[BatchRow, ...]
    digest: str
    merged: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The batch's name where none was given."""
        return f"batch-{self.digest[:12]}"


async def check_rows(
    app: App, stream: BinaryIO, file: str, options: Mapping[str, Any], wanted: RowFormat | None = None
) -> CheckedBatch:
    """Check every row, with these options where a row has none of its own; nothing is started. RowsRefused, which names
    each wrong row, or says that there is none."""
    wrong: dict[str, list[int]] = {}
    merged: list[str] = []
    found: dict[str, BatchRow] = {}
    lines: dict[str, int] = {}
    known: set[object] = set()
    questions = Questions(app.settings)
    try:
        for given in read_rows(stream, wanted, COLUMNS):
            try:
                row, request = _check_row(given, options, app.settings, questions)
                await _check_start(app, request, known)
            except StormError as error:
                wrong.setdefault(_describe_error(error), []).append(given.line)
                continue
            if row.job_id in found:
                merged.append(f"{file}, line {given.line:,}: the same job as line {lines[row.job_id]:,}")
                priority = max(row.priority, found[row.job_id].priority)
                row = found[row.job_id]._replace(priority=priority)
            found[row.job_id] = row
            lines.setdefault(row.job_id, given.line)
    except UsageError as error:
        wrong[_describe_error(error)] = []  # its words name the line
    if wrong:
        count = sum(len(lines) or 1 for lines in wrong.values())
        rows = "1 row is" if count == 1 else f"{count:,} rows are"
        problems = [f"{file}, {_name_lines(lines)}{message}" for message, lines in wrong.items()]
        raise RowsRefused(f"{rows} wrong in {file}; nothing was started", problems=problems)
    if not found:
        raise RowsRefused(f"{file} has no rows", problems=(), hint="write one drug a line")
    return CheckedBatch(tuple(found.values()), digest_of(found), tuple(merged))


def check_options(mode: str, unsupported: str, prefill: str) -> None:
    """UsageError for an option that no row could have: it is named once, and not as a fault of each row."""
    for given, known, name in (
        (mode, ("", *MODES), "mode"),
        (unsupported, get_args(Unsupported), "unsupported"),
        (prefill, get_args(Prefill), "prefill"),
    ):
        check_choice(given, known, name)


def _describe_error(error: StormError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message


def _name_lines(lines: Sequence[int]) -> str:
    """`line 3: `, `lines 3, 5-7: `, so that a fault of many rows is said once; nothing for no line."""
    if not lines:
        return ""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1][1:] = [line]
        else:
            runs.append([line])
    named = ", ".join("-".join(f"{line:,}" for line in run) for run in runs)
    return f"line{'s' if len(lines) > 1 else ''} {named}: "


def _check_row(
    given: GivenRow, options: Mapping[str, Any], settings: Settings, questions: Questions
) -> tuple[BatchRow, JobRequest]:
    if given.problem:
        raise UsageError(given.problem)
    own = _read_values(given.values)
    values = {**options, **own}
    if "settings" in own:
        values["settings"] = {**options.get("settings", {}), **own["settings"]}
    priority = values.pop("priority", 0)
    if file := values.get("syllabus"):
        values["syllabus"] = str(Path(file).absolute())  # the batch may go on from another folder
    request = make_request(values, settings, questions)
    return BatchRow(request_job_id(request), json.dumps(values, ensure_ascii=False), priority), request


def _read_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a row; UsageError, which names every column that is wrong."""
    faults = [describe_unknown_columns(unknown, COLUMNS)] if (unknown := given.keys() - COLUMNS.keys()) else []
    values = {}
    for name, value in given.items():
        if name not in COLUMNS:
            continue
        try:
            values[name] = COLUMNS[name](value)
        except ValueError as exc:
            faults.append(f"column {name}: {str(value)[:80]!r} is wrong; it must be {exc}")
    if faults:
        raise UsageError("; ".join(faults))
    return values


class Questions:
    """The questions of the files that rows name, each read once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._read: dict[str, Syllabus] = {}

    def find(self, file: str, kind: str) -> Syllabus | None:
        """The questions of that file, or storm's own for a drug."""
        if kind != RequestKind.DRUG and not file:
            return None
        if file not in self._read:
            self._read[file] = load_syllabus(Path(file)) if file else bundled_syllabus(self._settings.config_dir)
        return self._read[file]


def make_request(values: Mapping[str, Any], settings: Settings, questions: Questions) -> JobRequest:
    """The request of a row's job; StormError for a wrong value. A row of `storm.run_many` holds the request itself."""
    if "request" in values:
        try:
            return JobRequest.model_validate(values["request"])
        except ValidationError as exc:
            raise UsageError("another version of storm wrote this row", hint="start a new batch") from exc
    options = dict(values)
    options["configurable"] = options.pop("settings", None)
    drug, question = options.pop("drug", ""), options.pop("question", "")
    if bool(drug) == bool(question):
        raise UsageError("a row takes a drug or a question", hint="fill one of these two columns")
    limits = {name: options.pop(f"max_{name}", None) for name in JobLimits.model_fields}
    if any(limit is not None and limit <= 0 for limit in limits.values()):
        raise UsageError("a limit is not above 0", hint="leave it out for none")
    kind = options.pop("kind", "") or (RequestKind.QUESTION if question else RequestKind.DRUG)
    syllabus = questions.find(options.pop("syllabus", ""), kind)
    return job_request(drug or question, settings, kind=kind, syllabus=syllabus, limits=JobLimits(**limits), **options)


async def _check_start(app: App, request: JobRequest, known: set[object]) -> None:
    """Check once for each combination of settings whether such a job can be started."""
    settings: RunSettings = request.settings
    combination = (request.kind, request.offline, request.databases, settings.model_dump_json())
    if combination not in known:
        await app.check(request)
        known.add(combination)


def digest_of(job_ids: Iterable[str]) -> str:
    """The digest that identifies a batch of these jobs, in any order."""
    return hashlib.sha256("\n".join(sorted(job_ids)).encode()).hexdigest()
