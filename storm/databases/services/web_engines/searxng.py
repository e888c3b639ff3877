"""SearXNG, a self-hosted metasearch engine: `GET /search?format=json`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from storm.databases.formats.fields import as_list, text_lines
from storm.databases.http.client import Http
from storm.databases.http.redaction import redact_text
from storm.databases.http.service import Service
from storm.databases.services.answers import json_object
from storm.databases.services.query_text import in_span
from storm.databases.services.web_engines.base import (
    WebResult,
    WebResults,
    gather_pages,
    read_results,
    score_by_rank,
    web_text,
)
from storm.errors import NotConfigured, ServiceDown, ServiceError
from storm.models import SearchQuery

_PAGES = 5


class SearXng:
    """Implements `WebEngine`. It has no date filter: results without a date in the range are dropped here."""

    def __init__(self, http: Http, service: Service) -> None:
        self.label = service.label
        self._http = http
        self._service = service

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """Results by SearXNG's unbounded score, converted to ranks; a note names engines that did not answer."""
        silent: dict[str, str] = {}
        found, notes = await gather_pages(self._fetch_pages(query, silent), limit)
        kept = [result for result in found if in_span(result.date, query)]
        notes += [f"without {self._describe_silent(silent)}"] if silent else []
        return WebResults(score_by_rank(sorted(kept, key=lambda result: -result.score)), notes)

    async def _fetch_pages(self, query: SearchQuery, silent: dict[str, str]) -> AsyncIterator[Sequence[WebResult]]:
        """Page after page; engines without an answer are added to `silent`."""
        for page in range(1, _PAGES + 1):
            results, without = await self._fetch_page(query, page)
            silent |= without
            yield results

    async def _fetch_page(self, query: SearchQuery, page: int) -> tuple[Sequence[WebResult], Mapping[str, str]]:
        """The results of one page, and the engines without an answer; ServiceDown if none of them answered."""

        def read_page(body: bytes) -> tuple[Sequence[WebResult], Mapping[str, str]]:
            answer = json_object(body, self.label)
            results, silent = read_searxng(answer, self.label), read_unresponsive(answer)
            if page == 1 and silent and not results:
                raise ServiceDown(f"no engine answered: {self._describe_silent(silent)}", service=self.label)
            return results, silent

        params: dict[str, str | int] = {"q": web_text(query, self.label), "format": "json", "pageno": page}
        try:
            answer = await self._http.fetch_answer(self._service, "search", params, read=read_page)
        except ServiceError as exc:
            if exc.status != 403:
                raise
            hint = "add `json` to search.formats in its settings.yml"
            raise NotConfigured("this SearXNG does not answer in JSON", service=self.label, hint=hint) from exc
        found: tuple[Sequence[WebResult], Mapping[str, str]] = answer.value
        return found

    def _describe_silent(self, silent: Mapping[str, str]) -> str:
        listed = ", ".join(f"{engine} ({reason})" if reason else engine for engine, reason in sorted(silent.items()))
        return redact_text(listed, self._service.secrets)


def read_searxng(answer: Mapping[str, Any], label: str) -> list[WebResult]:
    """The results of one page with SearXNG's own scores; BadAnswer if it has no list."""
    return read_results(answer.get("results"), label, text="content", date="publishedDate")


def read_unresponsive(answer: Mapping[str, Any]) -> dict[str, str]:
    """The engines that did not answer, with their reasons."""
    return dict(_unresponsive_pairs(answer))


def _unresponsive_pairs(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for pair in as_list(answer.get("unresponsive_engines")):
        if names := text_lines(pair):
            yield names[0], names[1] if len(names) > 1 else ""
