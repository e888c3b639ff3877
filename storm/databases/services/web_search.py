"""Web search with whichever engine is configured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Self
from urllib.parse import urlsplit

from storm.databases.formats.dates import year_of
from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.answers import FoundRecords, unread_note
from storm.databases.services.public import PublicDatabase
from storm.databases.services.web_engines.base import WebEngine, WebResult
from storm.databases.services.web_engines.brave import Brave
from storm.databases.services.web_engines.duckduckgo import DuckDuckGo
from storm.databases.services.web_engines.searxng import SearXng
from storm.databases.services.web_engines.tavily import Tavily
from storm.errors import RecordError
from storm.models import Hit, SearchQuery, database_info
from storm.models.identifiers import normalize_url
from storm.ports import Limiter

#: The web search engines; the first usable one is chosen.
ENGINES: Mapping[str, Callable[[Http, Limiter, Service], WebEngine]] = {
    "tavily": lambda http, limiter, service: Tavily(http, service),
    "brave": lambda http, limiter, service: Brave(http, service),
    "searxng": lambda http, limiter, service: SearXng(http, service),
    "duckduckgo": lambda http, limiter, service: DuckDuckGo(limiter, service),
}


class WebSearch(PublicDatabase):
    """Pages as an engine describes them, by its scores; `databases.pages` reads their full text."""

    info = database_info("web")
    asks = tuple(ENGINES)
    use = "searches the web, as `web`, if it is the first engine that is on"
    instead = "use: web"

    def __init__(self, http: Http, service: Service, engine: WebEngine) -> None:
        super().__init__(http, service)
        self._engine = engine

    @classmethod
    def _create_client(cls, http: Http, service: Service, usable: Mapping[str, Service], limiter: Limiter) -> Self:
        return cls(http, service, ENGINES[service.name](http, limiter, service))

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        answer = await self._engine.find_results(query, limit)
        best = sorted(answer.results, key=lambda result: -result.score)[:limit]
        items = [page_hit(result, self._engine.label) for result in best]
        unread = [item for item in items if isinstance(item, RecordError)]
        hits: dict[str | None, Hit] = {}
        for hit in items:
            if isinstance(hit, Hit):
                hits.setdefault(normalize_url(hit.url), hit)
        return FoundRecords(list(hits.values()), len(hits), [*unread_note(unread), *answer.notes])


def page_hit(result: WebResult, engine: str) -> Hit | RecordError:
    """A page as a Hit identified by its URL; RecordError for a result without a URL or a title."""
    if normalize_url(result.url) is None or not result.title:
        return RecordError("a result without a web address or a title")
    return Hit.of(
        "web",
        result.url,
        result.url,
        result.title,
        text=result.text,
        year=year_of(result.date),
        date=result.date,
        container=urlsplit(result.url).hostname,
        publication_types=("Web page",),
    )
