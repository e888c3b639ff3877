"""Parses a page in a separate process that can be killed: a hostile page may take forever or exhaust memory."""

from __future__ import annotations

import asyncio
import json
import sys

from storm.databases.pages.text import PageText
from storm.errors import BadAnswer
from storm.models import Publication

_MAIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from storm.databases.pages import reading as r; r.main()"
)


async def read_page_apart(body: bytes, content_type: str, seconds: float) -> PageText:
    """`read_page` within so many seconds and 1 GB of memory, or BadAnswer."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", _MAIN, json.dumps(sys.path), ascii(content_type[:200]),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        env={"PYTHONUTF8": "1"},  # a hostile page must not come near the keys of the environment
    )  # fmt: skip
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(body)
    except TimeoutError as exc:
        raise BadAnswer(f"the page could not be read within {seconds:g} s") from exc
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _parse_answer(answer)


def _parse_answer(answer: bytes) -> PageText:
    try:
        fields = json.loads(answer)
    except ValueError as exc:
        raise BadAnswer("the page is too large or too damaged to be read") from exc
    if "problem" in fields:
        raise BadAnswer(fields["problem"], hint=fields["hint"])
    return PageText(**fields | {"publication": Publication.model_validate(fields["publication"])})
