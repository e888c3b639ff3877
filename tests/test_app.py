"""What the parts of an App are joined by."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_server import FaultServer, Reply
from service_lists import NOBODY, services_at

from storm.app import App, open_app, open_corpus
from storm.databases.corpus.database import add_paths, remove_files
from storm.databases.missing import GONE
from storm.errors import Code, CorpusError
from storm.models import Dossier, Event, Hit, JobRequest, SearchQuery
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

FOUND = "https://papers.example.org/p?id=1"
SERVICES = ("chembl", "pubmed")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


async def start(app: App) -> str:
    request = JobRequest(drug="trastuzumab", syllabus=bundled_syllabus(app.settings.config_dir))
    return (await app.start(request)).job_id


def failures(dossier: Dossier) -> dict[str, str]:
    return {use.name: use.reason for use in dossier.databases if use.status == "failed"}


async def test_what_means_a_page_that_was_found_is_read_at_the_address_that_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer() as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, ["europepmc"])))
        async with open_app(read_settings()) as app, app.workbench(await start(app)) as bench:
            await bench.collection.record_hits([Hit.of("web", FOUND, FOUND, "A page")])
            may_read = bench.where.pages._may_read  # type: ignore[union-attr]
            for written in (FOUND, "http://www.papers.example.org/p/?id=1&utm_source=SECRET&NOTES#x"):
                assert await may_read(written) == FOUND
            assert await may_read("https://papers.example.org/p?id=2") is None


async def test_what_a_killed_process_left_is_cleared_when_an_app_is_opened(tmp_path: Path) -> None:
    killed = "import os, sys; from pathlib import Path; from storm.store import throwaway_folder\n"
    killed += "with throwaway_folder(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", killed, str(tmp_path / "data")], check=False)
    left = tmp_path / "data" / "throwaway"
    assert len(list(left.iterdir())) == 2
    async with open_app(read_settings()):
        assert list(left.iterdir()) == []


async def test_what_could_not_be_reached_when_a_job_began_is_not_asked_on_a_resume_and_is_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    async with open_app(read_settings()) as app:
        job_id = await start(app)
    async with FaultServer(Reply("")) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "no connection")
    assert (dossier.exit_code, server.connections) == (3, 0)


async def test_what_refused_a_job_until_the_sample_was_searched_is_not_asked_on_a_resume_and_is_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer(Reply("", status=403)) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            job_id = await start(app)
            await work_until(app, job_id, lambda event: (event.kind, event.message) == ("stage", "gather"))
        asked = len(server.requests)
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "it answered HTTP 403")
    assert (dossier.exit_code, len(server.requests)) == (3, asked)


# What is searched has changed when the job goes on.


def add_records(app: App, *numbers: int) -> Path:
    """A file of records on zorvimab in the corpus, and its path."""
    file = app.settings.data_dir.parent / f"own-{numbers[0]}.csv"
    rows = "".join(f"pubmed,{n},https://example.org/{n},Zorvimab study {n}\n" for n in numbers)
    file.write_text(f"database,external_id,url,title\n{rows}", encoding="utf-8")
    add_paths(open_corpus(app.settings), [file])
    return file


async def work_until(app: App, job_id: str, reached: Callable[[Event], bool]) -> None:
    """Work on the job until that event, and end as Ctrl-C does."""
    work = asyncio.create_task(app.work(job_id, lambda event: reached(event) and work.cancel()))
    with pytest.raises(asyncio.CancelledError):
        await work


async def start_and_stop(app: App, *, offline: bool = True) -> str:
    """A job on zorvimab that was stopped after the first search of a question."""

    syllabus = bundled_syllabus(app.settings.config_dir)
    job_id = (await app.start(JobRequest(drug="zorvimab", syllabus=syllabus, offline=offline))).job_id
    await work_until(app, job_id, lambda event: event.kind == "search" and event.stage == "gather")
    return job_id


async def test_a_job_whose_corpus_was_emptied_says_so_and_writes_nothing() -> None:
    async with open_app(read_settings()) as app:
        file = add_records(app, 1, 2, 3)
        job_id = await start_and_stop(app)
        remove_files(open_corpus(app.settings), [file])
        with pytest.raises(
            CorpusError, match=f"{job_id} cannot go on: it searches your corpus, which holds no"
        ) as told:
            await app.work(job_id)
        assert told.value.exit_code == 1 and told.value.code is Code.CORPUS_EMPTIED
        assert "report" not in await app.journal(job_id).stages()
        add_records(app, 1, 2, 3)
        assert (await app.work(job_id)).search_log


async def test_a_job_whose_corpus_folder_was_moved_away_says_so() -> None:
    async with open_app(read_settings()) as app:
        add_records(app, 1, 2, 3)
        job_id = await start_and_stop(app)
        (app.settings.data_dir / "corpus").rename(app.settings.data_dir / "elsewhere")
        with pytest.raises(CorpusError, match="cannot go on"):
            await app.work(job_id)


async def test_a_job_that_has_searched_all_needs_its_corpus_no_more() -> None:
    async with open_app(read_settings()) as app:
        file = add_records(app, 1, 2, 3)
        syllabus = bundled_syllabus(app.settings.config_dir)
        job_id = (await app.start(JobRequest(drug="zorvimab", syllabus=syllabus, offline=True))).job_id
        await work_until(app, job_id, lambda event: (event.kind, event.message) == ("stage", "answer"))
        remove_files(open_corpus(app.settings), [file])
        assert not failures(await app.work(job_id))


@pytest.mark.parametrize("gone", ["corpus", "pubmed"])
async def test_a_database_that_is_gone_on_a_resume_is_reported_as_not_searched(
    gone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer(Reply('{"esearchresult": {"count": "0", "idlist": []}}')) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, ["pubmed"])))
        async with open_app(read_settings()) as app:
            file = add_records(app, 1, 2, 3)
            job_id = await start_and_stop(app, offline=False)
            if gone == "corpus":
                remove_files(open_corpus(app.settings), [file])
        if gone == "pubmed":
            monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "2.yaml", server.url, ["clinicaltrials"])))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert dossier.exit_code == 3 and failures(dossier)[gone] == GONE


async def test_a_corpus_that_grew_while_a_job_was_stopped_is_told_with_both_of_its_states() -> None:
    async with open_app(read_settings()) as app:
        add_records(app, 1, 2, 3)
        job_id = await start_and_stop(app)
        add_records(app, 4)
        dossier = await app.work(job_id)
    (note,) = (note for note in dossier.notes if "changed while" in note)
    assert note == (
        "Your corpus changed while this job was under way; its searches were of different records: "
        "your corpus: 3 records (PubMed 3); then your corpus: 4 records (PubMed 4)."
    )


async def test_a_corpus_that_is_emptied_under_a_running_job_was_not_searched_for_nothing() -> None:
    async with open_app(read_settings()) as app:
        file = add_records(app, 1, 2, 3)
        where = await app.scope.searchable(
            JobRequest(drug="zorvimab", syllabus=bundled_syllabus(app.settings.config_dir), offline=True), no_page
        )
        remove_files(open_corpus(app.settings), [file])
        query = SearchQuery(names=("zorvimab",), databases=("pubmed",))
        assert where.databases[0].narrowed(query) == query
        outcome = await where.databases[0].search(query, 5)
    assert (outcome.status, outcome.reason) == ("failed", "it holds no records any more")


async def no_page(url: str) -> str | None:
    return None
