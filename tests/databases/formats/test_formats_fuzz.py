"""Whatever a body turns out to hold, its reader gives hits and errors of ours, and ends."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import bodies
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import byte_changes, changed_bytes, changed_json, changed_lines, changed_xml, check, json_changes, xml_changes

from storm.databases.formats.chembl import MoleculeTables, all_names, read_molecule
from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.crossref import notices_for, updates_of, work_hit, works
from storm.databases.formats.epo_ops import read_epo_ops, total_of
from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.fields import mapping, members
from storm.databases.formats.jats import read_jats
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.medline import read_medline
from storm.databases.formats.openfda import read_openfda
from storm.databases.formats.openfda_counts import count_hit
from storm.databases.formats.orangebook import read_orangebook, read_product_names
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.databases.formats.purplebook import read_purplebook
from storm.databases.formats.recognition import format_of, read_file
from storm.databases.formats.ris import read_ris
from storm.databases.formats.spl import read_spl
from storm.databases.formats.table import read_csv, read_jsonl
from storm.databases.formats.uspto_odp import application_hit, applications, numbers_of
from storm.errors import RecordError
from storm.models import Hit

Items = Iterable[Hit | RecordError]
Reader = Callable[[BinaryIO], Iterator[Hit | RecordError]]


def molecules(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    def rows(name: str) -> list[Mapping[str, Any]]:
        return [row for row in map(mapping, members(value.get(name))) if row]

    molecule = mapping(value.get("molecule"))
    all_names(molecule)
    yield read_molecule(molecule, MoleculeTables(*map(rows, ("salts", "mechanisms", "indications", "warnings"))))


def crossref_works(value: Any) -> Iterator[Hit | RecordError]:
    for work in map(mapping, works(value)):
        list(updates_of(work, "10.1000/b"))
        list(notices_for("10.1000/b", work))
        yield work_hit(JsonRecord(dict(work), "record 1"))


def us_applications(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    for record in applications(value):
        numbers_of(record)
        yield application_hit(JsonRecord(dict(mapping(record)), "record 1"))


def counts(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    yield count_hit(value, "faers:zorvimab", "zorvimab", "https://api.example.org/")


def epo_documents(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    total_of(stream.read())
    stream.seek(0)
    yield from read_epo_ops(stream)


XML: Mapping[str, tuple[Reader, bytes]] = {
    "pubmed": (read_pubmed, bodies.PUBMED),
    "jats": (read_jats, bodies.JATS),
    "spl": (read_spl, bodies.SPL),
    "epo_ops": (epo_documents, bodies.EPO_OPS),
}
JSON: Mapping[str, tuple[Reader, Any]] = {
    "studies": (read_studies, bodies.STUDIES),
    "study": (read_studies, bodies.STUDY),
    "europepmc": (read_europepmc, bodies.EUROPE_PMC),
    "openfda": (read_openfda, bodies.OPENFDA),
    "openfda-error": (read_openfda, bodies.OPENFDA_ERROR),
    "jsonl": (read_jsonl, bodies.RECORD),
}
LINES: Mapping[str, tuple[Reader, bytes]] = {
    "medline": (read_medline, bodies.MEDLINE),
    "ris": (read_ris, bodies.RIS),
    "orangebook": (read_orangebook, bodies.ORANGE_BOOK),
    "orangebook-patents": (read_orangebook, bodies.ORANGE_BOOK_PATENTS),
    "purplebook": (read_purplebook, bodies.PURPLE_BOOK),
    "csv": (read_csv, bodies.CSV),
}
#: Readers of what is JSON already.
DECODED: Mapping[str, tuple[Callable[[Any], Items], Any]] = {
    "chembl": (molecules, bodies.CHEMBL),
    "crossref": (crossref_works, bodies.CROSSREF),
    "uspto_odp": (us_applications, bodies.USPTO_ODP),
    "openfda-counts": (counts, bodies.COUNTS),
}
STREAMS: Mapping[str, tuple[Reader, bytes]] = {
    **XML,
    **LINES,
    **{name: (reader, bodies.as_json(value)) for name, (reader, value) in JSON.items()},
}
#: How many records of each body are good, and how many are not.
GOOD = {"jats": (1, 1), "orangebook": (1, 1), "orangebook-patents": (1, 1), "csv": (1, 1)}


def read(reader: Reader, body: bytes) -> list[Hit | RecordError]:
    return check(reader(io.BytesIO(body)))


def good_ones(items: Iterable[Hit | RecordError]) -> int:
    return sum(isinstance(item, Hit) for item in items)


@pytest.mark.parametrize("name", STREAMS)
@given(data=st.binary(max_size=200))
def test_bytes_of_no_kind_are_errors_or_nothing(name: str, data: bytes) -> None:
    reader, body = STREAMS[name]
    read(reader, data)
    read(reader, body[:40] + data)


@pytest.mark.parametrize("name", STREAMS)
@given(changes=byte_changes())
def test_damaged_bytes_do_no_harm(name: str, changes: list[tuple[float, int, bytes]]) -> None:
    reader, body = STREAMS[name]
    read(reader, changed_bytes(body, changes))


@pytest.mark.parametrize("name", XML)
@given(changes=xml_changes(), further=st.one_of(st.just([]), byte_changes()))
def test_rebuilt_xml_does_no_harm(name: str, changes: list[Any], further: list[tuple[float, int, bytes]]) -> None:
    reader, body = XML[name]
    read(reader, changed_bytes(changed_xml(body, changes), further))


@pytest.mark.parametrize("name", JSON)
@given(changes=json_changes())
def test_json_with_other_values_in_it_does_no_harm(name: str, changes: list[Any]) -> None:
    reader, value = JSON[name]
    read(reader, bodies.as_json(changed_json(value, changes)))


@pytest.mark.parametrize("name", DECODED)
@given(changes=json_changes())
def test_answers_with_other_values_in_them_do_no_harm(name: str, changes: list[Any]) -> None:
    reader, value = DECODED[name]
    check(reader(changed_json(value, changes)))


@pytest.mark.parametrize("name", LINES)
@given(changes=byte_changes(), further=byte_changes())
def test_moved_lines_do_no_harm(
    name: str, changes: list[tuple[float, int, bytes]], further: list[tuple[float, int, bytes]]
) -> None:
    reader, body = LINES[name]
    read(reader, changed_bytes(changed_lines(body, changes), further))
