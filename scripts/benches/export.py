"""Writing a dossier's files: each format at 30, 300 and 1,000 references, and how long `storm export` takes to start.

Each time is the fastest of several in this process; memory is the peak of what Python allocates meanwhile. `same twice`
says whether a second writing gave the same bytes. The command is a process of its own, beside `python -c pass`.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

from _program import command, finish
from _report import Row, parser, report
from start import BARE, fastest

from storm.export import FORMATS
from storm.export.formats import render_report
from storm.models import Answer, Contributor, Dossier, Pages, Publication, Reference, Statement
from storm.models.dossier import AtAGlance

BIBLIOGRAPHIES = "bib,ris,csl"
#: Authors of each paper, as many as papers on trials have.
AUTHORS = 12


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
    written = [row(name, size, sample, given.times) for size in given.sizes for name in FORMATS]
    report([*written, *commands], as_json=given.json)
    return 0


def row(name: str, size: int, sample: Dossier, times: int) -> Row:
    """One format at one size."""
    dossier = enlarged(sample, size)
    seconds, contents = [], set[tuple[tuple[str, bytes], ...]]()
    for _ in range(times):
        began = time.perf_counter()
        contents.add(tuple(render_report(dossier, FORMATS[name]).items()))
        seconds.append(time.perf_counter() - began)
    tracemalloc.start()
    render_report(dossier, FORMATS[name])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "variant": name, "n": size, "s": round(min(seconds), 4), "peak_mb": round(peak / 1e6, 1),
        "kb": round(sum(len(content) for _, content in min(contents)) / 1e3, 1),
        "same twice": "yes" if len(contents) == 1 else "NO",
    }  # fmt: skip


def enlarged(sample: Dossier, size: int) -> Dossier:
    """The dossier with so many references, each cited by one statement."""
    references = tuple(numbered(sample.references[n % len(sample.references)], n + 1) for n in range(size))
    said = tuple(Statement(text=f"Result {r.n}.", quote="It helps.", source_ids=(r.source_id,)) for r in references)
    first, *others = (Answer(question=answer.question) for answer in sample.answers)
    answers = (first.model_copy(update={"statements": said}), *others)
    glance = AtAGlance(designs=sample.at_a_glance.designs)
    return sample.model_copy(update={"references": references, "answers": answers, "at_a_glance": glance})


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
    taken = fastest({BARE: [sys.executable, "-c", "pass"], name: exporting}, data_dir, times)
    return [
        {"variant": way, "n": times, "min_ms": round(1000 * took, 1), "times_bare": round(took / taken[BARE], 1)}
        for way, took in taken.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
