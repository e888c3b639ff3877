from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storm.databases.catalogue import read_services
from storm.databases.clients import CLIENTS
from storm.databases.http.service import Service
from storm.errors import ConfigError

CONFIG = Path(__file__).parents[2] / "config" / "databases.yaml"

GOOD = """\
chembl:
  label: Example
  base_url: https://api.example.org/v1
  scope: examples
  rate: 3
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "databases.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def mistake(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read_services(written(folder, text), {})
    return caught.value.message


def test_the_shipped_file_lists_every_service() -> None:
    services = read_services(CONFIG, {})
    assert set(services) == set(CLIENTS)
    assert [name for name, service in services.items() if not service.enabled] == ["searxng"]
    for name, service in services.items():
        assert service.name == name
        assert service.scope
        assert service.licence
        assert service.base_url.startswith("https://") or name == "searxng"
        assert service.connect <= 5 < service.read < service.total


def test_services_at_one_host_of_ncbi_or_europe_pmc_share_a_limit() -> None:
    services = read_services(CONFIG, {"NCBI_API_KEY": "abc"})
    assert services["pubmed"].limit_name == services["pmc"].limit_name
    assert services["europepmc"].limit_name == services["patents"].limit_name
    assert services["chembl"].limit_name == "chembl"


def test_storm_stays_at_nine_tenths_and_a_key_raises_the_rate() -> None:
    rates = [read_services(CONFIG, environment)["pubmed"].per_second for environment in ({}, {"NCBI_API_KEY": "abc"})]
    assert rates == pytest.approx([2.7, 9.0])


def test_keys_come_from_the_environment_and_are_not_shown() -> None:
    services = read_services(CONFIG, {"NCBI_API_KEY": "S3CRET", "STORM_CONTACT": "me@example.org", "BRAVE_API_KEY": ""})
    pubmed = services["pubmed"]
    assert (pubmed.key, pubmed.contact, services["brave"].key) == ("S3CRET", "me@example.org", None)
    shown = repr(services) + str(pubmed) + pubmed.model_dump_json() + pubmed.limit_name
    assert "S3CRET" not in shown
    assert "me@example.org" not in shown


def test_a_key_with_a_line_break_is_taken_without_it_and_a_blank_one_is_none() -> None:
    services = read_services(CONFIG, {"NCBI_API_KEY": " abc\r\n", "OPENFDA_API_KEY": " ", "STORM_CONTACT": "a@b.org\n"})
    assert (services["pubmed"].key, services["pubmed"].contact, services["openfda"].key) == ("abc", "a@b.org", None)


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    service = read_services(written(tmp_path, GOOD), {})["chembl"]
    known = {"name": "chembl", "label": "Example", "base_url": "https://api.example.org/v1", "scope": "examples"}
    assert service == Service(**known, rate=3.0)


def test_a_list_of_hosts_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD + "  redirect_hosts: [a.example.org, b.example.org]\n  rate_with_key: 0.5\n")
    assert read_services(path, {})["chembl"].redirect_hosts == ("a.example.org", "b.example.org")


@pytest.mark.parametrize(
    ("change", "line", "key", "problem"),
    [
        (("rate: 3", "rate: fast"), 5, "chembl.rate", "'fast': it must be a number"),
        (("rate: 3", "rate: 0"), 5, "chembl.rate", "0: it must be more than 0"),
        (("rate: 3", "rate: .inf"), 5, "chembl.rate", "inf: it must be a finite number"),
        (("rate: 3", "rate: '3'"), 5, "chembl.rate", "'3': it must be a number"),
        (("rate: 3", "rate: true"), 5, "chembl.rate", "True: it must be a number"),
        (("rate: 3", "rate: 3\n  enabled: 1"), 6, "chembl.enabled", "1: it must be true or false"),
        (("rate: 3", "rate: 3\n  total: -1"), 6, "chembl.total", "-1: it must be more than 0"),
        (("rate: 3", "rate: 3\n  rate: 4"), 6, "chembl.rate", "the key is given twice"),
        (("rate: 3", "rate: 3\n  rat: 4"), 6, "chembl.rat", "unknown key; did you mean rate? known: label"),
        (("rate: 3", "rate: 3\n  key: abc"), 6, "chembl.key", "it is read from the environment only"),
        (("rate: 3", "rate: 3\n  key_variable: my key"), 6, "chembl.key_variable", "is not a valid variable name"),
        (("rate: 3", "rate: 3\n  key_required: true"), 6, "chembl.key_required", "key_variable is missing"),
        (("rate: 3", "rate: {a: 1}"), 5, "chembl.rate", "must be one value or a list"),
        (("rate: 3", "rate:"), 5, "chembl.rate", "must not be empty"),
        (("rate: 3", "ttl: 3"), 1, "chembl.rate", "the key is missing"),
        (("https://api.example.org/v1", "ftp://a"), 3, "chembl.base_url", "is not an http or https address"),
        (("https://api.example.org/v1", "https://a:99999"), 3, "chembl.base_url", "is not an http or https address"),
        (("label: Example", "label: 2026-01-01"), 2, "chembl.label", "it must be text"),
        (("label: Example", "label: 2026-99-99"), 2, "chembl.label", "cannot be read"),
        (("label: Example", "label: !!python/name:os.system x"), 2, "chembl.label", "cannot be read"),
        (("rate: 3", "rate: !!int ''"), 5, "chembl.rate", "cannot be read"),
        (("rate: 3", "rate: !!bool x"), 5, "chembl.rate", "cannot be read"),
        (("label: Example", "label: !!timestamp x"), 2, "chembl.label", "cannot be read"),
        (("label: Example", "? [a]\n  : x"), 2, "chembl", "a key must be text"),
        (("chembl:", "embase:"), 1, "embase", "storm has no client for it; known services: brave, "),
    ],
    ids=str,
)
def test_a_mistake_is_reported_with_file_line_and_key(
    tmp_path: Path, change: tuple[str, str], line: int, key: str, problem: str
) -> None:
    message = mistake(tmp_path, GOOD.replace(*change))
    assert message.startswith(f"databases.yaml, line {line}, {key}: ")
    assert problem in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "databases.yaml: the file is empty"),
        ("a: [", "databases.yaml, line 1: not YAML: "),
        ("- a", "databases.yaml, line 1, the file: must be a mapping"),
        ("chembl: 1", "databases.yaml, line 1, chembl: must be a mapping"),
        ("a: \x01", "databases.yaml: not YAML: "),
    ],
)
def test_a_file_of_another_kind_is_reported(tmp_path: Path, text: str, expected: str) -> None:
    assert mistake(tmp_path, text).startswith(expected)


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the file cannot be read: No such file"):
        read_services(tmp_path / "databases.yaml", {})
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9")
    with pytest.raises(ConfigError, match="the file is not UTF-8 \\(byte 3\\)"):
        read_services(tmp_path / "latin.yaml", {})
    (tmp_path / "big.yaml").write_bytes(b"#" * 300_000)
    with pytest.raises(ConfigError, match="has over 256,000 bytes"):
        read_services(tmp_path / "big.yaml", {})


@given(st.text(alphabet="ab:-[]{}!&*?|>'\"# \n0123.~", max_size=60))
def test_any_text_is_services_or_a_mistake(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(tmp_path_factory.getbasetemp(), text)
    try:
        services = read_services(path, {})
    except ConfigError as exc:
        assert exc.message.startswith("databases.yaml")
    else:
        assert not services
