"""What the parts of an App are joined by."""

from __future__ import annotations

from pathlib import Path

import pytest
from fault_server import FaultServer
from service_lists import services_at

from storm.models import Hit, JobRequest
from storm.settings import read_settings
from storm.syllabus import bundled_syllabus
from storm.wiring import open_app

FOUND = "https://papers.example.org/p?id=1"


async def test_what_means_a_page_that_was_found_is_read_at_the_address_that_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STORM_REDIS_URL", "REDIS_URL", "STORM_HTTP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STORM_DATA_DIR", str(tmp_path / "data"))
    async with FaultServer() as server:
        monkeypatch.setenv("STORM_DATABASES", str(services_at(tmp_path / "list.yaml", server.url, ["europepmc"])))
        settings = read_settings()
        async with open_app(settings) as app:
            job = await app.start(JobRequest(drug="trastuzumab", syllabus=bundled_syllabus(settings.config_dir)))
            async with app.workbench(job.job_id) as bench:
                await bench.collection.record_hits([Hit.of("web", FOUND, FOUND, "A page")])
                may_read = bench.where.pages._may_read  # type: ignore[union-attr]
                for written in (FOUND, "http://www.papers.example.org/p/?id=1&utm_source=SECRET&NOTES#x"):
                    assert await may_read(written) == FOUND
                assert await may_read("https://papers.example.org/p?id=2") is None
