"""What a file is, by its content; and that no bytes at all raise anything."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_answers import ANSWERS as PAYLOADS
from recorded_answers import needs_recorded_answers

from storm.databases.formats import recognition
from storm.databases.formats.clinicaltrials import read_studies
from storm.databases.formats.openfda import read_openfda
from storm.databases.formats.orangebook import read_orangebook
from storm.databases.formats.purplebook import read_purplebook
from storm.databases.formats.recognition import Format, format_of, read_file, recognise_format
from storm.databases.formats.table import read_csv, read_jsonl
from storm.errors import RecordError
from storm.models import Hit

RECORD = b'{"database": "web", "external_id": "1", "url": "https://example.org/1", "title": "One"}\n'


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "a" "b">\n<PubmedArticleSet>', Format.PUBMED_XML),
        (b"\xef\xbb\xbf  <!-- note --><PubmedArticle>", Format.PUBMED_XML),
        (b'<!DOCTYPE x [<!ENTITY e "<article>">]><PubmedArticleSet>', Format.PUBMED_XML),
        (b'<article xmlns:xlink="x">', Format.JATS),
        (b"<pmc-articleset><article>", Format.JATS),
        (b"<nlm:article xmlns:nlm='x'>", Format.JATS),
        (b'<OAI-PMH xmlns="x"><GetRecord><record><metadata><article>', Format.JATS),
        (b"<o:OAI-PMH xmlns:o='x'><o:error code='idDoesNotExist'>", Format.JATS),
        (b'<OAI-PMH xmlns="x"><ListRecords><record><metadata><oai_dc:dc>', None),
        (b"<p:PubmedArticleSet xmlns:p='x'>", None),
        (b"database,external_id,url,title\rweb,1,https://example.org/1,One\r", Format.CSV),
        (b"Our trials of 2024\ndatabase,external_id,url,title\nweb,1,https://example.org/1,One\n", Format.CSV),
        (b"Our trials of 2024\nname,title\n", None),
        (b"\nPMID- 123\nTI  - T", Format.MEDLINE),
        (b"TY  - JOUR\nTI  - T", Format.RIS),
        (b"\n\n  \nTY  - JOUR\nTI  - T", Format.RIS),
        (b"%% my references, by title\r\rTY  - JOUR\rTI  - T", Format.RIS),
        (b"Only TY  - in the middle\n", None),
        (b'{"hitCount": 1, "resultList": {"result": []}}', Format.EUROPE_PMC),
        (b'{"id": "11248153", "source": "MED", "pmid": "11248153", "title": "T"}', Format.EUROPE_PMC),
        (b'[{"source" : "PPR", "id": "PPR1"}', Format.EUROPE_PMC),
        (b'{"id": "7", "source": "a newspaper", "title": "T"}', None),
        (b'{"id": "7", "link": {"source": "MED"}}', None),
        (b'{"errCode": 404, "errMsg": "x"}', Format.EUROPE_PMC),
        (b'{\n "protocolSection": {', Format.CLINICALTRIALS),
        (b'{"totalCount": 2, "studies": [{"protocolSection": {"identif', Format.CLINICALTRIALS),
        (b'{"FullStudiesResponse": {}}', Format.CLINICALTRIALS),
        (b'{"meta": {"disclaimer": "x"}, "results": [', Format.OPENFDA),
        (b'{"results": [{"set_id": "x"', Format.OPENFDA),
        (b'{"error": {"code": "NOT_FOUND"}}', Format.OPENFDA),
        (b'<?xml version="1.0"?><document xmlns="urn:hl7-org:v3"><setId root="x"/>', Format.SPL),
        (b"<document><title>Of another kind</title>", None),
        (RECORD * 2, Format.JSONL),
        (b"[" + RECORD, Format.JSONL),
        (b"Appl_Type~Appl_No~Product_No~Patent_No\n", Format.ORANGE_BOOK),
        (b"Purple Book\n\nN/R/U,Applicant,BLA Number,Proprietary Name\n", Format.PURPLE_BOOK),
        (b"database,external_id,url,title\n", Format.CSV),
        (b'"Title";"URL";"x"\n', Format.CSV),
        (b"", None),
        (b"\x00\x01\x02", None),
        (b"Unknown query parameter", None),
        (b"<html><body>", None),
        (b"<OA><error/></OA>", None),
        (b'{"error": "API rate limit exceeded"}', None),
        (b'{"results": [{"title": "a web page"}]}', None),
        (b"name,price\n", None),
    ],
)
def test_a_file_is_what_its_content_is(head: bytes, expected: Format | None) -> None:
    assert recognise_format(head, "export.xml") is expected


def test_the_name_decides_only_where_the_content_does_not() -> None:
    assert recognise_format(b'{"abstract": "x"}', "own.jsonl") is Format.JSONL
    assert recognise_format(b'{"abstract": "x"}', "own.json") is None
    assert recognise_format(b"<article>", "own.jsonl") is Format.JATS


def test_a_gzip_file_is_read_as_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "records.dat"
    path.write_bytes(gzip.compress(RECORD * 2))
    assert format_of(path) is Format.JSONL
    assert [isinstance(item, Hit) for item in read_file(path)] == [True, True]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"  \n", "the file is empty"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (b"<!DOCTYPE html><p>", "an HTML page, not a data file"),
        (b"PK\x03\x04abc", "a zip archive: unpack it first"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF, which is not read: add the article's XML, or its record"),
        (bytes(100), "binary data, or text that is not UTF-8"),
        (
            b'{"error":"API rate limit exceeded","api-key":"0123"}',
            "rate-limit error, no records",
        ),
        (b"plain words", "not a format that storm reads"),
        (gzip.compress(RECORD * 9, mtime=0)[:-12], "the gzip file is cut off"),
        (b"\x1f\x8bnot gzip at all", "a damaged gzip file"),
    ],
)
def test_an_unreadable_file_says_why(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file.xml"
    path.write_bytes(content)
    *_, error = read_file(path)
    assert isinstance(error, RecordError)
    assert (error.path, message in error.message) == (str(path), True), error


def test_a_table_without_the_columns_is_told_which_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"name,age\nMiller,40\n")
    *_, error = read_file(path)
    assert isinstance(error, RecordError)
    assert error.message == "its first line does not name the columns database, external_id, url, title"


def test_a_bare_record_of_europe_pmc_is_read_and_so_are_lines_of_them(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    record = {"source": "MED", "id": "11248153", "title": "Use of chemotherapy plus a monoclonal antibody"}
    path.write_text(f"{json.dumps(record)}\n{json.dumps({**record, 'id': '7'})}\n")
    assert [item.external_id for item in read_file(path) if isinstance(item, Hit)] == ["MED:11248153", "MED:7"]


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        for path in (Path("/dev/zero"), tmp_path / "pipe", tmp_path / "socket"):
            (error,) = read_file(path)
            assert isinstance(error, RecordError)
            assert (str(error), format_of(path)) == (f"{path}: not a regular file", None)


@pytest.mark.slow
def test_records_before_the_cut_of_a_gzip_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl.gz"
    lines = b"".join(RECORD.replace(b'"1"', b'"%d"' % number) for number in range(5_000))
    path.write_bytes(gzip.compress(lines)[:-2000])
    *hits, error = read_file(path)
    assert len(hits) > 1000
    assert isinstance(error, RecordError) and error.message == "the gzip file is cut off"


@pytest.mark.slow
def test_a_gzip_bomb_is_not_unpacked_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "FREE_BYTES", 1_000_000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(RECORD + b"\n" * 20_000_000))
    *_, error = read_file(path)
    assert isinstance(error, RecordError)
    assert error.message == "a gzip file that unpacks to more than 200 times its size"


READERS = [read_studies, read_openfda, read_orangebook, read_purplebook, read_csv, read_jsonl]
SEEDS = [
    RECORD,
    b'{"studies": [{"protocolSection": {"identificationModule": {"nctId": "NCT09990001", "briefTitle": "T"}}}]}',
    b'{"results": [{"set_id": "x", "boxed_warning": ["y"], "openfda": {"brand_name": ["Z"]}, "products": [{}]}]}',
    b"Appl_Type~Appl_No~Product_No~Patent_No\nN~1~001~2\n",
    b"N/R/U,BLA Number,Proper Name\n,125,zorvimab\n",
    b'database,external_id,url,title\nweb,1,https://example.org,"T"\n',
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file with some of its bytes cut out, replaced or repeated."""
    text = bytearray(draw(st.sampled_from(SEEDS)) * draw(st.integers(1, 3)))
    for _ in range(draw(st.integers(0, 4))):
        at, length = draw(st.integers(0, len(text))), draw(st.integers(0, 8))
        text[at : at + length] = draw(
            st.binary(max_size=8) | st.sampled_from([b"\xed\xa0\x80", b"9" * 5000, b"[" * 300])
        )
    return bytes(text)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(content=damaged() | st.binary(max_size=200), reader=st.sampled_from(READERS))
def test_no_bytes_raise_anything_in_a_reader(content: bytes, reader: object) -> None:
    items = list(reader(io.BytesIO(content)))  # type: ignore[operator]
    assert all(isinstance(item, (Hit, RecordError)) for item in items)


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_STUDY = {"protocolSection": {"identificationModule": {"nctId": "NCT09990001", "briefTitle": "T"}}}
_MODULES = (
    "statusModule", "sponsorCollaboratorsModule", "descriptionModule", "conditionsModule", "designModule",
    "armsInterventionsModule", "outcomesModule",
)  # fmt: skip
_FIELDS = (
    "phases", "designInfo", "enrollmentInfo", "interventions", "armGroups", "primaryOutcomes", "conditions",
    "startDateStruct", "overallStatus", "leadSponsor", "briefSummary", "count", "date", "name", "type", "measure",
    "openfda", "products", "submissions", "active_ingredients", "effective_time", "boxed_warning", "approvals", "year",
)  # fmt: skip
_ODD = st.dictionaries(
    st.sampled_from(_FIELDS), st.dictionaries(st.sampled_from(_FIELDS), _ANY) | st.lists(_ANY) | _ANY
)


@pytest.mark.slow
@given(module=st.sampled_from(_MODULES), odd=_ODD)
def test_a_field_of_any_other_type_raises_nothing(module: str, odd: dict[str, object]) -> None:
    protocol = {**_STUDY["protocolSection"], module: odd}
    records: list[tuple[object, dict[str, object]]] = [
        (read_studies, {"protocolSection": protocol, "resultsSection": odd}),
        (read_openfda, {**odd, "set_id": "x"}),
        (read_openfda, {**odd, "application_number": "BLA1", "products": odd.get("products")}),
        (read_jsonl, {**json.loads(RECORD), **odd}),
    ]
    for reader, record in records:
        items = list(reader(io.BytesIO(json.dumps(record).encode())))  # type: ignore[operator]
        assert items and all(isinstance(item, (Hit, RecordError)) for item in items)


@needs_recorded_answers
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pubmed/efetch_39382274.xml", Format.PUBMED_XML),
        ("pubmed/jabref_bookarticle.xml", Format.PUBMED_XML),
        ("pubmed/medline_pubmed_result3.txt", Format.MEDLINE),
        ("pubmed/error_rate_limit_esummary.json", None),
        ("pmc/PMC4141807.nxml", Format.JATS),
        ("clinicaltrials/search_keytruda_limit3_20260811.json", Format.CLINICALTRIALS),
        ("clinicaltrials/legacy_invalid_nct.html", None),
        ("openfda/label_keytruda_20260811.json", Format.OPENFDA),
        ("dailymed/spl_cough.xml", Format.SPL),
        ("openfda/device_510k_brca1_20260811.json", Format.OPENFDA),
        ("orangebook/exclusivity.txt", Format.ORANGE_BOOK),
        ("websearch/tavily_test_basic_search.json", None),
    ],
)
def test_recorded_files_are_recognised(path: str, expected: Format | None) -> None:
    assert format_of(PAYLOADS / path) is expected
