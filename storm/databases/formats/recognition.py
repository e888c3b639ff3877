"""Recognise the format of a file by its content, and read the records of a file on disk."""

from __future__ import annotations

import csv
import gzip
import io
import re
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import ijson

from storm.databases.formats.csv_rows import guess_delimiter
from storm.databases.formats.json_records import read_json_events
from storm.databases.formats.table import DELIMITERS, OPTIONAL, REQUIRED, read_csv, read_jsonl
from storm.errors import RecordError
from storm.models import Hit

if TYPE_CHECKING:
    from storm.databases.formats.orangebook import ProductNames

HEAD_BYTES = 65_536
#: Unpacking stops if a gzip file grows to more than this many times its size, and to more than FREE_BYTES.
MAX_RATIO = 200
FREE_BYTES = 64 * 2**20

#: What is said of a file that is none of these.
UNKNOWN_FORMAT = "not a format that storm reads"


class Format(StrEnum):
    """A file format that storm reads, with its name for users."""

    PUBMED_XML = "PubMed XML"
    MEDLINE = "MEDLINE"
    JATS = "JATS XML"
    EUROPE_PMC = "Europe PMC JSON"
    RIS = "RIS"
    CLINICALTRIALS = "ClinicalTrials.gov JSON"
    OPENFDA = "openFDA JSON"
    SPL = "SPL XML (drug labels)"
    ORANGE_BOOK = "Orange Book"
    PURPLE_BOOK = "Purple Book"
    CSV = "CSV"
    JSONL = "JSON lines"


_XML_ROOTS = {
    "PubmedArticleSet": Format.PUBMED_XML, "PubmedArticle": Format.PUBMED_XML,
    "PubmedBookArticleSet": Format.PUBMED_XML, "PubmedBookArticle": Format.PUBMED_XML,
    "article": Format.JATS, "pmc-articleset": Format.JATS,
}  # fmt: skip
#: An OAI answer without one of these elements is not JATS.
_OAI_RECORD = re.compile(r"<(?:[\w.-]+:)?(?:article|error)\b")
_BETWEEN = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)*", re.S | re.I)
_ROOT = re.compile(r"<(?P<prefix>[A-Za-z_][\w.-]*:)?(?P<name>[A-Za-z_][\w.-]*)")


def recognise_format(head: bytes, name: str = "") -> Format | None:
    """Recognise the format from the first bytes (unpacked, up to 64 kB); the name only decides between lookalikes."""
    if b"\0" in head:
        return None
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    if text.startswith("<"):
        return _recognise_xml(text)
    if text.startswith(("{", "[")):
        return _recognise_json(head, name)
    return _recognise_text(text)


def _recognise_xml(text: str) -> Format | None:
    start = _BETWEEN.match(text)
    root = _ROOT.match(text, start.end() if start else 0)
    if not root:
        return None
    if root["name"] == "OAI-PMH":
        return Format.JATS if _OAI_RECORD.search(text) else None
    if root["name"] == "document" and "urn:hl7-org:v3" in text:
        return Format.SPL
    format_ = _XML_ROOTS.get(root["name"])
    return None if root["prefix"] and format_ is Format.PUBMED_XML else format_  # PubMed's XML has no namespaces


#: Key paths that only one format has; the first one present decides.
_JSON_KEYS = (
    ("protocolSection", Format.CLINICALTRIALS), ("studies", Format.CLINICALTRIALS),
    ("FullStudiesResponse", Format.CLINICALTRIALS),
    ("resultList", Format.EUROPE_PMC), ("errCode", Format.EUROPE_PMC), ("hitCount", Format.EUROPE_PMC),
    ("external_id", Format.JSONL), ("database", Format.JSONL),
    *((path + key, Format.OPENFDA) for path in ("", "results.") for key in ("openfda", "set_id", "application_number")),
    ("meta.disclaimer", Format.OPENFDA), ("error.code", Format.OPENFDA),
)  # fmt: skip

#: Europe PMC's source codes; other records also have a source and an id.
_EUROPE_PMC_SOURCE = re.compile(rb'"source"\s*:\s*"(?:AGR|CBA|CTX|ETH|HIR|MED|NBK|PAT|PMC|PPR)"')


def _recognise_json(head: bytes, name: str) -> Format | None:
    keys = _read_key_paths(head.removeprefix(b"\xef\xbb\xbf"))
    for key, format_ in _JSON_KEYS:
        if key in keys:
            return format_
    if {"source", "id"} <= keys and _EUROPE_PMC_SOURCE.search(head):
        return Format.EUROPE_PMC
    return Format.JSONL if name.lower().removesuffix(".gz").endswith(".jsonl") else None


def _read_key_paths(head: bytes) -> set[str]:
    """Read the paths of the keys in the head; items of an array share the array's path."""
    keys = set()
    try:
        for prefix, event, value in read_json_events(io.BytesIO(head)):
            if event == "map_key" and prefix.count(".") < 2:
                place = prefix.removesuffix("item").removesuffix(".")
                keys.add(f"{place}.{value}" if place else value)
    except (ijson.JSONError, ValueError, OverflowError):
        return keys  # the head is cut off or broken, but the keys before that still identify the format
    return keys


_LINE_END = re.compile(r"\r\n?|\n")
#: The most title lines before the header of a table.
_TITLE_LINES = 5
_RIS_BEGINS = re.compile(r"(?:\A|[\r\n])TY  ?-")


def _recognise_text(text: str) -> Format | None:
    if re.match(r"PMID- ?\d", text):
        return Format.MEDLINE
    if _RIS_BEGINS.match(text):
        return Format.RIS
    lines = _LINE_END.split(text, _TITLE_LINES + 1)[: _TITLE_LINES + 1]
    first = lines[0]
    if "~" in first and "Appl_No" in first:
        return Format.ORANGE_BOOK
    if re.search(r'^"?(N/R/U|Applicant|Proprietary Name)"?,.*BLA Number', text, re.M):
        return Format.PURPLE_BOOK
    if _count_own_columns(first) >= 2 or any(_count_own_columns(line) >= len(REQUIRED) for line in lines):
        return Format.CSV
    return Format.RIS if _RIS_BEGINS.search(text) else None  # after lines of a comment


def _count_own_columns(header_line: str) -> int:
    try:
        header = next(csv.reader([header_line.strip()], delimiter=guess_delimiter(header_line, DELIMITERS)), [])
    except csv.Error:
        return 0
    return len({name.strip().lower() for name in header} & {*REQUIRED, *OPTIONAL})


def read_file(
    path: Path, products: Mapping[str, ProductNames] | None = None, ignored: set[str] | None = None
) -> Iterator[Hit | RecordError]:
    """Read the records of a plain or gzip file; every problem is yielded as an error that names the file.

    `products` (from orangebook.read_product_names) names the drugs in the Orange Book's other files; `ignored` collects
    the names of unknown columns of CSV and JSON lines.
    """
    try:
        with _open_unpacked(path) as unpacked:
            last: RecordError | None = None
            for item in _read_records(unpacked, path.name, products, ignored):
                if last:
                    yield last
                last = None
                if isinstance(item, RecordError):
                    item.path = str(path)
                    last = item
                else:
                    yield item
            if unpacked.problem:  # this is why the text ended early, whatever the parser reports
                last = RecordError(unpacked.problem, path=str(path))
            if last:
                yield last
    except RecordError as exc:
        exc.path = str(path)
        yield exc
    except OSError as exc:
        yield RecordError(f"cannot be read: {(exc.strerror or str(exc)).lower()}", path=str(path))


def format_of(path: Path) -> Format | None:
    """The format of a file on disk; None if it is unknown or the file cannot be read."""
    try:
        with _open_unpacked(path) as unpacked:
            return recognise_format(unpacked.peek(), path.name)
    except (OSError, RecordError):
        return None


@contextmanager
def _open_unpacked(path: Path) -> Iterator[Unpacked]:
    """Open a regular file; RecordError for others, as a pipe could block and a device never end."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise RecordError("not a regular file")
    with path.open("rb") as raw:
        yield Unpacked(raw, status.st_size)


def _read_records(
    unpacked: Unpacked, name: str, products: Mapping[str, ProductNames] | None, ignored: set[str] | None
) -> Iterator[Hit | RecordError]:
    head = unpacked.peek()
    format_ = recognise_format(head, name)
    if format_ is None:
        yield RecordError(_explain_unknown(head, name))
        return
    yield from _parse_records(format_, unpacked, products, ignored)


def _explain_unknown(head: bytes, name: str) -> str:
    """Say why the format is unknown, without quoting: an error answer may contain the caller's address or key."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:400]
    lowered = start.lower()
    if not start:
        return "the file is empty"
    if lowered.startswith((b"<!doctype html", b"<html")) or b"<html" in lowered:
        return "an HTML page, not a data file"
    if b"rate limit exceeded" in lowered:
        return "a service's rate-limit error, no records"
    if start.startswith(b"PK\x03\x04"):
        return "a zip archive: unpack it first"
    if start.startswith(b"%PDF-"):
        return "a PDF, which is not read: add the article's XML, or its record"
    if b"\0" in head or sum(byte < 9 for byte in start) or start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary data, or text that is not UTF-8"
    if ".csv" in name.lower():
        return f"its first line does not name the columns {', '.join(REQUIRED)}"
    if start.startswith((b"{", b"[")):
        return "JSON that is cut off, holds no record, or is of no service whose answers storm reads"
    return UNKNOWN_FORMAT


def _parse_records(
    format_: Format, stream: BinaryIO, products: Mapping[str, ProductNames] | None, ignored: set[str] | None
) -> Iterator[Hit | RecordError]:
    """Read with the format's parser, which is imported only when needed."""
    match format_:
        case Format.PUBMED_XML:
            from storm.databases.formats.pubmed_xml import read_pubmed as read
        case Format.MEDLINE:
            from storm.databases.formats.medline import read_medline as read
        case Format.JATS:
            from storm.databases.formats.jats import read_jats as read
        case Format.EUROPE_PMC:
            from storm.databases.formats.europepmc import read_europepmc as read
        case Format.RIS:
            from storm.databases.formats.ris import read_ris as read
        case Format.CLINICALTRIALS:
            from storm.databases.formats.clinicaltrials import read_studies as read
        case Format.OPENFDA:
            from storm.databases.formats.openfda import read_openfda as read
        case Format.SPL:
            from storm.databases.formats.spl import read_spl as read
        case Format.PURPLE_BOOK:
            from storm.databases.formats.purplebook import read_purplebook as read
        case Format.CSV:
            return read_csv(stream, ignored)
        case Format.JSONL:
            return read_jsonl(stream, ignored)
        case Format.ORANGE_BOOK:
            from storm.databases.formats.orangebook import read_orangebook

            return read_orangebook(stream, products)
    return read(stream)


class Unpacked(io.BufferedReader):
    """A file's bytes, unpacked if they are gzip; if that fails, the stream ends and `problem` says why.

    Parsers therefore see no archive or disk errors, and no archive can fill the memory.
    """

    def __init__(self, raw: BinaryIO, packed_bytes: int) -> None:
        magic = raw.read(2)
        raw.seek(0)
        self._guard = _GuardedFile(gzip.GzipFile(fileobj=raw) if magic == b"\x1f\x8b" else raw, packed_bytes)
        super().__init__(self._guard, HEAD_BYTES)

    @property
    def problem(self) -> str:
        """Why the stream ended early; empty if it did not."""
        return self._guard.problem

    def peek(self, size: int = HEAD_BYTES) -> bytes:
        """The first bytes, without consuming them."""
        return super().peek(size)[:size]


class _GuardedFile(io.RawIOBase):
    def __init__(self, source: BinaryIO | gzip.GzipFile, packed_bytes: int) -> None:
        super().__init__()
        self._source = source
        self._packed = isinstance(source, gzip.GzipFile)
        self._left = max(packed_bytes * MAX_RATIO, FREE_BYTES) if self._packed else None
        self.problem = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self.problem:
            return 0
        try:
            chunk = self._source.read(len(buffer))
        except (OSError, EOFError, zlib.error) as exc:
            self.problem = self._explain_failure(exc)
            return 0
        buffer[: len(chunk)] = chunk
        if self._left is not None:
            self._left -= len(chunk)
            if self._left < 0:
                self.problem = f"a gzip file that unpacks to more than {MAX_RATIO} times its size"
        return len(chunk)

    def _explain_failure(self, exc: Exception) -> str:
        if isinstance(exc, EOFError):
            return "the gzip file is cut off"
        if self._packed:
            return f"a damaged gzip file ({exc})"
        return f"cannot be read: {exc}"
