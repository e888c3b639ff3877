"""The service of traces, on SQLite and PostgreSQL: what it keeps, what it refuses, and whom it shows what."""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from postgres import PostgresServer
from sqlalchemy import text
from traced import START, ticking

from storm.errors import TraceFinished, UnknownTrace, UsageError
from storm.traces import EventKind, Owner, TraceEvent, TraceFilter, TraceStatus, queries
from storm.traces.database import TraceDatabase
from storm.traces.service import Traces

HOSTILE = 'a\0b \ud800 \U0001f9ec 100% under_score "quoted" back\\slash \' -- ;'


def line(number: int, kind: EventKind = EventKind.SEARCH, **values: Any) -> TraceEvent:
    return TraceEvent(event_id=f"{number}-0", at=START + timedelta(seconds=number), kind=kind, **values)


async def ids(traces: Traces, **wanted: Any) -> list[str]:
    return [trace.id for trace in (await traces.list_traces(TraceFilter(**wanted))).traces]


# One trace.


async def test_a_new_trace_is_pending_and_has_what_was_asked(database: TraceDatabase) -> None:
    traces = Traces(database, Owner(user_id=7, org_id=3), ticking())
    made = await traces.create_trace("deep_research", {"question": "Is it safe?", "max_iterations": 10})
    found = await traces.get_trace(made.id)
    assert found == made
    assert (found.user_id, found.org_id, found.tool_name) == (7, 3, "deep_research")
    assert found.input_params == {"question": "Is it safe?", "max_iterations": 10}
    assert (found.status, found.progress, found.current_stage) == (TraceStatus.PENDING, 0, "")
    assert (found.created_at, found.started_at, found.completed_at) == (START, None, None)
    assert (found.state, found.result, found.metrics, found.error_message) == (None, None, None, None)


async def test_a_trace_is_followed_to_its_result(database: TraceDatabase) -> None:
    traces = Traces(database, clock=ticking())
    trace = (await traces.create_trace("deep_research", {})).id
    await traces.update_progress(trace, 0.2, stage="refining", state={"refined_question": "Q"})
    await traces.update_progress(trace, 0.6, stage="iteration_1", metrics={"llm_calls": 3})
    under_way = await traces.get_trace(trace)
    assert (under_way.status, under_way.progress, under_way.current_stage) == ("in_progress", 0.6, "iteration_1")
    assert (under_way.state, under_way.metrics) == ({"refined_question": "Q"}, {"llm_calls": 3})
    await traces.complete_trace(trace, {"answer": "Yes [1]."}, metrics={"llm_calls": 5})
    done = await traces.get_trace(trace)
    assert (done.status, done.progress, done.result) == (TraceStatus.COMPLETED, 1, {"answer": "Yes [1]."})
    assert done.state == {"refined_question": "Q"}
    assert done.metrics == {"llm_calls": 5}
    assert (done.created_at, done.started_at, done.completed_at) == (
        START, START + timedelta(seconds=1), START + timedelta(seconds=3),
    )  # fmt: skip


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> TraceDatabase:
    """A database for the examples of property tests; each begins with it empty."""
    return TraceDatabase(tmp_path_factory.mktemp("shared") / "traces.db")


async def empty(database: TraceDatabase) -> None:
    async with database.write() as connection:
        await connection.execute(text("DELETE FROM tool_traces"))
        await connection.execute(text("DELETE FROM trace_events"))


@pytest.mark.slow
@given(reported=st.lists(st.floats(-1, 2), min_size=1, max_size=6))
async def test_progress_never_falls(shared: TraceDatabase, reported: list[float]) -> None:
    traces, seen = Traces(shared), []
    trace = (await traces.create_trace("tool", {})).id
    for each in reported:
        await traces.update_progress(trace, each)
        seen.append((await traces.get_trace(trace)).progress)
    await traces.disconnect()  # the next example has another event loop
    assert seen == sorted(seen)
    assert seen[-1] == min(1.0, max(0.0, *reported, 0.0))


async def end(traces: Traces, trace: str, status: str) -> None:
    if status == "failed":
        await traces.fail_trace(trace, "the model is gone")
    elif status == "cancelled":
        await traces.cancel_trace(trace)
    else:
        await traces.complete_trace(trace, {"answer": ""}, status=TraceStatus(status))


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "max_iterations"])
async def test_a_finished_trace_is_not_changed(traces: Traces, status: str) -> None:
    trace = (await traces.create_trace("tool", {})).id
    await end(traces, trace, status)
    before = await traces.get_trace(trace)
    assert before.status == status
    for change in (
        traces.update_progress(trace, 0.9, events=[line(1)]), traces.complete_trace(trace), traces.cancel_trace(trace),
        traces.fail_trace(trace, "again"),
    ):  # fmt: skip
        with pytest.raises(TraceFinished, match=status):
            await change
    assert await traces.mark_interrupted([trace]) == 0
    assert await traces.get_trace(trace) == before
    assert await traces.list_events(trace) == []


@pytest.mark.parametrize("status", ["failed", "cancelled", "max_iterations"])
async def test_a_resume_goes_on_with_the_same_trace(traces: Traces, status: str) -> None:
    trace = (await traces.create_trace("tool", {})).id
    await traces.update_progress(trace, 0.4, state={"a": 1})
    await end(traces, trace, status)
    resumed = await traces.resume_trace(trace)
    assert (resumed.id, resumed.status, resumed.completed_at, resumed.error_message) == (
        trace, TraceStatus.IN_PROGRESS, None, None,
    )  # fmt: skip
    assert resumed.state == {"a": 1}
    assert await ids(traces) == [trace]


async def test_a_completed_trace_is_not_resumed(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {})).id
    await traces.complete_trace(trace)
    with pytest.raises(TraceFinished):
        await traces.resume_trace(trace)


async def test_a_killed_trace_stays_in_progress_and_says_so_until_it_goes_on(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {})).id
    await traces.update_progress(trace, 0.4)
    assert await traces.mark_interrupted([trace, "unknown"]) == 1
    found = await traces.get_trace(trace)
    assert (found.status, found.is_interrupted) == (TraceStatus.IN_PROGRESS, True)
    await traces.update_progress(trace, 0.5)
    assert not (await traces.get_trace(trace)).is_interrupted


async def test_a_timeline_has_each_event_once_in_order(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {})).id
    call = line(
        2, EventKind.CALL, name="synthesizer", outcome="ok", prompt_tokens=900, completion_tokens=80, cost_usd=0.002,
        seconds=1.5,
    )  # fmt: skip
    search = line(1, name="pubmed", outcome="found", message="PubMed: 3 for x")
    await traces.update_progress(trace, 0.1, events=[call])
    await traces.update_progress(trace, 0.1, events=[search, call])
    assert await traces.list_events(trace) == [search, call]


@pytest.mark.slow
async def test_a_timeline_of_ten_thousand_lines_is_taken_at_once(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {})).id
    await traces.update_progress(trace, 0.1, events=[line(number) for number in range(10_000)])
    assert len(await traces.list_events(trace)) == 10_000


async def test_what_a_database_refuses_is_replaced(traces: Traces) -> None:
    asked = {HOSTILE: HOSTILE, "n": math.nan, "deep": [{"x": [HOSTILE, math.inf]}]}
    trace = (await traces.create_trace("tool", asked)).id
    await traces.update_progress(trace, 0.1, stage=HOSTILE, state=asked, events=[line(1, message=HOSTILE)])
    await traces.fail_trace(trace, HOSTILE)
    found, clean = await traces.get_trace(trace), HOSTILE.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
    assert found.input_params == found.state == {clean: clean, "n": None, "deep": [{"x": [clean, None]}]}
    assert (found.current_stage, found.error_message) == (clean, clean)
    assert (await traces.list_events(trace))[0].message == clean


async def test_an_id_is_taken_once(traces: Traces) -> None:
    await traces.create_trace("tool", {}, trace_id="mine")
    with pytest.raises(UsageError, match="already a trace mine"):
        await traces.create_trace("tool", {}, trace_id="mine")


@pytest.mark.parametrize("name", ["", "x" * 101])
async def test_a_tool_has_a_name_of_reasonable_length(traces: Traces, name: str) -> None:
    with pytest.raises(UsageError, match="1 to 100 characters"):
        await traces.create_trace(name, {})


async def test_a_trace_is_completed_only_as_done(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {})).id
    with pytest.raises(UsageError, match="not completed as failed"):
        await traces.complete_trace(trace, status=TraceStatus.FAILED)


async def test_a_trace_is_found_by_the_beginning_of_its_id(traces: Traces) -> None:
    for name in ("metformin-1-a", "metformin-1-b", "metformin-2-a", "under_score", "underxscore"):
        await traces.create_trace("tool", {}, trace_id=name)
    assert (await traces.find_trace("metformin-2")).id == "metformin-2-a"
    assert (await traces.find_trace("under_")).id == "under_score"
    assert (await traces.find_trace("metformin-1-a")).id == "metformin-1-a"
    with pytest.raises(UnknownTrace, match="several traces begin with metformin-1"):
        await traces.find_trace("metformin-1")
    with pytest.raises(UnknownTrace, match="no trace aspirin"):
        await traces.find_trace("aspirin")


# Lists.


async def many(database: TraceDatabase, number: int) -> Traces:
    traces = Traces(database, clock=ticking())
    for each in range(number):
        await traces.create_trace(
            "report" if each % 2 else "run_drug", {"text": f"Question {each} of 100%"}, trace_id=f"t{each}"
        )
    return traces


async def test_pages_hold_every_trace_once_newest_first(database: TraceDatabase) -> None:
    traces, cursor, seen = await many(database, 7), "", list[str]()
    while True:
        page = await traces.list_traces(limit=3, cursor=cursor)
        seen += [trace.id for trace in page.traces]
        if not (cursor := page.cursor):
            break
    assert seen == [f"t{number}" for number in reversed(range(7))]


async def test_pages_hold_traces_of_one_moment_once(database: TraceDatabase) -> None:
    traces = Traces(database, clock=lambda: START)
    for each in range(5):
        await traces.create_trace("tool", {}, trace_id=f"t{each}")
    first = await traces.list_traces(limit=3)
    second = await traces.list_traces(limit=3, cursor=first.cursor)
    assert [trace.id for trace in first.traces + second.traces] == ["t4", "t3", "t2", "t1", "t0"]
    assert second.cursor == ""


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"tool_name": "report"}, ["t3", "t1"]),
        ({"status": TraceStatus.FAILED}, ["t1"]),
        ({"status": TraceStatus.PENDING, "tool_name": "report"}, ["t3"]),
        ({"since": START + timedelta(seconds=2)}, ["t3", "t2"]),
        ({"until": START + timedelta(seconds=2)}, ["t1", "t0"]),
        ({"text": "qUESTION 2"}, ["t2"]),
        ({"text": "100%"}, ["t3", "t2", "t1", "t0"]),
        ({"text": "1_0"}, []),
        ({"text": "t3"}, ["t3"]),
        ({"text": 'said "NO"'}, ["t1"]),
    ],
)
async def test_a_list_holds_what_is_wanted(
    database: TraceDatabase, wanted: dict[str, Any], expected: list[str]
) -> None:
    traces = await many(database, 4)
    await traces.fail_trace("t1", 'The model said "no".')
    assert await ids(traces, **wanted) == expected


async def test_a_text_is_found_within_the_input_as_it_was_written(traces: Traces) -> None:
    trace = (await traces.create_trace("tool", {"text": 'naïve "quoted" back\\slash'})).id
    for sought in ("naïve", '"quoted" back\\slash'):
        assert await ids(traces, text=sought) == [trace]


@pytest.mark.slow
async def test_a_text_is_found_as_it_is_without_an_index(
    database: TraceDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("kidney", "Kidneys", "100%", "1_0", "a", "naïve", 'the "dose"', "C:\\new", "two\nlines", "王伟")
    traces = Traces(database, clock=ticking())
    for number, (one, other) in enumerate(itertools.product(words, repeat=2)):
        await traces.create_trace("tool", {"text": f"{one} {other}"}, trace_id=f"t{number}")
    await traces.fail_trace("t3", "no kidney")
    await traces.prune(START + timedelta(seconds=40), unfinished=True)
    sought = [*words, "KIDNEY", "y 1", "0%", "%_", "___", "ney", "zz", "unobtainium", "\n", '"dose" k', "\\"]
    found = {text: await ids(traces, text=text) for text in sought}
    assert found["kidney"] and found["王伟"] and not found["unobtainium"]
    for fewest in (0, 10**6):  # too few to be looked through by id; no text is long enough for the index
        monkeypatch.setattr(queries, "MOST_CANDIDATES" if not fewest else "_SHORTEST", fewest)
        assert {text: await ids(traces, text=text) for text in sought} == found


async def test_a_text_is_found_after_the_file_was_compacted(tmp_path: Path) -> None:
    database = TraceDatabase(tmp_path / "traces.db")
    traces = await many(database, 6)
    await traces.prune(START + timedelta(seconds=3), unfinished=True)
    await database.close()
    with closing(sqlite3.connect(tmp_path / "traces.db")) as file:
        file.execute("VACUUM")
    await traces.fail_trace("t4", "no answer")
    assert await ids(traces, text="question 5") == ["t5"]
    assert await ids(traces, text="no answer") == ["t4"]
    await database.close()


async def test_a_role_that_may_not_add_an_extension_finds_texts_without_an_index(postgres: PostgresServer) -> None:
    place = postgres.create_database(owner="reader")
    database = TraceDatabase(place)
    traces = await many(database, 3)
    assert await ids(traces, text="question 1") == ["t1"]
    async with database.read() as connection:
        names = (await connection.scalars(text("SELECT indexname FROM pg_indexes"))).all()
    await database.close()
    assert "ix_tool_traces_user_id_created_at" in names
    assert "ix_tool_traces_texts" not in names


@pytest.mark.parametrize("cursor", ["x", "!!", "WyJhIiwgMV0", "e30", "WzEsIDJd", "é"])
async def test_a_cursor_of_ones_own_is_refused(traces: Traces, cursor: str) -> None:
    with pytest.raises(UsageError, match="invalid cursor"):
        await traces.list_traces(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 501])
async def test_a_page_has_a_reasonable_length(traces: Traces, limit: int) -> None:
    with pytest.raises(UsageError, match="1 to 500"):
        await traces.list_traces(limit=limit)


async def test_an_export_holds_every_trace_whole_with_its_timeline(
    database: TraceDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storm.traces.service._AT_ONCE", 2)
    traces = await many(database, 5)
    await traces.update_progress("t1", 0.5, events=[line(1), line(2)])
    exported = [(trace, events) async for trace, events in traces.export_traces()]
    assert [trace.id for trace, _ in exported] == ["t4", "t3", "t2", "t1", "t0"]
    assert [len(events) for _, events in exported] == [0, 0, 0, 2, 0]
    assert exported[3][0] == await traces.get_trace("t1")


async def test_pruning_deletes_what_is_old_and_finished_with_its_timeline(
    database: TraceDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storm.traces.service._AT_ONCE", 2)
    traces = await many(database, 6)
    for number in range(5):
        await traces.update_progress(f"t{number}", 0.5, events=[line(number)])
    for number in (0, 1, 2, 4):
        await traces.complete_trace(f"t{number}")
    before = START + timedelta(seconds=20)
    old = [trace.created_at for trace in (await traces.list_traces()).traces if trace.id == "t4"]
    assert await traces.prune(old[0]) == 3
    assert await ids(traces) == ["t5", "t4", "t3"]
    async with database.read() as connection:
        rows = (await connection.scalars(text("SELECT trace_id FROM trace_events ORDER BY trace_id"))).all()
    assert rows == ["t3", "t4"]
    assert await traces.prune(before, unfinished=True) == 3


# Owners.


async def test_everyone_of_an_organisation_is_seen_only_when_asked_for(
    traces_of: Callable[[Owner], Traces],
) -> None:
    mine, other = traces_of(Owner(user_id=1, org_id=5)), traces_of(Owner(user_id=2, org_id=5))
    await mine.create_trace("tool", {}, trace_id="mine")
    await other.create_trace("tool", {}, trace_id="others")
    await traces_of(Owner(user_id=1, org_id=6)).create_trace("tool", {}, trace_id="foreign")
    assert await ids(mine) == ["mine"]
    assert sorted(await ids(mine, everyone=True)) == ["mine", "others"]
    exported = [trace.id async for trace, _ in mine.export_traces(TraceFilter(everyone=True))]
    assert sorted(exported) == ["mine", "others"]
    with pytest.raises(UsageError, match="organisation"):
        await ids(traces_of(Owner()), everyone=True)


OWNERS = st.builds(Owner, user_id=st.integers(0, 2), org_id=st.none() | st.integers(0, 2))


@pytest.mark.slow
@given(owners=st.lists(OWNERS, min_size=2, max_size=5), viewer=OWNERS)
async def test_an_organisation_never_sees_or_changes_another_s_trace(
    shared: TraceDatabase, owners: list[Owner], viewer: Owner
) -> None:
    database = shared
    await empty(database)
    for number, owner in enumerate(owners):
        trace = await Traces(database, owner).create_trace("tool", {"text": "secret"}, trace_id=f"t{number}")
        await Traces(database, owner).update_progress(trace.id, 0.5, events=[line(1)])
    view = Traces(database, viewer)
    own = {f"t{number}" for number, owner in enumerate(owners) if owner == viewer}
    theirs = {f"t{number}" for number, owner in enumerate(owners) if owner.org_id == viewer.org_id is not None}
    assert set(await ids(view, text="secret")) == own
    if viewer.org_id is not None:
        assert set(await ids(view, everyone=True)) == theirs
    foreign = [f"t{number}" for number in range(len(owners)) if f"t{number}" not in own]
    for trace_id in foreign:
        for look in (
            view.get_trace(trace_id), view.find_trace(trace_id), view.update_progress(trace_id, 1.0),
            view.complete_trace(trace_id), view.fail_trace(trace_id, "x"), view.cancel_trace(trace_id),
            view.resume_trace(trace_id),
        ):  # fmt: skip
            with pytest.raises(UnknownTrace):
                await look
        assert await view.list_events(trace_id) == []
    assert await view.mark_interrupted(foreign) == 0
    assert {trace.id async for trace, _ in view.export_traces()} == own
    assert await view.prune(START.replace(year=2100), unfinished=True) == len(own)
    for number, owner in enumerate(owners):
        if owner != viewer:
            assert len(await Traces(database, owner).list_events(f"t{number}")) == 1
    await view.disconnect()  # the next example has another event loop


@pytest.mark.parametrize("owner", [{"user_id": -1}, {"user_id": 2**63}, {"org_id": -1}, {"org_id": 2**63}])
def test_an_owner_is_a_number_that_a_database_takes(owner: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="equal to"):
        Owner(**owner)


async def test_the_largest_owner_is_taken(traces_of: Callable[[Owner], Traces]) -> None:
    largest = Owner(user_id=2**63 - 1, org_id=2**63 - 1)
    trace = await traces_of(largest).create_trace("tool", {})
    assert (await traces_of(largest).get_trace(trace.id)).user_id == 2**63 - 1


async def test_the_trace_of_a_job_is_found_by_the_job_s_id_also_where_another_id_begins_with_it(
    traces: Traces,
) -> None:
    await traces.create_trace("run_drug", {"job_id": "heart-1"}, trace_id="heart-1-abc")
    await traces.create_trace("run_drug", {"job_id": "heart-1-2"}, trace_id="heart-1-2-def")
    for job_id, trace_id in (("heart-1", "heart-1-abc"), ("heart-1-2", "heart-1-2-def")):
        assert (await traces.get_trace(job_id)).id == (await traces.find_trace(job_id)).id == trace_id
    with pytest.raises(UnknownTrace):
        await traces.get_trace("heart")
