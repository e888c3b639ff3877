"""What the checks without a model accept: statements that their quote supports or not, by kind of change.

`claim_pairs.jsonl` has sentences that we wrote (their numbers are made up) with true paraphrases and changed copies;
the half "held out" was written after the rules, and has led to more of them. On freely worded pairs of other articles
that no rule had met, three to five in ten failed (docs/benchmarks.md).
Nothing is fitted to the pairs when the checks run, so leaving a quote out changes no verdict of the others: "worst
quote" is the highest share of a single quote.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from storm.agents.drafts import Draft, check_draft
from storm.citations.denials import find_contradiction
from storm.citations.numbers import find_unsupported_names, find_unsupported_numbers
from storm.models import Hit

PAIRS = Path(__file__).with_name("claim_pairs.jsonl")
ALL = "all"


class Pair(NamedTuple):
    """A statement, its quote, and whether the quote supports it; the record's title and drug where they matter."""

    statement: str
    quote: str
    carried: bool
    kind: str
    half: str = ALL
    title: str = "A record"
    drug: str = ""


class Row(NamedTuple):
    """Of the wrong pairs of one kind, how many are accepted; of the right ones, how many are refused."""

    variant: str
    half: str
    pairs: str
    kind: str
    n: int
    failed: int
    share: float
    worst_quote: float


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or JSON with --json; 2 if the file of pairs is missing."""
    parser = argparse.ArgumentParser(prog="bench claims", description="Checks of statements by rule.")
    parser.add_argument("--triples", type=Path, default=PAIRS, help="JSON lines: statement, quote, carried, kind")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-v", "--verbose", action="store_true", help="show each pair that is judged wrongly")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="another checkout, whose rules stand beside")
    options = parser.parse_args(argv)
    if not options.triples.is_file():
        print(f"no pairs at {options.triples}", file=sys.stderr)
        return 2
    pairs = read_pairs(options.triples)
    if options.verbose:
        print("\n".join(list_wrong_verdicts(pairs)), file=sys.stderr)
    rows = [*(measure_checkout(options.before, options.triples) if options.before else ()), *measure(pairs)]
    print(
        json.dumps({"rows": [row._asdict() for row in rows]}, ensure_ascii=False)
        if options.json
        else format_table(rows)
    )
    return 0


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file; unknown fields are ignored."""
    records = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return [Pair(**{name: record[name] for name in Pair._fields if name in record}) for record in records]


def find_fault(pair: Pair) -> str:
    """What `check_draft` finds wrong with the pair; empty if nothing."""
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", pair.title, text=pair.quote)
    draft = Draft(text=pair.statement, quote=pair.quote, source_ids=["src_001"])
    return check_draft(draft, {"src_001": hit}, pair.drug).fault


def find_number_or_denial_fault(pair: Pair) -> str:
    """What the first checks alone find wrong with the pair: numbers, names with numbers, and denials."""
    known = (pair.quote, pair.title, pair.drug)
    missing = find_unsupported_numbers(pair.statement, pair.quote) or find_unsupported_names(
        pair.statement, pair.quote, known
    )
    return ", ".join(missing) or find_contradiction(pair.statement, pair.quote)


def measure(pairs: Sequence[Pair]) -> list[Row]:
    """The rows of each variant: overall first, then by kind."""
    variants: dict[str, Callable[[Pair], str]] = {
        "numbers and denials": find_number_or_denial_fault,
        "storm": find_fault,
    }
    return [
        row for name, judge in variants.items() for row in _measure_variant(name, [(p, bool(judge(p))) for p in pairs])
    ]


def measure_checkout(checkout: Path, triples: Path) -> list[Row]:
    """The rows that the bench of another checkout finds for its own rules."""
    command = [sys.executable, "scripts/benches/claims.py", "--triples", str(triples.resolve()), "--json"]
    environment = os.environ | {"PYTHONPATH": str(checkout.resolve())}
    run = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True, text=True)
    rows = (Row(**row) for row in json.loads(run.stdout)["rows"])
    return [row._replace(variant=checkout.name) for row in rows if row.variant == "storm"]


def list_wrong_verdicts(pairs: Iterable[Pair]) -> list[str]:
    """One line for each pair that is accepted though wrong, or refused though right."""
    judged = ((pair, find_fault(pair)) for pair in pairs)
    return [f"{pair.kind}: {pair.statement} | {fault or 'accepted'}" for pair, fault in judged
            if bool(fault) is pair.carried]  # fmt: skip


def _measure_variant(variant: str, judged: Sequence[tuple[Pair, bool]]) -> Iterable[Row]:
    groups: dict[tuple[str, bool, str], list[tuple[Pair, bool]]] = defaultdict(list)
    for pair, refused in judged:
        for kind in (ALL, pair.kind):
            groups[pair.half, pair.carried, kind].append((pair, refused is pair.carried))
    for (half, carried, kind), results in sorted(groups.items(), key=_sort_key):
        failed = sum(wrong for _, wrong in results)
        pairs = "right, refused" if carried else "wrong, accepted"
        yield Row(variant, half, pairs, kind, len(results), failed, _share(failed, len(results)), _worst_share(results))


def _sort_key(item: tuple[tuple[str, bool, str], Any]) -> tuple[bool, str, bool, str]:
    half, carried, kind = item[0]
    return kind != ALL, half, carried, kind


def _worst_share(results: Sequence[tuple[Pair, bool]]) -> float:
    quotes: dict[str, list[bool]] = defaultdict(list)
    for pair, wrong in results:
        quotes[pair.quote].append(wrong)
    return max(_share(sum(wrong), len(wrong)) for wrong in quotes.values())


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3)


def format_table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    lines = [
        f"{'variant':<21}{'half':<10}{'pairs':<17}{'kind':<22}{'n':>5}{'failed':>8}{'share':>8}{'worst quote':>13}"
    ]
    lines += [
        f"{r.variant:<21}{r.half:<10}{r.pairs:<17}{r.kind:<22}{r.n:>5}{r.failed:>8}{r.share:>8.3f}{r.worst_quote:>13.3f}"
        for r in rows
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
