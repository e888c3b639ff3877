"""storm from Python: one call, one dossier."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_args

from pydantic import ValidationError

from storm.app import ChangeCrew, event_sinks, open_app
from storm.errors import Code, StormError, UsageError
from storm.export import check_formats
from storm.models import Dossier, JobLimits, JobRequest, RunSettings, SavedProgram, Unsupported
from storm.modes import choose_mode
from storm.ports import EventSink, Observer
from storm.settings import Settings, read_settings
from storm.syllabus import bundled_syllabus, load_syllabus

P = ParamSpec("P")
T = TypeVar("T")

#: What to give instead of a value that is of the wrong kind.
_TAKEN = {
    "drug": 'give one name: storm.run("trastuzumab")',
    "limits": "give limits=storm.JobLimits(usd=5, minutes=30)",
}


def job_request(
    drug: str,
    settings: Settings,
    *,
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
    if mode and not choose_mode(mode, has_model=True).needs_model and (model or str(program) or limits != JobLimits()):
        raise UsageError(
            f"the mode {mode} asks no language model, so no model, program or limit can go with it",
            hint='leave them out, or choose mode="broad"',
            code=Code.MODE_WITHOUT_MODEL,
        )
    questions = load_syllabus(Path(syllabus)) if syllabus else bundled_syllabus(settings.config_dir)
    saved = _program(program, settings)
    try:
        return JobRequest(
            text=drug,
            also=_texts(also, "also"),
            meaning=meaning,
            syllabus=questions,
            offline=offline,
            databases=_texts(databases, "databases"),
            settings=RunSettings(
                mode=mode,
                model=model,
                program=saved,
                limits=limits,
                unsupported=_one_of(unsupported, get_args(Unsupported), "unsupported"),
            ),
            out=str(Path(out).absolute()) if out else None,
            formats=check_formats(_texts(formats, "formats")),
        )
    except ValidationError as exc:
        problem = exc.errors(include_input=False)[0]
        name = {"text": "drug"}.get(where := str(problem["loc"][0]), where)
        raise UsageError(
            f"{name}: {problem['msg']}", hint=_TAKEN.get(name, "help(storm.run) says what it takes")
        ) from exc


def _texts(given: Any, what: str) -> tuple[str, ...]:
    """UsageError for one text, whose letters would be taken for names, and for all but a list of texts."""
    texts = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (None,)
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{what} is {given!r}; it takes a list of texts", hint=f'write it as {what}=["…"]')
    return texts


def _one_of(given: str, known: Sequence[str], what: str) -> Any:
    if given not in known:
        raise UsageError(f"{what} is {given!r}; it takes {' or '.join(filter(None, known))}")
    return given


def _program(named: Path | str, settings: Settings) -> SavedProgram | None:
    if not str(named):
        return None
    from storm.agents.program_file import find_program

    return find_program(str(named), settings.config_dir)


async def arun(
    drug: str,
    *,
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
    job_id: str = "",
    settings: Settings | None = None,
    observer: Observer | EventSink | None = None,
    crew: ChangeCrew | None = None,
) -> Dossier:
    """The dossier of one drug. `also` are synonyms, `meaning` says which drug is meant where several go by the name.

    `model` is a language model's name ("openai/…"), `limits` what it may cost; without one, those of config/models.yaml
    or the extractive engine; `mode` ("broad", "extractive") insists on one of the two. `program` is one that `storm
    optimize` saved: its name or its file. What its source does not carry is removed, or marked (`unsupported="mark"`).
    `job_id` is the job's id where it is to be yours: a-z, 0-9 and -, first a letter or digit. `observer` is called
    with each event as it happens, or is an EventSink; what it raises is logged and written in the job's stream, and the
    job goes on without it. `crew` is given what the parts of a job share, and the parts, and returns them with yours
    among them (docs/models.md).

    Raises storm.errors.StormError. The dossier's `exit_code` says whether it is complete (0), partial (3) or empty (4).
    """
    with _noting_hint():
        settings = settings or read_settings()
        event_sinks(observer)  # what cannot be one is refused before a job is made
        request = job_request(
            drug,
            settings,
            also=also,
            meaning=meaning,
            offline=offline,
            databases=databases,
            syllabus=syllabus,
            model=model,
            program=program,
            limits=limits,
            mode=mode,
            unsupported=unsupported,
        )
        async with open_app(settings) as app:
            job = await app.start(request, job_id)
            return await app.work(job.job_id, observer, change=crew)


@contextmanager
def _noting_hint() -> Iterator[None]:
    """A traceback shows the hint of an error below its message."""
    try:
        yield
    except StormError as error:
        if error.hint:
            error.add_note(error.hint)
        raise


def _blocking(coroutine: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    @wraps(coroutine)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        with _noting_hint():
            _check_no_loop()
        return asyncio.run(coroutine(*args, **kwargs))

    return call


def _check_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return  # before the coroutine runs: an error that is raised in here would be shown with this one before it
    raise UsageError("storm.run() cannot be called inside an event loop", hint="there: await storm.arun(...)")


run = _blocking(arun)
run.__name__ = run.__qualname__ = "run"
run.__doc__ = "`arun` for a program without an event loop; in one (a notebook), await `storm.arun` instead."
