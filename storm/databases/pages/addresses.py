"""What a page may be fetched from: public web servers, decided on the very address that is then connected to."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from storm.errors import Blocked, ServiceDown

IPAddress: TypeAlias = IPv4Address | IPv6Address
#: Whether this address may be connected to at this port.
MayConnect: TypeAlias = Callable[[IPAddress, int], bool]
#: The addresses of a host name, in the order to try them; OSError where it has none.
Resolve: TypeAlias = Callable[[str], Awaitable[Sequence[IPAddress]]]

WEB_PORTS = {"http": 80, "https": 443}

_REFUSED_V4 = tuple(
    ip_network(block)
    for block in (
        # The IANA special-purpose registry, with what it calls globally reachable but no web server has.
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        # A public address that a cloud (Azure) answers itself, with the machine's own secrets.
        "168.63.129.16/32",
    )
)  # fmt: skip
#: All of IPv6 that is given out to servers; what carries an IPv4 address (mapped, compatible, NAT64) is outside of it …
_GLOBAL_V6 = ip_network("2000::/3")
#: … or one of these: protocol assignments with Teredo and benchmarking, documentation, 6to4.
_REFUSED_V6 = tuple(
    ip_network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)

#: Names below these are not looked up in the public DNS, or belong to a network of one's own.
_LOCAL_DOMAINS = frozenset({
    "alt", "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
    "localhost", "onion", "private", "test",
})  # fmt: skip
_NEVER_IN_A_URL = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")


class Place(NamedTuple):
    """Where a URL leads: `host` is a DNS name in ASCII or a plain IP address without brackets."""

    host: str
    port: int


def is_public(address: IPAddress) -> bool:
    """Whether a public server can have this address; an IPv6 form of an IPv4 address never passes."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _REFUSED_V4)
    return address in _GLOBAL_V6 and not any(address in block for block in _REFUSED_V6)


def is_public_web(address: IPAddress, port: int) -> bool:
    """The strict policy: a public address, at port 80 or 443."""
    return port in WEB_PORTS.values() and is_public(address)


def web_place(url: str) -> Place:
    """Where an http(s) URL leads; Blocked for every other scheme, for credentials and for a host in a disguise."""
    if _NEVER_IN_A_URL.search(url):
        raise Blocked("the address holds blanks, control characters or backslashes")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as exc:
        raise Blocked("the address cannot be understood") from exc
    if parts.scheme not in WEB_PORTS:
        raise Blocked("only http and https addresses are opened")
    if "@" in parts.netloc:
        raise Blocked("the address holds a user name")
    return Place(_plain_host(host), WEB_PORTS[parts.scheme] if port is None else port)


def _plain_host(host: str) -> str:
    if ":" in host:
        return str(_parse_literal(host))
    name = _ascii_name(host)
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return str(_parse_literal(name))
    if len(labels) < 2 or labels[-1] in _LOCAL_DOMAINS or not all(map(_LABEL.fullmatch, labels)):
        raise Blocked("the host is not a name on the public internet")
    return name


def _parse_literal(host: str) -> IPAddress:
    """Four plain decimal numbers, or IPv6 without a zone: whatever else resolvers take for a number is a disguise."""
    try:
        if "%" not in host:
            return ip_address(host)
    except ValueError:
        pass
    raise Blocked("the host is a number in an unusual form")


def _ascii_name(host: str) -> str:
    """The name as DNS has it; full-width and circled letters, which turn into others, are refused."""
    if host.isascii():
        return host
    try:
        name = host[:254].encode("idna").decode("ascii")
    except UnicodeError as exc:
        raise Blocked("the host is not a valid name") from exc
    pairs = list(zip(host.split("."), name.split("."), strict=False))
    same = len(pairs) == name.count(".") + 1 and all(a.isascii() or b.startswith("xn--") for a, b in pairs)
    if not same:
        raise Blocked("the host imitates another name")
    return name


async def system_addresses(host: str) -> Sequence[IPAddress]:
    """The addresses that the system's resolver has for a name, each once."""
    entries = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ip_address(entry[4][0]) for entry in entries))


async def permitted_addresses(place: Place, resolve: Resolve, may_connect: MayConnect) -> Sequence[IPAddress]:
    """The addresses of a place that may be connected to, resolved once. Blocked where none may, ServiceDown if none.

    Only these are safe to connect to: a second look at the name may give others.
    """
    try:
        found: Sequence[IPAddress] = (ip_address(place.host),)
    except ValueError:
        found = await _resolve_host(place.host, resolve)
    permitted = tuple(address for address in found if may_connect(address, place.port))
    if not permitted:
        raise Blocked(f"{place.host} at port {place.port} is not a public web server")
    return permitted


async def _resolve_host(host: str, resolve: Resolve) -> Sequence[IPAddress]:
    try:
        found = await resolve(host)
    except (OSError, UnicodeError) as exc:
        raise ServiceDown(f"{host} was not found") from exc
    if not found:
        raise ServiceDown(f"{host} was not found")
    return found
