"""Records a job's traffic with the services, and replays it without a network.

A folder holds two files per exchange, HASH-N.json and HASH-N.body. HASH is made from the method, the URL without
secrets and the sent body; N counts equal requests, which the replay answers in the same order and after as many
seconds. Secrets are never written.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx

from storm.databases.http.body import TooLong, read_capped_body
from storm.databases.http.call import CALL, DEADLINE, Call
from storm.databases.http.network import open_client
from storm.databases.http.redaction import public_url, redact_text, remove_secret_bytes, remove_secrets
from storm.databases.http.sniffing import is_rate_body
from storm.databases.http.verdict import walk_causes
from storm.errors import BadAnswer, ServiceDown, UsageError

#: The headers that affect how an answer is handled; others may contain private data.
_KEPT_HEADERS = ("content-type", "location", "retry-after")

_FAULTS: Mapping[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        httpx.ConnectTimeout, httpx.ReadTimeout, httpx.WriteTimeout, httpx.ConnectError, httpx.ReadError,
        httpx.WriteError, httpx.ProxyError, httpx.RemoteProtocolError, httpx.LocalProtocolError, TooLong, BadAnswer,
    )
}  # fmt: skip
_CAUSES: Mapping[str, type[Exception]] = {"gaierror": socket.gaierror, "SSLError": ssl.SSLError}
#: The call's own deadline passed while it waited.
_TOO_LATE = "too late"


def open_transport(setting: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> httpx.AsyncBaseTransport:
    """The transport for `record:DIR` (a new or empty folder) or `replay:DIR`; UsageError for any other setting.

    A replay calls `sleep` for as long as the recorded answer took.
    """
    way, folder = read_setting(setting)
    return RecordingTransport(folder) if way == "record" else ReplayTransport(folder, sleep)


def read_setting(setting: str) -> tuple[str, Path]:
    """`record` or `replay`, and the folder; UsageError if the setting is neither or the folder is unsuitable."""
    way, _, name = setting.partition(":")
    folder = Path(name).expanduser()
    if way not in ("record", "replay") or not name:
        raise UsageError(f"STORM_HTTP is {setting!r}; it must be record:DIR or replay:DIR")
    if way == "record" and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder to record into", hint="name a new one, or empty it")
    if way == "replay" and not folder.is_dir():
        raise UsageError(f"there is no folder {folder} to replay from", hint="STORM_HTTP=record:DIR makes one")
    return way, folder


class RecordingTransport(httpx.AsyncBaseTransport):
    """Forwards the requests of Http through the system's proxies, and records the responses.

    Bodies are recorded and returned decompressed and without secrets, so that a replay gives the same bytes.
    """

    def __init__(
        self,
        folder: Path,
        network: httpx.AsyncClient | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._network = network or open_client()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise UsageError(
                f"cannot record into {folder}: {exc.strerror}", hint="name another folder: STORM_HTTP=record:DIR"
            ) from exc
        self._folder = folder
        self._monotonic = monotonic
        self._count: Counter[str] = Counter()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        call: Call = request.extensions[CALL]
        request_description = _describe_request(request, call)
        began = self._monotonic()

        def write_exchange(outcome: Mapping[str, Any], body: bytes = b"") -> None:
            self._write_files(
                {**request_description, **outcome, "seconds": round(self._monotonic() - began, 3)},
                _hash_request(request_description),
                body,
            )

        try:
            status, headers, body = await self._fetch_response(request, call)
        except tuple(_FAULTS.values()) as exc:
            write_exchange(_describe_fault(exc, call))
            raise
        except asyncio.CancelledError:
            if request.extensions[DEADLINE].expired():
                write_exchange({"fault": _TOO_LATE})
            raise
        secret = call.recorded_as if status < 300 else None
        write_exchange({"status": status, "headers": headers}, body if secret is None else secret)
        return _build_response(status, headers, body)

    async def aclose(self) -> None:
        await self._network.aclose()

    async def _fetch_response(self, request: httpx.Request, call: Call) -> tuple[int, Mapping[str, str], bytes]:
        response = await self._network.send(request, stream=True, follow_redirects=False)
        try:
            body = await read_capped_body(response, call.service.max_bytes)
        finally:
            await response.aclose()
        useful = {key: response.headers[key] for key in _KEPT_HEADERS if key in response.headers}
        headers = {key: remove_secrets(value, call.secrets) for key, value in useful.items()}
        return response.status_code, headers, _public_body(body, call)

    def _write_files(self, about: Mapping[str, Any], request: str, body: bytes) -> None:
        name = f"{request}-{self._count[request]}"
        self._count[request] += 1
        (self._folder / f"{name}.body").write_bytes(body)
        text = json.dumps(about, ensure_ascii=False, indent=1)
        (self._folder / f"{name}.json").write_text(text, encoding="utf-8")


class ReplayTransport(httpx.AsyncBaseTransport):
    """Returns recorded answers without a network; after the last answer to equal requests, that one again."""

    def __init__(self, folder: Path, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._folder = folder
        self._sleep = sleep
        self._count: Counter[str] = Counter()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        call: Call = request.extensions[CALL]
        name = _hash_request(_describe_request(request, call))
        if (self._folder / f"{name}-{self._count[name] + 1}.json").exists():
            turn, self._count[name] = self._count[name], self._count[name] + 1
        else:
            turn = self._count[name]
        try:
            about = json.loads((self._folder / f"{name}-{turn}.json").read_text(encoding="utf-8"))
            body = (self._folder / f"{name}-{turn}.body").read_bytes()
        except FileNotFoundError:
            message = f"no recorded answer in {self._folder.name} for {call.method} {call.public[:200]}"
            raise ServiceDown(message, service=call.service.label) from None
        await self._sleep(about["seconds"])
        _raise_fault(about)
        return _build_response(about["status"], about["headers"], body)


def _describe_request(request: httpx.Request, call: Call) -> dict[str, str]:
    return {
        "method": request.method,
        "url": public_url(str(request.url), call.secret_names, call.secrets),
        "sent": remove_secrets((call.content or b"").decode(), call.secrets),
    }


def _hash_request(description: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(description).encode()).hexdigest()[:32]


def _public_body(body: bytes, call: Call) -> bytes:
    """The body without secrets; NCBI's rate limit message also names the caller's address."""
    if is_rate_body(body):
        return redact_text(body.decode("utf-8", "replace"), call.secrets).encode()
    return remove_secret_bytes(body, call.secrets)


def _build_response(status: int, headers: Mapping[str, str], body: bytes) -> httpx.Response:
    return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))


def _describe_fault(exc: Exception, call: Call) -> dict[str, str]:
    name = next(name for name, kind in _FAULTS.items() if isinstance(exc, kind))
    cause = next((name for name, kind in _CAUSES.items() if any(isinstance(c, kind) for c in walk_causes(exc))), "")
    return {"fault": name, "cause": cause, "text": redact_text(str(exc), call.secrets)}


def _raise_fault(about: Mapping[str, Any]) -> None:
    """Raise the recorded error; TimeoutError if the call's deadline had passed."""
    if "fault" not in about:
        return
    if about["fault"] == _TOO_LATE:
        raise TimeoutError
    cause = _CAUSES.get(about["cause"])
    raise _FAULTS[about["fault"]](about["text"]) from cause() if cause else None
