"""What storm keeps is its user's alone; what it writes for its user is as his umask says."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from storm.api import run
from storm.data_dir import make_private
from storm.export import write_report


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def umask() -> Iterator[None]:
    """The umask that most systems have."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.slow
@pytest.mark.usefixtures("umask")
def test_a_job_leaves_nothing_that_others_may_read_but_its_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("STORM_DATA_DIR", str(data))
    for name in ("STORM_REDIS_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    write_report(run("trastuzumab", offline=True), tmp_path / "reports", ("md", "json"))
    kept = [data, *data.rglob("*")]
    assert len(kept) > 10
    assert {path: oct(mode(path)) for path in kept if mode(path) != (0o700 if path.is_dir() else 0o600)} == {}
    assert {mode(path) for path in (tmp_path / "reports").iterdir()} == {0o644}
    assert mode(tmp_path / "reports") == 0o755


@pytest.mark.usefixtures("umask")
def test_what_was_there_before_is_made_private(tmp_path: Path) -> None:
    for name in ("http/answers.db", "store/valkey/server.log", "corpus/meta.json", "sample-1-a/x"):
        (tmp_path / "data" / name).parent.mkdir(parents=True)
        (tmp_path / "data" / name).write_text("")
    make_private(tmp_path / "data")
    assert {mode(path) for path in (tmp_path / "data").rglob("*") if path.is_file()} == {0o600}
    assert {mode(path) for path in (tmp_path / "data").rglob("*") if path.is_dir()} == {0o700}
    assert mode(tmp_path / "data") == 0o700


@pytest.mark.usefixtures("umask")
def test_what_is_not_storms_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "http").mkdir()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").write_text("")
    (tmp_path / "http" / "link").symlink_to(tmp_path / "thesis" / "chapter")
    tmp_path.chmod(0o755)
    make_private(tmp_path)
    assert (mode(tmp_path), mode(tmp_path / "thesis"), mode(tmp_path / "http")) == (0o755, 0o755, 0o700)
    assert mode(tmp_path / "thesis" / "chapter") == 0o644


def test_a_directory_that_cannot_be_made_is_left_to_who_needs_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    make_private(tmp_path / "file" / "data")
    assert (tmp_path / "file").read_text() == ""
