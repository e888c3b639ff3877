"""Fetches web pages and PDFs that a search found or the user named, from public addresses only, as Hits."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

import httpx

from storm.databases.formats.dates import year_of
from storm.databases.http.body import ENCODINGS, read_body_start, read_capped_body
from storm.databases.http.network import tls_context
from storm.databases.pages.addresses import MayConnect, Resolve, is_public_web, read_host_port, system_addresses
from storm.databases.pages.process import read_page_apart
from storm.databases.pages.robots import MAX_ROBOTS_BYTES, Robots
from storm.databases.pages.text import READABLE_TYPES, PageText, media_type
from storm.databases.pages.transport import CheckedTransport, direct_network
from storm.errors import BadAnswer, Blocked, QueryRejected, RateLimited, ServiceDown, ServiceError
from storm.models import Hit, Section
from storm.ports import Limiter

#: The URL of the requested page as a search of this job returned it or the user gave it; None if neither did. That one
#: is fetched, since an equivalent URL could smuggle data out.
MayRead: TypeAlias = Callable[[str], Awaitable[str | None]]
#: Parses body and Content-Type within so many seconds into the page's text; BadAnswer if there is none.
Parse: TypeAlias = Callable[[bytes, str, float], Awaitable[PageText]]

LABEL = "Web"
MAX_REDIRECTS = 5
#: Characters of an address.
MAX_URL = 4_000


class PageLimits(NamedTuple):
    """Deadlines in seconds: `total` for one page with its redirects, and also for its turn under the rate limit before;
    `parse` for parsing it.

    `max_bytes` limits the decompressed page; `per_second` the page requests to one host.
    """

    connect: float = 5.0
    read: float = 15.0
    total: float = 60.0
    parse: float = 45.0
    max_bytes: int = 20_000_000
    per_second: float = 1.0


DEFAULT_LIMITS = PageLimits()


class PageReader:
    """Reads pages for one job. `user_agent` names storm and a contact; its first word is the robots.txt product token.

    `network` makes the connections to checked addresses (tests replace it).
    """

    def __init__(
        self,
        limiter: Limiter,
        *,
        may_read: MayRead,
        user_agent: str,
        limits: PageLimits = DEFAULT_LIMITS,
        honour_robots: bool = True,
        may_connect: MayConnect = is_public_web,
        resolve: Resolve = system_addresses,
        network: httpx.AsyncBaseTransport | None = None,
        parse: Parse = read_page_apart,
    ) -> None:
        self._limiter = limiter
        self._may_read = may_read
        self._user_agent = user_agent
        self._limits = limits
        self._robots = Robots(user_agent.partition("/")[0], self._robots_txt) if honour_robots else None
        self._may_connect = may_connect
        self._resolve = resolve
        self._network = network
        self._parse = parse
        self._tls: ssl.SSLContext | None = None
        self._parsers = asyncio.Semaphore(2)

    async def fetch(self, url: str) -> Hit:
        """The page as a Hit of the database `web`.

        Raises Blocked for a page that must not be requested, ServiceDown, RateLimited or QueryRejected if the site does
        not deliver it, BadAnswer if it has no text.
        """
        try:
            return await self._fetch_page(url)
        except ServiceError as exc:
            exc.service = LABEL
            raise

    async def _fetch_page(self, asked: str) -> Hit:
        if len(asked) > MAX_URL:
            raise Blocked(f"the address is longer than {MAX_URL:,} characters")
        read_host_port(asked)
        url = await self._may_read(asked)
        if url is None:
            raise Blocked(
                "the address was neither found by a search of this job nor given by the user",
                hint="search first, then read a page that was found",
            )
        host, queue = read_host_port(url).host, self._limits.total
        if not await self._limiter.wait(f"page:{host}", self._limits.per_second, queue):
            raise RateLimited(f"no turn within {queue:g} s under the rate limit for {host}")
        final, content_type, body = await self._download_page(url, host)
        async with self._parsers:
            page = await self._parse(body, content_type, self._limits.parse)
        return page_hit(page, url, final)

    async def _download_page(self, url: str, host: str) -> tuple[str, str, bytes]:
        async with self._map_errors(host), self._open_response(url, self._check_robots) as response:
            _check_status(response.status_code, host)
            content_type = response.headers.get("content-type", "")
            if (media := media_type(content_type)[0]) not in READABLE_TYPES:
                raise BadAnswer(f"{host} returned {media}, not a page with text")
            return str(response.url), content_type, await read_capped_body(response, self._limits.max_bytes)

    async def _robots_txt(self, url: str) -> bytes | None:
        host = read_host_port(url).host
        async with self._open_response(url, _allow_all) as response:
            if 400 <= response.status_code < 500 and response.status_code != 429:
                return None
            _check_status(response.status_code, host)
            return await read_body_start(response, MAX_ROBOTS_BYTES)

    async def _check_robots(self, url: str) -> None:
        if self._robots and not await self._robots.permits_page(url):
            raise Blocked(f"{read_host_port(url).host} asks automatic readers not to read this page (robots.txt)")

    @asynccontextmanager
    async def _open_response(self, url: str, admit: Callable[[str], Awaitable[None]]) -> AsyncIterator[httpx.Response]:
        """The response after redirects. Each address on the way is checked when it is connected to."""
        async with self._new_client() as client:
            for _ in range(MAX_REDIRECTS + 1):
                read_host_port(url)
                await admit(url)
                async with client.stream("GET", url) as response:
                    if response.next_request is None:
                        yield response
                        return
                    url = str(response.next_request.url)
        raise BadAnswer(f"the page redirects more than {MAX_REDIRECTS} times")

    def _new_client(self) -> httpx.AsyncClient:
        """A client for one page: it keeps no cookies afterwards and uses no proxy or password of the environment."""
        self._tls = self._tls or tls_context()
        limits = self._limits
        return httpx.AsyncClient(
            transport=CheckedTransport(
                self._network or direct_network(self._tls), resolve=self._resolve, may_connect=self._may_connect
            ),
            timeout=httpx.Timeout(limits.read, connect=limits.connect),
            headers={
                "User-Agent": self._user_agent,
                "Accept-Encoding": ENCODINGS,
                "Accept": "text/html, application/pdf, */*;q=0.5",
            },
            trust_env=False,
        )

    @asynccontextmanager
    async def _map_errors(self, host: str) -> AsyncIterator[None]:
        """Map httpx errors and timeouts to ServiceErrors; their texts may contain addresses and are dropped."""
        try:
            async with asyncio.timeout(self._limits.total):
                yield
        except (TimeoutError, httpx.TimeoutException) as exc:
            raise ServiceDown(f"{host} did not answer in time") from exc
        except httpx.ConnectError as exc:
            raise ServiceDown(f"{host} could not be connected to") from exc
        except (httpx.InvalidURL, UnicodeError) as exc:  # the latter for an invalid internationalised name
            raise Blocked(f"{host} names an address that cannot be understood") from exc
        except httpx.ProtocolError as exc:
            raise BadAnswer(f"{host} returned an answer that is cut off or not HTTP") from exc
        except httpx.HTTPError as exc:
            raise ServiceDown(f"{host} closed the connection early") from exc


async def _allow_all(url: str) -> None:
    """Permit the robots.txt itself."""


def _check_status(status: int, host: str) -> None:
    if status == 200:
        return
    if status == 429:
        raise RateLimited(f"{host} is rate-limiting requests (429)")
    if status >= 500:
        raise ServiceDown(f"{host} has a server error ({status})")
    if status in (404, 410):
        raise QueryRejected(f"{host} has no such page ({status})")
    if status in (401, 402, 403, 407, 451):
        raise QueryRejected(f"{host} refuses access to this page ({status})")
    raise BadAnswer(f"{host} answered with status {status} instead of a page")


def page_hit(page: PageText, url: str, final_url: str) -> Hit:
    """The page as a Hit, identified by the requested URL, or by its final URL if that is on another site.

    A DOI or PMID on the page is not its identity: any page could then pose as a paper.
    """
    parts = page.parts or [("", page.text)]
    own = url if _site_of(url) == _site_of(final_url) else final_url
    return Hit.of(
        "web",
        own,
        own,
        page.title or own,
        sections=tuple(Section(label=label, text=text, place=page.part) for label, text in parts),
        authors=tuple(page.authors),
        date=page.date,
        year=year_of(page.date),
        container=page.container or urlsplit(final_url).hostname,
        publication_types=("Web page",),
        publication=page.publication,
    )


def _site_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")
