"""How seen hits are stored, and which of the stored records describe the same work."""

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
    """What a stored record is compared by (`_pack_hit`), as far as it is needed to find its work."""

    identifiers: tuple[str, ...]


Identified = TypeVar("Identified", bound=_HasIdentifiers)


#: Hits or identifiers in one call: a script must not block others for long.
BATCH = 200
#: The cache of compressed texts, by digest: how many, and the largest text in bytes. The least recently used one is
#: evicted first.
_MAX_PACKED_TEXTS, _MAX_PACKED_BYTES = 500, 200_000
_packed_texts: dict[bytes, str] = {}
#: Stored hits that are remembered.
_MAX_REMEMBERED = 20_000
#: Unpacked texts that are cached: each item of a checklist reads the same records again.
_MAX_UNPACKED_TEXTS = 64
#: Short records are cached packed and unpacked: how many, and the most characters of a text to pack, or of a packed
#: record.
_MAX_SHORT_RECORDS, _SHORT_CHARACTERS = 512, 20_000


def pack_hits(hits: Sequence[Hit], *, replaceable: bool = False) -> list[list[str]]:
    """The arguments of record_hits.lua, one list per call; one empty list without hits. Replaceable hits are older
    than others of the same record, or parts of them: any other takes their place."""
    batches = split_batches(hits)
    return [[part for hit in batch for part in _choose_packing(hit)(hit, replaceable)] for batch in batches] or [[]]


def _choose_packing(hit: Hit) -> Callable[[Hit, bool], tuple[str, str]]:
    return _pack_short if sum(len(section.text) for section in hit.sections) <= _SHORT_CHARACTERS else _pack_hit


@lru_cache(maxsize=_MAX_SHORT_RECORDS)
def _pack_short(hit: Hit, replaceable: bool) -> tuple[str, str]:
    """`_pack_hit`, cached: the searches of a job often return the same record."""
    return _pack_hit(hit, replaceable)


class StoredHits:
    """Which hits this process has stored in a job: the searches of a job often return the same record, and storing it
    again would change nothing."""

    def __init__(self) -> None:
        self._failures = 0
        self._seen: set[tuple[str, int, bool]] = set()

    def select_new(self, hits: Sequence[Hit], *, replaceable: bool, failures: int) -> list[Hit]:
        """The hits that were not stored before. After another number of connection `failures` none counts as stored:
        the server may have lost data."""
        if failures != self._failures:
            self._failures = failures
            self._seen.clear()
        return [hit for hit in hits if self._seen.isdisjoint(_equivalent_states(hit, replaceable))]

    def add_hits(self, hits: Sequence[Hit], *, replaceable: bool) -> None:
        """Remember these hits as stored."""
        if len(self._seen) > _MAX_REMEMBERED:
            self._seen.clear()
        self._seen.update(_equivalent_states(hit, replaceable)[0] for hit in hits)


def _equivalent_states(hit: Hit, replaceable: bool) -> tuple[tuple[str, int, bool], ...]:
    """The state in which this hit is stored, then the other one that makes storing it needless: a replaceable hit adds
    nothing to the same one that is not."""
    state = hash(hit)
    own = (hit.key, state, replaceable)
    return (own, (hit.key, state, False)) if replaceable else (own,)


def split_batches(items: Sequence[T]) -> list[Sequence[T]]:
    """The items in order, in lists of at most BATCH."""
    return [items[start : start + BATCH] for start in range(0, len(items), BATCH)]


def _pack_hit(hit: Hit, replaceable: bool) -> tuple[str, str]:
    """A header by which the hit is compared (JSON), and the Hit itself (JSON, its text compressed)."""
    header = {
        "record": f"{hit.database}:{hit.external_id}",
        "size": len(hit.text),
        "identifiers": hit.identifiers,
        **({"yields": True} if replaceable else {}),
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


def unpack_hits(lines: str) -> list[Hit]:
    """The records under one identifier, each with all identifiers of any of its versions."""
    return [
        (_unpack_short if len(line) <= _SHORT_CHARACTERS else _unpack_hit)(line) for line in lines.split("\n") if line
    ]


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
    # One record needs no merging; parsed together, they take half as long.
    alone = ["null" if "\n" in lines else lines for lines in found]
    described = from_json(f"[{','.join(alone)}]")
    return [
        fields or _describe_merged(lines, strongest_identifier(own))
        for fields, lines, own in zip(described, found, identifiers, strict=True)
    ]


def _describe_merged(lines: str, identifier: str) -> Mapping[str, Any]:
    work = work_of(unpack_hits(lines), identifier)
    if work is None:
        raise LookupError(f"no record has {identifier}")
    return {name: getattr(work, name) for name in ("database", "external_id", "url", "title", "year")}


def strongest_identifier(identifiers: Sequence[str]) -> str:
    """The identifier under which a source's records are stored: its PMID, or else its first."""
    return next((i for i in identifiers if i.startswith("pmid:")), identifiers[0])


def work_of(records: Sequence[Hit], identifier: str) -> Hit | None:
    """The work with this identifier, merged from all its records; None if no record has it."""
    own = own_records(records, identifier)
    return models.merge_hits(own) if own else None


def own_records(records: Sequence[Identified], identifier: str) -> Sequence[Identified]:
    """The records of the work with this identifier, as each database gave them; empty if no record has it. Of several
    works it is the one of that PMID, not one whose record names it beside a lower one."""
    works = [work for work in group_works(records) if any(identifier in record.identifiers for record in work)]
    by_pmid = (work for work in works if any(_lowest_pmid(record) == identifier for record in work))
    return next(by_pmid, works[0] if works else ())


def work_key(headers: str, identifier: str) -> str:
    """The canonical key of the work with this identifier, from the headers that list_identifiers.lua returns; the
    identifier itself if no record has it."""
    records = [_Header(tuple(json.loads(line)["identifiers"])) for line in headers.split("\n") if line]
    known = {one for record in own_records(records, identifier) for one in record.identifiers}
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
