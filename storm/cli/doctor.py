"""`storm doctor`: check what works here, and say how to fix the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from storm.agents.model_choice import read_models
from storm.agents.server_report import list_models
from storm.app import open_app, open_corpus
from storm.cli.console import count_noun, exit_with, name_program, print_json, print_line, run_async
from storm.cli.hints import hint_of
from storm.databases.catalogue import read_services
from storm.databases.clients import is_usable
from storm.databases.corpus.database import sample_index
from storm.databases.http.reachability import find_unreachable
from storm.databases.http.recording import read_setting
from storm.databases.http.service import Service
from storm.errors import ServiceDown, StoreUnavailable, StormError, UsageError, name_install
from storm.models import group_by_reason
from storm.settings import read_settings
from storm.store import StoreInfo, WorkerRecord
from storm.syllabus import bundled_syllabus

#: Seconds for reaching the public services and, at the same time, the user's own server: all checks end within three.
_REACH_SECONDS = 1.5
_STORE_SECONDS = 1.5


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check settings, store, databases and models. Exit 1: something does not work.

    Example: storm doctor
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(_CHECKS)) as pool:
        checks = _drop_repeats(list(pool.map(_run_check, _CHECKS, _CHECKS.values())))
    if as_json:
        print_json(checks)
    else:
        for check in checks:
            print_line(f"{'ok   ' if check['ok'] else 'FAILS'} {check['name']}: {check['message']}")
            if check["hint"]:
                print_line(f"      {check['hint']}")
    exit_with(0 if all(check["ok"] for check in checks) else 1)


def _run_check(name: str, check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"name": name, "ok": True, "message": check(), "hint": ""}
    except StormError as error:
        return {"name": name, "ok": False, "message": str(error), "hint": hint_of(error)}


def _drop_repeats(checks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks without repeated failures: several checks may read the same wrong setting."""
    failed = [None if check["ok"] else check["message"] for check in checks]
    return [check for place, check in enumerate(checks) if check["ok"] or check["message"] not in failed[:place]]


def _check_settings() -> str:
    settings = read_settings()
    syllabus = bundled_syllabus(settings.config_dir)
    if settings.http:
        read_setting(settings.http)
    questions = count_noun(len(syllabus.questions), "question")
    return f"data in {settings.data_dir}; syllabus “{syllabus.name}” with {questions}"


def _check_store() -> str:
    import asyncio

    settings = read_settings()
    seconds = _STORE_SECONDS if settings.redis_url else None  # starting one of our own may take longer

    async def read_info() -> tuple[StoreInfo, list[WorkerRecord]]:
        async with asyncio.timeout(seconds), open_app(settings) as app:
            return await app.store.info(), await app.store.submissions.workers()

    try:
        info, workers = run_async(read_info())
    except TimeoutError as exc:
        message = f"the store of STORM_REDIS_URL does not answer within {seconds:g} s"
        raise StoreUnavailable(message, hint="see what keeps it busy, or change STORM_REDIS_URL") from exc
    kept = "kept on disk" if info.persistent else "NOT kept on disk"
    evicts = "" if info.never_evicts else f", MAY EVICT the data of jobs (maxmemory-policy {info.eviction})"
    slots = count_noun(sum(worker.jobs for worker in workers), "job")
    carried_out = f", {count_noun(len(workers), 'worker')} for {slots} at a time" if workers else ""
    return f"{info.engine} {info.version}, {count_noun(info.jobs, 'job')}, {kept}{evicts}{carried_out}"


def _check_corpus() -> str:
    counts = open_corpus(read_settings()).count()
    if not counts:
        return name_program("empty; the bundled sample is searched instead (fill it: storm corpus add PATHS)")
    return f"{count_noun(sum(counts.values()), 'record')} of {', '.join(sorted(counts))}"


def _check_sample() -> str:
    return f"{sum(sample_index(read_settings().data_dir).count().values())} records about trastuzumab and metformin"


def _check_keys() -> str:
    services = [service for service in _list_services() if service.key_variable]
    names = {str(service.key_variable): bool(service.key) for service in services}
    there, missing = ([name for name, is_set in names.items() if is_set is wanted] for wanted in (True, False))
    keys = f"set: {', '.join(there) or 'none'}"
    return f"{keys}; more is searched, or faster, with: {', '.join(missing)}" if missing else keys


def _check_databases() -> str:
    asked = [service for service in _list_services() if is_usable(service)]
    reasons = find_unreachable(asked, _REACH_SECONDS)
    if not reasons:
        return f"{len(asked)} of {len(asked)} can be reached"
    failed = ((service.label, reasons[service.name]) for service in asked if service.name in reasons)
    reasons_text = "; ".join(group_by_reason(failed))
    hint = "check the network, and HTTPS_PROXY behind a proxy; without a network: --offline"
    raise ServiceDown(f"{len(reasons)} of {len(asked)} cannot be reached: {reasons_text}", hint=hint)


def _list_services() -> list[Service]:
    settings = read_settings()
    return list(read_services(settings.databases, settings.environment).values())


def _check_model() -> str:
    import asyncio
    from importlib.util import find_spec

    settings = read_settings()
    models = read_models(settings.models, settings.environment) if settings.models else {}
    if models and not find_spec("dspy"):
        raise UsageError(
            "language models need the package dspy",
            hint=name_install("agents"),
        )
    for choice in models.values():
        choice.check_key()
    servers = {(choice.api_base, choice.key) for choice in models.values() if choice.api_base}

    async def ask_servers() -> None:
        await asyncio.gather(*(list_models(base, key) for base, key in servers))

    run_async(ask_servers())
    roles = ", ".join(f"{choice.name} as {role}" for role, choice in models.items())
    return roles or "none configured: the extractive engine plays every role (to use a model: docs/models.md)"


_CHECKS: dict[str, Callable[[], str]] = {
    "settings": _check_settings,
    "store": _check_store,
    "corpus": _check_corpus,
    "sample": _check_sample,
    "public databases": _check_databases,
    "keys": _check_keys,
    "model": _check_model,
}
