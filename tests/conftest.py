"""The stores that tests run on: one in memory and a real embedded server, with the same contract."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakeredis import FakeServer
from hypothesis import HealthCheck, settings
from redis import Redis
from stores import JOB, NOW, store_in_memory

from storm.models import JobRequest, Question, Syllabus
from storm.store import Lease, SourceCollector, Store, open_store
from storm.store.embedded import EmbeddedServer
from storm.store.engine import find_engine
from storm.store.round_trips import RoundTrips

# The same examples in each run, however busy the machine is: a run that fails can be run again. STORM_TEST_EXAMPLES
# tries more of them.
settings.register_profile(
    "storm",
    max_examples=int(os.environ.get("STORM_TEST_EXAMPLES", "40")),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("storm")

# In the background (`scripts/test &`) a shell has programs ignore Ctrl-C, and so would those that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _no_folder_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the data directory, or the traces, of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORM_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.delenv("STORM_TRACES_URL", raising=False)
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """One real server for all tests that do not start or stop it themselves."""
    embedded = EmbeddedServer(tmp_path_factory.mktemp("shared"), find_engine())
    embedded.ensure_running()
    yield embedded
    embedded.stop_server(force=True)


@pytest.fixture(params=["memory", "server"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """An empty store, once in memory and once on a real server."""
    if request.param == "memory":
        opened = store_in_memory(FakeServer())
    else:
        socket = request.getfixturevalue("server").socket
        with Redis(unix_socket_path=str(socket)) as redis:
            redis.flushall()
        opened = await open_store(
            data_dir=Path("unused"), redis_url=f"unix://{socket}", job_ttl=timedelta(days=30), clock=lambda: NOW
        )
    async with opened:
        yield opened


@pytest.fixture
def syllabus() -> Syllabus:
    """Two questions of the drug taxonomy."""
    return Syllabus(
        name="drug",
        questions=(
            Question(key="clinical.efficacy", label="Efficacy", description="What does it achieve?", min_sources=5),
            Question(key="clinical.safety", label="Safety", description="What harm does it do?", min_sources=3),
        ),
    )


@pytest.fixture
async def lease(store: Store, syllabus: Syllabus) -> AsyncIterator[Lease]:
    """The lease of a new job, JOB, for trastuzumab."""
    await store.jobs.create(JobRequest(text="trastuzumab", syllabus=syllabus), JOB)
    async with await store.jobs.hold(JOB) as held:
        await SourceCollector(store, JOB, held).set_questions(syllabus.keys)
        yield held


@pytest.fixture
def round_trips(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands went to the store in each round trip."""
    sizes: list[int] = []
    answers = RoundTrips._send_commands

    async def counted(trips: RoundTrips, commands: Sequence[Any]) -> Any:
        sizes.append(len(commands))
        return await answers(trips, commands)

    monkeypatch.setattr(RoundTrips, "_send_commands", counted)
    return sizes
