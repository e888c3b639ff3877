"""`storm ask`: whether the answer to a question cites the article that has it, and one of the sentences that do.

Part "evidence" needs questions with known answers: --evidence is a folder with `prompts.jsonl` and `articles/` (JATS)
as `bench evidence` reads them, --fulltext a folder with more articles, which are noise. All are indexed once, and each
question is asked offline, without a model, in the modes deep_research and report. The questions with odd numbers are
those that rules may be tuned on; the others are held out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from _report import Row, p50, p95
from evidence import Prompt, is_evidence, read_prompts

from storm.app import App, open_app
from storm.databases.corpus.database import add_paths
from storm.databases.corpus.index import CorpusIndex
from storm.models import Dossier, JobRequest, RequestKind, ResearchSettings, RunSettings, Statement, SummarySentence
from storm.ranking import split_terms
from storm.settings import read_settings
from storm.store import stop_embedded

MODES = ("deep_research", "report")
#: Settings of research, as the command asks.
SETTINGS = {
    "deep_research": ResearchSettings(max_search_results=10, max_iterations=10),
    "report": ResearchSettings(),
}
HALVES = ("tuning (odd)", "held out (even)")


class Asked(NamedTuple):
    """What became of one question: which of what is wanted the report has, and how long it took."""

    half: str
    cites_article: bool
    states_evidence: bool
    answers_with_evidence: bool
    statements: int
    rounds: int
    seconds: float


def add_evidence_options(options: ArgumentParser) -> None:
    """The options of the part "evidence"."""
    options.add_argument("--evidence", type=Path, help="folder with prompts.jsonl and articles/")
    options.add_argument("--fulltext", type=Path, help="folder with more articles")
    options.add_argument("--modes", nargs="+", choices=MODES, default=MODES, help="modes to compare")
    options.add_argument("--half", choices=("odd", "even", "both"), default="both", help="questions to ask")
    options.add_argument("--most", type=int, help="ask only so many questions")
    options.add_argument("--misses", action="store_true", help="name the missed questions of the tuning half")


def measure_evidence(given: Namespace) -> list[Row]:
    """The rows of the questions that were chosen."""
    chosen = [
        (number, prompt)
        for number, prompt in enumerate(read_prompts(given.evidence / "prompts.jsonl"), 1)
        if given.half in ("both", ("even", "odd")[number % 2])
    ][: given.most]
    folders = [given.evidence / "articles", *([given.fulltext] if given.fulltext else [])]
    return evidence_rows(folders, chosen, given.modes, names_misses=given.misses)


def evidence_rows(
    folders: Sequence[Path], chosen: Sequence[tuple[int, Prompt]], modes: Sequence[str], *, names_misses: bool
) -> list[Row]:
    """For each mode and half, the shares of the questions with what is wanted, and the seconds of an answer."""
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        data_dir = Path(folder)
        add_paths(CorpusIndex(data_dir / "corpus"), folders)
        try:
            asked = asyncio.run(ask_all(data_dir, chosen, modes, names_misses=names_misses))
        finally:
            asyncio.run(stop_embedded(data_dir, force=True))
    return [
        describe(mode, half, own)
        for mode in modes
        for half in HALVES
        if (own := [one for one in asked[mode] if one.half == half])
    ]


async def ask_all(
    data_dir: Path, chosen: Sequence[tuple[int, Prompt]], modes: Sequence[str], *, names_misses: bool
) -> dict[str, list[Asked]]:
    """What became of each question in each mode."""
    asked: dict[str, list[Asked]] = {mode: [] for mode in modes}
    async with open_app(read_settings()._replace(data_dir=data_dir, models=None, redis_url=None)) as app:
        for number, prompt in chosen:
            for mode in modes:
                one = await ask(app, number, prompt, mode)
                asked[mode].append(one)
                if names_misses and number % 2 and not one.answers_with_evidence:
                    print(f"{mode} {number} {one}", file=sys.stderr)
    return asked


async def ask(app: App, number: int, prompt: Prompt, mode: str) -> Asked:
    """Ask one question in a mode."""
    request = JobRequest(
        kind=RequestKind.QUESTION,
        text=word_question(prompt),
        offline=True,
        settings=RunSettings(mode=mode, research=SETTINGS[mode]),
    )
    began = time.monotonic()
    job = await app.start(request)
    made = await app.work(job.job_id)
    seconds = time.monotonic() - began
    assert isinstance(made, Dossier)
    own = {one.source_id for one in made.references if prompt.pmcid in (one.external_id, *one.identifiers)}
    placed = list(list_placed(made))
    return Asked(
        half=HALVES[number % 2 == 0],
        cites_article=any(own & set(one.source_ids) for one in placed),
        states_evidence=holds(prompt, own, (s for answer in made.answers for s in answer.all_statements)),
        answers_with_evidence=holds(prompt, own, placed),
        statements=len(placed),
        rounds=len(made.deep_research.iterations) if made.deep_research else 0,
        seconds=seconds,
    )


def word_question(prompt: Prompt) -> str:
    """The question as a person would ask it."""
    return (
        f"What is the effect of {prompt.intervention.strip()} on {prompt.outcome.strip()} compared with "
        f"{prompt.comparator.strip()}?"
    )


def list_placed(made: Dossier) -> Iterator[SummarySentence]:
    """The sentences of the answer."""
    sections = made.research.sections if made.research else ()
    return (one for section in sections for paragraph in section.paragraphs for one in paragraph)


def holds(prompt: Prompt, own: set[str], statements: Iterable[Statement]) -> bool:
    """Whether one of the statements is a marked sentence of the article."""
    marked = [set(split_terms(gold)) for gold in prompt.gold]
    return any(own & set(one.source_ids) and is_evidence(one.quote, marked) for one in statements)


def describe(mode: str, half: str, asked: Sequence[Asked]) -> Row:
    """The shares of these questions, and the milliseconds of an answer."""
    number = len(asked)
    seconds = [one.seconds for one in asked]
    return {
        "variant": mode, "questions": half, "n": number,
        "article_cited": round(sum(one.cites_article for one in asked) / number, 3),
        "evidence_stated": round(sum(one.states_evidence for one in asked) / number, 3),
        "evidence_in_answer": round(sum(one.answers_with_evidence for one in asked) / number, 3),
        "statements": round(sum(one.statements for one in asked) / number, 1),
        "most_statements": max(one.statements for one in asked),
        "rounds": round(sum(one.rounds for one in asked) / number, 1),
        "p50_ms": p50(seconds), "p95_ms": p95(seconds), "max_ms": round(max(seconds) * 1000),
    }  # fmt: skip
