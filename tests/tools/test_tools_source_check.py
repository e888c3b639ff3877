"""What registers know of a job's sources becomes part of their records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from storm.errors import BadAnswer
from storm.models import DraftCitation, Hit, Retraction, SearchOutcome, SearchStatus, Section
from storm.store import JobJournal, Lease, SourceCollector, Store
from storm.tools import JobSearch, SourceCheck

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PAPER = Hit.of("europepmc", "PPR:PPR1", "https://example.org/1", "A preprint", doi="10.1000/1", text="It works.")


FOUND = Hit.of("web", "https://example.org/found", "https://example.org/found", "A page", text="What it")
OTHER = Hit.of("web", "https://example.org/other", "https://example.org/other", "Another", text="What the")


class Notices:
    """A register that says of every work that it was retracted, or fails."""

    scope = "notices"

    def __init__(self, status: SearchStatus = SearchStatus.FOUND) -> None:
        self.asked: list[str] = []
        self._status = status

    async def look_up_hits(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        self.asked += [hit.external_id for hit in hits]
        if not hits:
            return None
        found = [
            Hit.of("crossref", "10.1000/1", hit.url, "Its title", doi="10.1000/1", retraction=Retraction.RETRACTED)
            for hit in hits
            if self._status is SearchStatus.FOUND
        ]
        return SearchOutcome(
            database="crossref", query="1 DOI", status=self._status, hits=tuple(found), total=len(found), reason="down"
        )


class Texts(Notices):
    """A register of full texts that has none, and gives as many as it likes unless it is asked for certain ones."""

    def __init__(self) -> None:
        super().__init__(SearchStatus.NONE)
        self.wanted: list[str] = []

    async def look_up_texts(self, hits: Sequence[Hit]) -> SearchOutcome | None:
        self.wanted += [hit.external_id for hit in hits]
        return None


class Site:
    """A web where one page can be read."""

    async def fetch(self, url: str) -> Hit:
        if url != FOUND.external_id:
            raise BadAnswer("a page that asks for a login")
        return FOUND.model_copy(update={"sections": (Section(text="The whole text of the page."),)})


async def checked(
    store: Store, lease: Lease, register: Notices, *hits: Hit, pages: Site | None = None
) -> SourceCollector:
    """A job that has saved these hits, after the check."""
    collection = SourceCollector(store, lease.job_id, lease)
    journal = JobJournal(store, lease.job_id, lease)
    await collection.record_hits(hits)
    for hit in hits:
        await collection.save(hit, ["clinical.efficacy"], DraftCitation(hit.title, hit.title, True))
    search = JobSearch([], journal, lambda: NOW)
    await SourceCheck([register], pages, collection, journal, search).check()
    return collection


async def test_a_retraction_that_a_register_knows_is_the_source_s_and_changes_nothing_else(
    store: Store, lease: Lease
) -> None:
    (source,) = await (await checked(store, lease, Notices(), PAPER)).load_sources()
    assert source.hit.retraction is Retraction.RETRACTED
    assert (source.hit.database, source.hit.title, source.hit.text) == ("europepmc", "A preprint", "It works.")


async def test_a_register_that_fails_leaves_the_source_unchecked_and_is_in_the_log(store: Store, lease: Lease) -> None:
    (source,) = await (await checked(store, lease, Notices(SearchStatus.FAILED), PAPER)).load_sources()
    assert source.hit.retraction is Retraction.NOT_CHECKED
    (record,) = await JobJournal(store, lease.job_id, None).searches()
    assert (record.database, record.status, record.reason) == ("crossref", SearchStatus.FAILED, "down")


async def test_what_a_register_was_not_asked_is_not_in_the_log(store: Store, lease: Lease) -> None:
    await checked(store, lease, Notices())
    assert await JobJournal(store, lease.job_id, None).searches() == []


async def test_pages_among_the_sources_are_read_whole_and_those_that_cannot_be_are_reported(
    store: Store, lease: Lease
) -> None:
    collection = await checked(store, lease, Notices(SearchStatus.NONE), FOUND, OTHER, PAPER, pages=Site())
    texts = {source.hit.external_id: source.hit.text for source in await collection.load_sources()}
    assert texts == {
        FOUND.external_id: "The whole text of the page.",
        OTHER.external_id: "What the",
        PAPER.external_id: "It works.",
    }
    events = await JobJournal(store, lease.job_id, None).events(10)
    assert {event.message for event in events if event.kind == "page"} == {
        "https://example.org/found was read: 27 characters",
        "https://example.org/other was not read: a page that asks for a login",
    }


async def saved(store: Store, lease: Lease, *hits: Hit) -> tuple[SourceCollector, JobJournal]:
    collection = SourceCollector(store, lease.job_id, lease)
    await collection.record_hits(hits)
    for hit in hits:
        await collection.save(hit, ["clinical.efficacy"], DraftCitation(hit.title, hit.title, True))
    return collection, JobJournal(store, lease.job_id, lease)


def check_with(
    collection: SourceCollector, journal: JobJournal, *registers: Notices, pages: Site | None = None
) -> SourceCheck:
    return SourceCheck(registers, pages, collection, journal, JobSearch([], journal, lambda: NOW))


async def test_of_chosen_records_alone_the_full_text_is_read_and_in_their_order(store: Store, lease: Lease) -> None:
    collection, journal = await saved(store, lease, PAPER, FOUND, OTHER)
    notices, texts = Notices(SearchStatus.NONE), Texts()
    check = check_with(collection, journal, notices, texts, pages=Site())
    await check.check([OTHER.key, "doi:10.1000/1", PAPER.key, "pmid:1"])
    assert texts.wanted == [OTHER.external_id, PAPER.external_id]
    assert set(notices.asked) == {hit.external_id for hit in (PAPER, FOUND, OTHER)}
    read = [event.message for event in await journal.events(10) if event.kind == "page"]
    assert read == ["https://example.org/other was not read: a page that asks for a login"]


async def test_without_a_choice_a_register_gives_the_texts_that_it_gives_of_itself(store: Store, lease: Lease) -> None:
    collection, journal = await saved(store, lease, PAPER)
    texts = Texts()
    await check_with(collection, journal, texts).check()
    assert (texts.asked, texts.wanted) == ([PAPER.external_id], [])


async def test_what_was_looked_up_before_is_not_looked_up_again(store: Store, lease: Lease) -> None:
    collection, journal = await saved(store, lease, PAPER, FOUND)
    register, texts = Notices(SearchStatus.NONE), Texts()
    check = check_with(collection, journal, register, texts)
    await check.check([PAPER.key])
    await check.check([PAPER.key, FOUND.key], checked=["doi:10.1000/1"])
    assert sorted(register.asked) == sorted([PAPER.external_id, *[FOUND.external_id] * 2])
    assert texts.wanted == [PAPER.external_id, FOUND.external_id]


async def test_each_later_look_up_has_a_line_of_its_own_in_the_log(store: Store, lease: Lease) -> None:
    collection, journal = await saved(store, lease, PAPER, FOUND)
    check = check_with(collection, journal, Notices(SearchStatus.NONE))
    await check.check()
    await check.check(checked=[PAPER.key])
    assert [record.query for record in await journal.searches()] == [
        "1 DOI",
        "1 DOI, after 1 source looked up before",
    ]
