from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.pages.addresses import (
    HostPort,
    IPAddress,
    is_public,
    is_public_web,
    permitted_addresses,
    read_host_port,
    system_addresses,
)
from storm.errors import Blocked, ServiceDown

PUBLIC = ["8.8.8.8", "1.1.1.1", "130.14.29.110", "193.62.193.80", "172.15.0.1", "172.32.0.1", "100.128.0.1",
          "2606:4700::6810:84e5", "2001:4860:4860::8888", "2a00:1450:4001:829::200e"]  # fmt: skip
PRIVATE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1",
    "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::10.0.0.1", "100::1", "2001::1", "2001:0:53aa:64c::1",
    "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "3fff::1",
    "5f00::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_no_public_server_has_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.ip_addresses())
def test_nothing_passes_that_the_standard_library_calls_private(address: IPAddress) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast and not address.is_reserved and not address.is_link_local


@given(st.ip_addresses(v=4))
def test_no_ipv6_form_of_an_ipv4_address_passes(address: IPv4Address) -> None:
    number = int(address)
    forms = (
        number,
        0xFFFF << 32 | number,
        0x64FF9B << 96 | number,
        0x2002 << 112 | number << 80,
        0x20010000 << 96 | number,
    )
    assert not any(is_public(ip_address(form.to_bytes(16))) for form in forms)


@pytest.mark.parametrize(
    ("port", "open_"), [(80, True), (443, True), (22, False), (0, False), (8080, False), (6379, False)]
)
def test_only_the_ports_of_the_web_are_connected_to(port: int, open_: bool) -> None:
    assert is_public_web(ip_address("8.8.8.8"), port) is open_


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("https://www.fda.gov/drugs", HostPort("www.fda.gov", 443)),
        ("HTTP://WWW.FDA.GOV", HostPort("www.fda.gov", 80)),
        ("http://example.org:8080/x", HostPort("example.org", 8080)),
        ("https://8.8.8.8/", HostPort("8.8.8.8", 443)),
        ("https://[2606:4700:0::6810:84e5]:443/", HostPort("2606:4700::6810:84e5", 443)),
        ("https://bücher.de/", HostPort("xn--bcher-kva.de", 443)),
        ("https://xn--bcher-kva.de/a%20b?c=@d", HostPort("xn--bcher-kva.de", 443)),
        ("https://a_b.example.org/", HostPort("a_b.example.org", 443)),
    ],
)
def test_an_ordinary_address_leads_to_its_host_and_port(url: str, server: HostPort) -> None:
    assert read_host_port(url) == server


@given(st.text(max_size=60))
def test_any_text_is_a_place_or_blocked(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}.org/", f"https://[{text}]/"):
        try:
            server = read_host_port(url)
        except Blocked:
            continue
        assert server.host.isascii() and server.host == server.host.lower() and not server.host.endswith(".")


async def _nowhere(host: str) -> Sequence[IPAddress]:
    raise OSError("Name or service not known")


async def test_a_name_that_is_not_found_is_a_service_that_is_down() -> None:
    with pytest.raises(ServiceDown, match=r"^example\.org was not found$"):
        await permitted_addresses(HostPort("example.org", 443), _nowhere, is_public_web)


async def test_a_name_without_addresses_is_a_service_that_is_down() -> None:
    async def nothing(host: str) -> Sequence[IPAddress]:
        return ()

    with pytest.raises(ServiceDown):
        await permitted_addresses(HostPort("example.org", 443), nothing, is_public_web)


async def test_of_a_mixed_answer_only_the_public_addresses_are_left() -> None:
    async def mixed(host: str) -> Sequence[IPAddress]:
        return tuple(map(ip_address, ("127.0.0.1", "8.8.8.8", "::1", "1.1.1.1")))

    found = await permitted_addresses(HostPort("example.org", 443), mixed, is_public_web)
    assert [str(address) for address in found] == ["8.8.8.8", "1.1.1.1"]


async def test_the_address_found_is_not_reported() -> None:
    async def local(host: str) -> Sequence[IPAddress]:
        return (ip_address("10.1.2.3"),)

    with pytest.raises(Blocked) as caught:
        await permitted_addresses(HostPort("intra.example.org", 443), local, is_public_web)
    assert "10.1.2.3" not in str(caught.value)


async def test_the_system_resolver_gives_each_address_once() -> None:
    assert await system_addresses("127.0.0.1") == (ip_address("127.0.0.1"),)
