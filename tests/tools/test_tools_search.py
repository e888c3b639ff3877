"""Every search of a job: all databases at once, each search run once, remembered, logged; a failed one is run again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from storm.errors import LeaseLost
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus
from storm.models.search import NAMES
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch
from storm.tools.search import LONGEST

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HERA = Hit.of("pubmed", "16236737", "https://pubmed.ncbi.nlm.nih.gov/16236737/", "Trastuzumab after chemotherapy")
SLAMON = Hit.of("pubmed", "11248153", "https://pubmed.ncbi.nlm.nih.gov/11248153/", "Chemotherapy plus an antibody")
QUERY = SearchQuery(names=("trastuzumab",), words=("survival",))
SAFETY = SearchQuery(names=("trastuzumab",), words=("safety",))
PLAIN = SearchQuery(names=("trastuzumab",))
PATENTS = SearchQuery(names=("trastuzumab",), databases=("patents",))


class Shelf:
    """A database that answers from a list, or fails while it is asked to."""

    limit = 10

    def __init__(
        self,
        hits: Sequence[Hit],
        *,
        name: str = "pubmed",
        failing: bool = False,
        down: bool = False,
        incomplete: bool = False,
        queued: float = 0.0,
    ) -> None:
        self.name = name
        self.scope = f"what {name} has"
        self.hits = tuple(hits)
        self.failing = failing
        self.down = down
        self.incomplete = incomplete
        self.queued = queued
        self.asked: list[str] = []

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        return None if query.databases and self.name not in query.databases else query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        self.asked.append(str(query))
        if self.failing:
            return SearchOutcome(
                database=self.name, query=str(query), status=SearchStatus.FAILED, reason="no line", down=self.down
            )
        return SearchOutcome(
            database=self.name,
            query=str(query),
            status=SearchStatus.FOUND,
            hits=self.hits[:limit],
            total=len(self.hits),
            translated="trastuzumab[tw]",
            incomplete=self.incomplete,
            queued=self.queued,
        )


class Waiting(Shelf):
    """A database that answers its first search only when another has been asked for the second of its own."""

    def __init__(self, name: str) -> None:
        super().__init__([SLAMON], name=name)
        self.may_answer = asyncio.Event()

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        await self.may_answer.wait()
        return await super().search(query, limit)


class Freeing(Shelf):
    """A database that lets another answer when it is asked for the second time."""

    def __init__(self, other: Waiting) -> None:
        super().__init__([HERA])
        self._other = other

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        if self.asked:
            self._other.may_answer.set()
        return await super().search(query, limit)


class Meeting(Shelf):
    """A database that answers only when all others of its kind are being asked, too."""

    def __init__(self, name: str, barrier: asyncio.Barrier) -> None:
        super().__init__([HERA], name=name)
        self._barrier = barrier

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        async with asyncio.timeout(5):
            await self._barrier.wait()
        return await super().search(query, limit)


async def searcher(store: Store, lease: Lease, *shelves: Shelf) -> JobSearch:
    """As a job that starts, or starts again, makes it."""
    journal = JobJournal(store, lease.job_id, lease)
    return JobSearch(shelves, journal, lambda: NOW, await journal.searches())


async def log(store: Store, lease: Lease) -> list[tuple[str, str, SearchStatus]]:
    records = await JobJournal(store, lease.job_id, None).searches()
    return [(record.database, record.query, record.status) for record in records]


async def test_what_a_search_returned_can_be_saved_from_then_on(store: Store, lease: Lease) -> None:
    search = await searcher(store, lease, Shelf([HERA]))
    assert await search.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)]}
    assert await SourceCollector(store, lease.job_id, None).find_hit((HERA.key,)) == HERA


async def test_how_the_service_read_the_query_is_written_down(store: Store, lease: Lease) -> None:
    await (await searcher(store, lease, Shelf([HERA]))).search({"clinical.efficacy": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.translated, record.scope) == ("trastuzumab[tw]", "what pubmed has")


async def test_all_databases_are_asked_at_once(store: Store, lease: Lease) -> None:
    barrier = asyncio.Barrier(3)
    search = await searcher(store, lease, *(Meeting(name, barrier) for name in ("pubmed", "europepmc", "chembl")))
    assert await search.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)] * 3}


async def test_results_come_by_database_and_query_whoever_answers_first(store: Store, lease: Lease) -> None:
    search = await searcher(store, lease, Shelf([HERA], name="pubmed"), Shelf([SLAMON], name="europepmc"))
    assert await search.search({"clinical.efficacy": [QUERY, SAFETY]}) == {
        "clinical.efficacy": [(HERA.key,)] * 2 + [(SLAMON.key,)] * 2
    }


async def test_a_search_that_several_questions_ask_for_is_logged_once_for_all_of_them(
    store: Store, lease: Lease
) -> None:
    shelf = Shelf([HERA])
    search = await searcher(store, lease, shelf)
    asked = {"clinical.efficacy": [QUERY], "clinical.safety": [QUERY]}
    assert await search.search_side_by_side(asked) == {key: [(HERA.key,)] for key in asked}
    await search.search({"market.status": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (len(shelf.asked), record.question) == (1, "clinical.efficacy")
    assert record.shared_with == ("clinical.safety", "market.status")
    resumed = await searcher(store, lease, shelf)
    await resumed.search({"ip.patents": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (len(shelf.asked), record.is_for("ip.patents"), record.hits) == (1, True, (HERA.key,))


async def test_a_failed_search_is_a_failure_of_each_question_that_asks_for_it(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA], failing=True)
    search = await searcher(store, lease, shelf)
    await search.search_side_by_side({"clinical.efficacy": [QUERY], "clinical.safety": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.status, record.shared_with) == (SearchStatus.FAILED, ("clinical.safety",))
    shelf.failing = False
    await (await searcher(store, lease, shelf)).search({"clinical.safety": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.status, len(shelf.asked)) == (SearchStatus.FOUND, 2)


async def test_a_database_is_not_asked_for_records_that_it_does_not_hold(store: Store, lease: Lease) -> None:
    pubmed, patents = Shelf([HERA]), Shelf([], name="patents")
    await (await searcher(store, lease, pubmed, patents)).search({"ip.patents": [PATENTS]})
    assert (pubmed.asked, patents.asked) == ([], [str(PATENTS)])


async def test_a_completed_search_is_not_run_again_whoever_asks_and_has_one_line(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA])
    first = await searcher(store, lease, shelf)
    await first.search({"clinical.efficacy": [QUERY, QUERY]})
    await first.search({"clinical.safety": [QUERY]})
    resumed = await searcher(store, lease, shelf)
    assert await resumed.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)]}
    assert shelf.asked == [str(QUERY)]
    assert await log(store, lease) == [("pubmed", str(QUERY), SearchStatus.FOUND)]


async def test_a_failed_search_is_reported_as_failed_and_run_again_by_a_resume(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA], failing=True)
    assert await (await searcher(store, lease, shelf)).search({"clinical.efficacy": [QUERY]}) == {
        "clinical.efficacy": [()]
    }
    assert await log(store, lease) == [("pubmed", str(QUERY), SearchStatus.FAILED)]
    shelf.failing = False
    resumed = await searcher(store, lease, shelf)
    assert await resumed.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)]}
    assert await log(store, lease) == [("pubmed", str(QUERY), SearchStatus.FOUND)]


async def test_one_database_that_fails_takes_nothing_from_the_others(store: Store, lease: Lease) -> None:
    search = await searcher(store, lease, Shelf([], name="chembl", failing=True), Shelf([HERA]))
    assert await search.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(), (HERA.key,)]}


@pytest.mark.parametrize(("down", "tried"), [(True, 1), (False, 2)])
async def test_a_database_that_is_down_or_fails_twice_in_a_row_is_not_asked_further(
    store: Store, lease: Lease, down: bool, tried: int
) -> None:
    shelf = Shelf([], failing=True, down=down)
    search = await searcher(store, lease, shelf)
    await search.search({"clinical.efficacy": [QUERY, SAFETY], "clinical.safety": [PLAIN]})
    assert len(shelf.asked) == tried
    *sent, unsent = await JobJournal(store, lease.job_id, None).searches()
    assert len(sent) == tried and all(record.was_sent() for record in sent)
    assert (unsent.question, unsent.query, unsent.status) == ("clinical.safety", str(PLAIN), SearchStatus.FAILED)
    assert not unsent.was_sent() and unsent.reason == "not queried further: no line"


async def test_a_search_that_failed_in_part_keeps_what_was_found_and_is_asked_again_by_a_resume(
    store: Store, lease: Lease
) -> None:
    shelf = Shelf([HERA], incomplete=True)
    assert await (await searcher(store, lease, shelf)).search({"q": [QUERY]}) == {"q": [(HERA.key,)]}
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.status, record.incomplete, record.has_failed) == (SearchStatus.FOUND, True, True)
    shelf.incomplete = False
    await (await searcher(store, lease, shelf)).search({"q": [QUERY]})
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.has_failed, len(shelf.asked)) == (False, 2)


async def test_a_slow_database_does_not_hold_the_others_up_at_the_next_question(store: Store, lease: Lease) -> None:
    slow = Waiting("chembl")
    search = await searcher(store, lease, slow, Freeing(slow))
    async with asyncio.timeout(5):
        found = await search.search({"clinical.efficacy": [QUERY], "clinical.safety": [SAFETY]})
    assert found["clinical.safety"] == [(SLAMON.key,), (HERA.key,)]


async def test_a_database_whose_answers_take_too_long_is_not_asked_further_and_that_is_a_failure(
    store: Store, lease: Lease
) -> None:
    shelf = Shelf([HERA])
    journal = JobJournal(store, lease.job_id, lease)
    # begun; looked at before the first query, around it, and before the second and the third
    times = iter([0.0, 10.0, 11.0, LONGEST, LONGEST + 1, LONGEST + 2])
    search = JobSearch([shelf], journal, lambda: NOW, monotonic=lambda: next(times))
    found = await search.search({"efficacy": [QUERY], "safety": [SAFETY, PLAIN]})
    assert shelf.asked == [str(QUERY)]
    assert [bool(keys) for keys in found["safety"]] == [False, False]
    assert [(record.query, record.status) for record in await journal.searches()] == [
        (str(QUERY), SearchStatus.FOUND), (str(SAFETY), SearchStatus.FAILED),
    ]  # fmt: skip


async def test_a_database_is_asked_further_where_its_calls_only_waited_for_their_turn(
    store: Store, lease: Lease
) -> None:
    shelf = Shelf([HERA], queued=LONGEST)
    times = iter([0.0, 10.0, 11.0, LONGEST, LONGEST + 1, LONGEST + 2, LONGEST + 3])
    search = JobSearch([shelf], JobJournal(store, lease.job_id, lease), lambda: NOW, monotonic=lambda: next(times))
    await search.search({"efficacy": [QUERY], "safety": [SAFETY]})
    assert shelf.asked == [str(QUERY), str(SAFETY)]


async def test_the_event_of_a_search_says_how_long_it_took(store: Store, lease: Lease) -> None:
    times = iter([0.0, 1.0, 2.0, 4.5])
    journal = JobJournal(store, lease.job_id, lease)
    search = JobSearch([Shelf([HERA])], journal, lambda: NOW, monotonic=lambda: next(times))
    await search.search({"efficacy": [QUERY]})
    assert [event.data["seconds"] for event in await journal.events(9) if event.kind == "search"] == [2.5]


async def test_a_lost_lease_ends_the_search_as_that(store: Store, lease: Lease) -> None:
    search = await searcher(store, lease, Shelf([HERA]), Shelf([SLAMON], name="europepmc"))
    await lease.release()
    with pytest.raises(LeaseLost):
        await search.search({"clinical.efficacy": [QUERY]})


async def test_one_database_is_asked_with_a_query_of_the_callers_own(store: Store, lease: Lease) -> None:
    pubmed, chembl = Shelf([HERA, SLAMON]), Shelf([], name="chembl")
    search = await searcher(store, lease, pubmed, chembl)
    first = await search.search_one(pubmed, QUERY, "clinical.efficacy")
    assert (first.hits, first.record.hits) == ((HERA, SLAMON), (HERA.key, SLAMON.key))
    again = await search.search_one(pubmed, QUERY, "clinical.safety")
    assert (again.hits, again.record.hits, again.record.is_for("clinical.safety")) == (None, first.record.hits, True)
    assert (pubmed.asked, chembl.asked) == ([str(QUERY)], [])
    assert await log(store, lease) == [("pubmed", str(QUERY), SearchStatus.FOUND)]
    assert await SourceCollector(store, lease.job_id, None).find_hit((SLAMON.key,)) == SLAMON


async def test_a_search_that_failed_may_be_asked_for_again_unless_the_database_is_down(
    store: Store, lease: Lease
) -> None:
    pubmed, chembl = Shelf([HERA], failing=True), Shelf([], name="chembl", failing=True, down=True)
    search = await searcher(store, lease, pubmed, chembl)
    assert (await search.search_one(pubmed, QUERY)).record.reason == "no line"
    pubmed.failing = False
    assert (await search.search_one(pubmed, QUERY)).record.status is SearchStatus.FOUND
    for query in (QUERY, QUERY, SAFETY):
        assert (await search.search_one(chembl, query)).record.status is SearchStatus.FAILED
    assert len(chembl.asked) == 1


async def test_the_latest_searches_of_each_database_are_known_after_a_resume_too(store: Store, lease: Lease) -> None:
    pubmed, chembl = Shelf([HERA]), Shelf([], name="chembl")
    search = await searcher(store, lease, pubmed, chembl)
    for query in (QUERY, SAFETY, PATENTS):
        await search.search_one(pubmed, query)
    await search.search_one(chembl, QUERY)
    latest = [("pubmed", str(SAFETY)), ("pubmed", str(PATENTS)), ("chembl", str(QUERY))]
    assert [(record.database, record.query) for record in search.latest_searches()] == latest
    resumed = await searcher(store, lease, pubmed, chembl)
    assert [(record.database, record.query) for record in resumed.latest_searches()] == latest


async def test_an_update_asks_each_database_for_what_is_new_since_its_own_day(store: Store, lease: Lease) -> None:
    dated, whole = Shelf([HERA]), Shelf([SLAMON], name="openfda")
    journal = JobJournal(store, lease.job_id, lease)
    search = JobSearch([dated, whole], journal, lambda: NOW, changed_since={"pubmed": "2026-05-14"})
    await search.search({"clinical.efficacy": [QUERY]})
    await search.search_one(dated, PLAIN)
    assert dated.asked == [f"{one}, entered or changed since 2026-05-14" for one in (QUERY, PLAIN)]
    assert whole.asked == [str(QUERY)]
    found = {(line.database, line.query): line.changed_since for line in await journal.searches()}
    assert found == {("pubmed", one): "2026-05-14" for one in dated.asked} | {("openfda", str(QUERY)): None}


async def test_a_search_that_questions_share_is_run_once_for_the_first_of_them_whichever_is_faster(
    store: Store, lease: Lease
) -> None:
    class Names(Shelf):
        """A database that searches by names alone."""

        def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
            return SearchQuery(names=query.names)

    journal = JobJournal(store, lease.job_id, lease)
    words, names = Shelf([HERA, SLAMON]), Names([SLAMON], name="chembl")
    search = JobSearch([words, names], journal, lambda: NOW)
    other = PLAIN.model_copy(update={"words": ("heart",)})
    found = await search.search_side_by_side({"clinical.efficacy": [QUERY, PLAIN], "clinical.safety": [PLAIN, other]})
    assert found["clinical.safety"] == [(HERA.key, SLAMON.key)] * 2 + [(SLAMON.key,)]
    assert (sorted(words.asked), names.asked) == (sorted(map(str, (QUERY, PLAIN, other))), [str(PLAIN)])
    asked_for = {(record.database, record.query): record.question for record in await journal.searches()}
    assert asked_for["pubmed", str(PLAIN)] == asked_for["chembl", str(PLAIN)] == "clinical.efficacy"


async def test_a_search_takes_so_many_hits_and_the_log_says_how_many_there_are(store: Store, lease: Lease) -> None:
    journal = JobJournal(store, lease.job_id, lease)
    search = JobSearch([Shelf([HERA, SLAMON])], journal, lambda: NOW, limits={"pubmed": 1})
    assert await search.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)]}
    (record,) = await journal.searches()
    assert (record.total, record.hits) == (2, (HERA.key,))
    assert "2, the best 1 read, for" in record.summary


async def test_what_a_name_means_is_searched_with_the_limit_of_the_database(store: Store, lease: Lease) -> None:
    search = JobSearch(
        [Shelf([HERA, SLAMON])], JobJournal(store, lease.job_id, lease), lambda: NOW, limits={"pubmed": 1}
    )
    assert await search.search({NAMES: [PLAIN]}) == {NAMES: [(HERA.key, SLAMON.key)]}


async def test_without_a_limit_a_database_gives_as_many_as_it_sets(store: Store, lease: Lease) -> None:
    shelf = Shelf([HERA, SLAMON])
    shelf.limit = 1
    search = await searcher(store, lease, shelf)
    assert await search.search({"clinical.efficacy": [QUERY]}) == {"clinical.efficacy": [(HERA.key,)]}


async def test_time_in_which_calls_wait_for_their_turn_is_not_that_of_the_databases(store: Store, lease: Lease) -> None:
    queued = [False, True, True]
    journal = JobJournal(store, lease.job_id, lease)
    search = JobSearch([], journal, lambda: NOW, is_queued=lambda: bool(queued) and queued.pop())
    await search.wait_for_answer(0.05)
    assert queued == []
