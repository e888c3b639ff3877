from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.http.redaction import LogRedaction, public_url, redact_text, remove_secret_bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("from 203.0.113.7: slow down", "from [redacted]: slow down"),
        ("203.0.113.7:8080, (10.0.0.1) and 10.0.0.2.", "[redacted]:8080, ([redacted]) and [redacted]."),
        ("from 2001:db8::7: slow down", "from [redacted]: slow down"),
        ("[2001:db8::7]:443 fe80::1%eth0 2001:db8::", "[[redacted]]:443 [redacted]%eth0 [redacted]"),
        ("1:2:3:4:5:6:7:8", "[redacted]"),
        ('"api-key":"2001:db8::1f"', '"api-key":"[redacted]"'),
        ("::1, fe80::1 and ::ffff:10.0.0.1", "[redacted], [redacted] and [redacted]"),
        ("at 12:30:05 on 2026-11-21", "at 12:30:05 on 2026-11-21"),
        ("version 1.2.3, 10.1000/182, 999.1.2.3", "version 1.2.3, 10.1000/182, 999.1.2.3"),
        ("HGVS NM_000546.6:c.215C>G", "HGVS NM_000546.6:c.215C>G"),
    ],
)
def test_addresses_are_taken_out_and_nothing_else(text: str, shown: str) -> None:
    assert redact_text(text) == shown


def test_a_secret_is_taken_out_in_each_form_that_a_url_has() -> None:
    assert redact_text("a b/c a+b%2Fc a%20b/c a%20b%2Fc", ["a b/c"]) == " ".join(["[redacted]"] * 4)


def test_the_token_of_a_header_is_taken_out_alone_too() -> None:
    assert redact_text("Bearer abc; abc", ["Bearer abc"]) == "[redacted]; [redacted]"


def test_an_empty_secret_hides_nothing() -> None:
    assert redact_text("text", ["", " "]) == "text"


def test_a_public_url_has_no_user_no_fragment_and_no_secret_parameter() -> None:
    url = "https://me:pass@example.org/a/S3?api_key=S3&q=x%20y&mail=S3#S3"
    assert public_url(url, {"api_key"}, ["S3"]) == "https://example.org/a/[redacted]?q=x%20y&mail=[redacted]"


@given(st.ip_addresses().map(str), st.sampled_from(["", " ", ": ", ". ", ", ", '"', ")", "\n", "/24"]))
def test_every_address_is_taken_out(address: str, after: str) -> None:
    assert redact_text(f"from {address}{after}") == f"from [redacted]{after}"


@given(st.text(), st.text(min_size=4).filter(str.strip), st.text())
def test_no_secret_survives(before: str, secret: str, after: str) -> None:
    shown = redact_text(before + secret + after, [secret])
    assert secret not in shown.replace("[redacted]", "\0") or secret in "[redacted]"


@given(st.binary(), st.text(alphabet=st.characters(codec="utf-8"), min_size=4).filter(str.strip))
def test_no_secret_survives_in_a_body(body: bytes, secret: str) -> None:
    assert secret.encode() not in remove_secret_bytes(body + secret.encode(), [secret]).replace(b"[redacted]", b"\0")


def test_foreign_log_lines_are_redacted_while_it_is_open(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="httpx")  # libraries that other tests import set levels, too
    logger = logging.getLogger("httpx")
    with LogRedaction({"S3CRET"}):
        logger.info("GET %s", "https://example.org/?key=S3CRET")
    logger.info("GET %s", "S3CRET")
    assert [record.getMessage() for record in caplog.records] == [
        "GET https://example.org/?key=[redacted]", "GET S3CRET"
    ]  # fmt: skip
