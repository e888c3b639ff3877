"""One prepared call of a service, with and without its secrets, and its answer."""

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

#: Parses an answer's body; raises a ServiceError if the body reports a failure.
Read = Callable[[bytes], Any]

#: The request extensions that pass the Call and its deadline to a transport.
CALL = "storm.call"
DEADLINE = "storm.deadline"

_PATH = "/:@!$&'()*+,;=~-._%"


class Answer(NamedTuple):
    """An accepted answer: its decompressed `body`, its `url` without secrets, and the time `at` which it was given.

    `value` is what the caller's `read` returned for the body of a success.
    """

    status: int
    url: str
    content_type: str
    body: bytes
    at: datetime
    value: Any = None


@dataclass(frozen=True)
class Call:
    """A prepared call. `public` is the URL without secrets, `key` the cache key.

    A query too long for a URL is sent as a form; `public` is then the equivalent URL. `missing` matches a 404 body that
    says the service has no such record. `recorded_as` replaces in a recording an answer that is itself a secret.
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
        """A hash of everything that affects the answer, without secrets."""
        accepted: list[Any] = sorted(self.accept_status)
        if self.missing:
            accepted.append(self.missing.pattern.decode())
        parts = (self.service.name, self.method, self.public, sorted(self.headers.items()), self.expect, accepted)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def build_request(self, client: httpx.AsyncClient, deadline: asyncio.Timeout) -> httpx.Request:
        """The request to send."""
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
        """Whether a redirect to this URL stays within the service and does not weaken its security."""
        base = httpx.URL(self.service.base_url)
        if url.scheme not in ("https", base.scheme):
            return False
        if url.host in self.service.redirect_hosts:
            return url.port is None
        return url.host == base.host and (url.port == base.port or (url.port is None and url.scheme == "https"))

    def strip_secrets(self, request: httpx.Request) -> None:
        """Remove our secret headers from a request to another host."""
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
    """Prepare a call, secret parameters first in its URL as openFDA requires; QueryRejected for `..` in `path`."""
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
        raise QueryRejected(f"{path[:80]!r} is not a valid path of this service", service=service.label)
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
