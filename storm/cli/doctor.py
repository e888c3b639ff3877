"""`storm doctor`: what works here, and the one line that mends what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer


def doctor(as_json: Annotated[bool, typer.Option("--json", help="As JSON on standard output.")] = False) -> None:
    """Check the settings, the store, the corpus, the sample and the engine; exit 1 if something does not work.

    Example: storm doctor
    """
    from storm.cli.console import finish, say, say_json

    checks = [_checked(name, check) for name, check in _CHECKS.items()]
    if as_json:
        say_json(checks)
    else:
        for check in checks:
            say(f"{'ok   ' if check['ok'] else 'FAILS'} {check['name']}: {check['message']}")
            if check["hint"]:
                say(f"      {check['hint']}")
    finish(0 if all(check["ok"] for check in checks) else 1)


def _checked(name: str, check: Callable[[], str]) -> dict[str, Any]:
    from storm.errors import StormError

    try:
        return {"name": name, "ok": True, "message": check(), "hint": ""}
    except StormError as error:
        return {"name": name, "ok": False, "message": str(error), "hint": error.hint or ""}


def _settings() -> str:
    from storm.settings import read_settings
    from storm.syllabus import bundled_syllabus

    settings = read_settings()
    syllabus = bundled_syllabus(settings.config_dir)
    return f"data in {settings.data_dir}; syllabus “{syllabus.name}” with {len(syllabus.questions)} questions"


def _store() -> str:
    from storm.cli.console import counted, run_async
    from storm.settings import read_settings
    from storm.store import StoreInfo
    from storm.wiring import open_app

    async def ask() -> StoreInfo:
        async with open_app(read_settings()) as app:
            return await app.store.info()

    info = run_async(ask())
    kept = "kept on disk" if info.persistent else "NOT kept on disk"
    return f"{info.engine} {info.version}, {counted(info.jobs, 'job')}, {kept}"


def _corpus() -> str:
    from storm.settings import read_settings
    from storm.wiring import open_corpus

    counts = open_corpus(read_settings()).count()
    if not counts:
        return "empty; the bundled sample is searched instead (fill it: storm corpus add PATHS)"
    return f"{sum(counts.values())} records of {', '.join(sorted(counts))}"


def _sample() -> str:
    from storm.databases.corpus import sample_index
    from storm.settings import read_settings

    return f"{sum(sample_index(read_settings().data_dir).count().values())} records about trastuzumab and metformin"


def _model() -> str:
    return "none in this version: the extractive engine plays every role"


_CHECKS: dict[str, Callable[[], str]] = {
    "settings": _settings,
    "store": _store,
    "corpus": _corpus,
    "sample": _sample,
    "model": _model,
}
