"""The options of a job, checked and made into its request."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, get_args

from pydantic import ValidationError

from storm.errors import Code, UsageError
from storm.export import check_formats, check_template, find_template
from storm.models import (
    DEFAULT_FORMATS,
    JobLimits,
    JobRequest,
    Paper,
    Prefill,
    RequestKind,
    RunSettings,
    SavedProgram,
    Syllabus,
    Unsupported,
)
from storm.modes import choose_mode
from storm.settings import Settings
from storm.syllabus import bundled_syllabus, load_syllabus

P = ParamSpec("P")
T = TypeVar("T")

#: What to give instead of a value that is of the wrong kind.
_TAKEN = {
    "drug": 'give one name: storm.run("trastuzumab")',
    "limits": "give limits=storm.JobLimits(usd=5, minutes=30)",
}


class JobOptions(TypedDict, total=False):
    """The options of a job; `storm.run` explains each, `job_request` has the defaults."""

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
    prefill: str


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
    prefill: str = "",
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    paper: str = Paper.A4,
    template: Path | str | None = None,
) -> JobRequest:
    """Build the request of a job; UsageError or SyllabusError for an option that is wrong."""
    limits = limits or JobLimits()
    subject = RequestKind(_check_choice(kind, list(RequestKind), "kind"))
    if (
        mode
        and not choose_mode(mode, subject, has_model=True).uses_model
        and (model or str(program) or limits != JobLimits())
    ):
        raise UsageError(
            f"the mode {mode} asks no language model, so no model, program or limit can go with it",
            hint='leave them out, or choose mode="broad"',
            code=Code.MODE_WITHOUT_MODEL,
        )
    saved = _find_program(program, settings)
    wanted = check_formats(_check_texts(formats, "formats"))
    style = find_template(template)
    check_template(style, wanted)
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
                prefill=_check_choice(prefill, get_args(Prefill), "prefill"),
            ),
            out=str(Path(out).absolute()) if out else None,
            formats=wanted,
            paper=Paper.of(paper),
            template=str(style.absolute()) if style else None,
        )
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        name = {"text": kind}.get(where := str(problem["loc"][0]), where)
        raise UsageError(
            f"{name}: {problem['msg']}", hint=_TAKEN.get(name, "help(storm.run) says what it takes")
        ) from exc


def show_options(function: Callable[P, T]) -> Callable[P, T]:
    """Show the options of a job by name in the signature of a function that takes them as `**options`."""
    first, *others, _ = inspect.signature(function).parameters.values()
    options = [p for name, p in inspect.signature(job_request).parameters.items() if name in JobOptions.__annotations__]
    function.__signature__ = inspect.Signature([first, *options, *others])  # type: ignore[attr-defined]
    return function


def _load_questions(file: Path | str | None, kind: RequestKind, settings: Settings) -> Syllabus | None:
    """The questions of the user's file, or storm's own for a drug; None if the planner makes them."""
    if file:
        try:
            return load_syllabus(Path(file))
        except UsageError as error:
            error.details["setting"] = "syllabus"
            raise
    return bundled_syllabus(settings.config_dir) if kind is RequestKind.DRUG else None


def _check_texts(given: Any, what: str) -> tuple[str, ...]:
    """The list of texts; UsageError for anything else, also for a single text, which iterates by letters."""
    texts = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (None,)
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{what} is {given!r}; it takes a list of texts", hint=f'write it as {what}=["…"]')
    return texts


def _check_choice(given: str, known: Sequence[str], what: str) -> Any:
    if given not in known:
        raise UsageError(f"{what} is {given!r}; it takes {' or '.join(filter(None, known))}", setting=what)
    return given


def _find_program(named: Path | str, settings: Settings) -> SavedProgram | None:
    if not str(named):
        return None
    from storm.agents.program_file import find_program

    return find_program(str(named), settings.config_dir)
