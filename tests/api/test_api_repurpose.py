"""storm.repurpose and storm.ReportAgent: a drug and a disease in, a report on hypotheses out."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from repurposing_parts import SUMMARY, use_parts

import storm
from storm.app import Workbench
from storm.errors import UsageError
from storm.models import JobState, RequestKind
from storm.modes import Crew

ASKED = "trastuzumab for breast cancer"
NO_EVIDENCE = "Cannot generate report: No evidence collected."


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    use_parts(monkeypatch)


def test_a_drug_and_a_disease_give_a_report_and_its_files(tmp_path: Path) -> None:
    report = storm.repurpose(ASKED, offline=True, out="r", formats=["json"], research={"max_iterations": 0})
    assert isinstance(report, storm.ResearchReport) and report.repurposing is not None
    found = report.repurposing.report
    assert isinstance(found, storm.RepurposingReport) and found.research_question == ASKED
    (tested,) = found.hypotheses_tested
    assert isinstance(tested.hypothesis, storm.MechanismHypothesis)
    assert tested.status is storm.HypothesisStatus.UNTESTED
    assert json.loads((tmp_path / "r/report.json").read_text())["repurposing"]["report"]["title"] == found.title


async def test_synonyms_and_the_meaning_are_those_of_the_drug() -> None:
    async with storm.open_app() as app:
        await storm.arepurpose(ASKED, also=["Herceptin"], meaning="trastuzumab", offline=True, job_id="mine", app=app)
        request = (await app.store.jobs.get("mine")).request
    assert (request.kind, request.also, request.meaning) == (RequestKind.REPURPOSING, ("Herceptin",), "trastuzumab")


@pytest.mark.parametrize("option", ["kind", "mode", "syllabus", "preferences", "prefill", "nosuch"])
async def test_an_option_that_it_does_not_have_is_a_type_error(option: str) -> None:
    with pytest.raises(TypeError, match=rf"repurpose\(\) takes no '{option}'"):
        await storm.arepurpose(ASKED, **{option: "x"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=rf"ReportAgent\(\) takes no '{option}'"):
        storm.ReportAgent(**{option: "x"})  # type: ignore[arg-type]


def test_questions_of_a_file_and_preferences_are_refused_where_the_kind_is_given(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("")
    with pytest.raises(UsageError, match="hypotheses are tested by questions of storm's own"):
        storm.run(ASKED, kind="repurposing", offline=True, syllabus="own.yaml")
    with pytest.raises(UsageError, match="the mode repurposing writes its report in one form"):
        storm.run(ASKED, kind="repurposing", offline=True, preferences={"tone": "plain"})
    with pytest.raises(UsageError, match="the mode repurposing takes a repurposing question, and this is a drug") as no:
        storm.run("trastuzumab", mode="repurposing", offline=True)
    assert no.value.hint == "leave `mode` out, or ask storm.repurpose"
    assert storm.jobs() == ()


@pytest.mark.parametrize("text", ["", "?!", 3])
async def test_what_is_no_text_is_a_usage_error_and_starts_no_job(text: Any) -> None:
    async with storm.open_app() as app:
        with pytest.raises(UsageError, match="repurposing question"):
            await storm.arepurpose(text, offline=True, app=app)
        assert await storm.ajobs(app=app) == ()


# The agent.


def test_an_agent_answers_with_the_report() -> None:
    answer = storm.ReportAgent(offline=True, research={"max_iterations": 1}).run(ASKED)
    assert (answer.id, answer.exit_code) == ("report-complete", 0)
    assert isinstance(answer.data, storm.RepurposingReport) and answer.data.executive_summary == SUMMARY.strip()
    assert answer.text.startswith("# ")
    assert [job.job_id for job in storm.jobs()] == [answer.job_id]


def test_an_agent_s_jobs_take_a_crew_and_settings() -> None:
    seen = list[str]()

    def change(bench: Workbench, crew: Crew) -> Crew:
        seen.append(bench.job.job_id)
        return crew

    agent = storm.ReportAgent(offline=True, crew=change, settings=storm.read_settings())
    assert [agent.run(ASKED).job_id, agent.run(ASKED).job_id] == seen and len(set(seen)) == 2


def test_an_agent_without_evidence_answers_with_one_sentence() -> None:
    answer = storm.ReportAgent(offline=True).run("zorvimab for breast cancer")
    assert answer[:3] == (NO_EVIDENCE, "report-no-evidence", None) and answer.exit_code == 4


def test_an_agent_says_what_could_not_be_researched_beside_that_there_is_no_evidence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_parts(monkeypatch, broken="all")
    answer = storm.ReportAgent(offline=True).run(ASKED)
    assert answer.text.startswith(f"{NO_EVIDENCE} ") and "the query writer is out" in answer.text
    assert (answer.id, answer.data, answer.exit_code) == ("report-no-evidence", None, 3)


async def test_an_agent_inside_a_loop_is_awaited() -> None:
    agent = storm.ReportAgent(offline=True)
    with pytest.raises(UsageError, match=r"ReportAgent\.run\(\) cannot be called inside an event loop") as refused:
        agent.run(ASKED)
    assert refused.value.hint == "use the coroutine: await agent.arun(...)"
    assert (await agent.arun(ASKED)).id == "report-complete"


async def test_a_stream_gives_the_events_while_the_job_runs_and_last_the_answer() -> None:
    async with storm.open_app() as app:
        *events, answer = [one async for one in storm.ReportAgent(offline=True, app=app).run_stream(ASKED)]
        assert isinstance(answer, storm.AgentAnswer) and answer.id == "report-complete"
        stored = await app.journal(answer.job_id).events(1000)
        (again,) = await storm.ajobs(app=app)
    # What questions report side by side may reach the store in another order.
    assert sorted(events, key=str) == sorted(stored[1:], key=str) and again.exit_code == 0
    assert isinstance(events[0], storm.Event) and events[0].message == "plan"


async def test_an_event_is_given_before_the_job_has_ended() -> None:
    async with storm.open_app() as app, aclosing(storm.ReportAgent(offline=True, app=app).run_stream(ASKED)) as stream:
        first = await anext(stream)
        assert isinstance(first, storm.Event)
        assert (await app.store.jobs.get(first.job_id)).state is JobState.RUNNING


async def test_a_stream_that_is_closed_stops_its_job_which_a_resume_takes_up_again() -> None:
    async with storm.open_app() as app:
        async with aclosing(storm.ReportAgent(offline=True, app=app).run_stream(ASKED)) as stream:
            async for event in stream:
                assert isinstance(event, storm.Event)
                if event.message == "answer":
                    break
        assert (await app.store.jobs.get(event.job_id)).state is JobState.INTERRUPTED
        report = await storm.aresume(event.job_id, app=app)
        seen = [one.message for one in await app.journal(event.job_id).events(1000) if one.kind == "stage"]
    assert report.exit_code == 0 and report.repurposing is not None and report.repurposing.report is not None
    assert seen.count("plan") == seen.count("search") == 1 and "report" in seen


async def test_who_reads_a_stream_may_be_cancelled_and_the_job_stops_too() -> None:
    async with storm.open_app() as app:
        begun = asyncio.Event()

        async def read() -> None:
            async for _ in storm.ReportAgent(offline=True, app=app).run_stream(ASKED):
                begun.set()

        reader = asyncio.create_task(read())
        await begun.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        (job,) = await storm.ajobs(app=app)
    assert job.state is JobState.INTERRUPTED


async def test_a_stream_raises_what_the_job_raises() -> None:
    with pytest.raises(UsageError, match="the repurposing question is empty"):
        await anext(storm.ReportAgent(offline=True).run_stream(""))
