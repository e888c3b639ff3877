"""What the files in a folder are about: a job replaces those of its own subject only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

from storm import wording
from storm.errors import Code, UsageError
from storm.export.markdown import escape_markdown
from storm.export.replacement import replace_file
from storm.models import Dossier, JobRequest, RequestKind, ResearchReport

#: The folder's list of whose its files are, by their name, and the name of a collection's file in it.
MARKS, SOURCES = ".storm-subjects.json", "sources"
#: The files that name their subject.
_NAMING = ("html", "md", "json")
#: Characters of another report's title in a message.
_SHOWN = 100


def name_files(kind: RequestKind) -> str:
    """The name, without a suffix, of the files of such a request: `dossier` of a drug, `report` on anything else."""
    return Dossier.file_name if kind is RequestKind.DRUG else ResearchReport.file_name


def check_subject(folder: Path, request: JobRequest) -> None:
    """Raise UsageError if the folder holds the dossier of another drug, or the report on another question; those of the
    same subject may be replaced.

    HTML, Markdown and JSON name their subject, and other files beside them belong to them; whose files without them are
    stands in a list (`mark_subject`). A report that cites nothing may be replaced by any.
    """
    name = name_files(request.kind)
    fields = _read_fields(folder / f"{name}.json")
    if fields.get("job_id") and fields.get("references") == []:
        return
    for suffix in _NAMING:
        path = folder / f"{name}.{suffix}"
        if path.exists() and not _is_about(path, request, fields):
            raise _other_subject_error(path, request, fields)
    marked = _read_fields(folder / MARKS)
    for other in (str(marked[one]) for one in (name, SOURCES) if one in marked):
        if other.casefold() != _join_lines(request.text).casefold():
            raise _other_files_error(folder, other)


def mark_subject(folder: Path, name: str, subject: str) -> None:
    """Write down whose the files of this name in the folder are, if none of them says it: tables, bibliographies and
    collections do not."""
    marked = _read_fields(folder / MARKS)
    names_itself = name != SOURCES and any((folder / f"{name}.{suffix}").exists() for suffix in _NAMING)
    if names_itself and name not in marked:
        return
    marked = {**marked, name: _join_lines(subject)}
    with replace_file(folder / MARKS) as partial:
        partial.write_text(json.dumps(marked, ensure_ascii=False), encoding="utf-8")


def _read_fields(path: Path) -> Mapping[str, Any]:
    """The fields of the JSON; none if it is not a JSON object."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _is_about(path: Path, request: JobRequest, fields: Mapping[str, Any]) -> bool:
    """Whether the file is about what the request asks; `fields` are those of the JSON beside it."""
    is_same = _find_subject(fields) == _join_lines(request.text).casefold()
    if path.suffix == ".json":
        return is_same
    text = _read_text(path)
    if is_same and str(fields.get("job_id") or "\0") in text:
        return True  # of the same job
    if request.kind is RequestKind.DRUG:
        return _read_title(path, text).casefold() == escape_markdown(wording.TITLE.format(drug=request.text)).casefold()
    return _names_question(path, text, _join_lines(request.text))


def _find_subject(fields: Mapping[str, Any]) -> str:
    """What the report with these fields was asked for; empty if they are not those of a report."""
    research = fields.get("research")
    asked = research.get("asked") if isinstance(research, dict) else None
    return _join_lines(str(asked or fields.get("drug") or "")).casefold()


def _names_question(path: Path, text: str, question: str) -> bool:
    """Whether an element or a line of the file is the question, perhaps after a label and a colon."""
    if path.suffix == ".html":
        page, wanted = _join_lines(unescape(text)).casefold(), question.casefold()
        return f">{wanted}<" in page or f": {wanted}<" in page
    wanted = escape_markdown(question).casefold()
    lines = (line.strip("#>*_ ").casefold() for line in text.splitlines())
    return any(line == wanted or line.endswith(f": {wanted}") for line in lines)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _read_title(path: Path, text: str) -> str:
    """The title of the report with that text, as Markdown; empty if it holds something else."""
    if path.suffix == ".html":
        return escape_markdown(unescape(text.partition("<title>")[2].partition("</title>")[0]))
    first = text.partition("\n")[0]
    return first.removeprefix("# ") if first.startswith("# ") else ""


def _other_subject_error(path: Path, request: JobRequest, fields: Mapping[str, Any]) -> UsageError:
    is_json = path.suffix == ".json"
    found = str(fields.get("drug") or "") if is_json else _read_title(path, _read_text(path))
    if found and is_json and request.kind is RequestKind.DRUG:
        found = wording.TITLE.format(drug=found)
    wanted = f"dossier of {request.text}" if request.kind is RequestKind.DRUG else f"report on this {request.kind.noun}"
    shown = _shorten(found)
    return UsageError(
        f"{path} is not a {wanted}{f', but: {shown}' if shown else ''}",
        hint="give another folder",
        code=Code.FOLDER_TAKEN,
    )


def _other_files_error(folder: Path, subject: str) -> UsageError:
    return UsageError(
        f"{folder} holds files on another subject: {_shorten(subject)}",
        hint="give another folder",
        code=Code.FOLDER_TAKEN,
    )


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _join_lines(text: str) -> str:
    return " ".join(text.split())
