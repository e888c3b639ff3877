from __future__ import annotations

import asyncio
import gzip
import math
import zlib
from collections.abc import Sequence
from ipaddress import ip_address

import httpx
import pytest
from fault_server import FaultServer, Reply, Seen

from storm.databases.http.body import read_body_start
from storm.databases.pages.addresses import IPAddress
from storm.databases.pages.process import read_page_apart
from storm.databases.pages.reader import PageLimits, PageReader, page_hit
from storm.databases.pages.reading import read_page
from storm.databases.pages.text import PageText
from storm.databases.pages.transport import CheckedTransport
from storm.errors import BadAnswer, Blocked, QueryRejected, RateLimited, ServiceDown, ServiceError
from storm.models import Section, SectionKind

SENTENCE = "Trastuzumab prolonged survival of women with metastatic breast cancer in this trial."
PAGE = Reply(
    "<html><head><title>A trial</title><meta name=citation_pmid content=11248153></head>"
    f"<body><p>{SENTENCE}</p></body></html>",
    content_type="text/html; charset=utf-8",
)
QUICK = PageLimits(connect=2, read=0.3, total=1, max_bytes=200_000)


def html(body: bytes | str, **fields: object) -> Reply:
    return Reply(body, content_type="text/html", **fields)  # type: ignore[arg-type]


class Waits:
    """A limiter that keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, float, float]] = []
        self.turn = True

    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        self.asked.append((service, per_second, within))
        return self.turn

    async def hold(self, service: str, seconds: float) -> None:
        """Nobody is held."""


async def loopback(host: str) -> Sequence[IPAddress]:
    return (ip_address("127.0.0.1"),)


async def anything(url: str) -> str:
    return url


async def here(body: bytes, content_type: str, seconds: float) -> PageText:
    """Without the second that a process of its own takes to start."""
    return read_page(body, content_type)


def reader(limits: PageLimits = QUICK, *, robots: bool = False, **parts: object) -> PageReader:
    """A reader for which the loopback interface is the public internet."""
    arguments = {
        "may_read": anything, "may_connect": lambda address, port: address.is_loopback, "resolve": loopback,
        "parse": here, **parts,
    }  # fmt: skip
    return PageReader(Waits(), user_agent="storm/0 (+test)", limits=limits, honour_robots=robots, **arguments)  # type: ignore[arg-type]


def url(server: FaultServer, path: str = "/page") -> str:
    return f"http://pages.example.org:{server.port}{path}"


@pytest.mark.slow
async def test_a_page_becomes_a_hit_that_no_claim_of_its_own_makes_a_paper() -> None:
    async with FaultServer(PAGE) as server:
        hit = await reader(parse=read_page_apart).fetch(url(server))
    assert (hit.database, hit.title, hit.text, hit.external_id) == ("web", "A trial", SENTENCE, url(server))
    assert {identifier.partition(":")[0] for identifier in hit.identifiers} == {"web", "url"}
    assert server.requests[0].headers["user-agent"] == "storm/0 (+test)"


async def test_a_page_that_neither_a_search_nor_the_user_gave_is_not_asked_for() -> None:
    async def found(address: str) -> str | None:
        return address if address.endswith("/found") else None

    async with FaultServer(PAGE) as server:
        page_reader = reader(may_read=found)
        with pytest.raises(Blocked, match="neither found by a search"):
            await page_reader.fetch(url(server, "/other"))
        assert server.connections == 0
        assert (await page_reader.fetch(url(server, "/found"))).text == SENTENCE


async def test_the_page_is_asked_for_at_the_address_that_was_found_not_as_the_caller_writes_it() -> None:
    async with FaultServer(PAGE) as server:

        async def found(address: str) -> str:
            return url(server, "/found?id=1")

        hit = await reader(may_read=found).fetch(url(server, "/found/?id=1&utm_source=WHAT-THE-JOB-KNOWS"))
    assert [seen.target for seen in server.requests] == ["/found?id=1"]
    assert hit.url == hit.external_id == url(server, "/found?id=1")


@pytest.mark.slow
async def test_the_rate_of_one_host_is_asked_of_the_limiter() -> None:
    waits = Waits()
    async with FaultServer(PAGE) as server:
        page_reader = PageReader(
            waits, may_read=anything, user_agent="storm/0", honour_robots=False, resolve=loopback,
            may_connect=lambda address, port: True,
        )  # fmt: skip
        await page_reader.fetch(url(server))
        waits.turn = False
        with pytest.raises(RateLimited, match="no turn within 60 s under the rate limit"):
            await page_reader.fetch(url(server))
    assert waits.asked == [("page:pages.example.org", 1.0, 60.0)] * 2
    assert len(server.requests) == 1


async def test_redirects_within_a_site_are_followed_and_the_hit_is_known_by_what_was_asked_for() -> None:
    async with FaultServer(PAGE) as server:
        server.on("/page", Reply(status=301, headers={"Location": "a/b?c=d"}))
        server.on("/a/b", Reply(status=302, headers={"Location": "/end"}))
        hit = await reader().fetch(url(server))
    assert hit.external_id == hit.url == url(server)
    assert [seen.target for seen in server.requests] == ["/page", "/a/b?c=d", "/end"]


async def test_a_page_of_another_site_is_known_by_its_own_address_not_by_what_led_there() -> None:
    async with FaultServer(PAGE) as server:
        other = f"http://other.example.org:{server.port}/end"
        server.on("/page", Reply(status=302, headers={"Location": other}))
        hit = await reader().fetch(url(server))
    assert hit.external_id == hit.url == other
    assert not any("pages.example.org" in identifier for identifier in hit.identifiers)


async def test_a_redirect_loop_ends_after_five() -> None:
    async with FaultServer(Reply(status=302, headers={"Location": "/page"})) as server:
        with pytest.raises(BadAnswer, match="more than 5 times"):
            await reader().fetch(url(server))
        assert len(server.requests) == 6


async def test_cookies_last_for_the_redirects_of_one_page_only() -> None:
    def welcome(seen: Seen) -> Reply:
        known = "cookie" in seen.headers
        return PAGE if known else Reply(status=302, headers={"Location": "/page", "Set-Cookie": "seen=1"})

    async with FaultServer(welcome) as server:
        page_reader = reader()
        await page_reader.fetch(url(server))
        await page_reader.fetch(url(server))
    assert ["cookie" in seen.headers for seen in server.requests] == [False, True, False, True]


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, BadAnswer), (401, QueryRejected), (403, QueryRejected), (404, QueryRejected), (410, QueryRejected),
     (429, RateLimited), (451, QueryRejected), (500, ServiceDown), (503, ServiceDown), (204, BadAnswer),
     (304, BadAnswer)],
)  # fmt: skip
async def test_a_status_that_is_no_page_names_the_host_and_the_status(status: int, error: type[ServiceError]) -> None:
    async with FaultServer(
        html("<p>Words of an error page.</p>" if status not in (204, 304) else "", status=status)
    ) as server:
        with pytest.raises(error, match=f"pages.example.org.*{status}") as caught:
            await reader().fetch(url(server, "/page?token=secret"))
    assert caught.value.service == "Web" and "secret" not in str(caught.value)


async def test_a_body_over_the_limit_is_not_read_to_its_end() -> None:
    async with FaultServer(html(b"x" * 65_536, times=1_600)) as server:  # 105 MB
        with pytest.raises(BadAnswer, match=r"longer than 0\.2 MB"):
            await reader().fetch(url(server))


async def test_a_body_within_the_limit_is_read_whole() -> None:
    async with FaultServer(html(f"<p>{SENTENCE}</p>" + " " * 199_000)) as server:
        assert (await reader().fetch(url(server))).text == SENTENCE


def _bomb(rounds: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(2**20)) for _ in range(rounds)) + packer.flush()


@pytest.mark.slow
async def test_a_gzip_bomb_stops_at_the_limit() -> None:
    bomb = _bomb(300)
    assert len(bomb) < 400_000
    async with FaultServer(html(bomb, headers={"Content-Encoding": "gzip"})) as server:
        with pytest.raises(BadAnswer, match="longer than"):
            await reader().fetch(url(server))


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "deflate", "gzip,gzip,gzip", "x"])
async def test_a_body_packed_otherwise_or_twice_is_refused(encoding: str) -> None:
    async with FaultServer(html(gzip.compress(_bomb(10)), headers={"Content-Encoding": encoding})) as server:
        with pytest.raises(BadAnswer, match="content encoding that was not requested"):
            await reader().fetch(url(server))


@pytest.mark.parametrize("end", [b"", b"\0" * 20])
async def test_a_gzip_body_is_unpacked_with_all_its_members(end: bytes) -> None:
    body = gzip.compress(PAGE.content[:90]) + gzip.compress(PAGE.content[90:]) + end
    async with FaultServer(html(body, headers={"Content-Encoding": "gzip"}, piece=7)) as server:
        assert (await reader().fetch(url(server))).text == SENTENCE


@pytest.mark.parametrize(
    ("body", "problem"),
    [(gzip.compress(b"x" * 999, mtime=0)[:-9], "cut off"), (b"no gzip at all", "damaged"), (b"", "no text")],
)
async def test_a_damaged_gzip_body_is_a_bad_answer(body: bytes, problem: str) -> None:
    async with FaultServer(html(body, headers={"Content-Encoding": "gzip"})) as server:
        with pytest.raises(BadAnswer, match=problem):
            await reader().fetch(url(server))


FAULTS = {
    "a server that never answers": Reply(silent=True),
    "a slow drip": html("x" * 5_000, piece=1, pause=0.01),
    "a pause in the middle": html("x" * 20, piece=10, pause=2),
    "a reset": html("<p>Words", announced=900, reset=True),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_on_the_way_is_a_service_that_is_down(fault: str) -> None:
    limits = QUICK._replace(total=0.5)
    async with asyncio.timeout(60), FaultServer(FAULTS[fault]) as server:
        with pytest.raises(ServiceDown, match=r"pages\.example\.org"):
            await reader(limits).fetch(url(server))


@pytest.mark.parametrize("reply", [html("<p>Words", announced=900), html("", headers={"Transfer-Encoding": "x"})])
async def test_an_answer_that_is_cut_off_or_not_http_is_a_bad_answer(reply: Reply) -> None:
    async with FaultServer(reply) as server:
        with pytest.raises(BadAnswer, match="cut off or not HTTP"):
            await reader().fetch(url(server))


async def test_nobody_at_the_port_is_a_service_that_is_down() -> None:
    async with FaultServer(PAGE) as server:
        gone = url(server)
    with pytest.raises(ServiceDown, match="could not be connected to") as caught:
        await reader().fetch(gone)
    assert "127.0.0.1" not in str(caught.value)


async def test_a_server_without_tls_is_a_service_that_is_down() -> None:
    async with FaultServer(PAGE) as server:
        with pytest.raises(ServiceDown):
            await reader(QUICK._replace(connect=0.3)).fetch(url(server).replace("http:", "https:"))
        await asyncio.sleep(0)  # one turn of the loop, in which the failed connection is closed
    assert server.requests == []


async def test_a_name_that_does_not_exist_is_a_service_that_is_down() -> None:
    async def nowhere(host: str) -> Sequence[IPAddress]:
        raise OSError("no such name")

    with pytest.raises(ServiceDown, match=r"gone\.example\.org was not found"):
        await reader(resolve=nowhere).fetch("http://gone.example.org/")


@pytest.mark.parametrize("host", ["xn--lohost-6te.example.org", "xn--a.example.org", "xn--0.org"])
async def test_a_name_that_claims_to_be_international_and_is_none_is_blocked_or_not_found(host: str) -> None:
    async def nowhere(name: str) -> Sequence[IPAddress]:
        return ()

    with pytest.raises((Blocked, ServiceDown)):
        await reader(resolve=nowhere).fetch(f"http://{host}/")


async def test_a_type_that_is_no_page_is_refused_before_its_body() -> None:
    async with FaultServer(Reply(b"x" * 65_536, content_type="video/mp4", times=1_600)) as server:
        with pytest.raises(BadAnswer, match="video/mp4"):
            await reader().fetch(url(server))


async def test_an_error_of_the_page_itself_names_the_database() -> None:
    async with FaultServer(html("<p>JavaScript is disabled in your browser.</p>")) as server:
        with pytest.raises(BadAnswer, match="JavaScript") as caught:
            await reader().fetch(url(server))
    assert caught.value.service == "Web" and caught.value.hint


ROBOTS = Reply("User-agent: storm\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n", content_type="text/plain")


async def test_a_page_that_robots_txt_forbids_is_not_read() -> None:
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", ROBOTS)
        page_reader = reader(robots=True)
        with pytest.raises(Blocked, match=r"robots\.txt"):
            await page_reader.fetch(url(server, "/private/page"))
        assert (await page_reader.fetch(url(server, "/public/page"))).text == SENTENCE
    assert [seen.path for seen in server.requests] == ["/robots.txt", "/public/page"]


async def test_robots_txt_is_asked_for_once_by_pages_that_are_read_together() -> None:
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", ROBOTS)
        page_reader = reader(PageLimits(), robots=True)
        await asyncio.gather(*(page_reader.fetch(url(server, f"/page{n}")) for n in range(3)))
    assert [seen.path for seen in server.requests].count("/robots.txt") == 1


async def test_robots_txt_is_not_asked_for_where_the_setting_is_off() -> None:
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", ROBOTS)
        await reader(robots=False).fetch(url(server, "/private/page"))
    assert [seen.path for seen in server.requests] == ["/private/page"]


async def test_the_robots_txt_of_the_host_that_a_redirect_leads_to_counts_too() -> None:
    async with FaultServer(PAGE) as forbidden, FaultServer(Reply(status=302)) as server:
        server.on("/robots.txt", Reply(status=404))
        server.on("/page", Reply(status=302, headers={"Location": url(forbidden, "/private/x")}))
        forbidden.on("/robots.txt", ROBOTS)
        with pytest.raises(Blocked, match=r"robots\.txt"):
            await reader(robots=True).fetch(url(server))
        assert [seen.path for seen in forbidden.requests] == ["/robots.txt"]


@pytest.mark.parametrize(
    "robots",
    [Reply(status=404), Reply(status=403), html("<html>Not found</html>"), Reply(""), Reply(b"\xff\xfe\0\0\x80"),
     Reply("User-agent: *\nDisallow: /elsewhere\nCrawl-delay: x\nRequest-rate: 1/s"),
     Reply("User-agent: *\nDisallow: //[\n"),
     Reply("\ufeffUser-agent: storm\nAllow: /\n\nUser-agent: *\nDisallow: /")],
)  # fmt: skip
async def test_a_site_whose_robots_txt_forbids_nothing_is_read(robots: Reply) -> None:
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", robots)
        assert (await reader(robots=True).fetch(url(server))).text == SENTENCE


@pytest.mark.parametrize(
    ("robots", "error"),
    [(Reply(status=503), ServiceDown), (Reply(status=429), RateLimited), (Reply(silent=True), ServiceDown),
     (Reply(status=302, headers={"Location": "/robots.txt"}), BadAnswer),
     (Reply(status=302, headers={"Location": "http://10.0.0.1/robots.txt"}), Blocked)],
)  # fmt: skip
async def test_a_site_whose_robots_txt_cannot_be_known_is_not_read(robots: Reply, error: type[ServiceError]) -> None:
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", robots)
        with pytest.raises(error):
            await reader(robots=True).fetch(url(server))
        assert "/page" not in [seen.path for seen in server.requests]


async def test_only_the_start_of_a_huge_robots_txt_is_read() -> None:
    huge = Reply(b"User-agent: *\nDisallow: /page\n" + b"# filler\n" * 7_000, times=1_600, content_type="text/plain")
    async with FaultServer(PAGE) as server:
        server.on("/robots.txt", huge)
        with pytest.raises(Blocked, match=r"robots\.txt"):
            await reader(robots=True).fetch(url(server))


async def test_a_cut_robots_txt_ends_with_a_whole_line() -> None:
    response = httpx.Response(200, stream=httpx.ByteStream(b"Disallow: /a\nDisallow: /b/c\n"))
    assert await read_body_start(response, 22) == b"Disallow: /a"


async def test_the_name_that_was_asked_for_is_the_one_that_tls_verifies() -> None:
    hellos: list[bytes] = []

    async def listen(stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hellos.append(await stream.read(4_096))
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ServiceDown):
        await reader().fetch(f"https://pages.example.org:{port}/")
    server.close()
    assert b"pages.example.org" in hellos[0]


async def test_the_next_address_is_tried_where_the_first_cannot_be_reached() -> None:
    tried: list[str] = []

    def network(request: httpx.Request) -> httpx.Response:
        tried.append(request.url.host)
        if request.url.host.startswith("2606:"):
            raise httpx.ConnectError("no route")
        assert request.headers["host"] == "example.org" and request.extensions["sni_hostname"] == "example.org"
        return httpx.Response(200, text="words")

    async def both(host: str) -> Sequence[IPAddress]:
        return ip_address("2606:4700::1"), ip_address("8.8.8.8")

    transport = CheckedTransport(
        httpx.MockTransport(network), resolve=both, may_connect=lambda address, port: address.is_global
    )
    async with httpx.AsyncClient(transport=transport) as client:
        assert (await client.get("https://example.org/")).text == "words"
    assert tried == ["2606:4700::1", "8.8.8.8"]


async def test_a_page_that_takes_too_long_to_read_is_given_up() -> None:
    with pytest.raises(BadAnswer, match=r"within 0\.05 s"):
        await read_page_apart(PAGE.content, "text/html", 0.05)


async def test_a_process_that_ends_without_an_answer_is_a_bad_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storm.databases.pages.process._MAIN", "raise MemoryError")
    with pytest.raises(BadAnswer, match="too large or too damaged"):
        await read_page_apart(b"x" * 3_000_000, "text/html", 30)


async def test_the_process_takes_any_header_as_text() -> None:
    page = await read_page_apart(b"Words of a page", "text/plain; charset='\u00fc\\\n\"", 30)
    assert page.text == "Words of a page"


def test_a_page_without_a_title_is_called_by_its_address_and_a_part_is_said_to_be_one() -> None:
    hit = page_hit(PageText("Words", part="pages 1–2 of 3"), "https://example.org/a.pdf", "https://example.org/b.pdf")
    assert (hit.title, hit.container, hit.sections[0].place) == (
        "https://example.org/a.pdf",
        "example.org",
        "pages 1–2 of 3",
    )


async def test_the_parts_of_a_page_become_the_sections_of_its_hit() -> None:
    page = await read_page_apart(b"# Trial\nOne.\n## Results\nTwo.", "text/plain", 30)
    hit = page_hit(page, "https://example.org/a", "https://example.org/a")
    assert hit.sections == (
        Section(label="Trial", text="One."),
        Section(label="Trial: Results", text="Two.", kind=SectionKind.RESULTS),
    )
