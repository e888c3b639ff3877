"""Writing to the local corpus: records come as a stream, and a change of stored records rewrites the index once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from enum import StrEnum
from hashlib import blake2b
from typing import IO, NamedTuple, Self

from tantivy import IndexWriter, Query

from storm.databases.corpus_index import CorpusIndex, StoredRecord, corpus_errors, document, stored_form
from storm.models import Hit

HEAP_BYTES = 64_000_000
#: A crash loses at most this many records, or this much text.
BATCH_RECORDS = 20_000
BATCH_BYTES = 64_000_000


class Change(StrEnum):
    """What adding a record did."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class CorpusWriter:
    """Adds and removes records, as a context manager; memory is bounded, whatever is added.

    Leaving it commits; leaving it by an error keeps the last commit. CorpusBusy if another process is writing.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._writer: IndexWriter = index.writer(HEAP_BYTES)
        self._fresh: dict[str, _Fingerprint] = {}
        self._fresh_bytes = 0
        self._changed = _ChangedRecords()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        with corpus_errors(self._index.folder):
            try:
                if kind is None:
                    self._commit()
                    if self._changed:
                        self._rewrite(lambda record: record)
            finally:
                self._changed.close()
                self._writer.wait_merging_threads()

    def add(self, hit: Hit, origin: str) -> Change:
        """Add a record, or update the one of the same database and id; it remembers each file it came from."""
        with corpus_errors(self._index.folder):
            return self._add(hit, origin)

    def _add(self, hit: Hit, origin: str) -> Change:
        new = stored_form(hit, (origin,))
        known = self._known(new.key)
        if known is None:
            self._add_new(hit, new)
            return Change.ADDED
        same = known.digest == _digest(new.body)
        if not same or origin not in known.origins:
            origins = tuple(sorted({origin, *known.origins}))
            self._changed.put(new._replace(origins=origins))
        return Change.UNCHANGED if same else Change.UPDATED

    def remove_file(self, origin: str) -> int:
        """Remove the records that came from that file and from no other; how many."""
        if all(file.path != origin for file in self._index.files()):
            return 0
        removed = 0

        def forget(record: StoredRecord) -> StoredRecord | None:
            nonlocal removed
            left = tuple(other for other in record.origins if other != origin)
            if record.origins and not left:
                removed += 1
                return None
            return record._replace(origins=left)

        self._rewrite(forget)
        return removed

    def remove_records(self, keys: Iterable[str]) -> int:
        """Remove the records of those keys; how many there were."""
        gone = {key for key in keys if self._index.record(key)}
        if not gone:
            return 0

        self._rewrite(lambda record: None if record.key in gone else record)
        return len(gone)

    def _add_new(self, hit: Hit, record: StoredRecord) -> None:
        self._writer.add_document(document(hit, record))
        self._fresh[record.key] = _Fingerprint.of(record)
        self._fresh_bytes += len(record.body)
        if len(self._fresh) >= BATCH_RECORDS or self._fresh_bytes >= BATCH_BYTES:
            self._commit()

    def _known(self, key: str) -> _Fingerprint | None:
        if changed := self._changed.get(key):
            return _Fingerprint.of(changed)
        if fresh := self._fresh.get(key):
            return fresh
        stored = self._index.record(key)
        return _Fingerprint.of(stored) if stored else None

    def _commit(self) -> None:
        if self._fresh:
            with corpus_errors(self._index.folder):
                self._writer.commit()
            self._fresh.clear()
            self._fresh_bytes = 0

    def _rewrite(self, change: Callable[[StoredRecord], StoredRecord | None]) -> None:
        """Write each record anew in one commit: readers, and a crash, see all of it or nothing."""
        self._commit()
        with corpus_errors(self._index.folder):
            self._writer.delete_documents_by_query(Query.all_query())
            for record in self._index.records():
                if kept := change(self._changed.get(record.key) or record):
                    self._writer.add_document(document(kept.hit, kept))
            self._writer.commit()


class _Fingerprint(NamedTuple):
    digest: bytes
    origins: tuple[str, ...]

    @classmethod
    def of(cls, record: StoredRecord) -> _Fingerprint:
        return cls(_digest(record.body), record.origins)


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()


class _ChangedRecords:
    """Records that will replace stored ones, on disk until the rewrite; the last one of a key counts."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places: dict[str, tuple[int, int, tuple[str, ...]]] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def put(self, record: StoredRecord) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="storm-corpus-")  # noqa: SIM115 - closed by close()
        place = self._file.seek(0, 2)
        self._file.write(record.body)
        self._places[record.key] = (place, len(record.body), record.origins)

    def get(self, key: str) -> StoredRecord | None:
        if self._file is None or key not in self._places:
            return None
        place, length, origins = self._places[key]
        self._file.seek(place)
        return StoredRecord(key, self._file.read(length), origins)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
