"""A clumsy and a malicious model against the real tools: each is shown what was wrong, and nothing else happens."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import httpx
import pytest
from agents.jobs import Job, open_job
from agents.library import Library, record, says
from agents.scripted import prompts_of, scripted_lm
from fakeredis import FakeServer

from storm.agents.scripted import estimate_tokens
from storm.databases.pages.addresses import IPAddress
from storm.databases.pages.reader import PageReader
from storm.models import Hit, lookup_keys

FINISH = [says("finish", {}), says("finish", {})]
SEARCH = says("search_pubmed", {"words": "cohort 1"})
GOOD = {"source_type": "pubmed", "external_id": "10000001", "url": "", "title": "", "relevant_questions": []}


async def observations_after(job: Job, *replies: str) -> list[str]:
    """What a model is shown that replies so, and then finishes; no prompt gets large."""
    lm = scripted_lm([*replies, *FINISH])
    await job.gather(lm)
    assert max(map(estimate_tokens, prompts_of(lm))) < 8_000
    steps = (await job.journal.steps())[: len(replies)]
    return [" ".join(call.observation for call in step.calls) or step.unreadable for step in steps]


# Clumsy


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("search", {"words": "response"}, "There is no tool 'search': did you mean"),
        ("search_pubmed", {}, "Wrong arguments: words"),
        ("search_pubmed", {"words": {"any": "response"}}, "Wrong arguments: words"),
        ("search_pubmed", {"words": "response", "first": "the second"}, "Wrong arguments: first"),
        ("search_pubmed", {"words": "response", "question": "clinical.magic"}, "found"),
        ("search_pubmed", {"words": "response", "names": {"a": 1}}, "Wrong arguments: names"),
        ("read_source", {"source": "pubmed 99"}, "was not returned by any search of this job"),
        ("read_source", {"source": "src_404"}, "no source 'src_404' is saved in this job"),
        ("read_source", {"source": "pubmed 10000001", "part": 99}, "there is no part 99: the text has 1"),
        ("scrape_url", {"url": "https://example.org/"}, "web pages cannot be read in this job"),
        ("save_source", GOOD, "relevant_questions is empty; name at least one of: clinical.efficacy"),
        ("save_source", GOOD | {"relevant_questions": {"clinical.safety": True}}, "relevant_questions"),
        ("save_source", GOOD | {"relevant_questions": "clinical.magic"}, "no such question: clinical.magic; nothing"),
        (
            "save_source",
            GOOD | {"relevant_questions": "clinical.safety", "external_id": 99},
            "was not returned by any search of this job",
        ),
        ("save_source", GOOD | {"relevant_questions": "clinical.safety", "citation_id": "cit_0"}, "no citation cit_0"),
        ("register_citation", {"claim": "It works."}, "Wrong arguments: source_type"),
        ("get_citation", {"citation_id": "cit_0123456789ab"}, "no citation 'cit_0123456789ab' in this job"),
        ("get_progress", {"verbose": True}, "Wrong arguments: verbose"),
        ("finish", {"summary": "Done."}, "Not yet: clinical.efficacy needs 3 more"),
    ],
)
async def test_a_clumsy_call_is_reported_what_was_wrong_and_does_nothing(
    tool: str, arguments: dict[str, Any], answer: str
) -> None:
    async with open_job(Library("pubmed", 3)) as job:
        assert answer in (await observations_after(job, SEARCH, says(tool, arguments)))[1].replace("：", ":")
        assert await job.saved() == [] and await job.collection.citations() == []


# Malicious


async def test_sources_and_citations_of_another_job_cannot_be_used() -> None:
    server = FakeServer()
    async with (
        open_job(Library("pubmed", 3), server=server, job_id="trastuzumab-20261120-aaaaaa") as other,
        open_job(Library("chembl", 3), server=server, job_id="trastuzumab-20261121-bbbbbb") as job,
    ):
        await observations_after(other, SEARCH, says("save_source", GOOD | {"relevant_questions": ["clinical.safety"]}))
        (theirs,) = await other.collection.citations()
        cited = {"claim": "It works.", "source_type": "pubmed", "direct_quote": "Of 1 patients"}
        stealing = GOOD | {"relevant_questions": ["clinical.safety"]}
        mine = stealing | {"source_type": "chembl", "citation_id": theirs.citation_id}
        answers = await observations_after(
            job,
            says("search_chembl", {"words": "cohort 1"}),
            says("save_source", stealing),
            says("save_source", stealing | {"external_id": "{trastuzumab-20261120-aaaaaa}:10000001"}),
            says("save_source", mine),
            says("read_source", {"source": "src_001"}),
            says("read_source", {"source": "pubmed 10000001"}),
            says("register_citation", cited | {"source_id": "src_001"}),
            says("register_citation", cited | {"source_id": "10000001"}),
            says("get_citation", {"citation_id": theirs.citation_id}),
        )
        assert all("error: " in answer or answer.startswith("Refused") for answer in answers[1:]), answers
        assert await job.saved() == [] and await job.collection.citations() == []
        assert len(await other.saved()) == 1 and await other.collection.citations() == [theirs]


class NoNetwork(httpx.AsyncBaseTransport):
    """Keeps where it was to connect to."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        raise httpx.ConnectError("there is none")


class NoLimit:
    """Every turn is now."""

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        return True

    async def hold(self, service: str, seconds: float) -> None:
        """Nobody waits."""


FOUND = "https://papers.example.org/1"
INSIDE = [
    "http://127.0.0.1:6379/", "http://localhost/", "http://[::1]/", "http://2130706433/", "http://0x7f.1/",
    "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/", "http://10.0.0.1/admin",
    "http://user:secret@127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:6379/_FLUSHALL", "redis://localhost/0",
    "javascript:alert(1)", "data:text/html,<p>It works.</p>", "//127.0.0.1/", "", "x" * 5_000,
    "https://papers.example.org.evil.example/1", f"{FOUND}/../../etc", f"{FOUND}#@127.0.0.1",
]  # fmt: skip


async def test_no_page_is_read_but_what_a_search_returned_and_never_inside_of_the_network() -> None:
    """The only address that was found turns out to be one of the network inside."""
    network = NoNetwork()

    async def resolve(host: str) -> Sequence[IPAddress]:
        return (ip_address("10.0.0.1"),)

    async def was_found(url: str) -> str | None:
        hit = await job.collection.find_hit(lookup_keys("web", url, url))
        return hit.url if hit else None

    pages = PageReader(
        NoLimit(), may_read=was_found, user_agent="storm/0", honour_robots=False, resolve=resolve, network=network
    )
    web = Library("web", 0)
    web._hits = [Hit.of("web", FOUND, FOUND, "A paper", text="Trastuzumab.")]
    async with open_job(web, pages=pages) as job:
        scraping = [says("scrape_url", {"url": url}) for url in (*INSIDE, FOUND)]
        answers = await observations_after(job, says("search_web", {"words": "paper"}), *scraping)
        assert all(answer.startswith("error: not read: ") for answer in answers[1:]), answers
        assert len(await job.collection.seen_identifiers()) == 2
    assert network.asked == []


async def test_an_invented_quote_is_registered_as_not_found_and_verifies_nothing() -> None:
    cited = {"claim": "It cures all.", "source_type": "pubmed", "source_id": "10000001"}
    quotes = [
        "It cures all.",
        "Of 1 patients who took trastuzumab 99 % responded.",
        "responded. " * 300,
        record("x", 1).text[5:40],
    ]
    async with open_job(Library("pubmed", 3)) as job:
        answers = await observations_after(
            job, SEARCH, *(says("register_citation", cited | {"direct_quote": q}) for q in quotes)
        )
        assert [answer.rpartition("quote: ")[2] for answer in answers[1:]] == ["not found"] * 4
        assert {str(citation.quote_check) for citation in await job.collection.citations()} == {"not found"}
        assert await job.saved() == []


@pytest.mark.slow
async def test_huge_arguments_are_refused_or_cut_and_the_prompt_stays_small() -> None:
    huge = "response " * 100_000
    saving = GOOD | {"relevant_questions": ["clinical.safety"]}
    replies = [
        says("search_pubmed", {"words": huge}),
        says("search_pubmed", {"words": "response", "names": [huge]}),
        says("search_pubmed", {"words": "response", "since": huge}),
        says("search_pubmed", {"words": "cohort 1", "first": 10**30}),
        says("search_pubmed", {"words": "cohort 1", "question": huge}),
        says("read_source", {"source": huge}),
        says("get_citation", {"citation_id": huge}),
        says("get_progress", {huge: huge}),
        says("get_progress", {f"any{n}": n for n in range(10_000)}),
        says(huge, {}),
        says("save_source", saving | {"relevant_questions": [f"clinical.{n}" for n in range(10_000)]}),
        says("save_source", saving | {"metadata": json.loads("[" * 500 + "]" * 500)}),
        says("save_source", saving | {"title": huge, "url": huge}, thought=huge),
        says("get_progress", {}, more_calls=[{"tool": "get_progress", "args": {}}] * 1_000),
    ]
    async with open_job(Library("pubmed", 3)) as job:
        answers = await observations_after(job, *replies)
        assert [answer.partition(":")[0] for answer in answers[:3]] == ["Refused"] * 3
        assert max(map(len, answers[:13])) < 3_000
        assert job.databases[0].asked == ['("trastuzumab" OR "Herceptin") AND cohort AND 1']
        assert await job.saved() == [("pmid:10000001", ("clinical.safety",))]
