"""Takes over, for an update, the sources of the job whose dossier is brought up to date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import timedelta
from typing import NamedTuple

from storm.citations import locate_quote
from storm.models import (
    Answer,
    Citation,
    Dossier,
    DraftCitation,
    Exclusion,
    Hit,
    Job,
    Plan,
    QuoteCheck,
    Retraction,
    Saved,
    SearchQuery,
    SearchRecord,
    Source,
    Subject,
)
from storm.models.changes import CarriedSources
from storm.models.database import REGISTERS, Holds, database_info
from storm.models.record_changes import compare_records
from storm.models.search import LOOK_UPS
from storm.ports import Collection, Journal, Searcher

#: Records enter a database after the day that they bear, and its answers may be a little older than they look.
OVERLAP = timedelta(days=7)
#: Records that are compared at once.
_AT_ONCE = 40


class PreviousJob(NamedTuple):
    """The finished job that is updated; it is only read. `searched_since` is, by database, the day from which on a
    search by date misses nothing; databases that must be searched whole are left out."""

    job: Job
    plan: Plan
    dossier: Dossier
    answers: Sequence[Answer]
    searches: Sequence[SearchRecord]
    collection: Collection
    searched_since: Mapping[str, str]


def find_covered_days(searches: Sequence[SearchRecord], before: Mapping[str, str]) -> dict[str, str]:
    """By database, the day (ISO) since which new records must be searched for; without one, it must be searched whole.

    A database with a failed search goes on from where the job `before` it got.
    """
    days: dict[str, str] = dict(before)
    for name in dict.fromkeys(search.database for search in _drop_look_ups(searches)):
        own = [search for search in _drop_look_ups(searches) if search.database == name]
        if not any(search.has_failed for search in own):
            days[name] = f"{min(search.answered or search.at for search in own) - OVERLAP:%Y-%m-%d}"
    return days


class SourceCarrier:
    """Carries the sources of the `previous` job over, after its searches were repeated for what is new. With
    `rechecked`, the job asks again whether works were retracted."""

    def __init__(
        self,
        previous: PreviousJob,
        searcher: Searcher,
        collection: Collection,
        journal: Journal,
        *,
        rechecked: bool,
    ) -> None:
        self.previous = previous
        self._searcher = searcher
        self._collection = collection
        self._journal = journal
        self._rechecked = rechecked

    async def search_again(self, queries: Mapping[str, Sequence[SearchQuery]]) -> None:
        """Search for records that were entered or changed since, or whole where a database cannot be searched so."""
        await self._searcher.search(queries)

    async def carry_sources(self) -> CarriedSources:
        """Save the previous sources here, under their questions and with their citations, and record why others were
        not kept. A source is gone only if each database that returned it was searched alike, and completely, without
        returning it."""
        searches = _drop_look_ups(await self._journal.searches())
        ids: dict[str, str] = {}
        gone: list[str] = []
        identifiers: set[str] = set()
        async for source in self.previous.collection.iter_sources():
            identifiers.update(source.hit.identifiers)
            seen = await self._collection.find_hit(source.hit.identifiers)
            if seen is None and self._is_gone(source.hit, searches):
                gone.append(source.source_id)
                continue
            saved = await self._carry_source(source)
            ids |= dict.fromkeys((source.source_id, *source.aliases), saved.source_id)
        await self._carry_exclusions(searches, identifiers)
        return CarriedSources(ids=ids, gone=tuple(gone))

    def _is_gone(self, hit: Hit, searches: Sequence[SearchRecord]) -> bool:
        returned = {(s.database, s.query) for s in _find_returning(hit, self.previous.searches)}
        complete = {(s.database, s.query) for s in searches if _is_complete(s)}
        places = {database for database, _ in returned}
        return bool(places) and places == {database for database, _ in returned & complete}

    async def _carry_source(self, source: Source) -> Saved:
        (records,) = await self.previous.collection.find_records([source.hit.key])
        await self._collection.record_hits([self._forget_check(record, source) for record in records], carried=True)
        hit = await self._collection.find_hit(source.hit.identifiers) or source.hit
        cited = await self.previous.collection.find_citations(source.citation_ids)
        first, *others = [*_list_drafts(cited, hit), DraftCitation(hit.title, hit.title, True, hit.url)]
        subject = Subject(source.relation, source.relation_kind)
        saved = await self._collection.save(hit, source.questions, first, subject, source.note, carried=True)
        for draft in others[:-1]:
            await self._collection.register(hit, draft)
        return saved

    def _forget_check(self, record: Hit, source: Source) -> Hit:
        """The record as one that was not checked for a retraction, so that it is checked again by the DOI of its work;
        without one nobody can be asked but its own database."""
        can_ask = self._rechecked and any(name.startswith("doi:") for name in source.hit.identifiers)
        if not can_ask or record.retraction is not Retraction.NOT_RETRACTED:
            return record
        return record.model_copy(update={"retraction": Retraction.NOT_CHECKED})

    async def _carry_exclusions(self, searches: Sequence[SearchRecord], sources: Set[str]) -> None:
        """Record why records were not kept before, so that none of them counts as new; but for those that changed."""
        reasons = dict(await self.previous.collection.exclusions())
        before = {key for search in _drop_look_ups(self.previous.searches) for key in search.hits}
        found_before = set((await self.previous.collection.find_works(sorted(before))).values())
        found = sorted({key for search in searches for key in search.hits})
        for start in range(0, len(found), _AT_ONCE):
            keys = found[start : start + _AT_ONCE]
            old = await self.previous.collection.find_hits(keys)
            for was, now in zip(old, await self._collection.find_hits(keys), strict=True):
                if was is None or now is None or not sources.isdisjoint(was.identifiers):
                    continue
                if compare_records(was, now):
                    reasons.pop(was.key, None)
                elif was.key in found_before:
                    reasons.setdefault(was.key, Exclusion.UNRECORDED)
        await self._collection.record_exclusions(reasons)


def _find_returning(hit: Hit, searches: Sequence[SearchRecord]) -> list[SearchRecord]:
    """The searches for records that returned this one."""
    identifiers = set(hit.identifiers)
    return [search for search in _drop_look_ups(searches) if not identifiers.isdisjoint(search.hits)]


def _is_complete(search: SearchRecord) -> bool:
    """Whether it returned all records that match, and nothing was remarked on it; an engine for the web never does."""
    is_web = database_info(search.database).holds is Holds.PAGES
    return not (search.has_failed or search.reason or is_web) and len(search.hits) >= search.total


def _drop_look_ups(searches: Sequence[SearchRecord]) -> list[SearchRecord]:
    """The searches for records."""
    return [s for s in searches if s.question not in LOOK_UPS and s.database not in REGISTERS]


def _list_drafts(citations: Sequence[Citation], hit: Hit) -> Iterator[DraftCitation]:
    """The citations that were made while gathering, again; a verified quote must still stand in the record."""
    for one in citations:
        place = locate_quote(one.quote, hit)
        verified = one.quote_check is QuoteCheck.VERIFIED
        if not one.answer_to and (place or not verified):
            check = {QuoteCheck.VERIFIED: True, QuoteCheck.NOT_FOUND: False}.get(one.quote_check)
            section = place.section if place else ""
            yield DraftCitation(one.claim, one.quote, check, one.context, one.metadata, section=section)
