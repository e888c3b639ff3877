"""Every known way to make a page reader connect to a machine that is none of its business; none connects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from fault_server import FaultServer, Reply

from storm.databases.pages.addresses import IPAddress, Resolve, is_public_web, system_addresses
from storm.databases.pages.reader import PageReader
from storm.databases.pages.transport import CheckedTransport
from storm.errors import BadAnswer, Blocked

#: {p} is the port of a server that listens on 127.0.0.1 while these are tried.
FORMS = [
    # Loopback, plainly, at the server's port and at those of the web
    "http://127.0.0.1:{p}/", "http://127.0.0.1/", "https://127.0.0.1/", "http://127.0.0.2/", "http://127.1.1.1:80/",
    "http://localhost:{p}/", "http://localhost/", "http://LOCALHOST/", "http://localhost.localdomain/",
    "http://sub.localhost/", "http://ip6-localhost/", "http://0.0.0.0:{p}/", "http://0.0.0.0/",
    # Numbers that resolvers take for an address
    "http://2130706433/", "http://2130706433:{p}/", "http://0x7f000001/", "http://0x7F.0x0.0x0.0x1/", "http://0x7f.1/",
    "http://017700000001/", "http://0177.0.0.1/", "http://0177.0.0.01/", "http://00000177.0.0.1/", "http://127.1/",
    "http://127.0.1/", "http://0/", "http://00/", "http://0x0/", "http://127.000.000.001/", "http://127.0.0.0x1/",
    "http://4294967297/", "http://134744072/", "http://0x08080808/", "http://8.8.2056/", "http://256.0.0.1/",
    # Trailing and doubled dots
    "http://127.0.0.1./", "http://localhost./", "http://127.0.0.1../", "http://127..0.0.1/", "http://.127.0.0.1/",
    # Letters that turn into others
    "http://１２７.0.0.1/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://127．0．0．1/", "http://127｡0｡0｡1/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "http://ｌｏｃａｌｈｏｓｔ/", "http://loca\u017fhost/", "http://lo\u0441alhost/",
    "http://xn--lohost-6te/", "http://lo\u00adcalhost/", "http://local\u200bhost/", "http://ⓜetadata.google.internal/",
    # Percent signs, blanks, backslashes, control characters
    "http://127%2e0%2e0%2e1/", "http://%6c%6f%63%61%6c%68%6f%73%74/", "http://127.0.0.1%00.example.org/",
    "http://127.0.0.1\t/", "http://127.0.0.1\r\nHost: x/", " http://127.0.0.1/", "http:\\\\127.0.0.1\\",
    "http://example.org\\@127.0.0.1/", "http:/\\127.0.0.1/", "http://example.org /", "http://\u00a0127.0.0.1/",
    # User names, and what some parsers take for one
    "http://user@127.0.0.1/", "http://example.org@127.0.0.1/", "http://example.org:80@127.0.0.1/",
    "http://user:secret@example.org/", "http://127.0.0.1@example.org/", "http://@127.0.0.1/",
    # IPv6, and IPv4 inside of it
    "http://[::1]:{p}/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/", "http://[::ffff:0:127.0.0.1]/", "http://[::127.0.0.1]/", "http://[2002:7f00:1::]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::169.254.169.254]/", "http://[64:ff9b:1::a00:1]/",
    "http://[2001:0:7f00:1::1]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[::1%25lo]/",
    "http://[fc00::1]/", "http://[fec0::1]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[::1", "http://::1/",
    "http://[v1.fe80::1]/", "http://[127.0.0.1]/", "http://[]/",
    # Private and special networks
    "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.0.1/", "http://100.64.0.1/", "http://198.18.0.1/",
    "http://192.0.2.1/", "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/", "http://0.1.2.3/",
    # Where clouds keep secrets
    "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://100.100.100.200/",
    "http://168.63.129.16/", "http://192.0.0.192/", "http://metadata.google.internal/", "http://metadata/",
    "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://169.254.43518/",
    # Names that a home or office answers
    "http://intranet/", "http://router.lan/", "http://printer.local/", "http://wiki.corp/", "http://db.internal/",
    "http://nas.home.arpa/", "http://1.0.0.127.in-addr.arpa/", "http://x.onion/", "http://x.test/",
    # Ports
    "http://8.8.8.8:22/", "http://8.8.8.8:6379/", "https://8.8.8.8:8443/", "http://8.8.8.8:0/", "http://8.8.8.8:99999/",
    "http://8.8.8.8:-80/", "http://8.8.8.8:80:{p}/", "http://8.8.8.8:８０８０/",
    # Schemes
    "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:{p}/_x", "ftp://127.0.0.1/",
    "data:text/html,<p>text</p>", "javascript:alert(1)", "ws://127.0.0.1:{p}/", "unix:///run/x", "dict://127.0.0.1/",
    "ldap://127.0.0.1/", "jar:http://127.0.0.1!/", "//127.0.0.1/", "127.0.0.1:{p}", "http:127.0.0.1", "http:///x", "http://",
    "", "http://" + "a" * 5_000 + ".org/",
]  # fmt: skip


class Unlimited:
    async def wait(self, service: str, per_second: float, within: float = math.inf) -> bool:
        return True

    async def hold(self, service: str, seconds: float) -> None:
        """Nobody is held."""


class CountingNetwork(httpx.AsyncBaseTransport):
    """Stands where connections are made: keeps where to, and answers as if a server were there."""

    def __init__(self) -> None:
        self.hosts: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.hosts.append(request.url.host)
        return httpx.Response(200, stream=httpx.ByteStream(b"<html><p>Words of a page.</p></html>"))


async def _anything(url: str) -> str:
    return url


def reader(network: httpx.AsyncBaseTransport | None = None, resolve: Resolve = system_addresses) -> PageReader:
    """With the strict policy of addresses, and nothing else in the way."""
    return PageReader(
        Unlimited(), may_read=_anything, user_agent="storm/0", honour_robots=False, resolve=resolve, network=network
    )


@pytest.mark.parametrize("form", FORMS)
async def test_no_form_of_a_forbidden_address_connects(form: str) -> None:
    asked: list[str] = []

    async def resolve(host: str) -> Sequence[IPAddress]:
        asked.append(host)
        return (ip_address("127.0.0.1"),)

    network = CountingNetwork()
    async with FaultServer(Reply("secret")) as server:
        url = form.replace("{p}", str(server.port))
        for attempt in (reader(network, resolve), reader(resolve=resolve)):
            with pytest.raises(Blocked):
                await attempt.fetch(url)
        assert server.connections == 0
    assert network.hosts == [] and asked == []


@pytest.mark.parametrize("form", [form for form in FORMS if form.startswith("http")])
async def test_the_transport_refuses_them_too_whatever_httpx_makes_of_them(form: str) -> None:
    network = CountingNetwork()

    async def local(host: str) -> Sequence[IPAddress]:
        return (ip_address("127.0.0.1"),)

    transport = CheckedTransport(network, resolve=local, may_connect=is_public_web)
    async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
        with pytest.raises((Blocked, httpx.InvalidURL, UnicodeError)):
            await client.get(form.replace("{p}", "9"))
    assert network.hosts == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "fe80::1"])
async def test_a_public_name_with_a_private_address_is_not_connected_to(address: str) -> None:
    async def resolve(host: str) -> Sequence[IPAddress]:
        return (ip_address(address),)

    network = CountingNetwork()
    with pytest.raises(Blocked):
        await reader(network, resolve).fetch("http://127.0.0.1.nip.io/")
    assert network.hosts == []


@pytest.mark.slow
async def test_a_name_is_resolved_once_and_the_checked_address_is_the_one_connected_to() -> None:
    answers = [ip_address("8.8.8.8"), ip_address("127.0.0.1")]

    async def rebinding(host: str) -> Sequence[IPAddress]:
        return (answers.pop(0),)

    network = CountingNetwork()
    await reader(network, rebinding).fetch("http://rebind.example.org/")
    assert network.hosts == ["8.8.8.8"] and len(answers) == 1


@pytest.mark.slow
async def test_a_name_that_turns_private_is_refused_when_it_is_asked_again() -> None:
    answers = [ip_address("8.8.8.8"), ip_address("127.0.0.1")]

    async def rebinding(host: str) -> Sequence[IPAddress]:
        return (answers.pop(0),)

    network = CountingNetwork()
    page_reader = reader(network, rebinding)
    await page_reader.fetch("http://rebind.example.org/")
    with pytest.raises(Blocked):
        await page_reader.fetch("http://rebind.example.org/")
    assert network.hosts == ["8.8.8.8"]


async def test_a_redirect_to_the_same_name_is_resolved_and_checked_again() -> None:
    answers = [ip_address("8.8.8.8"), ip_address("127.0.0.1")]

    async def rebinding(host: str) -> Sequence[IPAddress]:
        return (answers.pop(0),)

    hosts: list[str] = []

    def network(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(302, headers={"location": "/again"})

    with pytest.raises(Blocked):
        await reader(httpx.MockTransport(network), rebinding).fetch("http://rebind.example.org/")
    assert hosts == ["8.8.8.8"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1:{p}/secret", "//127.0.0.1:{p}/secret", "http://localhost:{p}/secret", "http://[::1]:{p}/secret",
     "http://2130706433:{p}/secret", "http://[::ffff:127.0.0.1]:{p}/secret", "http://inner.example.org:{p}/secret",
     "http://169.254.169.254/", "file:///etc/passwd", "gopher://127.0.0.1:{p}/", "http://user@127.0.0.1:{p}/secret",
     "http://０x7f.1:{p}/secret", "http://[::1", "http:\\\\127.0.0.1:{p}\\secret"],
)  # fmt: skip
async def test_a_redirect_to_a_forbidden_address_is_not_followed(status: int, location: str) -> None:
    async with FaultServer(Reply("secret")) as inner, FaultServer() as outer:
        there = location.replace("{p}", str(inner.port)).encode().decode("latin-1")
        outer.on("/", Reply(status=status, headers={"Location": there}))
        with pytest.raises((Blocked, BadAnswer)):
            await _to(outer).fetch(f"http://pages.example.org:{outer.port}/")
        assert (outer.connections, inner.connections) == (1, 0)


def _to(server: FaultServer) -> PageReader:
    """A reader that may connect to this one server, as if it were public, and to nothing else."""

    async def resolve(host: str) -> Sequence[IPAddress]:
        return (ip_address("127.0.0.1" if host == "pages.example.org" else "127.0.0.9"),)

    return PageReader(
        Unlimited(),
        may_read=_anything,
        user_agent="storm/0",
        honour_robots=False,
        resolve=resolve,
        may_connect=lambda address, port: (str(address), port) == ("127.0.0.1", server.port),
    )


@pytest.mark.slow
async def test_proxies_and_passwords_of_the_environment_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine pages.example.org login me password hunter2\n")
    netrc.chmod(0o600)
    page = Reply("<p>Words of a page.</p>", content_type="text/html")
    async with FaultServer(page) as proxy, FaultServer(page) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NETRC", str(netrc))
        await _to(server).fetch(f"http://pages.example.org:{server.port}/")
        assert proxy.connections == 0
        assert "authorization" not in server.requests[0].headers
        assert server.requests[0].headers["host"] == f"pages.example.org:{server.port}"


def test_the_suite_has_at_least_sixty_forms() -> None:
    assert len(set(FORMS)) >= 60
