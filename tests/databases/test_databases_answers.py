"""From answers to outcomes: paging, calls at once, and what is told of what is missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.answers import (
    Found,
    Page,
    all_of,
    collect,
    interleaved,
    json_object,
    only_record,
    outcome_of,
)
from storm.errors import BadAnswer, RecordError, ServiceDown, StoreError
from storm.models import Hit, SearchQuery, SearchStatus

QUERY = SearchQuery(names=("a",))


def hit(number: int) -> Hit:
    return Hit.of("chembl", f"CHEMBL{number}", f"https://example.org/{number}", f"Molecule {number}")


async def found(result: Found) -> Found:
    return result


async def failing(error: Exception) -> Found:
    raise error


async def test_hits_with_something_missing_are_found_and_the_rest_is_told() -> None:
    outcome = await outcome_of("chembl", QUERY, found(Found([hit(1)], 7, ["no warnings", "no salts"])))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.FOUND, 7, "no warnings; no salts")


async def test_no_hit_is_none_only_if_nothing_is_missing() -> None:
    assert (await outcome_of("chembl", QUERY, found(Found()))).status is SearchStatus.NONE
    assert (await outcome_of("chembl", QUERY, found(Found(notes=["x"])))).status is SearchStatus.FAILED


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

    result = await collect(ask, "0", limit)
    assert [h.external_id for h in result.hits] == [f"CHEMBL{n}" for n in range(min(limit, total))]
    assert (result.total, result.notes) == (total, [])
    assert len(asked) == max(1, -(-min(limit, total) // size))


@pytest.mark.parametrize("following", ["2", "3", None])
async def test_a_page_that_brings_nothing_new_ends_the_walk_and_is_told(following: str | None) -> None:
    async def ask(cursor: str) -> Page:
        return Page([hit(1), hit(2)], 4, following if cursor == "2" else "2")

    result = await collect(ask, "1", 10)
    assert [h.external_id for h in result.hits] == ["CHEMBL1", "CHEMBL2"]
    assert result.notes == ["stopped after 2 records: the service repeats a page"]


async def test_records_that_cannot_be_read_count_towards_the_limit() -> None:
    async def ask(cursor: str) -> Page:
        return Page([RecordError("broken")], None, str(int(cursor) + 1))

    result = await collect(ask, "0", 5)
    assert result.notes == ["5 records of the answer could not be read (broken)"]


async def test_calls_at_once_keep_their_order_and_tell_each_failure_once() -> None:
    failed = ServiceDown("down")
    results, notes = await all_of([found(Found(total=1)), failing(failed), found(Found(total=2)), failing(failed)])
    assert ([result.total for result in results], notes) == ([1, 2], ["down"])


async def test_if_all_calls_fail_the_first_failure_is_raised() -> None:
    with pytest.raises(ServiceDown, match="first"):
        await all_of([failing(ServiceDown("first")), failing(ServiceDown("second"))])


async def test_an_error_that_is_no_services_is_raised_whatever_else_was_found() -> None:
    with pytest.raises(StoreError):
        await all_of([found(Found()), failing(StoreError("the store is gone"))])


def test_lists_are_taken_in_turns_and_each_record_once() -> None:
    lists = [[hit(1), hit(2), hit(3)], [], [hit(2), hit(4)]]
    assert [h.external_id for h in interleaved(lists, 9)] == ["CHEMBL1", "CHEMBL2", "CHEMBL4", "CHEMBL3"]
    assert len(interleaved(lists, 2)) == 2


@pytest.mark.parametrize("body", [b"", b"[]", b"1", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_object_is_a_bad_answer(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        json_object(body, "ChEMBL")


async def test_no_address_that_a_record_tells_of_is_passed_on() -> None:
    async def ask(_: str) -> Page:
        return Page([RecordError("refused: 203.0.113.7")], None, None)

    assert "203.0.113.7" not in (await collect(ask, "1", 10)).notes[0]


def test_only_the_record_that_was_asked_for_is_taken() -> None:
    assert only_record([hit(1)], "chembl1", "ChEMBL") == hit(1)
    for items in ([], [hit(2)], [RecordError("broken")]):
        with pytest.raises(BadAnswer):
            only_record(items, "CHEMBL1", "ChEMBL")
