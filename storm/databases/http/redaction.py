"""Removes keys, contact addresses and IP addresses from whatever is shown, logged, cached or recorded."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Collection, Iterable
from types import TracebackType
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit, urlunsplit

REDACTED = "[redacted]"

#: Shorter values are not treated as secrets: they occur in ordinary words.
SHORTEST_SECRET = 4

_V4 = r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)"
_V6 = r"(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?![\w:])"
_V4_IN_V6 = r"(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)"
_ADDRESS = re.compile(f"{_V4_IN_V6}|{_V6}|{_V4}", re.I)

#: The loggers that write request URLs and headers.
_FOREIGN_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy", "httpcore.socks")


def redact_text(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without these secrets, in any URL encoding, and without IP addresses."""
    return _ADDRESS.sub(_redact_address, remove_secrets(text, secrets))


def remove_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text without these secrets, in every form used in URLs, forms and JSON."""
    for form in sorted(_written_forms(secrets), key=len, reverse=True):
        text = text.replace(form, REDACTED)
    return text


def remove_secret_bytes(body: bytes, secrets: Iterable[str]) -> bytes:
    """The body without these secrets; values too short for a secret stay, so that it can still be parsed."""
    for form in sorted(_written_forms(secrets), key=len, reverse=True):
        if len(form) < SHORTEST_SECRET:
            break
        body = body.replace(form.encode(), REDACTED.encode())
    return body


def public_url(url: str, secret_names: Collection[str], secrets: Iterable[str]) -> str:
    """A URL without user, fragment, the parameters of these names, and these secrets anywhere else."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode([(name, value) for name, value in pairs if name not in secret_names], quote_via=quote)
    place = parts.netloc.rpartition("@")[2]
    return remove_secrets(urlunsplit((parts.scheme, place, parts.path, query, "")), secrets)


def _written_forms(secrets: Iterable[str]) -> set[str]:
    """Each secret, its last word (the X of "Bearer X"), and the URL encodings of both."""
    words = {word for secret in secrets if secret.strip() for word in (secret, secret.split()[-1])}
    return words | {write(word) for word in words for write in (quote, quote_plus, lambda w: quote(w, safe=""))}


def _redact_address(match: re.Match[str]) -> str:
    for text in (match[0], match[0].removesuffix(":")):  # "2001:db8::7: too many calls"
        try:
            ipaddress.ip_address(text)
        except ValueError:
            continue
        return REDACTED + match[0][len(text) :]
    return match[0]


class LogRedaction(logging.Filter):
    """A context manager that removes secrets from the logs of httpx and httpcore; `secrets` may grow meanwhile."""

    def __init__(self, secrets: Collection[str]) -> None:
        super().__init__()
        self._secrets = secrets

    def __enter__(self) -> LogRedaction:
        for name in _FOREIGN_LOGGERS:
            logging.getLogger(name).addFilter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in _FOREIGN_LOGGERS:
            logging.getLogger(name).removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact_text(record.getMessage(), self._secrets), ()
        return True
