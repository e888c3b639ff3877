"""What every service may do wrong where one record is asked for by its id: an error, never another record.

A 404 is "there is none" only where the service means it so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sound_services as sound
from fault_server import Entry, FaultServer, Reply, open_http, service_at
from service_faults import FAULTS, names_nobody
from sound_services import CONTACT, KEY, NOTHING_AT_EPO, NOTHING_AT_OPENFDA, NOTHING_AT_USPTO, in_json, in_xml

from storm.databases.http.client import Http
from storm.databases.http.service import Service
from storm.databases.services.chembl import Chembl
from storm.databases.services.clinicaltrials_gov import ClinicalTrials
from storm.databases.services.crossref import Crossref
from storm.databases.services.dailymed import DailyMed
from storm.databases.services.epo_ops import EpoOps
from storm.databases.services.europepmc import EuropePmc
from storm.databases.services.openfda import OpenFda
from storm.databases.services.patents import Patents
from storm.databases.services.pubmed import PubMed
from storm.databases.services.unpaywall import Unpaywall
from storm.databases.services.uspto_odp import UsptoOdp
from storm.errors import ServiceError
from storm.models import Hit, Retraction, SearchOutcome, SearchStatus
from storm.ports import Register


@dataclass(frozen=True)
class Fetch:
    """One record asked for by its id: the sound answers to the calls, of which `path` gives the record.

    `other` is the record of another id, `missing` the 404 that means that there is none, `beside` what another place
    answers that is asked too.
    """

    fetch: Callable[[Http, Service], Callable[[str], Awaitable[object]]]
    id: str
    path: str
    answers: Mapping[str, Reply]
    other: Reply
    missing: Reply | None = None
    beside: Mapping[str, Reply] = field(default_factory=dict)


UNKNOWN = Reply("Resource not found.", status=404, content_type="text/plain")
SPL_PATH = f"/spls/{sound.set_id(1)}.xml"
FETCHES: dict[str, Fetch] = {
    "pubmed": Fetch(
        lambda http, service: PubMed(http, service).fetch,
        "1",
        "/efetch.fcgi",
        {"/efetch.fcgi": sound.pubmed_articles([1])},
        sound.pubmed_articles([9]),
    ),
    "pmc": Fetch(
        lambda http, service: sound.pmc(http, service).fetch,
        "PMC1",
        "/efetch.fcgi",
        {"/efetch.fcgi": sound.full_texts([1])},
        sound.full_texts([9]),
        beside={"/fullTextXML": UNKNOWN},
    ),
    "pmc at Europe PMC": Fetch(
        lambda http, service: sound.pmc(http, service).fetch,
        "PMC1",
        "/fullTextXML",
        {"/fullTextXML": in_xml(sound.full_text(1))},
        in_xml(sound.full_text(9)),
        UNKNOWN,
        beside={"/efetch.fcgi": in_xml("<pmc-articleset/>")},
    ),
    "europepmc": Fetch(
        lambda http, service: EuropePmc(http, service).fetch,
        "MED:1",
        "/search",
        {"/search": sound.europepmc_page(sound.europepmc_record("1"))},
        sound.europepmc_page(sound.europepmc_record("9")),
    ),
    "patents": Fetch(
        lambda http, service: Patents(http, service).fetch,
        "EP1",
        "/search",
        {"/search": sound.europepmc_page(sound.europepmc_record("EP1", "PAT"))},
        sound.europepmc_page(sound.europepmc_record("EP9", "PAT")),
    ),
    "epo_ops": Fetch(
        lambda http, service: EpoOps(http, service).fetch,
        "EP1000A1",
        "/biblio,abstract",
        {"/auth/accesstoken": sound.TOKEN, "/biblio,abstract": sound.epo_page([1000])},
        sound.epo_page([9000]),
        NOTHING_AT_EPO,
    ),
    "uspto_odp": Fetch(
        lambda http, service: UsptoOdp(http, service).fetch,
        "US7000001",
        "/patent/applications/search",
        {"/patent/applications/search": sound.applications([7000001], 1)},
        sound.applications([7000009], 1),
        NOTHING_AT_USPTO,
    ),
    "clinicaltrials": Fetch(
        lambda http, service: ClinicalTrials(http, service).fetch,
        "NCT00000001",
        "/studies/NCT00000001",
        {"/studies/NCT00000001": in_json(sound.study(1))},
        in_json(sound.study(9)),
        Reply("NCT number NCT00000001 not found", status=404, content_type="text/plain"),
    ),
    "chembl": Fetch(
        lambda http, service: Chembl(http, service).fetch,
        "CHEMBL1",
        "/molecule/CHEMBL1.json",
        {"/molecule/CHEMBL1.json": in_json(sound.molecule(1)), **sound.NO_ROWS},
        in_json(sound.molecule(9)),
        Reply("", status=404, content_type="text/html"),
    ),
    "openfda": Fetch(
        lambda http, service: OpenFda(http, service).fetch,
        sound.set_id(1),
        "/drug/label.json",
        {"/drug/label.json": sound.openfda_page(sound.label(1))},
        sound.openfda_page(sound.label(9)),
        NOTHING_AT_OPENFDA,
    ),
    "openfda, an application": Fetch(
        lambda http, service: OpenFda(http, service).fetch,
        "BLA125514",
        "/drug/drugsfda.json",
        {"/drug/drugsfda.json": sound.openfda_page(sound.drug_application(125514))},
        sound.openfda_page(sound.drug_application(9)),
        NOTHING_AT_OPENFDA,
    ),
    "openfda, the reports": Fetch(
        lambda http, service: OpenFda(http, service).fetch,
        "faers:pembrolizumab",
        "/drug/event.json",
        {"/drug/event.json": sound.COUNTS},
        sound.openfda_page(sound.label(1)),
        NOTHING_AT_OPENFDA,
    ),
    "dailymed": Fetch(
        lambda http, service: DailyMed(http, service).fetch,
        sound.set_id(1),
        SPL_PATH,
        {SPL_PATH: sound.spl(1)},
        sound.spl(9),
        Reply("<html>Not Found</html>", status=404, content_type="text/html"),
        beside={"/spls.json": sound.dailymed_page([], total=0)},
    ),
    "crossref": Fetch(
        lambda http, service: Crossref(http, service).fetch,
        "10.1000/w1",
        "/works/10.1000/w1",
        {"/works/10.1000/w1": in_json({"status": "ok", "message": sound.work(1)})},
        in_json({"status": "ok", "message": sound.work(9)}),
        UNKNOWN,
    ),
    "unpaywall": Fetch(
        lambda http, service: Unpaywall(http, service).find_open_copy,
        "10.1000/w1",
        "/10.1000/w1",
        {"/10.1000/w1": in_json({"doi": "10.1000/w1", "best_oa_location": {"url": "https://example.org/1"}})},
        in_json({"doi": "10.1000/w9", "best_oa_location": {"url": "https://example.org/9"}}),
        Reply(
            '{"HTTP_status_code":404,"error":true,"message":"\'10.1000/w1\' isn\'t in Unpaywall."}',
            status=404,
        ),
    ),
}
FETCH_CALLS = [
    pytest.param(name, path, id=f"{name} {path}") for name, asked in FETCHES.items() for path in asked.answers
]


async def fetch(name: str, faults: Mapping[str, Entry]) -> object:
    asked = FETCHES[name]
    async with FaultServer() as server, open_http() as http:
        for path, reply in {**asked.beside, **asked.answers, **faults}.items():
            server.on(path, reply)
        service = service_at(server.url, key=KEY, key_variable="A_KEY", contact=CONTACT, max_bytes=200_000, total=30.0)
        return await asked.fetch(http, service)(asked.id)


@pytest.mark.parametrize("name", FETCHES)
async def test_a_record_is_fetched_from_a_sound_service(name: str) -> None:
    assert await fetch(name, {}) is not None


@pytest.mark.parametrize(("name", "path"), FETCH_CALLS)
async def test_a_fault_where_one_record_is_asked_for_is_an_error(name: str, path: str) -> None:
    for fault, spoilt in FAULTS.items():
        if fault == "404 of a web server":
            continue
        with pytest.raises(ServiceError) as caught:
            await fetch(name, {path: spoilt(FETCHES[name].answers[path])})
        assert caught.value.message, fault
        assert names_nobody(caught.value.message), fault


@pytest.mark.parametrize("name", FETCHES)
async def test_another_record_than_the_one_asked_for_is_an_error(name: str) -> None:
    with pytest.raises(ServiceError):
        await fetch(name, {FETCHES[name].path: FETCHES[name].other})


@pytest.mark.parametrize("name", FETCHES)
async def test_another_record_than_the_one_asked_for_is_not_kept(name: str, tmp_path: Path) -> None:
    asked = FETCHES[name]
    async with FaultServer() as server, open_http(cache_dir=tmp_path) as http:
        for path, reply in {**asked.beside, **asked.answers}.items():
            server.on(path, reply)
        server.on(asked.path, asked.other, asked.answers[asked.path])
        client = asked.fetch(http, service_at(server.url, key=KEY, contact=CONTACT, ttl=3600.0))
        with pytest.raises(ServiceError):
            await client(asked.id)
        assert await client(asked.id) is not None


@pytest.mark.parametrize("name", [name for name, asked in FETCHES.items() if "xml" in asked.other.content_type])
async def test_a_damaged_record_is_asked_for_again(name: str) -> None:
    asked = FETCHES[name]
    good = asked.answers[asked.path]
    async with FaultServer() as server, open_http() as http:
        for path, reply in {**asked.beside, **asked.answers}.items():
            server.on(path, reply)
        server.on(asked.path, FAULTS["a body that is damaged"](good), good)
        assert await asked.fetch(http, service_at(server.url, key=KEY))(asked.id) is not None
        assert sum(seen.path.endswith(asked.path) for seen in server.requests) == 2


@pytest.mark.parametrize("name", [name for name, asked in FETCHES.items() if asked.missing])
async def test_a_404_by_which_a_service_means_that_it_has_no_such_record_is_none(name: str) -> None:
    missing = FETCHES[name].missing
    assert missing is not None
    assert await fetch(name, {FETCHES[name].path: missing}) is None


@pytest.mark.parametrize("name", [name for name, asked in FETCHES.items() if not asked.missing])
async def test_a_404_of_a_service_that_never_means_it_is_an_error(name: str) -> None:
    with pytest.raises(ServiceError):
        await fetch(name, {FETCHES[name].path: UNKNOWN})


WORK = Hit.of("crossref", "10.1000/w1", "https://doi.org/10.1000/w1", "Pembrolizumab", doi="10.1000/w1")
KNOWN, NOTICES = sound.works(sound.work(1)), sound.works()
FREE = FETCHES["unpaywall"].answers["/10.1000/w1"]


async def about(register: Callable[[Http, Service], Register], *script: Entry) -> SearchOutcome | None:
    async with FaultServer(*script) as server, open_http() as http:
        service = service_at(server.url, key=KEY, contact=CONTACT, max_bytes=200_000, total=30.0)
        return await register(http, service).look_up_hits([WORK])


async def test_sound_registers_tell_of_a_work() -> None:
    checked, free = await about(Crossref, KNOWN, NOTICES), await about(Unpaywall, FREE)
    assert checked is not None
    assert free is not None
    assert [hit.retraction for hit in checked.hits] == [Retraction.NOT_RETRACTED]
    assert [hit.open_url for hit in free.hits] == ["https://example.org/1"]


@pytest.mark.parametrize("call", ["the works", "their notices", "a free copy"])
async def test_a_fault_of_a_register_is_a_failure_and_never_a_work_that_is_not_retracted(call: str) -> None:
    for fault, spoilt in FAULTS.items():
        if call == "a free copy":
            outcome = await about(Unpaywall, spoilt(FREE))
        else:
            outcome = await about(Crossref, *([spoilt(KNOWN)] if call == "the works" else [KNOWN, spoilt(NOTICES)]))
        assert outcome is not None
        assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ()), fault
        assert outcome.reason, fault
        assert names_nobody(outcome.reason), fault
