"""The clients of the public services, and which of them a job can search."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.databases import services as room
from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.public import PublicClient, PublicDatabase
from storm.ports import Limiter, Register


def _client_classes() -> Iterator[type[PublicClient]]:
    """Each client class with an `info` of its own in services/: a new file there adds a database."""
    for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, PublicClient) and "info" in vars(value):
                yield value


#: The client class of each service.
CLIENTS: Mapping[str, type[PublicClient]] = {name: kind for kind in _client_classes() for name in kind.service_names()}


class Client(NamedTuple):
    """A database that can be searched, and the service behind it."""

    database: PublicDatabase
    service: Service


def open_databases(http: Http, services: Mapping[str, Service], limiter: Limiter) -> dict[str, Client]:
    """The enabled databases that have the key they need, by name, in the order of the services."""
    opened = [client for client in _open_clients(http, services, limiter) if isinstance(client, PublicDatabase)]
    return {database.name: Client(database, database.service) for database in opened}


def open_registers(http: Http, services: Mapping[str, Service], limiter: Limiter) -> list[Register]:
    """The clients that add to works already found: full texts, retractions, free copies."""
    return [client for client in _open_clients(http, services, limiter) if isinstance(client, Register)]


def _open_clients(http: Http, services: Mapping[str, Service], limiter: Limiter) -> Iterator[PublicClient]:
    usable = {name: service for name, service in services.items() if is_usable(service)}
    for kind in dict.fromkeys(CLIENTS[name] for name in usable):
        if client := kind.open_client(http, usable, limiter):
            yield client


def is_usable(service: Service) -> bool:
    """Whether the service is enabled and has the key it needs."""
    return service.enabled and bool(service.key or not service.key_required)


def missing_keys(services: Mapping[str, Service]) -> Sequence[Service]:
    """The enabled services that lack a key and have no usable alternative: one web search engine is enough."""
    served = {CLIENTS[name] for name, service in services.items() if is_usable(service)}
    return [each for each in services.values() if each.enabled and CLIENTS[each.name] not in served]
