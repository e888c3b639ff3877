"""Writes to the local corpus: records arrive as a stream, and changes to stored ones rewrite the index once."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Mapping
from enum import StrEnum
from hashlib import blake2b
from typing import IO, Self

from tantivy import IndexWriter, Query

from storm.databases.corpus.index import (
    CorpusIndex,
    StoredRecord,
    build_document,
    map_corpus_errors,
    merged_form,
    stored_form,
)
from storm.models import Hit

HEAP_BYTES = 64_000_000
#: A crash loses at most this many records or bytes.
BATCH_RECORDS = 20_000
BATCH_BYTES = 64_000_000


class Change(StrEnum):
    """The effect of adding a record."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class CorpusWriter:
    """A context manager that adds and removes records in bounded memory.

    Leaving it commits; leaving it by an error keeps the last commit. Raises CorpusBusy if another process is writing.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._writer: IndexWriter = index.open_writer(HEAP_BYTES)
        self._fresh: dict[str, Mapping[str, bytes]] = {}
        self._fresh_bytes = 0
        self._changed = _ChangedVersions()
        self._updates: Counter[tuple[str, str]] = Counter()
        self._reverted: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        with map_corpus_errors(self._index.folder):
            try:
                if kind is None:
                    self._commit_batch()
                    if self._changed:
                        self._rewrite_index()
            finally:
                self._changed.clear()
                self._writer.wait_merging_threads()

    def add_record(self, hit: Hit, origin: str) -> Change:
        """Add a record, or a file's version of one; the last version in a file counts, beside those of other files."""
        with map_corpus_errors(self._index.folder):
            return self._add_or_change(hit, origin)

    def take_reverted(self, origin: str) -> int:
        """The number of updates from a file, since the last call, that a later record of the same file reverted."""
        return self._reverted.pop(origin, 0)

    def _add_or_change(self, hit: Hit, origin: str) -> Change:
        new = stored_form(hit, (origin,))
        stored = self._stored_digests(new.key)
        if not stored:
            self._add_new(hit, new)
            return Change.ADDED
        digest = _hash_body(new.body)
        if digest == stored.get(origin):
            self._changed.drop_version(new.key, origin)
            self._reverted[origin] += self._updates.pop((new.key, origin), 0)
            return Change.UNCHANGED
        known = {**stored, **_digest_versions(self._changed.read_versions(new.key))}
        same = digest == known[origin] if origin in known else digest in known.values()
        if not same or origin not in known:
            self._changed.put_version(new.key, origin, new.body)
        self._updates[new.key, origin] += not same
        return Change.UNCHANGED if same else Change.UPDATED

    def remove_files(self, origins: Collection[str]) -> int:
        """Remove what came from these files; returns the number of records that no other file contains."""
        if not any(file.path in origins for file in self._index.files()):
            return 0
        return self._rewrite_index(without=origins)

    def _add_new(self, hit: Hit, record: StoredRecord) -> None:
        self._writer.add_document(build_document(hit, record))
        self._fresh[record.key] = _digest_versions(record.versions)
        self._fresh_bytes += len(record.body)
        if len(self._fresh) >= BATCH_RECORDS or self._fresh_bytes >= BATCH_BYTES:
            self._commit_batch()

    def _stored_digests(self, key: str) -> Mapping[str, bytes]:
        """The digests of a record's stored versions by file; empty if there is no such record."""
        fresh = self._fresh.get(key)
        if fresh is not None:
            return fresh
        stored = self._index.find_record(key)
        return _digest_versions(stored.versions) if stored else {}

    def _commit_batch(self) -> None:
        if self._fresh:
            with map_corpus_errors(self._index.folder):
                self._writer.commit()
            self._fresh.clear()
            self._fresh_bytes = 0

    def _rewrite_index(self, without: Collection[str] = ()) -> int:
        """Rewrite all records in one commit, which readers and crashes see whole; returns the number removed."""
        self._commit_batch()
        removed = 0
        with map_corpus_errors(self._index.folder):
            self._writer.delete_documents_by_query(Query.all_query())
            for record in self._index.iterate_records():
                versions = {**record.versions, **self._changed.read_versions(record.key)}
                remaining = {origin: body for origin, body in versions.items() if origin not in without}
                if remaining:
                    stored = record if remaining == record.versions else merged_form(remaining)
                    self._writer.add_document(build_document(stored.hit, stored))
                removed += not remaining
            self._writer.commit()
        self._changed.clear()
        return removed


def _digest_versions(versions: Mapping[str, bytes]) -> dict[str, bytes]:
    return {origin: _hash_body(body) for origin, body in versions.items()}


def _hash_body(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()


class _ChangedVersions:
    """Changed versions of stored records, kept on disk until the rewrite; the last version in a file counts."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places: dict[str, dict[str, tuple[int, int]]] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def put_version(self, key: str, origin: str, body: bytes) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="storm-corpus-")  # noqa: SIM115 - closed by clear()
        place = self._file.seek(0, 2)
        self._file.write(body)
        self._places.setdefault(key, {})[origin] = place, len(body)

    def drop_version(self, key: str, origin: str) -> None:
        """Drop a version that equals the stored one again."""
        versions = self._places.get(key, {})
        versions.pop(origin, None)
        if not versions:
            self._places.pop(key, None)

    def read_versions(self, key: str) -> dict[str, bytes]:
        """The changed versions of a record by file."""
        return {origin: self._read_body(*place) for origin, place in self._places.get(key, {}).items()}

    def _read_body(self, place: int, length: int) -> bytes:
        assert self._file is not None
        self._file.seek(place)
        return self._file.read(length)

    def clear(self) -> None:
        """Drop all versions."""
        self._places.clear()
        if self._file is not None:
            self._file.close()
            self._file = None
