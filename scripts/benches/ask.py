"""`storm ask`: answers to questions with known answers, wall time and prompts with a model, similar questions, kills.

What is killed are whole processes on the bundled sample, as in `bench report`.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from _ask_evidence import add_evidence_options, measure_evidence
from _ask_similar import similar_rows
from _model_server import MODEL
from _report import Row, parser, report
from ask_models import ask_prompt_rows, wall_rows
from report import kill_rows, serve_model
from run import Job

PARTS = ("wall", "prompts", "similar", "kills")
EVIDENCE = "evidence"
SIZES = (20, 200, 1_000)
ASKED = (
    "ask", "Does trastuzumab harm the heart?", "--offline", "--quiet", "--format", "json", "--out", "report",
    "--max-iterations", "3",
)  # fmt: skip
PROCESSES: Mapping[str, Job] = {
    "storm ask": Job(ASKED, "report"),
    "storm ask --model": Job((*ASKED, "--model", MODEL), "report", serve_model),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("ask", "Answers to one question by a checklist.")
    options.add_argument("--parts", nargs="+", choices=(*PARTS, EVIDENCE), default=PARTS, help="what is measured")
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sources of the prompts")
    options.add_argument("--points", type=int, default=30, help="kills of each command")
    options.add_argument("--seed", type=int, default=1, help="of the random points")
    options.add_argument("--at-once", type=int, default=2, help="killed runs under way at the same time")
    add_evidence_options(options)
    given = options.parse_args(argv)
    if EVIDENCE in given.parts and given.evidence is None:
        options.error("part evidence needs its material: --evidence DIR, and --fulltext DIR for noise")
    logging.disable()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        if "wall" in given.parts:
            rows += wall_rows(Path(folder))
        if "prompts" in given.parts:
            rows += ask_prompt_rows(given.sizes)
        if "kills" in given.parts:
            rows += kill_rows(Path(folder), PROCESSES, given.points, given.seed, given.at_once)
    if "similar" in given.parts:
        rows += similar_rows()
    if EVIDENCE in given.parts:
        rows += measure_evidence(given)
    report(rows, as_json=given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
