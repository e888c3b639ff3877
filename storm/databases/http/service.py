"""The configuration of one public service, as read from config/databases.yaml."""

from __future__ import annotations

import hashlib
from typing import Annotated

from pydantic import Field

from storm.databases.http.redaction import SHORTEST_SECRET
from storm.models.base import Frozen

#: The environment variable with the e-mail address that services ask for.
CONTACT_VARIABLE = "STORM_CONTACT"

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Service(Frozen):
    """One public service: its address, its rate limit, its deadlines and its cache time.

    `rate` is its nominal limit in calls a second (`rate_with_key` with a key); storm stays at 0.9 of it. Services of
    one `rate_group` share a limit. Redirects may lead to the host of `base_url` and to `redirect_hosts`. `ttl` is the
    cache time of an answer in seconds. `connect`, `read` and `total` are deadlines in seconds, `total` for the whole
    call with its retries. `limit` is the number of hits that a job takes from one search; with `in_jobs` false jobs do
    not search it. `key` and `contact` are the values of `key_variable` and STORM_CONTACT: never shown, logged, cached
    or put into an error.
    """

    name: str
    label: str
    base_url: str
    scope: str
    licence: str = ""
    enabled: bool = True
    in_jobs: bool = True
    rate: Positive
    rate_with_key: Positive | None = None
    rate_group: str | None = None
    redirect_hosts: tuple[str, ...] = ()
    ttl: float = Field(default=86_400, ge=0, allow_inf_nan=False)
    connect: Positive = 5.0
    read: Positive = 20.0
    total: Positive = 60.0
    max_bytes: int = Field(default=50_000_000, gt=0)
    limit: int = Field(default=50, gt=0, le=1000)
    key_variable: str | None = None
    key_required: bool = False
    key: str | None = Field(default=None, repr=False, exclude=True)
    contact: str | None = Field(default=None, repr=False, exclude=True)

    @property
    def secrets(self) -> frozenset[str]:
        """The values that are never shown: contact, key, and the two halves of a `KEY:SECRET`."""
        halves = (half for half in (self.key or "").split(":") if len(half) >= SHORTEST_SECRET)
        return frozenset(filter(None, (self.key, self.contact, *halves)))

    @property
    def per_second(self) -> float:
        """The most calls a second that storm makes: 0.9 of what the service allows, with or without the key."""
        return 0.9 * (self.rate_with_key if self.key and self.rate_with_key else self.rate)

    @property
    def credential(self) -> str:
        """What `key_variable` contains, in words."""
        return "an e-mail address" if self.key_variable == CONTACT_VARIABLE else "a key"

    @property
    def limit_name(self) -> str:
        """The name of the shared rate limit: the group or service, and a hash of the key if there is one."""
        name = self.rate_group or self.name
        return f"{name}:{hashlib.sha256(self.key.encode()).hexdigest()[:16]}" if self.key else name
