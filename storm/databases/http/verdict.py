"""Judges an answer or its absence: accepted, or which error it is and whether to retry."""

from __future__ import annotations

import html
import re
import socket
import ssl
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

import httpx

from storm.databases.http.redaction import redact_text
from storm.databases.http.retries import parse_retry_after
from storm.databases.http.service import Service
from storm.databases.http.sniffing import Expect, fault_of, is_html, is_rate_body
from storm.errors import BadAnswer, NotConfigured, QueryRejected, RateLimited, ServiceDown, ServiceError

#: Markers in openFDA's status 500 answers to a query that its engine cannot parse or apply.
_QUERY_BUGS = (b"token_mgr_error", b"parse_exception", b"query_shard_exception")

#: In EPO's rejection header, or in the text of a refusal, it marks a used-up quota of calls.
_QUOTA = re.compile(r"quota", re.I)
_REJECTION = "x-rejection-reason"

_MESSAGE = re.compile(r"<(?:\w{1,20}:)?(?:message|description)>([^<>]*)<", re.I)
_MARKUP = re.compile(r"</?[A-Za-z!?][^<>]*(?:>|\Z)")
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")

#: Characters shown of an error answer, and bytes of it that are read.
_EXCERPT = 200
_LOOKED_AT = 10_000


class Retry(Enum):
    """Whether the call should be retried."""

    NEVER = auto()
    A_FEW_TIMES = auto()
    WHEN_ALLOWED = auto()


@dataclass(frozen=True)
class Failure:
    """Why a call has no answer; `wait` is the number of seconds that the service asks us to wait."""

    kind: type[ServiceError]
    what: str
    retry: Retry = Retry.NEVER
    detail: str = ""
    status: int | None = None
    wait: float | None = None
    hint: str | None = None
    cause: BaseException | None = None

    def to_error(self, service: Service, tries: int) -> ServiceError:
        """The error to raise after so many tries."""
        counted = f"{self.what} after {tries} tries" if tries > 1 else self.what
        message = f"{counted}: {self.detail}" if self.detail else counted
        return self.kind(message, service=service.label, status=self.status, hint=self.hint)


def judge_answer(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    service: Service,
    expect: Expect,
    accept_status: Collection[int],
    secrets: Collection[str],
    now: datetime,
    missing: re.Pattern[bytes] | None = None,
    read_next: bool = False,
) -> Failure | None:
    """None if the answer has an accepted status and is complete and of the requested type; else the failure.

    A 404 that matches `missing` is the service's own way to say that it has no such record. With `read_next` JSON is
    not parsed here: its reader detects truncation.
    """
    limited = status == 429 or is_rate_body(body)
    if status == 404 and missing and not is_html(body) and missing.search(body):
        return None
    if status in accept_status and not limited:
        fault = fault_of(body, expect, parse=not (read_next and status < 300))
        if fault is None or status < 400:
            return Failure(BadAnswer, f"it answered {fault}", Retry.A_FEW_TIMES, status=status) if fault else None
    detail, wait = excerpt_error(body, secrets), parse_retry_after(headers.get("retry-after"), now)
    if limited:
        return Failure(RateLimited, "too many calls", Retry.WHEN_ALLOWED, detail, status, wait)
    if status == 403 and _QUOTA.search(f"{headers.get(_REJECTION, '')} {detail}"):
        return Failure(RateLimited, "the quota of calls is used up", Retry.NEVER, detail, status, wait)
    return _judge_status(status, detail, wait, body, service)


def _judge_status(status: int, detail: str, wait: float | None, body: bytes, service: Service) -> Failure:
    what = f"it answered HTTP {status}"
    if status in (401, 403) and service.key_variable:
        unset = f"set {service.key_variable} if you have a key; it may also block this address"
        hint = f"check {service.key_variable}" if service.key else unset
        return Failure(NotConfigured, what, Retry.NEVER, detail, status, hint=hint)
    if status in (401, 403):
        return Failure(ServiceDown, what, Retry.NEVER, detail, status)
    if (status >= 500 and not any(bug in body for bug in _QUERY_BUGS)) or status == 408:
        return Failure(ServiceDown, what, Retry.A_FEW_TIMES, detail, status, wait)
    if status >= 400:
        moved = "a web page: has its address changed?" if status == 404 and is_html(body) else ""
        return Failure(QueryRejected, what, Retry.NEVER, detail or moved, status)
    return Failure(BadAnswer, what, Retry.NEVER, detail, status)


def excerpt_error(body: bytes, secrets: Collection[str]) -> str:
    """The start of an error's text on one line, without markup, secrets and addresses; empty for a web page."""
    if is_html(body):
        return ""
    start = body[:_LOOKED_AT].decode("utf-8-sig", "replace")
    # A truncated secret at the end would not be recognised.
    whole = start if len(body) <= _LOOKED_AT else start[:-_EXCERPT]
    redacted = redact_text(whole, secrets)
    text = " ".join((plain_words(redacted) if redacted.lstrip().startswith("<") else redacted).split())
    shown = "".join(character for character in text if character.isprintable())
    return shown if len(shown) <= _EXCERPT else shown[: _EXCERPT - 1] + "…"


def plain_words(text: str) -> str:
    """An error's text without markup: the message of XML if it has one, else all of its text."""
    bare = _CDATA.sub("", text)
    words = [part.strip() for part in (_find_messages(bare) or _MARKUP.split(bare))]
    return _MARKUP.sub(" ", html.unescape(": ".join(filter(None, words))))


def _find_messages(text: str) -> list[str]:
    return [message for message in _MESSAGE.findall(text) if message.strip()][:1]


def fault_message(body: bytes, secrets: Collection[str]) -> str:
    """The message of an XML fault on one line; empty if it has none."""
    text = body[:_LOOKED_AT].decode("utf-8", "replace")
    return excerpt_error(body, secrets) if _find_messages(_CDATA.sub("", text)) else ""


def judge_network_error(exc: Exception, service: Service) -> Failure:
    """The failure for an error of httpx. Its text is left out: it may contain addresses."""
    if isinstance(exc, httpx.ProxyError):
        return Failure(ServiceDown, f"the proxy refuses{_proxy_status(exc)}", cause=exc)
    chain = tuple(walk_causes(exc)) if isinstance(exc, httpx.ConnectError) else ()
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return Failure(ServiceDown, "its server was not found (no network?)", hint="is this machine online?", cause=exc)
    if tls_error := next((cause for cause in chain if isinstance(cause, ssl.SSLError)), None):
        return Failure(ServiceDown, "no secure connection", detail=_tls_reason(tls_error), cause=exc)
    what, retry = next((description for kind, description in _NETWORK.items() if isinstance(exc, kind)), _OTHER)
    return Failure(ServiceDown, what.format(connect=service.connect), retry, cause=exc)


def _proxy_status(exc: httpx.ProxyError) -> str:
    """The proxy's status, with which httpcore's message begins."""
    status = re.match(r"\d{3}(?= )", str(exc))
    return f" ({status[0]})" if status else " the connection"


def _tls_reason(exc: ssl.SSLError) -> str:
    """OpenSSL's reason: for the certificate if that is the problem, else for the protocol."""
    reason = getattr(exc, "reason", None) or ""
    return getattr(exc, "verify_message", "") or reason.replace("_", " ").lower()


#: The most specific type comes first. A connect timeout is not retried, so that being offline is noticed soon.
_NETWORK = {
    httpx.ConnectTimeout: ("no connection within {connect:g} s", Retry.NEVER),
    httpx.TimeoutException: ("timed out", Retry.A_FEW_TIMES),
    httpx.ConnectError: ("no connection", Retry.A_FEW_TIMES),
    httpx.NetworkError: ("the connection broke", Retry.A_FEW_TIMES),
    httpx.RemoteProtocolError: ("the answer was cut off", Retry.A_FEW_TIMES),
}
_OTHER = ("the request could not be sent", Retry.NEVER)


def walk_causes(exc: BaseException | None) -> Iterator[BaseException]:
    """The exception, its cause, and so on."""
    while exc is not None:
        yield exc
        exc = exc.__cause__ or exc.__context__
