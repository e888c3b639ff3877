"""What is printed of a question that is answered in rounds: its progress, as a chat shows it, and the answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from storm.cli.console import (
    make_printable,
    name_program,
    print_error,
    print_json,
    print_line,
    print_note,
    print_text,
    shorten_text,
)
from storm.cli.tool_steps import print_step
from storm.models import AnsweredBefore, Event, LackKind, ResearchReport, ResearchStatus, SearchStatus
from storm.reports import Report
from storm.reports.answer_text import write_answer
from storm.reports.checklist import says_nothing
from storm.reports.deep_research import make_result
from storm.toolkit import ToolProgress
from storm.toolkit.deep_research import describe_answer
from storm.toolkit.question_progress import ITERATION, QuestionProgress

#: Columns of a line of progress.
_WIDTH = 100


@contextmanager
def stream_question_progress(most: int) -> Iterator[Callable[[Event], None]]:
    """Print each piece of progress as a line of JSON; yields the observer of the events."""
    yield _make_observer(most, print_step)


@contextmanager
def show_question_progress(
    most: int, *, silent: bool, animated: bool, verbose: bool = False
) -> Iterator[Callable[[Event], None]]:
    """Show the iterations and what happens in them: a line each, on a terminal only those that stay worth reading;
    yields the observer of the events."""
    width = None if verbose else _WIDTH
    if silent:
        yield lambda event: None
    elif animated and sys.stderr.isatty():
        with _show_status(width) as show:
            yield _make_observer(most, show)
    else:
        yield _make_observer(most, lambda step: print_note(_make_line(step, width)))


@contextmanager
def _show_status(width: int | None) -> Iterator[Callable[[ToolProgress], None]]:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    with console.status("Starting") as status:

        def show(step: ToolProgress) -> None:
            if _is_lasting(step):
                console.print(_make_line(step, width), markup=False, highlight=False)
            else:
                status.update(Text(shorten_text(step.message, _WIDTH)))

        yield show


def _make_observer(most: int, show: Callable[[ToolProgress], None]) -> Callable[[Event], None]:
    """An observer that shows what changed since the last event."""
    progress = QuestionProgress(most)
    last = ""

    def observe(event: Event) -> None:
        nonlocal last
        for step in progress.read_event(event):
            if step.message != last:
                show(step)
                last = step.message

    return observe


def _make_line(step: ToolProgress, width: int | None) -> str:
    """The message, indented if it belongs to an iteration."""
    message = make_printable(step.message) if width is None else shorten_text(step.message, width)
    inside = step.stage.startswith("iteration") and step.data.get("kind") != ITERATION
    return f"  {message}" if inside else message


def _is_lasting(step: ToolProgress) -> bool:
    """Whether its line stays on a terminal: iterations, checklists, and what failed."""
    kept = ("questions", "checklist", "failed", "model", "changed")
    return (
        step.data.get("kind") == ITERATION
        or step.data.get("kind") in kept
        or step.data.get("status") == SearchStatus.FAILED
    )


def print_answer(
    report: Report,
    paths: Sequence[Path],
    *,
    as_json: bool,
    stream: bool,
    quiet: bool,
    earlier: AnsweredBefore | None = None,
) -> None:
    """Print the answer with its sources and coverage, where its files are and how to look into it; or for a program."""
    asked = cast(ResearchReport, report)
    result = make_result(asked, earlier)
    if stream:
        print_step(describe_answer(asked, earlier=earlier))
        return
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    if result.status is ResearchStatus.ERROR:
        print_error(result.error, name_program("find out why: storm doctor"))
    else:
        print_text(write_answer(result))
    for path in paths:
        print_line(str(path))
    if not quiet:
        print_line()
        if says_nothing(asked) and result.status is not ResearchStatus.ERROR:
            unanswered = [lack.note for lack in asked.lacks if lack.kind is LackKind.UNFINISHED]  # listed above
            for note in (one for one in asked.notes if one not in unanswered):
                print_line(name_program(f"Note: {note}"))
        if report.can_go_on:
            print_line(name_program(f"Go on: storm resume {report.job_id} (with another model: --model NAME)"))
        print_line(name_program(f"With all quotes and searches: storm open {report.job_id}"))
