"""Which format a file has, by what is in it, and the records of a file on disk, whatever it turns out to be."""

from __future__ import annotations

import csv
import errno
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

from storm.databases.formats.csv_rows import delimiter
from storm.databases.formats.json_records import json_events
from storm.databases.formats.table import DELIMITERS, OPTIONAL, REQUIRED
from storm.errors import RecordError
from storm.models import Hit

if TYPE_CHECKING:
    from storm.databases.formats.orangebook import ProductNames

HEAD_BYTES = 65_536
#: A gzip file that unpacks to more than this many times its size, beyond the first 64 MB, is not unpacked further.
MAX_RATIO = 200
FREE_BYTES = 64 * 2**20


class Format(StrEnum):
    """A file format that storm reads, as a reader knows it."""

    PUBMED_XML = "PubMed XML"
    MEDLINE = "MEDLINE"
    JATS = "JATS XML"
    EUROPE_PMC = "Europe PMC JSON"
    RIS = "RIS"
    CLINICALTRIALS = "ClinicalTrials.gov JSON"
    OPENFDA = "openFDA JSON"
    ORANGE_BOOK = "Orange Book"
    PURPLE_BOOK = "Purple Book"
    CSV = "CSV"
    JSONL = "JSON lines"


_XML_ROOTS = {
    "PubmedArticleSet": Format.PUBMED_XML, "PubmedArticle": Format.PUBMED_XML,
    "PubmedBookArticleSet": Format.PUBMED_XML, "PubmedBookArticle": Format.PUBMED_XML,
    "article": Format.JATS, "pmc-articleset": Format.JATS,
}  # fmt: skip
_BETWEEN = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)*", re.S | re.I)
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*)")


def recognise(head: bytes, name: str = "") -> Format | None:
    """The format of a file that begins so (unpacked, up to 64 kB); the name decides only between lookalikes."""
    if b"\0" in head:
        return None
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    if text.startswith("<"):
        return _xml_format(text)
    if text.startswith(("{", "[")):
        return _json_format(head, name)
    return _text_format(text)


def _xml_format(text: str) -> Format | None:
    start = _BETWEEN.match(text)
    root = _ROOT.match(text, start.end() if start else 0)
    return _XML_ROOTS.get(root[1]) if root else None


#: A key, by its path, that only this format has; the first that is there decides.
_JSON_KEYS = (
    ("protocolSection", Format.CLINICALTRIALS), ("studies", Format.CLINICALTRIALS),
    ("FullStudiesResponse", Format.CLINICALTRIALS),
    ("resultList", Format.EUROPE_PMC), ("errCode", Format.EUROPE_PMC), ("hitCount", Format.EUROPE_PMC),
    ("external_id", Format.JSONL), ("database", Format.JSONL),
    *((path + key, Format.OPENFDA) for path in ("", "results.") for key in ("openfda", "set_id", "application_number")),
    ("meta.disclaimer", Format.OPENFDA), ("error.code", Format.OPENFDA),
)  # fmt: skip


def _json_format(head: bytes, name: str) -> Format | None:
    keys = _keys(head.removeprefix(b"\xef\xbb\xbf"))
    for key, format_ in _JSON_KEYS:
        if key in keys:
            return format_
    return Format.JSONL if name.lower().removesuffix(".gz").endswith(".jsonl") else None


def _keys(head: bytes) -> set[str]:
    """The paths of the keys, as far as the head goes; items of an array share their array's path."""
    keys = set()
    try:
        for prefix, event, value in json_events(io.BytesIO(head)):
            if event == "map_key" and prefix.count(".") < 2:
                place = prefix.removesuffix("item").removesuffix(".")
                keys.add(f"{place}.{value}" if place else value)
    except (ijson.JSONError, ValueError, OverflowError):
        return keys  # cut off at the end of the head, or broken: what came before still says what it is
    return keys


def _text_format(text: str) -> Format | None:
    if re.match(r"PMID- ?\d", text):
        return Format.MEDLINE
    if re.match(r"TY  ?- ", text):
        return Format.RIS
    first = text.partition("\n")[0]
    if "~" in first and "Appl_No" in first:
        return Format.ORANGE_BOOK
    if re.search(r'^"?(N/R/U|Applicant|Proprietary Name)"?,.*BLA Number', text, re.M):
        return Format.PURPLE_BOOK
    return Format.CSV if _own_columns(first) >= 2 else None


def _own_columns(header_line: str) -> int:
    try:
        header = next(csv.reader([header_line.strip()], delimiter=delimiter(header_line, DELIMITERS)), [])
    except csv.Error:
        return 0
    return len({name.strip().lower() for name in header} & {*REQUIRED, *OPTIONAL})


def read_file(path: Path, products: Mapping[str, ProductNames] | None = None) -> Iterator[Hit | RecordError]:
    """The records of a file, plain or gzip; whatever stands in their way is yielded as an error that names the file.

    `products` are the names that the Orange Book's other files need (see orangebook.read_product_names).
    """
    try:
        with _opened(path) as unpacked:
            for item in _records(unpacked, path.name, products):
                if isinstance(item, RecordError):
                    if unpacked.problem:
                        continue  # what the parser says of a text that ends too early is not the reason
                    item.path = str(path)
                yield item
            if unpacked.problem:
                yield RecordError(unpacked.problem, path=str(path))
    except OSError as exc:
        yield RecordError(f"cannot be read: {(exc.strerror or str(exc)).lower()}", path=str(path))


def format_of(path: Path) -> Format | None:
    """The format of a file on disk; None if it is none of ours, or cannot be read."""
    try:
        with _opened(path) as unpacked:
            return recognise(unpacked.peek(), path.name)
    except OSError:
        return None


@contextmanager
def _opened(path: Path) -> Iterator[Unpacked]:
    """OSError also for what is no regular file: a pipe would wait for ever, a device never end."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    with path.open("rb") as raw:
        yield Unpacked(raw, status.st_size)


def _records(unpacked: Unpacked, name: str, products: Mapping[str, ProductNames] | None) -> Iterator[Hit | RecordError]:
    head = unpacked.peek()
    found = recognise(head, name)
    if found is None:
        yield RecordError(_why_not(head))
        return
    yield from _parser(found, unpacked, products)


def _why_not(head: bytes) -> str:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:400]
    lowered = start.lower()
    if not start:
        return "the file is empty"
    if lowered.startswith((b"<!doctype html", b"<html")) or b"<html" in lowered:
        return "an HTML page, not a data file"
    if start.startswith(b"PK\x03\x04"):
        return "a zip archive: unpack it first"
    if b"\0" in head or sum(byte < 9 for byte in start) or start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary data, or text that is not UTF-8"
    return "not a format that storm reads"


def _parser(
    found: Format, stream: BinaryIO, products: Mapping[str, ProductNames] | None
) -> Iterator[Hit | RecordError]:
    """The reader of a format, imported only when a file needs it."""
    match found:
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
        case Format.PURPLE_BOOK:
            from storm.databases.formats.purplebook import read_purplebook as read
        case Format.CSV:
            from storm.databases.formats.table import read_csv as read
        case Format.JSONL:
            from storm.databases.formats.table import read_jsonl as read
        case Format.ORANGE_BOOK:
            from storm.databases.formats.orangebook import read_orangebook

            return read_orangebook(stream, products)
    return read(stream)


class Unpacked(io.BufferedReader):
    """A file's bytes, unpacked if they are gzip; where that fails the stream ends, and `problem` says why.

    A parser so never meets an error of the archive or the disk, and no archive can fill the machine.
    """

    def __init__(self, raw: BinaryIO, packed_bytes: int) -> None:
        magic = raw.read(2)
        raw.seek(0)
        self._guard = _Guard(gzip.GzipFile(fileobj=raw) if magic == b"\x1f\x8b" else raw, packed_bytes)
        super().__init__(self._guard, HEAD_BYTES)

    @property
    def problem(self) -> str:
        """Why the stream ended before the file did; empty if it did not."""
        return self._guard.problem

    def peek(self, size: int = HEAD_BYTES) -> bytes:
        """The first bytes, which a read will still give."""
        return super().peek(size)[:size]


class _Guard(io.RawIOBase):
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
            self.problem = self._reason(exc)
            return 0
        buffer[: len(chunk)] = chunk
        if self._left is not None:
            self._left -= len(chunk)
            if self._left < 0:
                self.problem = f"a gzip file that unpacks to more than {MAX_RATIO} times its size"
        return len(chunk)

    def _reason(self, exc: Exception) -> str:
        if isinstance(exc, EOFError):
            return "the gzip file is cut off"
        if self._packed:
            return f"a damaged gzip file ({exc})"
        return f"cannot be read: {exc}"
