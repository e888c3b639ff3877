"""With its plan a job's questions and its scope are settled, and not before."""

from __future__ import annotations

from typing import Any, cast

import pytest
from stores import JOB

from storm.errors import ModelError, NothingSearched, StepMismatch
from storm.models import JobRequest, Place, Plan, Question, ReportPreferences, Scope, Syllabus
from storm.modes import Crew, Run, make_plan
from storm.store import JobJournal, Lease, SourceCollector, Store

OWN = Syllabus(
    name="made",
    questions=(
        Question(key="heart", label="The heart", description="Does it harm the heart?", min_sources=1),
        Question(
            key="heart.children", label="Children", description="And in children?", min_sources=1, parent="heart",
            importance=0.5,
        ),
    ),
)  # fmt: skip
REFUSED = NothingSearched({"pubmed": "it answered HTTP 403"}, "no answer")


class Planner:
    """Makes questions of its own, unless `fault` is raised."""

    def __init__(self, fault: Exception | None = None) -> None:
        self._fault = fault
        self.asked = 0

    async def plan(self, request: JobRequest) -> Plan:
        self.asked += 1
        if self._fault:
            raise self._fault
        return Plan(names=(request.text,), syllabus=OWN)


@pytest.fixture
async def job(store: Store) -> str:
    return (await store.jobs.create(JobRequest(text="trastuzumab"), JOB)).job_id


async def run_of(store: Store, lease: Lease, planner: Planner, **fields: Any) -> Run:
    nobody = cast(Any, None)
    collection, journal = SourceCollector(store, JOB, lease), JobJournal(store, JOB, lease)
    crew = Crew("none", planner, nobody, nobody, nobody, collection, journal, **fields)
    return await Run.resume(await store.jobs.get(JOB), crew)


async def test_a_planner_may_make_questions_that_nobody_asked_for(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        plan = await make_plan(await run_of(store, lease, Planner()))
        again = Planner()
        assert await make_plan(await run_of(store, lease, again)) == plan
        assert again.asked == 0
    assert (await store.jobs.check(job)).questions == ("heart", "heart.children")
    assert plan.syllabus.question("heart.children").parent == "heart"


async def test_a_plan_that_fails_settles_nothing(store: Store, job: str) -> None:
    live = Scope(place=Place.LIVE)
    async with await store.jobs.hold(job) as lease:
        with pytest.raises(ModelError):
            await make_plan(await run_of(store, lease, Planner(ModelError("it is gone")), scope=live))
        assert await JobJournal(store, job, None).stages() == {}
        sample = Scope(place=Place.SAMPLE, unreachable={"pubmed": "no connection"})
        await make_plan(await run_of(store, lease, Planner(), scope=sample))
        stages = await JobJournal(store, job, None).stages()
    assert Scope.model_validate_json(stages["scope"]) == sample


async def test_the_scope_of_a_plan_that_was_never_stored_is_replaced(store: Store, job: str) -> None:
    """As after a kill between the two."""
    sample = Scope(place=Place.SAMPLE, unreachable={"pubmed": "no connection"})
    async with await store.jobs.hold(job) as lease:
        journal = JobJournal(store, job, lease)
        await journal.finish_stage("scope", Scope(place=Place.LIVE).model_dump_json())
        await make_plan(await run_of(store, lease, Planner(), scope=sample))
        stored = await journal.find_stage("scope")
    assert Scope.model_validate_json(stored or "") == sample


async def test_where_nothing_answers_the_plan_is_made_in_the_next_scope(store: Store, job: str) -> None:
    moved = Scope(place=Place.SAMPLE, unreachable=REFUSED.reasons)
    async with await store.jobs.hold(job) as lease:
        run = await run_of(store, lease, Planner(REFUSED), scope=Scope(place=Place.LIVE))

        async def fallback(failed: NothingSearched) -> Crew:
            assert failed is REFUSED
            return run.crew._replace(planner=Planner(), scope=moved)

        run.crew = run.crew._replace(fallback=fallback)
        await make_plan(run)
        stages = await JobJournal(store, job, None).stages()
    assert (run.crew.scope, Scope.model_validate_json(stages["scope"])) == (moved, moved)


async def test_where_there_is_no_other_scope_that_nothing_answers_is_the_error(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        with pytest.raises(NothingSearched):
            await make_plan(await run_of(store, lease, Planner(REFUSED)))
        assert await JobJournal(store, job, None).stages() == {}


async def test_a_resume_with_other_preferences_says_so(store: Store, job: str) -> None:
    async with await store.jobs.hold(job) as lease:
        await make_plan(await run_of(store, lease, Planner()))
        run = await run_of(store, lease, Planner())
        request = run.job.request.model_copy(update={"preferences": ReportPreferences(audience="children")})
        run.job = run.job.model_copy(update={"request": request})
        with pytest.raises(StepMismatch, match="its step 'plan' was made with another preferences"):
            await make_plan(run)


@pytest.mark.parametrize(("field", "value"), [("key", "heart"), ("parent", "nobody"), ("parent", "heart.children")])
def test_questions_that_contradict_each_other_are_no_syllabus(field: str, value: str) -> None:
    first, second = OWN.questions
    with pytest.raises(ValueError, match=r"heart|nobody"):
        Syllabus(name="made", questions=(first, second.model_copy(update={field: value})))
