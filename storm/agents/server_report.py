"""Queries a model's server: whether it is there, accepts the key, and how long its context is."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener, getproxies

from storm.errors import ModelError

#: Timeout in seconds: a missing server is reported within two.
_SECONDS = 1.5

#: Some providers list many models.
_MAX_BYTES = 8_000_000

#: Names of the context in lists of models: vLLM and SGLang, LM Studio, Groq, OpenRouter, Mistral …
_IN_LIST = ("max_model_len", "loaded_context_length", "context_window", "context_length", "max_context_length")


class ServerReport(NamedTuple):
    """The context in tokens, if the server reports it; `loads_late`: it will once the model is loaded."""

    context: int | None = None
    loads_late: bool = False


async def list_models(base: str, key: str | None) -> Any:
    """The server's list of models; ModelError if no server answers at this address, or if it refuses the key."""
    try:
        status, models = await _get_in_thread(f"{base.rstrip('/')}/models", key)
    except (OSError, HTTPException, ValueError) as exc:
        reason = getattr(exc, "reason", None) or exc
        raise ModelError(
            f"no model server answers at {public_address(base)}: {' '.join(str(reason).split()) or type(exc).__name__}",
            hint="start it, or correct `api_base`"
            + (" (a proxy is set: should the host be in NO_PROXY?)" if getproxies() else ""),
        ) from exc
    if status in (401, 403):
        raise ModelError(f"the model server at {public_address(base)} refuses the key (HTTP {status})")
    return models


async def read_server_report(base: str, model: str, key: str | None) -> ServerReport:
    """The server's report on a model; ModelError as for `list_models`."""
    if context := _listed_context(await list_models(base, key), model):
        return ServerReport(context)
    root = base.rstrip("/").removesuffix("/v1")
    for path, read in _OWN_REPORTS:
        try:
            _, body = await _get_in_thread(f"{root}{path}", key)
        except (OSError, HTTPException, ValueError):
            continue
        if found := read(body, model):
            return found
    return ServerReport()


def _read_ollama(body: Any, model: str) -> ServerReport | None:
    """Ollama lists the loaded models, each with its context."""
    loaded = _get_field(body, "models")
    if not isinstance(loaded, Sequence):
        return None
    names = {model, f"{model}:latest"}
    own = [entry for entry in loaded if _get_field(entry, "name") in names or _get_field(entry, "model") in names]
    context = _positive_number(_get_field(own[0], "context_length")) if own else None
    return ServerReport(context, loads_late=not own)


def _read_llama_cpp(body: Any, _: str) -> ServerReport | None:
    context = _positive_number(_get_field(_get_field(body, "default_generation_settings"), "n_ctx"))
    return ServerReport(context) if context else None


def _read_lm_studio(body: Any, model: str) -> ServerReport | None:
    context = _listed_context(body, model)
    return ServerReport(context) if context else None


#: Further reports of servers beyond the list of models, and how to read them.
_OWN_REPORTS: tuple[tuple[str, Callable[[Any, str], ServerReport | None]], ...] = (
    ("/api/ps", _read_ollama),
    ("/props", _read_llama_cpp),
    ("/api/v0/models", _read_lm_studio),
)


def _listed_context(body: Any, model: str) -> int | None:
    """The context of this model in a list of models, or of the only model there."""
    entries = _get_field(body, "data")
    if not isinstance(entries, Sequence):
        return None
    own = [entry for entry in entries if _get_field(entry, "id") == model] or (entries if len(entries) == 1 else [])
    found = [_positive_number(_get_field(entry, name)) for entry in own[:1] for name in _IN_LIST]
    return next((number for number in found if number), None)


def _get_field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _positive_number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would carry the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


async def _get_in_thread(url: str, key: str | None) -> tuple[int, Any]:
    """Status and JSON body, or None. Runs in a thread of its own, so that a slow name server blocks nothing."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[tuple[int, Any]] = loop.create_future()

    def deliver_outcome(settle: Callable[[Any], None], value: Any) -> None:
        if not answer.done():
            settle(value)

    def fetch_outcome() -> None:
        outcome: tuple[Callable[[Any], None], Any]
        try:
            outcome = (answer.set_result, _get_json(url, key))
        except (OSError, HTTPException, ValueError) as exc:
            outcome = (answer.set_exception, exc)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver_outcome, *outcome)

    threading.Thread(target=fetch_outcome, daemon=True).start()
    return await asyncio.wait_for(answer, _SECONDS + 0.3)


def _get_json(url: str, key: str | None) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with build_opener(_NoRedirects).open(Request(url, headers=headers), timeout=_SECONDS) as response:
            status, body = response.status, response.read(_MAX_BYTES)
    except HTTPError as exc:
        with exc:
            return exc.code, None
    try:
        return status, json.loads(body)
    except (ValueError, RecursionError):
        return status, None


def public_address(base: str) -> str:
    """The address without a user or a key in it."""
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
