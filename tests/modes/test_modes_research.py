"""Researching question by question: what fails leaves a gap, rounds end, a resume repeats nothing, order is nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from long_parameters import mark_long
from research_cast import Cast

from storm.app import App, Workbench, open_app
from storm.errors import ModelError, StormError
from storm.export import to_json
from storm.models import (
    Answer,
    CollectedQuestion,
    Dossier,
    Event,
    JobRequest,
    JobState,
    Plan,
    Question,
    ResearchSettings,
    Review,
    RunSettings,
    SearchQuery,
    Weakness,
    WeaknessKind,
)
from storm.modes import Crew
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus

SAFETY, MARKET = "clinical.safety", "market.status"
#: The report of the job that nobody stops, and how often each part was called in it: made by the first test.
UNDISTURBED: list[tuple[dict[str, Any], Counter[str]]] = []


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))


def request(**research: int) -> JobRequest:
    syllabus = bundled_syllabus(read_settings().config_dir)
    run_settings = RunSettings(mode="parallel", research=ResearchSettings(**research))
    return JobRequest(text="trastuzumab", syllabus=syllabus, offline=True, settings=run_settings)


async def work(app: App, job_id: str, cast: Cast, stop_at: str = "") -> Dossier | None:
    """The report, unless the job is cancelled when the stage of that name begins."""

    def observe(event: Event) -> None:
        if event.kind == "stage" and event.message == stop_at:
            task.cancel()

    task = asyncio.create_task(app.work(job_id, observe, change=cast.change))
    try:
        report = await task
    except asyncio.CancelledError:
        return None
    assert isinstance(report, Dossier)
    return report


async def run(cast: Cast, **research: int) -> Dossier:
    async with open_app(read_settings()) as app:
        report = await work(app, (await app.start(request(**research))).job_id, cast)
    assert report is not None
    return report


def without_times(report: Dossier) -> dict[str, Any]:
    """The report without the id of its job and its times."""
    fields = json.loads(to_json(report))
    del fields["job_id"], fields["created"]
    for line in fields["search_log"]:
        del line["at"]
    return fields


def weak(question: str, *words: str, name: str = "trastuzumab") -> Review:
    searches = (SearchQuery(names=(name,), words=words),)
    return Review(weak=(Weakness(question=question, kinds=(WeaknessKind.ONE_SOURCE,), searches=searches),))


@pytest.mark.slow
async def test_each_question_is_searched_answered_and_put_into_its_section() -> None:
    report = await run(cast := Cast())
    research = report.research
    assert research is not None and (research.asked, research.title) == ("trastuzumab", "All of it")
    assert [section.part.anchor for section in research.sections] == [question.key for question in report.questions]
    for section, answer in zip(research.sections, report.answers, strict=True):
        placed = [sentence.text for paragraph in section.paragraphs for sentence in paragraph]
        assert placed == [statement.text for statement in answer.statements]
    assert (research.rounds, research.failed) == ((), {})
    assert cast.called["review"] == 1 and set(cast.called.values()) == {1}


async def test_what_two_questions_find_is_one_source() -> None:
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        await work(app, job_id, Cast())
        sources = await app.collection(job_id).load_sources()
    assert any(len(source.questions) > 1 for source in sources)
    assert len({source.hit.key for source in sources}) == len(sources)
    assert [source.hit.key for source in sources] == sorted(source.hit.key for source in sources)


async def test_a_record_that_cannot_be_saved_is_filed_under_no_question() -> None:
    refused: list[str] = []

    class Refusing(Cast):
        def change(self, bench: Workbench, crew: Crew) -> Crew:
            crew = super().change(bench, crew)
            assert crew.research is not None

            def make_toolbox(plan: Plan) -> Any:
                toolbox = bench.toolbox(plan)
                save = toolbox.save_source

                async def refuse_first(*about: Any) -> dict[str, Any]:
                    refused[:] = refused or [about[3]]
                    return {"error": "it is two works"} if about[3] == refused[0] else await save(*about)

                toolbox.save_source = refuse_first  # type: ignore[method-assign,assignment]
                return toolbox

            return crew._replace(research=crew.research._replace(toolbox=make_toolbox))

    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        await work(app, job_id, Refusing())
        sources = {source.hit.key: source.hit.title for source in await app.collection(job_id).load_sources()}
        filed = json.loads((await app.journal(job_id).stages())["file"])["keys"]
    assert refused and refused[0] not in sources.values()
    assert {key for keys in filed.values() for key in keys} == set(sources)


@pytest.mark.slow
async def test_a_weak_answer_is_searched_for_again_with_the_searches_of_the_review() -> None:
    cast = Cast([weak(SAFETY, "cardiac", "dysfunction"), weak(MARKET, "price")])
    report = await run(cast)
    assert report.research is not None
    first = report.research.rounds[0]
    assert [one.question for one in first.weak] == [SAFETY]
    assert any("cardiac dysfunction" in line.query and line.question == SAFETY for line in report.search_log)
    assert cast.called[f"answer {SAFETY}"] == 2
    assert cast.called["answer clinical.efficacy"] == 1, "an answer that is not weak stays"


@pytest.mark.slow
async def test_a_round_that_adds_no_source_is_the_last() -> None:
    same = weak(SAFETY, name="zzzz")
    cast = Cast([same, same, same])
    report = await run(cast, max_iterations=3)
    assert report.research is not None
    assert [one.new_sources for one in report.research.rounds] == [0] and cast.called["review"] == 1


@pytest.mark.slow
async def test_no_round_is_run_where_none_is_wanted() -> None:
    cast = Cast([weak(SAFETY, "cardiac")])
    report = await run(cast, max_iterations=0)
    assert report.research is not None and report.research.rounds == () and cast.called["review"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("failing", [(f"queries {SAFETY}",), (f"answer {SAFETY}",)])
async def test_a_question_that_fails_leaves_a_gap_and_is_tried_again_by_a_resume(failing: tuple[str, ...]) -> None:
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        report = await work(app, job_id, Cast(failing=failing))
        assert report is not None and report.research is not None
        assert list(report.research.failed) == [SAFETY] and report.exit_code == 3
        answers = {answer.question: answer for answer in report.answers}
        assert not answers[SAFETY].statements and "could be written" in " ".join(answers[SAFETY].gaps)
        assert answers["clinical.efficacy"].statements
        assert (await app.store.jobs.get(job_id)).state is JobState.FAILED and report.can_go_on
        resumed = await work(app, job_id, Cast())
    assert resumed is not None and resumed.research is not None and resumed.research.failed == {}
    assert {answer.question: answer for answer in resumed.answers}[SAFETY].statements


async def test_an_answer_that_fails_in_a_later_round_stays_what_it_was() -> None:
    class Forgetful(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            if self.called[f"answer {collected.question.key}"]:
                raise StormError("no second answer could be written")
            return await super().answer(collected, plan)

    report = await run(Forgetful([weak(SAFETY, "cardiac", "dysfunction")]))
    assert report.research is not None and list(report.research.failed) == [SAFETY]
    assert {answer.question: answer for answer in report.answers}[SAFETY].statements and report.can_go_on


class Failing(Cast):
    """Roles on a model that fails at this work; those of a plain cast are the rules'."""

    def __init__(self, work: str, weak: Sequence[Review] = ()) -> None:
        super().__init__(weak)
        self._fails = work

    def change(self, bench: Workbench, crew: Crew) -> Crew:
        crew = super().change(bench, crew)
        assert crew.research is not None
        rules = Cast(self._weak)
        rules._collection, rules._synthesizer = self._collection, self._synthesizer
        by_rules = crew.research._replace(reflector=rules, compiler=rules)
        research = crew.research._replace(by_rules=by_rules, explain_rules=_blame_budget)
        return crew._replace(research=research, by_model=True)

    async def _work(self, name: str, question: str = "") -> None:
        if name == self._fails:
            raise ModelError("nobody there")
        await super()._work(name, question)


def _blame_budget(question: str) -> str:
    return "the budget was spent" if question == SAFETY else ""


@pytest.mark.slow
@pytest.mark.parametrize("failing", ["review", "outline", "section"])
async def test_where_a_model_fails_after_the_answers_rules_do_its_work_and_a_resume_asks_it_again(failing: str) -> None:
    reviews = [weak(SAFETY, "cardiac", "dysfunction")]
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        report = await work(app, job_id, first := Failing(failing, reviews))
        assert report is not None and report.research is not None and report.exit_code == 3 and report.can_go_on
        assert any("since the language model failed (nobody there)" in note for note in report.notes)
        assert [section.part.anchor for section in report.research.sections] == [q.key for q in report.questions]
        assert any(section.paragraphs for section in report.research.sections)
        resumed = await work(app, job_id, second := Failing("", reviews))
    assert resumed is not None and resumed.exit_code != 3 and not any("nobody there" in note for note in resumed.notes)
    assert second.called[{"section": f"section {SAFETY}"}.get(failing, failing)] == 1 + (failing == "review")
    assert not any(first.called[f"queries {q.key}"] and second.called[f"queries {q.key}"] for q in resumed.questions)


async def test_a_model_that_fails_and_has_no_rules_to_replace_it_ends_the_step() -> None:
    class Alone(Failing):
        def change(self, bench: Workbench, crew: Crew) -> Crew:
            return Cast.change(self, bench, crew)

    with pytest.raises(ModelError, match="nobody there"):
        await run(Alone("outline"))


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["search", "answer", "section"])
async def test_what_rules_did_in_place_of_a_model_is_said_after_a_resume_too(stage: str) -> None:
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        assert await work(app, job_id, Failing(""), stop_at=stage) is None
        report = await work(app, job_id, Failing(""))
    assert report is not None
    (label,) = (question.label for question in report.questions if question.key == SAFETY)
    assert f"Rules wrote the searches for “{label}”, since the budget was spent." in report.notes


async def test_when_every_question_fails_there_is_a_report_that_says_so() -> None:
    keys = bundled_syllabus(read_settings().config_dir).keys
    report = await run(Cast(failing=[f"queries {key}" for key in keys]))
    assert report.research is not None and set(report.research.failed) == set(keys)
    assert report.exit_code == 3 and not any(answer.statements for answer in report.answers)


@pytest.mark.long
@pytest.mark.slow
async def test_the_report_does_not_depend_on_which_question_is_faster() -> None:
    reviews = [weak(SAFETY, "cardiac", "dysfunction")]
    expected = without_times(await run(Cast(reviews)))
    for seed in range(8):
        order = random.Random(seed)

        async def pause(order: random.Random = order) -> None:
            for _ in range(order.randrange(30)):
                await asyncio.sleep(0)

        assert without_times(await run(Cast(reviews, pause=pause))) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    mark_long(
        ["queries", "search", "file", "check", "answer", "reflect:1", "search:1", "file:1", "answer:1", "outline",
         "section", "report"],
        but=("search", "answer", "file:1", "section"),
    ),
)  # fmt: skip
async def test_a_job_that_was_stopped_goes_on_to_the_same_report_and_repeats_nothing(stage: str) -> None:
    reviews = [weak(SAFETY, "cardiac", "dysfunction")]
    if not UNDISTURBED:
        UNDISTURBED.append((without_times(await run(whole := Cast(reviews))), whole.called))
    expected, called = UNDISTURBED[0]
    async with open_app(read_settings()) as app:
        job_id = (await app.start(request())).job_id
        assert await work(app, job_id, first := Cast(reviews), stop_at=stage) is None
        report = await work(app, job_id, second := Cast(reviews))
    assert report is not None and without_times(report) == expected
    paid = ("queries", "answer", "review", "outline", "section")
    for name, times in called.items():
        if name.startswith(paid):
            assert first.called[name] + second.called[name] == times, name


class WebCast(Cast):
    """Asks for two searches of the web besides those of each question, or for these alone of one question."""

    only = ""

    async def write_queries(self, question: Question, plan: Plan) -> Sequence[SearchQuery]:
        queries = await super().write_queries(question, plan)
        web = [SearchQuery(names=plan.names, words=(word,), databases=("pages",)) for word in ("news", "price")]
        return web if question.key == self.only else [*queries, *web]


@pytest.fixture
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The web under a name that the bundled sample, which has web pages, has no records of."""
    for module in ("storm.modes.question_research", "storm.extractive.unsearched"):
        monkeypatch.setattr(f"{module}.WEB", "pages")


@pytest.mark.slow
@pytest.mark.usefixtures("no_pages")
async def test_a_web_that_is_not_searched_is_said_once_in_the_log_and_is_no_failure() -> None:
    report = await run(WebCast())
    (line,) = [line for line in report.search_log if line.database == "pages"]
    assert (line.status, line.reason.partition(":")[0]) == ("not applicable", "not searched")
    (use,) = [use for use in report.databases if use.name == "pages"]
    assert (use.status, use.searched, use.reason) == ("not applicable", 1, line.reason)
    assert report.exit_code == (await run(Cast())).exit_code


@pytest.mark.usefixtures("no_pages")
async def test_offline_a_question_that_could_only_be_searched_on_the_web_is_no_failed_search() -> None:
    cast = WebCast()
    cast.only = SAFETY
    report = await run(cast)
    lines = [(line.question, line.status) for line in report.search_log if line.database == "pages"]
    assert (SAFETY, "not applicable") in lines and {status for _, status in lines} == {"not applicable"}
