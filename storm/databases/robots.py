"""What a site lets automatic readers read: its robots.txt (RFC 9309), fetched once a host."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

#: RFC 9309 has a reader take at least this much of the file, and allows it to stop there.
MAX_ROBOTS_BYTES = 500 * 1024


class Robots:
    """The rules of each host for `agent`. `fetch` gives a robots.txt, or None where there is none; its errors pass."""

    def __init__(self, agent: str, fetch: Callable[[str], Awaitable[bytes | None]]) -> None:
        self._agent = agent
        self._fetch = fetch
        self._rules: dict[str, RobotFileParser] = {}
        self._fetching: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def permit(self, url: str) -> bool:
        """Whether this page may be read; a host without a robots.txt permits all."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        async with self._fetching[site]:
            if site not in self._rules:
                self._rules[site] = _parsed(await self._fetch(f"{site}/robots.txt"))
        return self._rules[site].can_fetch(self._agent, url)


def _parsed(body: bytes | None) -> RobotFileParser:
    try:
        return _rules((body or b"").decode("utf-8-sig", "replace").splitlines())
    except ValueError:  # a rule whose path is no URL: what the site meant cannot be known, so nothing is read
        return _rules(["User-agent: *", "Disallow: /"])


def _rules(lines: Iterable[str]) -> RobotFileParser:
    rules = RobotFileParser()
    rules.parse(lines)
    return rules
