"""The jobs of these tests live on the shared server, which is faster than memory."""

from __future__ import annotations

import pytest
from stores import use_quick_test_apps


@pytest.fixture(autouse=True)
def quick_test_apps(monkeypatch: pytest.MonkeyPatch) -> None:
    use_quick_test_apps(monkeypatch)
