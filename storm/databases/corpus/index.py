"""The local corpus on disk: one tantivy index of the records, their words and the files they came from.

The same files give the same records, ranking and scores, whatever the order and number of additions. A record keeps the
version of each file, and is indexed as their merge. The index never contains deleted documents, whose words would still
count for the scores: a change rewrites it in one commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import tantivy
from pydantic import ValidationError
from tantivy import Query

from storm.databases.corpus.best_matches import find_best
from storm.databases.corpus.query import build_query, day_bounds
from storm.errors import Code, CorpusBusy, CorpusError
from storm.models import Hit, SearchQuery, merge_hits
from storm.models.names import plain_words, split_words

#: Increase it when the fields below or the tokeniser change.
VERSION = 3
_VERSION_FILE = "storm-corpus.json"
#: A placeholder token: without it one drug would count as a long list, and so for little, as most records list none.
_NO_DRUG = "-"
#: With fewer free bytes than this, a failed write means a full disk.
_LEAST_FREE = 10_000_000
#: How tantivy's ValueErrors begin where index files are damaged, missing or unreadable.
_TANTIVY_FAILED = (
    "Data corrupted: ", "Deserialize error: ", "Internal error: ", "An IO error occurred: ",
    "An error occurred in a thread: ", "Failed to open ", "Failed to acquire ", "Directory does not exist: ",
    "Schema error: 'An index exists",
)  # fmt: skip
#: At most this many files are listed.
_MAX_BUCKETS = 65_000
#: Short records, in bytes, are kept as they were read: the searches of a job find the same ones again and again.
_SHORT, _MOST_READ = 20_000, 512


class StoredRecord(NamedTuple):
    """A record in the index: its Hit as JSON, and the version of each file by the file's name."""

    key: str
    body: bytes
    versions: Mapping[str, bytes]

    @property
    def hit(self) -> Hit:
        return _read_short(self.body) if len(self.body) <= _SHORT else Hit.model_validate_json(self.body)


class CorpusFile(NamedTuple):
    """A file that was added, and the number of its records."""

    path: str
    records: int


@lru_cache(maxsize=_MOST_READ)
def _read_short(body: bytes) -> Hit:
    return Hit.model_validate_json(body)


class SearchResult(NamedTuple):
    """The best hits with their scores, and how many records match in all."""

    hits: tuple[Hit, ...]
    total: int
    scores: tuple[float, ...] = ()


def record_key(hit: Hit) -> str:
    """The identity of a record in the corpus: its database and its id there."""
    return f"{hit.database}:{hit.external_id}"


def stored_form(hit: Hit, origins: Iterable[str] = ()) -> StoredRecord:
    """The Hit as it is stored for these files; the same Hit gives the same bytes."""
    body = hit.model_dump_json(exclude_defaults=True).encode()
    return StoredRecord(record_key(hit), body, dict.fromkeys(sorted(origins), body))


def merged_form(versions: Mapping[str, bytes]) -> StoredRecord:
    """The merged record of one or more files' versions, whatever their order and repetitions."""
    hits = [Hit.model_validate_json(body) for body in set(versions.values())]
    return stored_form(merge_hits(hits) if len(hits) > 1 else hits[0])._replace(versions=dict(sorted(versions.items())))


def build_document(hit: Hit, record: StoredRecord) -> tantivy.Document:
    """The record as a tantivy document; tokens are made here, so that records and queries share one rule."""
    document = tantivy.Document()
    document.add_text("key", record.key)
    document.add_text("database", hit.database)
    document.add_bytes("record", record.body)
    for origin in record.versions:
        document.add_text("origin", origin)
    if set(record.versions.values()) != {record.body}:
        for version in record.versions.values():
            document.add_bytes("version", version)
    for drug in hit.drugs:
        document.add_text("drug", " ".join(split_words(drug)))
    _add_words(document, "title", (hit.title,))
    _add_words(document, "drugs", hit.drugs)
    if not hit.drugs:
        document.add_text("drugs", _NO_DRUG)
    _add_words(document, "text", (section.text for section in hit.sections))
    _add_words(document, "numbers", _record_numbers(hit))
    span = day_bounds(hit.date or "") or day_bounds(str(hit.year or ""))
    if span:
        document.add_integer("first_day", span[0])
        document.add_integer("last_day", span[1])
    return document


def _add_words(document: tantivy.Document, field: str, texts: Iterable[str]) -> None:
    for text in texts:
        document.add_text(field, plain_words(text))


def _record_numbers(hit: Hit) -> Iterable[str]:
    """The record's identifiers without their scheme, and the trials it links to."""
    own = [identifier.partition(":")[2] for identifier in hit.identifiers]
    return dict.fromkeys((hit.external_id, *own, *hit.trials))


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("drug", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("origin", stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("database", fast=True, tokenizer_name="raw", index_option="basic")
    for name in ("title", "drugs", "text", "numbers"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    for name in ("first_day", "last_day"):
        builder.add_integer_field(name, indexed=True, fast=True)
    for name in ("record", "version"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()


SCHEMA = _build_schema()


class CorpusIndex:
    """The corpus in one folder, created by the first write; every method raises CorpusError if it is unusable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._meta = str(folder / "meta.json")
        self._lock = threading.Lock()
        self._index: tantivy.Index | None = None
        self._seen: tuple[int, int] | None = None

    def search(self, query: SearchQuery, limit: int) -> SearchResult:
        """The best `limit` matching records; equal scores are ordered by record key."""
        searcher = self.open_searcher()
        if searcher is None:
            return SearchResult((), 0)
        with map_corpus_errors(self.folder):
            total, best = find_best(searcher, build_query(SCHEMA, query), limit)
            hits = tuple(_read_stored(searcher, address).hit for _, _, address in best)
        return SearchResult(hits, total, tuple(score for score, _, _ in best))

    def find_record(self, key: str) -> StoredRecord | None:
        """The record of that key, `database:external id`, or None."""
        return next(self._find_records(Query.term_query(SCHEMA, "key", key), 1), None)

    def iterate_records(self) -> Iterator[StoredRecord]:
        """Every record of the last commit, in no order."""
        return self._find_records(Query.all_query())

    def count(self) -> dict[str, int]:
        """The number of records per database."""
        return dict(sorted(self._count_by_field("database")))

    def files(self) -> tuple[CorpusFile, ...]:
        """The files that were added, with their numbers of records."""
        return tuple(CorpusFile(*bucket) for bucket in sorted(self._count_by_field("origin")))

    def open_searcher(self) -> tantivy.Searcher | None:
        """A view of the last commit; None if nothing was ever added."""
        with self._lock, map_corpus_errors(self.folder):
            state = _commit_state(self._meta)
            if state is None:
                self._index = self._seen = None
                return None
            if self._index is None:
                self._index = self._open_index()
            if state != self._seen:
                self._index.reload()
                self._seen = state
            return self._index.searcher()

    def open_writer(self, heap_bytes: int) -> tantivy.IndexWriter:
        """The only writer, single-threaded to keep the order of equal scores; CorpusBusy if another one is open."""
        with self._lock, map_corpus_errors(self.folder):
            if _commit_state(self._meta) is None:
                self._create_index()
            if self._index is None:
                self._index = self._open_index()
            return self._index.writer(heap_bytes, num_threads=1)

    def _create_index(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / _VERSION_FILE).write_text(json.dumps({"version": VERSION}) + "\n", encoding="utf-8")
        tantivy.Index(SCHEMA, path=str(self.folder))

    def _open_index(self) -> tantivy.Index:
        version = _read_version(self.folder)
        if version != VERSION:
            raise _unreadable_error(self.folder, f"was written by another version of storm ({version or 'unknown'})")
        index = tantivy.Index(SCHEMA, path=str(self.folder))
        index.config_reader("manual")
        return index

    def _find_records(self, query: Query, limit: int | None = None) -> Iterator[StoredRecord]:
        searcher = self.open_searcher()
        if searcher is None or not searcher.num_docs:
            return
        with map_corpus_errors(self.folder):
            for _, address in searcher.search(query, limit or searcher.num_docs, count=False).hits:
                yield _read_stored(searcher, address)

    def digest_records(self) -> str:
        """A digest of all records, whatever the order and number of additions; empty without any."""
        digest = 0
        for record in self.iterate_records():
            each = hashlib.blake2b(record.key.encode() + b"\0" + record.body, digest_size=8).digest()
            digest ^= int.from_bytes(each)
        return f"{digest:016x}" if digest else ""

    def _count_by_field(self, field: str) -> list[tuple[str, int]]:
        searcher = self.open_searcher()
        if searcher is None:
            return []
        with map_corpus_errors(self.folder):
            terms = {"terms": {"field": field, "size": _MAX_BUCKETS}}
            answer = searcher.aggregate(Query.all_query(), {field: terms})
        return [(bucket["key"], bucket["doc_count"]) for bucket in answer[field]["buckets"]]


def _read_stored(searcher: tantivy.Searcher, address: tantivy.DocAddress) -> StoredRecord:
    document = searcher.doc(address)
    key, body, origins = document.get_first("key"), document.get_first("record"), document.get_all("origin")
    # Versions are stored only where they differ.
    versions = document.get_all("version") or [body] * len(origins)
    if key is None or body is None or len(versions) != len(origins):
        raise ValueError("Data corrupted: a record lacks a field")
    return StoredRecord(key, body, dict(zip(origins, versions, strict=True)))


def _commit_state(meta: str) -> tuple[int, int] | None:
    """A value that changes with each commit, which replaces meta.json; None if there is no corpus."""
    try:
        stat = os.stat(meta)  # noqa: PTH116 - called for each added record; a Path costs three times as much
    except (FileNotFoundError, NotADirectoryError):
        return None
    return stat.st_mtime_ns, stat.st_ino


def _read_version(folder: Path) -> int | None:
    try:
        version = json.loads((folder / _VERSION_FILE).read_bytes())["version"]
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None
    return version if isinstance(version, int) else None


def _unreadable_error(folder: Path, why: str) -> CorpusError:
    return CorpusError(
        f"the corpus in {folder} {why}",
        hint=f"remove the folder {folder} and add your files again",
        code=Code.CORPUS_UNREADABLE,
        folder=folder,
    )


@contextmanager
def map_corpus_errors(folder: Path) -> Iterator[None]:
    """Map errors of tantivy and the disk to CorpusError or CorpusBusy, with a hint; others pass."""
    try:
        yield
    except (OSError, RuntimeError, MemoryError, ValidationError) as exc:  # the last for a damaged record
        raise _corpus_error(folder, exc) from exc
    except ValueError as exc:
        if not str(exc).startswith(_TANTIVY_FAILED):
            raise
        raise _corpus_error(folder, exc) from exc
    except BaseException as exc:
        if type(exc).__module__ != "pyo3_runtime":  # a panic inside tantivy: the index is damaged
            raise
        raise _unreadable_error(folder, f"is damaged ({exc})") from exc


def _corpus_error(folder: Path, exc: BaseException) -> CorpusError:
    text = str(exc)
    if "LockBusy" in text:
        return CorpusBusy(
            f"another process is writing to the corpus in {folder}", hint="wait until it has finished, then try again"
        )
    disk = os.statvfs(folder) if folder.is_dir() else None
    if disk and disk.f_flag & os.ST_RDONLY:
        return CorpusError(f"the corpus in {folder} cannot be used: its disk is read-only", hint="set STORM_DATA_DIR")
    # tantivy does not always name the disk as the cause.
    if "No space left" in text or "StorageFull" in text or (disk and disk.f_bavail * disk.f_frsize < _LEAST_FREE):
        return CorpusError(
            f"the corpus in {folder} cannot be written: no space left on the disk",
            hint="what was committed before is kept; make room and add the files again",
        )
    if isinstance(exc, PermissionError) or "Permission denied" in text or "PermissionDenied" in text:
        return CorpusError(f"the corpus in {folder} cannot be used: permission denied", hint="set STORM_DATA_DIR")
    if isinstance(exc, OSError):
        return CorpusError(f"the corpus in {folder} cannot be used: {exc.strerror or exc}")
    return _unreadable_error(folder, f"is damaged ({text[:200]})")
