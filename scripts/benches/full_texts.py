"""What `storm run DRUG --offline` costs by the number of full texts about the drug: processor time and memory.

--articles are folders of articles (JATS, gzip or not). Each is made one about the drug: its title begins with the
drug's name, which stands for every "treatment" of its text; where there are fewer than wanted, they are taken again
under other numbers. `ms_a_text` is what a text costs beyond a run with one.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from _program import discard, finish, start
from _report import Row, parser, report

DRUG = "metformin"
NUMBERS = (20, 60, 200, 600)
_TITLE = re.compile(r"(<article-title[^>]*>)")
_ID = re.compile(r'(<article-id pub-id-type="(?:pmid|pmc|pmcid|doi|publisher-id|pmc-aid|pmcaid)"[^>]*>)[^<]*')
_TREATMENT = re.compile(r"\btreatment\b")


class Cost(NamedTuple):
    """Of one run, without its server; `cited` are the texts that the dossier quotes."""

    cpu_s: float
    mb: float
    cited: int


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    options = parser("full_texts", "Processor time and memory of a run by the number of full texts.")
    options.add_argument("--articles", type=Path, nargs="+", help="folders of JATS articles")
    options.add_argument("--numbers", type=int, nargs="+", default=NUMBERS, help="of full texts")
    given = options.parse_args(argv)
    if not given.articles:
        options.error("it needs articles: --articles DIR (JATS files)")
    report(list(rows(given.articles, sorted(given.numbers))), as_json=given.json)
    return 0


def rows(folders: Sequence[Path], numbers: Sequence[int]) -> Iterator[Row]:
    """A row for each number of texts."""
    one = cost_of(folders, 1)
    for number in numbers:
        cost = cost_of(folders, number)
        yield {
            "variant": "storm run --offline", "n": number, "cited": cost.cited, "cpu_s": round(cost.cpu_s, 2),
            "ms_a_text": round(1000 * (cost.cpu_s - one.cpu_s) / max(1, number - 1), 1), "mb": round(cost.mb),
        }  # fmt: skip


def cost_of(folders: Sequence[Path], number: int) -> Cost:
    """One run on a corpus of so many texts."""
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as work:
        texts, data_dir, report_dir = Path(work) / "texts", Path(work) / "data", Path(work) / "report"
        texts.mkdir()
        data_dir.mkdir()
        for place, text in enumerate(islice(about_the_drug(folders), number), 1):
            (texts / f"PMC{place}.xml").write_text(text, encoding="utf-8")
        finish(data_dir, "corpus", "add", str(texts))
        used = resources_of(data_dir, "run", DRUG, "--offline", "--quiet", "--format", "json", "--out", str(report_dir))
        dossier = json.loads((report_dir / "dossier.json").read_text(encoding="utf-8"))
        discard(data_dir)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, len(dossier["references"]))


def resources_of(data_dir: Path, *args: str) -> resource.struct_rusage:
    """What `storm ARGS` used, by the system's count."""
    process = start(data_dir, *args)
    if process.stdout:
        process.stdout.read()  # until it ends
    return os.wait4(process.pid, 0)[2]


def about_the_drug(folders: Sequence[Path]) -> Iterator[str]:
    """The articles as if each were about the drug, again and again."""
    paths = [path for folder in folders for path in sorted(folder.glob("PMC*.xml*"))]
    for number, path in enumerate(cycle(paths), 1):
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        named = _TITLE.sub(rf"\g<1>{DRUG}, {number}: ", raw.decode("utf-8"), count=1)
        yield _ID.sub(rf"\g<1>{number}", _TREATMENT.sub(DRUG, named))


if __name__ == "__main__":
    raise SystemExit(main())
