"""The queue: messages that hold a job's id and nothing else, in Redis, by Dramatiq."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import dramatiq
from dramatiq.broker import Consumer
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import Retry
from dramatiq.middleware import Retries
from dramatiq.middleware.shutdown import Shutdown, ShutdownNotifications

from storm.app import App
from storm.errors import ModelError, StoreRefused, StoreUnavailable
from storm.store.queue_server import connect_queue, guard_queue

#: Milliseconds without a heartbeat after which a worker's messages go to others, and how many commands in a million
#: check for such workers: all, since Dramatiq's defaults take minutes.
HEARTBEAT_MS, _MAINTENANCE_CHANCE = 15_000, 1_000_000
#: Milliseconds until a message is delivered again whose worker stopped, or whose service was not available.
_SOONEST_MS, _LATEST_MS = 1_000, 60_000
#: How often a message is delivered again after any other error, which is a fault of storm.
_MOST_RETRIES = 3

CarryOut = Callable[[str], Awaitable[None]]


class _JobBroker(RedisBroker):
    """A broker whose consumers together take no more messages than the worker has slots, and messages of a later queue
    only if the earlier queues are empty. By default each consumer of Dramatiq takes as many as there are slots."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self._queues: Sequence[str] = ()
        self._slots = 0
        self._consumers: dict[str, Any] = {}

    def limit(self, queues: Sequence[str], slots: int) -> None:
        """Take at most so many messages of these queues at a time, those of the first queues first."""
        self._queues, self._slots = tuple(queues), slots

    def consume(self, queue_name: str, prefetch: int = 1, timeout: int = 5_000) -> Consumer:
        """Dramatiq's consumer of a queue."""
        consumer = super().consume(queue_name, prefetch, timeout)
        if queue_name in self._queues:  # and not one of delayed messages
            self._consumers[queue_name] = consumer
        return consumer

    def do_fetch(self, queue: str, wanted: int) -> Sequence[bytes]:
        """Messages of a queue that now belong to this worker."""
        most = min(wanted, self._count_free_slots(queue)) if queue in self._queues else wanted
        fetch: Callable[[str, int], Sequence[bytes]] = self._dispatch("fetch")  # type: ignore[no-untyped-call]
        return fetch(queue, most) if most > 0 else []

    def _count_free_slots(self, queue: str) -> int:
        """The slots that messages of this queue may take: none while an earlier queue has messages."""
        earlier = self._queues[: self._queues.index(queue)]
        if any(self.client.llen(f"{self.namespace}:{name}") for name in earlier):
            return 0
        return self._slots - sum(int(one.outstanding_message_count) for one in self._consumers.values())


class JobQueue:
    """A connection to the queue of an open App's store."""

    def __init__(self, app: App, *, heartbeat_ms: int = HEARTBEAT_MS) -> None:
        settings = app.settings
        self._redis = connect_queue(app.store, settings.queue_url, settings.redis_url)
        self.broker = _JobBroker(
            client=self._redis,
            middleware=[
                ShutdownNotifications(notify_shutdown=True),
                Retries(min_backoff=_SOONEST_MS, max_backoff=_LATEST_MS, retry_when=_is_retried),
            ],
            heartbeat_timeout=heartbeat_ms,
            maintenance_chance=_MAINTENANCE_CHANCE,
        )

    def send(self, job_id: str, queue: str) -> None:
        """Put a job into a queue. StoreUnavailable if the server does not answer."""
        with guard_queue(self._redis):
            self.broker.declare_queue(queue)
            self.broker.enqueue(dramatiq.Message(queue, _name_actor(queue), (job_id,), {}, {}))

    def serve(self, queues: Sequence[str], slots: int, carry_out: CarryOut) -> None:
        """Have each job of these queues carried out, so many at a time, those of the first queues first."""
        self.broker.limit(queues, slots)
        for priority, queue in enumerate(queues):
            name = _name_actor(queue)
            make_actor = dramatiq.actor(broker=self.broker, actor_name=name, queue_name=queue, priority=priority)
            make_actor(carry_out)

    def list_waiting(self, queues: Sequence[str]) -> set[str]:
        """The ids of the jobs whose messages are in these queues, waiting or with a worker."""
        found: set[str] = set()
        with guard_queue(self._redis):
            for queue in queues:
                for name in (queue, f"{queue}.DQ"):
                    messages: Any = self._redis.hvals(f"{self.broker.namespace}:{name}.msgs")
                    found.update(str(json.loads(text)["args"][0]) for text in messages)
        return found

    def close(self) -> None:
        """Close the connections."""
        self.broker.close()
        self._redis.close()


def _name_actor(queue: str) -> str:
    """The actor of a queue: within a worker, the order of jobs is that of their actors."""
    return f"run_{queue.rpartition('-')[2]}_job"


def _is_retried(retries: int, error: BaseException) -> bool:
    """Whether a message is delivered again: always if its worker stops, or if the job waits for a server or for the
    process that holds it."""
    return isinstance(error, Shutdown | Retry | StoreUnavailable | StoreRefused | ModelError) or retries < _MOST_RETRIES
