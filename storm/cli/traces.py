"""`storm traces …`: what happened in jobs and tools, to look back at."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from storm.cli.console import (
    count_noun,
    make_printable,
    print_json,
    print_line,
    print_note,
    print_table,
    print_text,
    run_async,
    shorten_text,
)
from storm.errors import StormError, UsageError
from storm.settings import read_settings
from storm.traces import Owner, Trace, TraceEvent, TraceFilter, TracePage, TraceStatus, TraceSummary, open_traces
from storm.traces.trace import utc_now
from storm.value_wording import list_choices

if TYPE_CHECKING:
    from storm.traces.service import Traces

app = typer.Typer(
    help="Look back at what jobs and tools did.\n\nExample: storm traces list",
    rich_markup_mode=None,
    no_args_is_help=True,
)
#: Columns of an input in the list, and of a message in a timeline.
_WIDTH = 50
#: What a tool is asked, by the names of its input, in the order in which they say most.
_ASKED = ("text", "question", "query", "drug")

#: How a job or tool ended, in its result; the rest is in JSON.
_ENDED = ("status", "stop_reason", "stopped", "exit_code", "engine", "iterations_used", "spent", "error")
#: What the list calls a trace whose process has ended before it did.
_INTERRUPTED = "interrupted"
_STATUSES = (*TraceStatus, _INTERRUPTED)

_User = Annotated[int, typer.Option(min=0, help="Traces of this user; 0 is the local user.")]
_Organisation = Annotated[int | None, typer.Option("--org", min=0, help="Traces of this organisation.")]
_Everyone = Annotated[bool, typer.Option("--everyone", help="Traces of all users of the organisation.")]
_Tool = Annotated[str, typer.Option(help="Only traces of this tool or mode.")]
_Status = Annotated[str, typer.Option(help=f"Only traces with this status: {', '.join(_STATUSES)}.")]
_Since = Annotated[str, typer.Option(help="From this day or time on (UTC): 2026-11-30, 2026-11-30T12:00.")]
_Until = Annotated[str, typer.Option(help="Up to this day, or before this time.")]
_Text = Annotated[str, typer.Option(help="Only traces with this in the input, the id, the tool or the error.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_Id = Annotated[str, typer.Argument(metavar="TRACE", help="The id of a trace, or its beginning, such as a job's id.")]


@app.command("list")
def list_traces(
    tool: _Tool = "",
    status: _Status = "",
    since: _Since = "",
    until: _Until = "",
    text: _Text = "",
    user: _User = 0,
    organisation: _Organisation = None,
    everyone: _Everyone = False,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Number of traces to show.")] = 50,
    cursor: Annotated[str, typer.Option(help="Show the page after this cursor of the page before.")] = "",
    as_json: _Json = False,
) -> None:
    """List traces, newest first.

    Example: storm traces list --status failed --since 2026-11-01
    """
    wanted = _make_filter(tool, status, since, until, text, everyone=everyone)

    async def read_page() -> TracePage:
        async with _open(user, organisation) as traces:
            return await traces.list_traces(wanted, limit=limit, cursor=cursor)

    page = run_async(read_page())
    if as_json:
        print_json({"traces": [_summary(trace) for trace in page.traces], "cursor": page.cursor})
        return
    if not page.traces:
        print_line("No traces.")
        return
    head = ("TRACE", "TOOL", "STATUS", "DONE", "CREATED (UTC)", "INPUT")
    print_table(head, [_row(trace) for trace in page.traces])
    if page.cursor:
        print_note(f"There are more: --cursor {page.cursor}")


@app.command("show")
def show_trace(trace: _Id, user: _User = 0, organisation: _Organisation = None, as_json: _Json = False) -> None:
    """Show a trace as a timeline: its stages, searches and calls of models.

    Example: storm traces show trastuzumab-20261122-7f3a9c
    """

    async def read_trace() -> tuple[Trace, Sequence[TraceEvent]]:
        async with _open(user, organisation) as traces:
            found = await traces.find_trace(trace)
            return found, await traces.list_events(found.id)

    found, events = run_async(read_trace())
    if as_json:
        print_json(_whole(found, events))
        return
    _print_trace(found)
    if events:
        print_line()
        print_table(("AFTER", "WHAT", "NAME", "OUTCOME", "TOKENS", "USD", "SECONDS", "DETAIL"), _timeline(events))


@app.command("prune")
def prune_traces(
    older_than: Annotated[int, typer.Option("--older-than", min=0, max=36500, help="Delete what is older, in days.")],
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Also those that are not finished.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Delete nothing; say how many would be deleted.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask. Without a terminal nothing is asked.")] = False,
    user: _User = 0,
    organisation: _Organisation = None,
    as_json: _Json = False,
) -> None:
    """Delete old traces with their timelines; no job is touched.

    Example: storm traces prune --older-than 90
    """

    before = utc_now() - timedelta(days=older_than)

    async def count() -> int:
        async with _open(user, organisation) as traces:
            return await traces.count_old(before, unfinished=unfinished)

    async def prune() -> int:
        async with _open(user, organisation) as traces:
            return await traces.prune(before, unfinished=unfinished)

    if dry_run:
        _print_count(run_async(count()), "would be deleted", as_json=as_json)
        return
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Delete {count_noun(run_async(count()), 'trace')}?", abort=True, err=True)
    _print_count(run_async(prune()), "deleted", as_json=as_json)


def _print_count(traces: int, what: str, *, as_json: bool) -> None:
    if as_json:
        print_json({what.replace(" ", "_"): traces})
    else:
        print_line(f"{count_noun(traces, 'trace')} {what}.")


@app.command("export")
def export_traces(
    out: Annotated[Path | None, typer.Option(help="The file to write; otherwise, or with -, standard output.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
    tool: _Tool = "",
    status: _Status = "",
    since: _Since = "",
    until: _Until = "",
    text: _Text = "",
    user: _User = 0,
    organisation: _Organisation = None,
    everyone: _Everyone = False,
) -> None:
    """Write traces as JSON lines, newest first: each whole, with its timeline.

    Example: storm traces export --since 2026-11-01 --out traces.jsonl
    """
    wanted = _make_filter(tool, status, since, until, text, everyone=everyone)

    async def export() -> int:
        async with _open(user, organisation) as traces:
            if out is None or str(out) == "-":
                return await _write_lines(traces, wanted, print_line)
            with out.open("w" if overwrite else "x", encoding="utf-8") as file:
                return await _write_lines(traces, wanted, lambda line: file.write(f"{line}\n"))

    try:
        written = run_async(export())
    except FileExistsError as exc:
        raise UsageError(f"{out} is there already", hint="name another file, or replace it with --overwrite") from exc
    except BrokenPipeError:
        raise  # whoever reads standard output has seen enough
    except OSError as exc:
        raise StormError(f"cannot write {out}: {exc.strerror}", hint="give another file with --out") from exc
    print_note(f"{count_noun(written, 'trace')} written.")


async def _write_lines(traces: Traces, wanted: TraceFilter, write: Any) -> int:
    written = 0
    async for trace, events in traces.export_traces(wanted):
        write(json.dumps(_whole(trace, events), ensure_ascii=False))
        written += 1
    return written


@asynccontextmanager
async def _open(user: int, organisation: int | None) -> AsyncIterator[Traces]:
    """The traces of this user. A database that is named and not there is an error; the default one is made."""
    settings = read_settings()
    owner = Owner(user_id=user, org_id=organisation)
    async with open_traces(settings, owner, create=settings.traces_url is None) as traces:
        yield traces


def _make_filter(tool: str, status: str, since: str, until: str, text: str, *, everyone: bool) -> TraceFilter:
    if status and status not in _STATUSES:
        raise UsageError(f"--status is {status!r}; it must be {list_choices(_STATUSES)}")
    return TraceFilter(
        tool_name=tool,
        status=TraceStatus(status) if status and status != _INTERRUPTED else None,
        interrupted=status == _INTERRUPTED,
        since=_read_moment("--since", since, timedelta()),
        until=_read_moment("--until", until, timedelta(days=1)),
        text=text,
        everyone=everyone,
    )


def _read_moment(option: str, text: str, whole_day: timedelta) -> datetime | None:
    """A day (its beginning plus `whole_day`) or a moment; without an offset in UTC."""
    if not text:
        return None
    try:
        if len(text) == len("2026-11-30"):
            return datetime.combine(date.fromisoformat(text), time(), UTC) + whole_day
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as exc:
        raise UsageError(f"{option} is {text!r}; it must be a date or time such as 2026-11-30T12:00") from exc
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _row(trace: TraceSummary) -> tuple[str, ...]:
    given = trace.input_params
    asked = str(next((given[name] for name in _ASKED if given.get(name)), None) or json.dumps(given))
    created = f"{trace.created_at:%Y-%m-%d %H:%M:%S}"
    tool = shorten_text(trace.tool_name, _WIDTH)
    return make_printable(trace.id), tool, _status(trace), f"{trace.progress:.0%}", created, shorten_text(asked, _WIDTH)


def _status(trace: TraceSummary) -> str:
    return _INTERRUPTED if trace.is_interrupted else trace.status.value


def _print_trace(trace: Trace) -> None:
    stage = f", {make_printable(trace.current_stage)}" if trace.current_stage else ""
    print_line(
        f"{make_printable(trace.id)}: {make_printable(trace.tool_name)}, {_status(trace)}, {trace.progress:.0%}{stage}"
    )
    for name in ("created", "started", "completed"):
        if moment := getattr(trace, f"{name}_at"):
            print_line(f"  {name} {moment:%Y-%m-%d %H:%M:%S} UTC")
    if trace.error_message:
        print_line(f"  {make_printable(trace.error_message)}")
    result = {key: value for key, value in (trace.result or {}).items() if key in _ENDED}
    for name, values in (("input", trace.input_params), ("metrics", trace.metrics), ("result", result)):
        for key, value in (values or {}).items():
            if value not in (None, "", [], {}):
                written = json.dumps(value, ensure_ascii=False)
                print_line(f"  {name} {make_printable(key)}: {shorten_text(written, 2 * _WIDTH)}")
    if answer := (trace.result or {}).get("answer") or (trace.result or {}).get("text"):
        print_line()
        print_text(str(answer))


def _timeline(events: Sequence[TraceEvent]) -> list[tuple[str, ...]]:
    start = events[0].at
    return [
        (
            f"{(event.at - start).total_seconds():.1f} s",
            event.kind.value,
            shorten_text(event.name, _WIDTH),
            shorten_text(event.outcome, _WIDTH),
            "" if event.prompt_tokens is None else f"{event.prompt_tokens + (event.completion_tokens or 0):,}",
            "" if event.cost_usd is None else f"{event.cost_usd:.4f}",
            "" if event.seconds is None else f"{event.seconds:.1f}",
            shorten_text(event.message, 3 * _WIDTH),
        )
        for event in events
    ]


def _summary(trace: TraceSummary) -> dict[str, Any]:
    return {**trace.model_dump(mode="json"), "interrupted": trace.is_interrupted}


def _whole(trace: Trace, events: Sequence[TraceEvent]) -> dict[str, Any]:
    return {**_summary(trace), "events": [event.model_dump(mode="json") for event in events]}
