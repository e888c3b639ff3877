"""What the parts of an App are joined by."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_server import FaultServer, Reply
from python_process import run_python
from service_lists import NOBODY, services_at

from storm.app import App, open_app, open_corpus
from storm.databases.corpus.database import add_paths, remove_files
from storm.databases.missing import GONE
from storm.errors import Code, CorpusError, JobCancelled, StepMismatch
from storm.models import Dossier, Event, Hit, Job, JobRequest, JobState, Place, RunSettings, Scope, SearchQuery
from storm.settings import read_settings
from storm.store.keys import JobKeys
from storm.syllabus import bundled_syllabus

FOUND = "https://papers.example.org/p?id=1"
SERVICES = ("chembl", "pubmed")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


async def start(app: App) -> str:
    request = JobRequest(text="trastuzumab", syllabus=bundled_syllabus(app.settings.config_dir))
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


@pytest.mark.slow
async def test_what_a_killed_process_left_is_cleared_when_an_app_is_opened(tmp_path: Path) -> None:
    killed = "import os, sys; from pathlib import Path; from storm.store import throwaway_folder\n"
    killed += "with throwaway_folder(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    await asyncio.to_thread(run_python, "-c", killed, tmp_path / "data")
    left = tmp_path / "data" / "throwaway"
    assert len(list(left.iterdir())) == 2
    async with open_app(read_settings()):
        assert list(left.iterdir()) == []


@pytest.mark.slow
async def test_what_could_not_be_reached_when_a_job_was_planned_is_not_asked_on_a_resume_and_is_still_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    async with open_app(read_settings()) as app:
        job_id = await start(app)
        await work_until(app, job_id, lambda event: (event.kind, event.message) == ("stage", "gather"))
    async with FaultServer(Reply("")) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "no connection")
    assert (dossier.exit_code, server.connections) == (3, 0)


async def begun_before(app: App, place: str, unreachable: dict[str, str]) -> str:
    """A job without a plan as version 0.1.0 stored it: its questions frozen, its place in the request."""
    job_id, syllabus = await start(app), bundled_syllabus(app.settings.config_dir)
    key = JobKeys(job_id).metadata
    stored = json.loads(await app.store.run_command(lambda redis: redis.hget(key, "request")))
    stored |= {"mode": "extractive", "place": place, "unreachable": unreachable}
    for new in ("kind", "preferences", "research"):
        del stored[new]
    fields = {"request": json.dumps(stored), "questions": " ".join(syllabus.keys)}
    await app.store.run_command(lambda redis: redis.hset(key, mapping=fields))
    await app.store.run_command(lambda redis: redis.hdel(key, "settings"))
    return job_id


@pytest.mark.slow
async def test_a_job_begun_before_the_scope_was_a_step_searches_where_its_request_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FaultServer(Reply("")) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            job_id = await begun_before(app, "sample", dict.fromkeys(SERVICES, "no connection"))
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "no connection")
    assert (dossier.mode, dossier.exit_code, server.connections) == ("extractive", 3, 0)


@pytest.mark.parametrize(("mode", "version"), [("later", "1"), ("extractive", "9")])
async def test_a_job_in_a_mode_that_is_not_here_is_left_as_it_is(mode: str, version: str) -> None:
    async with open_app(read_settings()) as app:
        syllabus = bundled_syllabus(app.settings.config_dir)
        job = await app.start(JobRequest(text="trastuzumab", syllabus=syllabus, offline=True))
        settings = RunSettings(mode=mode).model_dump_json()
        key, fields = JobKeys(job.job_id).metadata, {"settings": settings, "mode_version": version, "version": "9.1"}
        await app.store.run_command(lambda redis: redis.hset(key, mapping=fields))
        with pytest.raises(StepMismatch, match=rf"begun by version 9\.1, whose mode {mode} this version") as caught:
            await app.work(job.job_id)
        with pytest.raises(StepMismatch):
            await app.work(job.job_id, model="openai/another")
        assert caught.value.exit_code == 1 and await app.journal(job.job_id).stages() == {}
        left = await app.store.jobs.get(job.job_id)
        assert (left.state, left.settings.model) == (JobState.QUEUED, "")


@pytest.mark.slow
async def test_until_there_is_a_plan_a_resume_finds_out_again_where_to_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    async with open_app(read_settings()) as app:
        job_id = await start(app)
        await work_until(app, job_id, lambda event: (event.kind, event.message) == ("stage", "plan"))
        assert await app.journal(job_id).stages() == {}
    async with FaultServer(Reply("", status=403)) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "it answered HTTP 403") and server.requests


@pytest.mark.slow
async def test_a_job_that_has_searched_the_sample_goes_on_there_since_the_sample_never_mixes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    async with open_app(read_settings()) as app:
        job_id = await start(app)
        await work_until(app, job_id, lambda event: event.data.get("database") == "sample")
        assert await app.journal(job_id).stages() == {}
    async with FaultServer(Reply("")) as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert failures(dossier) == dict.fromkeys(SERVICES, "no connection")
    assert (dossier.exit_code, server.connections) == (3, 0)


@pytest.mark.slow
async def test_a_workbench_takes_the_questions_of_the_request_and_a_run_goes_on_with_them() -> None:
    async with open_app(read_settings()) as app:
        syllabus = bundled_syllabus(app.settings.config_dir)
        job = await app.start(JobRequest(text="trastuzumab", syllabus=syllabus, offline=True))
        assert job.questions == ()
        async with app.workbench(job.job_id) as bench:
            assert tuple((await bench.collection.progress()).counts) == syllabus.keys
        assert (await app.work(job.job_id)).exit_code == 0


@pytest.mark.slow
async def test_what_refused_a_job_until_the_sample_was_searched_is_not_asked_on_a_resume_and_is_still_reported(
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


# What another process does to the job meanwhile.


async def start_offline(app: App) -> Job:
    request = JobRequest(text="trastuzumab", syllabus=bundled_syllabus(app.settings.config_dir), offline=True)
    return await app.start(request)


async def test_who_works_on_a_job_that_another_process_cancels_is_given_that_event_last() -> None:
    events: list[Event] = []

    async with open_app(read_settings()) as app:
        job_id = (await start_offline(app)).job_id

        async def observe(event: Event) -> None:
            events.append(event)
            if (event.kind, event.message) == ("stage", "gather"):
                await app.store.jobs.cancel(job_id)

        with pytest.raises(JobCancelled, match=f"{job_id} was cancelled"):
            await app.work(job_id, observe)
        (last,) = await app.journal(job_id).events(1)
    assert (last.kind, events[-1]) == ("cancelled", last)
    assert [event.kind for event in events].count("cancelled") == 1


@pytest.mark.parametrize("moment", ["before it is read", "before it is held"])
async def test_a_job_that_is_cancelled_before_its_work_begins_is_not_reopened(
    moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(read_settings()) as app:
        job = await start_offline(app)
        if moment == "before it is read":
            await app.store.jobs.cancel(job.job_id)
        else:
            check = app.store.jobs.check

            async def cancel_and_check(job_id: str, *, check_records: bool = False) -> Job:
                await app.store.jobs.cancel(job_id)
                return await check(job_id, check_records=check_records)

            monkeypatch.setattr(app.store.jobs, "check", cancel_and_check)
        with pytest.raises(JobCancelled):
            await app.work(job.job_id, expected_state=job.state if moment == "before it is read" else None)
        left = await app.store.jobs.get(job.job_id)
        assert (left.state, left.questions) == (JobState.CANCELLED, ())


@pytest.mark.slow
async def test_an_observer_that_keeps_the_job_from_renewing_its_lease_does_not_lose_it() -> None:
    async with open_app(read_settings()) as app:
        job_id = (await start_offline(app)).job_id

        async def observe(event: Event) -> None:
            # What is left of a lease when a function has blocked for longer than it lives.
            await app.store.run_command(lambda redis: redis.delete(JobKeys(job_id).lease))

        dossier = await app.work(job_id, observe)
        assert (dossier.exit_code, (await app.store.jobs.get(job_id)).state) == (0, JobState.FINISHED)


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

    async def observe(event: Event) -> None:
        if reached(event):
            work.cancel()
            await asyncio.Event().wait()  # nothing is done after that event

    work = asyncio.create_task(app.work(job_id, observe))
    with pytest.raises(asyncio.CancelledError):
        await work


async def start_and_stop(app: App, *, offline: bool = True, database: str = "corpus") -> str:
    """A job on zorvimab that was stopped after the first search of a question in this database."""

    def reached(event: Event) -> bool:
        return (event.kind, event.stage, event.data.get("database")) == ("search", "gather", database)

    syllabus = bundled_syllabus(app.settings.config_dir)
    job_id = (await app.start(JobRequest(text="zorvimab", syllabus=syllabus, offline=offline))).job_id
    await work_until(app, job_id, reached)
    return job_id


async def test_a_job_whose_corpus_was_emptied_says_so_and_writes_nothing() -> None:
    async with open_app(read_settings()) as app:
        file = add_records(app, 1, 2, 3)
        job_id = await start_and_stop(app)
        remove_files(open_corpus(app.settings), [file])
        with pytest.raises(
            CorpusError, match=f"{job_id} cannot go on: it searches your corpus, which holds no"
        ) as raised:
            await app.work(job_id)
        assert raised.value.exit_code == 1 and raised.value.code is Code.CORPUS_EMPTIED
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
        job_id = (await app.start(JobRequest(text="zorvimab", syllabus=syllabus, offline=True))).job_id
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
            job_id = await start_and_stop(app, offline=False, database=gone)
            if gone == "corpus":
                remove_files(open_corpus(app.settings), [file])
        if gone == "pubmed":
            monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "2.yaml", server.url, ["clinicaltrials"])))
        async with open_app(read_settings()) as app:
            dossier = await app.work(job_id)
    assert dossier.exit_code == 3 and failures(dossier)[gone] == GONE


@pytest.mark.slow
async def test_a_corpus_that_grew_while_a_job_was_stopped_is_reported_with_both_of_its_states() -> None:
    async with open_app(read_settings()) as app:
        add_records(app, 1, 2, 3)
        job_id = await start_and_stop(app)
        add_records(app, 4)
        dossier = await app.work(job_id)
    (note,) = (note for note in dossier.notes if "changed while" in note)
    assert note == (
        "Your corpus changed while this job ran; its searches covered different records: "
        "your corpus: 3 records (PubMed 3); then your corpus: 4 records (PubMed 4)."
    )


async def test_a_corpus_that_is_emptied_under_a_running_job_was_not_searched_for_nothing() -> None:
    async with open_app(read_settings()) as app:
        file = add_records(app, 1, 2, 3)
        where = await app.scope.open_searchable(
            JobRequest(text="zorvimab", syllabus=bundled_syllabus(app.settings.config_dir), offline=True),
            Scope(place=Place.CORPUS),
            no_page,
        )
        remove_files(open_corpus(app.settings), [file])
        query = SearchQuery(names=("zorvimab",), databases=("pubmed",))
        assert where.databases[0].narrow_query(query) == query
        outcome = await where.databases[0].search(query, 5)
    assert (outcome.status, outcome.reason) == ("failed", "it no longer holds any records")


async def no_page(url: str) -> str | None:
    return None
