"""Similar earlier questions: pairs that ask for the same and pairs that do not, judged here and by rapidfuzz alone.

The pairs (similar_pairs.jsonl) were written by hand. The threshold was chosen on the first of every two of them; the
others are held out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from _report import Row
from rapidfuzz import fuzz

from storm.ranking.similar_questions import THRESHOLD, list_similar, score_similarity

PAIRS = Path(__file__).parent / "similar_pairs.jsonl"
THRESHOLDS = (0.0, 0.5, THRESHOLD, 0.7, 0.8, 0.9)
#: How many earlier questions are looked through.
SIZES = (100, 1_000)
DRUGS = ("metformin", "phenformin", "aspirin", "warfarin", "apixaban", "imatinib", "lithium", "digoxin")

Pair = Mapping[str, str]


def similar_rows() -> list[Row]:
    """What is found and what is wrong, by threshold and half, ours beside rapidfuzz; and what it costs."""
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    halves = {"tuned": pairs[::2], "held out": pairs[1::2]}
    rows: list[Row] = []
    for half, own in halves.items():
        rows += [_count(f"storm, {half}", own, score_similarity, least) for least in dict.fromkeys(THRESHOLDS)]
        rows += [_count(f"rapidfuzz alone, {half}", own, _compare_words, least) for least in (0.8, 0.9, 0.95)]
    return [*rows, *_count_kinds(halves["held out"]), *(_measure(size) for size in SIZES)]


def _compare_words(first: str, second: str) -> float:
    return fuzz.token_sort_ratio(first.casefold(), second.casefold()) / 100


def _count(variant: str, pairs: Sequence[Pair], score: Callable[[str, str], float], least: float) -> Row:
    similar = [pair for pair in pairs if 0 < score(pair["first"], pair["second"]) >= least]
    same = [pair for pair in pairs if not pair["differs"]]
    return {
        "variant": variant, "threshold": least, "same": len(same),
        "found": sum(1 for pair in similar if not pair["differs"]), "different": len(pairs) - len(same),
        "wrong": sum(1 for pair in similar if pair["differs"]),
    }  # fmt: skip


def _count_kinds(pairs: Sequence[Pair]) -> list[Row]:
    """What the pairs of the held-out half differ in, and how many of them are taken for similar."""
    kinds = dict.fromkeys(pair["differs"] for pair in pairs if pair["differs"])
    return [
        {
            "variant": f"differ in {kind}", "n": sum(1 for pair in pairs if pair["differs"] == kind),
            "wrong": sum(
                1
                for pair in pairs
                if pair["differs"] == kind and score_similarity(pair["first"], pair["second"]) >= THRESHOLD
            ),
        }
        for kind in kinds
    ]  # fmt: skip


def _measure(size: int) -> Row:
    """How long looking through so many earlier questions takes."""
    earlier = [
        f"Does {DRUGS[n % len(DRUGS)]} reduce outcome {n} in patients with condition {n % 97}?" for n in range(size)
    ]
    begun = time.perf_counter()
    found = list_similar(f"Can {DRUGS[3]} decrease outcome 3 in people with condition 3?", earlier)
    return {"variant": "look-up", "n": size, "ms": round((time.perf_counter() - begun) * 1000, 1), "found": len(found)}
