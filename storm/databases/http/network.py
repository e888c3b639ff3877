"""The way out of this machine as its environment says: proxies and certificates, or a ConfigError that names them."""

from __future__ import annotations

import os
import ssl
from typing import Any

import httpx

from storm.errors import ConfigError

_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_UNUSABLE = (ValueError, ImportError, httpx.InvalidURL)


def tls_context() -> ssl.SSLContext:
    """How certificates are checked; ConfigError where those that the environment names cannot be read."""
    try:
        return httpx.create_ssl_context()
    except OSError as exc:  # ssl.SSLError is one
        name = next((name for name in _CERTIFICATES if os.environ.get(name)), "SSL_CERT_FILE")
        hint = f"set {name} to a file of certificates in PEM, or unset it"
        raise ConfigError(f"the certificates that {name} names cannot be read", hint=hint) from exc


def open_client(**options: Any) -> httpx.AsyncClient:
    """A client that goes through the system's proxies unless it is given a transport; ConfigError if it cannot."""
    if options.get("transport"):
        return httpx.AsyncClient(**options)
    tls = options.pop("verify", None) or tls_context()
    try:
        return httpx.AsyncClient(verify=tls, **options)
    except _UNUSABLE as exc:
        hint = "it takes http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT; unset it to use none"
        raise ConfigError(f"{_unusable_proxy_variable(tls)} names no proxy that can be used", hint=hint) from exc


def _unusable_proxy_variable(tls: ssl.SSLContext) -> str:
    """The variable whose proxy cannot be used. Its value is not told: it may hold a password."""
    for name in (written for proxy in _PROXIES for written in (proxy.lower(), proxy) if os.environ.get(written)):
        value = os.environ[name]
        try:
            httpx.AsyncHTTPTransport(verify=tls, proxy=value if "://" in value else f"http://{value}")
        except _UNUSABLE:
            return name
    return "the environment (NO_PROXY) or the system"
