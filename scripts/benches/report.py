"""`storm report` and `storm run --mode parallel`: wall time, prompts, kills, and searches and calls in random orders.

The model is a server on loopback that plays every role, and replies by its prompt alone (_research_model.py). Time,
prompts and orders are measured on records that made databases have on whatever is searched (_research_job.py); what is
killed are whole processes on the bundled sample.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from _model_server import MODEL, ModelServer, served
from _program import comparable_dossier
from _report import Row, parser, report
from _research_job import Call, Job, ResearchModel, write_report
from run import RUN, Undisturbed, kill_and_resume, killed_rows, undisturbed
from run import Job as Process

from storm.app import Workbench
from storm.evidence.candidates import SharedReader
from storm.export import to_json
from storm.extractive import RuleSelector
from storm.models.search import NAMES
from storm.modes import Crew
from storm.modes.run import Run

#: Seconds of a call of the model, and of a search.
CALL, SEARCH = 1.0, 0.3
#: What is done for one question after the other: for several at once.
ANSWERING = ("statement writer", "judge", "composer", "digester")
SIZES, QUESTIONS = (10, 100, 500), (5, 10, 20)
#: Questions of the runs with many sources, and characters of a full text.
FEW, FULL_TEXT = 4, 12_000
PARTS = ("time", "prompts", "kills", "orders")
ASKED = (
    "report", "How does trastuzumab compare with its biosimilars in efficacy and safety?", "--offline", "--quiet",
    "--format", "json", "--out", "report", "--model", MODEL,
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("report", "Reports whose questions are researched side by side.")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what is measured")
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sources of each question")
    options.add_argument("--questions", type=int, nargs="+", default=QUESTIONS, help="numbers of questions")
    options.add_argument("--points", type=int, default=30, help="kills of each command")
    options.add_argument("--orders", type=int, default=50, help="runs in random order")
    options.add_argument("--seed", type=int, default=1, help="of the random points and orders")
    options.add_argument("--at-once", type=int, default=2, help="killed runs under way at the same time")
    given = options.parse_args(argv)
    logging.disable()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        if "time" in given.parts:
            rows += time_rows(Path(folder))
        if "prompts" in given.parts:
            rows += prompt_rows(Path(folder), given.sizes, given.questions)
        if "kills" in given.parts:
            rows += kill_rows(Path(folder), PROCESSES, given.points, given.seed, given.at_once)
        if "orders" in given.parts:
            rows.append(order_row(Path(folder), given.orders, given.seed))
    report(rows, as_json=given.json)
    return 0


def at_once() -> float:
    """The pause of what answers at once."""
    return 0.0


# Wall time


def time_rows(folder: Path) -> list[Row]:
    """Ten questions, one reflection: side by side, and one after the other. A short run goes before."""
    write_report(folder / "short", model=at_once, searches=at_once, max_questions=1, max_iterations=0)
    run = functools.partial(write_report, model=lambda: CALL, searches=lambda: SEARCH, max_iterations=1)
    fewer = run(folder / "fewer", calls_at_once=8)
    beside = run(folder / "beside")
    with one_question_at_once():
        after = run(folder / "after", change=search_in_turn)
    return [
        time_row("side by side, 8 calls at once", fewer, beside),
        time_row("side by side, 10 calls at once (the default)", beside, beside),
        time_row("one question after the other", after, beside),
    ]


def time_row(variant: str, job: Job, beside: Job) -> Row:
    """One line; the critical path is that of questions side by side."""
    path = sum(stage.seconds for stage in stages_of(beside))
    return {
        "variant": variant,
        "n": len(job.report.questions),
        "calls": len(job.calls),
        "searches": len(job.report.search_log),
        "wall_s": round(job.seconds, 1),
        "critical_path_s": round(path, 1),
        "to_critical_path": round(job.seconds / path, 2),
        "own_cpu_s": round(job.own_seconds, 1),
    }


class Stage(NamedTuple):
    """A stage that waits for the one before: of the question that has most to do, the calls and the searches."""

    calls: int = 0
    searches: int = 0

    @property
    def seconds(self) -> float:
        """What it takes at least."""
        return self.calls * CALL + self.searches * SEARCH


def stages_of(job: Job) -> list[Stage]:
    """The stages of a job. The calls and searches of one question come one after the other; databases are side by
    side, and so are questions; sections come one after the other."""
    assert job.report.research is not None
    lines = Counter((line.question, line.database) for line in job.report.search_log)
    names = max((times for (question, _), times in lines.items() if question == NAMES), default=0)
    again = {weak.question: len(weak.searches) for one in job.report.research.rounds for weak in one.weak}
    first = max(times - again.get(question, 0) for (question, _), times in lines.items() if question != NAMES)
    turn = next((place for place, call in enumerate(job.calls) if call.role == "reflector"), len(job.calls))
    roles = Counter(call.role for call in job.calls)
    return [
        Stage(roles["planner"], names),
        Stage(longest(job.calls, ("query writer",)), first),
        Stage(longest(job.calls[:turn], ANSWERING)),
        Stage(roles["reflector"], max(again.values(), default=0)),
        Stage(longest(job.calls[turn:], ANSWERING)),
        Stage(roles["outline writer"] + roles["section writer"]),
    ]


def longest(calls: Sequence[Call], roles: Sequence[str]) -> int:
    """The most calls that these roles made for one question."""
    return max(Counter(call.matter for call in calls if call.role in roles).values(), default=0)


@contextmanager
def one_question_at_once() -> Iterator[None]:
    """No step works on several questions at once."""
    each = Run.each

    async def in_turn(run: Run, *args: Any, **given: Any) -> Any:
        return await each(run, *args, **given | {"at_once": 1})

    setattr(Run, "each", in_turn)  # noqa: B010 - a method is replaced on purpose
    yield
    setattr(Run, "each", each)  # noqa: B010


class InTurn:
    """A searcher that searches for one question after the other."""

    def __init__(self, searcher: Any) -> None:
        self._searcher = searcher
        self._turn = asyncio.Lock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searcher, name)

    async def search(self, wanted: Any) -> Any:
        async with self._turn:
            return await self._searcher.search(wanted)


def search_in_turn(bench: Workbench, crew: Crew) -> Crew:
    """The crew with such a searcher."""
    assert crew.research is not None
    return crew._replace(research=crew.research._replace(searcher=InTurn(bench.searcher)))


# Prompts


def prompt_rows(folder: Path, sizes: Sequence[int], questions: Sequence[int]) -> list[Row]:
    """The prompts by the number of sources of each question, full texts, and by the number of questions."""
    rows = [prompt_row(folder / f"sources-{n}", FEW, n, FULL_TEXT) for n in sizes]
    return rows + [prompt_row(folder / f"questions-{n}", n, 10, 2_000) for n in questions]


def prompt_row(data_dir: Path, questions: int, sources: int, characters: int) -> Row:
    """One run: so many sources on each of so many questions."""

    def select(bench: Workbench, crew: Crew) -> Crew:
        assert crew.research is not None
        selector = RuleSelector(bench.collection, SharedReader(), most=sources)
        return crew._replace(research=crew.research._replace(selector=selector))

    job = write_report(
        data_dir, model=at_once, searches=at_once, characters=characters, change=select, databases=("pubmed",),
        max_questions=questions, max_iterations=0, max_search_results=-(-sources // 4) + 1,
    )  # fmt: skip
    coverage = job.report.coverage
    total = sum(call.characters for call in job.calls) // 4
    largest = max(job.calls, key=lambda call: call.characters)
    return {
        "variant": f"sources of {characters:,} characters",
        "questions": questions,
        "sources_each": min(question.sources for question in coverage.questions),
        "largest_prompt_tokens": largest.characters // 4,
        "of_the": largest.role,
        "all_prompts_tokens": total,
        "a_question": total // questions,
        "a_source": total // coverage.total,
        "calls": len(job.calls),
        "wall_s": round(job.seconds),
    }


# Kills


def kill_rows(folder: Path, processes: Mapping[str, Process], points: int, seed: int, at_once: int) -> list[Row]:
    """Each of these commands, killed at so many points and resumed."""
    rows: list[Row] = []
    for number, (name, process) in enumerate(processes.items()):
        own = folder / f"killed-{number}"
        own.mkdir()
        reference = undisturbed(own, process)
        check_reference(own, reference)
        outcomes = kill_and_resume(own, reference, points, seed, at_once)
        rows += [{**row, "variant": f"{name}: {row['variant']}"} for row in killed_rows(outcomes)]
    return rows


def check_reference(folder: Path, reference: Undisturbed) -> None:
    """SystemExit unless the run that nobody disturbed wrote a report."""
    if reference.code not in (0, 3) or reference.dossier is None:
        raise SystemExit(f"storm {' '.join(reference.job.args)} ended with {reference.code}, and without a report")


def serve_model() -> AbstractContextManager[ModelServer]:
    """A model of one's own, which takes a moment: so several calls are under way when a kill comes."""
    return served(ResearchModel(lambda: 0.3))


PROCESSES: Mapping[str, Process] = {
    "storm run --mode parallel": Process((*RUN, "--mode", "parallel")),
    "storm report --model": Process(ASKED, "report", serve_model),
}


# Orders


def order_row(folder: Path, orders: int, seed: int) -> Row:
    """Searches and calls that take random times: how often the report is that of the run in which none takes any."""
    began = time.monotonic()
    expected = comparable(write_report(folder / "order", model=at_once, searches=at_once, max_iterations=1))
    equal = 0
    for number in range(orders):
        dice = random.Random(f"{seed} {number}")
        pause = functools.partial(dice.uniform, 0.0, 0.05)
        job = write_report(folder / f"order-{number}", model=pause, searches=pause, max_iterations=1)
        equal += comparable(job) == expected
    return {"variant": "random orders", "n": orders, "same_report": equal, "wall_s": round(time.monotonic() - began)}


def comparable(job: Job) -> Any:
    """The report as JSON, without the job's id and the times."""
    return comparable_dossier(to_json(job.report))


if __name__ == "__main__":
    sys.exit(main())
