from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm.databases.http.sniffing import Expect, fault_of, is_html, is_rate_body


def recorded(kind: str) -> list[Path]:
    return sorted(PAYLOADS.rglob(f"*.{kind}"))


@given(st.binary() | st.text().map(str.encode), st.sampled_from(Expect))
def test_any_bytes_get_a_verdict(body: bytes, expect: Expect) -> None:
    assert fault_of(body, expect) is None or fault_of(body, expect)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.recursive(st.none() | st.floats(allow_nan=False) | st.text(), st.lists).map(lambda value: [value]))
def test_whole_json_is_taken_and_none_of_its_beginnings(value: list[object]) -> None:
    body = json.dumps(value).encode()
    assert fault_of(body, Expect.JSON) is None
    assert all(fault_of(body[:end], Expect.JSON) for end in range(len(body)))


@given(st.sampled_from(["a", "ns:set", "eSearchResult"]), st.lists(st.sampled_from(["<b/>", "text", "<i>x</i>"])))
def test_whole_xml_is_taken_and_none_of_its_beginnings(root: str, parts: list[str]) -> None:
    body = f"<?xml version='1.0'?><!DOCTYPE x><{root} n='1'>{''.join(parts)}</{root}>".encode()
    assert fault_of(body, Expect.XML) is None
    assert all(fault_of(body[:end], Expect.XML) for end in range(len(body)))


@needs_recorded_answers
def test_recorded_answers_are_what_they_are() -> None:
    for path in recorded("json"):
        assert fault_of(path.read_bytes(), Expect.JSON) is None, path
    for path in recorded("html"):
        assert is_html(path.read_bytes()), path
        assert fault_of(path.read_bytes(), Expect.XML), path
    wrong = {path.name for path in recorded("xml") if fault_of(path.read_bytes(), Expect.XML)}
    assert wrong <= {"epo_ops_get_classification_schema_multiple.xml"}  # it has no element at all


@needs_recorded_answers
def test_only_ncbis_refusals_are_taken_for_refusals() -> None:
    found = {path.name for path in PAYLOADS.rglob("*.*") if path.is_file() and is_rate_body(path.read_bytes())}
    assert found == {path.name for path in PAYLOADS.rglob("error_rate_limit*")}
