"""Where the queue is: never in the database of the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from stores import open_embedded

from storm.errors import UsageError
from storm.store import Store
from storm.store.queue_server import connect_queue


@pytest.mark.parametrize(
    ("store_url", "queue_url", "number"),
    [
        ("redis://h:6380/0", None, 1),
        ("redis://h/0?db=3", None, 4),
        ("redis://h/0", "redis://h/1", 1),
        ("redis://h/0", "redis://other/0", 0),
        ("unix:///run/a.sock", "unix:///run/b.sock", 0),
        ("unix:///run/a.sock", "unix:///run/a.sock?db=2", 2),
    ],
)
def test_the_queue_is_in_the_database_that_is_named_or_in_the_next(
    store: Store, store_url: str, queue_url: str | None, number: int
) -> None:
    with connect_queue(store, queue_url, store_url) as queue:
        assert queue.connection_pool.connection_kwargs.get("db", 0) == number


@pytest.mark.parametrize(
    ("store_url", "queue_url"),
    [
        ("redis://h/0", "redis://h"),
        ("redis://h/0", "redis://h:6379?db=0"),
        ("redis://localhost/0", "redis://127.0.0.1/0"),
        ("unix:///run/a.sock", "unix:///run/a.sock"),
    ],
)
def test_the_database_of_the_store_is_refused_however_it_is_written(
    store: Store, store_url: str, queue_url: str
) -> None:
    with pytest.raises(UsageError, match="names the database of the store"):
        connect_queue(store, queue_url, store_url)


def test_an_option_that_the_client_does_not_know_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="STORM_QUEUE_URL has an option that storm does not accept: colour"):
        connect_queue(store, "redis://h/1?colour=red", "redis://h/0")


@pytest.mark.parametrize("url", ["http://h/1", "redis://h:port/1", "nonsense"])
def test_what_is_no_address_is_said_without_repeating_it(store: Store, url: str) -> None:
    with pytest.raises(UsageError, match="STORM_QUEUE_URL is not a Redis URL"):
        connect_queue(store, url, "redis://h/0")


async def test_the_database_of_the_embedded_store_is_refused_and_another_of_its_server_is_taken(
    tmp_path: Path,
) -> None:
    (tmp_path / "linked").symlink_to(tmp_path)
    async with await open_embedded(tmp_path) as embedded:
        linked = embedded.address.replace(str(tmp_path), str(tmp_path / "linked"))
        for address in (embedded.address, linked, embedded.address.replace("store", "%73tore")):
            with pytest.raises(UsageError, match="names the database of the store"):
                connect_queue(embedded, f"unix://{address}", None)
        with connect_queue(embedded, f"unix://{embedded.address}?db=2", None) as queue:
            assert queue.connection_pool.connection_kwargs["db"] == 2
