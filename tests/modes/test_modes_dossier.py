"""The stages of a job: each made once, kept, and checked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest
from stores import JOB

from storm.errors import ModelError, StormError
from storm.export import to_markdown
from storm.models import (
    Answer,
    CollectedQuestion,
    Conflict,
    Dossier,
    DraftCitation,
    Hit,
    JobRequest,
    Plan,
    QuoteCheck,
    Statement,
    StatementCounts,
    StopReason,
    Verdict,
)
from storm.modes import Crew, run_mode
from storm.store import JobJournal, Lease, SourceCollector, Store

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
        return Plan(names=(request.text,), syllabus=request.syllabus)

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        self.called.append("gather")
        await self._collection.record_hits([HIT])
        await self._collection.save(HIT, ["clinical.efficacy"], DraftCitation(HIT.title, HIT.title, True))
        return StopReason.NO_PROGRESS

    async def check(self) -> None:
        self.called.append("check")

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        self.called.append(f"answer {collected.question.key} from {len(collected.sources)}")
        return Answer(
            question=collected.question.key,
            statements=self._statements if collected.sources else (),
            conflicts=self._conflicts if collected.sources else (),
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
    return Statement(text=text, quote=quote, source_ids=source_ids or ("src_001",), verdict=Verdict.SUPPORTED)


RESPONSE = said("Trastuzumab gave a response rate of 26%.", "Trastuzumab gave a response rate of 26% in 114 patients.")
INVENTED = said("Trastuzumab cured everybody.", "Trastuzumab cured everybody.")


async def test_each_question_is_answered_from_its_own_sources(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    cast = Cast(collection, RESPONSE)
    dossier, _ = await run_mode(await store.jobs.get(JOB), crew(store, lease, cast, collection))
    assert cast.called[:3] == ["plan", "gather", "check"]
    assert sorted(cast.called[3:]) == ["answer clinical.efficacy from 1", "answer clinical.safety from 0"]
    assert [len(answer.statements) for answer in dossier.answers] == [1, 0]
    assert (dossier.stopped, dossier.exit_code) == ("no_progress", 3)


async def test_a_finished_stage_is_not_made_again(store: Store, lease: Lease, collection: SourceCollector) -> None:
    job = await store.jobs.get(JOB)
    first, _ = await run_mode(job, crew(store, lease, Cast(collection, RESPONSE), collection))
    second = Cast(collection)
    assert await run_mode(job, crew(store, lease, second, collection)) == (first, False)
    assert second.called == []


async def test_a_job_goes_on_at_the_first_stage_that_is_not_finished(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Cut(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            raise ConnectionResetError

    job = await store.jobs.get(JOB)
    with pytest.raises(ConnectionResetError):
        await run_mode(job, crew(store, lease, Cut(collection), collection))
    second = Cast(collection, RESPONSE)
    await run_mode(job, crew(store, lease, second, collection))
    assert sorted(second.called) == ["answer clinical.efficacy from 1", "answer clinical.safety from 0"]


@pytest.mark.parametrize("word", ["first hits", "", None])
async def test_a_researcher_that_ends_with_another_word_is_shown_which_there_are_and_gathers_again(
    store: Store, lease: Lease, collection: SourceCollector, word: str | None
) -> None:
    class Odd(Cast):
        async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
            return cast(Any, word)

    job = await store.jobs.get(JOB)
    allowed = "complete, no_progress, budget, max_iters, model_error"
    with pytest.raises(StormError, match=f"returned {word!r}, which is not a stop reason; expected one of: {allowed}"):
        await run_mode(job, crew(store, lease, Odd(collection), collection))
    second = Cast(collection, RESPONSE)
    await run_mode(job, crew(store, lease, second, collection))
    assert second.called[0] == "gather"


async def test_a_researcher_may_end_with_the_plain_word(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Plain(Cast):
        async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
            await super().gather(request, plan)
            return cast(Any, "no_progress")

    dossier = (await run_mode(await store.jobs.get(JOB), crew(store, lease, Plain(collection), collection))).report
    assert dossier.stopped == "no_progress"


async def test_each_stage_is_reported_before_it_is_made(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    await run_mode(await store.jobs.get(JOB), crew(store, lease, Cast(collection), collection))
    events = await JobJournal(store, JOB, None).events(20)
    stages = [event.message for event in events if event.kind == "stage"]
    assert stages == ["plan", "gather", "check", "answer", "report"]


async def test_progress_counts_the_answers_and_on_a_resume_those_that_are_remembered(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Cut(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            if collected.question.key == "clinical.safety":
                raise ModelError("the model is gone")
            return await super().answer(collected, plan)

    job = await store.jobs.get(JOB)
    with pytest.raises(ModelError):
        await run_mode(job, crew(store, lease, Cut(collection, RESPONSE), collection))
    await run_mode(job, crew(store, lease, Cast(collection, RESPONSE), collection))
    shown = [
        (event.message if event.kind == "stage" else event.data["question"], event.progress)
        for event in await JobJournal(store, JOB, None).events(20)
        if event.kind in ("stage", "answer")
    ]
    assert shown == [
        ("plan", 0), ("gather", 0.05), ("check", 0.65), ("answer", 0.7), ("clinical.efficacy", 0.825),
        ("answer", 0.825), ("clinical.safety", 0.95), ("report", 0.95),
    ]  # fmt: skip


async def test_a_statement_is_bound_to_a_verified_citation_of_its_source(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    dossier, _ = await run_mode(await store.jobs.get(JOB), crew(store, lease, Cast(collection, RESPONSE), collection))
    (statement,) = dossier.answers[0].statements
    assert statement.verdict is Verdict.SUPPORTED
    citation = await collection.citation(statement.citation_id)
    assert citation is not None
    assert (citation.claim, citation.quote, citation.source_id) == (RESPONSE.text, RESPONSE.quote, "src_001")
    assert citation.quote_check is QuoteCheck.VERIFIED


OTHER_HIT = Hit.of("pubmed", "7", "https://pubmed.ncbi.nlm.nih.gov/7/", "Another study", text="Fever was seen in 3%.")


async def test_a_quote_is_cited_from_the_named_source_that_holds_it(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class TwoSources(Cast):
        async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
            await collection.record_hits([OTHER_HIT])
            await collection.save(OTHER_HIT, ["clinical.efficacy"], DraftCitation("Another", "Another study", True))
            return await super().gather(request, plan)

    both = said(RESPONSE.text, RESPONSE.quote, "src_001", "src_002")
    job = await store.jobs.get(JOB)
    dossier = (await run_mode(job, crew(store, lease, TwoSources(collection, both), collection))).report
    (statement,) = dossier.answers[0].statements
    citation = await collection.citation(statement.citation_id)
    assert citation is not None
    assert (citation.source_id, citation.quote_check) == ("src_002", QuoteCheck.VERIFIED)
    assert statement.source_ids == ("src_002", "src_001")


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
    made = await run_mode(await store.jobs.get(JOB), crew(store, lease, cast, collection))
    (answer, _) = made.report.answers
    assert [statement.text for statement in answer.statements] == [RESPONSE.text]
    assert answer.counts == StatementCounts.of(supported=1, removed=1, marked=0)
    assert answer.gaps == ()


async def marking(store: Store, lease: Lease, cast: Cast, collection: SourceCollector) -> Dossier:
    """The dossier of a job that marks what is not supported."""
    job = await store.jobs.get(JOB)
    settings = job.settings.model_copy(update={"unsupported": "mark"})
    return (await run_mode(job.model_copy(update={"settings": settings}), crew(store, lease, cast, collection))).report


REFUSED = RESPONSE.model_copy(update={"text": "Trastuzumab cures 26%.", "verdict": Verdict.UNSUPPORTED})


async def test_what_the_judge_refused_stays_unsupported_though_its_quote_stands(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    cast = Cast(collection, RESPONSE, REFUSED)
    made = await run_mode(await store.jobs.get(JOB), crew(store, lease, cast, collection))
    (answer, _) = made.report.answers
    assert answer.refused == REFUSED.source_ids
    assert [(s.text, s.verdict) for s in answer.statements] == [(RESPONSE.text, Verdict.SUPPORTED)]
    assert answer.counts == StatementCounts.of(supported=1, removed=1, marked=0)


async def test_what_is_not_supported_is_marked_where_that_is_wanted_and_if_it_points_at_a_source(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    unquoted, elsewhere = said("Fever was common.", ""), said(RESPONSE.text, RESPONSE.quote, "src_099")
    cast = Cast(collection, REFUSED, RESPONSE, INVENTED, unquoted, elsewhere)
    dossier = await marking(store, lease, cast, collection)
    (answer, _) = dossier.answers
    assert [(s.text, s.verdict) for s in answer.statements] == [
        (REFUSED.text, Verdict.UNSUPPORTED),
        (RESPONSE.text, Verdict.SUPPORTED),
        (INVENTED.text, Verdict.UNSUPPORTED),
        (unquoted.text, Verdict.UNSUPPORTED),
    ]
    assert [bool(s.citation_id) for s in answer.statements] == [False, True, False, False]
    assert answer.counts == dossier.statements == StatementCounts.of(supported=1, removed=1, marked=3)


async def test_what_a_writer_counted_and_does_not_show_stays_counted(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Writer(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            sure = RESPONSE.model_copy(update={"verdict": Verdict.SUPPORTED})
            wrong = INVENTED.model_copy(update={"verdict": Verdict.SUPPORTED})
            counts = StatementCounts.of(supported=5, removed=2, marked=1, unjudged=4)
            return Answer(question=collected.question.key, statements=(sure, wrong, REFUSED), counts=counts)

    dossier = await marking(store, lease, Writer(collection), collection)
    assert dossier.answers[0].counts == StatementCounts.of(supported=4, removed=2, marked=2, unjudged=4)


async def test_what_nobody_judged_stays_unchecked_and_is_cited_and_counted(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Writer(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            unjudged = [s.model_copy(update={"verdict": Verdict.UNCHECKED}) for s in (RESPONSE, INVENTED)]
            counts = StatementCounts.of(supported=1, removed=0, marked=0, unjudged=3)
            return Answer(question=collected.question.key, statements=tuple(unjudged), counts=counts)

    dossier = (await run_mode(await store.jobs.get(JOB), crew(store, lease, Writer(collection), collection))).report
    answer = dossier.answers[0]
    assert [(s.text, s.verdict, bool(s.citation_id)) for s in answer.statements] == [
        (RESPONSE.text, Verdict.UNCHECKED, True)
    ]
    assert answer.counts == StatementCounts.of(supported=1, removed=1, marked=0, unjudged=2)
    assert f"\n- {RESPONSE.text} (114 participants; not judged) [1]\n" in to_markdown(dossier)


async def test_a_conflict_is_reported_only_if_both_of_its_sides_hold(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    fever = said("Fever was seen in 40%.", "Fever was seen in 40%.")
    held = Conflict(trial="NCT00000001", endpoint="fever", statements=(RESPONSE, fever))
    broken = Conflict(trial="NCT00000001", endpoint="cure", statements=(RESPONSE, INVENTED))
    cast = Cast(collection, RESPONSE, fever, INVENTED, conflicts=[held, broken])
    made = await run_mode(await store.jobs.get(JOB), crew(store, lease, cast, collection))
    (answer, _) = made.report.answers
    assert [conflict.endpoint for conflict in answer.conflicts] == ["fever"]
    assert answer.conflicts[0].statements == answer.statements


async def test_of_a_conflict_that_does_not_hold_the_side_that_does_is_reported_alone(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    broken = Conflict(trial="NCT00000001", endpoint="cure", statements=(RESPONSE, INVENTED))
    (answer, _) = (await marking(store, lease, Cast(collection, conflicts=[broken]), collection)).answers
    assert answer.conflicts == ()
    assert [s.verdict for s in answer.statements] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
    assert answer.counts == StatementCounts.of(supported=1, removed=0, marked=1)


async def test_each_answer_is_kept_as_soon_as_it_is_made_and_not_made_again(
    store: Store, lease: Lease, collection: SourceCollector
) -> None:
    class Cut(Cast):
        async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
            if collected.question.key == "clinical.efficacy":
                raise ModelError("the model is gone")
            await asyncio.sleep(0)
            return await super().answer(collected, plan)

    job = await store.jobs.get(JOB)
    with pytest.raises(ModelError, match="the model is gone"):
        await run_mode(job, crew(store, lease, Cut(collection, RESPONSE), collection))
    kept = await JobJournal(store, JOB, None).stages()
    assert [name for name in kept if name.startswith("answer")] == ["answer:clinical.safety"]
    second = Cast(collection, RESPONSE)
    dossier = (await run_mode(job, crew(store, lease, second, collection))).report
    assert second.called == ["answer clinical.efficacy from 1"]
    assert [answer.question for answer in dossier.answers] == ["clinical.efficacy", "clinical.safety"]
