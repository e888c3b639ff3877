"""The body of an answer as it streams in, unpacked piece by piece, so that no archive can fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

import httpx

from storm.errors import BadAnswer

#: What is asked for with Accept-Encoding: all that `plain_chunks` unpacks.
ENCODINGS = "gzip"

_CHUNK = 2**16


class TooLong(BadAnswer):
    """The answer is longer than is read of any."""


async def unpack_chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    """The unpacked body in pieces of at most 64 KiB; BadAnswer where it is damaged, cut off or packed otherwise."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        async for chunk in response.aiter_raw(_CHUNK):
            yield chunk
    elif encoding in ("gzip", "x-gzip"):
        async for chunk in _unpack_gzip(response):
            yield chunk
    else:
        raise BadAnswer("the answer is packed in a way that was not asked for")


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
    """The whole unpacked body; TooLong as soon as it is longer than `max_bytes`."""
    body = bytearray()
    async for chunk in unpack_chunks(response):
        body += chunk
        if len(body) > max_bytes:
            raise TooLong(f"the answer is longer than {max_bytes / 1e6:g} MB")
    return bytes(body)


async def read_body_start(response: httpx.Response, max_bytes: int) -> bytes:
    """The unpacked body, or its whole lines within the first `max_bytes`."""
    body = bytearray()
    async for chunk in unpack_chunks(response):
        body += chunk
        if len(body) > max_bytes:
            return bytes(body[:max_bytes]).rpartition(b"\n")[0]
    return bytes(body)
