"""Tests within seconds whether the public services can be reached, without sending them a request."""

from __future__ import annotations

import base64
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from storm.databases.http.network import open_client, tls_context
from storm.databases.http.service import Service

_STATUS = re.compile(rb"HTTP/1\.\d (\d{3})")


class _Endpoint(NamedTuple):
    """The host to connect to, with or without TLS; a proxy with `to` is asked for a tunnel there."""

    host: str
    port: int
    tls: bool
    proxy: bool = False
    to: str = ""
    login: str = ""


class _ProxyRefused(Exception):
    """The proxy refuses the tunnel; the text is its status, if it sent one."""


def find_unreachable(services: Iterable[Service], seconds: float) -> dict[str, str]:
    """The services that cannot be reached within so many seconds, by name with the reason; all are tested at once.

    A test opens a connection, checks the TLS certificate, and closes it; a proxy is asked for a tunnel. Raises
    ConfigError if the environment names unusable certificates or an unusable proxy.
    """
    tls = tls_context()
    open_client(verify=tls)  # unused: it raises ConfigError for an unusable proxy
    endpoints = {service.name: _endpoint_of(service.base_url) for service in services}
    reasons: dict[_Endpoint, str] = {}
    # Daemon threads, since a DNS lookup cannot be cancelled.
    threads = [
        threading.Thread(target=_test_endpoint, args=(endpoint, seconds, tls, reasons), daemon=True)
        for endpoint in set(endpoints.values())
    ]
    deadline = time.monotonic() + seconds
    for each in threads:
        each.start()
    for each in threads:
        each.join(max(0.0, deadline - time.monotonic()))
    outcomes = {
        name: reasons.get(endpoint, f"no connection within {seconds:g} s") for name, endpoint in endpoints.items()
    }
    return {name: reason for name, reason in outcomes.items() if reason}


def _endpoint_of(url: str) -> _Endpoint:
    parts = urlsplit(url)
    host, tls = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if tls else 80)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(host):
        return _Endpoint(host, port, tls)
    proxy_url = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    usual = {"https": 443, "http": 80}.get(proxy_url.scheme, 1080)
    # SOCKS proxies, and proxies for plain HTTP, are only connected to.
    to = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    tunnel = to if tls and proxy_url.scheme in ("http", "https") else ""
    return _Endpoint(
        proxy_url.hostname or "",
        proxy_url.port or usual,
        proxy_url.scheme == "https",
        True,
        tunnel,
        _proxy_login(proxy_url),
    )


def _proxy_login(proxy: SplitResult) -> str:
    if not proxy.username:
        return ""
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return base64.b64encode(pair.encode()).decode()


def _test_endpoint(endpoint: _Endpoint, seconds: float, tls: ssl.SSLContext, reasons: dict[_Endpoint, str]) -> None:
    """Store the reason why the endpoint cannot be reached; empty if it can."""
    to_the_proxy = " to the proxy" if endpoint.proxy else ""
    try:
        _open_connection(endpoint, seconds, tls)
        reasons[endpoint] = ""
    except socket.gaierror:
        unknown = "the name of the proxy could not be looked up"
        reasons[endpoint] = unknown if endpoint.proxy else "its server was not found (no network?)"
    except ssl.SSLError as exc:
        cause = getattr(exc, "verify_message", "") or "TLS failed"
        reasons[endpoint] = f"no secure connection{to_the_proxy} ({cause})"
    except TimeoutError:
        reasons[endpoint] = f"no connection{to_the_proxy} within {seconds:g} s"
    except _ProxyRefused as exc:
        reasons[endpoint] = f"the proxy refuses ({exc})" if str(exc) else "the proxy refuses the connection"
    except (OSError, ValueError):
        reasons[endpoint] = f"no connection{to_the_proxy}"


def _open_connection(endpoint: _Endpoint, seconds: float, tls: ssl.SSLContext) -> None:
    with socket.create_connection((endpoint.host, endpoint.port), timeout=seconds) as plain:
        if not endpoint.tls:
            _request_tunnel(endpoint, plain)
            return
        with tls.wrap_socket(plain, server_hostname=endpoint.host) as secure:
            _request_tunnel(endpoint, secure)


def _request_tunnel(endpoint: _Endpoint, proxy: socket.socket) -> None:
    """Ask a proxy for a tunnel to a TLS service; _ProxyRefused if it does not open one."""
    if not endpoint.to:
        return
    login = f"Proxy-Authorization: Basic {endpoint.login}\r\n" if endpoint.login else ""
    proxy.sendall(f"CONNECT {endpoint.to} HTTP/1.1\r\nHost: {endpoint.to}\r\n{login}\r\n".encode())
    answer = b""
    while b"\n" not in answer and len(answer) < 1000 and (piece := proxy.recv(1000)):
        answer += piece
    status = _STATUS.match(answer)
    if not status or not status[1].startswith(b"2"):
        raise _ProxyRefused(status[1].decode() if status else "")
