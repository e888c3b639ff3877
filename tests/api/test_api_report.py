"""storm.report: a question in, a ResearchReport out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from research_parts import put_in, use_parts

import storm
from storm.errors import UsageError
from storm.models import RequestKind

QUESTION = "Does trastuzumab\nharm the heart?"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def test_a_question_gives_a_report_and_its_files(tmp_path: Path) -> None:
    report = storm.report(
        QUESTION, offline=True, out="r", formats=["md"], preferences={"tone": "plain"}, research={"max_iterations": 0},
        crew=put_in,
    )  # fmt: skip
    assert isinstance(report, storm.ResearchReport) and report.research is not None
    assert (report.drug, report.research.asked) == ("Does trastuzumab harm the heart?", QUESTION)
    assert report.research.settings == storm.ResearchSettings(max_iterations=0)
    assert report.research.plan.preferences == storm.ReportPreferences(tone="plain")
    assert isinstance(report.research.plan, storm.ResearchPlan)
    assert [path.name for path in (tmp_path / "r").iterdir()] == ["report.md"]


async def test_its_settings_are_kept_with_the_job_so_that_a_resume_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    use_parts(monkeypatch, broken="heart")
    configurable = {"configurable": {"max_iterations": 0}}
    first = await storm.areport(QUESTION, offline=True, job_id="mine", configurable=configurable)
    assert first.research is not None and list(first.research.failed) == ["heart"] and first.can_go_on
    use_parts(monkeypatch)
    async with storm.open_app() as app:
        assert (await app.store.jobs.get("mine")).settings.research.max_iterations == 0
        whole = await storm.aresume("mine", app=app)
    assert isinstance(whole, storm.ResearchReport) and whole.research is not None
    assert (whole.research.failed, whole.research.settings.max_iterations, whole.research.rounds) == ({}, 0, ())


async def test_a_topic_is_a_kind_and_a_drug_is_none() -> None:
    async with storm.open_app() as app:
        report = await storm.areport("Trastuzumab", kind="topic", offline=True, job_id="mine", app=app, crew=put_in)
        assert (await app.store.jobs.get("mine")).request.kind is RequestKind.TOPIC
        assert report.drug == "Trastuzumab"
        with pytest.raises(UsageError, match="kind is 'drug'; it must be question or topic"):
            await storm.areport("trastuzumab", kind="drug", offline=True, app=app)


@pytest.mark.slow
async def test_a_drug_is_researched_by_the_mode_parallel_only() -> None:
    with pytest.raises(UsageError, match="the mode extractive plans no research of its own, so max_questions would"):
        await storm.arun("trastuzumab", offline=True, research={"max_questions": 3})
    with pytest.raises(UsageError, match="the mode extractive writes its report in one form"):
        await storm.arun("trastuzumab", offline=True, preferences={"tone": "plain"})
    dossier = await storm.arun(
        "trastuzumab", offline=True, mode="parallel", research={"max_iterations": 0}, crew=put_in
    )
    assert type(dossier) is storm.Dossier and dossier.research is not None
    assert dossier.research.settings.max_iterations == 0


@pytest.mark.parametrize("question", ["", "  ", "?!", "Does it \x00 harm?", "why? " * 5_000])
async def test_what_is_no_question_is_a_usage_error_and_starts_no_job(question: str) -> None:
    async with storm.open_app() as app:
        with pytest.raises(UsageError, match="the question "):
            await storm.areport(question, offline=True, app=app)
        assert await storm.ajobs(app=app) == ()


@pytest.mark.parametrize("option", ["also", "meaning", "mode", "nosuch"])
async def test_an_option_of_drugs_alone_is_a_type_error(option: str) -> None:
    with pytest.raises(TypeError, match=option):
        await storm.areport(QUESTION, **{option: "trastuzumab"})  # type: ignore[arg-type]


def test_a_report_in_an_event_loop_is_refused_with_what_to_do() -> None:
    async def call() -> None:
        storm.report(QUESTION)

    with pytest.raises(UsageError, match=r"storm\.report\(\) cannot be called inside an event loop"):
        asyncio.run(call())
