"""A disk cache of accepted answers.

It uses hishel's storage without its transport: a transport would store an answer before its body is checked, and some
services report failures with status 200.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path

from hishel import AsyncSqliteStorage, Entry, Headers, Request, Response

from storm.databases.http.call import Answer

#: hishel logs a full disk or a damaged file and continues; silent by default.
logging.getLogger("hishel").addHandler(logging.NullHandler())

_AT = "storm-at"


class AnswerCache:
    """Answers by key in one SQLite file that processes may share. A damaged file is a cache miss, never an error."""

    def __init__(self, folder: Path, clock: Callable[[], datetime]) -> None:
        self._storage = AsyncSqliteStorage(database_path=folder / "answers.db")
        self._clock = clock

    async def find_answer(self, key: str, ttl: float) -> Answer | None:
        """The newest answer of that key that is at most `ttl` seconds old."""
        try:
            entries = await self._storage.get_entries(key)
            fresh = [entry for entry in entries if self._age_of(entry) < timedelta(seconds=ttl)]
            return await _read_answer(min(fresh, key=self._age_of)) if fresh else None
        except RuntimeError:
            return None

    async def store_answer(self, key: str, answer: Answer, ttl: float) -> None:
        """Store an answer for `ttl` seconds."""
        headers = Headers({"content-type": answer.content_type, _AT: answer.at.isoformat()})
        response = Response(answer.status, headers, _stream_once(answer.body))
        try:
            entry = await self._storage.create_entry(Request("GET", answer.url), response, key, ttl=ttl)
            await _read_body(entry)
        except RuntimeError:
            return

    async def close(self) -> None:
        """Close the file."""
        await self._storage.close()

    def _age_of(self, entry: Entry) -> timedelta:
        return self._clock() - datetime.fromisoformat(entry.response.headers[_AT])


async def _read_answer(entry: Entry) -> Answer:
    headers = entry.response.headers
    return Answer(
        status=entry.response.status_code,
        url=entry.request.url,
        content_type=headers["content-type"],
        body=await _read_body(entry),
        at=datetime.fromisoformat(headers[_AT]),
    )


async def _read_body(entry: Entry) -> bytes:
    """The body; reading it also makes hishel store that of a new entry."""
    stream = entry.response.stream
    assert isinstance(stream, AsyncIterator)
    return b"".join([chunk async for chunk in stream])


async def _stream_once(body: bytes) -> AsyncIterator[bytes]:
    yield body
