"""ChEMBL: a name's molecule, its salts, mechanisms, indications and warnings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Sequence
from typing import NamedTuple

from storm.databases.formats.chembl import (
    MoleculeTables,
    Row,
    fold_all_names,
    fold_name,
    molecule_id,
    parent_id,
    read_molecule,
)
from storm.databases.formats.fields import as_mapping, mapping_at, text_line
from storm.databases.services.answers import (
    FoundRecords,
    gather_all,
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

#: Search results examined for the molecule of a name; the service lists exact matches first.
_NEIGHBOURS = 50
_PAGE_SIZE = 1000
#: No drug has as many rows in a table; a service that returns further pages is not followed.
_MAX_PAGES = 5


#: The tables about a molecule, in the order of `MoleculeTables`, with the field of the parent molecule's id.
_TABLES = {
    "molecule": "molecule_hierarchy__parent_chembl_id",
    "mechanism": "parent_molecule_chembl_id",
    "drug_indication": "parent_molecule_chembl_id",
    "drug_warning": "parent_molecule_chembl_id",
}


class _Table(NamedTuple):
    """The rows of one table, a note about missing rows, and a remark."""

    name: str
    rows: Sequence[Row]
    note: str = ""
    remark: str = ""


class _Family(NamedTuple):
    """A molecule's id and, if known, all ids of it and its salts."""

    parent: str
    own: Collection[str] | None = None


class _Page(NamedTuple):
    """The rows of an answer, the total, and whether another page follows."""

    rows: list[Row]
    total: int
    more: bool


class Chembl(PublicDatabase):
    """One Hit per molecule, including its salts.

    The service's free-text search is fuzzy, so a molecule counts only if a name of the query is one of its names or its
    id. Required words are matched against the molecule's record, which holds all of ChEMBL's data on it; words that
    only rank are not searched.
    """

    info = database_info("chembl")
    example_id = "CHEMBL1201585"
    reads_words = False
    needs_name = True
    searches_required = False

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """The molecules with these names; a failure is an outcome, not an exception."""
        if query.since or query.until:
            return not_applicable(self.name, query, "its records have no dates, and the search has a date range")
        return await super().search(query, limit)

    async def fetch(self, external_id: str) -> Hit | None:
        """The molecule of that ChEMBL id (of a salt, its parent), or None; ServiceError if ChEMBL fails."""
        number = external_id.strip().upper()
        if not (number.isascii() and number.startswith("CHEMBL") and number[6:].isdecimal()):
            raise self.invalid_id_error(external_id)
        molecule = await self._fetch_molecule(number)
        if molecule is None:
            return None
        found = await self._describe_molecule(parent_id(molecule), {number: molecule})
        if found.notes or not found.hits:
            raise ServiceDown("; ".join(found.notes), service=self.service.label)
        return found.hits[0]

    async def _find_hits(self, query: SearchQuery, limit: int) -> FoundRecords:
        names = [name for name in query.names if bare_words(name)]
        name_phrases(query, self.service.label)
        near, failed = await gather_all([self._find_molecules(name) for name in names])
        failed += [found.note for found in near if found.note]
        remarks = [found.remark for found in near if found.remark]
        molecules = {molecule_id(row): row for found in near for row in found.rows}
        if molecules.pop("", None):
            failed += unread_note([RecordError("a molecule without its ChEMBL id")])
        parents = list(dict.fromkeys(map(parent_id, molecules.values())))
        if not parents:
            return FoundRecords(notes=failed, remarks=remarks)
        founds, missing = await gather_all([self._describe_molecule(parent, molecules) for parent in parents[:limit]])
        notes = [*failed, *missing, *(note for found in founds for note in found.notes)]
        return FoundRecords([hit for found in founds for hit in found.hits], len(parents), notes, remarks)

    async def _find_molecules(self, name: str) -> _Table:
        """The molecules with exactly this name among the service's fuzzy matches."""
        page = await self._fetch_page(
            "molecule/search.json", "molecules", {"q": bare_words(name), "limit": _NEIGHBOURS}
        )
        named = [row for row in page.rows if fold_name(name) in fold_all_names(row)]
        remark = (
            "" if named or not page.more else f"none of the first {len(page.rows)} matches for {name!r} has that name"
        )
        return _Table(
            "molecule", named, "" if page.more else _shortfall_note(page.rows, page.total, "molecules"), remark
        )

    async def _fetch_page(
        self,
        path: str,
        plural: str,
        params: dict[str, str | int],
        before: int = 0,
        family: _Family | None = None,
    ) -> _Page:
        """One page of rows, after `before` earlier ones; ForeignAnswer if a row is not about the family."""

        def read_rows(body: bytes) -> _Page:
            page = _parse_page(json_object(body, self.service.label), plural, self.service.label, before)
            if family:
                for row in page.rows:
                    _check_subject(row, family, self.service.label)
            return page

        page: _Page = (await self._http.fetch_answer(self.service, path, params, read=read_rows)).value
        return page

    async def _fetch_molecule(self, number: str) -> Row | None:
        """The molecule's own record; None if ChEMBL also lists none of that id: a 404 alone proves nothing."""

        def check_molecule(body: bytes) -> Row:
            found = json_object(body, self.service.label)
            must_be_about([molecule_id(found) or "another molecule"], [number], self.service.label)
            return found

        try:
            found: Row = (
                await self._http.fetch_answer(self.service, f"molecule/{number}.json", read=check_molecule)
            ).value
        except QueryRejected as exc:
            listed: dict[str, str | int] = {"molecule_chembl_id": number, "limit": 1}
            if exc.status != 404 or (await self._fetch_page("molecule.json", "molecules", listed)).rows:
                raise
            return None
        return found

    async def _describe_molecule(self, parent: str, known: dict[str, Row]) -> FoundRecords:
        """The Hit of a molecule; an unreadable table is missing from it, and a note says so.

        Raises ForeignAnswer if a table has rows of another molecule.
        """
        numbers = [number for number, row in known.items() if parent_id(row) == parent]
        molecules = asyncio.ensure_future(self._fetch_table("molecule", _Family(parent)))
        others = [self._fetch_checked_table(name, parent, numbers, molecules) for name in list(_TABLES)[1:]]
        done, notes = await gather_all([molecules, *others], fatal=(ForeignAnswer,))
        tables = {table.name: table.rows for table in done}
        notes += [table.note for table in done if table.note]
        family = {molecule_id(row): row for row in tables.get("molecule", [])}
        molecule = known.get(parent) or family.get(parent) or await self._fetch_molecule(parent)
        if molecule is None:
            raise BadAnswer(f"it has no record of {parent}, which it names as a parent", service=self.service.label)
        salts = [row for number, row in family.items() if number != parent]
        hit = read_molecule(molecule, MoleculeTables(salts, *(tables.get(name, []) for name in list(_TABLES)[1:])))
        if isinstance(hit, RecordError):
            return FoundRecords(notes=unread_note([hit]))
        return FoundRecords([hit], 1, [f"incomplete for {parent}: {note}" for note in notes])

    async def _fetch_checked_table(
        self, name: str, parent: str, numbers: Sequence[str], molecules: Awaitable[_Table]
    ) -> _Table:
        """The rows of a table, checked against the ids of the molecule and its salts if these are available."""
        try:
            table = await molecules
        except ServiceError:
            return await self._fetch_table(name, _Family(parent))
        own = None if table.note else frozenset({parent, *numbers, *map(molecule_id, table.rows)})
        return await self._fetch_table(name, _Family(parent, own))

    async def _fetch_table(self, name: str, family: _Family) -> _Table:
        """The rows of a table that belong to a molecule or its salts."""
        rows: list[Row] = []
        before: list[Row] = []
        for _ in range(_MAX_PAGES):
            params: dict[str, str | int] = {_TABLES[name]: family.parent, "limit": _PAGE_SIZE, "offset": len(rows)}
            page = await self._fetch_page(f"{name}.json", f"{name}s", params, len(rows), family)
            if page.rows and page.rows == before:
                return _Table(name, rows, "the service repeats a page")
            rows += page.rows
            before = page.rows
            if not page.more:
                return _Table(name, rows, _shortfall_note(rows, page.total, f"rows of {name}"))
        return _Table(name, rows, f"more than {len(rows):,} rows of {name}")


def _parse_page(answer: Row, plural: str, label: str, before: int) -> _Page:
    """The rows of an answer; BadAnswer if it has no list, or an empty one though more rows exist than came `before`."""
    meta, listed = mapping_at(answer, "page_meta"), answer.get(plural)
    if not isinstance(listed, list):
        raise BadAnswer(f"the answer lists no {plural}", service=label)
    total = meta.get("total_count")
    must_list(listed, total if type(total) is int else None, label, before=before)
    rows = [row for row in map(as_mapping, listed) if row]
    return _Page(rows, total if type(total) is int else 0, bool(meta.get("next")) and bool(rows))


def _check_subject(row: Row, family: _Family, label: str) -> None:
    """Raise ForeignAnswer if the molecule of a row, or its parent, is not of the family."""
    stated = text_line(row.get("parent_molecule_chembl_id")).upper()
    if "molecule_hierarchy" in row:
        stated = parent_id(row)
    must_be_about([stated], [family.parent], label)
    if not stated or family.own is not None:
        must_be_about([molecule_id(row)], family.own or [family.parent], label)


def _shortfall_note(rows: Sequence[Row], total: int, what: str) -> str:
    return f"the service stopped after {len(rows):,} of {total:,} {what}" if len(rows) < total else ""
