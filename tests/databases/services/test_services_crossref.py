"""Crossref and Unpaywall, played by a loopback server with recorded answers and with their own ways to fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.crossref import Crossref, names_pattern, search_params
from storm.databases.services.query_text import plain_term
from storm.databases.services.unpaywall import Unpaywall
from storm.errors import BadAnswer, NotConfigured, QueryRejected
from storm.models import (
    Contributor,
    Hit,
    Pages,
    Publication,
    Retraction,
    SearchOutcome,
    SearchQuery,
    SearchStatus,
    merge_hits,
)

PAYLOADS = ANSWERS / "crossref_openalex_unpaywall"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("survival",))
DOI = "10.1056/nejmoa052306"
UNKNOWN = Reply("Resource not found.", status=404, content_type="text/plain")
MAIL = "someone@example.org"


def work(doi: str = DOI, title: str = "Trastuzumab after chemotherapy", **fields: Any) -> dict[str, Any]:
    return {"DOI": doi, "title": [title], "type": "journal-article", **fields}


def about(value: dict[str, Any]) -> Reply:
    return Reply(json.dumps({"status": "ok", "message-type": "work", "message": value}))


def listing(*items: Any, total: int = 0) -> Reply:
    message = {"total-results": total or len(items), "items": list(items)}
    return Reply(json.dumps({"status": "ok", "message-type": "work-list", "message": message}))


def update(doi: str, kind: str = "retraction") -> dict[str, Any]:
    return {"DOI": doi, "type": kind, "label": kind.title(), "updated": {"date-parts": [[2024, 3, 26]]}}


async def search(
    *script: Entry, limit: int = 10, query: SearchQuery = QUERY, **service: Any
) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer(*script) as server, open_http() as http:
        return await Crossref(http, service_at(server.url, **service)).search(query, limit), server.requests


async def fetch(reply: Reply, doi: str = DOI) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer(reply) as server, open_http() as http:
        return await Crossref(http, service_at(server.url)).fetch(doi), server.requests


async def standings(records: Reply, notices: Reply, *dois: str) -> tuple[SearchOutcome | None, list[Seen]]:
    def answer(seen: Seen) -> Reply:
        return records if seen.params["filter"].startswith("doi:") else notices

    async with FaultServer(answer) as server, open_http() as http:
        hits = [Hit.of("web", doi, f"https://doi.org/{doi}", "A paper", doi=doi) for doi in dois or [DOI]]
        return await Crossref(http, service_at(server.url)).look_up_hits(hits), server.requests


async def standing(record: dict[str, Any], *notices: dict[str, Any]) -> tuple[Retraction, tuple[str, ...]]:
    outcome, _ = await standings(listing(record), listing(*notices))
    assert outcome is not None
    (hit,) = outcome.hits
    return hit.retraction, hit.notices


async def test_only_works_that_name_the_drug_are_taken() -> None:
    other = work("10.1000/2", "A study of herceptinib")
    named = work("10.1000/3", "Breast cancer", abstract="<jats:p>We gave <jats:b>Herceptin</jats:b>.</jats:p>")
    others = (work(f"10.1000/o{number}", "A study") for number in range(47))
    outcome, requests = await search(listing(work(), other, named, *others, total=4_664_899))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.key for hit in outcome.hits] == [f"doi:{DOI}", "doi:10.1000/3"]
    assert (outcome.total, outcome.reason) == (2, "only the first 50 of 4,664,899 were examined for the name")
    params = requests[0].params
    assert (requests[0].path, params["query.bibliographic"]) == ("/works", "trastuzumab Herceptin survival")
    assert params["rows"] == "50"


async def test_works_that_only_resemble_the_query_are_none() -> None:
    outcome, _ = await search(listing(*(work(f"10.1000/{n}", "Tratamiento") for n in range(50)), total=900))
    assert (outcome.status, outcome.total, outcome.incomplete) == (SearchStatus.NONE, 0, False)


async def test_the_limit_is_kept_and_rows_have_a_bound() -> None:
    outcome, requests = await search(listing(*(work(f"10.1000/{n}") for n in range(30))), limit=20)
    assert len(outcome.hits) == 20
    _, requests = await search(listing(), limit=5_000)
    assert requests[0].params["rows"] == "1000"


async def test_the_address_to_write_to_is_sent_and_never_shown() -> None:
    outcome, requests = await search(Reply(f"bad mail {MAIL}", status=400), contact=MAIL)
    assert requests[0].params["mailto"] == MAIL
    assert outcome.status is SearchStatus.FAILED
    assert MAIL not in outcome.reason


async def test_a_validation_failure_is_a_failure_with_its_reason() -> None:
    body = '{"status":"failed","message-type":"validation-failure","message":[{"message":"Integer too large"}]}'
    outcome, requests = await search(Reply(body, status=400))
    assert outcome.status is SearchStatus.FAILED
    assert "Integer too large" in outcome.reason
    assert len(requests) == 1


@pytest.mark.parametrize("body", ["{}", '{"status":"failed","message":[]}', '{"status":"ok","message":[1]}', "[]"])
async def test_an_answer_that_is_not_about_works_is_a_failure(body: str) -> None:
    outcome, _ = await search(Reply(body))
    assert outcome.status is SearchStatus.FAILED


async def test_an_answer_of_which_nothing_can_be_read_is_a_failure() -> None:
    outcome, _ = await search(listing({"DOI": "none"}, "x"))
    assert outcome.status is SearchStatus.FAILED


async def test_dates_bound_the_publication() -> None:
    _, requests = await search(listing(), query=QUERY.model_copy(update={"since": "2019", "until": "2020-02"}))
    assert requests[0].params["filter"] == "from-pub-date:2019-01-01,until-pub-date:2020-02-29"


@given(st.lists(st.text(), min_size=1, max_size=4), st.sampled_from([None, "2019"]))
def test_no_text_of_a_user_reaches_a_filter(names: list[str], since: str | None) -> None:
    try:
        params = search_params(SearchQuery(names=tuple(names), since=since), 10)
    except QueryRejected:
        return
    assert params.get("filter") == ("from-pub-date:2019-01-01" if since else None)
    assert set(params) - {"filter"} == {"query.bibliographic", "rows", "select"}


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Z"]), min_size=1))
def test_a_name_is_found_where_it_stands_and_never_read_as_a_pattern(name: str) -> None:
    try:
        search_params(SearchQuery(names=(name,)), 1)
    except QueryRejected:
        return
    found = names_pattern([name])
    assert found.search(f"Effects of {plain_term(name)} in rats")
    assert not found.search("")


async def test_a_work_is_fetched_by_its_doi() -> None:
    full = work(
        subtitle=["a trial"],
        author=[{"family": "Piccart", "given": "Martine J."}, {"name": "HERA Study Team"}, {}],
        issued={"date-parts": [[2005, 10, 20]]},
        **{"container-title": ["New England Journal of Medicine"]},
        abstract="<jats:title>Background</jats:title><jats:p>NCT00045032 &amp; more</jats:p>",
    )
    hit, requests = await fetch(about(full), f"https://doi.org/{DOI.upper()}")
    assert hit is not None
    assert requests[0].target == "/works/10.1056%2Fnejmoa052306"
    assert (hit.key, hit.url) == (f"doi:{DOI}", f"https://doi.org/{DOI}")
    assert hit.title == "Trastuzumab after chemotherapy: a trial"
    assert hit.authors == ("Piccart MJ", "HERA Study Team")
    assert (hit.date, hit.year, hit.container) == ("2005-10-20", 2005, "New England Journal of Medicine")
    assert [(section.label, section.text) for section in hit.sections] == [("Background", "NCT00045032 & more")]
    assert (hit.trials, hit.publication_types) == (("NCT00045032",), ("Journal Article",))
    assert hit.retraction is Retraction.NOT_CHECKED


@pytest.mark.parametrize("parts", [[[None]], [], None, [[]], "2005", [["x", 99]]])
async def test_a_date_that_is_not_there_is_none(parts: Any) -> None:
    hit, _ = await fetch(about(work(issued={"date-parts": parts})))
    assert hit is not None
    assert hit.date is None


async def test_an_unknown_doi_is_none() -> None:
    assert (await fetch(UNKNOWN))[0] is None


async def test_what_is_no_doi_is_not_asked_for() -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(UNKNOWN, "PMC123")


async def test_another_work_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match=r"10\.1000/x was returned instead of 10\.1056/nejmoa052306"):
        await fetch(about(work("10.1000/x")))


async def test_a_retraction_is_found_on_the_notice() -> None:
    notice = work("10.1056/nejmx000001", "Retraction", **{"update-to": [update(DOI.upper()), update("10.1/x")]})
    notes = ("Retracted: doi:10.1056/nejmx000001, 2024-03-26",)
    assert await standing(work(), notice) == (Retraction.RETRACTED, notes)


async def test_a_retraction_is_found_on_the_work_itself() -> None:
    assert (await standing(work(**{"updated-by": [update("10.1000/n")]})))[0] is Retraction.RETRACTED
    assert (await standing(work(**{"update-to": [update(DOI)]})))[0] is Retraction.RETRACTED


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("withdrawal", Retraction.RETRACTED),
        ("removal", Retraction.RETRACTED),
        ("expression_of_concern", Retraction.CONCERN),
        ("Expression of Concern", Retraction.CONCERN),
        ("correction", Retraction.NOT_RETRACTED),
        ("new_version", Retraction.NOT_RETRACTED),
        ("", Retraction.NOT_RETRACTED),
    ],
)
async def test_each_kind_of_notice_is_distinguished(kind: str, expected: Retraction) -> None:
    notice = work("10.1000/n", "Notice", **{"update-to": [update(DOI, kind)]})
    assert (await standing(work(), notice))[0] is expected


async def test_a_work_without_notices_is_not_retracted_as_far_as_crossref_knows() -> None:
    assert await standing(work()) == (Retraction.NOT_RETRACTED, ())


async def test_a_notice_is_not_itself_retracted() -> None:
    notice = work(title="Retraction notice", **{"update-to": [update("10.1000/bad")]})
    hit, _ = await fetch(about(notice))
    assert hit is not None
    assert hit.publication_types[0] == "Retraction Notice"
    assert hit.retraction is Retraction.NOT_RETRACTED
    assert hit.notices == ("Retraction of: doi:10.1000/bad, 2024-03-26",)


async def test_notices_that_are_only_about_other_works_are_a_failure() -> None:
    other = work("10.1000/n", **{"update-to": [update("10.1000/o")]})
    outcome, _ = await standings(listing(work()), listing(other))
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, f"10.1000/o was returned instead of {DOI}")


async def test_a_notice_of_several_works_counts_for_each_that_was_asked_for() -> None:
    both = work("10.1000/n", **{"update-to": [update("10.1000/o"), update(DOI)]})
    assert (await standing(work(), both))[0] is Retraction.RETRACTED


async def test_records_of_other_works_than_those_asked_for_are_a_failure_and_not_nothing_found() -> None:
    outcome, _ = await standings(listing(work("10.1000/other")), listing())
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, f"10.1000/other was returned instead of {DOI}")


async def test_a_work_that_crossref_does_not_know_is_not_checked() -> None:
    outcome, _ = await standings(listing(), listing())
    assert outcome is not None
    assert (outcome.status, outcome.hits) == (SearchStatus.NONE, ())


async def test_many_works_are_asked_for_in_few_calls() -> None:
    dois = [f"10.1000/{n}" for n in range(45)]
    _, requests = await standings(listing(), listing(), *dois)
    filters = [seen.params["filter"] for seen in requests]
    assert len(filters) == 6
    for name in ("doi", "updates"):
        asked = [part.removeprefix(f"{name}:") for text in filters for part in text.split(",") if part.startswith(name)]
        assert sorted(asked) == sorted(dois)


async def test_authors_that_a_record_leaves_out_are_filled_from_crossref_s() -> None:
    named = work(author=[{"family": "Slamon", "given": "Dennis J."}, {"family": "Leyland-Jones", "given": "Brian"}])

    def answer(seen: Seen) -> Reply:
        return listing(named) if seen.params["filter"].startswith("doi:") else listing()

    first = Contributor(family="Slamon", initials="DJ")
    known = checked(
        Publication(authors=(first,), authors_complete=False, volume="344", pages=Pages(first="783", last="792"))
    )
    async with FaultServer(answer) as server, open_http() as http:
        outcome = await Crossref(http, service_at(server.url)).look_up_hits([known])
    assert outcome is not None
    merged = merge_hits([known, *outcome.hits]).publication
    assert [author.family for author in merged.authors] == ["Slamon", "Leyland-Jones"]


async def test_a_doi_that_a_filter_cannot_hold_is_not_asked_for() -> None:
    assert await standings(listing(), listing(), "10.1000/a,b") == (None, [])


async def test_a_work_whose_record_tells_of_its_retraction_and_of_its_pages_is_not_asked_for() -> None:
    known = checked(Publication(volume="344", pages=Pages(first="783")))
    async with FaultServer(listing()) as server, open_http() as http:
        assert await Crossref(http, service_at(server.url)).look_up_hits([known]) is None
    assert server.requests == []


@pytest.mark.parametrize("publication", [Publication(pages=Pages(first="783")), Publication(volume="344")])
async def test_where_a_work_was_published_is_filled_from_its_record(publication: Publication) -> None:
    record = work(**{"volume": "344", "issue": "11", "page": "783-92", "container-title": ["N Engl J Med"]})

    def answer(seen: Seen) -> Reply:
        return listing(record) if seen.params["filter"].startswith("doi:") else listing()

    known = checked(publication)
    async with FaultServer(answer) as server, open_http() as http:
        outcome = await Crossref(http, service_at(server.url)).look_up_hits([known])
    assert outcome is not None
    merged = merge_hits([known, *outcome.hits])
    assert merged.database == "pubmed"
    assert merged.publication == Publication(
        journal="N Engl J Med", volume="344", issue="11", pages=Pages(first="783", last="792")
    )


def checked(publication: Publication) -> Hit:
    return Hit.of(
        "pubmed",
        "1",
        "https://example.org/1",
        "A paper",
        doi=DOI,
        retraction=Retraction.NOT_RETRACTED,
        publication=publication,
    )


async def test_a_work_that_was_not_asked_for_is_left_out() -> None:
    outcome, _ = await standings(listing(work("10.1000/other")), listing())
    assert outcome is not None
    assert outcome.hits == ()


async def test_with_more_notices_than_are_taken_a_work_without_one_is_not_checked() -> None:
    other = work("10.1000/n", **{"update-to": [update(DOI, "unheard of")]})
    outcome, _ = await standings(listing(work()), listing(*[other] * 200, total=201))
    assert outcome is not None
    assert [hit.retraction for hit in outcome.hits] == [Retraction.NOT_CHECKED]
    assert (outcome.reason, outcome.incomplete) == (
        "not all notices could be fetched: works without one are not checked",
        True,
    )


@pytest.mark.parametrize("notices", [[work("10.1000/n"), "junk", None], [work("10.1000/n"), {"title": ["No DOI"]}]])
async def test_with_a_notice_that_cannot_be_read_a_work_without_one_is_not_checked(notices: list[Any]) -> None:
    outcome, _ = await standings(listing(work()), listing(*notices))
    assert outcome is not None
    assert [hit.retraction for hit in outcome.hits] == [Retraction.NOT_CHECKED]
    assert outcome.incomplete


async def test_a_retraction_is_reported_though_other_notices_are_missing() -> None:
    notice = work("10.1000/n", "Retraction", **{"update-to": [update(DOI)]})
    outcome, _ = await standings(listing(work()), listing(notice, "junk"))
    assert outcome is not None
    assert [hit.retraction for hit in outcome.hits] == [Retraction.RETRACTED]


async def test_notices_that_are_counted_and_not_listed_check_nothing() -> None:
    outcome, _ = await standings(listing(work()), listing(total=3))
    assert outcome is not None
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())


async def test_works_that_are_counted_and_not_listed_are_reported() -> None:
    outcome, _ = await standings(listing(work(), total=2), listing(), DOI, "10.1000/2")
    assert outcome is not None
    assert (len(outcome.hits), outcome.reason) == (
        1,
        "not all records of works could be fetched: the others are not checked",
    )


async def test_a_check_that_fails_is_a_failure_not_an_answer() -> None:
    outcome, _ = await standings(listing(work()), Reply("", status=503))
    assert outcome is not None
    assert (outcome.status, outcome.hits) == (SearchStatus.FAILED, ())


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("crossref_factoid_10*.json")), ids=lambda path: path.stem)
async def test_each_recorded_work_is_fetched(path: Path) -> None:
    record = json.loads(path.read_bytes())
    hit, _ = await fetch(about(record), record["DOI"])
    assert hit is not None
    assert (hit.key, hit.year) == (f"doi:{record['DOI']}", record["issued"]["date-parts"][0][0])
    assert len(hit.authors) == len(record["author"])
    assert "<" not in hit.text
    if record["type"] == "posted-content":
        assert "Preprint" in hit.publication_types


@needs_recorded_answers
async def test_a_recorded_search_is_checked_against_the_names() -> None:
    answer = json.loads((PAYLOADS / "paperqa_crossref_retraction_status.json").read_bytes())
    answer["message"]["total-results"] = len(answer["message"]["items"])
    reply = Reply(json.dumps(answer))
    outcome, _ = await search(reply, query=SearchQuery(names=("Music Education",)))
    assert [hit.key for hit in outcome.hits] == ["doi:10.1155/2022/8341966"]
    assert (await search(reply))[0].status is SearchStatus.NONE


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*")), ids=lambda path: path.name)
async def test_each_recorded_answer_to_another_question_is_a_failure(path: Path) -> None:
    outcome, _ = await search(Reply(path.read_bytes(), content_type=""))
    assert outcome.status is SearchStatus.FAILED
    if path.name == "paperqa_crossref_retraction_status.json":
        assert outcome.reason == "the service stopped after 1 of 4,664,899 records"


async def open_copy(reply: Reply, contact: str | None = MAIL) -> tuple[str | None, list[Seen]]:
    async with FaultServer(reply) as server, open_http() as http:
        return await Unpaywall(http, service_at(server.url, contact=contact)).find_open_copy(DOI), server.requests


async def test_the_best_open_copy_is_named() -> None:
    place = {"url": "https://x.example/a", "url_for_pdf": None, "license": "cc-by", "host_type": "publisher"}
    copy, requests = await open_copy(Reply(json.dumps({"doi": DOI, "best_oa_location": place})))
    assert copy == "https://x.example/a"
    assert (requests[0].target.partition("?")[0], requests[0].params["email"]) == ("/10.1056%2Fnejmoa052306", MAIL)


@pytest.mark.parametrize("place", [None, {}, {"url": None}, {"url": "javascript:alert(1)"}, "x"])
async def test_where_there_is_no_open_copy_there_is_none(place: Any) -> None:
    assert (await open_copy(Reply(json.dumps({"doi": DOI, "best_oa_location": place}))))[0] is None


async def test_free_copies_are_looked_for_where_none_is_known() -> None:
    papers = [
        Hit.of("crossref", f"10.1000/{n}", "https://example.org", f"Paper {n}", doi=f"10.1000/{n}") for n in range(3)
    ]
    known = papers[0].model_copy(update={"open_url": "https://example.org/0"})
    in_pmc = Hit.of("pmc", "PMC1", "https://example.org", "A paper", doi="10.1000/9", pmcid="PMC1")
    async with FaultServer() as server, open_http() as http:
        place = {"url": "https://example.org/free"}
        server.on("/10.1000/1", Reply(json.dumps({"doi": "10.1000/1", "best_oa_location": place})))
        outcome = await Unpaywall(http, service_at(server.url, contact=MAIL)).look_up_hits([known, *papers[1:], in_pmc])
    assert outcome is not None
    (hit,) = outcome.hits
    assert (hit.key, hit.title, hit.open_url, hit.open_access) == ("doi:10.1000/1", "Paper 1", place["url"], True)
    assert {seen.path for seen in server.requests} == {"/10.1000/1", "/10.1000/2"}
    assert await Unpaywall(open_http(), service_at(server.url, contact=MAIL)).look_up_hits([known, in_pmc]) is None


async def test_unpaywall_does_not_know_a_doi() -> None:
    answer = {"HTTP_status_code": 404, "error": True, "message": "'10.1000/w1' isn't in Unpaywall."}
    assert (await open_copy(Reply(json.dumps(answer), status=404)))[0] is None


async def test_unpaywall_is_not_asked_without_an_address() -> None:
    with pytest.raises(NotConfigured):
        await open_copy(UNKNOWN, None)


async def test_an_address_that_unpaywall_refuses_is_an_error_that_does_not_show_it() -> None:
    with pytest.raises(QueryRejected) as caught:
        await open_copy(Reply(json.dumps({"message": f"{MAIL} is no real address"}), status=422))
    assert MAIL not in caught.value.message


async def test_unpaywall_gives_another_work() -> None:
    with pytest.raises(BadAnswer, match=r"10\.1000/x was returned instead of"):
        await open_copy(Reply('{"doi":"10.1000/x"}'))


@needs_recorded_answers
async def test_a_recorded_answer_of_unpaywall_names_its_copy() -> None:
    reply = Reply((PAYLOADS / "paperqa_doi_search_paper_attributes0_1.json").read_bytes())
    async with FaultServer(reply) as server, open_http() as http:
        copy = await Unpaywall(http, service_at(server.url, contact=MAIL)).find_open_copy("10.1016/j.xgen.2025.100814")
    assert copy == "https://doi.org/10.1016/j.xgen.2025.100814"


async def test_a_list_that_is_not_there_is_a_failure() -> None:
    outcome, _ = await search(UNKNOWN)
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "it answered HTTP 404: Resource not found.")
