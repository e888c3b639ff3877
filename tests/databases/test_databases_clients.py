"""Which clients a list of services gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from fault_server import open_http

from storm.databases.catalogue import read_services
from storm.databases.clients import CLIENTS, missing_keys, open_databases, open_registers
from storm.databases.http.local_limiter import LocalLimiter
from storm.databases.services.public import PublicDatabase
from storm.models import SearchQuery

CONFIG = Path(__file__).parents[2] / "config" / "databases.yaml"
KEYS = {"EPO_OPS_KEY": "a:b", "USPTO_ODP_API_KEY": "k", "BRAVE_API_KEY": "k", "STORM_CONTACT": "me@example.org"}


def names(environment: dict[str, str]) -> list[str]:
    return list(open_databases(open_http(), read_services(CONFIG, environment), LocalLimiter()))


def test_without_a_key_all_that_need_none_can_be_searched() -> None:
    listed = [service for service in read_services(CONFIG, {}).values() if service.enabled and not service.key_required]
    kinds = [CLIENTS[service.name] for service in listed]
    assert names({}) == [kind.info.name for kind in kinds if issubclass(kind, PublicDatabase)]
    assert {"pubmed", "chembl", "web"} < set(names({}))


def test_keys_switch_more_on() -> None:
    assert set(names(KEYS)) - set(names({})) == {"epo_ops", "uspto_odp"}


def test_the_web_is_searched_by_the_engine_that_has_a_key() -> None:
    found = open_databases(open_http(), read_services(CONFIG, KEYS), LocalLimiter())
    assert found["web"].service.name == "brave"


def test_what_waits_for_a_key_is_reported_save_engines_where_another_does_their_work() -> None:
    waiting = [service.name for service in missing_keys(read_services(CONFIG, {}))]
    assert waiting == ["epo_ops", "uspto_odp", "unpaywall"]
    assert missing_keys(read_services(CONFIG, KEYS)) == []


def test_free_copies_are_looked_for_only_with_a_contact() -> None:
    asked = [
        [type(r).__name__ for r in open_registers(open_http(), read_services(CONFIG, env), LocalLimiter())]
        for env in ({}, KEYS)
    ]
    assert asked == [["Pmc", "Crossref"], ["Pmc", "Crossref", "Unpaywall"]]


@pytest.mark.parametrize(
    ("name", "databases", "words"),
    [
        ("pubmed", (), ("safety",)),
        ("pubmed", ("pubmed", "chembl"), ("safety",)),
        ("pubmed", ("chembl",), None),
        ("chembl", ("chembl",), ()),
        ("epo_ops", ("patents",), ()),
        ("epo_ops", ("epo_ops",), ()),
    ],
)
def test_a_client_takes_of_a_query_what_it_reads(name: str, databases: tuple[str, ...], words: tuple[str, ...]) -> None:
    client = open_databases(open_http(), read_services(CONFIG, KEYS), LocalLimiter())[name]
    narrowed = client.database.narrow_query(SearchQuery(names=("x",), words=("safety",), databases=databases))
    assert (narrowed and (narrowed.words, narrowed.databases)) == (None if words is None else (words, ()))
