"""The URL of a Redis server, checked before anything is connected."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlsplit

from redis import Redis, RedisError

from storm.errors import UsageError

#: The options that a URL may have: none of them changes what the server answers.
_OPTIONS = frozenset((
    "db", "username", "password", "socket_timeout", "socket_connect_timeout", "socket_keepalive",
    "health_check_interval", "max_connections", "ssl_ca_certs", "ssl_ca_path", "ssl_ca_data", "ssl_certfile",
    "ssl_keyfile", "ssl_password", "ssl_cert_reqs", "ssl_check_hostname", "ssl_min_version", "ssl_ciphers",
))  # fmt: skip
_FILES = ("ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile")
_SCHEMES = ("redis", "rediss", "unix")


def check_address(url: str, setting: str) -> str:
    """The server's address without user and password; UsageError, which names the setting, for a bad URL. The client's
    own messages are left out, as they may quote the password."""
    try:
        parts = urlsplit(url)
        if "sentinel" in parts.scheme:
            raise _bad_url_error(setting, "is the URL of a Sentinel: give the address of its primary")
        if parts.scheme not in _SCHEMES:
            raise ValueError("scheme")
        if _has_unencoded_password(url, parts):
            raise _bad_url_error(setting, "has a # or a misplaced @: percent-encode ? # / in the password: %3F %23 %2F")
        address = parts.path if parts.scheme == "unix" else f"{parts.hostname or 'localhost'}:{parts.port or 6379}"
        pool = Redis.from_url(url).connection_pool
    except ValueError:
        raise _bad_url_error(setting, "is not a Redis URL") from None
    if parts.scheme != "unix" and not re.fullmatch(r"/?\d*/?", parts.path):
        raise _bad_url_error(setting, "has a database after the slash that is not a number")
    options = parse_qsl(parts.query, keep_blank_values=True)
    if parts.scheme != "unix" and parts.path.strip("/") and "db" in dict(options):
        raise _bad_url_error(setting, "names two databases, after the slash and as an option")
    for name, value in options:
        is_tls = name.startswith("ssl_")
        if name not in _OPTIONS or (is_tls and parts.scheme != "rediss"):
            without = " without TLS" * is_tls
            raise _bad_url_error(setting, f"has an option that storm does not accept{without}: {name[:40]}")
        if name in _FILES and not Path(value).exists():
            raise _bad_url_error(setting, f"names a file that does not exist: {name}={value}")
    try:
        pool.make_connection()
    except (RedisError, TypeError, ValueError):
        raise _bad_url_error(setting, "has an option with an invalid value") from None
    return address


def _has_unencoded_password(url: str, parts: SplitResult) -> bool:
    """Whether a character of the password may have ended it: its rest would be a path, an option or a fragment. The
    path of a socket without a user may have an @."""
    path = "" if parts.scheme == "unix" and not parts.netloc else parts.path
    return "#" in url or "@" in path + parts.query


def _bad_url_error(setting: str, what: str) -> UsageError:
    return UsageError(
        f"{setting} {what}", hint="write redis://[:PASSWORD@]HOST[:PORT][/NUMBER], rediss://… or unix:///PATH"
    )
