"""How seen hits are kept, and which of the kept records describe one work."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from storm.models import Cell, Hit, Section, TableRow, merge_hits

T = TypeVar("T")


#: Hits or identifiers that go in one call: a script must not keep others waiting for long.
BATCH = 200
#: So many texts, of so many bytes at most, are remembered as they are stored, by what they say; the one that was not
#: needed for longest goes first.
_MOST_PACKED, _PACKED_SIZE = 500, 200_000
_packed_texts: dict[bytes, str] = {}


def pack_hits(hits: Sequence[Hit]) -> list[list[str]]:
    """What record_hits.lua takes of them, a list for each call; one empty list where there are none."""
    return [[part for hit in batch for part in _pack_hit(hit)] for batch in split_batches(hits)] or [[]]


def split_batches(items: Sequence[T]) -> list[Sequence[T]]:
    """The items in order, in lists of at most BATCH."""
    return [items[start : start + BATCH] for start in range(0, len(items), BATCH)]


def _pack_hit(hit: Hit) -> tuple[str, str]:
    """How a hit compares (JSON), and the Hit itself (JSON, its text compressed)."""
    about = {
        "record": f"{hit.database}:{hit.external_id}",
        "size": len(hit.text),
        "identifiers": hit.identifiers,
    }
    fields = hit.model_dump(mode="json", exclude={"sections"}, exclude_defaults=True)
    fields["sections"] = _pack_sections(hit.sections)
    return json.dumps(about, ensure_ascii=False), json.dumps(fields, ensure_ascii=False, sort_keys=True)


def _pack_sections(sections: Sequence[Section]) -> str:
    """The text, compressed: once, though the searches of a job return the same text for many of its queries."""
    rows = [_pack_section(section) for section in sections]
    text = json.dumps(rows, ensure_ascii=False).encode()
    key = hashlib.blake2b(text, digest_size=16).digest()
    found = _packed_texts.pop(key, None) or base64.b64encode(zlib.compress(text)).decode()
    if len(text) <= _PACKED_SIZE:
        _packed_texts[key] = found
    if len(_packed_texts) > _MOST_PACKED:
        del _packed_texts[next(iter(_packed_texts))]
    return found


def _pack_section(section: Section) -> list[Any]:
    """A table without its text, which its rows make."""
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


def _unpack_sections(text: str) -> list[Section]:
    return list(itertools.starmap(_unpack_section, json.loads(zlib.decompress(base64.b64decode(text)))))


def _unpack_section(
    label: str, text: str, kind: str = "", place: str = "", rows: Sequence[Any] = (), cited: Sequence[int] = ()
) -> Section:
    """Of a job begun before, a section has a label and a text only, or no rows, or no places where it cites."""
    if rows:
        cells = [(heading, tuple(Cell(column=c, text=t, unit=u) for c, t, u in cells)) for heading, cells in rows]
        return Section.of_rows(tuple(TableRow(heading=h, cells=c) for h, c in cells), label, place)
    told = {"label": label, "text": text, "place": place, "cited": tuple(cited)}
    return Section.model_validate(told | ({"kind": kind} if kind else {}))


def unpack_hits(lines: str) -> list[Hit]:
    """The records under one identifier, each with all the identifiers that any version of it named."""
    return [_unpack_hit(line) for line in lines.split("\n") if line]


def _unpack_hit(line: str) -> Hit:
    about, _, text = line.partition("\t")
    fields = json.loads(text)
    packed_text = fields.pop("sections")
    if packed_text:  # else it was left out on the way
        fields["sections"] = _unpack_sections(packed_text)
    fields["identifiers"] = json.loads(about)["identifiers"]
    return Hit.model_validate(fields)


def describe_work(lines: str, identifier: str) -> Mapping[str, Any]:
    """What the records under one identifier say of the work that has it beside its text; LookupError if none has it."""
    if "\n" in lines:
        work = work_of(unpack_hits(lines), identifier)
        if work is None:
            raise LookupError(f"no record has {identifier}")
        return {name: getattr(work, name) for name in ("database", "external_id", "url", "title")}
    fields: Mapping[str, Any] = json.loads(lines.partition("\t")[2])  # one record needs no merging
    return fields


def strongest_identifier(identifiers: Sequence[str]) -> str:
    """The identifier under which a source's records are looked up: its PMID, or else its first."""
    return next((i for i in identifiers if i.startswith("pmid:")), identifiers[0])


def work_of(records: Sequence[Hit], identifier: str) -> Hit | None:
    """The work among records that has the identifier, described by all its records; None if none has it."""
    for work in group_works(records):
        if any(identifier in record.identifiers for record in work):
            return merge_hits(work)
    return None


def group_works(records: Sequence[Hit]) -> list[list[Hit]]:
    """Records that share identifiers, one list a work, by PMID: two PMIDs are two works.

    What several PMIDs could claim goes to the lowest, so that the answer depends on the set of records alone.
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


def _lowest_pmid(hit: Hit) -> str | None:
    return min((i for i in hit.identifiers if i.startswith("pmid:")), key=lambda i: (len(i), i), default=None)
