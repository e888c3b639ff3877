"""Network access as the environment configures it: proxies and certificates, or a ConfigError naming the variable."""

from __future__ import annotations

import os
import ssl
from functools import lru_cache
from typing import Any

import httpx

from storm.errors import ConfigError

_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_UNUSABLE = (ValueError, ImportError, httpx.InvalidURL)


def tls_context() -> ssl.SSLContext:
    """The TLS context; ConfigError if the certificates that the environment names cannot be read."""
    try:
        return _read_certificates(*map(os.environ.get, _CERTIFICATES))
    except OSError as exc:  # ssl.SSLError is one
        name = next((name for name in _CERTIFICATES if os.environ.get(name)), "SSL_CERT_FILE")
        hint = f"set {name} to a file of certificates in PEM, or unset it"
        raise ConfigError(f"the certificates that {name} names cannot be read", hint=hint) from exc


@lru_cache(maxsize=4)
def _read_certificates(file: str | None, folder: str | None) -> ssl.SSLContext:
    """The TLS context with the certificates that the environment names by these values, read once."""
    return httpx.create_ssl_context()


def open_client(**options: Any) -> httpx.AsyncClient:
    """A client that uses the system's proxies unless given a transport; ConfigError if a proxy is unusable."""
    if options.get("transport"):
        return httpx.AsyncClient(**options)
    tls = options.pop("verify", None) or tls_context()
    try:
        return httpx.AsyncClient(verify=tls, **options)
    except _UNUSABLE as exc:
        hint = "it must be http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT; unset it to use none"
        raise ConfigError(f"{_unusable_proxy_variable(tls)} does not name a usable proxy", hint=hint) from exc


def _unusable_proxy_variable(tls: ssl.SSLContext) -> str:
    """The variable with the unusable proxy. Its value is not shown: it may contain a password."""
    for name in (written for proxy in _PROXIES for written in (proxy.lower(), proxy) if os.environ.get(written)):
        value = os.environ[name]
        try:
            httpx.AsyncHTTPTransport(verify=tls, proxy=value if "://" in value else f"http://{value}")
        except _UNUSABLE:
            return name
    return "the environment (NO_PROXY) or the system"
