"""ChEMBL: the molecule that a name means, its salts, and what is known of its mechanism, indications and warnings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Sequence
from typing import NamedTuple

from storm.databases.formats.chembl import (
    MoleculeTables,
    Row,
    all_names,
    folded_name,
    molecule_id,
    parent_id,
    read_molecule,
)
from storm.databases.formats.fields import inside, line, mapping
from storm.databases.services.answers import (
    Found,
    all_of,
    json_object,
    must_be_about,
    must_list,
    not_applicable,
    unread_note,
)
from storm.databases.services.public import PublicDatabase
from storm.databases.services.query_text import bare_words, name_phrases
from storm.errors import BadAnswer, ForeignAnswer, QueryRejected, RecordError, ServiceDown, ServiceError
from storm.models import Hit, SearchOutcome, SearchQuery, database_info

#: Neighbours of a name that are looked through for the molecule of that name; the service puts exact matches first.
_NEIGHBOURS = 50
_PAGE_SIZE = 1000
#: No drug has as many rows in a table; a service that goes on giving pages is not followed.
_MAX_PAGES = 5


#: The tables about a molecule, in the order of `MoleculeTables`, and the field by which each knows its parent.
_TABLES = {
    "molecule": "molecule_hierarchy__parent_chembl_id",
    "mechanism": "parent_molecule_chembl_id",
    "drug_indication": "parent_molecule_chembl_id",
    "drug_warning": "parent_molecule_chembl_id",
}


class _Table(NamedTuple):
    """The rows of one table that were read, what is missing from them, and what else to know of them."""

    name: str
    rows: Sequence[Row]
    note: str = ""
    remark: str = ""


class _Family(NamedTuple):
    """A molecule and, where they are known, all ids of it and its salts."""

    parent: str
    own: Collection[str] | None = None


class _Page(NamedTuple):
    """The rows of an answer, how many there are in all, and whether another page follows."""

    rows: list[Row]
    total: int
    more: bool


class Chembl(PublicDatabase):
    """One Hit a molecule, its salts with it.

    The service's free-text search gives neighbours, so a molecule counts only if a name of the query is one of its own
    names, or its id. Words that must match are looked for in the molecule's record, which holds all that ChEMBL
    tells of it; those that rank are not searched.
    """

    info = database_info("chembl")
    example_id = "CHEMBL1201585"
    reads_words = False
    needs_name = True
    searches_required = False

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """The molecules of these names; every failure is an outcome."""
        if query.since or query.until:
            return not_applicable(self.name, query, "its records carry no date, and the search is for a span of time")
        return await super().search(query, limit)

    async def fetch(self, external_id: str) -> Hit | None:
        """The molecule of that ChEMBL id (of a salt, its parent), or None; ServiceError if it could not be asked."""
        number = external_id.strip().upper()
        if not (number.isascii() and number.startswith("CHEMBL") and number[6:].isdecimal()):
            raise self.no_id(external_id)
        molecule = await self._molecule(number)
        if molecule is None:
            return None
        found = await self._described(parent_id(molecule), {number: molecule})
        if found.notes or not found.hits:
            raise ServiceDown("; ".join(found.notes), service=self.service.label)
        return found.hits[0]

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        names = [name for name in query.names if bare_words(name)]
        name_phrases(query, self.service.label)
        near, failed = await all_of([self._named(name) for name in names])
        failed += [found.note for found in near if found.note]
        remarks = [found.remark for found in near if found.remark]
        molecules = {molecule_id(row): row for found in near for row in found.rows}
        if molecules.pop("", None):
            failed += unread_note([RecordError("a molecule without its ChEMBL id")])
        parents = list(dict.fromkeys(map(parent_id, molecules.values())))
        if not parents:
            return Found(notes=failed, remarks=remarks)
        founds, missing = await all_of([self._described(parent, molecules) for parent in parents[:limit]])
        notes = [*failed, *missing, *(note for found in founds for note in found.notes)]
        return Found([hit for found in founds for hit in found.hits], len(parents), notes, remarks)

    async def _named(self, name: str) -> _Table:
        """The molecules that are called so, out of those that the service finds near."""
        page = await self._page("molecule/search.json", "molecules", {"q": bare_words(name), "limit": _NEIGHBOURS})
        named = [row for row in page.rows if folded_name(name) in all_names(row)]
        remark = "" if named or not page.more else f"none of the first {len(page.rows)} near {name!r} is called so"
        return _Table("molecule", named, "" if page.more else _stopped(page.rows, page.total, "molecules"), remark)

    async def _page(
        self,
        path: str,
        plural: str,
        params: dict[str, str | int],
        before: int = 0,
        family: _Family | None = None,
    ) -> _Page:
        """One page of rows; `before` is how many came before it. ForeignAnswer where one is not about the family."""

        def listed(body: bytes) -> _Page:
            page = _listed(json_object(body, self.service.label), plural, self.service.label, before)
            if family:
                for row in page.rows:
                    _check_subject(row, family, self.service.label)
            return page

        page: _Page = (await self._http.ask(self.service, path, params, read=listed)).value
        return page

    async def _molecule(self, number: str) -> Row | None:
        """The molecule's own record; None where ChEMBL lists none of that id: a 404 may be anybody's."""

        def molecule(body: bytes) -> Row:
            found = json_object(body, self.service.label)
            must_be_about([molecule_id(found) or "another molecule"], [number], self.service.label)
            return found

        try:
            found: Row = (await self._http.ask(self.service, f"molecule/{number}.json", read=molecule)).value
        except QueryRejected as exc:
            listed: dict[str, str | int] = {"molecule_chembl_id": number, "limit": 1}
            if exc.status != 404 or (await self._page("molecule.json", "molecules", listed)).rows:
                raise
            return None
        return found

    async def _described(self, parent: str, known: dict[str, Row]) -> Found:
        """The Hit of a molecule; a table that could not be read is missing from it, and a note says so.

        ForeignAnswer where a table tells of another molecule.
        """
        numbers = [number for number, row in known.items() if parent_id(row) == parent]
        molecules = asyncio.ensure_future(self._table("molecule", _Family(parent)))
        others = [self._table_about(name, parent, numbers, molecules) for name in list(_TABLES)[1:]]
        done, notes = await all_of([molecules, *others], fatal=(ForeignAnswer,))
        tables = {table.name: table.rows for table in done}
        notes += [table.note for table in done if table.note]
        family = {molecule_id(row): row for row in tables.get("molecule", [])}
        molecule = known.get(parent) or family.get(parent) or await self._molecule(parent)
        if molecule is None:
            raise BadAnswer(f"it has no record of {parent}, which it names as a parent", service=self.service.label)
        salts = [row for number, row in family.items() if number != parent]
        hit = read_molecule(molecule, MoleculeTables(salts, *(tables.get(name, []) for name in list(_TABLES)[1:])))
        if isinstance(hit, RecordError):
            return Found(notes=unread_note([hit]))
        return Found([hit], 1, [f"incomplete for {parent}: {note}" for note in notes])

    async def _table_about(
        self, name: str, parent: str, numbers: Sequence[str], molecules: Awaitable[_Table]
    ) -> _Table:
        """The rows of a table, checked against the ids of the molecule and its salts where these could be had."""
        try:
            told = await molecules
        except ServiceError:
            return await self._table(name, _Family(parent))
        own = None if told.note else frozenset({parent, *numbers, *map(molecule_id, told.rows)})
        return await self._table(name, _Family(parent, own))

    async def _table(self, name: str, family: _Family) -> _Table:
        """The rows of a table that belong to a molecule or its salts."""
        rows: list[Row] = []
        before: list[Row] = []
        for _ in range(_MAX_PAGES):
            params: dict[str, str | int] = {_TABLES[name]: family.parent, "limit": _PAGE_SIZE, "offset": len(rows)}
            page = await self._page(f"{name}.json", f"{name}s", params, len(rows), family)
            if page.rows and page.rows == before:
                return _Table(name, rows, "the service repeats a page")
            rows += page.rows
            before = page.rows
            if not page.more:
                return _Table(name, rows, _stopped(rows, page.total, f"rows of {name}"))
        return _Table(name, rows, f"more than {len(rows):,} rows of {name}")


def _listed(answer: Row, plural: str, label: str, before: int) -> _Page:
    """The rows of an answer; BadAnswer where it has no such list, or none where there are more than came `before`."""
    meta, listed = inside(answer, "page_meta"), answer.get(plural)
    if not isinstance(listed, list):
        raise BadAnswer(f"the answer lists no {plural}", service=label)
    total = meta.get("total_count")
    must_list(listed, total if type(total) is int else None, label, before=before)
    rows = [row for row in map(mapping, listed) if row]
    return _Page(rows, total if type(total) is int else 0, bool(meta.get("next")) and bool(rows))


def _check_subject(row: Row, family: _Family, label: str) -> None:
    """ForeignAnswer where the molecule that a row is about, or its parent, is not of the family."""
    stated = line(row.get("parent_molecule_chembl_id")).upper()
    if "molecule_hierarchy" in row:
        stated = parent_id(row)
    must_be_about([stated], [family.parent], label)
    if not stated or family.own is not None:
        must_be_about([molecule_id(row)], family.own or [family.parent], label)


def _stopped(rows: Sequence[Row], total: int, what: str) -> str:
    return f"the service stopped after {len(rows):,} of {total:,} {what}" if len(rows) < total else ""
