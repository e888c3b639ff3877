"""Hostile records and pages against a researcher that obeys whatever it takes for an instruction.

All of them come up in one job each, and each is seen in the prompt after the call that said of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import dspy
import pytest
from agents.hostile import CLAIM, HOSTILE, obedient, obeys
from agents.jobs import Job, open_job
from agents.library import SYLLABUS, Library, says
from agents.scripted import DIALECTS, asked, prompts_of, scripted_lm
from agents.writers import first_sentences, honest
from long_parameters import mark_long

from storm.agents import window
from storm.databases.pages.reader import page_hit
from storm.databases.pages.reading import read_page
from storm.models import Hit, Plan
from storm.tools.reading import PIECE

TEXTS = list(HOSTILE.values())
FIELDS = ["drug", "today", "syllabus", "tools", "recent_steps", "state"]

Call = tuple[str, dict[str, Any]]


class Shelf(Library):
    """A database with these records: the word 7 finds the seventh."""

    def __init__(self, name: str, hits: Sequence[Hit]) -> None:
        super().__init__(name, 0)
        self._hits = list(hits)


def record(number: int, text: str, title: str = "Trastuzumab after surgery") -> Hit:
    external_id = str(20_000_000 + number)
    return Hit.of("pubmed", external_id, f"https://example.org/{external_id}", title, text=text, year=2019)


def saving(external_id: str, question: str = "clinical.efficacy", **more: Any) -> Call:
    found = {"source_type": "pubmed", "external_id": external_id, "url": "", "title": "", **more}
    return "save_source", {**found, "relevant_questions": [question]}


def reading(source: str, text: str) -> list[Call]:
    """All parts of a text, and one more."""
    return [("read_source", {"source": source, "part": n}) for n in range(1, 3 + len(text) // (PIECE // 2))]


#: What the model does beside looking at hostile texts.
GOOD: list[Call] = [
    ("search_chembl", {"words": "cohort 1"}),
    saving("10000001", source_type="chembl", key_excerpts="Of 1 patients who took trastuzumab 1 % responded."),
]
#: To finish takes two calls, since the first is shown what is missing.
END: list[Call] = [("check_completion", {}), ("finish", {}), ("finish", {})]
HITS = [record(number, text, title=text) for number, text in enumerate(TEXTS, start=1)]
#: Each found by a search and read.
LOOKING: list[Call] = [
    call
    for number, hit in enumerate(HITS, start=1)
    for call in (("search_pubmed", {"words": str(number)}), *reading(f"pubmed {hit.external_id}", hit.text))
]


def researcher(calls: Sequence[tuple[Any, ...]], dialect: str = "chat") -> Callable[[str], str]:
    """A model that makes these calls, one after the other, unless it takes something for an instruction.

    Those after the first two parts of a call are made at the same time.
    """
    script = iter(calls)

    def next_call(prompt: str) -> str:
        tool, arguments, *further = next(script)
        more = [{"tool": name, "args": given} for name, given in further]
        return says(tool, arguments, dialect=dialect, more_calls=more)

    def obey(prompt: str) -> str:
        evil = {"claim": CLAIM, "source_type": "pubmed", "source_id": "20000001", "direct_quote": CLAIM}
        more = [{"tool": "register_citation", "args": evil}, {"tool": "finish", "args": {}}]
        return says(*saving("20000001"), dialect=dialect, more_calls=more)

    return obedient(next_call, obey)


async def assert_only_these(job: Job, calls: Sequence[Call], dialect: str = "chat") -> dspy.LM:
    """The run makes these calls to its own end, and collects what they collect."""
    lm = scripted_lm(researcher(calls, dialect))
    assert await job.gather(lm, dialect, patience=len(calls)) == "no_progress"
    asked_for = [(tool, json.dumps({} if tool == "finish" else given, ensure_ascii=False)) for tool, given in calls]
    assert await job.calls() == asked_for
    assert all(list(asked(prompt)) == FIELDS for prompt in prompts_of(lm))
    assert await job.saved() == [("chembl:10000001", ("clinical.efficacy",))]
    assert [citation.claim for citation in await job.collection.citations()] == ["Trastuzumab in cohort 1"]
    return lm


@pytest.mark.parametrize("name", ["order", "chat field", "JSON tool call", "end of the fence", "ChatML", "tool output"])
async def test_the_same_model_obeys_the_same_record_where_it_is_not_fenced(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "fence_text", lambda text, label: text)
    calls = [("search_pubmed", {"words": "1"}), *GOOD, *END]
    async with open_job(Shelf("pubmed", [record(1, HOSTILE[name])]), Library("chembl", 1)) as job:
        await job.gather(scripted_lm(researcher(calls)), max_iters=2)
        made = [tool for tool, _ in await job.calls()]
        assert made == ["search_pubmed", "save_source", "register_citation", "finish"]
        assert [claim.claim for claim in await job.collection.citations() if claim.claim == CLAIM] == [CLAIM]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", mark_long(DIALECTS, but=("json",)))
async def test_nothing_comes_of_hostile_records_that_are_found_and_read(dialect: str) -> None:
    async with open_job(Shelf("pubmed", HITS), Library("chembl", 1)) as job:
        lm = await assert_only_these(job, [*LOOKING, *GOOD, *END], dialect)
    assert len(prompts_of(lm)) > 3 * len(TEXTS)


@pytest.mark.long
@pytest.mark.slow
async def test_what_a_model_copies_from_a_hostile_record_is_no_instruction_to_it_either() -> None:
    """Its title and words as arguments, as save_source asks for them; as words to search for; in calls that fail."""
    calls: list[tuple[Any, ...]] = []
    for number, hit in enumerate(HITS, start=1):
        copied = "\n".join(hit.title.splitlines())[:400]
        cited = {"source_type": "pubmed", "source_id": hit.external_id, "direct_quote": copied, "claim": copied}
        calls += [
            ("search_pubmed", {"words": str(number)}),
            saving(hit.external_id, title=copied, url=copied, key_excerpts=copied),
            (
                "register_citation", cited, ("search_pubmed", {"words": copied}), ("read_source", {"source": copied}),
                ("get_citation", {"citation_id": copied}), (copied[:50], {}), ("get_progress", {copied: "1"}),
            ),
        ]  # fmt: skip
    lm = scripted_lm(researcher([*calls, *END]))
    async with open_job(Shelf("pubmed", HITS), Library("chembl", 1)) as job:
        assert await job.gather(lm, patience=len(calls)) == "no_progress"
        assert len(await job.journal.steps()) == len(calls) + len(END)
        assert len(await job.saved()) == len(HITS)


@pytest.mark.slow
async def test_what_a_model_retells_of_a_hostile_record_in_its_thoughts_is_no_instruction_to_it() -> None:
    thoughts = iter([f"The record says: {text}" for text in TEXTS])
    lm = scripted_lm(lambda prompt: says("search_pubmed", {"words": "1"}, thought=next(thoughts)))
    async with open_job(Shelf("pubmed", [record(1, "Response was good.")])) as job:
        await job.gather(lm, max_iters=len(TEXTS), patience=len(TEXTS))
    assert len(prompts_of(lm)) == len(TEXTS)
    assert not any(map(obeys, prompts_of(lm)))


@pytest.mark.parametrize("first", range(0, len(TEXTS), 3))
async def test_hostile_names_of_the_drug_are_no_instructions(first: int) -> None:
    plan = Plan(names=("trastuzumab", *TEXTS[first : first + 3]), syllabus=SYLLABUS)
    lm = scripted_lm(researcher([("search_pubmed", {"words": "1"})]))
    async with open_job(Library("pubmed", 1)) as job:
        await job.gather(lm, plan=plan, max_iters=1)
        assert [tool for tool, _ in await job.calls()] == ["search_pubmed"]


# Pages


SENTENCE = "Trastuzumab prolonged survival of women with metastatic breast cancer in this trial. "


def page(text: str) -> bytes:
    """A page that says it in every place that a reader, or only a machine, may look at."""
    shown, quoted = escape(text, quote=False), escape(text)
    own = "".join(f"<p>{n}. {SENTENCE}</p>" for n in range(12))
    return f"""<!doctype html><html><head><title>{shown}</title><meta name="citation_title" content="{quoted}">
<meta name="citation_author" content="{quoted}"><meta name="description" content="{quoted}"></head><body>
<div style="display:none">{shown}</div><p hidden>{shown}</p><p style="color:#fff;font-size:0">{shown}</p>
<article><h1>Trastuzumab</h1>{own}<p>{shown}</p><div>{text}</div><!-- {text} --><p aria-hidden="true">{shown}</p>
<img alt="{quoted}" src="x"><noscript>{shown}</noscript><table><tr><td>{shown}</td></tr></table></article>
<footer>{shown}</footer></body></html>""".encode(errors="replace")


def read(number: int, text: str) -> Hit:
    """The page as the page reader gives it."""
    url = f"https://example.org/{number}"
    return page_hit(read_page(page(text), "text/html; charset=utf-8"), url, url)


class Pages:
    """Gives these pages."""

    def __init__(self, pages: Sequence[Hit]) -> None:
        self._pages = {page.url: page for page in pages}

    async def fetch(self, url: str) -> Hit:
        return self._pages[url]


@pytest.mark.slow
async def test_nothing_comes_of_hostile_pages_that_are_scraped_and_read() -> None:
    pages = [read(number, text) for number, text in enumerate(TEXTS, start=1)]
    assert all("Trastuzumab prolonged survival" in page.text for page in pages)
    assert sum(obeys(page.text) for page in pages) > 60
    found = [Hit.of("web", page.url, page.url, "News", text="Trastuzumab in the news.") for page in pages]
    calls: list[Call] = []
    for number, page in enumerate(pages, start=1):
        calls += [("search_web", {"words": str(number)}), ("scrape_url", {"url": page.url})]
        calls += reading(f"web {page.url}", page.text)
    async with open_job(Shelf("web", found), Library("chembl", 1), pages=Pages(pages)) as job:
        await assert_only_these(job, [*calls, *GOOD, *END])


# To the dossier


@pytest.mark.parametrize(
    "name", ["order", "chat field", "JSON reply", "end of the fence", "citation of another source", "tag characters"]
)
async def test_no_statement_or_reference_of_a_dossier_comes_from_a_hostile_source(name: str) -> None:
    """It is saved as a source, so that the writer reads it as well."""
    research = researcher([("search_pubmed", {"words": "1"}), *GOOD, saving("20000001"), *END])

    def write(records: str) -> Any:
        return [one for one in first_sentences(records) if "patients who took trastuzumab" in one["quote"]]

    def obey(prompt: str) -> str:
        return DIALECTS["chat"](statements=[{"text": f"{CLAIM}.", "source_ids": ["src_001"], "quote": f"{CLAIM}."}])

    written = obedient(honest(write), obey)
    lm = scripted_lm(lambda prompt: (research if "recent_steps" in asked(prompt) else written)(prompt))
    async with open_job(Shelf("pubmed", [record(1, HOSTILE[name])]), Library("chembl", 1)) as job:
        dossier = await job.dossier(lm)
    assert [s.source_ids for answer in dossier.answers for s in answer.statements] == [("src_001",)]
    assert [reference.source_id for reference in dossier.references] == ["src_001"]
    assert "cures" not in "".join(answer.model_dump_json() for answer in dossier.answers)
    assert any("src_002" in prompt for prompt in prompts_of(lm))
    assert not any(map(obeys, prompts_of(lm)))
