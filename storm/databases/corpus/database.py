"""The local corpus: the user's own files, or the bundled sample, searched like any other database."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from storm.databases.corpus.index import VERSION, CorpusIndex
from storm.databases.corpus.writer import Change, CorpusWriter
from storm.databases.formats.orangebook import ProductNames, read_product_names
from storm.databases.formats.recognition import Format, format_of, read_file
from storm.errors import Code, CorpusError, RecordError, StormError
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus

_ORANGE_BOOK, _PURPLE_BOOK = "orangebook", "purplebook"
#: Databases whose records say how a product was licensed, and how many records of a drug to examine.
_LICENCES = ("openfda", _PURPLE_BOOK)
_MOST_LICENCES = 20
#: The files of the bundled sample.
SAMPLE_FOLDER = Path(__file__).parent / "sample"
#: Errors listed per file; further ones are counted.
MAX_ERRORS_A_FILE = 100
#: Ignored columns, and empty rows, named per file.
MAX_NAMED = 10


class AddedFile(NamedTuple):
    """The result of adding one file; `format` is empty where storm cannot read it, `note` says what was ignored.

    Each record is added, updated, unchanged or not read; of several records with one identity the last counts.
    """

    path: str
    format: str
    added: int
    updated: int
    unchanged: int
    note: str = ""
    not_read: int = 0


class AddReport(NamedTuple):
    """The result of adding files, with the errors."""

    files: tuple[AddedFile, ...]
    errors: tuple[RecordError, ...]

    @property
    def not_read(self) -> int:
        """The number of records, files and folders that could not be read."""
        files = {file.path for file in self.files}
        folders = [error for error in self.errors if error.path not in files]
        return len(folders) + sum(file.not_read for file in self.files)


class CorpusDatabase:
    """Implements `ports.Database` over a corpus: searches run in a thread, and failures are outcomes."""

    def __init__(self, index: CorpusIndex, name: str, scope: str) -> None:
        self.name = name
        self.scope = scope
        self.limit = 100
        self._index = index

    def narrow_query(self, query: SearchQuery) -> SearchQuery | None:
        """The query in plain terms, which always searches the whole corpus; None if it is limited to databases of which
        the corpus has no records.

        An emptied corpus is still searched: its search fails.
        """
        query = query.model_copy(update={"changed_since": None, "native": ""})
        try:
            counts = self._index.count()
        except StormError:
            return query  # the search reports what is wrong
        other_databases_only = counts and query.databases and counts.keys().isdisjoint(query.databases)
        return None if other_databases_only else query

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """At most `limit` hits, best first; a failure is an outcome, not an exception."""
        try:
            found = await asyncio.to_thread(self._index.search, query, limit)
        except StormError as exc:
            return self._make_outcome(query, SearchStatus.FAILED, reason=exc.message)
        if not found.total and not await asyncio.to_thread(self._index.count):
            return self._make_outcome(query, SearchStatus.FAILED, reason="it no longer holds any records")
        if not found.total and query.databases == (_ORANGE_BOOK,) and await asyncio.to_thread(self._is_biologic, query):
            reason = "the Orange Book lists no biologics"
            return self._make_outcome(query, SearchStatus.NOT_APPLICABLE, reason)
        status = SearchStatus.FOUND if found.total else SearchStatus.NONE
        return self._make_outcome(query, status).model_copy(update={"hits": found.hits, "total": found.total})

    def _is_biologic(self, query: SearchQuery) -> bool:
        """Whether the corpus has a biologics licence (BLA) for the drug itself."""
        licences = self._index.search(SearchQuery(names=query.names, databases=_LICENCES), _MOST_LICENCES).hits
        names = {name.casefold() for name in query.names}
        own = (hit for hit in licences if names & {drug.casefold() for drug in hit.drugs})
        return any(hit.database == _PURPLE_BOOK or any(map(_is_bla, _licence_numbers(hit))) for hit in own)

    def _make_outcome(self, query: SearchQuery, status: SearchStatus, reason: str = "") -> SearchOutcome:
        return SearchOutcome(database=self.name, query=str(query), status=status, reason=reason)


def _licence_numbers(hit: Hit) -> tuple[str, ...]:
    return (hit.external_id, *(approval.number or "" for approval in hit.facts.approvals))


def _is_bla(number: str) -> bool:
    return number.strip().upper().startswith("BLA")


def corpus_index(data_dir: Path) -> CorpusIndex:
    """The user's own corpus in that data folder."""
    return CorpusIndex(data_dir / "corpus")


def sample_index(data_dir: Path, files: Path = SAMPLE_FOLDER) -> CorpusIndex:
    """The bundled sample, indexed on first use; CorpusError if its files are missing.

    Each version of the files and of the index has its own folder, built elsewhere and moved into place when complete,
    so that two processes may build it at once.
    """
    folder = data_dir / f"sample-{VERSION}-{_hash_files(files)}"
    if not folder.is_dir():
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
            building = Path(tempfile.mkdtemp(prefix=".sample-", dir=data_dir))
        except OSError as exc:
            raise CorpusError(
                f"the sample cannot be indexed in {data_dir}: {exc.strerror}", hint="set STORM_DATA_DIR"
            ) from exc
        try:
            _build_sample(building, files)
            _move_into_place(building, folder)
        finally:
            shutil.rmtree(building, ignore_errors=True)
    return CorpusIndex(folder)


def _hash_files(files: Path) -> str:
    digest = hashlib.sha256()
    try:
        for path in sorted(path for path in files.iterdir() if path.is_file()):
            digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    except OSError as exc:
        raise _missing_sample_error(files) from exc
    return digest.hexdigest()[:12]


def _missing_sample_error(files: Path) -> CorpusError:
    return CorpusError(f"the bundled sample is missing from {files}", hint="install storm again")


def _build_sample(folder: Path, files: Path) -> None:
    report = add_paths(CorpusIndex(folder), [files])
    if report.errors:
        raise CorpusError(f"the bundled sample is damaged: {report.errors[0]}", hint="install storm again")
    if not report.files:
        raise _missing_sample_error(files)


def _move_into_place(building: Path, folder: Path) -> None:
    try:
        building.rename(folder)
    except OSError as exc:
        if not folder.is_dir():  # unless another process was faster
            raise CorpusError(f"the sample cannot be indexed in {folder}: {exc.strerror}") from exc


def add_paths(index: CorpusIndex, paths: Sequence[Path]) -> AddReport:
    """Add files, and all files of folders; unreadable ones are reported, the rest are added.

    Folders are read in name order; hidden files and folders are skipped.
    """
    files: list[AddedFile] = []
    errors: list[RecordError] = []
    file_paths = list(_list_files(paths, errors))
    if file_paths:
        with CorpusWriter(index) as writer:
            products = _ProductNames()
            for path in file_paths:
                files.append(_add_file(writer, path, products, errors))
    return AddReport(tuple(files), tuple(errors))


def _add_file(writer: CorpusWriter, path: Path, products: _ProductNames, errors: list[RecordError]) -> AddedFile:
    changes: Counter[Change] = Counter()
    listed = not_read = unnamed = 0
    ignored: set[str] = set()
    empty: list[str] = []
    file_format = format_of(path)
    for item in read_file(path, products.read_beside(path) if file_format is Format.ORANGE_BOOK else None, ignored):
        if not isinstance(item, RecordError):
            changes[writer.add_record(item, origin_name(path))] += 1
            unnamed += file_format is Format.ORANGE_BOOK and not item.drugs
            continue
        if not item.records:
            empty.append(item.position)
            continue
        not_read += item.records
        listed += 1
        if listed <= MAX_ERRORS_A_FILE:
            errors.append(item)
    if listed > MAX_ERRORS_A_FILE:
        errors.append(RecordError(f"{listed - MAX_ERRORS_A_FILE:,} more records cannot be read", path=str(path)))
    reverted = writer.take_reverted(origin_name(path))
    counts = (changes[Change.ADDED], changes[Change.UPDATED] - reverted, changes[Change.UNCHANGED] + reverted)
    notes = filter(None, (_unnamed_note(unnamed), _ignored_columns_note(ignored), _empty_rows_note(empty)))
    return AddedFile(str(path), file_format or "", *counts, "; ".join(notes), not_read)


def _unnamed_note(unnamed: int) -> str:
    """The warning that Orange Book records name no drug; empty if all do."""
    if not unnamed:
        return ""
    return (
        f"warning: {unnamed:,} of its records name no drug, as no products.txt beside it lists their applications; "
        "search for them by application number (NDA021748)"
    )


def _ignored_columns_note(ignored: Collection[str]) -> str:
    return f"ignored columns: {_name_some(sorted(ignored))}" if ignored else ""


def _empty_rows_note(places: Sequence[str]) -> str:
    return f"{len(places):,} without a value: {_name_some(places)}" if places else ""


def _name_some(names: Sequence[str]) -> str:
    return ", ".join([*names[:MAX_NAMED], *(["…"] if len(names) > MAX_NAMED else [])])


def origin_name(path: Path) -> str:
    """The name under which the corpus stores a file: its absolute path, with undecodable bytes escaped."""
    return os.fsencode(path.absolute()).decode("utf-8", errors="backslashreplace")


def remove_files(index: CorpusIndex, paths: Sequence[Path]) -> int:
    """Remove the records that came only from these files or folders; returns their number.

    Raises CorpusError, and removes nothing, if one of the paths was never added.
    """
    known_origins = {file.path for file in index.files()}
    removed: set[str] = set()
    for path in paths:
        name = origin_name(path)
        origins = {
            origin for origin in known_origins if origin == name or origin.startswith(f"{name.rstrip(os.sep)}{os.sep}")
        }
        if not origins:
            raise CorpusError(
                f"{path} was not added to the corpus",
                hint="files() lists the files that were",
                code=Code.CORPUS_FILE_UNKNOWN,
            )
        removed |= origins
    with CorpusWriter(index) as writer:
        return writer.remove_files(removed)


class _ProductNames:
    """The product names of an Orange Book folder, read once for all of its files."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._names: Mapping[str, ProductNames] = {}

    def read_beside(self, path: Path) -> Mapping[str, ProductNames]:
        if path.parent != self._folder:
            self._folder = path.parent
            products = path.with_name("products.txt")
            self._names = read_product_names(products) if products.is_file() else {}
        return self._names


def _list_files(paths: Iterable[Path], errors: list[RecordError]) -> Iterator[Path]:
    for path in dict.fromkeys(paths):
        if path.is_dir():
            yield from _list_folder(path, errors)
        else:
            yield path


def _list_folder(folder: Path, errors: list[RecordError]) -> Iterator[Path]:
    def record_error(exc: OSError) -> None:
        errors.append(RecordError(f"cannot be read: {(exc.strerror or str(exc)).lower()}", path=str(exc.filename)))

    seen: set[tuple[int, int]] = set()
    for place, folders, names in os.walk(folder, onerror=record_error, followlinks=True):
        status = Path(place).stat()
        if (status.st_dev, status.st_ino) in seen:  # a symbolic link back to a parent
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place) / name for name in sorted(names) if not name.startswith("."))
