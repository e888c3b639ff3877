"""What limits the pace of all jobs of a store: services and models whose calls wait for their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from storm.app import App
from storm.databases.catalogue import read_services
from storm.models import Place, Scope
from storm.store import StoreLimiter

#: Seconds for which calls must have waited without a pause before their service is said to limit the pace: a burst of
#: one job is over sooner.
_LONG = 10.0
#: How long a model that refused calls for their rate is said to limit the pace, and among how many events of a job this
#: is looked for.
_RECENT, _EVENTS = timedelta(minutes=1), 20
#: Of how many running jobs the events are read.
_JOBS = 50


class BusyService(NamedTuple):
    """A public service whose calls wait: `per_second` calls are made, over all processes of the store; a new call would
    wait for `next_slot` seconds, and calls have waited for `waited_for` seconds."""

    service: str
    per_second: float
    next_slot: float
    waited_for: float

    @property
    def limits_pace(self) -> bool:
        """Whether calls have waited for so long that it is not a burst."""
        return self.waited_for >= _LONG

    def __str__(self) -> str:
        return (
            f"{self.service} ({self.per_second:g} calls a second, in use without a pause for {self.waited_for:.0f} s; "
            f"a new call waits {self.next_slot:.1f} s)"
        )


async def list_busy_services(app: App) -> list[BusyService]:
    """The public services whose calls wait now, the longest queue first."""
    services = read_services(app.settings.databases, app.settings.environment)
    limits = {one.limit_name: (one.rate_group or one.name, one.per_second) for one in services.values() if one.enabled}
    limiter = StoreLimiter(app.store)
    waits = await asyncio.gather(*map(limiter.read_wait, limits))
    found = [BusyService(*limit, *wait) for limit, wait in zip(limits.values(), waits, strict=True) if wait.next_slot]
    return sorted(found, key=lambda one: one.next_slot, reverse=True)


async def find_limits(app: App, services: Sequence[BusyService], running: Sequence[str]) -> list[str]:
    """What limits the pace of these running jobs, in words: services, if one of the jobs searches public databases, and
    models that refused calls for their rate."""
    looked_at = running[:_JOBS]
    limits = [str(one) for one in services if one.limits_pace]
    if limits and not any(await asyncio.gather(*(_is_live(app, job_id) for job_id in looked_at))):
        limits = []
    found = await asyncio.gather(*(_find_limited_model(app, job_id) for job_id in looked_at))
    return limits + [
        f"{model} (it refused calls for their rate in the last minute)" for model in sorted({*found} - {""})
    ]


async def _is_live(app: App, job_id: str) -> bool:
    """Whether the job searches public databases; one whose scope is not decided yet may."""
    decided = await app.journal(job_id).find_stage("scope")
    return not decided or Scope.model_validate_json(decided).place is Place.LIVE


async def _find_limited_model(app: App, job_id: str) -> str:
    """The model that refused a call of this job for its rate not long ago, or nothing."""
    since = app.store.clock() - _RECENT
    events = await app.journal(job_id).events(_EVENTS)
    limited = (event for event in events if event.at > since and "rate_limited" in event.data)
    return next((str(event.data["rate_limited"]) for event in limited), "")
