"""PubMed, played by a loopback server with recorded answers and with each of NCBI's own ways to fail."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.http.recording import RecordingTransport, ReplayTransport
from storm.databases.services.eutils import search_term
from storm.databases.services.pubmed import PubMed
from storm.errors import BadAnswer, QueryRejected
from storm.models import Hit, Retraction, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "pubmed"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("survival",))
NO_ARTICLES = '<?xml version="1.0" ?>\n<PubmedArticleSet>\n\n</PubmedArticleSet>'


def ids(numbers: Iterable[int], total: int | None = None, **fields: Any) -> Reply:
    listed = [str(number) for number in numbers]
    count = str(total if total is not None else len(listed))
    result = {"count": count, "retmax": "20", "retstart": "0", "idlist": listed, **fields}
    return Reply(json.dumps({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result}))


def article(number: int, title: str = "Trastuzumab") -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{number}</PMID><Article><ArticleTitle>{title} {number}</ArticleTitle>"
        "</Article></MedlineCitation></PubmedArticle>"
    )


def articles(*numbers: int) -> Reply:
    body = "".join(map(article, numbers))
    return Reply(f"<?xml version='1.0'?>\n<PubmedArticleSet>{body}</PubmedArticleSet>", content_type="text/xml")


def posted(key: str = "1", place: str = "", **fields: str) -> Reply:
    """Where NCBI keeps the ids, or what it says instead."""
    parts = {"QueryKey": key, "WebEnv": place, **fields}
    body = "".join(f"\n\t<{name}>{value}</{name}>" for name, value in parts.items() if value)
    return Reply(f'<?xml version="1.0"?>\n<ePostResult>{body}\n</ePostResult>', content_type="text/xml")


def kept(seen: Seen) -> Reply:
    """The name of the place where NCBI keeps ids is the list of them here."""
    return posted("1", f"MCID_{dict(seen.form)['id'].replace(',', '.')}")


def asked_for(seen: Seen) -> Reply:
    """The articles of whatever ids were asked for, in another order."""
    history = dict(seen.form)
    listed = history["WebEnv"].removeprefix("MCID_").split(".") if history else seen.params["id"].split(",")
    return articles(*sorted(map(int, listed)))


async def search(
    found: Entry | list[Entry],
    records: Entry | list[Entry] = asked_for,
    query: SearchQuery = QUERY,
    limit: int = 20,
    history: Entry = kept,
    **service: Any,
) -> tuple[SearchOutcome, list[Seen]]:
    async with FaultServer() as server, open_http() as http:
        server.on("/esearch.fcgi", *(found if isinstance(found, list) else [found]))
        server.on("/efetch.fcgi", *(records if isinstance(records, list) else [records]))
        server.on("/epost.fcgi", history)
        outcome = await PubMed(http, service_at(server.url, **service)).search(query, limit)
    return outcome, server.requests


async def fetch(records: Reply, pmid: str = "11248153") -> tuple[Hit | None, list[Seen]]:
    async with FaultServer(records) as server, open_http() as http:
        return await PubMed(http, service_at(server.url)).fetch(pmid), server.requests


async def test_records_come_in_the_order_of_the_search() -> None:
    outcome, requests = await search(ids([30, 10, 20], total=812), limit=3)
    assert outcome.status is SearchStatus.FOUND
    assert [hit.key for hit in outcome.hits] == ["pmid:30", "pmid:10", "pmid:20"]
    assert (outcome.total, outcome.reason, outcome.query) == (812, "", str(QUERY))
    first, second = (request.params for request in requests)
    assert first["term"] == (
        '("trastuzumab"[Text Word] OR "Herceptin"[Text Word])'
        ' AND ("trastuzumab"[Text Word] OR "Herceptin"[Text Word] OR "survival"[Text Word])'
    )
    assert (first["db"], first["retmode"], first["sort"], first["retmax"]) == ("pubmed", "json", "relevance", "3")
    assert (second["id"], second["retmode"]) == ("30,10,20", "xml")


async def test_every_call_names_the_tool_and_the_contact_and_carries_the_key() -> None:
    _, requests = await search(ids([1]), key="K3Y", contact="someone@example.org")
    for request in requests:
        assert (request.params["tool"], request.params["email"]) == ("storm", "someone@example.org")
        assert request.params["api_key"] == "K3Y"


async def test_the_query_as_pubmed_translated_it_is_kept() -> None:
    outcome, _ = await search(ids([1], querytranslation='"trastuzumab"[MeSH Terms]'))
    assert outcome.translated == '"trastuzumab"[MeSH Terms]'


async def test_what_ncbi_repeats_of_key_and_caller_is_not_reported() -> None:
    said = "K3Y-OF-ME someone@example.org 203.0.113.7"
    fields = {"querytranslation": f"x {said}", "errorlist": {"phrasesnotfound": [f"y {said}"]}}
    outcome, _ = await search(ids([1], **fields), key="K3Y-OF-ME", contact="someone@example.org")
    assert outcome.translated == "x [redacted] [redacted] [redacted]"
    assert outcome.reason == "NCBI ignored, as unknown: y [redacted] [redacted] [redacted]"


async def test_nothing_found_is_none() -> None:
    outcome, requests = await search(ids([], warninglist={"outputmessages": ["No items found."]}))
    assert (outcome.status, outcome.total, outcome.reason) == (SearchStatus.NONE, 0, "")
    assert len(requests) == 1


async def test_a_phrase_that_was_dropped_is_reported_beside_what_was_found() -> None:
    outcome, _ = await search(ids([1], errorlist={"phrasesnotfound": ['"Herceptin"[Text Word]'], "fieldsnotfound": []}))
    assert outcome.status is SearchStatus.FOUND
    assert outcome.reason == "NCBI ignored, as unknown: Herceptin"


async def test_a_phrase_that_was_taken_apart_is_reported() -> None:
    outcome, _ = await search(ids([1], warninglist={"quotedphrasesnotfound": ['"trastuzumab qqq"[Text Word]']}))
    assert outcome.reason == "NCBI searched the single words, as the phrase is unknown: trastuzumab qqq"


async def test_what_is_found_without_any_of_the_names_is_none_of_the_drugs() -> None:
    dropped = {"phrasesnotfound": ["TRASTUZUMAB", "herceptin"], "fieldsnotfound": []}
    outcome, requests = await search(ids(range(1, 20), total=90_000, errorlist=dropped))
    assert (outcome.status, outcome.hits, outcome.total) == (SearchStatus.NONE, (), 0)
    assert "as unknown: TRASTUZUMAB; herceptin" in outcome.reason
    assert len(requests) == 1


async def test_pages_are_walked_to_the_limit_and_long_lists_are_kept_by_ncbi() -> None:
    def found(seen: Seen) -> Reply:
        start, size = int(seen.params["retstart"]), int(seen.params["retmax"])
        return ids(range(start + 1, min(start + size, 1200) + 1), total=1200)

    outcome, requests = await search(found, limit=1100)
    assert len(outcome.hits) == 1100
    assert [hit.external_id for hit in outcome.hits] == [str(number) for number in range(1, 1101)]
    assert outcome.total == 1200
    searches = [request for request in requests if request.path.endswith("esearch.fcgi")]
    assert [request.params["retstart"] for request in searches] == ["0", "500", "1000"]
    fetches = [request for request in requests if request.path.endswith("efetch.fcgi")]
    assert [request.method for request in fetches] == ["POST", "POST", "GET"]
    posts = [request for request in requests if request.path.endswith("epost.fcgi")]
    assert [(request.method, request.params["db"]) for request in posts] == [("POST", "pubmed")] * 2
    assert dict(posts[1].form)["id"].split(",") == [str(number) for number in range(501, 1001)]
    form = dict(fetches[1].form)
    assert (form["query_key"], form["retstart"], form["retmax"], form["retmode"]) == ("1", "0", "500", "xml")
    assert form["WebEnv"].startswith("MCID_501.502.")
    assert "id" not in form
    assert "WebEnv" not in fetches[1].target


async def test_200_ids_are_asked_for_and_201_are_kept_by_ncbi() -> None:
    for number, methods in ((200, ["GET", "GET"]), (201, ["GET", "POST", "POST"])):
        outcome, requests = await search(ids(range(1, number + 1)), limit=number)
        assert (len(outcome.hits), outcome.reason) == (number, "")
        assert [request.method for request in requests] == methods


async def test_a_list_of_ids_that_ncbi_refuses_is_a_failure_with_its_reason() -> None:
    refused = posted("", ERROR="IDs contain invalid characters of K3Y at 203.0.113.7")
    outcome, requests = await search(ids(range(1, 301)), limit=300, history=refused, key="K3Y")
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason.startswith("NCBI refused the list of ids: IDs contain invalid characters of ")
    assert "K3Y" not in outcome.reason
    assert "203.0.113.7" not in outcome.reason
    assert len(requests) == 2


@pytest.mark.parametrize("answer", [posted("", "MCID_1"), posted("1", ""), Reply("<ePostResult/>")])
async def test_a_list_of_ids_that_is_kept_nowhere_is_a_failure(answer: Reply) -> None:
    outcome, _ = await search(ids(range(1, 301)), limit=300, history=answer)
    assert (outcome.status, outcome.reason) == (
        SearchStatus.FAILED,
        "NCBI does not say where it stored the list of ids",
    )


async def test_an_id_that_ncbi_does_not_keep_is_reported_as_missing() -> None:
    answer = posted("7", "MCID_2.3", InvalidIdList="<Id>1</Id>")
    outcome, _ = await search(ids([1, 2, 3, *range(4, 205)]), limit=300, history=answer)
    assert [hit.external_id for hit in outcome.hits] == ["2", "3"]
    assert "1 was listed but not sent" in outcome.reason


async def test_a_history_that_is_gone_when_it_is_asked_for_is_a_failure() -> None:
    gone = Reply("<eFetchResult><ERROR>Cannot retrieve history data</ERROR></eFetchResult>", content_type="text/xml")
    outcome, _ = await search(ids(range(1, 301)), gone, limit=300)
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason == "NCBI refused the records: Cannot retrieve history data"


@pytest.mark.slow
async def test_pubmed_hands_out_9999_records_at_most_and_the_outcome_says_so() -> None:
    def found(seen: Seen) -> Reply:
        start, size = int(seen.params["retstart"]), int(seen.params["retmax"])
        assert start + size <= 9_999
        return ids(range(start + 1, start + size + 1), total=40_362)

    outcome, _ = await search(found, limit=12_000)
    assert (len(outcome.hits), outcome.total) == (9_999, 40_362)
    assert "only the first 9,999 records" in outcome.reason


async def test_the_same_page_again_ends_the_walk() -> None:
    outcome, requests = await search(ids(range(1, 501), total=4000), limit=2000)
    assert len(outcome.hits) == 500
    assert "repeats a page" in outcome.reason
    assert len(requests) == 6


async def test_a_later_page_that_fails_leaves_what_was_found() -> None:
    error = Reply(json.dumps({"esearchresult": {"ERROR": "Search Backend failed: no shard"}}))
    outcome, _ = await search([ids(range(1, 501), total=900), error], limit=900)
    assert (outcome.status, len(outcome.hits)) == (SearchStatus.FOUND, 500)
    assert outcome.reason.startswith("stopped after 500 records: NCBI refused the search: Search Backend failed: no s")


async def test_a_search_that_ncbi_refuses_is_a_failure() -> None:
    outcome, requests = await search(Reply('{"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}'))
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason == "NCBI refused the search: Empty term and query_key - nothing todo"
    assert len(requests) == 1


async def test_a_fault_of_the_backend_is_tried_again_past_the_cache(tmp_path: Path) -> None:
    broken = Reply('{"esearchresult":{"ERROR":"Search Backend failed: Couldn\'t resolve #exLinkSrv2"}}')
    async with FaultServer() as server, open_http(cache_dir=tmp_path) as http:
        server.on("/esearch.fcgi", broken, ids([7]))
        server.on("/efetch.fcgi", articles(7))
        outcome = await PubMed(http, service_at(server.url, ttl=3600)).search(QUERY, 5)
    assert [hit.external_id for hit in outcome.hits] == ["7"]


async def test_the_rate_body_at_status_200_is_a_failure_that_names_nobody() -> None:
    body = '{"error":"API rate limit exceeded","api-key":"203.0.113.7","count":"4","limit":"3"}'
    outcome, requests = await search(Reply(body), total=5.0)
    assert outcome.status is SearchStatus.FAILED
    assert "203.0.113.7" not in outcome.reason
    assert len(requests) > 1


@pytest.mark.parametrize(
    "body",
    ['{"esearchresult":{}}', '{"header":{}}', '{"esearchresult":{"count":"many","idlist":[]}}', "[1]",
     '{"esearchresult":{"count":"3"}}', '{"esearchresult":{"count":"3","idlist":[]}}'],
)  # fmt: skip
async def test_an_answer_that_is_no_list_of_ids_is_a_failure(body: str) -> None:
    outcome, _ = await search(Reply(body))
    assert outcome.status is SearchStatus.FAILED


async def test_a_record_that_comes_unasked_is_left_out_and_reported() -> None:
    outcome, _ = await search(ids([1, 2]), articles(1, 99))
    assert [hit.external_id for hit in outcome.hits] == ["1"]
    unread = "1 record of the answer could not be read (99 was not requested and is left out)"
    assert (outcome.reason, outcome.incomplete) == (f"{unread}; 2 was listed but not sent", True)


async def test_an_empty_set_where_records_were_listed_is_a_failure_not_none() -> None:
    outcome, _ = await search(ids([1, 2]), Reply(NO_ARTICLES, content_type="text/xml"))
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason == "NCBI sent none of the 2 records that it listed"


async def test_a_record_without_a_title_costs_one_record() -> None:
    body = f"<PubmedArticleSet>{article(1)}{article(2).replace('Trastuzumab 2', '')}</PubmedArticleSet>"
    outcome, _ = await search(ids([1, 2]), Reply(body, content_type="text/xml"))
    assert [hit.external_id for hit in outcome.hits] == ["1"]
    assert outcome.reason == "1 record of the answer could not be read (the record has no title)"


async def test_a_web_page_in_place_of_records_is_a_failure() -> None:
    page = Reply("<html><head><title>PmFetch response</title></head></html>", content_type="text/html")
    outcome, requests = await search(ids([1]), page)
    assert outcome.status is SearchStatus.FAILED
    assert "a web page where XML was asked for after 3 tries" in outcome.reason
    assert len(requests) == 4


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [
        ("2019", None, ("2019/01/01", "3000/12/31")),
        (None, "2020-02", ("1800/01/01", "2020/02/29")),
        ("2019-03-05", "2019-03-06", ("2019/03/05", "2019/03/06")),
    ],
)
async def test_dates_bound_the_day_of_publication(since: str | None, until: str | None, span: tuple[str, str]) -> None:
    _, requests = await search(ids([1]), query=QUERY.model_copy(update={"since": since, "until": until}))
    params = requests[0].params
    assert (params["datetype"], params["mindate"], params["maxdate"]) == ("pdat", *span)


async def test_a_date_that_is_none_is_a_failure_that_asks_nothing() -> None:
    outcome, requests = await search(ids([1]), query=QUERY.model_copy(update={"since": "last week"}))
    assert outcome.status is SearchStatus.FAILED
    assert requests == []


async def test_names_without_a_letter_are_a_failure_that_asks_nothing() -> None:
    outcome, requests = await search(ids([1]), query=SearchQuery(names=('"', "* -")))
    assert outcome.status is SearchStatus.FAILED
    assert requests == []


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), max_size=3))
def test_no_text_of_a_user_leaves_its_quotation_marks(names: list[str], words: list[str]) -> None:
    try:
        term = search_term(SearchQuery(names=tuple(names), words=tuple(words)), "Text Word")
    except QueryRejected:
        return
    outside = re.sub(r'"[^"*\\]*"\[Text Word\]', "P", term)
    assert re.fullmatch(r"\(P( OR P)*\)( AND \(P( OR P)*\))?", outside)


async def test_a_record_is_fetched_by_its_pmid() -> None:
    hit, requests = await fetch(articles(11248153), "PMID: 11248153")
    assert hit is not None
    assert hit.key == "pmid:11248153"
    assert requests[0].params["id"] == "11248153"


async def test_an_unknown_pmid_is_none() -> None:
    hit, _ = await fetch(Reply(NO_ARTICLES, content_type="text/xml"))
    assert hit is None


async def test_what_is_no_pmid_is_not_asked_for() -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(articles(1), "NCT00045032")


async def test_another_record_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="99 was returned instead of 11248153"):
        await fetch(articles(99))


@needs_recorded_answers
async def test_a_recorded_refusal_of_a_list_is_a_failure_with_its_reason() -> None:
    refused = Reply((PAYLOADS / "biopython_epost2.xml").read_bytes(), content_type="text/xml")
    outcome, _ = await search(ids(range(1, 301)), limit=300, history=refused)
    assert outcome.reason == "NCBI refused the list of ids: Invalid db name specified: nothing"


@needs_recorded_answers
async def test_recorded_answers_become_hits() -> None:
    found = Reply((PAYLOADS / "esearch_apc_not_retracted.json").read_bytes())
    outcome, _ = await search(found, query=SearchQuery(names=("APC", "p.E1317Q")), limit=100)
    assert (len(outcome.hits), outcome.total) == (100, 40_362)
    assert outcome.translated.startswith('("ann pancreat cancer"[Journal]')
    assert outcome.reason == "NCBI ignored, as unknown: p.E1317Q"


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("efetch_*.xml")), ids=lambda path: path.stem)
async def test_each_recorded_record_is_fetched(path: Path) -> None:
    body = path.read_bytes()
    pmid = re.search(rb"<PMID[^>]*>(\d+)<", body)
    assert pmid is not None
    hit, _ = await fetch(Reply(body, content_type="text/xml"), pmid[1].decode())
    assert hit is not None
    assert hit.title
    assert hit.retraction in Retraction


WIDENED = "NCBI does not know the field Text Word, and searched all fields instead"


async def test_a_search_in_more_fields_than_asked_for_is_reported_as_one() -> None:
    fields = {"errorlist": {"phrasesnotfound": [], "fieldsnotfound": ["Text Word"]}}
    outcome, _ = await search(ids([1], **fields))
    assert (outcome.status, outcome.reason, outcome.incomplete) == (SearchStatus.FOUND, WIDENED, True)
    nothing, _ = await search(ids([], **fields))
    assert (nothing.status, nothing.reason) == (SearchStatus.NONE, WIDENED)


async def test_what_ncbi_warns_of_is_reported_and_that_it_found_nothing_is_not() -> None:
    messages = ["Unknown sort schema 'relevance' ignored", "No items found."]
    outcome, _ = await search(ids([1], warninglist={"outputmessages": messages, "phrasesignored": ["the"]}))
    assert outcome.reason == ("NCBI ignored, as unknown: the; NCBI warns: Unknown sort schema 'relevance' ignored")
    nothing, _ = await search(ids([], warninglist={"outputmessages": ["No items found."]}))
    assert (nothing.status, nothing.reason) == (SearchStatus.NONE, "")


MANY = SearchQuery(names=tuple(f"a long name of a drug {number}" for number in range(60)))


async def test_a_long_query_is_posted_and_a_short_one_is_not() -> None:
    outcome, requests = await search(ids([1]), query=MANY, key="S3CRET", contact="a@example.org")
    assert outcome.status is SearchStatus.FOUND
    long = requests[0]
    assert long.method == "POST"
    assert dict(long.form)["term"] == search_term(MANY, "Text Word")
    assert {name for name, _ in long.query} == {"api_key", "email"}
    assert "term" not in long.params and "S3CRET" not in long.body.decode()
    assert "a%20long%20name" in outcome.address and "S3CRET" not in outcome.address
    _, requests = await search(ids([1]))
    assert {seen.method for seen in requests} == {"GET"}


async def test_long_queries_are_kept_and_asked_once_each(tmp_path: Path) -> None:
    other = SearchQuery(names=(*MANY.names, "another"))
    async with FaultServer() as server, open_http(cache_dir=tmp_path) as http:
        server.on("/esearch.fcgi", ids([1]), ids([2]))
        server.on("/efetch.fcgi", asked_for)
        pubmed = PubMed(http, service_at(server.url, ttl=3600.0))
        together = await asyncio.gather(pubmed.search(MANY, 5), pubmed.search(MANY, 5))
        again, new = await pubmed.search(MANY, 5), await pubmed.search(other, 5)
    found = [[hit.external_id for hit in outcome.hits] for outcome in (*together, again, new)]
    assert found == [["1"], ["1"], ["1"], ["2"]]
    assert [seen.path for seen in server.requests if seen.method == "POST"] == ["/esearch.fcgi"] * 2


async def test_a_long_query_is_replayed_without_the_key(tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    async with FaultServer() as server:
        server.on("/esearch.fcgi", ids([1]))
        server.on("/efetch.fcgi", asked_for)
        network = RecordingTransport(folder, httpx.AsyncClient(trust_env=False))
        async with open_http(transport=network) as http:
            live = await PubMed(http, service_at(server.url, key="S3CRET")).search(MANY, 5)
        url = server.url
    async with open_http(transport=ReplayTransport(folder)) as http:
        replayed = await PubMed(http, service_at(url)).search(MANY, 5)
    assert [hit.key for hit in replayed.hits] == [hit.key for hit in live.hits] == ["pmid:1"]
    assert all(b"S3CRET" not in file.read_bytes() for file in folder.iterdir())


async def test_records_that_were_added_or_revised_since_a_day_are_searched_by_those_days() -> None:
    asked = QUERY.model_copy(update={"changed_since": "2026-05-14"})
    _, requests = await search(ids([1]), query=asked)
    params = requests[0].params
    days = "2026/05/14:3000/12/31"
    assert params["term"] == f"{search_term(QUERY, 'Text Word')} AND ({days}[crdt] OR {days}[lr])"
    assert "datetype" not in params


NATIVE = SearchQuery(names=("metformin",), required=(("dementia",),), databases=("pubmed",), native="metformin[tiab]")


def _native(text: str, **parts: Any) -> SearchQuery:
    query = SearchQuery(**{**NATIVE.model_dump(), "native": text, **parts})
    narrowed = PubMed.narrow_query(PubMed.__new__(PubMed), query)
    assert narrowed is not None
    return narrowed


@pytest.mark.parametrize(
    ("text", "sent", "said"),
    [
        ('metformin[tiab] AND "dementia"[mh]', 'metformin[tiab] AND "dementia"[mh]', "sent as written"),
        ("metformin[tiab] and dementia[xx]", "metformin[tiab] AND dementia", "repaired: metformin[tiab] AND dementia"),
        (
            "NOT dementia[mh]",
            '("metformin"[Text Word]) AND ("dementia"[Text Word])',
            "sent as plain terms, since NOT has nothing to join",
        ),
    ],
)
async def test_a_search_in_pubmeds_syntax_is_checked_and_the_log_says_what_was_sent(
    text: str, sent: str, said: str
) -> None:
    outcome, requests = await search(ids([1]), query=_native(text))
    assert requests[0].params["term"] == sent
    assert (outcome.status, outcome.query, outcome.reason) == (SearchStatus.FOUND, text, said)
    assert not outcome.incomplete


async def test_a_search_in_pubmeds_syntax_keeps_its_dates() -> None:
    query = _native("a1 OR b1", since="2015", changed_since="2026-01-02")
    _, requests = await search(ids([1]), query=query)
    assert requests[0].params["term"] == "(a1 OR b1) AND (2026/01/02:3000/12/31[crdt] OR 2026/01/02:3000/12/31[lr])"
    assert requests[0].params["mindate"] == "2015/01/01"


async def test_what_is_found_without_a_needed_term_of_the_own_syntax_is_about_something_else() -> None:
    dropped = {"phrasesnotfound": ['"qqqzzz"[tiab]'], "fieldsnotfound": []}
    outcome, _ = await search(ids([1], errorlist=dropped), query=_native('"qqqzzz"[tiab] AND dementia[mh]'))
    assert outcome.status is SearchStatus.NONE
    assert outcome.reason == "sent as written; NCBI ignored, as unknown: qqqzzz"
    found, _ = await search(ids([1], errorlist=dropped), query=_native('("qqqzzz"[tiab] OR metformin) AND dementia'))
    assert found.status is SearchStatus.FOUND


async def test_the_longest_search_is_sent_as_plain_terms() -> None:
    outcome, requests = await search(ids([1]), query=_native("metformin[tiab] OR " * 5_300))
    assert requests[0].params["term"] == '("metformin"[Text Word]) AND ("dementia"[Text Word])'
    assert outcome.reason == "sent as plain terms, since it has more than 4,000 characters"
    assert len(outcome.query) == 4_001


@needs_recorded_answers
async def test_a_recorded_translation_is_kept_beside_how_the_search_was_sent() -> None:
    found = Reply((PAYLOADS / "esearch_mlh1_single.json").read_bytes())
    outcome, _ = await search(found, query=_native("MLH1[Title/Abstract] AND G67E[Title/Abstract]"), limit=1)
    assert outcome.translated == '"MLH1"[Title/Abstract] AND "G67E"[Title/Abstract]'
    assert (outcome.reason, [hit.external_id for hit in outcome.hits]) == ("sent as written", ["18033691"])
