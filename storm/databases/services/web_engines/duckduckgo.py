"""DuckDuckGo without a key, through the library ddgs, which scrapes its pages."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from storm.databases.formats.fields import as_mapping, text_line
from storm.databases.formats.xml_text import text_of_html
from storm.databases.http.service import Service
from storm.databases.services.query_text import first_day, last_day
from storm.databases.services.web_engines.base import WebResult, WebResults, score_by_rank, web_text
from storm.errors import RateLimited, ServiceDown, ServiceError
from storm.models import SearchQuery
from storm.ports import Limiter

T = TypeVar("T")

_LIMITED = "DuckDuckGo is rate-limiting requests"

#: Text, number of results, `FROM..TO` or None, seconds: the results as ddgs returns them (title, href, body).
TextSearch = Callable[[str, int, str | None, float], Sequence[Mapping[str, Any]]]


def ask_ddgs(text: str, limit: int, span: str | None, seconds: float) -> Sequence[Mapping[str, Any]]:
    """One blocking search through ddgs; RateLimited or ServiceDown for whatever the library raises.

    ddgs does not distinguish an empty result from a refusal, so both are a failure here: a failed search is never
    reported as an empty result.
    """
    try:
        from ddgs.ddgs import DDGS
        from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException
    except ImportError as exc:
        raise ServiceDown("DuckDuckGo could not be searched: the library ddgs cannot be loaded") from exc
    try:
        with DDGS(timeout=max(1, int(seconds))) as ddgs:
            return ddgs.text(text, max_results=limit, timelimit=span, backend="duckduckgo")
    except RatelimitException as exc:
        raise RateLimited(_LIMITED) from exc
    except (TimeoutException, TimeoutError) as exc:
        raise ServiceDown("DuckDuckGo did not answer in time") from exc
    except DDGSException as exc:
        raise _refusal_error(str(exc)) from exc
    except Exception as exc:  # ddgs passes on errors of the libraries it uses
        raise ServiceDown(f"DuckDuckGo could not be searched: ddgs failed with {type(exc).__name__}") from exc


def _refusal_error(text: str) -> ServiceError:
    """The error that a ddgs message means; the message is dropped, as it may contain addresses."""
    if re.search(r"rate ?limit|\b429\b", text, re.I):
        return RateLimited(_LIMITED)
    empty = "No results found" in text
    outcome = "gave no results, or refused, which look the same" if empty else "could not be reached"
    return ServiceDown(f"DuckDuckGo {outcome}")


class DuckDuckGo:
    """Implements `WebEngine`; dates bound DuckDuckGo's own date of a page."""

    def __init__(self, limiter: Limiter, service: Service, search: TextSearch = ask_ddgs) -> None:
        self.label = service.label
        self._limiter = limiter
        self._service = service
        self._search = search

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """Results in DuckDuckGo's order, from a thread that is abandoned at the deadline."""
        text = web_text(query, self.label)
        first, last = first_day(query), last_day(query)
        span = f"{first or '1990-01-01'}..{last or '2099-12-31'}" if first or last else None
        total = self._service.total
        try:
            async with asyncio.timeout(total):
                if not await self._limiter.wait(self._service.limit_name, self._service.per_second, total):
                    raise RateLimited(f"no turn within {total:g} s under the rate limit", service=self.label)
                found = await _run_in_thread(lambda: self._search(text, limit, span, self._service.read))
        except TimeoutError as exc:
            raise ServiceDown("DuckDuckGo did not answer in time", service=self.label) from exc
        return WebResults(score_by_rank(map(_read_result, map(as_mapping, found[:limit]))))


async def _run_in_thread(work: Callable[[], T]) -> T:
    """The result of blocking work in a daemon thread, for which the program's end does not wait."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run_work() -> None:
        try:
            future.set_result(work())
        except BaseException as exc:
            future.set_exception(exc)

    threading.Thread(target=run_work, name="duckduckgo", daemon=True).start()
    return await asyncio.wrap_future(future)


def _read_result(item: Mapping[str, Any]) -> WebResult:
    title, text = (text_of_html(text_line(item.get(field))) for field in ("title", "body"))
    return WebResult(text_line(item.get("href")), title, text, 0.0)
