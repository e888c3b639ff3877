"""Reads a streamed body and decompresses it piece by piece, so that no archive can exhaust memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

import httpx

from storm.errors import BadAnswer

#: The Accept-Encoding header: what `unpack_chunks` can decompress.
ENCODINGS = "gzip"

_CHUNK = 2**16


class TooLong(BadAnswer):
    """The answer exceeds the size limit."""


async def unpack_chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    """The decompressed body in pieces of at most 64 KiB; BadAnswer if it is damaged, cut off or otherwise encoded."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        async for chunk in response.aiter_raw(_CHUNK):
            yield chunk
    elif encoding in ("gzip", "x-gzip"):
        async for chunk in _unpack_gzip(response):
            yield chunk
    else:
        raise BadAnswer("the answer has a content encoding that was not requested")


async def _unpack_gzip(response: httpx.Response) -> AsyncIterator[bytes]:
    unpacker: zlib._Decompress | None = None
    try:
        async for packed in response.aiter_raw(_CHUNK):
            while packed:
                if unpacker is None or unpacker.eof:  # a stream may have several members, one after the other
                    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
                yield unpacker.decompress(packed, _CHUNK)
                packed = unpacker.unused_data.lstrip(b"\0") if unpacker.eof else unpacker.unconsumed_tail
    except zlib.error as exc:
        raise BadAnswer("the answer is a damaged gzip stream") from exc
    if unpacker and not unpacker.eof:
        raise BadAnswer("the answer was cut off")


async def read_capped_body(response: httpx.Response, max_bytes: int) -> bytes:
    """The whole decompressed body; TooLong as soon as it exceeds `max_bytes`."""
    body = bytearray()
    async for chunk in unpack_chunks(response):
        body += chunk
        if len(body) > max_bytes:
            raise TooLong(f"the answer is longer than {max_bytes / 1e6:g} MB")
    return bytes(body)


async def read_body_start(response: httpx.Response, max_bytes: int) -> bytes:
    """The decompressed body, or its whole lines within the first `max_bytes`."""
    body = bytearray()
    async for chunk in unpack_chunks(response):
        body += chunk
        if len(body) > max_bytes:
            return bytes(body[:max_bytes]).rpartition(b"\n")[0]
    return bytes(body)
