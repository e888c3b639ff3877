"""A data directory with the sample's index, and no services."""

from __future__ import annotations

from pathlib import Path

import pytest
from service_lists import NOBODY
from stores import use_quick_test_apps


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data and working directory of one test."""
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    use_quick_test_apps(monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    return tmp_path / "data"
