"""How seen hits are stored, and which of the stored records describe the same work.

A record is what one database returned for one of its ids: a Hit. Of two versions of a record one is kept. Records that
share identifiers are stored together, a line each: a header (JSON: record, size, identifiers, `yields`), a tab, and the
Hit (JSON, its text compressed). They are the value of one of their identifiers; the others are aliases, `@` and that
identifier (lua/hits.lua). A work is the records of one publication, and its hit is all of them merged into one Hit.

Read by lua/find_records.lua, and without the texts by find_record_summaries.lua and list_sources.lua; the headers alone
by find_record_headers.lua.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from pydantic_core import from_json

from storm import models

if TYPE_CHECKING:
    from storm.models import Cell, Hit, Section

T = TypeVar("T")


class _HasIdentifiers(Protocol):
    @property
    def identifiers(self) -> tuple[str, ...]: ...


class _Header(NamedTuple):
    """The part of a stored record's header by which its work is found."""

    identifiers: tuple[str, ...]


Identified = TypeVar("Identified", bound=_HasIdentifiers)


#: Hits or identifiers in one call: a script must not block others for long.
CHUNK_SIZE = 200
#: The cache of compressed texts, by digest: how many, and the largest text in bytes. The least recently used one is
#: evicted first.
_MAX_PACKED_TEXTS, _MAX_PACKED_BYTES = 500, 200_000
_packed_texts: dict[bytes, str] = {}
#: Stored hits that are remembered.
_MAX_REMEMBERED = 20_000
#: Unpacked texts that are cached: each item of a checklist reads the same records again.
_MAX_UNPACKED_TEXTS = 64
#: Short records, such as abstracts, are cached packed and unpacked: how many, and the most characters of a text to pack
#: and of a packed record, which is a third as long. Full texts would fill the memory.
_MAX_SHORT_RECORDS, _SHORT_CHARACTERS, _SHORT_LINE = 512, 10_000, 5_000


def pack_hits(hits: Sequence[Hit], *, provisional: bool = False) -> list[list[str]]:
    """The arguments of record_hits.lua, one list per call; one empty list without hits. Provisional records come from
    an earlier job, or may lack a part: any other version takes their place."""
    chunks = split_chunks(hits)
    return [[part for hit in chunk for part in _choose_packing(hit)(hit, provisional)] for chunk in chunks] or [[]]


def _choose_packing(hit: Hit) -> Callable[[Hit, bool], tuple[str, str]]:
    return _pack_short if sum(len(section.text) for section in hit.sections) <= _SHORT_CHARACTERS else _pack_hit


@lru_cache(maxsize=_MAX_SHORT_RECORDS)
def _pack_short(hit: Hit, provisional: bool) -> tuple[str, str]:
    """`_pack_hit`, cached: the searches of a job often return the same record."""
    return _pack_hit(hit, provisional)


class WrittenHits:
    """Which records this process has written in a job: its searches often return the same record, and writing it again
    would change nothing."""

    def __init__(self) -> None:
        self._resend_count = 0
        self._fingerprints: set[tuple[str, int, bool]] = set()

    def select_new(self, hits: Sequence[Hit], *, provisional: bool, resend_count: int) -> list[Hit]:
        """The records that were not written before. Once a command was sent again (`resend_count`), none counts as
        written: the server may have lost data."""
        if resend_count != self._resend_count:
            self._resend_count = resend_count
            self._fingerprints.clear()
        return [hit for hit in hits if self._fingerprints.isdisjoint(_fingerprints(hit, provisional))]

    def add_hits(self, hits: Sequence[Hit], *, provisional: bool) -> None:
        """Remember these records as written."""
        if len(self._fingerprints) > _MAX_REMEMBERED:
            self._fingerprints.clear()
        self._fingerprints.update(_fingerprints(hit, provisional)[0] for hit in hits)


def _fingerprints(hit: Hit, provisional: bool) -> tuple[tuple[str, int, bool], ...]:
    """The fingerprint of this record, then the other one with which it need not be written: a provisional record adds
    nothing to the same one that is not."""
    digest = hash(hit)
    own = (hit.key, digest, provisional)
    return (own, (hit.key, digest, False)) if provisional else (own,)


def split_chunks(items: Sequence[T]) -> list[Sequence[T]]:
    """The items in order, in lists of at most CHUNK_SIZE."""
    return [items[start : start + CHUNK_SIZE] for start in range(0, len(items), CHUNK_SIZE)]


def _pack_hit(hit: Hit, provisional: bool) -> tuple[str, str]:
    """The header of a record (JSON; it has `yields` if it is provisional), and the Hit (JSON, its text compressed)."""
    header = {
        "record": f"{hit.database}:{hit.external_id}",
        "size": len(hit.text),
        "identifiers": hit.identifiers,
        **({"yields": True} if provisional else {}),
    }
    fields = hit.model_dump(mode="json", exclude={"sections"}, exclude_defaults=True)
    fields["sections"] = _pack_sections(hit.sections)
    return json.dumps(header, ensure_ascii=False), json.dumps(fields, ensure_ascii=False, sort_keys=True)


def _pack_sections(sections: Sequence[Section]) -> str:
    """The compressed text, cached: the searches of a job often return the same text."""
    rows = [_pack_section(section) for section in sections]
    text = json.dumps(rows, ensure_ascii=False).encode()
    key = hashlib.blake2b(text, digest_size=16).digest()
    found = _packed_texts.pop(key, None) or base64.b64encode(zlib.compress(text)).decode()
    if len(text) <= _MAX_PACKED_BYTES:
        _packed_texts[key] = found
    if len(_packed_texts) > _MAX_PACKED_TEXTS:
        del _packed_texts[next(iter(_packed_texts))]
    return found


def _pack_section(section: Section) -> list[Any]:
    """The fields of a section; a table without its text, which follows from its rows."""
    if not section.rows:
        return [
            section.label,
            section.text,
            section.kind,
            section.place,
            *([[], section.cited] if section.cited else []),
        ]
    rows = [[row.heading, [[cell.column, cell.text, cell.unit] for cell in row.cells]] for row in section.rows]
    return [section.label, "", section.kind, section.place, rows]


@lru_cache(maxsize=_MAX_UNPACKED_TEXTS)
def _unpack_sections(text: str) -> tuple[Section, ...]:
    return tuple(itertools.starmap(_unpack_section, from_json(zlib.decompress(base64.b64decode(text)))))


def _unpack_section(
    label: str, text: str, kind: str = "", place: str = "", rows: Sequence[Any] = (), cited: Sequence[int] = ()
) -> Section:
    """Sections of older jobs have only label and text, or no rows, or no `cited`."""
    if rows:
        lines = (models.TableRow(heading=heading, cells=tuple(map(_unpack_cell, cells))) for heading, cells in rows)
        return models.Section.of_rows(tuple(lines), label, place)
    fields = {"label": label, "text": text, "place": place, "cited": tuple(cited)}
    return models.Section.model_validate(fields | ({"kind": kind} if kind else {}))


def _unpack_cell(cell: Sequence[str]) -> Cell:
    """A cell; the rows of a table share the text of their columns."""
    column, text, unit = cell
    return models.Cell(column=sys.intern(column), text=text, unit=sys.intern(unit))


def unpack_records(lines: str) -> list[Hit]:
    """The records under one identifier, each with all identifiers of any of its versions."""
    return [(_unpack_short if len(line) <= _SHORT_LINE else _unpack_hit)(line) for line in lines.split("\n") if line]


@lru_cache(maxsize=_MAX_SHORT_RECORDS)
def _unpack_short(line: str) -> Hit:
    return _unpack_hit(line)


def _unpack_hit(line: str) -> Hit:
    header, _, text = line.partition("\t")
    fields = from_json(text)
    packed_text = fields.pop("sections")
    if packed_text:  # list_sources.lua leaves it out
        fields["sections"] = _unpack_sections(packed_text)
    fields["identifiers"] = from_json(header)["identifiers"]
    return models.Hit.model_validate(fields)


def describe_works(found: Sequence[str], identifiers: Sequence[Sequence[str]]) -> list[Mapping[str, Any]]:
    """The fields, without text, of the work with these identifiers from what list_sources.lua found: its only record,
    or the lines of several; LookupError if none has the strongest of them."""
    # Those of a single record need no merging; parsed together, they take half as long. `null` stands for several.
    single = ["null" if "\n" in lines else lines for lines in found]
    described = from_json(f"[{','.join(single)}]")
    return [
        fields or _describe_merged(lines, strongest_identifier(own))
        for fields, lines, own in zip(described, found, identifiers, strict=True)
    ]


def _describe_merged(lines: str, identifier: str) -> Mapping[str, Any]:
    work = merge_work(unpack_records(lines), identifier)
    if work is None:
        raise LookupError(f"no record has {identifier}")
    return {name: getattr(work, name) for name in ("database", "external_id", "url", "title", "year")}


def strongest_identifier(identifiers: Sequence[str]) -> str:
    """The identifier under which a source's records are stored: its PMID, or else its first."""
    return next((i for i in identifiers if i.startswith("pmid:")), identifiers[0])


def merge_work(records: Sequence[Hit], identifier: str) -> Hit | None:
    """The work with this identifier, merged from all its records; None if no record has it."""
    own = find_work_records(records, identifier)
    return models.merge_hits(own) if own else None


def find_work_records(records: Sequence[Identified], identifier: str) -> Sequence[Identified]:
    """The records of the work with this identifier, as each database gave them; empty if no record has it. Of several
    works it is the one of that PMID, not one whose record names it beside a lower one."""
    works = [work for work in group_works(records) if any(identifier in record.identifiers for record in work)]
    by_pmid = (work for work in works if any(_lowest_pmid(record) == identifier for record in work))
    return next(by_pmid, works[0] if works else ())


def find_work_key(headers: str, identifier: str) -> str:
    """The canonical key of the work with this identifier, from the headers that find_record_headers.lua returns; the
    identifier itself if no record has it."""
    records = [_Header(tuple(json.loads(line)["identifiers"])) for line in headers.split("\n") if line]
    known = {one for record in find_work_records(records, identifier) for one in record.identifiers}
    return min(known, key=models.identifier_rank, default=identifier)


def group_works(records: Sequence[Identified]) -> list[list[Identified]]:
    """Group records that share identifiers into works by PMID: two PMIDs are two works.

    A record that several PMIDs could claim goes to the lowest, so that the result depends on the set of records only.
    """
    numbers = sorted({pmid for record in records if (pmid := _lowest_pmid(record))}, key=lambda pmid: (len(pmid), pmid))
    if len(numbers) < 2:
        return [list(records)] if records else []
    free = [record for record in records if not _lowest_pmid(record)]
    found = []
    for number in numbers:
        work = [record for record in records if _lowest_pmid(record) == number]
        known = {identifier for record in work for identifier in record.identifiers}
        while near := [record for record in free if not known.isdisjoint(record.identifiers)]:
            work += near
            known.update(identifier for record in near for identifier in record.identifiers)
            free = [record for record in free if record not in near]
        found.append(work)
    return found


def _lowest_pmid(record: _HasIdentifiers) -> str | None:
    return min((i for i in record.identifiers if i.startswith("pmid:")), key=lambda i: (len(i), i), default=None)
