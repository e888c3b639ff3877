"""What a caller asks for, checked, as the request of a job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypedDict, get_args

from pydantic import ValidationError

from storm.errors import Code, UsageError
from storm.export import check_formats
from storm.models import JobLimits, JobRequest, RequestKind, RunSettings, SavedProgram, Syllabus, Unsupported
from storm.modes import choose_mode
from storm.settings import Settings
from storm.syllabus import bundled_syllabus, load_syllabus

#: What to give instead of a value that is of the wrong kind.
_TAKEN = {
    "drug": 'give one name: storm.run("trastuzumab")',
    "limits": "give limits=storm.JobLimits(usd=5, minutes=30)",
}


class JobOptions(TypedDict, total=False):
    """What can be said of a job beside its drug; `storm.run` explains each."""

    kind: str
    also: Sequence[str]
    meaning: str
    offline: bool
    databases: Sequence[str]
    syllabus: Path | str | None
    model: str
    program: Path | str
    limits: JobLimits | None
    mode: str
    unsupported: str


def job_request(
    drug: str,
    settings: Settings,
    *,
    kind: str = RequestKind.DRUG,
    also: Sequence[str] = (),
    meaning: str = "",
    offline: bool = False,
    databases: Sequence[str] = (),
    syllabus: Path | str | None = None,
    model: str = "",
    program: Path | str = "",
    limits: JobLimits | None = None,
    mode: str = "",
    unsupported: str = "remove",
    out: Path | str | None = None,
    formats: Sequence[str] = ("md", "json"),
) -> JobRequest:
    """What to ask for; UsageError or SyllabusError if it cannot be done as asked."""
    limits = limits or JobLimits()
    subject = RequestKind(_check_choice(kind, list(RequestKind), "kind"))
    if (
        mode
        and not choose_mode(mode, subject, has_model=True).needs_model
        and (model or str(program) or limits != JobLimits())
    ):
        raise UsageError(
            f"the mode {mode} asks no language model, so no model, program or limit can go with it",
            hint='leave them out, or choose mode="broad"',
            code=Code.MODE_WITHOUT_MODEL,
        )
    saved = _find_program(program, settings)
    try:
        return JobRequest(
            kind=subject,
            text=drug,
            also=_check_texts(also, "also"),
            meaning=meaning,
            syllabus=_load_questions(syllabus, subject, settings),
            offline=offline,
            databases=_check_texts(databases, "databases"),
            settings=RunSettings(
                mode=mode,
                model=model,
                program=saved,
                limits=limits,
                unsupported=_check_choice(unsupported, get_args(Unsupported), "unsupported"),
            ),
            out=str(Path(out).absolute()) if out else None,
            formats=check_formats(_check_texts(formats, "formats")),
        )
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        name = {"text": kind}.get(where := str(problem["loc"][0]), where)
        raise UsageError(
            f"{name}: {problem['msg']}", hint=_TAKEN.get(name, "help(storm.run) says what it takes")
        ) from exc


def _load_questions(file: Path | str | None, kind: RequestKind, settings: Settings) -> Syllabus | None:
    """Those of the user's file, or of storm for a drug; None where the planner makes them."""
    if file:
        return load_syllabus(Path(file))
    return bundled_syllabus(settings.config_dir) if kind is RequestKind.DRUG else None


def _check_texts(given: Any, what: str) -> tuple[str, ...]:
    """UsageError for one text, whose letters would be taken for names, and for all but a list of texts."""
    texts = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (None,)
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{what} is {given!r}; it takes a list of texts", hint=f'write it as {what}=["…"]')
    return texts


def _check_choice(given: str, known: Sequence[str], what: str) -> Any:
    if given not in known:
        raise UsageError(f"{what} is {given!r}; it takes {' or '.join(filter(None, known))}")
    return given


def _find_program(named: Path | str, settings: Settings) -> SavedProgram | None:
    if not str(named):
        return None
    from storm.agents.program_file import find_program

    return find_program(str(named), settings.config_dir)
