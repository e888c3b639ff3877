"""How well the rules of config/syllabus/drug.yaml file records under questions, against hand labels.

The records with labels are split by a hash of their identifier: rules are written on the development half, and the
held-out half is only measured. Beside a record's text a job knows its relation to the drug, and the drug's names.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _report

from storm.databases.formats.recognition import read_file
from storm.models import Hit, Relation, Syllabus
from storm.patterns.matches import Pattern
from storm.syllabus.assignment import assign
from storm.syllabus.loader import bundled_syllabus
from storm.syllabus.relation import relation_of

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT.parent / "shared" / "facts" / "records.jsonl"
SPLITS = ("development", "held out")

#: The names that a job knows after its plan, the drug's own and its brand.
NAMES = {"trastuzumab": ("trastuzumab", "Herceptin"), "metformin": ("metformin", "Glucophage")}

#: The plain variant: a record answers a question if any of these words occurs in it.
KEYWORDS = {
    "mechanism.moa": r"mechanism|binds|binding|inhibit|pathway|receptor|signal",
    "clinical.efficacy": r"efficacy|survival|response|hazard ratio|trial|reduced|improved",
    "clinical.safety": r"safety|adverse|toxic|warning|side effect|risk",
    "competitive.landscape": r"versus|compared|comparison|biosimilar|generic|competit",
    "market.status": r"approv|market|launch|sales|licen[cs]|label",
    "ip.patents": r"patent|expir|exclusivity|claims",
}


class Labelled(NamedTuple):
    """A record, the drug it was collected for, and the questions that a person filed it under."""

    hit: Hit
    drug: str
    questions: frozenset[str]


class Row(NamedTuple):
    """Micro-averaged precision, recall and F1 of one variant on one half, and the milliseconds a record took."""

    variant: str
    split: str
    n: int
    precision: float
    recall: float
    f1: float
    ms: float


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or JSON with --json; 2 if the labels are not there."""
    parser = argparse.ArgumentParser(prog="bench assign", description="Assignment of records to questions by rules.")
    parser.add_argument("--facts", type=Path, default=FACTS, help="JSON lines with hand labels")
    parser.add_argument("--articles", type=Path, nargs="+", default=(), help="folders of full texts (JATS) to time")
    parser.add_argument("--filings", type=Path, help="file to write the questions of each record to, as JSON")
    parser.add_argument("--before", type=Path, help="such a file of another state: list the records that changed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(argv)
    if not options.facts.is_file():
        print(f"no labelled records at {options.facts}; --facts FILE says where they are", file=sys.stderr)
        return 2
    records = read_labelled(options.facts)
    rows, filings = measure(records), file_records(records)
    timed = time_full_texts(options.articles) if options.articles else []
    if options.filings:
        options.filings.write_text(json.dumps(filings), encoding="utf-8")
    changed = list_changes(records, json.loads(options.before.read_text("utf-8")), filings) if options.before else []
    if options.json:
        print(json.dumps({"rows": [row._asdict() for row in rows], "full_texts": timed, "changed": changed}))
    else:
        print("\n\n".join((table(rows), *(_report.table(part) for part in (timed, changed) if part))))
    return 0


def file_records(records: Sequence[Labelled]) -> dict[str, list[str]]:
    """The questions under which a job files each record."""
    syllabus = bundled_syllabus(ROOT / "config")
    return {
        record.hit.key: [one.question for one in assign(record.hit, syllabus, *known_of(record))] for record in records
    }


def list_changes(
    records: Sequence[Labelled], before: dict[str, list[str]], now: dict[str, list[str]]
) -> list[_report.Row]:
    """The records that are filed otherwise than before, with the questions that are gone, those that are new, and how
    many of these the labels have; a gone one is right if they do not."""
    rows: list[_report.Row] = []
    for record in records:
        old, new = set(before.get(record.hit.key, ())), set(now[record.hit.key])
        if old != new:
            right = len((new - old) & record.questions) + len((old - new) - record.questions)
            rows.append(
                {
                    "record": record.hit.key, "half": split_of(record.hit), "gone": " ".join(sorted(old - new)),
                    "new": " ".join(sorted(new - old)), "right": f"{right} of {len(old ^ new)}",
                }
            )  # fmt: skip
    return rows


def read_labelled(path: Path) -> list[Labelled]:
    """The records that have labels and facts."""
    records = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return [labelled(record) for record in records if record.get("questions") and record.get("key_facts")]


def labelled(record: dict[str, Any]) -> Labelled:
    """One record as a database would give it: its facts as the text, its kind of study as the publication type."""
    hit = Hit.of(
        record["database"],
        str(record["external_id"]),
        record["url"],
        record["title"],
        text=" ".join(record["key_facts"]),
        publication_types=(record["study_type"],) if record.get("study_type") else (),
        container=record.get("container"),
        year=record.get("year"),
    )
    return Labelled(hit, record["drug"], frozenset(record["questions"]))


def split_of(hit: Hit) -> str:
    """The half that a record belongs to, by a hash of its identifier."""
    return SPLITS[int(hashlib.sha256(hit.external_id.encode()).hexdigest(), 16) % 2]


def measure(records: Sequence[Labelled]) -> list[Row]:
    """One row a variant and half."""
    syllabus = bundled_syllabus(ROOT / "config")
    variants: dict[str, Callable[[Labelled], Iterable[str]]] = {
        "plain keywords": by_keywords,
        "storm, text only": lambda r: [a.question for a in assign(r.hit, syllabus)],
        "storm": lambda r: [a.question for a in assign(r.hit, syllabus, *known_of(r))],
    }
    halves = {split: [r for r in records if split_of(r.hit) == split] for split in SPLITS}
    return [score(variant, split, halves[split], rule) for variant, rule in variants.items() for split in SPLITS]


def known_of(record: Labelled) -> tuple[Relation | None, tuple[str, ...]]:
    """What a job knows beside the record: what it is about, and the drug's names."""
    names = NAMES.get(record.drug, (record.drug,))
    return relation_of(record.hit, names), names


def time_full_texts(folders: Sequence[Path]) -> list[_report.Row]:
    """What the rules cost a full text: each pattern searched for in each sentence, and words looked up."""
    paths = [path for folder in folders for path in sorted(folder.glob("PMC*.xml*"))]
    hits = [hit for path in paths for hit in read_file(path) if isinstance(hit, Hit)]
    syllabus = bundled_syllabus(ROOT / "config")
    variants: dict[str, Callable[[Hit], object]] = {
        "each sentence searched": lambda hit: search_sentences(hit, syllabus),
        "words looked up": lambda hit: assign(hit, syllabus),
    }
    return [
        {
            "variant": variant,
            "n": len(hits),
            "kB a text": round(sum(len(hit.text) for hit in hits) / 1000 / max(1, len(hits)), 1),
            "ms a text": round(1000 * cpu_seconds(rule, hits) / max(1, len(hits)), 1),
        }
        for variant, rule in variants.items()
    ]


def cpu_seconds(rule: Callable[[Hit], object], hits: Iterable[Hit]) -> float:
    """Of the processor, for all of the hits."""
    began = time.process_time()
    for hit in hits:
        rule(hit)
    return time.process_time() - began


def search_sentences(hit: Hit, syllabus: Syllabus) -> int:
    """How many sentences match rules on sentences, without looking up words."""
    rules = [rule for question in syllabus.questions for rule in question.rules if rule.where in ("share", "sentence")]
    sentences = [text.lower() for section in hit.sections for text in re.split(r"(?<=[.!?])\s+", section.text)]
    patterns = [Pattern(rule.pattern).compile() for rule in rules]
    return sum(pattern.search(sentence) is not None for pattern in patterns for sentence in sentences)


def by_keywords(record: Labelled) -> list[str]:
    """The questions of which any keyword occurs."""
    text = f"{record.hit.title} {record.hit.text}"
    return [question for question, pattern in KEYWORDS.items() if re.search(pattern, text, re.IGNORECASE)]


def score(variant: str, split: str, records: Sequence[Labelled], rule: Callable[[Labelled], Iterable[str]]) -> Row:
    """Micro-averaged over all pairs of record and question."""
    began = time.perf_counter()
    given = [frozenset(rule(record)) for record in records]
    ms = 1000 * (time.perf_counter() - began) / max(1, len(records))
    right = sum(len(found & record.questions) for found, record in zip(given, records, strict=True))
    precision = right / max(1, sum(map(len, given)))
    recall = right / max(1, sum(len(record.questions) for record in records))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return Row(variant, split, len(records), round(precision, 3), round(recall, 3), round(f1, 3), round(ms, 2))


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    lines = [f"{'variant':<18}{'half':<14}{'n':>5}{'precision':>11}{'recall':>8}{'micro-F1':>10}{'ms':>7}"]
    lines += [
        f"{r.variant:<18}{r.split:<14}{r.n:>5}{r.precision:>11.3f}{r.recall:>8.3f}{r.f1:>10.3f}{r.ms:>7.2f}"
        for r in rows
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
