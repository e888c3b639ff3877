"""From answers to outcomes: paging, calls at once, and what is said of what is missing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.services.answers import (
    FoundRecords,
    MissingRecord,
    Page,
    collect_pages,
    gather_all,
    interleave_hits,
    json_object,
    must_list,
    only_record,
    outcome_of,
    records_of,
)
from storm.errors import BadAnswer, DamagedAnswer, RecordError, ServiceDown, StoreError
from storm.models import Hit, SearchQuery, SearchStatus

QUERY = SearchQuery(names=("a",))


def hit(number: int) -> Hit:
    return Hit.of("chembl", f"CHEMBL{number}", f"https://example.org/{number}", f"Molecule {number}")


async def found(result: FoundRecords) -> FoundRecords:
    return result


async def failing(error: Exception) -> FoundRecords:
    raise error


async def test_hits_with_something_missing_are_found_and_the_rest_is_reported() -> None:
    outcome = await outcome_of("chembl", QUERY, found(FoundRecords([hit(1)], 7, ["no warnings", "no salts"])))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.FOUND, 7, "no warnings; no salts")


async def test_no_hit_is_none_only_if_nothing_is_missing() -> None:
    assert (await outcome_of("chembl", QUERY, found(FoundRecords()))).status is SearchStatus.NONE
    assert (await outcome_of("chembl", QUERY, found(FoundRecords(notes=["x"])))).status is SearchStatus.FAILED


async def test_a_service_error_is_a_failed_outcome_and_another_error_is_none_of_its_business() -> None:
    outcome = await outcome_of("chembl", QUERY, failing(ServiceDown("timed out after 3 tries")))
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "timed out after 3 tries")
    with pytest.raises(StoreError):
        await outcome_of("chembl", QUERY, failing(StoreError("the store is gone")))


@given(st.integers(1, 40), st.integers(1, 7), st.integers(0, 45))
async def test_paging_gives_the_first_records_up_to_the_limit(limit: int, size: int, total: int) -> None:
    asked: list[int] = []

    async def ask(cursor: str) -> Page:
        start = int(cursor)
        asked.append(start)
        numbers = range(start, min(start + size, total))
        return Page([hit(n) for n in numbers], total, str(start + size) if start + size < total else None)

    result = await collect_pages(ask, "0", limit)
    assert [h.external_id for h in result.hits] == [f"CHEMBL{n}" for n in range(min(limit, total))]
    assert (result.total, result.notes) == (total, [])
    assert len(asked) == max(1, -(-min(limit, total) // size))


@pytest.mark.parametrize("following", ["2", "3", None])
async def test_a_page_that_brings_nothing_new_ends_the_walk_and_is_reported(following: str | None) -> None:
    async def ask(cursor: str) -> Page:
        return Page([hit(1), hit(2)], 4, following if cursor == "2" else "2")

    result = await collect_pages(ask, "1", 10)
    assert [h.external_id for h in result.hits] == ["CHEMBL1", "CHEMBL2"]
    assert result.notes == ["stopped after 2 records: the service repeats a page"]


async def test_records_that_cannot_be_read_count_towards_the_limit() -> None:
    async def ask(cursor: str) -> Page:
        return Page([RecordError("broken")], None, str(int(cursor) + 1))

    result = await collect_pages(ask, "0", 5)
    assert result.notes == ["5 records of the answer could not be read (broken)"]


def pages_of(*pages: Page) -> Callable[[str], Awaitable[Page]]:
    async def ask(cursor: str) -> Page:
        return pages[int(cursor)]

    return ask


async def test_a_walk_that_ends_before_the_last_record_counted_is_reported() -> None:
    result = await collect_pages(pages_of(Page([hit(1)], 80, "1"), Page([hit(2)], None, None)), "0", 100)
    assert (len(result.hits), result.total, result.notes) == (2, 80, ["the service stopped after 2 of 80 records"])
    outcome = await outcome_of("chembl", QUERY, found(result))
    assert (outcome.status, outcome.incomplete) == (SearchStatus.FOUND, True)


async def test_a_walk_of_which_nothing_came_is_a_failed_search() -> None:
    result = await collect_pages(pages_of(Page([], 7, None)), "0", 100)
    assert (await outcome_of("chembl", QUERY, found(result))).status is SearchStatus.FAILED


@pytest.mark.parametrize(
    ("pages", "limit"),
    [
        ([Page([hit(1), hit(2)], 80, "1")], 2),
        ([Page([hit(1), hit(2)], 4, "1"), Page([hit(2), hit(3)], 4, None)], 100),
        ([Page([hit(1), RecordError("broken")], 2, None)], 100),
        ([Page([hit(1), hit(2)], None, None)], 100),
    ],
    ids=["the limit", "a record listed twice", "a record that cannot be read", "no count"],
)
async def test_a_walk_to_its_end_has_not_stopped_short(pages: list[Page], limit: int) -> None:
    notes = (await collect_pages(pages_of(*pages), "0", limit)).notes
    assert not any("stopped" in note for note in notes)


async def test_records_that_are_left_out_count_as_sent() -> None:
    async def kept(total: int) -> FoundRecords:
        page = Page([hit(1), hit(2), hit(3)], total, None)
        return await collect_pages(pages_of(page), "0", 2, lambda found: found.external_id == "CHEMBL1")

    assert (await kept(3)).notes == []
    assert (await kept(9)).notes == ["the service stopped after 3 of 9 records"]


async def test_what_a_service_never_hands_out_is_a_remark_and_no_failure() -> None:
    page = Page([hit(1), hit(2)], 80, None)
    result = await collect_pages(pages_of(page), "0", 100, most=2)
    assert (result.notes, result.remarks) == ([], ["the service returns only the first 2 records"])
    assert (await collect_pages(pages_of(page), "0", 100, most=3)).notes == [
        "the service stopped after 2 of 80 records"
    ]
    assert (await collect_pages(pages_of(page), "0", 2, most=2)).remarks == []


async def test_records_that_were_listed_and_did_not_come_are_a_part_that_failed() -> None:
    unsent = [MissingRecord(f"{number} did not come") for number in range(5)]
    result = await collect_pages(pages_of(Page([hit(1), RecordError("broken"), *unsent], 7, None)), "0", 10)
    assert result.notes == [
        "1 record of the answer could not be read (broken)",
        "0 did not come; 1 did not come; 2 did not come; and 2 more",
    ]
    assert (await outcome_of("chembl", QUERY, found(result))).incomplete


def test_a_page_that_lists_nothing_must_count_nothing() -> None:
    must_list([], 0, "X")
    must_list([], 20, "X", before=20)
    must_list([1], None, "X")
    for total, before in ((7, 0), (21, 20), (None, 0)):
        with pytest.raises(BadAnswer):
            must_list([], total, "X", before=before)


def test_records_of_a_document_that_is_not_well_formed_are_a_damaged_answer() -> None:
    with pytest.raises(DamagedAnswer, match="the answer is not well-formed XML: "):
        records_of(b"<PubmedArticleSet><PubmedArticle/> & </PubmedArticleSet>", read_pubmed, "PubMed")
    (item,) = records_of(b"<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>", read_pubmed, "PubMed")
    assert isinstance(item, RecordError)


async def test_calls_at_once_keep_their_order_and_tell_each_failure_once() -> None:
    failed = ServiceDown("down")
    results, notes = await gather_all(
        [found(FoundRecords(total=1)), failing(failed), found(FoundRecords(total=2)), failing(failed)]
    )
    assert ([result.total for result in results], notes) == ([1, 2], ["down"])


async def test_if_all_calls_fail_the_first_failure_is_raised() -> None:
    with pytest.raises(ServiceDown, match="first"):
        await gather_all([failing(ServiceDown("first")), failing(ServiceDown("second"))])


async def test_an_error_that_is_no_services_is_raised_whatever_else_was_found() -> None:
    with pytest.raises(StoreError):
        await gather_all([found(FoundRecords()), failing(StoreError("the store is gone"))])


def test_lists_are_taken_in_turns_and_each_record_once() -> None:
    lists = [[hit(1), hit(2), hit(3)], [], [hit(2), hit(4)]]
    assert [h.external_id for h in interleave_hits(lists, 9)] == ["CHEMBL1", "CHEMBL2", "CHEMBL4", "CHEMBL3"]
    assert len(interleave_hits(lists, 2)) == 2


@pytest.mark.parametrize("body", [b"", b"[]", b"1", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_object_is_a_bad_answer(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        json_object(body, "ChEMBL")


async def test_no_address_that_a_record_tells_of_is_passed_on() -> None:
    async def ask(_: str) -> Page:
        return Page([RecordError("refused: 203.0.113.7")], None, None)

    assert "203.0.113.7" not in (await collect_pages(ask, "1", 10)).notes[0]


def test_only_the_record_that_was_asked_for_is_taken() -> None:
    assert only_record([hit(1)], "chembl1", "ChEMBL") == hit(1)
    for items in ([], [hit(2)], [RecordError("broken")]):
        with pytest.raises(BadAnswer):
            only_record(items, "CHEMBL1", "ChEMBL")
