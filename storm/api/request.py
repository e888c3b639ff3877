"""The options of a job, checked and made into its request."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, get_args

from pydantic import ValidationError

from storm.api.research import GivenPreferences, GivenSettings, read_preferences, read_research
from storm.errors import Code, UsageError
from storm.export import check_formats, check_libraries, check_template, find_template
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
from storm.modes import MODES, choose_mode
from storm.settings import Settings
from storm.syllabus import bundled_syllabus, load_syllabus
from storm.value_wording import describe_problem, list_choices

P = ParamSpec("P")
T = TypeVar("T")

#: What to give instead of a value that is of the wrong kind.
_TAKEN = {
    "drug": 'give one name: storm.run("trastuzumab")',
    "limits": "give limits=storm.JobLimits(usd=5, minutes=30)",
}


class ResearchOptions(TypedDict, total=False):
    """The options of every job that is researched; `job_request` has the defaults."""

    offline: bool
    databases: Sequence[str]
    model: str
    program: Path | str
    limits: JobLimits | None
    unsupported: str
    research: GivenSettings
    configurable: Mapping[str, Any] | None


class ReportOptions(ResearchOptions, total=False):
    """The options of a report; `storm.report` explains each, `job_request` has the defaults."""

    syllabus: Path | str | None
    preferences: GivenPreferences


class RepurposingOptions(ResearchOptions, total=False):
    """The options of a repurposing report; `storm.repurpose` explains each, `job_request` has the defaults."""

    also: Sequence[str]
    meaning: str


class JobOptions(ReportOptions, total=False):
    """The options of a job; `storm.run` explains each, `job_request` has the defaults."""

    kind: str
    also: Sequence[str]
    meaning: str
    mode: str
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
    syllabus: Path | str | Syllabus | None = None,
    model: str = "",
    program: Path | str = "",
    limits: JobLimits | None = None,
    mode: str = "",
    unsupported: str = "remove",
    preferences: GivenPreferences = None,
    research: GivenSettings = None,
    configurable: Mapping[str, Any] | None = None,
    prefill: str = "",
    out: Path | str | None = None,
    formats: Sequence[str] = DEFAULT_FORMATS,
    paper: str = Paper.A4,
    template: Path | str | None = None,
    context: str = "",
) -> JobRequest:
    """Build the request of a job; UsageError or SyllabusError for an option that is wrong."""
    limits = limits or JobLimits()
    model, chosen = read_research(research, configurable, model)
    subject = RequestKind(check_choice(kind, list(RequestKind), "kind"))
    if mode:
        _check_mode(mode, subject, names_model=bool(model or str(program) or limits != JobLimits()))
        chosen, limits = MODES[mode].complete_settings(chosen, limits)
    wanted, style = _check_form(formats, template)
    try:
        return JobRequest(
            kind=subject,
            text=drug,
            also=_check_texts(also, "also"),
            meaning=meaning,
            syllabus=_load_questions(syllabus, subject, settings),
            offline=_check_offline(offline),
            databases=_check_texts(databases, "databases"),
            preferences=read_preferences(preferences),
            settings=RunSettings(
                mode=mode,
                model=model,
                program=_find_program(program, settings),
                limits=limits,
                unsupported=check_choice(unsupported, get_args(Unsupported), "unsupported"),
                research=chosen,
                prefill=check_choice(prefill, get_args(Prefill), "prefill"),
            ),
            out=str(Path(out).absolute()) if out else None,
            formats=wanted,
            paper=Paper.of(paper),
            template=style,
            context=context,
        )
    except ValidationError as exc:
        raise _explain_invalid(exc, subject) from exc


def _check_form(formats: Sequence[str], template: Path | str | None) -> tuple[tuple[str, ...], str | None]:
    """The formats, and the absolute path of the template; UsageError for one that is unknown or does not fit, or whose
    library is missing."""
    wanted = check_formats(_check_texts(formats, "formats"))
    check_libraries(wanted)
    style = find_template(template)
    check_template(style, wanted)
    return wanted, str(style.absolute()) if style else None


def _check_offline(offline: Any) -> bool:
    """True or False; UsageError for anything else, of which "no" would count as true."""
    if not isinstance(offline, bool):
        raise UsageError(f"offline is {offline!r}; it must be True or False", setting="offline")
    return offline


def _check_mode(mode: str, kind: RequestKind, *, names_model: bool) -> None:
    """UsageError for a mode that does not fit the request."""
    if not choose_mode(mode, kind, has_model=True).uses_model and names_model:
        raise UsageError(
            f"the mode {mode} asks no language model, so no model, program or limit can go with it",
            hint='leave them out, or choose mode="broad"',
            code=Code.MODE_WITHOUT_MODEL,
        )


def _explain_invalid(invalid: ValidationError, kind: RequestKind) -> UsageError:
    """The error for the first option that the request does not take."""
    problem = invalid.errors(include_input=False)[0]
    name = {"text": kind.noun}.get(where := str(problem["loc"][0]), where)
    return UsageError(
        f"{name}: {describe_problem(problem)}", hint=_TAKEN.get(name, "help(storm.run) says what it takes")
    )


def check_names(given: Mapping[str, Any], options: type[ResearchOptions], function: str) -> None:
    """TypeError for a name that is none of these options, which `function` takes."""
    if unknown := given.keys() - options.__annotations__.keys():
        raise TypeError(f"{function}() takes no {min(unknown)!r}; help(storm.{function}) says what it takes")


def show_options(options: type[ResearchOptions]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Show these options by name in the signature of a function that takes them as `**options`."""
    known = inspect.signature(job_request).parameters

    def show(function: Callable[P, T]) -> Callable[P, T]:
        first, *others, _ = inspect.signature(function).parameters.values()
        named = [parameter for name, parameter in known.items() if name in options.__annotations__]
        function.__signature__ = inspect.Signature([first, *named, *others])  # type: ignore[attr-defined]
        return function

    return show


def _load_questions(file: Path | str | Syllabus | None, kind: RequestKind, settings: Settings) -> Syllabus | None:
    """The questions of the user's file, or storm's own for a drug; None if the planner makes them. UsageError for a
    file where hypotheses are tested."""
    if file and kind is RequestKind.REPURPOSING:
        raise UsageError("hypotheses are tested by questions of storm's own", hint="leave `syllabus` out")
    if isinstance(file, Syllabus):
        return file
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
        raise UsageError(f"{what} is {given!r}; it must be a list of texts", hint=f'write it as {what}=["…"]')
    return texts


def check_choice(given: str, known: Sequence[str], what: str) -> Any:
    """The value, if it is among those that are known; else UsageError."""
    if given not in known:
        raise UsageError(f"{what} is {given!r}; it must be {list_choices(filter(None, known))}", setting=what)
    return given


def _find_program(named: Path | str, settings: Settings) -> SavedProgram | None:
    if not str(named):
        return None
    from storm.agents.program_file import find_program

    return find_program(str(named), settings.config_dir)
