"""The way out of the machine: what its environment says wrongly is reported as that."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from storm.databases.http.network import open_client, tls_context
from storm.errors import ConfigError

NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*NAMES, *map(str.lower, NAMES), "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "https://me:pass@127.0.0.1:1", "socks5://127.0.0.1:1080", ""])
async def test_a_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    await open_client().aclose()


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "all_proxy"])
@pytest.mark.parametrize("proxy", ["ftp://me:S3CRET@x:1", "http://me:S3CRET@x:port", "socks9://me:S3CRET@x:1"])
def test_a_proxy_that_cannot_be_used_is_reported_by_its_variable_alone(
    monkeypatch: pytest.MonkeyPatch, name: str, proxy: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv(name, proxy)
    with pytest.raises(ConfigError, match="does not name a usable proxy") as caught:
        open_client()
    assert caught.value.message.startswith(f"{name} does not name")
    assert "unset it" in (caught.value.hint or "")
    assert "S3CRET" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_reported_by_their_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None
) -> None:
    if text:
        (tmp_path / "ca.pem").write_text(text, encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    for use in (tls_context, open_client):
        with pytest.raises(ConfigError, match="the certificates that SSL_CERT_FILE names cannot be read"):
            use()


async def test_a_transport_of_ones_own_needs_no_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "ftp://x:1")
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file")
    transport = httpx.MockTransport(lambda request: httpx.Response(204))
    async with open_client(transport=transport) as client:
        assert (await client.get("https://example.org")).status_code == 204
