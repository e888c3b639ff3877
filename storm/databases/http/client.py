"""The HTTP client for public services: rate-limited, retried, cached; every failure is a ServiceError."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from storm.databases.http.body import ENCODINGS, TooLong, read_capped_body
from storm.databases.http.cache import AnswerCache
from storm.databases.http.call import Answer, Call, Params, Read, prepare_call
from storm.databases.http.inquiry import note_answer, note_call, note_turn
from storm.databases.http.network import open_client
from storm.databases.http.redaction import LogRedaction, public_url, redact_text, remove_secret_bytes, remove_secrets
from storm.databases.http.retries import QUEUES, SHORTEST_HOLD, TRIES, backoff_seconds, rate_limit_backoff_seconds
from storm.databases.http.service import Service
from storm.databases.http.single_flight import SingleFlight
from storm.databases.http.sniffing import Expect
from storm.databases.http.verdict import Failure, Retry, judge_answer, judge_network_error
from storm.errors import BadAnswer, Blocked, DamagedAnswer, RateLimited, ServiceDown, ServiceError
from storm.ports import Limiter
from storm.version import __version__

__all__ = ["Answer", "Expect", "Http", "Read", "user_agent"]

MAX_REDIRECTS = 5

_log = logging.getLogger(__name__)


def user_agent(contact: str | None = None) -> str:
    """The User-Agent header; `contact` is an e-mail address or a URL."""
    return f"storm-research/{__version__} ({contact})" if contact else f"storm-research/{__version__}"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Http:
    """Calls services; an async context manager. Without a `transport` it uses the system's proxies (or ConfigError).

    Pass no `cache_dir` to record or replay traffic: the transport does not see cached answers.
    """

    def __init__(
        self,
        limiter: Limiter,
        *,
        cache_dir: Path | None = None,
        clock: Callable[[], datetime] = _utc_now,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        random: Callable[[], float] = random.random,
        user_agent: str = user_agent(),
        transport: httpx.AsyncBaseTransport | None = None,
        longest_queue: float | None = None,
    ) -> None:
        self._limiter = limiter
        self._longest_queue = longest_queue
        self._cache = AnswerCache(cache_dir, clock) if cache_dir else None
        self._clock = clock
        self._monotonic = monotonic
        self._sleep = sleep
        self._random = random
        self._flights: SingleFlight[Answer] = SingleFlight()
        self._waiting = 0
        self._secrets: set[str] = set()
        self._open = AsyncExitStack()
        self._client = open_client(
            headers={"User-Agent": user_agent, "Accept-Encoding": ENCODINGS},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            transport=transport,
        )

    async def __aenter__(self) -> Http:
        self._open.enter_context(LogRedaction(self._secrets))
        await self._open.enter_async_context(self._client)
        if self._cache:
            self._open.push_async_callback(self._cache.close)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    @property
    def is_queued(self) -> bool:
        """Whether a call waits for its turn under a rate limit, which other programs may have used up."""
        return self._waiting > 0

    async def _take_turn(self, service: Service, within: float) -> bool:
        """Wait for the next call's turn; False if it would not come within so many seconds."""
        self._waiting += 1
        began = self._monotonic()
        try:
            return await self._limiter.wait(service.limit_name, service.per_second, within)
        finally:
            self._waiting -= 1
            note_turn(self._monotonic() - began)

    async def fetch_answer(
        self,
        service: Service,
        path: str,
        params: Params = (),
        *,
        expect: Expect = Expect.JSON,
        method: str = "GET",
        data: Mapping[str, str] | None = None,
        json: Any = None,
        secret_params: Mapping[str, str] | None = None,
        secret_headers: Mapping[str, str] | None = None,
        accept_status: frozenset[int] = frozenset({200}),
        missing: re.Pattern[bytes] | None = None,
        longest_url: int | None = None,
        read: Read | None = None,
        recorded_as: bytes | None = None,
    ) -> Answer:
        """The service's complete answer to `path` under its base URL, with an accepted status and the expected type.

        Parameters are encoded here; the caller quotes the path. A GET may be answered from the cache, and equal GETs
        at the same time are sent once. A GET whose URL would exceed `longest_url` is sent as a POST of its parameters,
        and is the same call otherwise. A 404 is accepted where `missing` matches its body, unless that is a web page.
        Secrets that an answer repeats are removed first. `value` of the answer is what `read` returns for a success;
        if it raises a ServiceError, the call fails with it, nothing is cached, and ServiceDown or DamagedAnswer is
        retried. A recording holds `recorded_as` in place of a secret answer. The service's deadlines count from the
        call's turn under the rate limit, which must come within three times the total one, or within `longest_queue`
        seconds. Raises only ServiceError, and StoreError if the limiter's store is gone.
        """
        call = prepare_call(
            service,
            path,
            params,
            expect=expect,
            method=method,
            data=data,
            json=json,
            secret_params=secret_params or {},
            secret_headers=secret_headers or {},
            accept_status=accept_status,
            missing=missing,
            longest_url=longest_url,
            read=read,
            recorded_as=recorded_as,
        )
        self._secrets |= call.secrets
        if method == "GET":
            note_call(call.public)
            answer = await self._shared_answer(call)
        else:
            answer = await self._try_until_answered(call)
        note_answer(answer.at)
        return answer

    async def _shared_answer(self, call: Call) -> Answer:
        """The answer to this call, or to an equal one in progress with the same reader code.

        Its reader may hold other state, so this call reads the shared body itself.
        """
        own = False

        async def answer_call() -> Answer:
            nonlocal own
            own = True
            return await self._cached_answer(call)

        answer = await self._flights.run_once((call.key, getattr(call.read, "__code__", call.read)), answer_call)
        result = answer if own else _read_value(call, answer)
        return result if isinstance(result, Answer) else await self._cached_answer(call)

    async def _cached_answer(self, call: Call) -> Answer:
        ttl = call.service.ttl
        if self._cache is None or not ttl:
            return await self._try_until_answered(call)
        if cached := await self._cache.find_answer(call.key, ttl):
            result = _read_value(call, cached)
            if isinstance(result, Answer):
                return result
        answer = await self._try_until_answered(call)
        if answer.status < 300:
            await self._cache.store_answer(call.key, answer, ttl)
        return answer

    async def _try_until_answered(self, call: Call) -> Answer:
        """Retry until an answer is accepted, the failure is final, or the deadline would pass."""
        service = call.service
        queue = self._longest_queue or QUEUES * service.total
        if not await self._take_turn(service, queue):
            raise RateLimited(f"no turn within {queue:g} s under the rate limit", service=service.label)
        deadline = self._monotonic() + service.total
        for tries in itertools.count(1):
            result = await self._try_within(deadline, call)
            if isinstance(result, Answer):
                return result
            if not await self._wait_for_turn(service, result, tries, deadline):
                raise result.to_error(service, tries) from result.cause
        raise AssertionError("unreachable: the loop above only ends by returning or raising")

    async def _wait_for_turn(self, service: Service, failure: Failure, tries: int, deadline: float) -> bool:
        """Wait for the next try's turn; False if there is none before the deadline.

        A wait that the service asks for applies to all who share the rate limit, up to the service's total deadline.
        """
        pause = self._seconds_to_wait(failure, tries)
        service_asked = failure.wait is not None or failure.retry is Retry.WHEN_ALLOWED
        if service_asked and pause is not None:
            await self._limiter.hold(service.limit_name, min(pause, service.total))
        if pause is None or self._monotonic() + pause >= deadline:
            return False
        if not service_asked:
            await self._sleep(pause)
        return await self._take_turn(service, deadline - self._monotonic())

    def _seconds_to_wait(self, failure: Failure, tries: int) -> float | None:
        """The seconds until the next try; None for no further try."""
        if failure.retry is Retry.NEVER or (failure.retry is Retry.A_FEW_TIMES and tries >= TRIES):
            return None
        if failure.wait is not None:
            return max(failure.wait, SHORTEST_HOLD)
        spread = rate_limit_backoff_seconds if failure.retry is Retry.WHEN_ALLOWED else backoff_seconds
        return spread(tries, self._random)

    async def _try_within(self, deadline: float, call: Call) -> Answer | Failure:
        try:
            async with asyncio.timeout(max(0.0, deadline - self._monotonic())) as limit:
                return await self._try_once(call, limit)
        except TimeoutError as exc:
            return Failure(ServiceDown, f"no whole answer within {call.service.total:g} s", cause=exc)

    async def _try_once(self, call: Call, limit: asyncio.Timeout) -> Answer | Failure:
        began = self._monotonic()
        try:
            response = await self._send_request(call, limit)
            if isinstance(response, Failure):
                return response
            try:
                body = await read_capped_body(response, call.service.max_bytes)
            finally:
                await response.aclose()
        except TooLong as exc:
            return Failure(BadAnswer, exc.message, cause=exc)
        except BadAnswer as exc:
            return Failure(BadAnswer, exc.message, Retry.A_FEW_TIMES, cause=exc)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            return judge_network_error(exc, call.service)
        _log.debug("%s %s: %d in %.3f s", call.method, call.public, response.status_code, self._monotonic() - began)
        return self._judge_response(call, response, body)

    def _judge_response(self, call: Call, response: httpx.Response, body: bytes) -> Answer | Failure:
        now = self._clock()
        body = remove_secret_bytes(body, call.secrets)
        failure = judge_answer(
            response.status_code,
            response.headers,
            body,
            service=call.service,
            expect=call.expect,
            accept_status=call.accept_status,
            missing=call.missing,
            secrets=call.secrets,
            now=now,
            read_next=call.read is not None,
        )
        if failure:
            return failure
        url = public_url(str(response.url), call.secret_names, call.secrets)
        content_type = remove_secrets(response.headers.get("content-type", ""), call.secrets)
        return _read_value(call, Answer(response.status_code, url, content_type, body, now))

    async def _send_request(self, call: Call, limit: asyncio.Timeout) -> httpx.Response | Failure:
        """The response with an unread body, after redirects within the service."""
        request = call.build_request(self._client, limit)
        for _ in range(MAX_REDIRECTS + 1):
            response = await self._client.send(request, stream=True, follow_redirects=False)
            if response.next_request is None:
                return response
            await response.aclose()
            request = response.next_request
            if not call.may_redirect(request.url):
                return Failure(Blocked, f"it redirects to {redact_text(request.url.host)}", status=response.status_code)
            if request.url.host != response.url.host:
                call.strip_secrets(request)
        return Failure(BadAnswer, f"more than {MAX_REDIRECTS} redirects")


def _read_value(call: Call, answer: Answer) -> Answer | Failure:
    """The answer with the value that the caller's reader returns, or the failure that the reader raises."""
    if call.read is None or answer.status >= 300:
        return answer
    try:
        return answer._replace(value=call.read(answer.body))
    except ServiceError as exc:
        retry = Retry.A_FEW_TIMES if isinstance(exc, ServiceDown | DamagedAnswer) else Retry.NEVER
        return Failure(type(exc), exc.message, retry, status=exc.status, hint=exc.hint, cause=exc)
