"""Which clients are asked for what was entered or changed since a day; the others search all that they have."""

from __future__ import annotations

import pytest
from fault_server import open_http, service_at
from sound_services import SERVICES

from storm.models import SearchQuery

QUERY = SearchQuery(names=("pembrolizumab",), changed_since="2026-05-14")


@pytest.mark.parametrize("name", SERVICES)
async def test_a_service_that_has_no_days_of_its_records_is_searched_whole(name: str) -> None:
    async with open_http() as http:
        client = SERVICES[name].make(http, service_at("http://127.0.0.1:1"))
        narrowed = client.narrow_query(QUERY)
    assert narrowed is not None
    dated = client.name in ("pubmed", "europepmc", "clinicaltrials")
    assert narrowed.changed_since == ("2026-05-14" if dated else None)
    assert ("entered or changed since 2026-05-14" in str(narrowed)) is dated


@pytest.mark.parametrize("name", SERVICES)
async def test_only_pubmed_reads_pubmeds_syntax(name: str) -> None:
    async with open_http() as http:
        client = SERVICES[name].make(http, service_at("http://127.0.0.1:1"))
        query = SearchQuery(names=("metformin",), databases=(client.name,), native="metformin[tiab]")
        narrowed = client.narrow_query(query)
    assert narrowed is not None
    assert (narrowed.native, narrowed.names) == ("metformin[tiab]" * (client.name == "pubmed"), query.names)
    elsewhere = client.narrow_query(query.model_copy(update={"databases": ("nowhere",)}))
    assert elsewhere is None
