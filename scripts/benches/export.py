"""Writing a dossier's files: each format at 30, 300 and 1,000 references, and how long `storm export` takes to start.

There are as many searches. Every tenth reference is a trial with posted results: `collect tables` reads its tables
from such sources. Each statement has a quote of 250 characters in a paragraph of 1,200, as papers have them.

Each time is the fastest of several; `peak_mb` is the peak of what Python allocates meanwhile, and `grown_mb` by how
much the process grows the first time, with the libraries that it loads and what these allocate beside Python. `same
twice` says whether a second writing gave the same bytes. `first paint` is when Chromium first shows something of the
HTML, where it is installed (its absence is an error with STORM_REQUIRE=chromium). The command is a process of its own,
beside `python -c pass`.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence, Sized
from datetime import date
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

from _program import command, finish
from _report import Row, parser, report
from start import BARE, BIBLIOGRAPHIES, measure_fastest

from storm.export import FORMATS, write_report
from storm.export.formats import render_report
from storm.models import (
    Answer,
    Cell,
    Contributor,
    Dossier,
    Hit,
    Pages,
    Publication,
    Reference,
    Section,
    Source,
    Statement,
    TableRow,
)
from storm.models.dossier import AtAGlance, ExecutiveSummary
from storm.reports.record_tables import collect_tables

if TYPE_CHECKING:
    from playwright.sync_api import Page

FORK = multiprocessing.get_context("fork")
#: Milliseconds from the beginning of the navigation.
FIRST_PAINT = """() => new Promise(done =>
    new PerformanceObserver(list => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
        .observe({type: "paint", buffered: true}))"""
#: Authors of each paper, as many as papers on trials have.
AUTHORS = 12
#: Outcomes with a comparison, and events of each kind, of each trial.
OUTCOMES, EVENTS = 20, 100
QUOTE = "It helps patients with this disease more often than placebo did. " * 4
PARAGRAPH = f"{QUOTE * 2}{QUOTE}{QUOTE * 2}"[:1_200]
TODAY = date(2026, 11, 22)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("export", "Each format by the number of references, and the start of `storm export`.")
    options.add_argument("--sizes", type=int, nargs="+", default=[30, 300, 1_000], help="numbers of references")
    options.add_argument("--times", type=int, default=5, help="how often each is written, and the command run")
    given = options.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        data_dir = Path(folder)
        finish(data_dir, "run", "trastuzumab", "--offline", "--quiet", "--out", "report")
        sample = Dossier.model_validate_json((data_dir / "report/dossier.json").read_bytes())
        commands = started(data_dir, sample.job_id, given.times)
    collected = [collecting(size, given.times) for size in given.sizes]
    written = [row(name, size, sample, given.times) for size in given.sizes for name in FORMATS]
    painted = painting(given.sizes, sample, given.times)
    report([*collected, *written, *painted, *commands], as_json=given.json)
    return 0


def row(name: str, size: int, sample: Dossier, times: int) -> Row:
    """One format at one size."""
    dossier = enlarged(sample, size)
    return measured(name, size, times, lambda: b"".join(render_report(dossier, FORMATS[name]).values()))


def collecting(size: int, times: int) -> Row:
    """The tables of so many sources, without their files."""
    sources = tuple(sourced(n) for n in range(1, size + 1))
    return measured("collect tables", size, times, lambda: repr(collect_tables(("drug",), sources, (), (), TODAY)))


def measured(name: str, size: int, times: int, make: Callable[[], Sized]) -> Row:
    """Measure in a process of its own, which begins as this one is."""
    receiver, sender = FORK.Pipe(duplex=False)
    child = FORK.Process(target=lambda: sender.send(measure_here(name, size, times, make)))
    child.start()
    found: Row = receiver.recv()
    child.join()
    return found


def measure_here(name: str, size: int, times: int, make: Callable[[], Sized]) -> Row:
    """The fastest of several, and the peak of memory in another."""
    seconds, made = [], set[Sized]()
    resident = getrusage(RUSAGE_SELF).ru_maxrss
    made.add(make())
    grown = getrusage(RUSAGE_SELF).ru_maxrss - resident
    for _ in range(times):
        began = time.perf_counter()
        made.add(make())
        seconds.append(time.perf_counter() - began)
    tracemalloc.start()
    make()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "variant": name, "n": size, "s": round(min(seconds), 4), "peak_mb": round(peak / 1e6, 1),
        "grown_mb": round(grown / 1e3, 1),
        "kb": round(max(map(len, made)) / 1e3, 1), "same twice": "yes" if len(made) == 1 else "NO",
    }  # fmt: skip


def painting(sizes: Sequence[int], sample: Dossier, times: int) -> list[Row]:
    """How long Chromium takes until it shows something of the HTML; no rows where it is not installed."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("first paint is not measured: Chromium is not installed", file=sys.stderr)
        if "chromium" in os.environ.get("STORM_REQUIRE", "").split(","):
            sys.exit(1)
        return []
    from playwright.sync_api import sync_playwright  # heavy, and of no use without a browser

    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        for size in sizes:
            (file,) = write_report(enlarged(sample, size), Path(folder), ["html"])
            page = browser.new_page()
            taken = [first_paint(page, file) for _ in range(times)]
            rows.append({"variant": "first paint of html", "n": size, "min_ms": min(taken), "max_ms": max(taken)})
        browser.close()
    return rows


def first_paint(page: Page, file: Path) -> int:
    page.goto(file.as_uri())
    return round(float(page.evaluate(FIRST_PAINT)))


def enlarged(sample: Dossier, size: int) -> Dossier:
    """The dossier with so many references, each cited by one statement, and as many searches."""
    references = tuple(numbered(sample.references[n % len(sample.references)], n + 1) for n in range(size))
    said = tuple(stated(r) for r in references)
    first, *others = (Answer(question=answer.question) for answer in sample.answers)
    answers = (first.model_copy(update={"statements": said}), *others)
    glance = AtAGlance(designs=sample.at_a_glance.designs)
    sources = tuple(sourced(n) for n in range(1, size + 1))
    tables = collect_tables(("drug",), sources, (), (), TODAY)
    searches = tuple(sample.search_log[n % len(sample.search_log)] for n in range(size))
    fields = {
        "references": references, "answers": answers, "at_a_glance": glance, "tables": tables, "search_log": searches,
        "summary": ExecutiveSummary(),
    }  # fmt: skip
    return sample.model_copy(update=fields)


def stated(record: Reference) -> Statement:
    """A statement with a quote in its paragraph."""
    return Statement(
        text=f"Result {record.n}.", quote=QUOTE.strip(), source_ids=(record.source_id,), section="Results: Outcomes",
        paragraph=PARAGRAPH,
    )  # fmt: skip


def sourced(n: int) -> Source:
    """A source under that number: a paper, or every tenth a trial with posted results."""
    database, number = ("clinicaltrials", f"NCT{n:08}") if n % 10 == 0 else ("pubmed", str(10_000_000 + n))
    sections = tuple(posted()) if n % 10 == 0 else ()
    hit = Hit.of(database, number, f"https://example.org/{n}", f"Record {n}", sections=sections)
    return Source(source_id=f"src_{n:04}", number=n, hit=hit, questions=())


def posted() -> Iterator[Section]:
    """The tables of a trial with two arms, as its parser makes them."""
    arms = ("Drug 100 mg once daily (n=158)", "Placebo (n=159)")
    names = tuple(arm.partition(" (")[0] for arm in arms)
    for n in range(1, OUTCOMES + 1):
        heading = f"Change from baseline in outcome {n} (24 weeks)"
        values = TableRow(
            heading=f"{heading} [mean, %]", cells=tuple(Cell(column=arm, text="-0.8", unit="%") for arm in arms)
        )
        effect = (Cell(column="Mean Difference", text="-0.74"), Cell(column="95% CI", text="-0.90 to -0.58"))
        compared = TableRow(heading=f"{heading}, {' versus '.join(names)}", cells=effect)
        yield Section.of_rows((values, compared), "RESULTS: Secondary outcome", f"Secondary outcome {n}")
    for kind in ("Serious adverse events", "Other adverse events"):
        terms = (kind, *(f"Event {n} (Gastrointestinal disorders)" for n in range(EVENTS)))
        cells = tuple(Cell(column=arm, text="4 of 158") for arm in names)
        yield Section.of_rows(
            tuple(TableRow(heading=term, cells=cells) for term in terms), f"ADVERSE EVENTS: {kind}", kind
        )


def numbered(record: Reference, n: int) -> Reference:
    """The reference under that number, with a full description of a paper."""
    authors = tuple(Contributor(family=f"Author{chr(97 + k)}", given="Jane Q", initials="JQ") for k in range(AUTHORS))
    publication = Publication(
        authors=authors, journal="The New England journal of medicine", journal_abbreviation="N Engl J Med",
        volume="344", issue="11", pages=Pages(first="783", last="792"), issn="0028-4793", language="eng",
    )  # fmt: skip
    return record.model_copy(update={"n": n, "source_id": f"src_{n:04}", "publication": publication})


def started(data_dir: Path, job_id: str, times: int) -> list[Row]:
    """The command with its start, as a multiple of `python -c pass`."""
    name = f"storm export JOB --format {BIBLIOGRAPHIES}"
    exporting = command("export", job_id, "--format", BIBLIOGRAPHIES, "--out", "again")
    taken = measure_fastest({BARE: [sys.executable, "-c", "pass"], name: exporting}, data_dir, times)
    return [
        {
            "variant": way,
            "n": times,
            "min_ms": round(1000 * took.wall, 1),
            "times_bare": round(took.wall / taken[BARE].wall, 1),
        }
        for way, took in taken.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
