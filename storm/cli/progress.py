"""Progress on standard error: a live table on a terminal, one line a change elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from storm.app.stage_names import STAGES, describe_stage
from storm.cli.console import count_noun, make_printable, print_note
from storm.models import Event, Syllabus

#: What these stages do in a job that brings a dossier up to date.
_OF_UPDATE = {"search": "Searching for what is new"}
#: Characters of a line of progress.
_WIDTH = 100


@contextmanager
def show_progress(
    syllabus: Syllabus | None, *, silent: bool, animated: bool, verbose: bool = False, is_update: bool = False
) -> Iterator[Callable[[Event], None]]:
    """Show a job's progress, if `verbose` in lines of any length; yields the observer of its events."""
    stages = STAGES | _OF_UPDATE if is_update else STAGES
    if silent:
        yield lambda event: None
    elif animated and sys.stderr.isatty():
        with _show_live_table(syllabus, stages) as observer:
            yield observer
    else:
        labels = {question.key: question.label for question in syllabus.questions} if syllabus else {}
        yield _make_line_printer(labels, stages, None if verbose else _WIDTH)


def _is_problem(event: Event) -> bool:
    """Whether it says what a model, or the research of one question, could not do, after which the job goes on."""
    return event.kind == "model" or (event.kind == "failed" and bool(event.data))


def _read_labels(event: Event) -> dict[str, str]:
    """The labels of the questions that a planner made, by key."""
    return {key: make_printable(str(label)) for key, label in event.data.items()}


def _make_line_printer(labels: dict[str, str], stages: Mapping[str, str], width: int | None) -> Callable[[Event], None]:
    """An observer that prints a line for each stage, and whenever another question has enough sources."""
    last = ""
    counts: dict[str, str] = {}  # an event may name only the questions that changed

    def print_event(event: Event) -> None:
        nonlocal last
        if event.kind == "progress":
            counts.update((key, str(state)) for key, state in event.data.items())
            line = _count_complete(counts, labels, width)
        elif event.kind == "stage":
            line = f"{make_printable(describe_stage(event.message, stages))} …"
        elif event.kind == "questions":
            labels.update(_read_labels(event))
            named = ", ".join(_read_labels(event).values())
            line = _cut_line(f"  {count_noun(len(event.data), 'question')}: {named}", width)
        elif _is_problem(event):
            line = _cut_line(f"  {make_printable(event.message)}", width)
        else:
            return
        if line != last:
            print_note(line)
            last = line

    return print_event


def _cut_line(line: str, width: int | None) -> str:
    return line if width is None or len(line) <= width else f"{line[: width - 1].rpartition(' ')[0]} …"


def _count_complete(counts: Mapping[str, str], labels: Mapping[str, str], width: int | None) -> str:
    """How many questions have enough sources, and which do not."""
    parted = ((key, state.partition("/")) for key, state in counts.items())
    lacking = [key for key, (have, _, need) in parted if int(have) < int(need or 1)]
    enough = f"  {len(counts) - len(lacking)} of {count_noun(len(counts), 'question')} have enough sources"
    if not lacking:
        return enough
    named = [make_printable(labels.get(key, key)) for key in lacking]
    shortened = (f"{', '.join(named[:most])} and {len(named) - most} more" for most in range(len(named) - 1, 0, -1))
    lines = (f"{enough}; not yet: {names}" for names in (", ".join(named), *shortened))
    return next((line for line in lines if width is None or len(line) <= width), enough)


@contextmanager
def _show_live_table(syllabus: Syllabus | None, stages: Mapping[str, str]) -> Iterator[Callable[[Event], None]]:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    questions = syllabus.questions if syllabus else ()
    counts = {question.key: f"0/{question.min_sources}" for question in questions}
    labels = {question.key: question.label for question in questions}
    stage, done = "Starting", 0.0

    def draw_table() -> Table:
        shown = Table(title=f"{stage} … {done:.0%}", title_justify="left", box=None, show_header=False)
        for key, state in counts.items():
            have, _, need = state.partition("/")
            shown.add_row(
                "✓" if int(have) >= int(need or 1) else "·",
                labels.get(key, make_printable(key)),
                count_noun(int(have), "source") + (f", {need} needed" if need else ""),
            )
        return shown

    with Live(draw_table(), console=Console(stderr=True), transient=True) as live:

        def show_event(event: Event) -> None:
            nonlocal stage, done
            done = event.progress
            if event.kind == "stage":
                stage = make_printable(describe_stage(event.message, stages))
            elif event.kind == "questions":
                labels.update(_read_labels(event))
            elif event.kind == "progress":
                counts.update((key, str(count)) for key, count in event.data.items())
            elif _is_problem(event):
                live.console.print(make_printable(event.message), markup=False, highlight=False)
            live.update(draw_table())

        yield show_event
