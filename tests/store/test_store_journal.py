from __future__ import annotations

import asyncio

import pytest
from stores import JOB, NOW

from storm.errors import CollectionDamaged, LeaseLost
from storm.models import Hit, PaidReply, SearchRecord, SearchStatus, Spending, SpentSoFar, Step, ToolCall
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.store.keys import JobKeys


@pytest.fixture
def journal(store: Store, lease: Lease) -> JobJournal:
    return JobJournal(store, JOB, lease)


def search(query: str, database: str = "pubmed", question: str = "clinical.safety", total: int = 7) -> SearchRecord:
    return SearchRecord(
        database=database, scope="articles", question=question, query=query, at=NOW, status=SearchStatus.FOUND,
        total=total, hits=("pmid:11248153",),
    )  # fmt: skip


async def test_a_search_is_logged_once_in_the_order_of_first_completion(journal: JobJournal) -> None:
    records = [search("a"), search("b"), search("a", database="pmc")]
    assert [await journal.log_search(record) for record in records] == [True] * 3
    assert await journal.log_search(search("a", total=9)) is False
    assert await journal.log_search(search("a", question="clinical.efficacy")) is False
    assert list(await journal.searches()) == records


def test_of_a_search_that_was_read_whole_no_part_is_named() -> None:
    assert search("her2 + survival", total=1).summary == "PubMed: 1 for her2 + survival"


async def test_a_search_that_is_logged_is_reported_to_those_who_watch(journal: JobJournal) -> None:
    await journal.log_search(search("her2 + survival"))
    (event,) = await journal.events(1)
    assert (event.kind, event.message) == ("search", "PubMed: 7, the best 1 read, for her2 + survival")
    assert event.data == {
        "database": "pubmed", "query": "her2 + survival", "question": "clinical.safety", "status": "found", "total": 7,
        "reason": "", "hits": 1,
    }  # fmt: skip


async def test_a_search_logged_by_several_at_once_is_one_line(journal: JobJournal) -> None:
    written = await asyncio.gather(*(journal.log_search(search("a")) for _ in range(6)))
    assert sorted(written) == [False] * 5 + [True]
    assert len(await journal.searches()) == 1


async def test_a_finished_stage_keeps_its_artefact(journal: JobJournal) -> None:
    assert await journal.stages() == {}
    await journal.finish_stage("plan", '{"questions": []}')
    await journal.finish_stage("gather", '"complete"')
    assert await journal.stages() == {"plan": '{"questions": []}', "gather": '"complete"'}


async def test_events_are_read_newest_last(journal: JobJournal) -> None:
    for n in range(3):
        await journal.report("search", f"PubMed: {n} hits", database="pubmed", hits=str(n))
    first, second = await journal.events(2)
    assert (first.message, second.message) == ("PubMed: 1 hits", "PubMed: 2 hits")
    assert (second.kind, second.at, second.data) == ("search", NOW, {"database": "pubmed", "hits": "2"})
    assert first.id < second.id


async def test_following_gives_new_events_and_ends_with_the_job(
    store: Store, journal: JobJournal, lease: Lease
) -> None:
    await journal.report("stage", "plan")
    (seen,) = await journal.events(1)
    watcher = JobJournal(store, JOB, None)
    followed = asyncio.create_task(_messages(watcher, seen.id))
    await journal.report("stage", "gather")
    await store.jobs.finish(lease, 0)
    await lease.release()
    async with asyncio.timeout(10):
        assert await followed == ["gather", "finished with exit code 0"]


async def _messages(journal: JobJournal, after_id: str) -> list[str]:
    return [event.message async for event in journal.follow(after_id)]


def spent(calls: int, role: str = "writer", question: str | None = "clinical.safety") -> Spending:
    return Spending(
        role=role, question=question, calls=calls, prompt_tokens=100 * calls, completion_tokens=calls, usd=0.1 * calls,
        unpriced_calls=calls - 1,
    )  # fmt: skip


async def test_what_was_spent_is_kept_by_role_and_question(journal: JobJournal) -> None:
    assert await journal.spending() == SpentSoFar()
    rows = (spent(1, "agent", None), spent(2, "judge"), spent(3), spent(1, question="clinical.efficacy"))
    for row in rows:
        await journal.log_spending(row, 12.3456)
    assert await journal.spending() == SpentSoFar((rows[0], rows[1], rows[3], rows[2]), 12.345)


async def test_a_total_that_is_written_twice_or_late_counts_nothing_twice(journal: JobJournal) -> None:
    for calls, seconds in ((2, 20.0), (2, 20.0), (1, 10.0)):
        await journal.log_spending(spent(calls), seconds)
    assert await journal.spending() == SpentSoFar((spent(2),), 20.0)


async def test_the_replies_that_were_paid_for_are_kept_with_what_they_cost(journal: JobJournal) -> None:
    reply = PaidReply(digest="ab12", outputs=["[[ ## answer ## ]] α", {"text": "x", "reasoning": "y"}])
    await journal.log_spending(spent(1), 1.0, reply)
    await journal.log_spending(spent(2), 2.0)
    assert await journal.replies() == [reply]
    assert await journal.spending() == SpentSoFar((spent(2),), 2.0)


async def test_without_the_lease_no_spending_is_written(store: Store, journal: JobJournal) -> None:
    key = f"source_collection:{{{JOB}}}:lease"
    held = await store.run_command(lambda redis: redis.getset(key, "another process"))
    with pytest.raises(LeaseLost, match="nothing was written"):
        await journal.log_spending(spent(1), 1.0)
    assert await journal.spending() == SpentSoFar()
    await store.run_command(lambda redis: redis.set(key, held))


async def test_spending_lives_as_long_as_its_job(store: Store, journal: JobJournal) -> None:
    await journal.log_spending(spent(1), 1.0)
    key = f"source_collection:{{{JOB}}}:"
    ends = [await store.run_command(lambda redis, k=key + name: redis.pttl(k)) for name in ("metadata", "spending")]
    assert min(ends) > 0


async def test_a_journal_without_a_lease_only_reads(store: Store, journal: JobJournal) -> None:
    await journal.log_search(search("a"))
    reader = JobJournal(store, JOB, None)
    assert await reader.searches() == await journal.searches()
    writes = (reader.log_search(search("b")), reader.log_step(made_step(1)), reader.finish_stage("plan", "{}"))
    for write in (*writes, reader.report("stage", "plan"), reader.log_spending(spent(1), 1.0)):
        with pytest.raises(LeaseLost):
            await write


async def test_a_stream_of_the_client_has_the_shape_that_follow_expects(store: Store, journal: JobJournal) -> None:
    """redis-py has given XREAD in two shapes."""
    key = f"source_collection:{{{JOB}}}:events"
    answer = await store.run_command(lambda redis: redis.xread({key: "0-0"}))
    (entry_id, fields), *_ = answer[key]
    assert isinstance(entry_id, str) and fields["kind"] == "created"


def made_step(number: int) -> Step:
    call = ToolCall(tool="search_pubmed", arguments='{"words": "“Überleben”"}', observation="34 found")
    return Step(number=number, thought="Next.", calls=(call, call), progress=number)


async def test_steps_are_written_once_and_read_in_order_beside_the_searches(journal: JobJournal) -> None:
    steps = [made_step(number) for number in (1, 2, 3)]
    written = [await journal.log_step(step) for step in (*steps[:2], *steps[:2])]
    assert written == [True, True, False, False]
    await journal.log_search(search("a"))
    assert await journal.log_step(steps[2]) is True
    assert (list(await journal.steps()), list(await journal.searches())) == (steps, [search("a")])


async def test_a_job_without_an_agent_has_no_steps(journal: JobJournal) -> None:
    await journal.log_search(search("a"))
    assert list(await journal.steps()) == []


async def test_the_steps_of_several_agents_do_not_meet(journal: JobJournal) -> None:
    one, other = made_step(1), made_step(1).model_copy(update={"thread": "clinical.safety"})
    assert [await journal.log_step(step) for step in (one, other, one, other)] == [True, True, False, False]
    second = made_step(2).model_copy(update={"thread": "clinical.safety"})
    assert await journal.log_step(second) is True
    assert list(await journal.steps()) == [one]
    assert list(await journal.steps("clinical.safety")) == [other, second]
    assert await journal.count_steps() == {"agent": 1, "clinical.safety": 2}


async def test_a_step_that_is_gone_is_missed_in_its_own_thread(store: Store, journal: JobJournal) -> None:
    await journal.log_step(made_step(1))
    await journal.log_step(made_step(1).model_copy(update={"thread": "other"}))
    await store.jobs.check(JOB)
    await store.run_command(lambda redis: redis.rpop(f"source_collection:{{{JOB}}}:journal"))
    with pytest.raises(CollectionDamaged, match="1 steps of its agent were counted and 0 stand in the journal"):
        await store.jobs.check(JOB)


async def test_a_record_that_several_searches_find_is_stored_once_and_its_changes_too(
    journal: JobJournal, store: Store
) -> None:
    first = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", text="Short.", pmid="1")
    longer = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", text="A longer text.", pmid="1")
    collector = SourceCollector(store, JOB, None)
    for query, hit, text in (("a", first, "Short."), ("b", first, "Short."), ("c", longer, "A longer text.")):
        await journal.log_search(search(query), [hit])
        (found,) = await collector.find_hits(["pmid:1"])
        assert found is not None
        assert found.text == text


async def test_a_record_is_stored_again_where_the_server_may_have_lost_it(journal: JobJournal, store: Store) -> None:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", text="Text.", pmid="1")
    other = Hit.of("pubmed", "2", "https://pubmed.ncbi.nlm.nih.gov/2/", "Another trial", pmid="2")
    await journal.log_search(search("a"), [hit, other])
    await store.run_command(lambda redis: redis.hdel(JobKeys(JOB).hits, "pmid:1"))
    store.resend_count += 1
    await journal.log_search(search("b"), [hit])
    assert await SourceCollector(store, JOB, None).find_hits(["pmid:1"]) == [hit]


async def test_a_part_of_a_record_that_was_stored_whole_changes_nothing(journal: JobJournal, store: Store) -> None:
    hit = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "A trial", text="Text.", pmid="1")
    read_in_part = search("b").model_copy(update={"incomplete": True})
    await journal.log_search(read_in_part, [hit])
    await journal.log_search(search("a"), [hit])
    await journal.log_search(read_in_part, [hit])
    stored = await store.run_command(lambda redis: redis.hget(JobKeys(JOB).hits, "pmid:1"))
    assert "yields" not in stored.partition("\t")[0]


def failed(query: str) -> SearchRecord:
    return search(query, total=0).model_copy(
        update={"status": SearchStatus.FAILED, "hits": (), "reason": "no answer in time"}
    )


async def test_a_success_replaces_a_failure_in_the_log_and_no_failure_replaces_a_success(journal: JobJournal) -> None:
    assert [await journal.log_search(each) for each in (search("a"), failed("b"), failed("a"))] == [True] * 3
    assert list(await journal.searches()) == [search("a"), failed("b")]
    await journal.log_search(search("b"))
    assert list(await journal.searches()) == [search("a"), search("b")]


async def test_a_search_that_fails_again_is_reported_each_time_and_logged_once(journal: JobJournal) -> None:
    assert [await journal.log_search(failed("a")) for _ in range(2)] == [True, False]
    assert list(await journal.searches()) == [failed("a")]
    assert [event.kind for event in await journal.events(2)] == ["search", "search"]


async def test_a_reply_whose_write_is_sent_again_is_kept_once(journal: JobJournal) -> None:
    first, other = (PaidReply(digest=digest, outputs=["α"]) for digest in ("ab12", "cd34"))
    for calls, reply in ((1, first), (2, other), (1, first), (2, other)):
        await journal.log_spending(spent(calls), 1.0, reply)
    assert await journal.replies() == [first, other]
