"""Whatever a body turns out to hold, its reader gives hits and errors of ours, and ends."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import bodies
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import (
    ByteChanges,
    Changes,
    byte_changes,
    changed_bytes,
    changed_json,
    changed_lines,
    changed_xml,
    check,
    json_changes,
    xml_changes,
)
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm.databases.formats.chembl import MoleculeTables, fold_all_names, read_molecule
from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.crossref import read_notices, read_updates, read_works, work_hit
from storm.databases.formats.epo_ops import read_epo_ops, read_total
from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.fields import as_list, as_mapping
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
from storm.databases.formats.uspto_odp import application_hit, read_applications, read_numbers
from storm.errors import RecordError
from storm.models import Hit

#: Recorded bodies up to this size are harmed too: with longer ones there would be fewer examples.
MAX_RECORDED = 60_000

Reader = Callable[[BinaryIO], Iterator[Hit | RecordError]]


def molecules(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    def rows(name: str) -> list[Mapping[str, Any]]:
        return [row for row in map(as_mapping, as_list(value.get(name))) if row]

    molecule = as_mapping(value.get("molecule"))
    fold_all_names(molecule)
    yield read_molecule(molecule, MoleculeTables(*map(rows, ("salts", "mechanisms", "indications", "warnings"))))


def crossref_works(value: Any) -> Iterator[Hit | RecordError]:
    for work in map(as_mapping, read_works(value)):
        list(read_updates(work, "10.1000/b"))
        list(read_notices("10.1000/b", work))
        yield work_hit(JsonRecord(dict(work), "record 1"))


def us_applications(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    for record in read_applications(value):
        read_numbers(record)
        yield application_hit(JsonRecord(dict(as_mapping(record)), "record 1"))


def counts(value: Mapping[str, Any]) -> Iterator[Hit | RecordError]:
    yield count_hit(value, "faers:zorvimab", "zorvimab", "https://api.example.org/")


def epo_documents(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    read_total(stream.read())
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
STREAMS: Mapping[str, tuple[Reader, bytes]] = {
    **XML,
    **{name: (reader, bodies.as_json(value)) for name, (reader, value) in JSON.items()},
    **LINES,
}
#: Readers of what is JSON already.
DECODED: Mapping[str, tuple[Callable[[Any], Iterable[Hit | RecordError]], Any]] = {
    "chembl": (molecules, bodies.CHEMBL),
    "crossref": (crossref_works, bodies.CROSSREF),
    "uspto_odp": (us_applications, bodies.USPTO_ODP),
    "openfda-counts": (counts, bodies.COUNTS),
}
#: The recorded files that each reader takes.
RECORDED: Mapping[str, str] = {
    "pubmed": "pubmed/*.xml",
    "jats": "pmc/*xml",
    "spl": "dailymed/*.xml",
    "epo_ops": "patents/epo_ops_*.xml",
    "studies": "clinicaltrials/*.json",
    "europepmc": "europepmc/*.json",
    "openfda": "openfda/*.json",
    "medline": "pubmed/medline_*",
}
#: How many records of each body are good ones, and how many are not, where it is not one and none.
RECORDS = {
    "pubmed": (2, 0), "jats": (1, 1), "europepmc": (2, 0), "openfda": (2, 0), "medline": (2, 0), "ris": (1, 1),
    "orangebook": (1, 1), "orangebook-patents": (1, 1), "purplebook": (1, 1), "csv": (1, 1),
}  # fmt: skip


def read(reader: Reader, body: bytes) -> list[Hit | RecordError]:
    return check(reader(io.BytesIO(body)))


def counted(items: Iterable[Hit | RecordError]) -> tuple[int, int]:
    """How many hits, and how many errors."""
    listed = list(items)
    good = sum(isinstance(item, Hit) for item in listed)
    return good, len(listed) - good


@pytest.mark.parametrize("name", STREAMS)
def test_what_is_not_harmed_is_read(name: str) -> None:
    found = read(*STREAMS[name])
    assert counted(found) == RECORDS.get(name, (1, 0))
    assert next(item for item in found if isinstance(item, Hit)).year == 2001


@pytest.mark.parametrize("name", DECODED)
def test_an_answer_that_is_not_harmed_is_read(name: str) -> None:
    reader, value = DECODED[name]
    assert counted(check(reader(value))) == (1, 0)


@pytest.mark.parametrize("name", STREAMS)
@given(data=st.binary(max_size=200))
def test_bytes_of_no_kind_are_errors_or_nothing(name: str, data: bytes) -> None:
    reader, body = STREAMS[name]
    read(reader, data)
    read(reader, body[:40] + data)


@pytest.mark.parametrize("name", STREAMS)
def test_a_body_that_is_cut_never_gains_records(name: str) -> None:
    reader, body = STREAMS[name]
    whole, broken = counted(read(reader, body))
    for end in range(0, len(body), 7):
        good, bad = counted(read(reader, body[:end]))
        assert good <= whole
        assert bad <= broken + 1


@pytest.mark.parametrize("name", STREAMS)
@given(changes=byte_changes())
def test_damaged_bytes_do_no_harm(name: str, changes: ByteChanges) -> None:
    reader, body = STREAMS[name]
    read(reader, changed_bytes(body, changes))


@pytest.mark.parametrize("name", LINES)
@given(changes=byte_changes(), further=byte_changes())
def test_moved_lines_do_no_harm(name: str, changes: ByteChanges, further: ByteChanges) -> None:
    reader, body = LINES[name]
    read(reader, changed_bytes(changed_lines(body, changes), further))


@pytest.mark.parametrize("name", XML)
@given(changes=xml_changes(), further=st.one_of(st.just([]), byte_changes()))
def test_rebuilt_xml_does_no_harm(name: str, changes: Changes, further: ByteChanges) -> None:
    reader, body = XML[name]
    read(reader, changed_bytes(changed_xml(body, changes), further))


@pytest.mark.parametrize("name", JSON)
@given(changes=json_changes())
def test_json_with_other_values_in_it_does_no_harm(name: str, changes: Changes) -> None:
    reader, value = JSON[name]
    read(reader, bodies.as_json(changed_json(value, changes)))


@pytest.mark.parametrize("name", DECODED)
@given(changes=json_changes())
def test_answers_with_other_values_in_them_do_no_harm(name: str, changes: Changes) -> None:
    reader, value = DECODED[name]
    check(reader(changed_json(value, changes)))


@pytest.mark.parametrize("name", XML)
def test_entities_that_a_document_declares_are_never_expanded(name: str) -> None:
    reader, body = XML[name]
    root = re.sub(rb"<[?!].*?>", b"", body)
    laughs = b"".join(b"<!ENTITY l%d '%s'>" % (n, b"&l%d;" % (n - 1) * 10 if n else b"ha") for n in range(10))
    for declared in (laughs, b"<!ENTITY l9 SYSTEM 'file:///etc/passwd'>"):
        harmed = b"<!DOCTYPE x [" + declared + b"]>" + root.replace(b"A ", b"&l9; ")
        assert b"&l9; " in harmed
        (error,) = read(reader, harmed)
        assert isinstance(error, RecordError)
        assert "declares entities of its own" in error.message


@given(name=st.sampled_from(list(STREAMS)), changes=byte_changes(), packed=st.booleans(), further=byte_changes())
def test_a_damaged_file_of_any_kind_is_read_to_its_end(
    name: str, changes: ByteChanges, packed: bool, further: ByteChanges
) -> None:
    body = changed_bytes(STREAMS[name][1], changes)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(changed_bytes(gzip.compress(body), further) if packed else body)
        for item in check(read_file(path, read_product_names(path), set())):
            assert isinstance(item, Hit) or item.path == str(path)
        format_of(path)


def recorded(name: str) -> list[Path]:
    return sorted(path for path in PAYLOADS.glob(RECORDED[name]) if path.stat().st_size <= MAX_RECORDED)


@needs_recorded_answers
@settings(max_examples=40)
@pytest.mark.parametrize("name", RECORDED)
@given(data=st.data(), changes=byte_changes())
def test_damaged_recorded_bodies_do_no_harm(name: str, data: st.DataObject, changes: ByteChanges) -> None:
    path = data.draw(st.sampled_from(recorded(name)))
    read(STREAMS[name][0], changed_bytes(path.read_bytes(), changes))
