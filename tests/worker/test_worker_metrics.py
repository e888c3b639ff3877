"""What Prometheus reads of a worker."""

from __future__ import annotations

import asyncio
import re
import socket
from datetime import UTC, datetime
from urllib.request import urlopen

import pytest

from storm.errors import UsageError
from storm.models import Event
from storm.worker.metrics import WorkerMetrics

NOW = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def read(port: int) -> str:
    """What the worker answers Prometheus."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


async def test_searches_and_calls_of_models_are_counted(port: int) -> None:
    metrics = WorkerMetrics(4)
    metrics.serve("127.0.0.1", port)
    search = Event(at=NOW, kind="search", message="", data={"database": "pubmed", "status": "failed"})
    used = {"prompt_tokens": 900, "completion_tokens": 100, "cost_usd": 0.25}
    await metrics.write(search)
    await metrics.write(Event(at=NOW, kind="saved", message=""))
    for data in (used, {**used, "cost_usd": None}):
        await metrics.write_detail(Event(at=NOW, kind="call", message="openai/house-model", data=data))
    found = dict(re.findall(r"^(storm_\S+) (\S+)$", await asyncio.to_thread(read, port), re.M))
    assert found['storm_searches_total{database="pubmed",status="failed"}'] == "1.0"
    assert found['storm_model_calls_total{model="openai/house-model"}'] == "2.0"
    assert found['storm_model_tokens_total{model="openai/house-model"}'] == "2000.0"
    assert found['storm_model_usd_total{model="openai/house-model"}'] == "0.25"
    assert found["storm_worker_slots"] == "4.0"


def test_a_service_for_which_nobody_waits_any_more_is_not_shown(port: int) -> None:
    metrics = WorkerMetrics(4)
    metrics.serve("127.0.0.1", port)
    metrics.show_store(7, {"pubmed": 2.5})
    metrics.show_store(3, {"chembl": 1.5})
    text = read(port)
    assert 'storm_service_wait_seconds{service="chembl"} 1.5' in text
    assert "pubmed" not in text
    assert "storm_jobs_submitted 3.0" in text


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        with pytest.raises(UsageError, match=rf"metrics cannot be served at 127.0.0.1:{port}"):
            WorkerMetrics(4).serve("127.0.0.1", port)
