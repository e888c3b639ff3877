"""The store that tests run on: a real server; the tests of the store try one in memory, too."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pydantic import TypeAdapter
from python_process import SHARED_SAMPLE
from sample_copies import keep_readings, share_index
from stores import JOB, open_quick_store, shared_server

from storm.models import JobRequest, Question, Syllabus
from storm.store import Lease, SourceCollector, Store
from storm.store.embedded import EmbeddedServer
from storm.store.pipelining import AutoPipeline

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

# In the background (`scripts/test &`) a shell has programs ignore Ctrl-C, under nohup the end of their terminal, and so
# would those that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """What was imported and collected stays: no garbage collection looks through it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_folder_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the data directory, or the traces, of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORM_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.delenv("STORM_TRACES_URL", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _shared_sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("sample")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SHARED_SAMPLE, str(folder))
        share_index(patch, folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _kept_readings() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        keep_readings(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _adapters_made_once() -> Iterator[None]:
    """DSPy makes pydantic's adapter of a type again for each value that it shows or reads: a tenth of what a job with a
    model takes."""

    @cache
    def make_once(shape: Any, _: str) -> TypeAdapter[Any]:
        return TypeAdapter(shape)

    def make(shape: Any) -> TypeAdapter[Any]:
        try:
            return make_once(shape, repr(shape))  # unions in another order are equal
        except TypeError:  # it has no hash
            return TypeAdapter(shape)

    with pytest.MonkeyPatch.context() as patch:
        if utils := sys.modules.get("dspy.adapters.utils"):
            patch.setattr(utils, "TypeAdapter", make)
        yield


@pytest.fixture(scope="session")
def server() -> EmbeddedServer:
    """One real server for all tests that do not start or stop it themselves."""
    return shared_server()


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    """An empty store on a real server; the tests of the store try it in memory, too."""
    async with open_quick_store() as opened:
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
    answers = AutoPipeline._send_commands

    async def counted(trips: AutoPipeline, commands: Sequence[Any]) -> Any:
        sizes.append(len(commands))
        return await answers(trips, commands)

    monkeypatch.setattr(AutoPipeline, "_send_commands", counted)
    return sizes
