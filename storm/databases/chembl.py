"""ChEMBL: the molecule that a name means, its salts, and what is known of its mechanism, indications and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from storm.databases.answers import Found, all_of, json_object, not_applicable, outcome_of, unread_note
from storm.databases.formats.chembl import (
    MoleculeTables,
    Row,
    all_names,
    folded_name,
    molecule_id,
    parent_id,
    read_molecule,
)
from storm.databases.formats.fields import inside, mapping, members
from storm.databases.public import PublicDatabase
from storm.databases.query_text import bare_words, name_phrases
from storm.errors import BadAnswer, QueryRejected, RecordError, ServiceDown
from storm.models import Hit, SearchOutcome, SearchQuery

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
    """The rows of one table that were read, and what is missing from them."""

    name: str
    rows: Sequence[Row]
    note: str = ""


class Chembl(PublicDatabase):
    """One Hit a molecule, its salts with it.

    The service's free-text search gives neighbours, so a molecule counts only if a name of the query is one of its own
    names, or its id. Words are not searched: a molecule's record holds all that ChEMBL tells of it.
    """

    name = "chembl"
    example_id = "CHEMBL1201585"
    reads_words = False

    async def search(self, query: SearchQuery, limit: int) -> SearchOutcome:
        """The molecules of these names; every failure is an outcome."""
        if query.since or query.until:
            return not_applicable(self.name, query, "its records carry no date, and the search is for a span of time")
        return await outcome_of(self.name, query, self._find(query, limit))

    async def fetch(self, external_id: str) -> Hit | None:
        """The molecule of that ChEMBL id (of a salt, its parent), or None; ServiceError if it could not be asked."""
        number = external_id.strip().upper()
        if not (number.isascii() and number.startswith("CHEMBL") and number[6:].isdecimal()):
            raise self.no_id(external_id)
        try:
            molecule = await self._molecule(number)
        except QueryRejected as exc:
            if exc.status == 404:
                return None
            raise
        found = await self._described(parent_id(molecule), {number: molecule})
        if found.notes or not found.hits:
            raise ServiceDown("; ".join(found.notes), service=self._service.label)
        return found.hits[0]

    async def _find(self, query: SearchQuery, limit: int) -> Found:
        names = [name for name in query.names if bare_words(name)]
        name_phrases(query, self._service.label)
        rows, failed = await all_of([self._named(name) for name in names])
        molecules = {molecule_id(row): row for found in rows for row in found}
        if molecules.pop("", None):
            failed += unread_note([RecordError("a molecule without its ChEMBL id")])
        parents = list(dict.fromkeys(map(parent_id, molecules.values())))
        if not parents:
            return Found(notes=failed)
        founds, missing = await all_of([self._described(parent, molecules) for parent in parents[:limit]])
        notes = [*failed, *missing, *(note for found in founds for note in found.notes)]
        return Found([hit for found in founds for hit in found.hits], len(parents), notes)

    async def _named(self, name: str) -> list[Row]:
        """The molecules that are called so, out of those that the service finds near."""
        params: dict[str, str | int] = {"q": bare_words(name), "limit": _NEIGHBOURS}

        def rows(body: bytes) -> list[Row]:
            return _listed(json_object(body, self._service.label), "molecules", self._service.label)

        answer = await self._http.ask(self._service, "molecule/search.json", params, read=rows)
        return [row for row in answer.value if folded_name(name) in all_names(row)]

    async def _molecule(self, number: str) -> Row:
        def molecule(body: bytes) -> Row:
            found = json_object(body, self._service.label)
            if molecule_id(found) != number:
                raise BadAnswer(f"another molecule came where {number} was asked for", service=self._service.label)
            return found

        found: Row = (await self._http.ask(self._service, f"molecule/{number}.json", read=molecule)).value
        return found

    async def _described(self, parent: str, known: dict[str, Row]) -> Found:
        """The Hit of a molecule; a table that could not be read is missing from it, and a note says so."""
        done, notes = await all_of([self._table(name, field, parent) for name, field in _TABLES.items()])
        tables = {table.name: table.rows for table in done}
        notes += [table.note for table in done if table.note]
        family = {molecule_id(row): row for row in tables.get("molecule", [])}
        molecule = known.get(parent) or family.get(parent) or await self._molecule(parent)
        salts = [row for number, row in family.items() if number != parent]
        hit = read_molecule(molecule, MoleculeTables(salts, *(tables.get(name, []) for name in list(_TABLES)[1:])))
        if isinstance(hit, RecordError):
            return Found(notes=unread_note([hit]))
        return Found([hit], 1, [f"incomplete for {parent}: {note}" for note in notes])

    async def _table(self, name: str, field: str, parent: str) -> _Table:
        """The rows of a table that belong to a molecule or its salts."""
        rows: list[Row] = []
        before: list[Row] = []

        def listed(body: bytes) -> tuple[Row, list[Row]]:
            answer = json_object(body, self._service.label)
            return answer, _listed(answer, f"{name}s", self._service.label)

        for _ in range(_MAX_PAGES):
            params: dict[str, str | int] = {field: parent, "limit": _PAGE_SIZE, "offset": len(rows)}
            answer, page = (await self._http.ask(self._service, f"{name}.json", params, read=listed)).value
            if page and page == before:
                return _Table(name, rows, "the service repeats a page")
            rows += page
            before = page
            if not page or not inside(answer, "page_meta").get("next"):
                return _Table(name, rows)
        return _Table(name, rows, f"more than {len(rows):,} rows of {name}")


def _listed(answer: Row, plural: str, label: str) -> list[Row]:
    """The rows of an answer; BadAnswer where it has no such list."""
    if not isinstance(answer.get(plural), list):
        raise BadAnswer(f"the answer lists no {plural}", service=label)
    return [row for row in map(mapping, members(answer[plural])) if row]
