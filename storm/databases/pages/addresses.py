"""Decides which servers a page may be fetched from: public ones only, by the very IP address that is connected to."""

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
#: Whether a connection to this address and port is permitted.
MayConnect: TypeAlias = Callable[[IPAddress, int], bool]
#: The addresses of a host name in the order to try them; OSError if it has none.
Resolve: TypeAlias = Callable[[str], Awaitable[Sequence[IPAddress]]]

WEB_PORTS = {"http": 80, "https": 443}

_REFUSED_V4 = tuple(
    ip_network(block)
    for block in (
        # The IANA special-purpose registry, including blocks that are globally reachable but hold no web servers.
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        # A public address at which the Azure cloud serves the machine's own secrets.
        "168.63.129.16/32",
    )
)  # fmt: skip
#: The IPv6 block of servers; embedded IPv4 addresses (mapped, compatible, NAT64) lie outside …
_GLOBAL_V6 = ip_network("2000::/3")
#: … or in one of these: protocol assignments with Teredo and benchmarking, documentation, 6to4.
_REFUSED_V6 = tuple(
    ip_network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)

#: Top-level domains outside of the public DNS, or of private networks.
_LOCAL_DOMAINS = frozenset({
    "alt", "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
    "localhost", "onion", "private", "test",
})  # fmt: skip
_NEVER_IN_A_URL = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")


class HostPort(NamedTuple):
    """The server of a URL: `host` is a DNS name in ASCII or an IP address without brackets."""

    host: str
    port: int


def is_public(address: IPAddress) -> bool:
    """Whether a public server can have this address; never for an IPv6 form of an IPv4 address."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _REFUSED_V4)
    return address in _GLOBAL_V6 and not any(address in block for block in _REFUSED_V6)


def is_public_web(address: IPAddress, port: int) -> bool:
    """The strict policy: a public address, at port 80 or 443."""
    return port in WEB_PORTS.values() and is_public(address)


def read_host_port(url: str) -> HostPort:
    """The server of an http(s) URL; Blocked for other schemes, credentials and disguised hosts."""
    if _NEVER_IN_A_URL.search(url):
        raise Blocked("the address contains blanks, control characters or backslashes")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as exc:
        raise Blocked("the address cannot be understood") from exc
    if parts.scheme not in WEB_PORTS:
        raise Blocked("only http and https addresses are opened")
    if "@" in parts.netloc:
        raise Blocked("the address contains a user name")
    return HostPort(_plain_host(host), WEB_PORTS[parts.scheme] if port is None else port)


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
    """Four decimal numbers, or IPv6 without a zone; Blocked for other forms, which resolvers accept as disguises."""
    try:
        if "%" not in host:
            return ip_address(host)
    except ValueError:
        pass
    raise Blocked("the host is a number in an unusual form")


def _ascii_name(host: str) -> str:
    """The IDNA form of the name; Blocked for letters that turn into others, such as full-width or circled ones."""
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
    """The distinct addresses that the system's resolver finds for a name."""
    entries = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(ip_address(entry[4][0]) for entry in entries))


async def permitted_addresses(server: HostPort, resolve: Resolve, may_connect: MayConnect) -> Sequence[IPAddress]:
    """The permitted addresses of a server, resolved once; Blocked if none is permitted, ServiceDown if it has none.

    Only these are safe to connect to: resolving the name again may give others.
    """
    try:
        found: Sequence[IPAddress] = (ip_address(server.host),)
    except ValueError:
        found = await _resolve_host(server.host, resolve)
    permitted = tuple(address for address in found if may_connect(address, server.port))
    if not permitted:
        raise Blocked(f"{server.host} at port {server.port} is not a public web server")
    return permitted


async def _resolve_host(host: str, resolve: Resolve) -> Sequence[IPAddress]:
    try:
        found = await resolve(host)
    except (OSError, UnicodeError) as exc:
        raise ServiceDown(f"{host} was not found") from exc
    if not found:
        raise ServiceDown(f"{host} was not found")
    return found
