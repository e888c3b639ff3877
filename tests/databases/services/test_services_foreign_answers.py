"""An answer about something else than what was asked for is a failure: neither found nor nothing found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fault_server import FaultServer, Reply, open_http, service_at

from storm.databases.services.chembl import Chembl
from storm.databases.services.openfda import OpenFda
from storm.errors import BadAnswer
from storm.models import SearchOutcome, SearchQuery, SearchStatus

ASPIRIN, SALT, TRASTUZUMAB = "CHEMBL25", "CHEMBL2260549", "CHEMBL1201585"


def molecule(number: str, name: str, parent: str) -> dict[str, Any]:
    hierarchy = {"molecule_chembl_id": number, "parent_chembl_id": parent}
    return {"molecule_chembl_id": number, "pref_name": name, "molecule_hierarchy": hierarchy, "max_phase": "4.0"}


def indication(number: str | None, parent: str | None, disease: str = "Breast Neoplasms") -> dict[str, Any]:
    row = {"mesh_heading": disease, "max_phase_for_ind": "4.0", "mechanism_of_action": "x", "warning_type": "Withdrawn"}
    return {**row, "molecule_chembl_id": number, "parent_molecule_chembl_id": parent}


def table(plural: str, *rows: dict[str, Any]) -> Reply:
    return Reply(json.dumps({plural: list(rows), "page_meta": {"next": None, "total_count": len(rows)}}))


def chembl_of_aspirin() -> FaultServer:
    aspirin, salt = molecule(ASPIRIN, "ASPIRIN", ASPIRIN), molecule(SALT, "ASPIRIN LYSINE", ASPIRIN)
    server = FaultServer()
    server.on("/molecule/search.json", table("molecules", aspirin))
    server.on(f"/molecule/{ASPIRIN}.json", Reply(json.dumps(aspirin)))
    server.on("/molecule.json", table("molecules", aspirin, salt))
    for name in ("mechanism", "drug_indication", "drug_warning"):
        server.on(f"/{name}.json", table(f"{name}s"))
    return server


async def search_aspirin(server: FaultServer) -> SearchOutcome:
    async with server, open_http() as http:
        return await Chembl(http, service_at(server.url)).search(SearchQuery(names=("aspirin",)), 10)


@pytest.mark.parametrize("name", ["mechanism", "drug_indication", "drug_warning"])
@pytest.mark.parametrize(
    "row",
    [
        indication(TRASTUZUMAB, TRASTUZUMAB),
        indication(TRASTUZUMAB, ASPIRIN),
        indication(ASPIRIN, TRASTUZUMAB),
        indication(TRASTUZUMAB, None),
        indication(None, TRASTUZUMAB),
    ],
)
async def test_rows_of_another_molecule_fail_the_search(name: str, row: dict[str, Any]) -> None:
    server = chembl_of_aspirin()
    server.on(f"/{name}.json", table(f"{name}s", indication(ASPIRIN, ASPIRIN), row))
    outcome = await search_aspirin(server)
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())
    assert f"{TRASTUZUMAB} was returned instead of" in outcome.reason


async def test_a_salt_of_another_molecule_fails_the_search() -> None:
    server = chembl_of_aspirin()
    server.on("/molecule.json", table("molecules", molecule(TRASTUZUMAB, "TRASTUZUMAB", TRASTUZUMAB)))
    outcome = await search_aspirin(server)
    assert (outcome.status, outcome.reason) == (
        SearchStatus.FAILED,
        f"{TRASTUZUMAB} was returned instead of {ASPIRIN}",
    )


async def test_a_molecule_with_rows_of_another_is_not_fetched() -> None:
    server = chembl_of_aspirin()
    server.on("/drug_indication.json", table("drug_indications", indication(TRASTUZUMAB, TRASTUZUMAB)))
    async with server, open_http() as http:
        with pytest.raises(BadAnswer, match=f"{TRASTUZUMAB} was returned instead of"):
            await Chembl(http, service_at(server.url)).fetch(ASPIRIN)


@pytest.mark.parametrize(
    "row", [indication(ASPIRIN, ASPIRIN), indication(SALT, ASPIRIN), indication(SALT, None), indication(None, None)]
)
async def test_rows_of_the_molecule_its_salts_and_rows_that_do_not_say_are_taken(row: dict[str, Any]) -> None:
    server = chembl_of_aspirin()
    server.on("/drug_indication.json", table("drug_indications", row))
    outcome = await search_aspirin(server)
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, "")
    assert "ASPIRIN is approved for Breast Neoplasms." in outcome.hits[0].text


async def test_rows_are_checked_by_their_parent_where_the_salts_cannot_be_had() -> None:
    server = chembl_of_aspirin()
    server.on("/molecule.json", Reply("{}", status=400))
    server.on("/drug_indication.json", table("drug_indications", indication(SALT, ASPIRIN)))
    assert (await search_aspirin(server)).status is SearchStatus.FOUND
    server.on("/drug_indication.json", table("drug_indications", indication(TRASTUZUMAB, TRASTUZUMAB)))
    assert (await search_aspirin(server)).status is SearchStatus.FAILED


def openfda_page(*records: dict[str, Any]) -> Reply:
    return Reply(json.dumps({"meta": {"results": {"total": len(records)}}, "results": list(records)}))


def label(number: int, brand: str, generic: str) -> dict[str, Any]:
    names = {"brand_name": [brand], "generic_name": [generic]}
    return {"set_id": f"00000000-0000-4000-8000-{number:012}", "openfda": names, "indications_and_usage": ["For pain."]}


async def search_openfda(labels: Reply, applications: Reply) -> SearchOutcome:
    nothing = Reply('{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}', status=404)
    server = FaultServer(nothing)
    server.on("/drug/label.json", labels)
    server.on("/drug/drugsfda.json", applications)
    async with server, open_http() as http:
        return await OpenFda(http, service_at(server.url)).search(SearchQuery(names=("Co-Aspirin", "aspirin")), 10)


async def test_a_label_and_an_application_of_another_drug_are_no_answer() -> None:
    application = {"application_number": "BLA103792", "products": [{"brand_name": "HERCEPTIN"}]}
    outcome = await search_openfda(openfda_page(label(1, "HERCEPTIN", "TRASTUZUMAB")), openfda_page(application))
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())
    assert "BLA103792 was not requested and is left out" in outcome.reason


async def test_labels_of_the_drug_are_taken_and_those_of_another_are_left_out_and_counted() -> None:
    labels = openfda_page(label(1, "CO ASPIRIN 75", "ASPIRIN"), label(2, "HERCEPTIN", "TRASTUZUMAB"))
    outcome = await search_openfda(labels, openfda_page(label(3, "Bayer", "ASPIRIN AND CAFFEINE")))
    assert [hit.external_id[-1] for hit in outcome.hits] == ["1", "3"]
    assert "1 record of the answer could not be read" in outcome.reason
