"""Reading a page in a process of its own, which can be ended: a hostile page may take for ever or all memory."""

from __future__ import annotations

import asyncio
import json
import sys

from storm.databases.pages.text import PageText, read_page
from storm.errors import BadAnswer

MAX_MEMORY = 2**30
#: The process ends by itself after so much work, should nobody be left to end it.
MAX_CPU_SECONDS = 120

_MAIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from storm.databases.pages import process as p; p.main()"
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
    return _page(answer)


def _page(answer: bytes) -> PageText:
    try:
        said = json.loads(answer)
    except ValueError as exc:
        raise BadAnswer("the page is too large or too damaged to be read") from exc
    if "problem" in said:
        raise BadAnswer(said["problem"], hint=said["hint"])
    return PageText(**said)


def main() -> None:
    """Page on standard input, its type as the second argument; JSON of a PageText, or of the problem, as output."""
    _limit()
    try:
        said = read_page(sys.stdin.buffer.read(), sys.argv[2][1:-1])._asdict()
    except BadAnswer as exc:
        said = {"problem": exc.message, "hint": exc.hint}
    sys.stdout.write(json.dumps(said))


def _limit() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
