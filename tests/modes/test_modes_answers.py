"""A question answered in rounds on the sample: the report, its result and its files agree with each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from research_cast import Cast

from storm.app import Workbench, open_app
from storm.export.formats import FORMATS, lay_out_report, render_report
from storm.models import (
    ChecklistReview,
    Finding,
    ItemJudgement,
    ItemState,
    JobRequest,
    OutlinePart,
    Plan,
    RefinedQuestion,
    ReportSection,
    RequestKind,
    ResearchPlan,
    ResearchReport,
    ResearchSettings,
    ResearchStatus,
    RunSettings,
    SearchIteration,
    SearchQuery,
    Source,
    SummarySentence,
    Syllabus,
)
from storm.modes import Crew, DeepResearchCrew
from storm.reports.deep_research import make_result
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

REFINED = RefinedQuestion(text="What does trastuzumab do in breast cancer?")
MECHANISM, EFFICACY, MARKET = "mechanism.moa", "clinical.efficacy", "market.status"


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


class ChecklistCast(Cast):
    """A cast with a checklist of three items; each that has a statement is satisfied, and the last never is."""

    def change(self, bench: Workbench, crew: Crew) -> Crew:
        crew = super().change(bench, crew)
        assert crew.research is not None
        roles = DeepResearchCrew(self, self, self)  # type: ignore[arg-type]
        return crew._replace(research=crew.research._replace(deep_research=roles))

    async def refine(self, request: JobRequest) -> RefinedQuestion:
        return REFINED

    async def plan(self, request: JobRequest, refined: RefinedQuestion) -> Plan:
        syllabus = bundled_syllabus(read_settings().config_dir)
        questions = tuple(
            syllabus.question(key).model_copy(update={"min_sources": 1}) for key in (MECHANISM, EFFICACY, MARKET)
        )
        return Plan(
            names=("trastuzumab",), research=ResearchPlan(),
            syllabus=Syllabus(name="checklist", questions=questions, min_databases=1),
        )  # fmt: skip

    async def judge(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:  # fmt: skip
        return ChecklistReview(items=tuple(map(self._judge_item, (finding.answer for finding in findings))))

    def _judge_item(self, answer: Any) -> ItemJudgement:
        is_last = answer.question == MARKET
        state = ItemState.PARTIAL if is_last else ItemState.SATISFIED
        searches = (SearchQuery(names=("trastuzumab",), words=("zorvimab",)),) if is_last else ()
        evidence = tuple(statement.identity for statement in answer.all_statements)
        return ItemJudgement(question=answer.question, state=state, evidence=evidence, searches=searches)

    async def write_section(
        self, part: OutlinePart, outline: Any, plan: Plan, findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:  # fmt: skip
        paragraphs = (
            tuple(
                SummarySentence(**dict(one), question=finding.answer.question)
                for one in finding.answer.statements[:2]
            )
            for finding in findings
        )  # fmt: skip
        return ReportSection(part=part, paragraphs=tuple(filter(None, paragraphs)))


async def answer(**research: int) -> ResearchReport:
    request = JobRequest(
        kind=RequestKind.QUESTION, text="what does trastuzumab do?", offline=True,
        settings=RunSettings(mode="deep_research", research=ResearchSettings(**research)),
    )  # fmt: skip
    async with open_app(read_settings()) as app:
        report = await app.work((await app.start(request)).job_id, change=ChecklistCast().change)
    assert isinstance(report, ResearchReport)
    return report


@pytest.mark.slow
async def test_the_result_cites_the_sources_of_the_report_by_its_numbers() -> None:
    report = await answer(max_iterations=4)
    result = make_result(report)
    cited = list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", result.answer)))
    assert cited == list(range(1, len(result.sources) + 1)) and len(cited) >= 3
    assert [one.source_id for one in result.sources] == [one.source_id for one in report.references][: len(cited)]
    assert all(one.snippet for one in result.sources)
    assert len(result.checklist_coverage.satisfied) == 2
    assert [gap.endswith(" - partial coverage") for gap in result.checklist_coverage.gaps] == [True]


@pytest.mark.slow
async def test_rounds_that_find_nothing_new_end_as_completed_and_a_limit_as_a_limit() -> None:
    ended = make_result(await answer(max_iterations=5))
    assert (ended.status, ended.stop_reason) == (ResearchStatus.COMPLETED, "no_progress")
    limited = make_result(await answer(max_iterations=1))
    assert (limited.status, limited.stop_reason) == (ResearchStatus.MAX_ITERATIONS, "max_iters")
    assert limited.iterations_used == 1


@pytest.mark.slow
async def test_every_format_is_written() -> None:
    report = await answer(max_iterations=1)
    lay_out_report(report)
    for name in ("html", "md", "json", "bib", "ris", "csl", "docx", "pdf"):
        assert all(render_report(report, FORMATS[name]).values())
