"""Testing hypotheses in rounds: when they end, what a round searches for, what fails, and what a resume repeats."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from long_parameters import mark_long
from research_cast import Cast

from storm.app import App, Workbench, open_app
from storm.errors import ModelError
from storm.export import to_json
from storm.models import (
    Assessment,
    Disease,
    Event,
    Finding,
    Hypotheses,
    HypothesisStatus,
    JobRequest,
    MechanismHypothesis,
    Narrowing,
    Plan,
    ProposedHypothesis,
    Question,
    RepurposingRound,
    RequestKind,
    ResearchPlan,
    ResearchReport,
    ResearchSettings,
    RunSettings,
    Score,
    SearchQuery,
    Source,
    SummaryText,
    Syllabus,
    TestedHypothesis,
)
from storm.modes import Crew, RepurposingCrew
from storm.roles import Selection
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

DRUG, BENEFIT = "mechanism.drug", "clinical.benefit"
#: The report of the job that nobody stops, and how often each part was called in it: made by the first test.
UNDISTURBED: list[tuple[dict[str, Any], Counter[str]]] = []
CHAIN = MechanismHypothesis(drug="metformin", target="AMPK", effect="progression", confidence=0.5)
ENOUGH, NOT_YET = Assessment(is_enough=True), Assessment()
SUMMARY = (
    "Two hypotheses were tested; the sources on them are counted below, and none of them is a recommendation. " * 2
)


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


def search(*words: str) -> dict[str, tuple[SearchQuery, ...]]:
    return {BENEFIT: (SearchQuery(names=("metformin",), words=words),)}


def propose(*words: str, chain: MechanismHypothesis = CHAIN) -> Hypotheses:
    return Hypotheses(proposed=(ProposedHypothesis(hypothesis=chain, searches=search(*words) if words else {}),))


class HypothesisCast(Cast):
    """A cast that proposes and judges in each round as given; the last of them is repeated."""

    def __init__(
        self, proposals: Sequence[Hypotheses], assessments: Sequence[Assessment], *, about: str = "breast cancer",
        failing: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self._proposals, self._assessments, self._about, self._fails = proposals, assessments, about, failing

    def change(self, bench: Workbench, crew: Crew) -> Crew:
        crew = super().change(bench, crew)
        assert crew.research is not None
        roles = crew.research._replace(repurposing=RepurposingCrew(self, self, self))
        if self._fails:
            rules = HypothesisCast(self._proposals, self._assessments, about=self._about)
            rules._collection, rules._synthesizer = self._collection, self._synthesizer
            by_rules = roles._replace(repurposing=RepurposingCrew(rules, rules, rules), compiler=rules)
            roles = roles._replace(by_rules=by_rules)
        return crew._replace(research=roles, planner=self)

    async def plan(self, request: JobRequest) -> Plan:
        moa, efficacy = (_find_question(key) for key in ("mechanism.moa", "clinical.efficacy"))
        about = (Narrowing(label=self._about, phrases=(self._about,), role="setting"),)
        questions = (
            moa.model_copy(update={"key": DRUG, "min_sources": 1}),
            efficacy.model_copy(update={"key": BENEFIT, "min_sources": 1, "about": about}),
        )
        return Plan(
            names=("metformin",),
            syllabus=Syllabus(name="repurposing", questions=questions, min_databases=1),
            research=ResearchPlan(),
            disease=Disease(label=self._about, names=(self._about,)),
        )

    async def propose(
        self, plan: Plan, findings: Sequence[Finding], sources: Sequence[Source], rounds: Sequence[RepurposingRound]
    ) -> Hypotheses:
        await self._work_or_fail("propose")
        return self._proposals[min(len(rounds), len(self._proposals) - 1)]

    async def judge(
        self, plan: Plan, tested: Sequence[TestedHypothesis], findings: Sequence[Finding], sources: Sequence[Source],
        rounds: Sequence[RepurposingRound],
    ) -> Assessment:  # fmt: skip
        await self._work_or_fail("judge")
        return self._assessments[min(len(rounds), len(self._assessments) - 1)]

    async def write_summary(
        self, plan: Plan, last: RepurposingRound, findings: Sequence[Finding], sources: Sequence[Source]
    ) -> SummaryText:
        await self._work_or_fail("summary")
        return SummaryText(text=SUMMARY.strip())

    async def select(
        self, questions: Sequence[Question], found: Mapping[str, Sequence[Sequence[str]]], plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:  # fmt: skip
        selected = await super().select(questions, found, plan, filed)
        return {**selected, BENEFIT: Selection()} if self._about == "nowhere" else selected

    async def _work_or_fail(self, name: str) -> None:
        if name == self._fails:
            raise ModelError("nobody there")
        await self._work(name)


def _find_question(key: str) -> Any:
    return bundled_syllabus(read_settings().config_dir).question(key)


def request(**research: int) -> JobRequest:
    settings = RunSettings(research=ResearchSettings(**research))
    kind = RequestKind.REPURPOSING
    return JobRequest(kind=kind, text="metformin for breast cancer", offline=True, settings=settings)


async def work(app: App, job_id: str, cast: Cast, stop_at: str = "") -> ResearchReport | None:
    """The report, unless the job is cancelled when the stage of that name begins."""

    def observe(event: Event) -> None:
        if event.kind == "stage" and event.message == stop_at:
            task.cancel()

    task = asyncio.create_task(app.work(job_id, observe, change=cast.change))
    try:
        report = await task
    except asyncio.CancelledError:
        return None
    assert isinstance(report, ResearchReport)
    return report


async def run(cast: Cast, **research: int) -> ResearchReport:
    async with open_app(read_settings()) as app:
        report = await work(app, (await app.start(request(**research))).job_id, cast)
    assert report is not None and report.repurposing is not None
    return report


def rounds_of(report: ResearchReport) -> Sequence[RepurposingRound]:
    assert report.repurposing is not None
    return report.repurposing.rounds


@pytest.mark.slow
async def test_a_judge_that_has_enough_ends_the_rounds() -> None:
    report = await run(cast := HypothesisCast([propose("survival")], [ENOUGH]))
    assert len(rounds_of(report)) == 1 and cast.called["propose"] == 1
    assert rounds_of(report)[0].searches == search("survival")
    assert report.repurposing is not None and report.repurposing.report is not None
    assert report.repurposing.report.executive_summary == SUMMARY.strip()
    assert report.repurposing.report.search_iterations == 2


@pytest.mark.slow
async def test_a_judge_that_never_has_enough_is_asked_at_most_as_often_as_is_set() -> None:
    again = [NOT_YET.model_copy(update={"searches": search(word)}) for word in ("mortality", "recurrence", "response")]
    proposals = [propose("survival", chain=CHAIN.model_copy(update={"pathway": p})) for p in "abcd"]
    report = await run(cast := HypothesisCast(proposals, again), max_iterations=3)
    assert len(rounds_of(report)) == 3 and cast.called["judge"] == 3


async def test_a_round_that_changes_nothing_is_the_last() -> None:
    report = await run(cast := HypothesisCast([propose("survival")], [NOT_YET]), max_iterations=5)
    assert len(rounds_of(report)) == 1 and cast.called["judge"] == 1 and cast.called["propose"] == 2


async def test_a_round_that_only_searched_is_shown_and_judged_no_more() -> None:
    nothing = {BENEFIT: (SearchQuery(names=("zorvimab",)),)}
    again = NOT_YET.model_copy(update={"searches": nothing})
    report = await run(cast := HypothesisCast([propose("survival")], [again]), max_iterations=5)
    first, second = rounds_of(report)
    assert second.searches == nothing and second.new_sources == 0
    assert second.assessment == first.assessment and cast.called["judge"] == 1


@pytest.mark.slow
async def test_what_the_judge_asks_for_is_searched_in_the_next_round_and_never_twice() -> None:
    report = await run(
        HypothesisCast([propose("survival")], [NOT_YET.model_copy(update={"searches": search("zorvimab")})]),
        max_iterations=4,
    )
    asked = [line.query for line in report.search_log if "zorvimab" in line.query]
    assert len(asked) == 1
    assert sum(one.searches == search("survival") for one in rounds_of(report)) == 1


async def test_without_rounds_hypotheses_are_judged_and_nothing_is_searched_for_them() -> None:
    report = await run(HypothesisCast([propose("survival")], [NOT_YET]), max_iterations=0)
    (only,) = rounds_of(report)
    assert only.searches == {} and not any(line.query == "survival" for line in report.search_log)


async def test_evidence_without_a_hypothesis_still_gives_a_report() -> None:
    report = await run(HypothesisCast([Hypotheses()], [ENOUGH]))
    assert report.exit_code == 0 and rounds_of(report)[0].tested == ()
    assert report.repurposing is not None and report.repurposing.report is not None
    assert report.repurposing.report.hypotheses_tested == ()


async def test_without_a_source_on_the_disease_nothing_is_proposed_and_the_exit_code_is_4() -> None:
    report = await run(cast := HypothesisCast([propose("survival")], [ENOUGH], about="nowhere"))
    assert report.exit_code == 4 and rounds_of(report) == ()
    assert report.repurposing is not None and report.repurposing.report is None and not report.repurposing.summary
    assert not cast.called["propose"] and not cast.called["judge"] and not cast.called["summary"]


async def test_a_hypothesis_on_which_nothing_is_said_is_untested() -> None:
    other = MechanismHypothesis(drug="metformin", target="ZRX2", effect="zorbing")
    report = await run(HypothesisCast([propose(chain=other)], [ENOUGH]))
    (tested,) = rounds_of(report)[0].tested
    assert (tested.supported, tested.contradicted, tested.status) == (0, 0, HypothesisStatus.UNTESTED)


@pytest.mark.parametrize("failing", ["propose", "judge", "summary"])
async def test_where_a_model_fails_rules_do_its_work_and_a_resume_asks_it_again(failing: str) -> None:
    given = [propose("survival")], [Assessment(is_enough=True, clinical=Score(value=3))]
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        report = await work(app, job_id, HypothesisCast(*given, failing=failing))
        assert report is not None and report.exit_code == 3 and report.can_go_on
        assert any("since the language model failed (nobody there)" in note for note in report.notes)
        assert report.repurposing is not None and report.repurposing.report is not None
        repaired = await work(app, job_id, second := HypothesisCast(*given))
    assert repaired is not None and not any("nobody there" in note for note in repaired.notes)
    assert second.called[failing] == 1


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["hypotheses:2", "search:2", "judge:2", "section"])
async def test_a_resume_in_a_later_round_leaves_the_earlier_ones_as_they_were(stage: str) -> None:
    other = CHAIN.model_copy(update={"pathway": "mTOR signalling"})
    given = (
        [propose("survival"), propose("recurrence", chain=other)],
        [NOT_YET.model_copy(update={"searches": search("mortality")}), ENOUGH],
    )
    expected = without_times(await run(whole := HypothesisCast(*given), max_iterations=3))
    assert len(expected["repurposing"]["rounds"]) == 2
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request(max_iterations=3))).job_id
        assert await work(app, job_id, first := HypothesisCast(*given), stop_at=stage) is None
        report = await work(app, job_id, second := HypothesisCast(*given))
    assert report is not None and without_times(report) == expected
    for name in ("propose", "judge", "summary"):
        assert first.called[name] + second.called[name] == whole.called[name], name


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    mark_long(
        ["search", "answer", "hypotheses:1", "search:1", "answer:1", "judge:1", "section", "summary", "report"],
        but=("answer", "hypotheses:1", "judge:1", "summary"),
    ),
)
async def test_a_job_that_was_stopped_goes_on_to_the_same_report_and_repeats_nothing(stage: str) -> None:
    given = [propose("survival")], [ENOUGH]
    if not UNDISTURBED:
        UNDISTURBED.append((without_times(await run(whole := HypothesisCast(*given))), whole.called))
    expected, called = UNDISTURBED[0]
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        assert await work(app, job_id, first := HypothesisCast(*given), stop_at=stage) is None
        report = await work(app, job_id, second := HypothesisCast(*given))
    assert report is not None and without_times(report) == expected
    for name in ("propose", "judge", "summary", f"answer {BENEFIT}"):
        assert first.called[name] + second.called[name] == called[name], name


def without_times(report: ResearchReport) -> dict[str, Any]:
    """The report without the id of its job and its times."""
    fields: dict[str, Any] = json.loads(to_json(report))
    del fields["job_id"], fields["created"]
    for line in fields["search_log"]:
        del line["at"]
    return fields
