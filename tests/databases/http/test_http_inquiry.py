"""What a search notes of the calls that it makes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from storm.databases.http.inquiry import note_answer, note_call, track_inquiry

FIRST, LATER = datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)


async def _call(address: str, answered: datetime) -> None:
    note_call(address)
    note_answer(answered)


async def test_the_first_address_and_the_oldest_answer_are_noted() -> None:
    with track_inquiry() as made:
        await asyncio.gather(_call("https://a.example/1", LATER), _call("https://a.example/2", FIRST))
    assert (made.address, made.answered) == ("https://a.example/1", FIRST)


async def test_searches_at_once_note_their_own_calls_only() -> None:
    async def search(address: str) -> tuple[str, datetime | None]:
        with track_inquiry() as made:
            await asyncio.sleep(0)
            await _call(address, FIRST)
        return made.address, made.answered

    assert await asyncio.gather(search("x"), search("y")) == [("x", FIRST), ("y", FIRST)]


def test_what_is_asked_outside_of_a_search_is_noted_nowhere() -> None:
    note_call("https://a.example/1")
    note_answer(FIRST)
    with track_inquiry() as made:
        pass
    assert (made.address, made.answered) == ("", None)
