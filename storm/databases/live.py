"""The public databases as one program uses them: who can be asked, who can be reached, and what is to be said of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from storm.databases.clients import CLIENTS, Client, missing_keys
from storm.databases.http.reachability import unreachable
from storm.databases.http.service import Service
from storm.databases.pages.reader import MayRead
from storm.databases.services.public import UnreachableDatabase
from storm.errors import Code, NotConfigured, UsageError
from storm.ports import Database, Pages, Register

#: Seconds for finding out which public services can be reached.
REACH_SECONDS = 2.0
_SWITCH_ON = "set `enabled: true` for {name} in a copy of config/databases.yaml, and STORM_DATABASES to that copy"


class LiveDatabases:
    """The public databases of one program: their clients by name, and which services can be reached."""

    def __init__(
        self,
        services: Mapping[str, Service],
        clients: Mapping[str, Client],
        registers: Sequence[Register],
        pages: Callable[[MayRead], Pages] | None,
        *,
        replayed: bool,
    ) -> None:
        self.services = services
        self.clients = clients
        self.registers = registers
        self._pages = pages
        self._replayed = replayed
        self._unreachable: dict[str, str] | None = {} if replayed else None

    def wanted(self, names: Sequence[str]) -> dict[str, Client]:
        """The clients that a job searches: those asked for, or all that take part in every job.

        NotConfigured if there is none at all.
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
        """The names by which a job may ask for these databases; NotConfigured for one that is off or has no key."""
        for name in asked:
            if name in self.services and name not in self.clients:
                self.client(name)
        return {name for client in self.clients.values() for name in client.database.names()}

    def client(self, name: str) -> Client:
        """The client of that name; NotConfigured if it is switched off or has no key, UsageError if there is none."""
        if name in self.clients:
            return self.clients[name]
        service = self.services.get(name)
        if service is None:
            raise UsageError(
                f"there is no public database {name}", hint=f"there are: {', '.join(sorted(self.clients))}"
            )
        if not service.enabled:
            raise NotConfigured(f"{service.label} is switched off", hint=_SWITCH_ON.format(name=name))
        if service.key_required and not service.key:
            raise NotConfigured(f"{service.label} needs {service.credential}", hint=f"set {service.key_variable}")
        raise UsageError(f"{service.label} is not searched by that name", hint=CLIENTS[name].instead)

    async def unreachable(self) -> dict[str, str]:
        """Why each service that cannot be reached is not, by the service's name; found out once."""
        if self._unreachable is None:
            services = [client.service for client in self.clients.values()]
            self._unreachable = await asyncio.to_thread(unreachable, services, REACH_SECONDS)
        return self._unreachable

    def databases(self, wanted: Mapping[str, Client], unreachable: Mapping[str, str]) -> list[Database]:
        """The databases of these clients; one that cannot be reached only tells so."""
        reasons = {name: unreachable.get(client.service.name) for name, client in wanted.items()}
        return [
            UnreachableDatabase(client.database, reason) if (reason := reasons[name]) else client.database
            for name, client in wanted.items()
        ]

    def pages(self, may_read: MayRead) -> Pages | None:
        """A reader of the web pages that may be read; None where traffic is recorded or replayed: they are no part."""
        return self._pages(may_read) if self._pages else None

    def notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """What was not searched for want of a key, where none was asked for by name; and that answers are replayed."""
        lacking = [f"{service.label} ({service.key_variable})" for service in missing_keys(self.services)]
        missing_note = (f"Not searched, since no key is set: {', '.join(lacking)}.",) if lacking and not names else ()
        replay_note = ("The public databases were not asked: their answers are those of a recording.",)
        return (*missing_note, *(replay_note if self._replayed else ()))
