"""How many messages a worker takes from the queues of all priorities, on a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storm.app import App, open_app
from storm.settings import read_settings
from storm.worker.queue import JobQueue

QUEUES = ("storm-test-high", "storm-test-normal", "storm-test-low")
SLOTS = 2


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with open_app(read_settings()._replace(data_dir=tmp_path / "data", traces_url="off")) as opened:
        yield opened


@pytest.fixture
def queue(app: App) -> Iterator[JobQueue]:
    async def carry_out(job_id: str) -> None:
        raise AssertionError("no worker runs here")

    opened = JobQueue(app)
    opened.serve(QUEUES, SLOTS, carry_out)
    yield opened
    opened.close()


def take(queue: JobQueue, names: tuple[str, ...]) -> list[str]:
    """The jobs whose messages one worker takes if the queues are looked at in this order, each three times."""
    consumers = [queue.broker.consume(name, prefetch=SLOTS, timeout=1) for name in names]
    taken = [next(consumer) for consumer in consumers for _ in range(3)]
    return [message.args[0] for message in taken if message]


async def test_a_worker_takes_no_more_messages_than_it_has_slots_whatever_their_priorities(queue: JobQueue) -> None:
    for name in QUEUES:
        queue.send(f"job of {name}", name)
    assert take(queue, QUEUES) == ["job of storm-test-high", "job of storm-test-normal"]


async def test_a_later_queue_waits_until_the_earlier_ones_are_empty(queue: JobQueue) -> None:
    queue.send("low", QUEUES[2])
    queue.send("high", QUEUES[0])
    assert take(queue, tuple(reversed(QUEUES))) == ["high"]


async def test_a_worker_takes_messages_of_a_later_queue_where_the_earlier_ones_are_empty(queue: JobQueue) -> None:
    queue.send("low", QUEUES[2])
    assert take(queue, QUEUES) == ["low"]
