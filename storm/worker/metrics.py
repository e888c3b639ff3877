"""What a worker counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from storm.errors import UsageError
from storm.models import Event

#: Seconds of a job by which it is counted.
_SECONDS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)


class WorkerMetrics:
    """The counts of one worker. As an EventSink it counts the searches and model calls of the jobs that it is given."""

    def __init__(self, slots: int) -> None:
        self.registry = own = CollectorRegistry()
        self.running = Gauge("storm_jobs_running", "Jobs that this worker carries out now.", registry=own)
        self.ended = Counter("storm_jobs_ended", "Attempts at jobs that ended here.", ["outcome"], registry=own)
        self.seconds = Histogram("storm_job_seconds", "Seconds of an attempt.", buckets=_SECONDS, registry=own)
        self._submitted = Gauge(
            "storm_jobs_submitted", "Jobs of the store that wait for a worker or are with one.", registry=own
        )
        self._service = Gauge(
            "storm_service_wait_seconds", "Until the next call that a service's rate limit allows, over all workers.",
            ["service"], registry=own,
        )  # fmt: skip
        self._searches = Counter("storm_searches", "Searches of databases.", ["database", "status"], registry=own)
        self._calls = Counter("storm_model_calls", "Calls of language models.", ["model"], registry=own)
        self._tokens = Counter("storm_model_tokens", "Tokens of prompts and replies.", ["model"], registry=own)
        self._dollars = Counter("storm_model_usd", "Dollars, where prices are known.", ["model"], registry=own)
        Gauge("storm_worker_slots", "The most jobs at a time.", registry=own).set(slots)

    def serve(self, host: str, port: int) -> None:
        """Serve Prometheus metrics at http://HOST:PORT/metrics until the process ends; UsageError if the port cannot be
        used."""
        try:
            start_http_server(port, host, self.registry)
        except OSError as exc:
            raise UsageError(
                f"metrics cannot be served at {host}:{port}: {exc.strerror or exc}",
                hint="name a free port, and an address of this machine",
            ) from exc

    def show_store(self, submitted: int, services: Mapping[str, float]) -> None:
        """Show how many jobs wait for a worker or are with one, and for how many seconds calls of services wait."""
        self._submitted.set(submitted)
        self._service.clear()
        for service, seconds in services.items():
            self._service.labels(service).set(seconds)

    async def write(self, event: Event) -> None:
        """Count a search."""
        if event.kind == "search":
            self._searches.labels(event.data.get("database"), event.data.get("status")).inc()

    async def write_detail(self, event: Event) -> None:
        """Count a call of a model; its name is the event's message."""
        if event.kind != "call":
            return
        self._calls.labels(event.message).inc()
        used = {name: value for name, value in event.data.items() if isinstance(value, int | float)}
        self._tokens.labels(event.message).inc(used.get("prompt_tokens", 0) + used.get("completion_tokens", 0))
        self._dollars.labels(event.message).inc(used.get("cost_usd", 0.0))
