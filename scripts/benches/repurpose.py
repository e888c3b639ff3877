"""`storm repurpose`: references in its report, prompts by the evidence, kills, and one report to check by hand.

References are those of `bench citations`, wrong and harmless, inside of a report. The prompts are those of the roles
that propose, judge and summarise, with a model whose replies are not usable (_repurposing_roles.py). What is killed are
whole processes on the bundled sample, as in `bench report`.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _model_server import MODEL
from _program import discard, indexed, start
from _report import Row, parser, report
from _report_references import validate_in_reports
from _repurposing_roles import largest_prompts
from citations import HARMLESS, MADE_UP, WRONG, made_up_sources, make_cases, measure_variant, sample_sources
from report import kill_rows, serve_model
from run import Job

PARTS = ("references", "prompts", "kills", "sample")
SIZES = (20, 200, 1_000)
QUERY = "metformin for Alzheimer's disease"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("repurpose", "Reports that put hypotheses to the test.")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what is measured")
    options.add_argument("--references", type=int, default=10_000, help="of each kind, wrong and harmless")
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="pieces of evidence")
    options.add_argument("--points", type=int, default=30, help="kills of each command")
    options.add_argument("--seed", type=int, default=1, help="of the random points")
    options.add_argument("--at-once", type=int, default=2, help="killed runs under way at the same time")
    options.add_argument("--query", default=QUERY, help="what is killed, and the report to check by hand")
    given = options.parse_args(argv)
    logging.disable()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        if "references" in given.parts:
            rows += reference_rows(given.references)
        if "prompts" in given.parts:
            rows += prompt_rows(given.sizes)
        if "kills" in given.parts:
            rows += kill_rows(Path(folder), processes(given.query), given.points, given.seed, given.at_once)
        if "sample" in given.parts:
            rows += sample_rows(Path(folder) / "sample", given.query)
    report(rows, as_json=given.json)
    return 0


def reference_rows(references: int) -> list[Row]:
    """How many wrong references pass the validation of a report, and how many harmless ones do not."""
    sources = [*sample_sources(), *made_up_sources(MADE_UP)]
    cases = [*make_cases("wrong", WRONG, sources, references), *make_cases("harmless", HARMLESS, sources, references)]
    return [*measure_variant("report", lambda written: validate_in_reports(sources, written), cases)]


def prompt_rows(sizes: Sequence[int]) -> list[Row]:
    """The largest prompt of each role by the pieces of evidence, tokens being characters / 4, and to the first size."""
    rows: list[Row] = []
    first: Mapping[str, int] = {}
    for size in sizes:
        prompts = largest_prompts(size)
        first = first or prompts
        rows += [
            {
                "variant": role, "pieces": size, "largest_prompt_tokens": characters // 4,
                "to_the_first": round(characters / first[role], 3),
            }
            for role, characters in prompts.items()
        ]  # fmt: skip
    return rows


def processes(query: str) -> Mapping[str, Job]:
    """The command without and with a model."""
    asked = ("repurpose", query, "--offline", "--quiet", "--format", "json", "--out", "report")
    return {
        "storm repurpose": Job(asked, "report"),
        "storm repurpose --model": Job((*asked, "--model", MODEL), "report", serve_model),
    }


def sample_rows(data_dir: Path, query: str) -> list[Row]:
    """The hypotheses of a report without a model, its counts, and its references."""
    indexed(data_dir)
    try:
        process = start(data_dir, *processes(query)["storm repurpose"].args)
        said, _ = process.communicate(timeout=600)
        path = data_dir / "report" / "report.json"
        if not path.exists():
            raise SystemExit(f"storm repurpose ended with {process.returncode}:\n{said}")
        whole = json.loads(path.read_text(encoding="utf-8"))
    finally:
        discard(data_dir)
    made = (whole["repurposing"] or {}).get("report")
    return describe_report(made) if made else [{"variant": "no report", "exit_code": whole["exit_code"]}]


def describe_report(made: Mapping[str, Any]) -> list[Row]:
    """A line for the counts, one for each hypothesis, and one for each reference."""
    counts: Row = {
        "variant": "counts", "papers": made["total_papers_reviewed"], "rounds": made["search_iterations"],
        "confidence": made["confidence_score"], "hypotheses": len(made["hypotheses_tested"]),
        "references": len(made["references"]), "removed": len(made["removed_references"]),
    }  # fmt: skip
    hypotheses: list[Row] = [
        {"variant": "hypothesis", "for": one["supported"], "against": one["contradicted"], "status": one["status"],
         "mechanism": one["mechanism"]}
        for one in made["hypotheses_tested"]
    ]  # fmt: skip
    references: list[Row] = [
        {"variant": "reference", "n": n, "date": one["date"], "identifier": next(iter(one["identifiers"]), ""),
         "title": one["title"][:100]}
        for n, one in enumerate(made["references"], start=1)
    ]  # fmt: skip
    return [counts, *hypotheses, *references]


if __name__ == "__main__":
    sys.exit(main())
