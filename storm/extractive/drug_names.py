"""What a drug's name means: the records that list it, the substance that they state, and all its names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from storm.databases.identity.known_names import NO_NAMES, KnownNames
from storm.databases.identity.resolution import resolve_drug
from storm.databases.identity.substance_names import strip_salt
from storm.errors import Code, DrugNotIdentified, NothingSearched
from storm.models import DATABASES, DrugIdentity, Hit, SearchQuery, SearchStatus
from storm.models.search import NAMES
from storm.ports import Collection, Searcher

#: Databases that say what a name means: ChEMBL and openFDA; in a corpus also the Orange and Purple Books.
IDENTITY_DATABASES = tuple(sorted(info.name for info in DATABASES if info.names_drugs))

#: Seconds to wait for the first answer of a job: from the drug databases alone, then from all databases.
ALONE, TOGETHER = 1.0, 2.0


class NamedDrug(NamedTuple):
    """A name as asked, its full name, the records that list it or its substance, what it means, and all its names."""

    asked: str
    full_name: str
    hits: Sequence[Hit]
    identity: DrugIdentity
    names: tuple[str, ...]


class DrugNames:
    """Looks up names in the databases of drugs. `known` are names that no database can resolve."""

    def __init__(
        self,
        searcher: Searcher,
        collection: Collection,
        known: KnownNames = NO_NAMES,
        alone: float = ALONE,
        together: float = TOGETHER,
    ) -> None:
        self._searcher = searcher
        self._collection = collection
        self._known = known
        self._alone = alone
        self._together = together

    async def resolve(
        self,
        asked: str,
        also: Sequence[str] = (),
        meaning: str = "",
        databases: Sequence[str] = (),
        *,
        in_time: bool = False,
    ) -> NamedDrug:
        """The drug of that name.

        A brand's records name its substance, which is then looked up too, with and without its salt. NothingSearched
        if an answer is needed `in_time` and no database gives one in time.
        """
        full_name = self._known.full_name(asked)
        given = tuple(dict.fromkeys((asked, full_name, *also)))
        hits = list(await (self.find_records_in_time if in_time else self.find_records)((given,), databases))
        identity = resolve_name(asked, full_name, meaning, hits)
        substances = dict.fromkeys((identity.inn, strip_salt(identity.inn)) if identity.inn else ())
        known = [name.casefold() for name in given]
        if unknown := tuple(name for name in substances if name.casefold() not in known):
            hits += await self.find_records((unknown,), databases)
            identity = resolve_name(asked, full_name, meaning, hits)
        short_names = self._known.short_names_of(full_name, identity.inn or "")
        spellings = self._known.spellings_of(*dict.fromkeys((*given, *substances)))
        names = drop_repeats((*given, *identity.names, *short_names, *spellings))
        return NamedDrug(asked, full_name, hits, identity, names)

    async def find_records(self, groups: Sequence[tuple[str, ...]], databases: Sequence[str] = ()) -> Sequence[Hit]:
        """The records of drugs that list one of the names; the names of a group are searched for together."""
        wanted = tuple(name for name in IDENTITY_DATABASES if not databases or name in databases)
        if not wanted or not groups:
            return []
        queries = [SearchQuery(names=group, databases=wanted) for group in groups]
        found = await self._searcher.search({NAMES: queries})
        hits = await self._collection.find_hits(list(dict.fromkeys(key for keys in found[NAMES] for key in keys)))
        return [hit for hit in hits if hit is not None]

    async def find_records_in_time(
        self, groups: Sequence[tuple[str, ...]], databases: Sequence[str] = ()
    ) -> Sequence[Hit]:
        """The records of these names. If the drug databases fail or are slow, every database is searched for the names;
        NothingSearched if none answers in time."""
        searches: list[asyncio.Future[Any]] = [asyncio.create_task(self.find_records(groups, databases))]
        try:
            await self._await_answer(self._alone, *searches)
            if self._nobody_answered():
                queries = [SearchQuery(names=group, databases=tuple(databases)) for group in groups]
                searches.append(asyncio.create_task(self._searcher.search({NAMES: queries})))
                both = asyncio.gather(*searches)
                searches.append(both)
                await self._await_answer(self._together, both)
                if both.done():
                    both.result()
                if self._nobody_answered():
                    reasons = {record.database: record.reason for record in self._searcher.latest_searches()}
                    raise NothingSearched(reasons, f"no answer within {self._alone + self._together:g} s")
            return list(await searches[0])
        finally:
            for task in searches:
                task.cancel()
            await asyncio.gather(*searches, return_exceptions=True)

    async def _await_answer(self, seconds: float, *searches: asyncio.Future[Any]) -> None:
        """Wait until a database has answered, has had so many seconds, or all of these have ended."""
        answered = asyncio.create_task(self._searcher.wait_for_answer(seconds))
        try:
            await asyncio.wait((answered, *searches), return_when=asyncio.FIRST_COMPLETED)
        finally:
            answered.cancel()
            await asyncio.gather(answered, return_exceptions=True)

    def _nobody_answered(self) -> bool:
        return all(record.status is SearchStatus.FAILED for record in self._searcher.latest_searches())


def resolve_name(asked: str, full_name: str, meaning: str, hits: Sequence[Hit]) -> DrugIdentity:
    """What the name means; if no record has a short name, what its full name means."""
    identity = resolve_drug(asked, hits, meaning or None)
    if identity.inn or identity.candidates or full_name == asked:
        return identity
    return resolve_drug(full_name, hits, meaning or None)


def is_meant(identity: DrugIdentity, meaning: str) -> bool:
    """Whether the resolved drug is the one that the user chose, by generic name or ChEMBL id."""
    joined = (name for one in identity.joined for name in (one.name, one.chembl))
    names = (identity.inn, *identity.generics, identity.chembl, *joined)
    return meaning.casefold() in {name.casefold() for name in names if name}


def make_ambiguity_error(identity: DrugIdentity, meaning: str) -> DrugNotIdentified:
    """The error that the name may mean several drugs, or not the one that the user means."""
    drugs = "; ".join(f"{one.name} ({one.chembl})" if one.chembl else one.name for one in identity.candidates)
    if not identity.candidates:
        known = f"; it is a name of {identity.inn} ({identity.chembl})" if identity.inn else ""
        return DrugNotIdentified(
            f"no searched database has a drug {meaning} by the name {identity.asked}{known}",
            hint="leave `meaning` out, or see which databases could not be searched",
            code=Code.DRUG_NOT_MEANT,
        )
    choice = identity.candidates[0].chembl or identity.candidates[0].name
    return DrugNotIdentified(
        f"{identity.asked} is a name of several drugs: {drugs}",
        hint=f"choose one, for example: meaning={choice!r}",
        code=Code.DRUG_AMBIGUOUS,
        choice=choice,
    )


def drop_repeats(listed: Sequence[str]) -> tuple[str, ...]:
    """Each name once, regardless of case, as it is first written."""
    first = {name.casefold(): name for name in reversed(listed)}
    return tuple(first[key] for key in dict.fromkeys(name.casefold() for name in listed))
