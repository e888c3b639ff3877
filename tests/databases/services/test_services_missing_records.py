"""A 404 means that there is no such record only in the words of the service; a web server's is a failure."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

import pytest
from fault_server import FaultServer, Reply, open_http, service_at

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.chembl import Chembl
from storm.databases.services.clinicaltrials_gov import ClinicalTrials
from storm.databases.services.crossref import Crossref
from storm.databases.services.dailymed import DailyMed
from storm.databases.services.unpaywall import Unpaywall
from storm.errors import ServiceError
from storm.models import Hit, SearchStatus

SET_ID = "00000000-0000-4000-8000-000000000001"
Ask = Callable[[Http, Service], Awaitable[object]]
ASKED: dict[str, Ask] = {
    "clinicaltrials": lambda http, service: ClinicalTrials(http, service).fetch("NCT00000007"),
    "chembl": lambda http, service: Chembl(http, service).fetch("CHEMBL5"),
    "dailymed": lambda http, service: DailyMed(http, service).fetch(SET_ID),
    "crossref": lambda http, service: Crossref(http, service).fetch("10.1000/w1"),
    "unpaywall": lambda http, service: Unpaywall(http, service).find_open_copy("10.1000/w1"),
}
#: 404s of servers that know nothing of the service, and one that names another record.
OF_A_WEB_SERVER = [
    Reply("<!DOCTYPE html><html><body>This API has moved.</body></html>", status=404, content_type="text/html"),
    Reply("<html><h1>404 Not Found</h1><hr>nginx</html>", status=404, content_type="text/html"),
    Reply("404 page not found", status=404, content_type="text/plain"),
    Reply('{"message":"no route"}', status=404),
    Reply("NCT number NCT00000008 not found", status=404, content_type="text/plain"),
    Reply("<!DOCTYPE html><p>NCT number NCT00000007 not found</p>", status=404, content_type="text/html"),
    Reply("", status=404, content_type="text/html"),
    Reply('{"error_message": "no such page"}', status=404),
    Reply('{"error":true,"message":"no route matched"}', status=404),
    Reply('{"HTTP_status_code":404,"error":true,"message":"no route matched"}', status=404),
]


def unpaywall(message: str) -> Reply:
    return Reply(json.dumps({"HTTP_status_code": 404, "error": True, "message": message}), status=404)


async def ask(name: str, *script: Reply) -> object:
    async with FaultServer(*script) as server, open_http() as http:
        return await ASKED[name](http, service_at(server.url, contact="someone@example.org"))


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("answer", OF_A_WEB_SERVER)
async def test_a_404_of_a_web_server_is_a_failure(name: str, answer: Reply) -> None:
    with pytest.raises(ServiceError) as caught:
        await ask(name, answer)
    assert caught.value.status == 404
    assert caught.value.message.startswith("it answered HTTP 404")
    assert ("a web page" in caught.value.message) is str(answer.body).startswith("<")


async def test_a_404_of_a_web_server_is_no_work_without_a_free_copy() -> None:
    work = Hit.of("crossref", "10.1000/w1", "https://doi.org/10.1000/w1", "A paper", doi="10.1000/w1")
    async with FaultServer(OF_A_WEB_SERVER[0]) as server, open_http() as http:
        outcome = await Unpaywall(http, service_at(server.url, contact="someone@example.org")).look_up_hits([work])
    assert outcome is not None
    assert outcome.status is SearchStatus.FAILED


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("clinicaltrials", Reply("NCT number NCT00000007 not found", status=404, content_type="text/plain")),
        ("crossref", Reply("Resource not found.", status=404, content_type="text/plain")),
        ("unpaywall", unpaywall("'10.1000/w1' isn't in Unpaywall. See https://support.unpaywall.org/a/solutions")),
        ("unpaywall", unpaywall("'10.1000/w1' is an invalid doi. See https://support.unpaywall.org/a/solutions")),
    ],
)
async def test_the_services_own_404_is_no_such_record(name: str, answer: Reply) -> None:
    assert await ask(name, answer) is None


def molecule_list(*rows: dict[str, str]) -> Reply:
    return Reply(json.dumps({"molecules": rows, "page_meta": {"total_count": len(rows), "next": None}}))


@pytest.mark.parametrize("answer", OF_A_WEB_SERVER)
async def test_chembls_list_says_whether_a_molecule_with_a_404_exists(answer: Reply) -> None:
    assert await ask("chembl", answer, molecule_list()) is None
    with pytest.raises(ServiceError, match="HTTP 404"):
        await ask("chembl", answer, molecule_list({"molecule_chembl_id": "CHEMBL5"}))


def label_list(*set_ids: str) -> Reply:
    rows = [{"setid": set_id, "title": "ASPIRIN", "published_date": "Jun 11, 2024"} for set_id in set_ids]
    return Reply(json.dumps({"data": rows, "metadata": {"total_elements": str(len(rows)), "next_page": "null"}}))


@pytest.mark.parametrize("answer", OF_A_WEB_SERVER)
async def test_dailymeds_list_says_whether_a_label_with_a_404_exists(answer: Reply) -> None:
    assert await ask("dailymed", answer, label_list()) is None
    with pytest.raises(ServiceError, match="HTTP 404"):
        await ask("dailymed", answer, label_list(SET_ID))
    with pytest.raises(ServiceError, match="was returned instead of"):
        await ask("dailymed", answer, label_list("00000000-0000-4000-8000-000000000002"))
