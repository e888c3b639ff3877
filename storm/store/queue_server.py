"""The Redis database of the queue, which is none of the store's: a queue's housekeeping looks at every key there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

import redis

from storm.errors import Code, StoreUnavailable, UsageError
from storm.store.addresses import check_address
from storm.store.connection import Store
from storm.store.faults import translate_error

#: The database of the embedded server that the queue has; the store has the first.
_EMBEDDED_DATABASE = 1


def connect_queue(store: Store, queue_url: str | None, redis_url: str | None) -> redis.Redis:
    """A client of the queue's database: the one at `queue_url`, or else the next after the store's on its server.

    UsageError for a bad URL, or one that names the database of the store.
    """
    if not queue_url and not redis_url:
        return redis.Redis(unix_socket_path=store.address, db=_EMBEDDED_DATABASE)
    url = queue_url or _name_next(redis_url or "")
    check_address(url, "STORM_QUEUE_URL")
    own = _place_of(redis_url) if redis_url else (os.path.realpath(store.address), 0, 0)
    if _place_of(url) == own:
        raise UsageError(
            "STORM_QUEUE_URL names the database of the store", hint="give the queue another: redis://HOST:6379/1"
        )
    return redis.Redis.from_url(url)


@contextmanager
def guard_queue(queue: redis.Redis) -> Iterator[None]:
    """Raise StoreUnavailable, which says what to do, where the queue's server cannot be used."""
    try:
        yield
    except redis.RedisError as exc:
        known: dict[str, Any] = queue.connection_pool.connection_kwargs
        place = known.get("path") or f"{known.get('host', 'localhost')}:{known.get('port', 6379)}"
        why = translate_error(exc, f"{place} (database {known.get('db', 0)}, the queue's)").message
        raise StoreUnavailable(f"the queue cannot be used: {why}", code=Code.QUEUE_UNAVAILABLE) from exc


def _name_next(url: str) -> str:
    """The URL with the number of the next database."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        raise UsageError("the store is at a socket, and no queue is named", hint="set STORM_QUEUE_URL")
    options = urlencode([option for option in parse_qsl(parts.query) if option[0] != "db"])
    return urlunsplit(parts._replace(path=f"/{_database_of(url) + 1}", query=options))


def _database_of(url: str) -> int:
    """The number of the database; an option counts before the path, as in redis-py."""
    parts = urlsplit(url)
    path = "" if parts.scheme == "unix" else parts.path
    number = dict(parse_qsl(parts.query)).get("db") or path.strip("/")
    return int(number) if number.isdigit() else 0


def _place_of(url: str) -> tuple[str, int, int]:
    """The server, by its path or by host and port, and the database; this machine by one name."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return os.path.realpath(unquote(parts.path)), 0, _database_of(url)
    host = parts.hostname or "localhost"
    return "localhost" if host in ("127.0.0.1", "::1") else host, parts.port or 6379, _database_of(url)
