"""A data directory with the sample's index, and no services."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from service_lists import NOBODY
from stores import use_quick_test_apps

from storm.databases.corpus.database import sample_index


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the sample's index."""
    data = tmp_path_factory.mktemp("sample") / "data"
    sample_index(data)
    return data


@pytest.fixture
def data_dir(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data and working directory of one test."""
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP", "STORM_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STORM_DATABASES", str(NOBODY))
    use_quick_test_apps(monkeypatch)
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(sample, tmp_path / "data"))
