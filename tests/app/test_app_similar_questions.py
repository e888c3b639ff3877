"""The nearest question that was answered before: what is the same, what is only similar, and what is neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from storm.app import App, open_app
from storm.models import (
    JobRequest,
    Place,
    RequestKind,
    ResearchSettings,
    RunSettings,
    Scope,
    SearchRecord,
    SearchStatus,
)
from storm.settings import read_settings
from storm.traces import Owner, owned_by

QUESTION = "What are the side effects of metformin?"
SAMPLE = Scope(place=Place.SAMPLE)
NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


def request(text: str = QUESTION, **changes: Any) -> JobRequest:
    return JobRequest(**{"kind": RequestKind.QUESTION, "text": text, "offline": True, **changes})


async def finish(
    app: App,
    asked: JobRequest,
    job_id: str,
    *,
    place: Place = Place.SAMPLE,
    days: int = 0,
    exit_code: int = 0,
    owner: Owner | None = None,
) -> None:
    """A finished job of that request, whose oldest search is so many days old."""
    settings = asked.settings.model_copy(update={"mode": "deep_research"})
    job = await app.store.jobs.create(asked, job_id, settings, **(owner or Owner()).model_dump())
    held = app.scope.describe_local(SAMPLE)
    async with await app.store.jobs.hold(job.job_id) as lease:
        from storm.store import JobJournal

        journal = JobJournal(app.store, job_id, lease)
        await journal.finish_stage("scope", Scope(place=place).model_dump_json())
        at = NOW - timedelta(days=days, hours=1)
        for database, scope in held.items():
            await journal.log_search(
                SearchRecord(database=database, scope=scope, question="a", query="x", at=at, status=SearchStatus.NONE)
            )
        await app.store.jobs.finish(lease, exit_code)


async def test_the_same_question_is_found_with_its_date_and_the_age_of_its_searches() -> None:
    began = datetime.now(UTC)
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one", days=3)
        found = await app.find_similar(request("what are the side effects of  Metformin"))
    assert found is not None
    assert (found.job_id, found.question, found.score, found.age_days) == ("one", QUESTION, 1.0, 3)
    assert (found.is_same, found.differences) == (True, ())
    assert began <= found.asked_on <= datetime.now(UTC)


async def test_a_question_in_other_words_is_similar_and_not_the_same() -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one")
        found = await app.find_similar(request("What are the adverse effects of metformin?"))
        assert found is not None
        assert (found.is_same, found.differences) == (False, ("other words",))
        assert await app.find_similar(request("What are the side effects of phenformin?")) is None


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"context": "I take insulin."}, "another context"),
        ({"databases": ("pubmed",)}, "other databases"),
        ({"also": ("glucophage",)}, "other synonyms"),
        ({"settings": RunSettings(research=ResearchSettings(max_iterations=7))}, "other settings of research"),
        ({"settings": RunSettings(unsupported="mark")}, "other handling of unsupported statements"),
    ],
)
async def test_what_differs_in_what_matters_is_not_the_same(changes: dict[str, Any], difference: str) -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one")
        found = await app.find_similar(request(**changes))
    assert found is not None
    assert (found.is_same, found.score) == (False, 1.0)
    assert difference in found.differences


async def test_where_a_job_looks_for_files_does_not_matter() -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(out="there"), "one")
        found = await app.find_similar(request(out="here", formats=("json",)))
    assert found is not None and found.is_same


@pytest.mark.parametrize(
    ("made", "difference"),
    [
        ({"place": Place.CORPUS}, "another place was searched"),
        ({"exit_code": 3}, "it ended with exit code 3"),
    ],
)
async def test_an_answer_from_elsewhere_or_in_part_is_not_the_same(made: dict[str, Any], difference: str) -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one", **made)
        found = await app.find_similar(request())
    assert found is not None
    assert not found.is_same and difference in found.differences


async def test_a_corpus_that_has_other_records_by_now_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one")
        monkeypatch.setattr(app.scope, "describe_local", lambda scope: {"sample": "other records"})
        found = await app.find_similar(request())
    assert found is not None and found.differences == ("the records on this machine have changed",)


async def test_the_same_question_comes_before_one_that_was_asked_elsewhere_later() -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "same")
        await finish(app, request(context="I take insulin."), "later")
        found = await app.find_similar(request())
    assert found is not None and (found.job_id, found.is_same) == ("same", True)


async def test_only_finished_jobs_of_the_mode_count() -> None:
    async with open_app(read_settings()) as app:
        await app.store.jobs.create(request(), "queued", RunSettings(mode="deep_research"))
        await app.store.jobs.create(request(), "report", RunSettings(mode="report"))
        async with await app.store.jobs.hold("report") as lease:
            await app.store.jobs.finish(lease, 0)
        assert await app.find_similar(request()) is None


async def test_of_long_questions_the_whole_text_counts() -> None:
    long = f"Is metformin safe {'and effective ' * 30}in children?"
    async with open_app(read_settings()) as app:
        await finish(app, request(long), "one")
        assert await app.find_similar(request(long.replace("children", "adults"))) is None
        assert await app.find_similar(request(long)) is not None


OWNERS = [Owner(), Owner(user_id=7, org_id=3), Owner(user_id=7, org_id=4), Owner(user_id=7), Owner(user_id=8, org_id=3)]


@pytest.mark.parametrize("asking", OWNERS)
async def test_only_questions_of_the_same_user_and_organisation_are_found(asking: Owner) -> None:
    async with open_app(read_settings()) as app:
        for number, owner in enumerate(OWNERS):
            await finish(app, request(), f"job-{number}", owner=owner)
        with owned_by(asking):
            found = await app.find_similar(request())
    assert found is not None and found.job_id == f"job-{OWNERS.index(asking)}"


async def test_a_question_that_another_organisation_asked_is_not_known() -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one", owner=Owner(user_id=7, org_id=3))
        assert await app.find_similar(request()) is None
        with owned_by(Owner(user_id=7, org_id=4)):
            assert await app.find_similar(request()) is None


async def test_where_it_would_be_searched_is_found_out_only_if_nothing_else_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(*given: Any) -> Scope:
        raise AssertionError("the network was asked")

    async with open_app(read_settings()) as app:
        await finish(app, request(), "one")
        monkeypatch.setattr(app.scope, "choose_scope", refuse)
        found = await app.find_similar(request(context="I take insulin."))
        assert found is not None and found.differences == ("another context",)
        with pytest.raises(AssertionError, match="the network was asked"):
            await app.find_similar(request())


async def test_a_question_in_other_words_may_be_answered_alike_unless_more_differs() -> None:
    async with open_app(read_settings()) as app:
        await finish(app, request(), "one")
        alike = await app.find_similar(request("What are the adverse effects of metformin?"))
        other = await app.find_similar(request("What are the adverse effects of metformin?", databases=("pubmed",)))
    assert alike is not None and alike.obstacles == ()
    assert other is not None and other.obstacles == ("other databases",)
