"""The stages of a job: each made once, kept, and checked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from stores import JOB

from storm.models import (
    Answer,
    Conflict,
    DraftCitation,
    Hit,
    JobRequest,
    Plan,
    Question,
    QuoteCheck,
    Source,
    Statement,
    Verdict,
)
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.workflow import Crew, run_stages

TEXT = "Trastuzumab gave a response rate of 26% in 114 patients. Fever was seen in 40%."
HIT = Hit.of("pubmed", "11821453", "https://pubmed.ncbi.nlm.nih.gov/11821453/", "First-line trastuzumab", text=TEXT)


class Cast:
    """All roles, as simple as they can be; `called` says who was asked to work."""

    def __init__(self, collection: SourceCollector, *statements: Statement, conflicts: Sequence[Conflict] = ()) -> None:
        self.called: list[str] = []
        self._collection = collection
        self._statements = statements
        self._conflicts = tuple(conflicts)

    async def plan(self, request: JobRequest) -> Plan:
        self.called.append("plan")
        return Plan(names=(request.drug,), syllabus=request.syllabus)

    async def gather(self, request: JobRequest, plan: Plan) -> str:
        self.called.append("gather")
        await self._collection.record_hits([HIT])
        await self._collection.save(HIT, ["clinical.efficacy"], DraftCitation(HIT.title, HIT.title, True))
        return "no_progress"

    async def check(self) -> None:
        self.called.append("check")

    async def answer(self, question: Question, plan: Plan, sources: Sequence[Source]) -> Answer:
        self.called.append(f"answer {question.key} from {len(sources)}")
        return Answer(
            question=question.key,
            statements=self._statements if sources else (),
            conflicts=self._conflicts if sources else (),
        )


def crew(store: Store, lease: Lease, cast: Cast, collection: SourceCollector) -> Crew:
    return Crew(
        engine="none", planner=cast, researcher=cast, checker=cast, synthesizer=cast, collection=collection,
        journal=JobJournal(store, JOB, lease),
    )  # fmt: skip


@pytest.fixture
def collection(store: Store, lease: Lease) -> SourceCollector:
    return SourceCollector(store, JOB, lease)


def said(text: str, quote: str, *source_ids: str) -> Statement:
    return Statement(text=text, quote=quote, source_ids=source_ids or ("src_001",))


RESPONSE = said("Trastuzumab gave a response rate of 26%.", "Trastuzumab gave a response rate of 26% in 114 patients.")
INVENTED = said("Trastuzumab cured everybody.", "Trastuzumab cured everybody.")


async def test_each_question_is_answered_from_its_own_sources(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    cast = Cast(collection, RESPONSE)
    dossier = await run_stages(await store.jobs.get(JOB), crew(store, lease, cast, collection))
    assert cast.called[:3] == ["plan", "gather", "check"]
    assert cast.called[3:] == ["answer clinical.efficacy from 1", "answer clinical.safety from 0"]
    assert [len(answer.statements) for answer in dossier.answers] == [1, 0]
    assert (dossier.stopped, dossier.exit_code) == ("no_progress", 3)


async def test_a_finished_stage_is_not_made_again(store: Store, lease: Lease, collection: SourceCollector) -> None:
    job = await store.jobs.get(JOB)
    first = await run_stages(job, crew(store, lease, Cast(collection, RESPONSE), collection))
    second = Cast(collection)
    assert await run_stages(job, crew(store, lease, second, collection)) == first
    assert second.called == []


async def test_a_job_goes_on_at_the_first_stage_that_is_not_finished(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Cut(Cast):
        async def answer(self, question: Question, plan: Plan, sources: Sequence[Source]) -> Answer:
            raise ConnectionResetError

    job = await store.jobs.get(JOB)
    with pytest.raises(ConnectionResetError):
        await run_stages(job, crew(store, lease, Cut(collection), collection))
    second = Cast(collection, RESPONSE)
    await run_stages(job, crew(store, lease, second, collection))
    assert second.called == ["answer clinical.efficacy from 1", "answer clinical.safety from 0"]


async def test_each_stage_is_reported_before_it_is_made(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    await run_stages(await store.jobs.get(JOB), crew(store, lease, Cast(collection), collection))
    events = await JobJournal(store, JOB, None).events(20)
    stages = [event.message for event in events if event.kind == "stage"]
    assert stages == ["plan", "gather", "check", "answer", "report"]


async def test_a_statement_is_bound_to_a_verified_citation_of_its_source(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    dossier = await run_stages(await store.jobs.get(JOB), crew(store, lease, Cast(collection, RESPONSE), collection))
    (statement,) = dossier.answers[0].statements
    assert statement.verdict is Verdict.SUPPORTED
    citation = await collection.citation(statement.citation_id)
    assert citation is not None
    assert (citation.claim, citation.quote, citation.source_id) == (RESPONSE.text, RESPONSE.quote, "src_001")
    assert citation.quote_check is QuoteCheck.VERIFIED


@pytest.mark.parametrize(
    "wrong",
    [
        INVENTED,
        said("Trastuzumab gave a response rate of 62%.", RESPONSE.quote),
        said(RESPONSE.text, RESPONSE.quote, "src_099"),
        said(RESPONSE.text, ""),
    ],
)
async def test_what_its_source_does_not_carry_is_left_out_and_counted(
    store: Store, lease: Lease, collection: SourceCollector, wrong: Statement
) -> None:
    cast = Cast(collection, RESPONSE, wrong)
    (answer, _) = (await run_stages(await store.jobs.get(JOB), crew(store, lease, cast, collection))).answers
    assert [statement.text for statement in answer.statements] == [RESPONSE.text]
    assert answer.gaps == ("Left out, since their quotes did not carry them: 1 of 2 statements.",)


async def test_a_conflict_is_told_only_if_both_of_its_sides_hold(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    fever = said("Fever was seen in 40%.", "Fever was seen in 40%.")
    held = Conflict(trial="NCT00000001", endpoint="fever", statements=(RESPONSE, fever))
    broken = Conflict(trial="NCT00000001", endpoint="cure", statements=(RESPONSE, INVENTED))
    cast = Cast(collection, RESPONSE, fever, INVENTED, conflicts=[held, broken])
    (answer, _) = (await run_stages(await store.jobs.get(JOB), crew(store, lease, cast, collection))).answers
    assert [conflict.endpoint for conflict in answer.conflicts] == ["fever"]
    assert answer.conflicts[0].statements == answer.statements
