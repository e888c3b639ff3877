"""An update finds what is new, changed, retracted and gone since a job, and says that and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from fault_server import FaultServer
from service_lists import services_at
from shortlist_mode import SHORTLIST
from sound_services import label
from updated_services import SERVICES, UpdatedServices

from storm.api import job_request
from storm.app import App, Workbench, open_app
from storm.errors import Code, JobHeld, UnknownJob, UsageError
from storm.export import to_json, to_markdown
from storm.export.flow import flow_to_csv, flow_to_svg
from storm.models import Answer, CollectedQuestion, Dossier, Event, JobRequest, Plan, RunSettings
from storm.models.changes import Change, Changes, count_kinds
from storm.modes import MODES, Crew


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer() as found:
        yield found


@pytest.fixture
def services(server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UpdatedServices:
    """The services before anything changed, listed for storm."""
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_JOB_TTL_DAYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, SERVICES)))
    found = UpdatedServices()
    found.play(server)
    return found


@pytest.fixture
async def app(services: UpdatedServices) -> AsyncIterator[App]:
    async with open_app() as opened:
        yield opened


async def run(app: App) -> Dossier:
    job = await app.start(job_request("pembrolizumab", app.settings))
    return await finish(app, job.job_id)


async def finish(app: App, job_id: str) -> Dossier:
    report = await app.work(job_id)
    assert isinstance(report, Dossier)
    return report


async def update(app: App, job_id: str) -> Dossier:
    return await finish(app, (await app.start_update(job_id)).job_id)


def changes_of(dossier: Dossier) -> Changes:
    assert dossier.changes is not None
    return dossier.changes


def records_of(dossier: Dossier) -> set[tuple[str, str]]:
    return {(change.kind, change.identifier) for change in changes_of(dossier).records}


def statements_of(dossier: Dossier) -> list[tuple[str, str]]:
    return [(answer.question, statement.text) for answer in dossier.answers for statement in answer.statements]


async def run_and_update(app: App, services: UpdatedServices) -> tuple[Dossier, Dossier]:
    """A dossier, and its update after the services have changed."""
    before = await run(app)
    services.change()
    return before, await update(app, before.job_id)


#: All that `UpdatedServices.change` changes.
CHANGED = {
    ("new", "doi:10.1000/kn4"), ("new", "doi:10.1000/kn5"), ("new", "registry:NCT00000003"),
    ("changed", "registry:NCT00000001"), ("retracted", "doi:10.1000/kn2"),
}  # fmt: skip


@pytest.mark.slow
async def test_three_gained_records_a_changed_and_a_retracted_one_are_said_and_nothing_else(
    app: App, services: UpdatedServices
) -> None:
    before, after = await run_and_update(app, services)
    changes = changes_of(after)
    assert records_of(after) == CHANGED
    fields = {
        change.kind: {field.field: (field.old, field.new) for field in change.fields} for change in changes.records
    }
    assert fields[Change.RETRACTED] == {"retraction": ("not_retracted", "retracted")}
    assert fields[Change.CHANGED]["status"] == ("Completed", "Terminated")
    assert [(one.kind, one.question, one.sources) for one in changes.statements] == [
        ("new", "clinical.efficacy", ("doi:10.1000/kn5",)), ("new", "clinical.safety", ("doi:10.1000/kn4",)),
    ]  # fmt: skip
    assert {(one.kind, one.table, one.source) for one in changes.rows} == {
        ("changed", "trials", "registry:NCT00000001"), ("new", "trials", "registry:NCT00000003"),
        ("new", "effect_sizes", "doi:10.1000/kn5"),
    }  # fmt: skip
    assert (changes.update_of, changes.since, changes.unchecked) == (before.job_id, before.created, ())
    assert {reference.retrieved for reference in after.references} == {before.retrieved}


@pytest.mark.slow
async def test_services_that_can_are_searched_for_what_is_new_alone_and_a_week_before_the_job_counts_as_new(
    app: App, services: UpdatedServices
) -> None:
    before, after = await run_and_update(app, services)
    lines = [line for line in after.search_log if line.question not in ("names", "sources")]
    dated = {line.database for line in lines if line.changed_since}
    assert dated == set(changes_of(after).searched_since) == {"europepmc", "clinicaltrials"}
    assert "openfda" in {line.database for line in lines if line.changed_since is None}
    (day,) = {line.changed_since for line in lines if line.changed_since}
    assert day is not None and (before.created.date() - before.created.fromisoformat(day).date()).days == 7
    assert after.flow is not None and after.flow.databases["europepmc"].screened == 2


@pytest.mark.slow
async def test_what_changed_is_the_first_thing_after_the_summary_and_is_in_each_format(
    app: App, services: UpdatedServices
) -> None:
    before, after = await run_and_update(app, services)
    page = to_markdown(after)
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    day = f"{before.created:%Y-%m-%d}"
    assert headings[:2] == ["## Summary", f"## What changed since {day}"]
    part = page.partition(f"## What changed since {day}")[2].partition("\n## ")[0]
    assert "Sources: 3 new, 1 changed, 1 retracted. Statements: 2 new. Rows of tables: 2 new, 1 changed." in part
    assert "retraction: not retracted → retracted" in part and "status: Completed → Terminated" in part
    assert "New (Clinical safety): Grade 3 or higher adverse events were seen in 17% of patients" in part
    assert "No longer in" not in part and "carried over" not in part
    assert f"This job updates {before.job_id} of {day}, with the same questions and names." in page
    assert json.loads(to_json(after))["changes"]["update_of"] == before.job_id
    assert Dossier.model_validate_json(to_json(after)) == after


@pytest.mark.slow
async def test_the_flow_counts_new_reports_and_those_of_the_previous_version(
    app: App, services: UpdatedServices
) -> None:
    before, after = await run_and_update(app, services)
    flow = after.flow
    assert flow is not None and flow.previous is not None and before.flow is not None
    assert (flow.total.included, flow.studies) == (3, 3)
    assert (flow.previous.reports, flow.previous.studies) == (len(before.references), before.flow.studies)
    assert (flow.total_reports, flow.total_studies) == (len(after.references), before.flow.studies + 3)
    rows = [line.split(",") for line in flow_to_csv(after).decode().splitlines()]
    numbers = {row[0]: row[-1] for row in rows}
    assert (numbers["previous_reports"], numbers["new_reports"]) == (str(len(before.references)), "3")
    assert numbers["total_reports"] == str(len(after.references))
    assert numbers["excluded_other"] == str(flow.search_counts.known_before) != "0"
    assert b"Previous studies" in flow_to_svg(after) and b"Previous studies" not in flow_to_svg(before)


@pytest.mark.slow
async def test_an_update_without_news_says_that_nothing_changed_and_keeps_every_statement(app: App) -> None:
    before = await run(app)
    first = await update(app, before.job_id)
    second, third = await update(app, before.job_id), await update(app, first.job_id)
    for after in (first, second, third):
        assert changes_of(after).is_empty and not changes_of(after).unchecked
        assert after.answers == before.answers and after.tables == before.tables
        assert "Nothing changed: its sources, statements and rows of tables are as they were." in to_markdown(after)
        assert (after.exit_code, after.stopped) == (before.exit_code, before.stopped)
    assert (changes_of(second).update_of, changes_of(third).update_of) == (before.job_id, first.job_id)


@pytest.mark.slow
async def test_the_updated_job_stays_as_it_is(app: App, services: UpdatedServices) -> None:
    before = await run(app)
    sources, events = await app.collection(before.job_id).load_sources(), await app.journal(before.job_id).events(1000)
    services.change()
    await update(app, before.job_id)
    assert await app.report(before.job_id) == before
    assert await app.collection(before.job_id).load_sources() == sources
    assert await app.journal(before.job_id).events(1000) == events


@pytest.mark.slow
async def test_what_could_not_be_searched_is_carried_over_unchecked_and_nothing_is_gone(
    app: App, services: UpdatedServices
) -> None:
    before = await run(app)
    services.change()
    services.down = {"europepmc", "openfda"}
    after = await update(app, before.job_id)
    assert records_of(after) == CHANGED - {("new", "doi:10.1000/kn4"), ("new", "doi:10.1000/kn5")}
    assert {(one.database, one.records) for one in changes_of(after).unchecked} == {("europepmc", 3), ("openfda", 2)}
    assert {reference.identifiers for reference in after.references} > {r.identifiers for r in before.references}
    assert after.exit_code == 3
    page = to_markdown(after)
    assert "Europe PMC could not be searched, or only in part (it answered HTTP 403): 3 records carried over" in page


@pytest.mark.slow
async def test_the_next_update_looks_back_to_where_a_failed_one_did_not_get(
    app: App, services: UpdatedServices
) -> None:
    before = await run(app)
    services.change()
    services.down = {"europepmc"}
    failed = await update(app, before.job_id)
    services.down = set()
    after = await update(app, failed.job_id)
    assert records_of(after) == {("new", "doi:10.1000/kn4"), ("new", "doi:10.1000/kn5")}


@pytest.mark.slow
async def test_with_no_service_at_all_everything_is_carried_over_and_nothing_of_the_sample(
    app: App, services: UpdatedServices
) -> None:
    before = await run(app)
    services.down = set(SERVICES)
    after = await update(app, before.job_id)
    assert changes_of(after).is_empty and statements_of(after) == statements_of(before)
    assert sum(one.records for one in changes_of(after).unchecked) == before.coverage.total == after.coverage.total
    assert after.exit_code == 3 and "as far as could be searched" in to_markdown(after)
    assert "sample" not in {line.database for line in after.search_log}


@pytest.mark.slow
async def test_a_record_is_gone_where_the_same_search_is_answered_in_full_without_it(
    app: App, services: UpdatedServices
) -> None:
    services.labels = [label(1), label(2)]
    before = await run(app)
    services.labels = [label(1)]
    after = await update(app, before.job_id)
    assert [(kind, name) for kind, name in records_of(after)] == [("gone", f"label:{label(2)['set_id']}")]
    assert {change.kind for change in changes_of(after).statements} <= {Change.GONE}
    assert after.coverage.total == before.coverage.total - 1
    again = await update(app, after.job_id)
    assert changes_of(again).is_empty


@pytest.mark.slow
async def test_a_statement_of_a_changed_record_has_changed(app: App, services: UpdatedServices) -> None:
    before = await run(app)
    record, _ = services.papers[1]
    text = record["abstractText"].replace("30.0 months", "26.3 months")
    services.papers[1] = ({**record, "abstractText": text}, "2999-01-01")
    after = await update(app, before.job_id)
    assert records_of(after) == {("changed", "doi:10.1000/kn1")}
    (statement,) = changes_of(after).statements
    (field,) = statement.fields
    assert (statement.kind, field.field) == (Change.CHANGED, "text")
    assert "30.0 months" in str(field.old) and "26.3 months" in str(field.new)
    assert "30.0 months" not in to_markdown(after).replace("Before: “Median overall survival was 30.0 months", "")


@pytest.mark.slow
async def test_a_record_that_was_found_and_not_kept_is_not_new(app: App, services: UpdatedServices) -> None:
    record, day = services.papers[3]
    services.papers[3] = ({**record, "abstractText": "", "title": "A report on pembrolizumab"}, day)
    before = await run(app)
    assert before.coverage.total == 6
    services.papers[3] = (services.papers[3][0], "2999-01-01")
    assert changes_of(await update(app, before.job_id)).is_empty
    services.papers[3] = (record, "2999-01-01")
    assert records_of(await update(app, before.job_id)) == {("new", "doi:10.1000/kn3")}


#: The stages of an update, and within two of them an event in the middle.
STAGES = ("plan", "search", "carry", "gather", "check", "answer", "report")


@pytest.mark.slow
async def test_an_update_that_is_killed_says_the_same_after_a_resume(
    app: App, services: UpdatedServices, server: FaultServer
) -> None:
    before, whole = await run_and_update(app, services)
    for stopped_at in (*(("stage", stage) for stage in STAGES), ("search", "search"), ("saved", "carry")):
        asked = len(server.requests)
        job = await app.start_update(before.job_id)
        await work_until(app, job.job_id, partial(is_at, stopped_at))
        resumed = await finish(app, job.job_id)
        again = {"job_id": "", "created": "", "search_log": (), "changes": None, "retrieved": ""}
        assert resumed.model_copy(update=again) == whole.model_copy(update=again), stopped_at
        assert changes_of(resumed) == changes_of(whole), stopped_at
        assert asked < len(server.requests), stopped_at


def is_at(place: tuple[str, str], event: Event) -> bool:
    return place in ((event.kind, event.stage), ("stage", event.message))


async def work_until(app: App, job_id: str, reached: Callable[[Event], bool]) -> None:
    """Work on the job until that event, and end as Ctrl-C does."""

    async def observe(event: Event) -> None:
        if reached(event):
            work.cancel()
            await asyncio.Event().wait()

    work = asyncio.create_task(app.work(job_id, observe))
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_job_that_is_not_there_or_not_finished_cannot_be_updated(app: App) -> None:
    with pytest.raises(UnknownJob, match="no job nobody-1"):
        await app.start_update("nobody-1")
    job = await app.start(job_request("pembrolizumab", app.settings))
    with pytest.raises(UsageError, match=f"{job.job_id} is queued: only a finished job can be updated") as caught:
        await app.start_update(job.job_id)
    assert caught.value.code is Code.JOB_UNFINISHED


async def test_a_report_that_is_no_dossier_cannot_be_updated(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODES, SHORTLIST.name, SHORTLIST)  # type: ignore[arg-type]
    request = JobRequest(kind="question", text="Does it harm the heart?", settings=RunSettings(mode="shortlist"))
    job = await app.start(request.model_copy(update={"offline": True}))
    await app.work(job.job_id)
    with pytest.raises(UsageError, match=f"{job.job_id} cannot be updated: only dossiers"):
        await app.start_update(job.job_id)


@pytest.mark.slow
async def test_a_job_is_not_updated_by_two_at_once(app: App) -> None:
    before = await run(app)
    first = await app.start_update(before.job_id)
    async with await app.store.jobs.hold(first.job_id):
        with pytest.raises(UsageError, match=f"being updated, by the job {first.job_id}") as caught:
            await app.start_update(before.job_id)
        with pytest.raises(JobHeld):
            await app.work(first.job_id)
    assert caught.value.code is Code.JOB_HELD
    assert (await app.start_update(before.job_id)).request.update_of == before.job_id


@pytest.mark.slow
async def test_an_update_whose_job_was_deleted_says_so(app: App) -> None:
    before = await run(app)
    job = await app.start_update(before.job_id)
    await app.store.jobs.delete(before.job_id)
    with pytest.raises(UnknownJob, match=f"the job {before.job_id}, which it updates, is gone"):
        await app.work(job.job_id)


@pytest.mark.slow
async def test_a_model_is_refused_for_a_job_without_one(app: App) -> None:
    before = await run(app)
    with pytest.raises(UsageError, match="without a language model"):
        await app.start_update(before.job_id, model="openai/gpt-4.1-mini")


@pytest.mark.slow
async def test_a_job_on_the_sample_is_updated_on_the_sample_though_services_answer_now(
    app: App, server: FaultServer
) -> None:
    job = await app.start(job_request("metformin", app.settings, offline=True))
    before = await finish(app, job.job_id)
    asked = len(server.requests)
    after = await update(app, before.job_id)
    assert changes_of(after).is_empty and statements_of(after) == statements_of(before)
    assert len(server.requests) == asked
    assert Counter(use.name for use in after.databases) == {"sample": 1}


@pytest.mark.slow
async def test_only_questions_with_changed_sources_are_answered_again(app: App, services: UpdatedServices) -> None:
    before = await run(app)
    services.papers[4] = UpdatedServices.after(4)
    job = await app.start_update(before.job_id)
    asked: list[str] = []

    def watch(bench: Workbench, crew: Crew) -> Crew:
        class Watched:
            async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
                asked.append(collected.question.key)
                return await crew.synthesizer.answer(collected, plan)

        return crew._replace(synthesizer=Watched())

    after = await app.work(job.job_id, change=watch)
    assert isinstance(after, Dossier) and count_kinds(changes_of(after).records) == {Change.NEW: 1}
    with_sources = {key for key, text in statements_of(before)}
    assert "clinical.safety" in asked and "clinical.efficacy" in with_sources - set(asked)
