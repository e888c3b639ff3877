"""Whether the public services can be reached at all, found out in a few seconds and without asking them anything."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from storm.databases.service import Service


class _Door(NamedTuple):
    """What is connected to: the service's host, or the proxy in front of it; with TLS where the host speaks it."""

    host: str
    port: int
    tls: bool
    proxy: bool = False


def unreachable(services: Iterable[Service], seconds: float) -> dict[str, str]:
    """Why each service that cannot be reached within so many seconds is not, by name; all are tried at once.

    A connection is opened (with TLS its certificate checked) and closed; behind a proxy it is the proxy's.
    """
    doors = {service.name: _door(service.base_url) for service in services}
    reasons: dict[_Door, str] = {}
    tls = httpx.create_ssl_context()
    # Threads that nobody waits for: looking up a name cannot be given up.
    tries = [
        threading.Thread(target=_try, args=(door, seconds, tls, reasons), daemon=True) for door in set(doors.values())
    ]
    until = time.monotonic() + seconds
    for each in tries:
        each.start()
    for each in tries:
        each.join(max(0.0, until - time.monotonic()))
    told = {name: reasons.get(door, f"no connection within {seconds:g} s") for name, door in doors.items()}
    return {name: reason for name, reason in told.items() if reason}


def _door(url: str) -> _Door:
    parts = urlsplit(url)
    host, tls = parts.hostname or "", parts.scheme == "https"
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if proxy and not proxy_bypass(host):
        way = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        return _Door(way.hostname or "", way.port or (443 if way.scheme == "https" else 80), tls=False, proxy=True)
    return _Door(host, parts.port or (443 if tls else 80), tls)


def _try(door: _Door, seconds: float, tls: ssl.SSLContext, reasons: dict[_Door, str]) -> None:
    """Write down why not; the empty text if it could be connected to."""
    try:
        with socket.create_connection((door.host, door.port), timeout=seconds) as plain:
            if door.tls:
                tls.wrap_socket(plain, server_hostname=door.host).close()
        reasons[door] = ""
    except socket.gaierror:
        reasons[door] = "its name could not be looked up"
    except ssl.SSLError as exc:
        reasons[door] = f"no secure connection ({getattr(exc, 'verify_message', '') or 'TLS failed'})"
    except TimeoutError:
        reasons[door] = f"no connection within {seconds:g} s"
    except (OSError, ValueError):
        reasons[door] = "the proxy refuses the connection" if door.proxy else "no connection"
