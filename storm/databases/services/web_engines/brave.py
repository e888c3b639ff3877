"""Brave Search: `GET /web/search` with a subscription token; results have an order and no scores."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from storm.databases.formats.fields import mapping_at
from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.answers import json_object
from storm.databases.services.query_text import first_day, last_day
from storm.databases.services.web_engines.base import (
    WebResult,
    WebResults,
    gather_pages,
    read_results,
    score_by_rank,
    web_text,
)
from storm.errors import BadAnswer, NotConfigured
from storm.models import SearchQuery

_PAGE_SIZE = 20
_PAGES = 10


class Brave:
    """Implements `WebEngine`; dates bound when Brave first saw a page or its last change."""

    def __init__(self, http: Http, service: Service) -> None:
        self.label = service.label
        self._http = http
        self._service = service

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """Results in Brave's order, page after page until the limit."""
        if not self._service.key:
            raise NotConfigured("Brave Search needs a key", service=self.label)
        found, notes = await gather_pages(self._fetch_pages(query, min(max(limit, 1), _PAGE_SIZE)), limit)
        return WebResults(score_by_rank(found), notes)

    async def _fetch_pages(self, query: SearchQuery, count: int) -> AsyncIterator[Sequence[WebResult]]:
        for page in range(_PAGES):
            answer, results = await self._fetch_page(query, page, count)
            yield results
            if mapping_at(answer, "query").get("more_results_available") is not True:
                return

    async def _fetch_page(
        self, query: SearchQuery, page: int, count: int
    ) -> tuple[Mapping[str, Any], Sequence[WebResult]]:
        def read_page(body: bytes) -> tuple[Mapping[str, Any], Sequence[WebResult]]:
            answer = json_object(body, self.label)
            return answer, read_brave(answer, self.label)

        answer = await self._http.fetch_answer(
            self._service,
            "web/search",
            {**request_params(query, self.label), "count": count, "offset": page},
            secret_headers={"X-Subscription-Token": self._service.key or ""},
            read=read_page,
        )
        found: tuple[Mapping[str, Any], Sequence[WebResult]] = answer.value
        return found


def request_params(query: SearchQuery, label: str) -> dict[str, str | int]:
    """The request parameters, without the page."""
    params: dict[str, str | int] = {"q": web_text(query, label), "result_filter": "web"}
    first, last = first_day(query), last_day(query)
    if first or last:
        params["freshness"] = f"{first or '1990-01-01'}to{last or '2099-12-31'}"
    return params


def read_brave(answer: Mapping[str, Any], label: str) -> list[WebResult]:
    """The results of one page; none if it has no `web`, which is Brave's empty result."""
    if answer.get("type") != "search":
        raise BadAnswer("the answer is not one to a search", service=label)
    if answer.get("web") is None:
        return []
    return read_results(mapping_at(answer, "web").get("results"), label, text="description", date="page_age")
