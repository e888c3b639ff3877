"""What a job's agent is asked for each source that its dossier cites: after a first pass of rules, and without.

The corpus is made of records with hand labels (the questions that each answers): copies of those about one drug, with
other numbers, three for each source wanted. Each question needs its share of the sources. The model knows the labels:
it saves what answers a question, under the questions that it answers, reads every second record before, and after a
first pass it goes through the list of what is filed, and moves or drops what the labels do not bear out (one that
`never corrects` does not). It remembers what it did, so that it repeats nothing. Whole jobs in the mode `broad`:
planned, gathered, written, compiled; the writer states a sentence of each source. A token is four characters.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from _bibliographer import fields, inputs_of, says
from _report import Row
from assign import NAMES

from storm.api import job_request
from storm.app import open_corpus
from storm.databases.corpus.database import add_paths
from storm.models import Dossier, Prefill, Source, Syllabus
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus
from storm.syllabus.relation import names_drug
from storm.testing import ScriptedModel, open_test_app

#: The sizes at which a drug is measured.
SIZES = {"trastuzumab": (30, 100, 300), "metformin": (100,)}
#: Records in the corpus for each source wanted.
SUPPLY = 3
#: Calls of one step.
MOST_CALLS = 8
#: The ways to gather: prefill, most calls a step, and whether the model corrects what rules filed.
WAYS: tuple[tuple[Prefill, int, bool], ...] = (
    ("none", 1, True), ("rules", 1, True), ("none", MOST_CALLS, True), ("rules", MOST_CALLS, True),
    ("rules", MOST_CALLS, False),
)  # fmt: skip

_TITLED = r"No\. (\d+): "


class Labelled(NamedTuple):
    """A record, and the questions that it answers by its labels."""

    record: Mapping[str, Any]
    questions: frozenset[str]


class Made(NamedTuple):
    """A finished job: its dossier and its sources."""

    dossier: Dossier
    sources: Sequence[Source]


def prefill_rows(facts: Path, sizes: Sequence[int]) -> list[Row]:
    """A row for each drug, each of its sizes that is among these, and each way to gather."""
    known = [json.loads(line) for line in facts.read_text(encoding="utf-8").splitlines() if line.strip()]
    labelled = [one for one in known if one.get("questions") and one.get("key_facts") and _names_its_drug(one)]
    return [
        row
        for drug in NAMES
        for n in SIZES[drug]
        if n in sizes
        for row in _rows([r for r in labelled if r["drug"] == drug], drug, n)
    ]


def _rows(labelled: Sequence[Mapping[str, Any]], drug: str, n: int) -> Iterator[Row]:
    records = {number: _copy(labelled[number % len(labelled)], number) for number in range(SUPPLY * n)}
    syllabus = _scaled(labelled, n)
    with tempfile.TemporaryDirectory(prefix="storm-bench-") as folder:
        settings = read_settings()._replace(data_dir=Path(folder), redis_url=None)
        corpus = Path(folder, "records.jsonl")
        corpus.write_text("\n".join(json.dumps(one.record) for one in records.values()), encoding="utf-8")
        add_paths(open_corpus(settings), [corpus])
        for prefill, at_once, corrects in WAYS:
            model = Bibliographer(records, syllabus, at_once, drug=drug, corrects=corrects)
            made = asyncio.run(_run(drug, syllabus, prefill, model, Path(folder)))
            name = prefill if corrects else f"{prefill}, never corrects"
            yield _row(made, model, records, f"{drug}: {name}", n, at_once)


def _names_its_drug(labelled: Mapping[str, Any]) -> bool:
    """Whether a search by the drug's names finds it."""
    return names_drug(" ".join((labelled["title"], *labelled["key_facts"])), NAMES[labelled["drug"]])


def _copy(labelled: Mapping[str, Any], number: int) -> Labelled:
    """A copy of the record with another title, id and figures."""
    trial = labelled["database"] == "clinicaltrials"
    facts = " ".join(labelled["key_facts"])
    record = {
        "database": labelled["database"],
        "external_id": f"NCT{90_000_000 + number}" if trial else str(90_000_000 + number),
        "url": f"https://example.org/{number}",
        "title": f"No. {number}: {labelled['title']}",
        "text": re.sub(r"\d(?=[\d.%])", lambda found: str((int(found[0]) + number) % 9 + 1), facts),
        "publication_type": [labelled["study_type"]] if labelled.get("study_type") else [],
        "container": labelled.get("container") or "",
        "year": labelled.get("year") or 2020,
    }
    return Labelled(record, frozenset(labelled["questions"]))


def _scaled(labelled: Sequence[Mapping[str, Any]], n: int) -> Syllabus:
    """The drug's questions, each of which needs its share of n sources."""
    syllabus = bundled_syllabus(read_settings().config_dir)
    share = {q.key: sum(q.key in one["questions"] for one in labelled) / len(labelled) for q in syllabus.questions}
    questions = [q.model_copy(update={"min_sources": max(1, int(n * share[q.key]))}) for q in syllabus.questions]
    return syllabus.model_copy(update={"questions": tuple(questions)})


async def _run(drug: str, syllabus: Syllabus, prefill: Prefill, model: Bibliographer, folder: Path) -> Made:
    async with open_test_app(ScriptedModel(model.reply), data_dir=folder) as app:
        request = job_request(drug, app.settings, offline=True, mode="broad", prefill=prefill)
        job = await app.start(request.model_copy(update={"syllabus": syllabus}))
        dossier = await app.work(job.job_id)
        assert isinstance(dossier, Dossier)
        return Made(dossier, await app.collection(job.job_id).load_sources())


def _row(made: Made, model: Bibliographer, records: Mapping[int, Labelled], variant: str, n: int, at_once: int) -> Row:
    filed = [(records[_number(s)].questions, key) for s in made.sources for key in s.questions]
    right = {key: sum(key in labels for labels, other in filed if other == key) for key in model.syllabus.keys}
    all_filed = {key: sum(other == key for _, other in filed) for key in right}
    needed = {q.key: q.min_sources for q in model.syllabus.questions}
    tokens = sum(model.sizes)
    return {
        "variant": variant,
        "n": n,
        "calls_a_step": at_once,
        "steps": len(model.sizes),
        "largest_prompt": max(model.sizes),
        "prompt_tokens": tokens,
        "of_writing": model.written,
        "kept": len(made.sources),
        "cited": len(made.dossier.references),
        "tokens_a_kept": tokens // max(1, len(made.sources)),
        "tokens_a_cited": tokens // max(1, len(made.dossier.references)),
        "covered": f"{sum(min(all_filed[key], least) for key, least in needed.items())}/{sum(needed.values())}",
        "right/filed": "; ".join(f"{key.partition('.')[2]} {right[key]}/{all_filed[key]}" for key in right),
        "stopped": str(made.dossier.stopped),
    }


def _number(source: Source) -> int:
    found = re.match(_TITLED, source.hit.title)
    assert found, source.hit.title
    return int(found[1])


class Bibliographer:
    """The model: agent, writer and judge. `sizes` are the tokens of the agent's prompts, `written` those
    of all prompts of the writer and the judge."""

    def __init__(
        self, records: Mapping[int, Labelled], syllabus: Syllabus, at_once: int, *, drug: str, corrects: bool
    ) -> None:
        self.syllabus = syllabus
        self.sizes: list[int] = []
        self.written = 0
        self._records = records
        self._at_once = at_once
        self._names = NAMES[drug]
        self._corrects = corrects
        self._done: set[int] = set()
        self._read: set[int] = set()
        self._waiting: list[tuple[str, dict[str, Any]]] = []
        self._searches = {q.key: self._make_searches(q.key) for q in syllabus.questions}

    def reply(self, prompt: str) -> str:
        """The reply to a prompt."""
        given = inputs_of(prompt)
        if "recent_steps" in given:
            self.sizes.append(len(prompt) // 4)
            return says(*self._next_calls(given["recent_steps"], given["state"]))
        self.written += len(prompt) // 4
        if "records" in given:
            return fields(statements=_state_first_sentences(given["records"]))
        if "pairs" in given:
            numbers = range(1, given["pairs"].count("The statement:") + 1)
            return fields(verdicts=[{"number": number, "verdict": "supported"} for number in numbers])
        order = list(range(1, given["statements"].count("<untrusted ") + 1))
        return fields(order=order, disagreements=[], open_points=[])

    def _next_calls(self, recent: str, state: str) -> Sequence[str | tuple[str, dict[str, Any]]]:
        last = recent.rpartition("\n\nStep ")[2]
        self._review(last)
        needy = re.findall(r"^  (\S+): \d+ of \d+$", state, re.M)
        if "All that the syllabus needs is there" not in state:
            self._choose(last, needy)
        if not self._waiting and "All that the syllabus needs is there" not in state:
            searches = (next(self._searches[key], None) for key in needy)
            self._waiting += [call for call in searches if call][: 1 if self._at_once == 1 else 3]
        if not self._waiting:
            return ["finish"]
        calls, self._waiting = self._waiting[: self._at_once], self._waiting[self._at_once :]
        return calls

    def _review(self, last: str) -> None:
        """Correct what the list shows, and ask for its next page."""
        if not self._corrects:
            return
        for source, number, filed in re.findall(rf"^(src_\d+) · \w+ (?:\d{{4}} )?{_TITLED}.*? → (.+)$", last, re.M):
            self._done.add(int(number))
            given, right = frozenset(filed.split(", ")), self._records[int(number)].questions
            if given - right:
                self._waiting.append(("refile_source", {"source_id": source, "questions": sorted(given & right)}))
        if more := re.search(r"^\d+ sources, \d+ to \d+; first=(\d+) shows the next", last, re.M):
            self._waiting.append(("list_sources", {"first": int(more[1])}))

    def _choose(self, last: str, needy: Sequence[str]) -> None:
        """Read or save what a search has shown and a question needs."""
        self._done.update(map(int, re.findall(rf"\(saved: src_\d+\) {_TITLED}", last)))
        cards = re.findall(rf"^(\w+) (\S+) · (?:\d{{4}} )?{_TITLED}", last, re.M)
        for database, record, text in cards:
            number = int(text)
            labels = self._records[number].questions
            if number in self._done or labels.isdisjoint(needy):
                continue
            self._done.add(number)
            if number % 2:
                self._waiting.append(("read_source", {"source": f"{database} {record}"}))
            found = {"source_type": database, "external_id": record, "url": "", "title": ""}
            self._waiting.append(("save_source", {**found, "relevant_questions": sorted(labels)}))

    def _make_searches(self, question: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Searches for a question: each for the longest words of a record that answers it and was not seen yet."""
        for number, one in self._records.items():
            if question in one.questions and number not in self._done:
                words = re.findall(r"[A-Za-z]{4,}", one.record["title"].partition(": ")[2])
                named = sorted((word for word in words if not names_drug(word, self._names)), key=len)[-2:]
                yield "search_corpus", {"words": " OR ".join(dict.fromkeys(named)) or "drug", "question": question}


def _state_first_sentences(records: str) -> list[dict[str, Any]]:
    """The first whole sentence of each record."""
    made = []
    for source, text in re.findall(r'<untrusted id="(\w+)">\n(.*?)\n</untrusted>', records, re.S):
        body = re.sub(r"^\([^\n]*\)\n", "", text.partition("\n\n")[2], flags=re.M)
        sentence = next((one for one in re.split(r"(?<=\.)\s", body) if len(one.split()) > 5), "")
        if sentence:
            made.append({"text": sentence, "source_ids": [source], "quote": sentence})
    return made
