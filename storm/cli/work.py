"""Run a job for a person: print its progress, write its files, print the result."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from storm import reports
from storm.app import App
from storm.cli.console import make_printable, name_program, print_json, print_line, print_note, run_async
from storm.cli.interruption import Interruption
from storm.cli.output_files import WrittenFiles, find_replaced, finish_files, folder_of, write_files
from storm.cli.progress import show_progress
from storm.export import PageSetup, check_pages, check_subject
from storm.models import AnsweredBefore, Event, Job, JobState
from storm.modes import MODES
from storm.reports import Report

#: M_ARENA_MAX of glibc's <malloc.h>.
_ARENA_MAX = -8


class OutputOptions(NamedTuple):
    """Where the files go and what is printed. `out`, `formats`, `template`: None for what the job was started with.
    `earlier` says when an answer was asked for that is taken for another question."""

    out: Path | None
    formats: Sequence[str] | None
    overwrite: bool
    quiet: bool
    as_json: bool
    plain: bool
    verbose: bool = False
    template: str | None = None
    stream: bool = False
    earlier: AnsweredBefore | None = None

    @property
    def silent(self) -> bool:
        """Whether a person is shown nothing but the result."""
        return self.quiet or self.as_json or self.stream

    def writes_files(self, job: Job) -> bool:
        """Whether the job's result goes into files: an answer, which is printed, only if that was asked for."""
        return not is_answered(job) or bool(self.out or self.formats or job.request.out)

    def find_folder(self, job: Job) -> Path:
        """The folder for the job's files; UsageError if it holds the files of another drug or question."""
        folder = self.out or folder_of(job)
        if not self.overwrite:
            check_subject(folder, job.request)
        return folder


def is_answered(job: Job) -> bool:
    """Whether the result of the job is an answer, which is printed."""
    mode = MODES.get(job.settings.mode)
    return mode is not None and mode.command == "ask"


def run_job(work: Callable[[Interruption], Coroutine[Any, Any, int]]) -> int:
    """Run a job or a batch, which a signal ends soon; the exit code. Interrupted says how to go on."""
    _share_arena()
    interruption = Interruption()
    with interruption.watch_signals():
        try:
            return run_async(interruption.hear_once(work(interruption)))
        except KeyboardInterrupt as exc:
            raise interruption.make_error() from exc


def _share_arena() -> None:
    """Have all threads allocate from one arena, where the C library is glibc: the threads that read texts work in turn,
    and of an arena for each a tenth of the memory stays unused."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is not None:
        set_option(_ARENA_MAX, 1)


async def work_on(app: App, job: Job, wanted: OutputOptions, interruption: Interruption, model: str = "") -> int:
    """Work on the job, with `model` from here on; write its files and print where they are. The exit code."""
    interruption.job_id = job_id = job.job_id
    writes_files = wanted.writes_files(job)
    if writes_files:
        wanted.find_folder(job)
    formats, pages = wanted.formats or job.request.formats, PageSetup.of(job.request, wanted.template)
    check_pages(pages, formats)
    if not wanted.silent and job.state is not JobState.FINISHED:
        print_note(f"Job {job_id}")
    with await _open_progress(app, job, wanted) as observer:
        report = await app.work(job_id, observer, model=model, expected_state=job.state)
    written = WrittenFiles(())
    if writes_files:
        folder = wanted.find_folder(job)
        replaced = find_replaced(folder, job.request, wanted.overwrite)
        written = write_files(report, folder, formats, pages)
        finish_files(folder, written.paths, replaced, job.request)
    if is_answered(job):
        from storm.cli.question_output import print_answer  # with what other jobs do not need

        print_answer(
            report, written.paths, as_json=wanted.as_json, stream=wanted.stream, quiet=wanted.quiet,
            earlier=wanted.earlier,
        )  # fmt: skip
    else:
        _print_result(report, written.paths, wanted)
    if written.unavailable:
        raise written.unavailable
    return report.exit_code


async def _open_progress(app: App, job: Job, wanted: OutputOptions) -> AbstractContextManager[Callable[[Event], None]]:
    if is_answered(job):
        from storm.cli.question_output import show_question_progress, stream_question_progress

        most = job.settings.research.max_iterations
        if wanted.stream:
            return stream_question_progress(most)
        return show_question_progress(most, silent=wanted.silent, animated=not wanted.plain, verbose=wanted.verbose)
    return show_progress(
        await app.syllabus(job),
        silent=wanted.silent,
        animated=not wanted.plain,
        verbose=wanted.verbose,
        is_update=bool(job.request.update_of),
    )


async def mention_unfinished(app: App, job: Job) -> None:
    """Mention the newest unfinished job of the same subject, which may have been meant; or one that was never begun."""
    subject, kind = job.request.subject.casefold(), job.request.kind
    others = [one for one in (await app.store.jobs.all()).jobs if one.drug.casefold() == subject]
    newest = {one.state: one.job_id for one in reversed(others) if one.job_id != job.job_id}
    if unfinished := newest.get(JobState.INTERRUPTED):
        print_note(
            name_program(f"There is an unfinished job of this {kind.noun}; to finish it: storm resume {unfinished}")
        )
    elif waiting := newest.get(JobState.QUEUED):  # or another terminal is about to begin it
        print_note(
            name_program(f"There is a job of this {kind.noun} that has not begun; to begin it: storm resume {waiting}")
        )


def _print_result(report: Report, paths: Sequence[Path], wanted: OutputOptions) -> None:
    """Print the result, for a person or for a program."""
    summary = reports.summary_of(report)
    if wanted.as_json:
        print_json({**summary.fields, "files": [str(path) for path in paths]})
        return
    if wanted.quiet and summary.warning:
        print_note(make_printable(summary.warning))
    for line in () if wanted.quiet else summary.lines:
        print_line(name_program(make_printable(line)))
    for path in paths:
        print_line(str(path))
    if not wanted.quiet:
        if report.can_go_on:
            print_line(name_program(f"Go on: storm resume {report.job_id} (with another model: --model NAME)"))
        print_line(name_program(f"Look into it: storm inspect {report.job_id} --sources"))
