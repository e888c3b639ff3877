"""The queue: messages that hold a job's id and nothing else, in Redis, by Dramatiq."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import Retry
from dramatiq.middleware import Retries
from dramatiq.middleware.shutdown import Shutdown, ShutdownNotifications

from storm.app import App
from storm.errors import ModelError, StoreRefused, StoreUnavailable
from storm.store.queue_server import connect_queue, guard_queue

#: Milliseconds after which the messages of a worker that is silent go to others, and how many commands in a million
#: look for such workers: all, since Dramatiq's own numbers take minutes.
HEARTBEAT_MS, _LOOKS = 15_000, 1_000_000
#: Milliseconds until a message whose worker stopped, or whose service was away, comes again.
_SOONEST_MS, _LATEST_MS = 1_000, 60_000
#: How often a job comes again after an error that is no fault of a service: a fault of storm's own.
_MOST_RETRIES = 3

CarryOut = Callable[[str], Awaitable[None]]


class JobQueue:
    """A connection to the queue of an open App's store."""

    def __init__(self, app: App, *, heartbeat_ms: int = HEARTBEAT_MS) -> None:
        settings = app.settings
        self._redis = connect_queue(app.store, settings.queue_url, settings.redis_url)
        self.broker = RedisBroker(  # type: ignore[no-untyped-call]
            client=self._redis,
            middleware=[
                ShutdownNotifications(notify_shutdown=True),
                Retries(min_backoff=_SOONEST_MS, max_backoff=_LATEST_MS, retry_when=_comes_again),
            ],
            heartbeat_timeout=heartbeat_ms,
            maintenance_chance=_LOOKS,
        )

    def send(self, job_id: str, queue: str) -> None:
        """Put a job into a queue. StoreUnavailable if the server is away."""
        with guard_queue(self._redis):
            self.broker.declare_queue(queue)
            self.broker.enqueue(dramatiq.Message(queue, _name_actor(queue), (job_id,), {}, {}))

    def serve(self, queues: Sequence[str], carry_out: CarryOut) -> None:
        """Have each job of these queues carried out, those of the first queues first."""
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


def _comes_again(retries: int, error: BaseException) -> bool:
    """Whether a message comes again: always where its worker stops, or a server or another holder is waited for."""
    return isinstance(error, Shutdown | Retry | StoreUnavailable | StoreRefused | ModelError) or retries < _MOST_RETRIES
