"""Whether the public services can be reached at all, found out in a few seconds and without asking them anything."""

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
    """What is connected to: a host, with TLS where it speaks it. A proxy is asked for the way `to` a secure one."""

    host: str
    port: int
    tls: bool
    proxy: bool = False
    to: str = ""
    login: str = ""


class _ProxyRefused(Exception):
    """The proxy does not lead there; the text is its status, where it told one."""


def unreachable(services: Iterable[Service], seconds: float) -> dict[str, str]:
    """Why each service that cannot be reached within so many seconds is not, by name; all are tried at once.

    A connection is opened (with TLS its certificate checked) and closed; a proxy is asked for the way to the service.
    ConfigError where the environment names certificates or a proxy that cannot be used.
    """
    tls = tls_context()
    open_client(verify=tls)  # it is not used: whether it can be made is what counts
    endpoints = {service.name: _endpoint_of(service.base_url) for service in services}
    reasons: dict[_Endpoint, str] = {}
    # Threads that nobody waits for: looking up a name cannot be given up.
    threads = [
        threading.Thread(target=_test_endpoint, args=(door, seconds, tls, reasons), daemon=True)
        for door in set(endpoints.values())
    ]
    deadline = time.monotonic() + seconds
    for each in threads:
        each.start()
    for each in threads:
        each.join(max(0.0, deadline - time.monotonic()))
    outcomes = {name: reasons.get(door, f"no connection within {seconds:g} s") for name, door in endpoints.items()}
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
    # A socks proxy is only connected to; so is one that forwards plain HTTP.
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
    """Write down why not; the empty text if it could be connected to."""
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
    """Ask a proxy to connect to a secure service; _Refused if it does not."""
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
