"""EPO Open Patent Services, played by a loopback server with recorded answers and with its own ways to fail."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from fault_server import Entry, FaultServer, Reply, Seen, open_http, service_at
from hypothesis import given
from hypothesis import strategies as st
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.services.epo_ops import EpoOps, search_texts
from storm.errors import BadAnswer, QueryRejected, RateLimited
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus

PAYLOADS = ANSWERS / "patents"
QUERY = SearchQuery(names=("trastuzumab", "Herceptin"), words=("formulation",))
TOKEN = Reply('{"access_token":"T0KEN","expires_in":"1199","token_type":"BearerToken"}')
HEAD = '<ops:world-patent-data xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org">'
TAIL = "</ops:world-patent-data>"
NOTHING = Reply(
    '<fault xmlns="http://ops.epo.org"><code>SERVER.EntityNotFound</code><message>No results found</message></fault>',
    status=404,
    content_type="application/xml",
)
EXPIRED = Reply(
    "<error><code>400</code><message>invalid_access_token</message></error>",
    status=400,
    content_type="application/xml",
)


def document(number: int, title: str = "Antibody formulation") -> str:
    titled = f'<invention-title lang="en">{title}</invention-title>' if title else ""
    return (
        f'<exchange-document country="EP" doc-number="{number}" kind="A1"><bibliographic-data>{titled}'
        "</bibliographic-data></exchange-document>"
    )


def page(numbers: range, total: int) -> Reply:
    documents = "".join(f"<exchange-documents>{document(n)}</exchange-documents>" for n in numbers)
    found = f'<ops:biblio-search total-result-count="{total}"><ops:search-result>{documents}</ops:search-result>'
    return Reply(f"{HEAD}{found}</ops:biblio-search>{TAIL}", content_type="application/xml")


def record(number: int) -> Reply:
    body = f"{HEAD}<exchange-documents>{document(number)}</exchange-documents>{TAIL}"
    return Reply(body, content_type="application/xml")


async def search(
    *script: Entry, token: Entry | list[Entry] = TOKEN, key: str | None = "id:secret", limit: int = 250,
    query: SearchQuery = QUERY,
) -> tuple[SearchOutcome, list[Seen]]:  # fmt: skip
    async with FaultServer() as server, open_http() as http:
        server.on("/auth/accesstoken", *(token if isinstance(token, list) else [token]))
        server.on("/search/biblio,abstract", *script)
        outcome = await EpoOps(http, service_at(server.url, key=key, key_variable="EPO_OPS_KEY")).search(query, limit)
    return outcome, server.requests


async def fetch(reply: Reply, number: str) -> tuple[Hit | None, list[Seen]]:
    async with FaultServer() as server, open_http() as http:
        server.on("/auth/accesstoken", TOKEN)
        server.on("/biblio,abstract", reply)
        return await EpoOps(http, service_at(server.url, key="id:secret")).fetch(number), server.requests


REJECTION = {"X-Rejection-Reason": "IndividualQuotaPerHour"}
QUOTA = "<error><code>403</code><message>IndividualQuotaPerHour</message></error>"


@pytest.mark.parametrize(
    "refusal",
    [
        Reply("", status=403, headers=REJECTION),
        Reply("<html><body>Forbidden</body></html>", status=403, content_type="text/html", headers=REJECTION),
        Reply(QUOTA, status=403, content_type="application/xml"),
    ],
)
async def test_a_quota_that_is_used_up_is_no_matter_of_the_key(refusal: Reply) -> None:
    outcome, requests = await search(refusal)
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason.startswith("the quota of calls is used up")
    assert sum(seen.path.endswith("/search/biblio,abstract") for seen in requests) == 1
    with pytest.raises(RateLimited):
        await fetch(refusal, "EP1000A1")


async def test_patents_are_found_with_a_token_for_the_key() -> None:
    outcome, requests = await search(page(range(2400812, 2400814), 2))
    assert outcome.status is SearchStatus.FOUND
    assert [hit.key for hit in outcome.hits] == ["patent:EP2400812A1", "patent:EP2400813A1"]
    assert (outcome.database, outcome.total, outcome.reason) == ("epo_ops", 2, "")
    token, found = requests
    assert (token.method, token.form) == ("POST", [("grant_type", "client_credentials")])
    assert token.headers["authorization"] == f"Basic {base64.b64encode(b'id:secret').decode()}"
    assert found.headers["authorization"] == "Bearer T0KEN"
    assert found.path == "/rest-services/published-data/search/biblio,abstract"
    assert found.params == {"q": 'ta="trastuzumab" or ta="Herceptin"', "Range": "1-100"}


async def test_nothing_found_is_none_though_its_status_is_404() -> None:
    outcome, _ = await search(NOTHING)
    assert (outcome.status, outcome.reason) == (SearchStatus.NONE, "")


async def test_another_404_is_a_failure() -> None:
    outcome, _ = await search(Reply("<fault><code>HTTP.404</code></fault>", status=404, content_type="text/xml"))
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "it answered HTTP 404")


FAULT = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<fault xmlns="http://ops.epo.org"><code>CLIENT.CQL</code>
<message>{}</message><details><cause>x</cause></details></fault>"""


@pytest.mark.parametrize("status", [200, 400, 403, 404, 413])
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("The query has too many terms &amp; names.", "The query has too many terms & names."),
        ("<![CDATA[The query is too long.]]>", "The query is too long."),
        ("&lt;script&gt;alert(1)&lt;/script&gt; The query is too long.", "alert(1) The query is too long."),
    ],
)
async def test_a_fault_is_reported_by_its_message_and_without_markup(status: int, message: str, shown: str) -> None:
    outcome, _ = await search(Reply(FAULT.format(message), status=status, content_type="application/xml"))
    assert outcome.status is SearchStatus.FAILED
    assert outcome.reason.endswith(f": {shown}")
    assert not re.search(r"[<>]|xmlns", outcome.reason)


async def test_pages_are_walked_to_the_limit() -> None:
    outcome, requests = await search(page(range(1, 101), 900), page(range(101, 201), 900), limit=130)
    assert (len(outcome.hits), outcome.total) == (130, 900)
    assert [request.params["Range"] for request in requests[1:]] == ["1-100", "101-200"]


@pytest.mark.slow
async def test_no_more_than_2000_hits_are_asked_for() -> None:
    def found(seen: Seen) -> Reply:
        first, last = map(int, seen.params["Range"].split("-"))
        assert last <= 2_000
        return page(range(first, last + 1), 10_000)

    outcome, _ = await search(found, limit=5_000)
    assert (len(outcome.hits), outcome.total) == (2_000, 10_000)


async def test_the_same_page_again_ends_the_walk() -> None:
    outcome, requests = await search(page(range(1, 101), 900), limit=900)
    assert "repeats a page" in outcome.reason
    assert len(requests) == 3


async def test_a_token_serves_many_searches_and_is_renewed_when_it_has_expired() -> None:
    async with FaultServer() as server, open_http() as http:
        server.on("/auth/accesstoken", TOKEN, Reply('{"access_token":"N3W"}'))
        server.on("/biblio,abstract", page(range(1, 2), 1), EXPIRED, page(range(2, 3), 1))
        ops = EpoOps(http, service_at(server.url, key="id:secret"))
        first, second = await ops.search(QUERY, 1), await ops.search(QUERY, 1)
    assert (first.status, second.status) == (SearchStatus.FOUND, SearchStatus.FOUND)
    assert [request.headers["authorization"][:6] for request in server.requests].count("Basic ") == 2
    assert server.requests[-1].headers["authorization"] == "Bearer N3W"


async def test_a_refused_query_is_a_failure_after_one_call() -> None:
    fault = Reply("<fault><code>CLIENT.InvalidQuery</code></fault>", status=400, content_type="application/xml")
    outcome, requests = await search(fault)
    assert outcome.status is SearchStatus.FAILED
    assert "CLIENT.InvalidQuery" in outcome.reason
    assert len(requests) == 2


async def test_an_exceeded_quota_is_a_failure_that_names_no_secret() -> None:
    quota = Reply("<error><message>quota of id:secret T0KEN exceeded</message></error>", status=403)
    outcome, _ = await search(quota)
    assert outcome.status is SearchStatus.FAILED
    assert "quota" in outcome.reason
    assert "secret" not in outcome.reason
    assert "T0KEN" not in outcome.reason


@pytest.mark.parametrize("key", [None, "", "only-a-key", "a b:c"])
async def test_without_a_whole_key_nothing_is_asked(key: str | None) -> None:
    outcome, requests = await search(page(range(1, 2), 1), key=key)
    assert (outcome.status, outcome.reason) == (SearchStatus.FAILED, "it needs a key")
    assert requests == []


@pytest.mark.parametrize("token", [Reply("{}"), Reply("[]"), Reply("<html>", status=401), Reply("no", status=500)])
async def test_a_token_that_is_not_given_is_a_failure(token: Reply) -> None:
    outcome, _ = await search(page(range(1, 2), 1), token=token)
    assert outcome.status is SearchStatus.FAILED


async def test_a_document_without_a_title_costs_one_record() -> None:
    body = f"{document(1)}{document(2, title='')}"
    found = Reply(f'{HEAD}<ops:biblio-search total-result-count="2">{body}</ops:biblio-search>{TAIL}')
    outcome, _ = await search(found)
    assert [hit.external_id for hit in outcome.hits] == ["EP1A1"]
    assert outcome.reason == "1 record of the answer could not be read (the document has no title)"


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [("2019", None, "20190101 29991231"), (None, "2020-02", "18000101 20200229")],
)
async def test_dates_bound_the_publication(since: str | None, until: str | None, span: str) -> None:
    _, requests = await search(NOTHING, query=QUERY.model_copy(update={"since": since, "until": until}))
    assert requests[1].params["q"] == f'(ta="trastuzumab" or ta="Herceptin") and pd within "{span}"'


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_no_text_of_a_user_leaves_its_quotation_marks(names: list[str]) -> None:
    try:
        texts, _ = search_texts(SearchQuery(names=tuple(names)))
    except QueryRejected:
        return
    for text in texts:
        assert re.fullmatch(r"ta=P( or ta=P)*", re.sub(r'"[^"*?#\\]*"', "P", text))
        assert refusal(text) is None


#: What a query in the office's language may hold: ten terms of an index, twenty in all, and no letter beyond ASCII.
MOST_OF_AN_INDEX, MOST_IN_ALL = 10, 20


def refusal(text: str) -> str | None:
    """Why the office refuses a query; each word of a phrase and each day of a span is a term."""
    counts: dict[str, int] = {}
    for index, terms in re.findall(r'\b(\w+)(?:=| within )"([^"]*)"', text):
        counts[index] = counts.get(index, 0) + len(re.findall(r"\w+", terms))
        if not terms.isascii() or "/" in terms:
            return "CLIENT.CQL: illegal character in a term"
    if max(counts.values()) > MOST_OF_AN_INDEX or sum(counts.values()) > MOST_IN_ALL:
        return "CLIENT.CQL: too many terms in the query"
    return None


class Office:
    """Finds for each name a patent of its own and one that all have; refuses what the real one refuses."""

    def __init__(self, *fails: str) -> None:
        self.asked: list[str] = []
        self._fails = fails

    def __call__(self, seen: Seen) -> Reply:
        text = seen.params["q"]
        self.asked.append(text)
        if reason := refusal(text):
            return Reply(f"<fault><code>{reason}</code></fault>", status=413, content_type="application/xml")
        if any(name in text for name in self._fails):
            return Reply("<fault><code>SERVER.LimitedServer</code></fault>", status=400, content_type="application/xml")
        numbers = [int(number) for number in re.findall(r"name(\d+)", text)]
        documents = "".join(document(number) for number in [1, *numbers])
        found = f'<ops:biblio-search total-result-count="{len(numbers) + 1}">{documents}</ops:biblio-search>'
        return Reply(f"{HEAD}{found}{TAIL}", content_type="application/xml")


MANY = tuple(f"name{n} part" for n in range(100, 116))


@pytest.mark.parametrize("since", [None, "2019"])
async def test_many_names_are_asked_for_in_requests_within_the_limits_of_the_office(since: str | None) -> None:
    office = Office()
    outcome, _ = await search(office, query=SearchQuery(names=MANY, since=since))
    assert (outcome.status, outcome.incomplete, outcome.reason) == (SearchStatus.FOUND, False, "")
    assert {hit.external_id for hit in outcome.hits} == {"EP1A1", *(f"EP{n}A1" for n in range(100, 116))}
    assert (outcome.total, len(outcome.hits), len(office.asked)) == (17, 17, 4)
    assert all(f'"{name}"' in " ".join(office.asked) for name in MANY)


async def test_a_request_that_fails_makes_a_partial_search_and_the_others_count() -> None:
    outcome, _ = await search(Office("name105"), query=SearchQuery(names=MANY))
    assert (outcome.status, outcome.incomplete) == (SearchStatus.FOUND, True)
    assert outcome.reason.startswith("1 of 4 requests for the names failed: ")
    found = {hit.external_id for hit in outcome.hits}
    assert found == {"EP1A1", *(f"EP{n}A1" for n in (*range(100, 105), *range(110, 116)))}


async def test_a_search_of_which_every_request_fails_has_failed() -> None:
    outcome, _ = await search(Office("name"), query=SearchQuery(names=MANY))
    assert outcome.status is SearchStatus.FAILED
    assert outcome.hits == ()


async def test_a_used_up_quota_ends_the_asking() -> None:
    outcome, requests = await search(Reply("", status=403, headers=REJECTION), query=SearchQuery(names=MANY))
    assert outcome.status is SearchStatus.FAILED
    assert sum(seen.path.endswith("/search/biblio,abstract") for seen in requests) == 1


async def test_a_total_that_no_request_knows_is_a_least_one_and_says_so() -> None:
    outcome, _ = await search(Office(), query=SearchQuery(names=MANY), limit=3)
    assert (len(outcome.hits), outcome.total) == (3, 8)
    assert outcome.reason == "searched in 4 requests with overlapping results: at least 8 match"


async def test_names_are_written_in_the_letters_that_the_office_takes() -> None:
    office = Office()
    names = ("β-lactam name7", "Naïve Ørsted", "salmeterol/fluticasone", "赫赛汀", " ".join("abcdefghijk"))
    outcome, _ = await search(office, query=SearchQuery(names=names))
    (asked,) = office.asked
    assert asked == 'ta="beta-lactam name7" or ta="Naive Orsted" or ta="salmeterol fluticasone"'
    assert outcome.status is SearchStatus.FOUND
    assert "“Naive Orsted” for “Naïve Ørsted”" in outcome.reason
    assert outcome.reason.endswith(
        "not searched, as the service does not accept such names: 赫赛汀, a b c d e f g h i j k"
    )
    assert outcome.incomplete is False


async def test_a_patent_is_fetched_by_its_number() -> None:
    hit, requests = await fetch(record(2400812), "EP 2400812 A1")
    assert hit is not None
    assert hit.key == "patent:EP2400812A1"
    assert requests[1].path.endswith("/published-data/publication/docdb/EP.2400812.A1/biblio,abstract")


async def test_a_number_without_its_kind_is_asked_for_in_the_other_format() -> None:
    hit, requests = await fetch(record(2400812), "EP2400812")
    assert hit is not None
    assert requests[1].path.endswith("/publication/epodoc/EP2400812/biblio,abstract")


async def test_an_unknown_patent_is_none() -> None:
    assert (await fetch(NOTHING, "EP9999A1"))[0] is None


@pytest.mark.parametrize("number", ["../../auth", "2400812", "EP2400812A1/claims", ""])
async def test_what_is_no_number_is_not_asked_for(number: str) -> None:
    with pytest.raises(QueryRejected, match="is not a valid"):
        await fetch(record(1), number)


async def test_another_patent_than_the_one_asked_for_is_refused() -> None:
    with pytest.raises(BadAnswer, match="EP999A1 was returned instead of EP2400812A1"):
        await fetch(record(999), "EP2400812A1")


@needs_recorded_answers
async def test_a_recorded_search_becomes_hits() -> None:
    body = (PAYLOADS / "epo_ops_search_with_constituent.xml").read_bytes()
    outcome, _ = await search(Reply(body, content_type="application/xml"), limit=3)
    assert (len(outcome.hits), outcome.total) == (3, 10_000)
    assert outcome.hits[0].key == "patent:AU2024270787A1"


@needs_recorded_answers
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("epo_ops_*.xml")), ids=lambda path: path.stem)
async def test_each_recorded_answer_is_hits_or_a_failure(path: Path) -> None:
    outcome, _ = await search(Reply(path.read_bytes(), content_type="application/xml"), limit=3)
    is_search = path.stem == "epo_ops_search_with_constituent"
    assert outcome.status is (SearchStatus.FOUND if is_search else SearchStatus.FAILED)


def test_a_name_that_leaves_no_room_beside_the_required_words_is_left_out_and_the_others_are_searched() -> None:
    long = "recombinant humanized anti p185 HER2 monoclonal antibody trastuzumab"
    required = (("breast cancer",), ("adjuvant",))
    texts, remarks = search_texts(SearchQuery(names=("trastuzumab", long), required=required))
    assert texts == ['(ta="trastuzumab") and (ta="breast cancer") and (ta="adjuvant")']
    assert remarks == [f"not searched, as the service does not accept such names: {long}"]


def test_more_required_words_than_one_request_takes_are_asked_for_in_several() -> None:
    words = tuple(f"word{n}" for n in range(12))
    texts, remarks = search_texts(SearchQuery(names=("trastuzumab",), required=(words, ("breast cancer",))))
    assert remarks == [] and all(text.count("ta=") <= 9 for text in texts)
    assert sorted(word for text in texts for word in words if f'ta="{word}"' in text) == sorted(words)
    assert all('(ta="trastuzumab") and' in text and '(ta="breast cancer")' in text for text in texts)
