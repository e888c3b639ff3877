"""docs/databases.md: its table has a row for every database that can be searched, with the key that it takes."""

from __future__ import annotations

import re

import pytest
from pages import ROOT

from storm.databases.catalogue import read_services
from storm.databases.clients import CLIENTS
from storm.databases.services.public import PublicDatabase

ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*)$", (ROOT / "docs/databases.md").read_text(encoding="utf-8"), re.M))
SEARCHED = {kind.info.name: kind for kind in CLIENTS.values() if issubclass(kind, PublicDatabase)}


def test_every_database_has_its_row() -> None:
    assert set(ROWS) == set(SEARCHED)


def test_those_that_are_searched_for_what_changed_are_listed() -> None:
    listed = re.findall(r"^- `(\w+)`: ", (ROOT / "docs/databases.md").read_text(encoding="utf-8"), re.M)
    assert set(listed) == {name for name, kind in SEARCHED.items() if kind.dates_changes}


@pytest.mark.parametrize("name", SEARCHED)
def test_its_keys_stand_in_its_row(name: str) -> None:
    services = read_services(ROOT / "config/databases.yaml", {})
    keys = {services[service].key_variable for service in SEARCHED[name].service_names()} - {None}
    assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", ROWS[name])) == keys
