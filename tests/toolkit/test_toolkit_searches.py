"""The tools that look something up say found, none and failed apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer
from service_lists import services_at
from sound_services import europepmc_page, europepmc_record

from storm.app import App, open_corpus
from storm.databases.corpus.database import add_paths
from storm.settings import read_settings
from storm.testing import open_test_app
from storm.toolkit import ToolContext, ToolResult, call_tool

PAPERS = [
    europepmc_record(f"PPR{number}", "PPR")
    | {
        "title": f"Pembrolizumab in melanoma, part {number}",
        "abstractText": "Pneumonitis was seen in 3.4% of patients.",
    }
    for number in (1, 2)
]
NOTES = """\
database,external_id,url,title,text
pubmed,900001,https://example.org/1,Metformin and B12,Vitamin B12 was lower with metformin.
"""


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer() as server:
        server.on("/europepmc/search", europepmc_page(*PAPERS))
        yield server


@pytest.fixture
async def app(data_dir: Path, server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    """An App whose only public database is played by the server."""
    listed = services_at(data_dir.parent / "list.yaml", server.url, ["europepmc"])
    monkeypatch.setenv("STORM_DATABASES", str(listed))
    async with open_test_app(data_dir=data_dir, settings=read_settings()) as opened:
        yield opened


async def search(app: App, database: str = "europepmc", **params: Any) -> ToolResult:
    return await call_tool("search_database", {"database": database, **params}, ToolContext(app=app))


# A public database.


async def test_records_that_are_found_are_shown_with_what_matches(app: App) -> None:
    result = await search(app, names=["pembrolizumab"], words="pneumonitis")
    head, first, *_ = result.text.splitlines()
    assert (result.failed, result.exit_code) == (False, 0)
    assert head == "found: 2 records in Europe PMC, the best 2 shown."
    assert "Pembrolizumab in melanoma, part 1" in first and "Pneumonitis was seen" in result.text
    assert result.payload["type"] == "search_database_result"
    assert [hit["title"] for hit in result.payload["data"]["hits"]] == [paper["title"] for paper in PAPERS]


async def test_an_empty_answer_is_none_and_not_failed(app: App, server: FaultServer) -> None:
    server.on("/europepmc/search", europepmc_page())
    result = await search(app, words="zorvimab")
    assert (result.failed, result.exit_code, result.payload["data"]["status"]) == (False, 4, "none")
    assert result.text.startswith("none: Europe PMC (what europepmc has) was searched and has nothing that matches")


@pytest.mark.slow
async def test_a_database_that_fails_is_failed_and_never_none(app: App, server: FaultServer) -> None:
    server.on("/europepmc/search", replace(europepmc_page(), status=500))
    result = await search(app, words="harm")
    assert (result.failed, result.exit_code, result.payload["data"]["status"]) == (True, 3, "failed")
    assert result.text.startswith("failed: Europe PMC could not be searched: it answered HTTP 500")
    assert "This does not mean that there is nothing." in result.text and "nothing that matches" not in result.text


async def test_a_database_that_is_switched_off_is_failed_and_says_how_to_switch_it_on(
    data_dir: Path, server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = services_at(data_dir.parent / "list.yaml", server.url, ["europepmc"], enabled="false")
    monkeypatch.setenv("STORM_DATABASES", str(listed))
    async with open_test_app(data_dir=data_dir, settings=read_settings()) as app:
        result = await search(app, words="harm")
    assert (result.failed, result.exit_code, result.payload["data"]["status"]) == (True, 3, "failed")
    assert result.text.startswith("failed: The europepmc is switched off; set `enabled: true`")
    assert result.text.endswith("This does not mean that there is nothing.")


async def test_where_no_record_has_all_the_words_those_with_any_are_shown_and_it_is_said(
    app: App, server: FaultServer
) -> None:
    server.on("/europepmc/search", europepmc_page(), europepmc_page(PAPERS[0]))
    result = await search(app, words="pneumonitis zebrafish")
    assert result.text.startswith("No record holds all of these words. With any of them:\nfound: 1 record")


async def test_what_cannot_be_searched_for_is_refused_before_a_search(app: App, server: FaultServer) -> None:
    unknown = await search(app, "europmc", words="x")
    assert (unknown.failed, unknown.exit_code) == (True, 2)
    assert unknown.text.startswith("there is no public database europmc; did you mean europepmc?")
    for params in ({}, {"words": "?!"}, {"names": ["--"]}):
        assert "neither words nor names have a letter or digit" in (await search(app, **params)).text
    assert "NOT is not supported" in (await search(app, words="safety NOT efficacy")).text
    assert "since" in (await search(app, words="safety", since="soon")).text
    assert (await search(app, words="x" * 401)).exit_code == 2
    assert server.requests == []


# The corpus.


async def test_the_corpus_is_searched_and_its_outcomes_said_apart(app: App, tmp_path: Path) -> None:
    async def search_corpus(query: str, **params: Any) -> ToolResult:
        return await call_tool("search_corpus", {"query": query, **params}, ToolContext(app=app))

    empty = await search_corpus("metformin")
    assert (empty.failed, empty.exit_code) == (False, 4) and "the corpus is empty" in empty.text
    (tmp_path / "notes.csv").write_text(NOTES, encoding="utf-8")
    add_paths(open_corpus(app.settings), [tmp_path / "notes.csv"])
    found = await search_corpus("metformin")
    assert (found.exit_code, found.text.splitlines()[0]) == (0, "found: 1 record, the best 1 shown.")
    assert found.payload["data"]["hits"][0]["title"] == "Metformin and B12"
    assert (await search_corpus("metformin", words=["zzzz"])).exit_code == 4
    assert (await search_corpus("metformin", words=["B12", "zzzz OR vitamin"])).exit_code == 0
    none = await search_corpus("zorvimab")
    assert (none.failed, none.exit_code) == (False, 4)
    assert none.text == "none: nothing in the corpus matches; try fewer or other words."
    other = await search_corpus("metformin", databases=["chembl"])
    assert (other.failed, other.exit_code) == (True, 2) and "no records of chembl" in other.text


# A source of a job.


@pytest.fixture
async def job_id(app: App) -> str:
    """A job whose sources can be read."""
    result = await call_tool("report", {"question": "Is metformin safe?", "offline": True}, ToolContext(app=app))
    return str(result.payload["data"]["job_id"])


@pytest.mark.slow
async def test_a_source_is_read_with_its_link_and_text(app: App, job_id: str) -> None:
    result = await call_tool("get_source", {"job": job_id, "source_id": "src_001"}, ToolContext(app=app))
    source = await app.collection(job_id).find_source("src_001")
    assert source is not None
    assert (result.failed, result.exit_code) == (False, 0)
    assert result.payload == {"type": "get_source_result", "data": source.model_dump(mode="json")}
    for part in (source.hit.title, source.hit.url, f"Answers: {', '.join(source.questions)}", source.hit.text[:200]):
        assert part in result.text


async def test_a_long_source_is_read_in_parts(app: App, job_id: str) -> None:
    sources = await app.collection(job_id).load_sources()
    source = max(sources, key=lambda one: len(one.hit.text))
    params = {"job": job_id, "source_id": source.source_id}
    last = len(source.hit.text) - 10
    end = await call_tool("get_source", {**params, "start": last}, ToolContext(app=app))
    assert end.text.endswith(f"Text from character {last:,} of {last + 10:,}:\n{source.hit.text[last:]}")
    beyond = await call_tool("get_source", {**params, "start": last + 99}, ToolContext(app=app))
    assert (beyond.failed, beyond.exit_code) == (True, 2) and "give a smaller start" in beyond.text


async def test_an_unknown_job_or_source_is_a_failed_result(app: App, job_id: str) -> None:
    no_job = await call_tool("get_source", {"job": job_id[:-1], "source_id": "src_001"}, ToolContext(app=app))
    assert (no_job.failed, no_job.exit_code) == (True, 2) and f"did you mean {job_id}?" in no_job.text
    no_source = await call_tool("get_source", {"job": job_id, "source_id": "src_999"}, ToolContext(app=app))
    assert (no_source.failed, no_source.exit_code) == (True, 2) and "has no source src_999" in no_source.text
