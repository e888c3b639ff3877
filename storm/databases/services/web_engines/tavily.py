"""Tavily: `POST /search` with a bearer key; scores are from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.answers import json_object
from storm.databases.services.query_text import first_day, last_day
from storm.databases.services.web_engines.base import WebResult, WebResults, read_results, web_text
from storm.errors import NotConfigured, RateLimited
from storm.models import SearchQuery

_MOST = 20
#: The plan's or the pay-as-you-go quota is used up: waiting does not help.
_USED_UP = frozenset({432, 433})


class Tavily:
    """Implements `WebEngine`; dates bound the publication or the last change of a page."""

    def __init__(self, http: Http, service: Service) -> None:
        self.label = service.label
        self._http = http
        self._service = service

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """Results by Tavily's own score."""
        if not self._service.key:
            raise NotConfigured("Tavily needs a key", service=self.label)
        answer = await self._http.fetch_answer(
            self._service,
            "search",
            method="POST",
            json=request_body(query, limit, self.label),
            secret_headers={"Authorization": f"Bearer {self._service.key}"},
            accept_status=frozenset({200, *_USED_UP}),
        )
        if answer.status in _USED_UP:
            raise RateLimited("the plan's limit of searches is used up", service=self.label)
        return WebResults(read_tavily(json_object(answer.body, self.label), self.label))


def request_body(query: SearchQuery, limit: int, label: str) -> dict[str, Any]:
    """The request body."""
    body: dict[str, Any] = {"query": web_text(query, label), "max_results": min(max(limit, 1), _MOST)}
    if first := first_day(query):
        body["start_date"] = first
    if last := last_day(query):
        body["end_date"] = last
    return body


def read_tavily(answer: Mapping[str, Any], label: str) -> list[WebResult]:
    """The results of an answer; BadAnswer if it has no list."""
    results = read_results(answer.get("results"), label, text="content", date="published_date")
    return [result._replace(score=min(1.0, max(0.0, result.score))) for result in results]
