"""The tools that run a job: the dossier of a drug, the report on a question, and hypotheses on a drug and a disease."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
from contextlib import aclosing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from storm.toolkit.excerpts import cut_at_line
from storm.toolkit.tool import Params, ToolConfig, ToolContext, ToolProgress, ToolResult

# What only a running tool needs is imported where it is used: listing the tools must not wait for it.
if TYPE_CHECKING:
    from storm.models import Event
    from storm.reports import Report

R = TypeVar("R")
#: Characters of the report that the text of a result shows.
SHOWN = 6_000
#: Questions that a message names.
_QUESTIONS = 6
STATES = {0: "complete", 3: "partial", 4: "nothing found"}

_TIME = (
    "It takes seconds with `offline`, minutes over the public databases, longer with a language model: say so first, "
    "and ask. What it finds can be looked into afterwards with get_source, by the job's id."
)
_OPTIONS: Params = {
    "offline": {
        "type": "boolean",
        "default": False,
        "description": "Search only the user's own corpus, or the bundled sample (trastuzumab, metformin).",
    },
    "databases": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "default": [],
        "description": "Search only these databases, for example pubmed and clinicaltrials; all where it is empty.",
    },
    "model": {
        "type": "string",
        "default": "",
        "description": "A language model (openai/gpt-4.1-mini); by default the configured one, or none.",
    },
    "max_usd": {"type": "number", "exclusiveMinimum": 0, "description": "What language models may cost, in dollars."},
    "max_minutes": {"type": "number", "minimum": 0.1, "description": "Minutes after which it writes what it has."},
}
_ALSO: Params = {
    "also": {"type": "array", "items": {"type": "string"}, "default": [], "description": "Synonyms of the drug."},
    "meaning": {
        "type": "string",
        "default": "",
        "description": "The drug that is meant where several share the name: a generic name or ChEMBL id.",
    },
}
_RESEARCH: Params = {
    "research": {
        "type": "object",
        "default": {},
        "description": 'Settings of research by name, for example {"max_questions": 6, "max_iterations": 1}.',
    }
}


def make_schema(required: str, text: Params, *more: Params) -> Params:
    """The schema of a job's input: the text that is asked, which is required, and options."""
    properties = {required: {"type": "string", "minLength": 1, **text}}
    for part in (*more, _OPTIONS):
        properties |= part
    return {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}


async def _run_drug(params: Params, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    from storm.api import arun

    async with aclosing(_stream_report("run_drug", arun, "drug", params, context)) as steps:
        async for step in steps:
            yield step


async def _report(params: Params, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    from storm.api import areport

    async with aclosing(_stream_report("report", areport, "question", params, context)) as steps:
        async for step in steps:
            yield step


async def _repurpose(params: Params, context: ToolContext) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    from storm.api import arepurpose

    async with aclosing(_stream_report("repurpose", arepurpose, "query", params, context)) as steps:
        async for step in steps:
            yield step


def _stream_report(
    tool: str, run: Callable[..., Coroutine[Any, Any, Report]], subject: str, params: Params, context: ToolContext
) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    return stream_job_of(run, subject, params, context, _describe_event, partial(_describe_report, tool))


async def stream_job_of(
    run: Callable[..., Coroutine[Any, Any, R]],
    subject: str,
    params: Params,
    context: ToolContext,
    describe_event: Callable[[Event], Iterable[ToolProgress]],
    describe_report: Callable[[R, Path | None], ToolResult],
) -> AsyncGenerator[ToolProgress | ToolResult, None]:
    """The events of the job as progress, and its report as the result. The parameter `subject` is what it is on."""
    from storm.api.job_stream import stream_job
    from storm.app import event_sinks, utc_now
    from storm.models import Event, JobLimits, new_job_id
    from storm.store.events import EventSinks
    from storm.traces import Owner, owned_by

    options = dict(params)
    text = options.pop(subject)
    limits = JobLimits(usd=options.pop("max_usd", None), minutes=options.pop("max_minutes", None))
    job_id = new_job_id(text, utc_now())
    out = context.out / job_id if context.out else None  # its own, so that no call replaces the files of another

    async def work(observe: Callable[[Event], None]) -> R:
        where = {"app": context.app, "settings": context.settings, "out": out, "job_id": job_id}
        with owned_by(Owner(user_id=context.user_id, org_id=context.org_id)):
            sinks = EventSinks([*event_sinks(observe), *event_sinks(context.on_event)])
            return await run(text, limits=limits, on_event=sinks, **where, **options)

    async with aclosing(stream_job(work)) as stream:
        async for step in stream:
            if isinstance(step, Event):
                for progress in describe_event(step):
                    yield progress
            else:
                yield describe_report(step, out)


def _describe_event(event: Event) -> Iterator[ToolProgress]:
    from storm.app.stage_names import describe_stage

    message = event.message
    if event.kind == "stage":
        message = describe_stage(event.message)
    elif event.kind == "progress" and event.data:
        message = f"Sources: {', '.join(f'{key} {count}' for key, count in islice(event.data.items(), _QUESTIONS))}"
    data = {**event.data, "job_id": event.job_id, "kind": event.kind}
    yield ToolProgress(event.stage or event.kind, message, event.progress, data)


def _describe_report(tool: str, report: Report, out: Path | None) -> ToolResult:
    """The beginning of the report as text; its fields, and where its files are, as payload."""
    from storm.export import to_markdown
    from storm.reports import summary_of

    summary = summary_of(report)
    files = list_files(report, out)
    state = STATES.get(report.exit_code, "failed")
    head = [f"{report.job_id}: {state}. {summary.warning}".rstrip(), *(f"File: {file}" for file in files)]
    text = "\n".join((*head, "", cut_at_line(to_markdown(report), SHOWN)))
    data = {**summary.fields, "files": files, "report": report.model_dump(mode="json")}
    return ToolResult(text, {"type": f"{tool}_result", "data": data}, exit_code=report.exit_code)


def list_files(report: Report, out: Path | None) -> list[str]:
    """The paths of the files that were written into the folder, if there is one."""
    from storm.models import DEFAULT_FORMATS

    return [str(out / f"{report.file_name}.{suffix}") for suffix in DEFAULT_FORMATS] if out else []


RUN_DRUG = ToolConfig(
    name="run_drug",
    description=(
        "Write the cited dossier of one drug: mechanism, efficacy, safety, competitors, market and patents, each "
        "sentence with its quote and source. Use it for an overview of a drug. Do not use it for one question on a "
        "drug (report), for whether a drug could treat a disease (repurpose), or to look up a few records "
        f"(search_database). {_TIME}"
    ),
    input_schema=make_schema(
        "drug", {"maxLength": 200, "description": "One drug's name, for example trastuzumab."}, _ALSO
    ),
    streaming=True,
    executor=_run_drug,
)
REPORT = ToolConfig(
    name="report",
    description=(
        "Research a biomedical question and write a cited report on it: the question is split into questions that are "
        "researched side by side and reviewed. Use it where an answer needs several sources that are compared. Do not "
        "use it for a simple fact, for what the conversation answers already, for everything on a drug (run_drug), or "
        f"for whether a drug could treat a disease (repurpose). {_TIME}"
    ),
    input_schema=make_schema(
        "question",
        {"maxLength": 20_000, "description": "The whole question, as a reader would ask it."},
        {
            "kind": {
                "type": "string",
                "enum": ["question", "topic"],
                "default": "question",
                "description": "Whether it is a question or the name of a topic.",
            },
            "preferences": {
                "type": "object",
                "default": {},
                "description": "How the reader wants it: audience, length, tone, format (prose, bullets), sections.",
            },
        },
        _RESEARCH,
    ),
    streaming=True,
    executor=_report,
)
REPURPOSE = ToolConfig(
    name="repurpose",
    description=(
        "Put hypotheses to the test on how a drug could treat a disease: the evidence for and against each, and how "
        "strong it is. Use it for one drug and one disease. Do not use it for what a drug is approved "
        f"for (run_drug), or for another question (report). {_TIME}"
    ),
    input_schema=make_schema(
        "query", {"maxLength": 20_000, "description": "For example: metformin for breast cancer."}, _ALSO, _RESEARCH
    ),
    streaming=True,
    executor=_repurpose,
)
