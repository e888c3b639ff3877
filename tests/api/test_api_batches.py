"""Batches: every row is checked before the first job starts, jobs run once, and the table says how each ended."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from stores import NOW, open_quick_store

import storm
from storm.api.batches import (
    BatchLimits,
    CheckedBatch,
    JobLine,
    LocalExecutor,
    check_rows,
    read_batch,
    run_batch,
    stop_batch,
    to_csv,
    to_html,
    write_results,
)
from storm.api.batches.rows import Questions, make_request
from storm.api.batches.status import BatchTable, measure_pace
from storm.app import App
from storm.errors import JobHeld, ModelError, RowsRefused, StepMismatch, UnknownJob, UsageError
from storm.models import request_job_id
from storm.settings import read_settings
from storm.store import BatchState
from storm.syllabus import bundled_syllabus

OFFLINE = {"offline": True}


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for another process looks again at once."""
    monkeypatch.setattr("storm.api.batches.running._PAUSE", 0.02)


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with open_quick_store() as store, AsyncExitStack() as opened:
        yield App(read_settings(), store, opened)


async def check(app: App, text: str | bytes, **options: Any) -> CheckedBatch:
    content = text.encode() if isinstance(text, str) else text
    return await check_rows(app, io.BytesIO(content), "rows", {**OFFLINE, **options})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("drug,bogus\nmetformin,1\n", "rows, line 1: column 'bogus' is unknown"),
        (
            "drug,prio,zz\nmetformin,1,2\n",
            "rows, line 1: column 'prio' is unknown; did you mean priority? column 'zz' is unknown; known: drug, ",
        ),
        ('{"drug": "metformin", "aa": 1, "bb": 2}', "column 'aa' is unknown; column 'bb' is unknown; known: drug, "),
        (
            "drug,offline,max_calls\nmetformin,maybe,x\n",
            "line 2: column offline: 'maybe' is wrong; it must be true or false; column max_calls: 'x' is wrong; it",
        ),
        ("drug;also\nmetformin;x\n", "none is drug or question"),
        ("drug,drug\nmetformin,x\n", "the column 'drug' is there twice"),
        ('drug,also\n"metformin,x\n', "rows, line 2: this is not CSV"),
        ("drug,also\nmetformin,x,y\n", "rows, line 2: 3 cells"),
        ("drug,priority\nmetformin,soon\n", "column priority: 'soon' is wrong; it must be a whole number"),
        ("drug,settings\nmetformin,max_questions\n", "it must be settings like max_questions=6, separated by"),
        ("drug,settings\nmetformin,max_question=6\n", "max_question"),
        ("drug,syllabus\nmetformin,/nowhere.yaml\n", "nowhere.yaml: the file cannot be read"),
        ('{"drug": "metformin"}\n[1]\n', "rows, line 2: this is not an object"),
        ('{"drug": "metformin"', "rows, line 1: this is not JSON"),
        ('{"drug": "met\\nformin"}', "control characters"),
        ('{"drug": "metformin", "question": "Is it safe?"}', "a row takes a drug or a question"),
        ('{"drug": "metformin", "databases": ["nope"]}', "there is no database nope"),
        ('{"drug": "metformin", "mode": "bad"}', "mode is 'bad'"),
        (b"metformin\nb\xff\n", "rows, line 2 is not UTF-8"),
        ("a" * 1_000_000, "line 1 has more than 200,000 bytes"),
        ("metf\x1bormin\n", "control characters"),
    ],
)
async def test_a_row_that_is_wrong_is_named_with_its_line(app: App, text: str | bytes, problem: str) -> None:
    with pytest.raises(RowsRefused, match="nothing was started") as refused:
        await check(app, text)
    assert len(refused.value.problems) == 1
    assert problem in refused.value.problems[0]


async def test_what_is_wrong_with_several_rows_alike_is_said_once_with_all_their_lines(app: App) -> None:
    with pytest.raises(RowsRefused, match="5 rows are wrong") as refused:
        await check(app, "drug,mode\na1,bad\nb1,bad\nmetformin,\nc1,bad\nd1,bad\ne1,worse\n")
    alike, other = refused.value.problems
    assert alike.startswith("rows, lines 2-3, 5-6: mode is 'bad'; it must be ")
    assert other.startswith("rows, line 7: mode is 'worse'; it must be ")


@pytest.mark.parametrize("text", ["", "\n# only this\n", "drug,also\n"])
async def test_a_file_without_rows_is_refused(app: App, text: str) -> None:
    with pytest.raises(RowsRefused, match="has no rows"):
        await check(app, text)


async def test_names_csv_and_json_lines_with_a_byte_order_mark_mean_the_same_jobs(app: App) -> None:
    names = await check(app, "\ufeff# mine\r\nmetformin\r\n\r\ntrastuzumab\r\n")
    table = await check(app, '\ufeffdrug,also\n"metformin",\ntrastuzumab,\n')
    lines = await check(app, '\ufeff{"drug": "metformin"}\n{"drug": "trastuzumab"}\n')
    assert names.digest == table.digest == lines.digest
    assert names.name == f"batch-{names.digest[:12]}"


async def test_two_rows_of_one_job_are_merged_and_the_higher_priority_counts(app: App) -> None:
    checked = await check(app, "drug,priority\nmetformin,1\nmetformin,7\n")
    assert [row.priority for row in checked.rows] == [7]
    assert checked.merged == ("rows, line 3: the same job as line 2",)


async def create(app: App, text: str, limits: BatchLimits | None = None) -> None:
    checked = await check(app, text)
    await app.store.batches.create("b", checked.digest, checked.rows, (limits or BatchLimits()).model_dump_json())


async def test_the_settings_of_a_row_win_over_those_of_the_batch_which_win_over_none(app: App) -> None:
    text = "question,settings\nIs it safe?,\nIs it good?,max_questions=3; pages_read=9\n"
    checked = await check(app, text, settings={"max_questions": "5"})
    requests = [make_request(json.loads(row.options), app.settings, Questions(app.settings)) for row in checked.rows]
    assert [one.settings.research.max_questions for one in requests] == [5, 3]
    assert [row.job_id for row in checked.rows] == [request_job_id(one) for one in requests]


async def test_rows_whose_names_differ_in_capital_letters_are_one_job(app: App) -> None:
    checked = await check(app, "Metformin\nmetformin\nMETFORMIN\n")
    assert checked.merged == ("rows, line 2: the same job as line 1", "rows, line 3: the same job as line 1")
    (row,) = checked.rows
    request = make_request(json.loads(row.options), app.settings, Questions(app.settings))
    assert (request.text, request_job_id(request)) == ("Metformin", row.job_id)


class CountedExecutor(LocalExecutor):
    """Carries jobs out here, and notes which."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.job_ids: list[str] = []

    async def execute(self, job_id: str) -> None:
        self.job_ids.append(job_id)
        await super().execute(job_id)


@pytest.mark.long
@pytest.mark.slow
async def test_the_same_batch_again_runs_only_what_is_missing_and_its_results_are_written(
    app: App, tmp_path: Path
) -> None:
    await create(app, "metformin\ntrastuzumab\n")
    executor = CountedExecutor(app)
    assert await run_batch(app, "b", executor, 2) == ""
    first, second = (await read_batch(app, "b")).jobs
    assert (first.state, first.exit_code, second.subject) == ("finished", 0, "trastuzumab")
    assert first.sources and len(executor.job_ids) == 2
    syllabus = bundled_syllabus(app.settings.config_dir)
    assert re.fullmatch(rf"\d+/{len(syllabus.questions)}", first.covered)

    await app.store.jobs.delete(second.job_id)
    assert [job.state for job in (await read_batch(app, "b")).jobs] == ["finished", "gone"]
    table, without, lacking = await write_results(app, "b", tmp_path / "out", ["md"])
    assert lacking is None
    assert (tmp_path / "out" / first.job_id / "dossier.md").is_file()
    assert f'href="{first.job_id}/dossier.md"' in (tmp_path / "out" / "index.html").read_text()
    assert without == {second.job_id: "gone"} and table.exit_code == 1
    index = json.loads((tmp_path / "out" / "index.json").read_text())
    assert [job["path"] for job in index["jobs"]] == [f"{first.job_id}/dossier.md", None]
    assert index["jobs"][0]["covered"] == first.covered

    await create(app, "metformin\ntrastuzumab\n")
    await run_batch(app, "b", executor, 2)
    assert executor.job_ids[2:] == [second.job_id]
    assert (await read_batch(app, "b")).exit_code == 0


class Refusing(LocalExecutor):
    """Cannot carry out one of the jobs, as another version of storm began it."""

    async def execute(self, job_id: str) -> None:
        if job_id.startswith("metformin"):
            raise StepMismatch("another version of storm began it")
        await super().execute(job_id)


@pytest.mark.slow
async def test_a_job_that_cannot_be_carried_out_stops_no_other(app: App) -> None:
    await create(app, "metformin\ntrastuzumab\n")
    assert await run_batch(app, "b", Refusing(app), 1) == ""
    assert [job.state for job in (await read_batch(app, "b")).jobs] == ["queued", "finished"]


async def test_a_batch_that_there_is_not_leaves_nothing_in_the_store(app: App) -> None:
    with pytest.raises(UnknownJob):
        await run_batch(app, "nosuch", LocalExecutor(app))
    assert not await app.store.run_command(lambda redis: redis.keys("job_batch*"))


class FailingExecutor:
    """Ends no job: its process was stopped, or that was asked of it."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.job_ids: list[str] = []

    async def execute(self, job_id: str) -> None:
        self.job_ids.append(job_id)
        await stop_batch(self.app, "b")


async def test_a_batch_that_is_cancelled_stops_its_running_job_and_starts_no_other(app: App) -> None:
    await create(app, "metformin\ntrastuzumab\n")
    executor = FailingExecutor(app)
    assert "cancelled" in await run_batch(app, "b", executor, 1)
    assert [job.state for job in (await read_batch(app, "b")).jobs] == ["cancelled", "waiting"]
    assert len(executor.job_ids) == 1


@pytest.mark.slow
async def test_jobs_that_were_cancelled_with_their_batch_run_when_it_goes_on(app: App) -> None:
    await create(app, "metformin\ntrastuzumab\n")
    await run_batch(app, "b", FailingExecutor(app), 1)
    assert await run_batch(app, "b", LocalExecutor(app), 2) == ""
    assert [job.state for job in (await read_batch(app, "b")).jobs] == ["finished", "finished"]


async def test_a_job_that_is_cancelled_after_it_was_handed_over_is_not_begun(app: App) -> None:
    await create(app, "metformin\n")
    await run_batch(app, "b", FailingExecutor(app), 1)
    (job,) = (await read_batch(app, "b")).jobs
    await LocalExecutor(app).execute(job.job_id)
    assert (await app.store.jobs.get(job.job_id)).state == "cancelled"


@pytest.mark.slow
async def test_a_process_that_does_not_get_the_batch_leaves_its_state_and_limits_as_they_are(app: App) -> None:
    await create(app, "metformin\n", BatchLimits(calls=10))
    async with app.store.batches.hold("b"):
        await app.store.batches.cancel("b")
        await create(app, "metformin\n", BatchLimits(calls=20))
        with pytest.raises(JobHeld, match="another process works on the batch b"):
            await run_batch(app, "b", LocalExecutor(app), 1, limits=BatchLimits(calls=20))
    batch = await app.store.batches.get("b")
    assert (batch.state, BatchLimits.model_validate_json(batch.limits).calls) == ("cancelled", 10)
    await run_batch(app, "b", LocalExecutor(app), 1, limits=BatchLimits(calls=20))
    batch = await app.store.batches.get("b")
    assert (batch.state, BatchLimits.model_validate_json(batch.limits).calls) == ("open", 20)


class BrokenExecutor(LocalExecutor):
    """Carries out jobs with a fault of each, until it is repaired."""

    is_repaired = False

    async def execute(self, job_id: str) -> None:
        if not self.is_repaired:
            async with await self._app.store.jobs.hold(job_id) as lease:
                await self._app.store.jobs.fail(lease, "the model's service refused the key")
            raise ModelError("the model's service refused the key")
        await super().execute(job_id)


@pytest.mark.slow
async def test_failed_jobs_run_again_when_they_are_retried_and_not_before(app: App) -> None:
    await create(app, "metformin\n")
    executor = BrokenExecutor(app)
    await run_batch(app, "b", executor, 1)
    (job,) = (await read_batch(app, "b")).jobs
    assert (job.state, job.exit_code, job.reason) == ("failed", 1, "the model's service refused the key")
    executor.is_repaired = True
    await run_batch(app, "b", executor, 1)
    assert (await read_batch(app, "b")).exit_code == 1
    await run_batch(app, "b", executor, 1, retry=True)
    assert (await read_batch(app, "b")).exit_code == 0


@pytest.mark.slow
async def test_questions_and_drugs_stand_in_one_batch(app: App) -> None:
    await create(app, "drug,question,kind\nmetformin,,\n,Does metformin cause lactic acidosis?,question\n")
    await run_batch(app, "b", LocalExecutor(app), 2)
    assert [(job.subject, job.state) for job in (await read_batch(app, "b")).jobs] == [
        ("metformin", "finished"),
        ("Does metformin cause lactic acidosis?", "finished"),
    ]


async def test_the_pace_is_that_since_the_batch_was_started_last() -> None:
    ended = [{"at": f"2026-11-21T10:0{minute}:00+00:00"} for minute in (0, 6, 7, 8)]
    kept = {str(n): one for n, one in enumerate(ended)}
    now = datetime(2026, 11, 21, 10, 8, tzinfo=UTC)
    assert measure_pace(kept, "2026-11-21T10:05:00+00:00", now) == 1.0
    assert measure_pace(kept, "2026-11-21T10:05:00+00:00", now + timedelta(minutes=3)) == 0.5  # nothing ended since
    assert measure_pace(kept, "2026-11-21T10:07:30+00:00", now) is None
    assert measure_pace(kept, "", now) is None


@pytest.mark.slow
async def test_a_limit_of_the_batch_lets_no_further_job_start(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async def spend(_: App, job_ids: list[str]) -> storm.models.Spent:
        return storm.models.Spent(calls=10 * len(job_ids))

    for module in ("running", "status"):
        monkeypatch.setattr(f"storm.api.batches.{module}.read_spent", spend)
    await create(app, "metformin\ntrastuzumab\n", BatchLimits(calls=10))
    assert await run_batch(app, "b", LocalExecutor(app), 1) == "the batch's limit of 10 calls is reached (10 spent)"
    assert [job.state for job in (await read_batch(app, "b")).jobs] == ["finished", "waiting"]


def test_a_table_is_safe_for_a_browser_and_a_spreadsheet() -> None:
    jobs = (JobLine("x-1", "=cmd()", "failed", 1, reason="<script>alert(1)</script>"),)
    table = BatchTable(BatchState("b", "2026-11-21", 1, "{}", "open", ""), jobs)
    assert "<script>alert" not in to_html(table)
    (row,) = csv.DictReader(io.StringIO(to_csv(table)))
    assert row["subject"] == "'=cmd()"


class WatchingExecutor(LocalExecutor):
    """Carries jobs out here, and notes how many remain before each."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.remaining: list[int] = []

    async def execute(self, job_id: str) -> None:
        self.remaining.append((await read_batch(self._app, "b")).remaining)
        await super().execute(job_id)


@pytest.mark.long
@pytest.mark.slow
async def test_cancelled_jobs_remain_when_their_batch_goes_on(app: App) -> None:
    await create(app, "metformin\ntrastuzumab\npertuzumab\n")
    for job in (await read_batch(app, "b")).jobs:
        row = json.loads(await app.store.batches.options("b", job.job_id))
        await app.start(make_request(row, app.settings, Questions(app.settings)), job.job_id)
        await app.store.jobs.cancel(job.job_id)
    assert (await read_batch(app, "b")).remaining == 0  # until somebody goes on with it
    executor = WatchingExecutor(app)
    await run_batch(app, "b", executor, 1)
    assert executor.remaining == [3, 2, 1]


@pytest.mark.slow
async def test_a_batch_whose_jobs_another_one_has_finished_has_ended_once_it_was_started(app: App) -> None:
    await create(app, "metformin\ntrastuzumab\n")
    await run_batch(app, "b", LocalExecutor(app), 1)
    checked = await check(app, "metformin\n")
    await app.store.batches.create("other", checked.digest, checked.rows, "{}")
    await run_batch(app, "other", LocalExecutor(app), 1)
    assert (await app.store.batches.get("other")).has_ended
    assert [job.state for job in (await read_batch(app, "other")).jobs] == ["finished"]


@pytest.mark.slow
async def test_failed_jobs_remain_when_they_are_retried() -> None:
    seconds = itertools.count()
    async with (
        open_quick_store(lambda: NOW + timedelta(seconds=next(seconds))) as store,
        AsyncExitStack() as opened,
    ):
        app = App(read_settings(), store, opened)
        await create(app, "metformin\ntrastuzumab\n")
        await run_batch(app, "b", BrokenExecutor(app), 1)
        executor = WatchingExecutor(app)
        await run_batch(app, "b", executor, 1, retry=True)
        assert executor.remaining == [2, 1]
        assert (await read_batch(app, "b")).remaining == 0


@pytest.mark.slow
async def test_what_a_failed_job_has_so_far_is_among_the_results_until_it_is_finished(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(app, "metformin\n")
    with monkeypatch.context() as patch:
        patch.setattr(storm.models.Dossier, "can_go_on", property(lambda _: True))
        await run_batch(app, "b", LocalExecutor(app), 1)
    (job,) = (await read_batch(app, "b")).jobs
    assert job.state == "failed"
    results = await write_results(app, "b", tmp_path / "out", ["md"])
    assert results.without == {}
    (file,) = (tmp_path / "out" / job.job_id).glob("*.md")
    assert "metformin" in file.read_text().lower()
    await run_batch(app, "b", LocalExecutor(app), 1, retry=True)
    assert (await read_batch(app, "b")).exit_code == 0
    assert (await app.report(job.job_id)).exit_code == 0


async def test_a_folder_with_the_results_of_another_batch_is_left_alone(app: App, tmp_path: Path) -> None:
    await create(app, "metformin\n")
    (tmp_path / "index.json").write_text('{"batch": "other"}')
    with pytest.raises(UsageError, match="has the results of another batch, 'other'"):
        await write_results(app, "b", tmp_path, ["md"])
    await write_results(app, "b", tmp_path, ["md"], overwrite=True)
    await write_results(app, "b", tmp_path, ["md"])
    assert json.loads((tmp_path / "index.json").read_text())["batch"] == "b"


@pytest.mark.slow
async def test_a_batch_that_has_ended_is_not_cancelled_and_one_that_is_worked_on_not_deleted(app: App) -> None:
    await create(app, "metformin\n")
    async with app.store.batches.hold("b"):
        with pytest.raises(JobHeld):
            await app.store.batches.delete("b")
    await run_batch(app, "b", LocalExecutor(app), 1)
    with pytest.raises(UsageError, match="the batch b has ended: there is nothing to cancel"):
        await stop_batch(app, "b")
    (job,) = (await read_batch(app, "b")).jobs
    await app.store.batches.delete("b")
    assert await app.store.batches.names() == []
    with pytest.raises(UnknownJob):
        await app.store.batches.delete("b")
    assert (await app.store.jobs.get(job.job_id)).exit_code == 0


async def test_a_batch_of_another_version_is_named_beside_the_others(app: App) -> None:
    await create(app, "metformin\n")
    await app.store.batches.create("old", "digest", [], "{}")
    await app.store.run_command(lambda redis: redis.hset("job_batch:{old}:metadata", "schema", "0"))
    batches, unreadable = await app.store.batches.all()
    assert ([batch.name for batch in batches], unreadable) == (["b"], ["old"])


async def test_a_drug_that_is_not_known_keeps_its_record_where_nobody_waits_for_the_job() -> None:
    settings = read_settings()._replace(unattended=True)
    async with open_quick_store() as store, AsyncExitStack() as opened:
        app = App(settings, store, opened)
        await create(app, "drug,meaning\nmetformin,CHEMBL999999\n")
        await run_batch(app, "b", LocalExecutor(app), 1)
        (job,) = (await read_batch(app, "b")).jobs
        assert job.state == "failed"
        assert "CHEMBL999999" in job.reason
