"""One call of a service, made ready (the request with its secrets, and the same without them), and its answer."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import httpx

from storm.databases.http.redaction import public_url
from storm.databases.http.service import Service
from storm.databases.http.sniffing import ACCEPT, Expect
from storm.errors import QueryRejected

Params = Mapping[str, str | int] | Sequence[tuple[str, str]]

#: Makes of an answer's body what is wanted, and raises a ServiceError if it holds a failure in place of that.
Read = Callable[[bytes], Any]

#: The request extensions under which a transport finds what it must know: the Call, and the deadline that it is under.
CALL = "storm.call"
DEADLINE = "storm.deadline"

_PATH = "/:@!$&'()*+,;=~-._%"


class Answer(NamedTuple):
    """An accepted answer: its `body` unpacked, its `url` without secrets, `at` when the service gave it.

    `value` is what the caller's `read` made of the body of a success.
    """

    status: int
    url: str
    content_type: str
    body: bytes
    at: datetime
    value: Any = None


@dataclass(frozen=True)
class Call:
    """What is sent. `public` is the URL without secrets, `key` tells calls apart that may have different answers.

    A query too long for a URL is sent as a form, and `public` is the URL that would ask the same. `missing` finds in
    a body with status 404 that the service holds no such record. `recorded_as` is what a recording holds in place of an
    answer that is itself a secret.
    """

    service: Service
    method: str
    url: str
    public: str
    headers: Mapping[str, str]
    secret_headers: Mapping[str, str]
    content: bytes | None
    expect: Expect
    accept_status: frozenset[int]
    missing: re.Pattern[bytes] | None
    secret_names: frozenset[str]
    secrets: frozenset[str]
    read: Read | None
    recorded_as: bytes | None

    @property
    def key(self) -> str:
        """A hash of all that shapes the answer, secrets left out."""
        accepted: list[Any] = sorted(self.accept_status)
        if self.missing:
            accepted.append(self.missing.pattern.decode())
        parts = (self.service.name, self.method, self.public, sorted(self.headers.items()), self.expect, accepted)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def build_request(self, client: httpx.AsyncClient, deadline: asyncio.Timeout) -> httpx.Request:
        """The request as it goes out."""
        service = self.service
        headers = {**self.headers, **self.secret_headers}
        return client.build_request(
            self.method,
            self.url,
            headers=[(name.encode(), value.encode()) for name, value in headers.items()],
            content=self.content,
            timeout=httpx.Timeout(service.read, connect=service.connect, pool=None),
            extensions={CALL: self, DEADLINE: deadline},
        )

    def may_redirect(self, url: httpx.URL) -> bool:
        """Whether a redirect to there stays within the service, and no less secure."""
        base = httpx.URL(self.service.base_url)
        if url.scheme not in ("https", base.scheme):
            return False
        if url.host in self.service.redirect_hosts:
            return url.port is None
        return url.host == base.host and (url.port == base.port or (url.port is None and url.scheme == "https"))

    def strip_secrets(self, request: httpx.Request) -> None:
        """Take our secret headers off a request to another host."""
        for name in self.secret_headers:
            request.headers.pop(name, None)


def prepare_call(
    service: Service,
    path: str,
    params: Params,
    *,
    expect: Expect,
    method: str,
    data: Mapping[str, str] | None,
    json: Any,
    secret_params: Mapping[str, str],
    secret_headers: Mapping[str, str],
    accept_status: frozenset[int],
    missing: re.Pattern[bytes] | None,
    longest_url: int | None,
    read: Read | None,
    recorded_as: bytes | None,
) -> Call:
    """The call; secret parameters come first in its URL, as openFDA wants its key. QueryRejected for `..` as a step."""
    address = _join_url(service, path)
    pairs = [(name, str(value)) for name, value in (params.items() if isinstance(params, Mapping) else params)]
    secret_pairs = list(secret_params.items())
    secret_values = (*secret_params.values(), *secret_headers.values(), *service.secrets)
    secrets = frozenset(secret for secret in secret_values if secret)
    url = _add_query(address, [*secret_pairs, *pairs])
    public = public_url(url, secret_params.keys(), secrets)
    if method == "GET" and longest_url is not None and len(url) > longest_url:
        method, url, data = "POST", _add_query(address, secret_pairs), dict(pairs)
    content, content_headers = _encode_content(data, json)
    return Call(
        service=service,
        method=method,
        url=url,
        public=public,
        headers={"Accept": ACCEPT[expect], **content_headers},
        secret_headers=secret_headers,
        content=content,
        expect=expect,
        accept_status=accept_status,
        missing=missing,
        secret_names=frozenset(secret_params),
        secrets=secrets,
        read=read,
        recorded_as=recorded_as,
    )


def _join_url(service: Service, path: str) -> str:
    if any(part in (".", "..") for part in path.split("/")):
        raise QueryRejected(f"{path[:80]!r} is no path of this service", service=service.label)
    base = service.base_url.rstrip("/")
    return f"{base}/{quote(path.lstrip('/'), safe=_PATH, errors='replace')}" if path else service.base_url


def _add_query(address: str, pairs: Sequence[tuple[str, Any]]) -> str:
    if not pairs:
        return address
    joint = "&" if urlsplit(address).query else "?"
    return address + joint + urlencode(pairs, quote_via=quote, errors="replace")


def _encode_content(data: Mapping[str, str] | None, value: Any) -> tuple[bytes | None, dict[str, str]]:
    if data is not None:
        kind = "application/x-www-form-urlencoded"
        return urlencode(data, quote_via=quote, errors="replace").encode(), {"Content-Type": kind}
    if value is not None:
        return json.dumps(value).encode(), {"Content-Type": "application/json"}
    return None, {}
