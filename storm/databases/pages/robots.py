"""The robots.txt of sites (RFC 9309): what automatic readers may read; fetched once per host."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urlsplit

from protego import Protego

#: RFC 9309 requires parsing at least this much of the file, and allows stopping there.
MAX_ROBOTS_BYTES = 500 * 1024

#: Longer than any URL that is read, even with every character percent-encoded.
_MAX_RULE = 12_000

_RULE = re.compile(r"[ \t]*(user-?agent|allow|disallow)[ \t]*[: \t][ \t]*(.*)", re.I)
_TOKEN = re.compile(r"\*|[a-z_-]+", re.I)
#: Replaces every other product token: a file may name thousands, each with all of the rules that follow.
_OTHER = "other"


class Robots:
    """The rules of each host for `agent`. `fetch` returns a robots.txt, or None if there is none; its errors pass."""

    def __init__(self, agent: str, fetch: Callable[[str], Awaitable[bytes | None]]) -> None:
        self._agent = agent.lower()
        self._fetch = fetch
        self._rules: dict[str, Protego] = {}
        self._fetching: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def permits_page(self, url: str) -> bool:
        """Whether this page may be read; a host without a robots.txt permits everything."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        async with self._fetching[site]:
            if site not in self._rules:
                self._rules[site] = read_rules(await self._fetch(f"{site}/robots.txt") or b"", self._agent)
        return self._rules[site].can_fetch(url, self._agent)


def read_rules(body: bytes, agent: str) -> Protego:
    """The rules of a robots.txt for that lower-case product token and for `*`."""
    text = body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace")
    return Protego.parse("\n".join(_group_lines(text, agent)))


def _group_lines(text: str, agent: str) -> Iterator[str]:
    """The lines that form groups of rules; other lines between them do not separate groups."""
    for written in re.split(r"[\r\n]+", text):
        rule = _RULE.match(written.partition("#")[0])
        if rule is None or len(rule[2]) > _MAX_RULE:
            continue
        field, value = rule[1].lower(), rule[2].strip()
        if field in ("allow", "disallow"):
            yield f"{field}: {value}"
            continue
        token = _TOKEN.match(value)
        name = token[0].lower() if token else ""
        yield f"user-agent: {name if name in ('*', agent) else _OTHER}"
