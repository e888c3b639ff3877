"""The plan without a model: the configured syllabus, and the meaning of the drug's name by drug databases' records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Any

from storm import wording
from storm.databases.identity.known_names import NO_NAMES, Breadth, BroadName, KnownNames
from storm.databases.identity.resolution import drugs_named_after, resolve_drug
from storm.databases.identity.substance_names import strip_salt
from storm.errors import Code, DrugNotIdentified, NothingSearched, UsageError
from storm.models import DATABASES, DrugIdentity, Hit, JobRequest, Plan, SearchQuery, SearchStatus
from storm.models.search import NAMES
from storm.ports import Collection, Searcher

#: Databases that say what a name means: ChEMBL and openFDA; in a corpus also the Orange and Purple Books.
IDENTITY_DATABASES = tuple(sorted(info.name for info in DATABASES if info.names_drugs))

#: At most this many of the drugs that a name may mean are listed.
_MOST_EXAMPLES = 6

#: Seconds to wait for the first answer of a job: from the drug databases alone, then from all databases.
ALONE, TOGETHER = 1.0, 2.0
#: Symbols of genes and proteins: "HER2", "PD-L1", "EGFR", "IL-6".
_TARGET = re.compile(r"[A-Z]{2,5}-?[A-Z]?\d{0,2}[A-Z]?")


class ExtractivePlanner:
    """Implements `roles.Planner`. With `needs_answer` it makes no plan unless a database answers. `known_names` are
    names that no database can resolve."""

    def __init__(
        self,
        searcher: Searcher,
        collection: Collection,
        alone: float = ALONE,
        together: float = TOGETHER,
        *,
        needs_answer: bool = False,
        known_names: KnownNames = NO_NAMES,
    ) -> None:
        self._searcher = searcher
        self._collection = collection
        self._alone = alone
        self._together = together
        self._needs_answer = needs_answer
        self._known = known_names

    async def plan(self, request: JobRequest) -> Plan:
        """The given names, then those that records of the same drug list; DrugNotIdentified if the name may mean
        several drugs.

        A brand's records name its substance, which is then looked up too, with and without its salt. NothingSearched
        if an answer is needed and no database gives one within three seconds.
        """
        if request.syllabus is None:
            raise UsageError("there are no questions to cover", hint="name a syllabus, or a planner that makes them")
        broad = self._known.breadth_of(request.text)
        if broad and broad.breadth is Breadth.NO_DRUG:
            raise _not_a_drug_error(request.text)
        full_name = self._known.full_name(request.text)
        asked = tuple(dict.fromkeys((request.text, full_name, *request.also)))
        hits = await (self._find_records_in_time if self._needs_answer else self._find_records)(request, asked)
        identity = _resolve_identity(request, full_name, hits)
        substances = dict.fromkeys((identity.inn, strip_salt(identity.inn)) if identity.inn else ())
        known = [name.casefold() for name in asked]
        if unknown := tuple(name for name in substances if name.casefold() not in known):
            hits += await self._find_records(request, unknown)
            identity = _resolve_identity(request, full_name, hits)
        if identity.is_ambiguous or (request.meaning and not _is_meant(identity, request.meaning)):
            raise _ambiguity_error(identity, request.meaning)
        short_names = self._known.short_names_of(full_name, identity.inn or "")
        spellings = self._known.spellings_of(*dict.fromkeys((*asked, *substances)))
        return Plan(
            names=_drop_repeats((*asked, *identity.names, *short_names, *spellings)),
            syllabus=request.syllabus,
            identity=identity,
            notes=(
                *(() if request.meaning else _write_notes(request.text, full_name, broad, hits)),
                *(() if broad else _find_misnomers(request, full_name, identity, hits)),
            ),
        )

    async def _find_records_in_time(self, request: JobRequest, names: tuple[str, ...]) -> list[Hit]:
        """The records of these names. If the drug databases fail or are slow, every database is searched for the names;
        NothingSearched if none answers in time."""
        answered = asyncio.create_task(self._searcher.wait_for_answer())
        searches: list[asyncio.Future[Any]] = [asyncio.create_task(self._find_records(request, names))]
        try:
            await asyncio.wait((answered, *searches), timeout=self._alone, return_when=asyncio.FIRST_COMPLETED)
            if self._nobody_answered():
                query = SearchQuery(names=names, databases=request.databases)
                searches.append(asyncio.create_task(self._searcher.search({NAMES: [query]})))
                both = asyncio.gather(*searches)
                searches.append(both)
                await asyncio.wait((answered, both), timeout=self._together, return_when=asyncio.FIRST_COMPLETED)
                if both.done():
                    both.result()
                if self._nobody_answered():
                    reasons = {record.database: record.reason for record in self._searcher.latest_searches()}
                    raise NothingSearched(reasons, f"no answer within {self._alone + self._together:g} s")
            return list(await searches[0])
        finally:
            for task in (answered, *searches):
                task.cancel()
            await asyncio.gather(answered, *searches, return_exceptions=True)

    def _nobody_answered(self) -> bool:
        return all(record.status is SearchStatus.FAILED for record in self._searcher.latest_searches())

    async def _find_records(self, request: JobRequest, names: tuple[str, ...]) -> list[Hit]:
        wanted = tuple(name for name in IDENTITY_DATABASES if not request.databases or name in request.databases)
        if not wanted:
            return []
        found = await self._searcher.search({NAMES: [SearchQuery(names=names, databases=wanted)]})
        hits = await self._collection.find_hits(list(dict.fromkeys(key for keys in found[NAMES] for key in keys)))
        return [hit for hit in hits if hit is not None]


def _resolve_identity(request: JobRequest, full_name: str, hits: Sequence[Hit]) -> DrugIdentity:
    """What the name means; if no record has a short name, what its full name means."""
    identity = resolve_drug(request.text, hits, request.meaning or None)
    if identity.inn or identity.candidates or full_name == request.text:
        return identity
    return resolve_drug(full_name, hits, request.meaning or None)


def _drop_repeats(listed: Sequence[str]) -> tuple[str, ...]:
    first = {name.casefold(): name for name in reversed(listed)}
    return tuple(first[key] for key in dict.fromkeys(name.casefold() for name in listed))


def _write_notes(asked: str, full_name: str, broad: BroadName | None, hits: Sequence[Hit]) -> Iterator[str]:
    """Notes on how an abbreviated or ambiguous name was read."""
    if full_name != asked:
        yield wording.SHORT_NAME.format(asked=asked, meant=full_name)
    examples = ", ".join((broad.examples if broad else ()) or drugs_named_after(asked, hits)[:_MOST_EXAMPLES])
    if broad and broad.breadth is Breadth.DRUG_CLASS:
        members = wording.CLASS_MEMBERS.format(examples=examples) if examples else ""
        yield wording.DRUG_CLASS.format(asked=asked, examples=members)
    elif examples:
        yield wording.SEVERAL_SUBSTANCES.format(asked=asked, examples=examples)


def _find_misnomers(request: JobRequest, full_name: str, identity: DrugIdentity, hits: Sequence[Hit]) -> Iterator[str]:
    """What was asked for under a name that is another drug's, or that is written like a target's and known as none."""
    if not identity.inn and not identity.candidates and _TARGET.fullmatch(full_name):
        yield wording.PERHAPS_A_TARGET.format(asked=request.text)
    for also in request.also if identity.inn else ():
        other = resolve_drug(also, hits)
        if other.inn and other.chembl != identity.chembl and other.inn.casefold() != str(identity.inn).casefold():
            yield wording.ALSO_ANOTHER_DRUG.format(also=also, inn=other.inn, drug=request.text)


def _is_meant(identity: DrugIdentity, meaning: str) -> bool:
    """Whether the resolved drug is the one that the user chose, by generic name or ChEMBL id."""
    joined = (name for one in identity.joined for name in (one.name, one.chembl))
    names = (identity.inn, *identity.generics, identity.chembl, *joined)
    return meaning.casefold() in {name.casefold() for name in names if name}


def _not_a_drug_error(asked: str) -> DrugNotIdentified:
    return DrugNotIdentified(
        f"{asked} is no drug: every trial that uses it as a control names it",
        hint="name the drug that it was compared with",
        code=Code.NO_DRUG,
    )


def _ambiguity_error(identity: DrugIdentity, meaning: str) -> DrugNotIdentified:
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
