"""What every service may do wrong, done to each call of each client: it ends as a failure, never as nothing found.

`sound_services` says what each client asks for and what a sound answer is; here one answer, or all, go wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import sound_services as sound
from fault_server import Entry, FaultServer, Reply, Time, closed_port, open_http, service_at
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers
from service_faults import ECHO, FAULTS, MEGABYTES, PASSING, names_nobody, without_records
from sound_services import (
    CALLER,
    NOTHING_AT_EPO,
    NOTHING_AT_OPENFDA,
    NOTHING_AT_USPTO,
    QUERY,
    SERVICES,
    in_json,
    in_xml,
)

from storm.databases.services.web_engines.duckduckgo import DuckDuckGo
from storm.databases.services.web_search import WebSearch
from storm.errors import RateLimited, ServiceDown
from storm.models import SearchOutcome, SearchStatus

CALLS = [
    pytest.param(name, path, id=f"{name} {path}")
    for name, played in SERVICES.items()
    for path in played.answers
    if (name, path) != ("pubmed, by the history", "/esearch.fcgi")  # the same call as PubMed's without the history
]


async def search(
    name: str, faults: Mapping[str, Sequence[Entry]], time: Time | None = None, **changes: Any
) -> tuple[SearchOutcome, FaultServer]:
    """The outcome where these calls are answered so, and all others soundly."""
    async with FaultServer() as server, open_http(time) as http:
        SERVICES[name].play(server)
        for path, script in faults.items():
            server.on(path, *script)
        outcome = await SERVICES[name].client(http, server.url, **changes).search(QUERY, SERVICES[name].limit)
    return outcome, server


def assert_reported(outcome: SearchOutcome, fault: str, *, others: bool = False) -> None:
    """What failed is reported: as a failed search, or beside what the other calls found."""
    wanted = SearchStatus.FOUND if others else SearchStatus.FAILED
    assert (outcome.status, bool(outcome.reason)) == (wanted, True), (fault, outcome)
    assert names_nobody(outcome.reason), (fault, outcome.reason)


@pytest.mark.parametrize("name", SERVICES)
async def test_a_sound_service_is_found_whole(name: str) -> None:
    outcome, server = await search(name, {})
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, "")
    assert len(outcome.hits) == SERVICES[name].hits
    assert all(any(seen.path.endswith(path) for seen in server.requests) for path in SERVICES[name].answers)
    searched = next((seen.path for seen in server.requests if seen.method == "GET"), "")
    asked = urlsplit(outcome.address)
    assert unquote(asked.path) == searched
    assert "pembrolizumab" in unquote(asked.query).casefold() or name == "tavily"
    assert names_nobody(asked.query)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), CALLS)
async def test_a_fault_in_any_call_is_reported_and_never_nothing_found(name: str, path: str) -> None:
    played = SERVICES[name]
    for fault, spoilt in FAULTS.items():
        if (fault, path) == ("a body that is damaged", "/epost.fcgi"):
            continue  # the key and the place that it tells are whole
        outcome, _ = await search(name, {path: [spoilt(played.answers[path])]})
        assert_reported(outcome, fault, others=path in played.parts)


@pytest.mark.parametrize("name", [name for name, played in SERVICES.items() if played.parts])
async def test_a_fault_in_all_calls_is_a_failed_search(name: str) -> None:
    for fault, spoilt in FAULTS.items():
        outcome, _ = await search(name, {path: [spoilt(good)] for path, good in SERVICES[name].answers.items()})
        assert_reported(outcome, fault)


@pytest.mark.parametrize(("name", "path"), CALLS)
async def test_a_fault_that_passes_leaves_no_trace(name: str, path: str) -> None:
    good = SERVICES[name].answers[path]
    for fault, spoilt in PASSING.items():
        outcome, _ = await search(name, {path: [spoilt(good), good]})
        assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, ""), fault
        assert len(outcome.hits) == SERVICES[name].hits, fault


@pytest.mark.parametrize(("name", "path"), CALLS)
async def test_a_service_is_left_alone_for_as_long_as_it_asks(name: str, path: str) -> None:
    good, time = SERVICES[name].answers[path], Time()
    outcome, _ = await search(name, {path: [Reply(status=429, headers={"Retry-After": "7"}), good]}, time)
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, "")
    assert 7.0 in time.slept


@pytest.mark.parametrize(("name", "path"), CALLS)
async def test_a_body_of_100_megabytes_is_not_read_to_its_end(name: str, path: str) -> None:
    endless = replace(SERVICES[name].answers[path], body=b'{"a": "' + b"a" * 99_993, times=1000)
    outcome, server = await search(name, {path: [endless]})
    assert_reported(outcome, "100 MB", others=path in SERVICES[name].parts)
    assert "longer than 0.2 MB" in outcome.reason
    assert server.sent < 50 * MEGABYTES


def stages() -> list[Any]:
    """The calls of each search one by one, and together those of which it can miss one."""
    together = [pytest.param(name, sorted(played.parts), id=name) for name, played in SERVICES.items() if played.parts]
    alone = [call for call in CALLS if call.values[1] not in SERVICES[str(call.values[0])].parts]
    return [*(pytest.param(call.values[0], [call.values[1]], id=call.id) for call in alone), *together]


@pytest.mark.parametrize(("name", "paths"), stages())
async def test_a_service_that_drips_is_not_waited_for_beyond_the_deadline(name: str, paths: list[str]) -> None:
    dripping = {path: [replace(SERVICES[name].answers[path], piece=1, pause=0.01)] for path in paths}
    outcome, _ = await search(name, dripping, total=0.05)
    assert outcome.status is not SearchStatus.NONE
    assert outcome.reason


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://127.0.0.1:{port}", "no secure connection"),
        ("http://no-such-host.invalid", "its server was not found (no network?)"),
        ("http://127.0.0.1:{closed}", "no connection"),
    ],
)
@pytest.mark.parametrize("name", SERVICES)
async def test_a_service_that_cannot_be_reached_is_a_failed_search(name: str, url: str, expected: str) -> None:
    async with FaultServer() as server, open_http() as http:
        with closed_port() as closed:
            client = SERVICES[name].client(http, url.format(port=server.port, closed=closed))
            outcome = await client.search(QUERY, 10)
    assert outcome.status is SearchStatus.FAILED
    assert expected in outcome.reason
    assert names_nobody(outcome.reason)


@pytest.mark.parametrize("name", SERVICES)
async def test_sound_answers_of_the_wrong_content_type_are_taken(name: str) -> None:
    for kind in ("text/html", "application/octet-stream", "image/png", ""):
        mislabelled = {path: [replace(good, content_type=kind)] for path, good in SERVICES[name].answers.items()}
        outcome, _ = await search(name, mislabelled)
        assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, ""), kind


@pytest.mark.parametrize(("name", "path"), CALLS)
async def test_a_failure_inside_of_a_success_is_not_kept(name: str, path: str, tmp_path: Path) -> None:
    good = SERVICES[name].answers[path]
    for fault in ("an error inside", "another kind of record", "a list"):
        async with FaultServer() as server, open_http(cache_dir=tmp_path / fault) as http:
            SERVICES[name].play(server)
            server.on(path, FAULTS[fault](good))
            client = SERVICES[name].client(http, server.url, ttl=3600.0)
            assert_reported(await client.search(QUERY, 10), fault, others=path in SERVICES[name].parts)
            server.on(path, good)
            outcome = await client.search(QUERY, 10)
            assert (outcome.status, outcome.reason) == (SearchStatus.FOUND, ""), fault


#: Calls whose answers count what they list, or list what another call counted.
LISTS = [
    pytest.param(name, path, id=f"{name} {path}")
    for name, played in SERVICES.items()
    for path in played.answers
    if without_records(played.answers[path]).content != played.answers[path].content
    and name not in ("tavily", "brave", "searxng")
    and path not in ("/auth/accesstoken", "/epost.fcgi")
]


@pytest.mark.parametrize(("name", "path"), LISTS)
async def test_a_count_of_records_without_one_is_a_failure_that_is_not_kept(
    name: str, path: str, tmp_path: Path
) -> None:
    good = SERVICES[name].answers[path]
    limit = SERVICES[name].limit
    async with FaultServer() as server, open_http(cache_dir=tmp_path) as http:
        SERVICES[name].play(server)
        server.on(path, without_records(good), good)
        client = SERVICES[name].client(http, server.url, ttl=3600.0)
        assert_reported(await client.search(QUERY, limit), "no records", others=path in SERVICES[name].parts)
        outcome = await client.search(QUERY, limit)
    assert (outcome.status, outcome.reason, len(outcome.hits)) == (SearchStatus.FOUND, "", SERVICES[name].hits)


#: Answers that list fewer records than they count, and name no page to go on with.
SHORT = {
    "pubmed": ("/esearch.fcgi", in_json({"esearchresult": {"count": "80", "idlist": ["1", "2"]}})),
    "pmc": ("/esearch.fcgi", in_json({"esearchresult": {"count": "20", "idlist": ["1", "2"]}})),
    "europepmc": (
        "/search",
        sound.europepmc_page(sound.europepmc_record("1"), sound.europepmc_record("2"), total=80),
    ),
    "patents": (
        "/search",
        sound.europepmc_page(sound.europepmc_record("EP1", "PAT"), sound.europepmc_record("EP2", "PAT"), total=80),
    ),
    "epo_ops": ("/search/biblio,abstract", sound.epo_page([1, 2], total=80)),
    "uspto_odp": ("/patent/applications/search", sound.applications([7000001, 7000002], total=40)),
    "clinicaltrials": ("/studies", sound.studies([1, 2], total=80)),
    "openfda": ("/drug/label.json", sound.openfda_page(sound.label(1), sound.label(2), total=20)),
    "dailymed": ("/spls.json", sound.dailymed_page([1, 2], total=80)),
    "crossref": (
        "/works",
        in_json({"status": "ok", "message": {"total-results": 80, "items": [sound.work(1), sound.work(2)]}}),
    ),
    "chembl": (
        "/drug_warning.json",
        in_json({"drug_warnings": [{"warning_type": "Withdrawn"}], "page_meta": {"total_count": 80, "next": None}}),
    ),
}


@pytest.mark.parametrize("name", SHORT)
async def test_a_service_that_stops_before_the_last_record_it_counts_is_searched_in_part(name: str) -> None:
    path, short = SHORT[name]
    async with FaultServer() as server, open_http() as http:
        SERVICES[name].play(server)
        server.on(path, short)
        outcome = await SERVICES[name].client(http, server.url).search(QUERY, 100)
    assert (outcome.status, len(outcome.hits)) == (SearchStatus.FOUND, SERVICES[name].hits)
    assert "the service stopped after " in outcome.reason
    assert outcome.incomplete


#: How each service says with status 200 that it could not do what was asked.
REFUSALS = [
    ("pubmed", "/esearch.fcgi", in_json({"esearchresult": {"ERROR": f"Search Backend failed: {ECHO}"}})),
    ("pubmed", "/esearch.fcgi", in_json({"esearchresult": {"ERROR": ECHO}})),
    ("pubmed", "/efetch.fcgi", in_xml(f"<eFetchResult><ERROR>{ECHO}</ERROR></eFetchResult>")),
    ("pubmed", "/efetch.fcgi", in_xml("<PubmedArticleSet></PubmedArticleSet>")),
    ("pubmed, by the history", "/epost.fcgi", in_xml(f"<ePostResult><ERROR>{ECHO}</ERROR></ePostResult>")),
    ("pubmed, by the history", "/efetch.fcgi", in_xml(f"<eFetchResult><ERROR>{ECHO}</ERROR></eFetchResult>")),
    ("pmc", "/esearch.fcgi", in_json({"esearchresult": {"ERROR": ECHO}})),
    ("pmc", "/efetch.fcgi", in_xml(f"<pmc-articleset><Reply Id='1' error='not to {CALLER}'/></pmc-articleset>")),
    ("europepmc", "/search", in_json({"version": "6.9", "errCode": 404, "errMsg": ECHO})),
    ("patents", "/search", in_json({"version": "6.9", "errCode": 404, "errMsg": ECHO})),
    ("epo_ops", "/auth/accesstoken", in_json({"error": "invalid_client", "error_description": ECHO})),
    ("epo_ops", "/search/biblio,abstract", in_xml(f"<fault><code>SERVER.X</code><message>{ECHO}</message></fault>")),
    ("uspto_odp", "/patent/applications/search", in_json({"code": "500", "error": ECHO, "errorDetails": ECHO})),
    ("clinicaltrials", "/studies", in_json({"error": ECHO})),
    ("chembl", "/molecule/search.json", in_json({"error_message": ECHO})),
    ("chembl", "/mechanism.json", in_json({"error_message": ECHO})),
    ("openfda", "/drug/label.json", in_json({"error": {"code": "SERVER_ERROR", "message": ECHO}})),
    ("openfda", "/drug/event.json", in_json({"error": {"code": "OVER_RATE_LIMIT", "message": ECHO}})),
    ("dailymed", "/spls.json", in_json({"error": ECHO})),
    ("crossref", "/works", in_json({"status": "failed", "message-type": "exception", "message": ECHO})),
    ("tavily", "/search", in_json({"detail": {"error": ECHO}})),
    ("brave", "/web/search", in_json({"type": "ErrorResponse", "error": {"code": "X", "detail": ECHO}})),
    ("searxng", "/search", in_json({"error": ECHO})),
    ("searxng", "/search", in_json({"results": [], "unresponsive_engines": [["google", ECHO]]})),
]


@pytest.mark.parametrize(("name", "path", "refusal"), REFUSALS)
async def test_each_services_own_refusal_at_status_200_is_reported(name: str, path: str, refusal: Reply) -> None:
    outcome, _ = await search(name, {path: [refusal]})
    assert_reported(outcome, refusal.content.decode(), others=path in SERVICES[name].parts)


@pytest.mark.parametrize(
    ("name", "path", "nothing"),
    [
        *(("openfda", path, NOTHING_AT_OPENFDA) for path in SERVICES["openfda"].answers),
        ("uspto_odp", "/patent/applications/search", NOTHING_AT_USPTO),
        ("epo_ops", "/search/biblio,abstract", NOTHING_AT_EPO),
    ],
)
async def test_a_404_by_which_a_service_means_that_nothing_matches_is_no_failure(
    name: str, path: str, nothing: Reply
) -> None:
    outcome, _ = await search(name, {path: [nothing]})
    others = SERVICES[name].parts
    assert (outcome.status, outcome.reason) == (SearchStatus.FOUND if others else SearchStatus.NONE, "")
    outcome, _ = await search(name, {end: [nothing] for end in others or {path}})
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


#: Records that were not asked for, from the call that gives records.
STRANGERS = [
    ("pubmed", "/efetch.fcgi", sound.pubmed_articles([8, 9]), "none of the 2 records"),
    ("pubmed, by the history", "/efetch.fcgi", sound.pubmed_articles([998, 999]), "none of the 201 records"),
    ("pmc", "/efetch.fcgi", sound.full_texts([8, 9]), "none of the 2 records"),
    ("europepmc", "/search", sound.europepmc_page(sound.europepmc_record("8", "PAT")), "could not be read"),
    ("patents", "/search", sound.europepmc_page(sound.europepmc_record("8")), "could not be read"),
]


@pytest.mark.parametrize(("name", "path", "strangers", "expected"), STRANGERS)
async def test_records_that_come_unasked_are_not_taken(name: str, path: str, strangers: Reply, expected: str) -> None:
    outcome, _ = await search(name, {path: [strangers]})
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())
    assert expected in outcome.reason


async def test_the_text_of_another_label_is_not_taken() -> None:
    path = f"/spls/{sound.set_id(1)}.xml"
    outcome, _ = await search("dailymed", {path: [sound.spl(9)]})
    assert [(hit.external_id, bool(hit.text)) for hit in outcome.hits] == [
        (sound.set_id(1), False),
        (sound.set_id(2), True),
    ]
    assert f"{sound.set_id(9)} was returned instead of {sound.set_id(1)}" in outcome.reason


ONE_PAGE_OF_MANY = in_json({"esearchresult": {"count": "9000", "idlist": ["1", "2"]}})
ONE_PAGE_OF_TWO = in_json({"esearchresult": {"count": "600", "idlist": ["1", "2"]}})
SAME_ROWS = sound.chembl_table("mechanisms", {"mechanism_of_action": "PD-1 inhibitor"}, following="/again")
EUROPEPMC_PAGE = sound.europepmc_page(sound.europepmc_record("1"), total=900, cursor="c")
PATENTS_PAGE = sound.europepmc_page(sound.europepmc_record("1", "PAT"), total=900, cursor="c")
#: Searches whose every page is the same and names a next one, without end or with one more only; the hits in all.
LOOPS: dict[str, tuple[str, str, Reply, int]] = {
    "pubmed": ("pubmed", "/esearch.fcgi", ONE_PAGE_OF_MANY, 2),
    "pubmed, two pages": ("pubmed", "/esearch.fcgi", ONE_PAGE_OF_TWO, 2),
    "pmc": ("pmc", "/esearch.fcgi", ONE_PAGE_OF_MANY, 2),
    "europepmc": ("europepmc", "/search", EUROPEPMC_PAGE, 1),
    "patents": ("patents", "/search", PATENTS_PAGE, 1),
    "epo_ops": ("epo_ops", "/search/biblio,abstract", sound.epo_page([1, 2], total=900), 2),
    "epo_ops, two pages": ("epo_ops", "/search/biblio,abstract", sound.epo_page([1, 2], total=150), 2),
    "uspto_odp": ("uspto_odp", "/patent/applications/search", sound.applications([7000001], total=900), 1),
    "uspto_odp, two pages": ("uspto_odp", "/patent/applications/search", sound.applications([7000001], total=80), 1),
    "clinicaltrials": ("clinicaltrials", "/studies", sound.studies([1, 2], token="again", total=900), 2),
    "openfda": ("openfda", "/drug/label.json", sound.openfda_page(sound.label(1), total=900), 3),
    "openfda, two pages": ("openfda", "/drug/label.json", sound.openfda_page(sound.label(1), total=40), 3),
    "dailymed": ("dailymed", "/spls.json", sound.dailymed_page([1, 2], following="2", total=900), 2),
    "chembl": ("chembl", "/mechanism.json", SAME_ROWS, 2),
}


async def walk(loop: str, *further: Entry) -> tuple[SearchOutcome, FaultServer]:
    """The outcome of a search for a thousand records where that page comes first, and then these."""
    name, path, page, _ = LOOPS[loop]
    async with FaultServer() as server, open_http() as http:
        SERVICES[name].play(server)
        server.on(path, page, *further)
        return await SERVICES[name].client(http, server.url).search(QUERY, 1000), server


@pytest.mark.parametrize("loop", LOOPS)
async def test_a_service_that_gives_one_page_for_ever_is_left_with_what_it_gave(loop: str) -> None:
    outcome, server = await walk(loop)
    assert (outcome.status, len(outcome.hits)) == (SearchStatus.FOUND, LOOPS[loop][3])
    assert "the service repeats a page" in outcome.reason
    # ChEMBL is asked for the table of each of two molecules.
    pages = sum(seen.path.endswith(LOOPS[loop][1]) for seen in server.requests)
    assert pages == (4 if loop == "chembl" else 2)


@pytest.mark.parametrize("name", ["europepmc", "patents", "clinicaltrials"])
async def test_one_page_under_ever_new_tokens_is_left_with_what_it_gave(name: str) -> None:
    token = count()
    pages: dict[str, Callable[[str], Reply]] = {
        "europepmc": lambda new: sound.europepmc_page(sound.europepmc_record("1"), total=900, cursor=new),
        "patents": lambda new: sound.europepmc_page(sound.europepmc_record("1", "PAT"), total=900, cursor=new),
        "clinicaltrials": lambda new: sound.studies([1], token=new, total=900),
    }
    path = next(iter(SERVICES[name].answers))
    outcome, server = await search(name, {path: [lambda seen: pages[name](f"token {next(token)}")]})
    assert (outcome.status, len(outcome.hits)) == (SearchStatus.FOUND, 1)
    assert "the service repeats a page" in outcome.reason
    assert len(server.requests) == 2


@pytest.mark.parametrize("name", ["brave", "searxng"])
async def test_an_engine_that_gives_one_page_for_ever_is_left_with_what_it_gave(name: str) -> None:
    page = sound.brave_page([1, 2], more=True) if name == "brave" else SERVICES[name].answers["/search"]
    outcome, server = await search(name, {next(iter(SERVICES[name].answers)): [page]})
    assert (outcome.status, len(outcome.hits), len(server.requests)) == (SearchStatus.FOUND, 2, 2)


@pytest.mark.parametrize("loop", LOOPS)
async def test_a_later_page_that_fails_leaves_what_was_found_and_is_reported(loop: str) -> None:
    name, path, *_ = LOOPS[loop]
    for fault in ("500", "429 for an hour", "a web page", "a body that is cut", "an error inside", "400"):
        outcome, _ = await walk(loop, FAULTS[fault](SERVICES[name].answers[path]))
        assert_reported(outcome, fault, others=True)


def duckduckgo(answer: Callable[..., Any], total: float = 30.0) -> WebSearch:
    class NoLimit:
        async def wait(self, service: str, per_second: float, within: float = 0.0) -> bool:
            return True

        async def hold(self, service: str, seconds: float) -> None:
            raise AssertionError("DuckDuckGo does not say for how long")

    service = service_at("https://duckduckgo.com", name="duckduckgo", label="DuckDuckGo", total=total)
    return WebSearch(open_http(), service, DuckDuckGo(NoLimit(), service, answer))


@pytest.mark.parametrize(
    "error", [RateLimited("left alone"), ServiceDown("gave no results, or refused"), TimeoutError("timed out")]
)
async def test_duckduckgo_refusing_is_a_failed_search(error: Exception) -> None:
    def refuse(*_: Any) -> Any:
        raise error

    outcome = await duckduckgo(refuse).search(QUERY, 10)
    assert (outcome.status, bool(outcome.reason)) == (SearchStatus.FAILED, True)


async def test_duckduckgo_hanging_is_a_failed_search() -> None:
    done = threading.Event()
    outcome = await duckduckgo(lambda *_: done.wait(5) or [], total=0.05).search(QUERY, 10)
    done.set()
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "DuckDuckGo did not answer in time")


@pytest.mark.parametrize(
    "listed", [[{}], [{"title": "A page"}], [{"href": "https://example.org/1"}], [None], ["text"], [7], [[]]]
)
async def test_results_of_duckduckgo_that_are_none_are_a_failed_search_alone_and_reported_beside_others(
    listed: list[Any],
) -> None:
    outcome = await duckduckgo(lambda *_: listed).search(QUERY, 10)
    assert (outcome.status, bool(outcome.reason)) == (SearchStatus.FAILED, True)
    sound_one = {"href": "https://example.org/2", "title": "Page 2", "body": "It works."}
    outcome = await duckduckgo(lambda *_: [*listed, sound_one]).search(QUERY, 10)
    assert [hit.title for hit in outcome.hits] == ["Page 2"]
    assert "1 record of the answer could not be read" in outcome.reason


async def test_duckduckgo_gives_no_more_than_was_asked_for() -> None:
    many = [{"href": f"https://example.org/{number}", "title": f"Page {number}"} for number in range(50)]
    assert len((await duckduckgo(lambda *_: many).search(QUERY, 10)).hits) == 10


@needs_recorded_answers
@pytest.mark.parametrize("folder", ["chembl", "clinicaltrials", "dailymed", "openfda", "websearch", "other"])
@pytest.mark.parametrize("name", ["clinicaltrials", "chembl", "openfda", "dailymed", "tavily", "brave", "searxng"])
async def test_any_recorded_body_is_read_or_a_failure(name: str, folder: str) -> None:
    for path in sorted(path for path in (PAYLOADS / folder).iterdir() if path.stat().st_size < 200_000):
        body = Reply(path.read_bytes())
        outcome, _ = await search(name, {end: [body] for end in SERVICES[name].answers})
        says_nothing_matches = name == "openfda" and path.name.startswith("device_510k")
        assert (outcome.status is SearchStatus.NONE) == says_nothing_matches, (path.name, outcome)
