"""One Chromium for the tests of pages, which are skipped where there is none, unless STORM_REQUIRE=chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
IS_REQUIRED = "chromium" in os.environ.get("STORM_REQUIRE", "").split(",")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, started once."""
    if CHROMIUM is None:
        missing = "Chromium is not installed (on Debian: apt-get install chromium)"
        pytest.fail(missing) if IS_REQUIRED else pytest.skip(missing)
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Opens a file in a window of its own without a network; the test fails if it requests or reports anything."""
    contexts, requested, reported = list[Any](), list[str](), list[str]()

    def show(file: Path, width: int = 1280, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 800}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5_000)
        page.on("request", lambda request: requested.append(request.url.partition("#")[0]))
        page.on("console", lambda message: reported.append(message.text))
        page.on("pageerror", lambda error: reported.append(str(error)))
        page.on("dialog", lambda dialog: reported.append(dialog.message))
        page.goto(file.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert reported == []
    assert all(url.startswith("file:///") and url.endswith(".html") for url in requested)
