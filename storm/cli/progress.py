"""Progress on standard error: a live table on a terminal, one line a change elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from storm.cli.console import clean_text, count_noun, print_note
from storm.models import Event, Syllabus

STAGES = {
    "plan": "Planning", "search": "Searching for what is new", "carry": "Carrying sources over", "gather": "Gathering",
    "check": "Checking", "answer": "Answering", "report": "Writing",
}  # fmt: skip
#: Characters of a line of progress.
_WIDTH = 100


@contextmanager
def show_progress(
    syllabus: Syllabus | None, *, silent: bool, animated: bool, verbose: bool = False
) -> Iterator[Callable[[Event], None]]:
    """Show a job's progress, if `verbose` in lines of any length; yields the observer of its events."""
    if silent:
        yield lambda event: None
    elif animated and sys.stderr.isatty():
        with _show_live_table(syllabus) as observer:
            yield observer
    else:
        labels = {question.key: question.label for question in syllabus.questions} if syllabus else {}
        yield _make_line_printer(labels, None if verbose else _WIDTH)


def _make_line_printer(labels: Mapping[str, str], width: int | None) -> Callable[[Event], None]:
    """An observer that prints a line for each stage, and whenever another question has enough sources."""
    last = ""
    counts: dict[str, str] = {}  # an event may name only the questions that changed

    def print_event(event: Event) -> None:
        nonlocal last
        if event.kind == "progress":
            counts.update((key, str(state)) for key, state in event.data.items())
            line = _count_complete(counts, labels, width)
        elif event.kind == "stage":
            line = f"{STAGES.get(event.message, clean_text(event.message))} …"
        elif event.kind == "model":
            line = f"  {clean_text(event.message)}"[:width]
        else:
            return
        if line != last:
            print_note(line)
            last = line

    return print_event


def _count_complete(counts: Mapping[str, str], labels: Mapping[str, str], width: int | None) -> str:
    """How many questions have enough sources, and which do not."""
    parted = ((key, state.partition("/")) for key, state in counts.items())
    lacking = [key for key, (have, _, need) in parted if int(have) < int(need or 1)]
    enough = f"  {len(counts) - len(lacking)} of {count_noun(len(counts), 'question')} have enough sources"
    if not lacking:
        return enough
    named = [clean_text(labels.get(key, key)) for key in lacking]
    shortened = (f"{', '.join(named[:most])} and {len(named) - most} more" for most in range(len(named) - 1, 0, -1))
    lines = (f"{enough}; not yet: {names}" for names in (", ".join(named), *shortened))
    return next((line for line in lines if width is None or len(line) <= width), enough)


@contextmanager
def _show_live_table(syllabus: Syllabus | None) -> Iterator[Callable[[Event], None]]:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    questions = syllabus.questions if syllabus else ()
    counts = {question.key: f"0/{question.min_sources}" for question in questions}
    labels: Mapping[str, str] = {question.key: question.label for question in questions}
    stage, done = "Starting", 0.0

    def draw_table() -> Table:
        shown = Table(title=f"{stage} … {done:.0%}", title_justify="left", box=None, show_header=False)
        for key, state in counts.items():
            have, _, need = state.partition("/")
            shown.add_row(
                "✓" if int(have) >= int(need or 1) else "·",
                labels.get(key, clean_text(key)),
                count_noun(int(have), "source") + (f", {need} needed" if need else ""),
            )
        return shown

    with Live(draw_table(), console=Console(stderr=True), transient=True) as live:

        def show_event(event: Event) -> None:
            nonlocal stage, done
            done = event.progress
            if event.kind == "stage":
                stage = STAGES.get(event.message, event.message)
            elif event.kind == "progress":
                counts.update((key, str(count)) for key, count in event.data.items())
            elif event.kind == "model":
                live.console.print(clean_text(event.message), markup=False, highlight=False)
            live.update(draw_table())

        yield show_event
