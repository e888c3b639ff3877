"""The public databases of one program: which can be searched, which can be reached, and the notes about both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from storm.databases.clients import CLIENTS, Client, missing_keys
from storm.databases.http.reachability import find_unreachable
from storm.databases.http.service import Service
from storm.databases.pages.reader import MayRead
from storm.databases.services.public import UnreachableDatabase
from storm.errors import Code, NotConfigured, UsageError, suggest_name
from storm.ports import Database, Pages, Register

#: Seconds for finding out which public services can be reached.
REACH_SECONDS = 2.0
#: Seconds after which services that could not be reached are tested again.
_RETEST_SECONDS = 60.0
_SWITCH_ON = "set `enabled: true` for {name} in a copy of config/databases.yaml, and STORM_DATABASES to that copy"


class LiveDatabases:
    """The clients of the public databases by name, and which of their services can be reached. `is_queued` is whether a
    call of this program waits for its turn under a rate limit."""

    def __init__(
        self,
        services: Mapping[str, Service],
        clients: Mapping[str, Client],
        registers: Sequence[Register],
        pages: Callable[[MayRead], Pages] | None,
        *,
        replayed: bool,
        is_queued: Callable[[], bool] = lambda: False,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.services = services
        self.clients = clients
        self.registers = registers
        self._pages = pages
        self._replayed = replayed
        self.is_queued = is_queued
        self._unreachable: dict[str, str] | None = {} if replayed else None
        self._tested = 0.0
        self._test = asyncio.Lock()
        self._monotonic = monotonic

    def select_clients(self, names: Sequence[str]) -> dict[str, Client]:
        """The clients that a job searches: the named ones, or all that every job searches.

        Raises NotConfigured if there are none.
        """
        if names:
            return {name: client for name, client in self.clients.items() if client.database.holds_any(names)}
        if found := {name: client for name, client in self.clients.items() if client.service.in_jobs}:
            return found
        raise NotConfigured(
            "no public database is switched on",
            hint="use offline=True, or switch one on in the list",
            code=Code.NO_DATABASE_ON,
        )

    def names(self, asked: Sequence[str]) -> set[str]:
        """The database names that a job may use; NotConfigured for a requested one that is off or has no key."""
        for name in asked:
            if name in self.services and name not in self.clients:
                self.find_client(name)
        return {name for client in self.clients.values() for name in client.database.accepted_names()}

    def find_client(self, name: str) -> Client:
        """The client of that name; NotConfigured if it is switched off or lacks a key, UsageError if it is unknown."""
        if name in self.clients:
            return self.clients[name]
        service = self.services.get(name)
        if service is None:
            known = sorted(self.clients)
            hint = f"{suggest_name(name, known)}there are: {', '.join(known)}"
            raise UsageError(f"there is no public database {name}", hint=hint)
        if not service.enabled:
            raise NotConfigured(f"{service.label} is switched off", hint=_SWITCH_ON.format(name=name))
        if service.key_required and not service.key:
            raise NotConfigured(f"{service.label} needs {service.credential}", hint=f"set {service.key_variable}")
        raise UsageError(f"{service.label} cannot be searched by that name", hint=CLIENTS[name].instead)

    async def find_unreachable(self) -> dict[str, str]:
        """The unreachable services with the reason, by service name; tested once, or once a minute while there are
        any: a program may run for days."""
        async with self._test:  # the jobs that begin together test once
            is_old = bool(self._unreachable) and self._monotonic() - self._tested > _RETEST_SECONDS
            if self._unreachable is None or is_old:
                services = [client.service for client in self.clients.values()]
                self._unreachable = await asyncio.to_thread(find_unreachable, services, REACH_SECONDS)
                self._tested = self._monotonic()
        return self._unreachable

    def usable_databases(self, wanted: Mapping[str, Client], unreachable: Mapping[str, str]) -> list[Database]:
        """The databases of these clients; every search of an unreachable one fails with the reason."""
        reasons = {name: unreachable.get(client.service.name) for name, client in wanted.items()}
        return [
            UnreachableDatabase(client.database, reason) if (reason := reasons[name]) else client.database
            for name, client in wanted.items()
        ]

    def open_pages(self, may_read: MayRead) -> Pages | None:
        """A reader of the permitted web pages; None while traffic is recorded or replayed, which leaves pages out."""
        return self._pages(may_read) if self._pages else None

    def search_notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """Notes on databases skipped for lack of a key, unless a job names its databases, and on replayed answers."""
        lacking = [f"{service.label} ({service.key_variable})" for service in missing_keys(self.services)]
        missing_note = (f"Not searched because no key is set: {', '.join(lacking)}.",) if lacking and not names else ()
        replay_note = ("The public databases were not asked: their answers come from a recording.",)
        return (*missing_note, *(replay_note if self._replayed else ()))
