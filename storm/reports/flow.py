"""Counts how the records that a job found became the reports that its dossier cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType

from storm.models import (
    Dossier,
    Exclusion,
    FlowCounts,
    RecordFlow,
    Reference,
    SearchLine,
    SearchRecord,
    SearchStatus,
    Source,
)
from storm.models.database import REGISTERS, database_info, database_rank
from storm.models.flow import PreviousFlow
from storm.models.search import LOOK_UPS, WEB
from storm.reports.studies import papers_by_trial


def count_flow(
    searches: Sequence[SearchRecord],
    sources: Sequence[Source],
    references: Sequence[Reference],
    exclusions: Mapping[str, Exclusion],
    works: Mapping[str, str],
    *,
    titles: Mapping[str, str] = MappingProxyType({}),
    refused: Set[str] = frozenset(),
    before: Dossier | None = None,
    ids: Mapping[str, str] = MappingProxyType({}),
) -> RecordFlow:
    """The flow of a job's records; `works` are the keys of the works that found identifiers belong to, `titles` those
    of works that were not saved, `refused` the ids of the sources of removed statements. In an update of the dossier
    `before`, sources that were carried over are not new ones; `ids` are their ids here by those there.

    A work belongs to the best-ranked database that returned it, to the web only if no database did; each other hit of
    it is a duplicate. A source that no search returned was found by a look-up or read as a page.
    """
    counted = [search for search in searches if _is_counted(search)]
    hits = Counter({search.database: 0 for search in counted})
    hits.update(search.database for search in counted for _ in search.hits)
    owners = _find_owners(counted, works)
    reasons = {works.get(key, key): reason for key, reason in exclusions.items()}
    saved = {source.hit.key: source for source in sources}
    cited = {reference.source_id for reference in references}
    why_not = {work: _why_not_kept(saved.get(work), reasons.get(work), cited, refused) for work in sorted(owners)}
    not_kept = {work: reason for work, reason in why_not.items() if reason}
    titled = {**titles, **{work: source.hit.title for work, source in saved.items()}}
    titles = {work: titled[work] for work in not_kept if work in titled}
    duplicates = _find_duplicates({key for search in counted for key in search.hits}, works)
    titles |= {key: titled[work] for key, work in duplicates.items() if work in titled}
    counts: dict[str, list[FlowCounts]] = {name: [] for name in sorted(hits, key=_place_rank)}
    for work, owner in owners.items():
        counts[owner].append(_count_work(saved.pop(work, None), why_not[work]))
    found = {name: _add_duplicates(own, hits[name]) for name, own in counts.items()}
    others = _count_look_ups([source for source in saved.values() if not source.carried], cited, refused)
    if WEB in found:
        others = {**others, WEB: FlowCounts.add_up((found.pop(WEB), others.get(WEB, FlowCounts())))}
    carried = {source.source_id for source in sources if source.carried}
    studies = _list_studies(references)
    new = sum(carried.isdisjoint(paper.source_id for paper in study) for study in studies)
    previous = _count_previous(before, {ids.get(r.source_id, "") for r in before.references}, cited & carried,
                               len(studies)) if before else None  # fmt: skip
    return RecordFlow(databases=found, others=others, studies=new, previous=previous, not_kept=not_kept,
                      not_kept_titles=titles, duplicates=dict(sorted(duplicates.items())))  # fmt: skip


def _list_studies(references: Iterable[Reference]) -> list[list[Reference]]:
    return papers_by_trial(one for one in references if database_info(one.source_type).is_literature)


def _count_previous(before: Dossier, included_then: Set[str], included: Set[str], total_studies: int) -> PreviousFlow:
    """The previous version, by the ids here of the sources that it included, and of those of its sources that are
    included now."""
    reports = len(before.references)
    return PreviousFlow(
        job_id=before.job_id,
        studies=before.flow.total_studies if before.flow else len(_list_studies(before.references)),
        reports=reports,
        no_longer=reports - len(included & included_then),
        now_cited=len(included - included_then),
        total_studies=total_studies,
    )


def _is_counted(search: SearchRecord) -> bool:
    """Whether the search looked for records, and was answered."""
    return is_for_records(search) and (bool(search.hits) or search.status is not SearchStatus.FAILED)


def is_for_records(search: SearchRecord | SearchLine) -> bool:
    """Whether it was to find records, and in a database that is searched for such."""
    return not is_look_up(search) and search.status is not SearchStatus.NOT_APPLICABLE


def is_look_up(search: SearchRecord | SearchLine) -> bool:
    """Whether it looked up what is known of names or sources, and did not search for records."""
    return search.question in LOOK_UPS or search.database in REGISTERS


def _place_rank(database: str) -> tuple[bool, int, str]:
    return database == WEB, database_rank(database), database


def _find_owners(searches: Iterable[SearchRecord], works: Mapping[str, str]) -> dict[str, str]:
    """The database that each found work is counted under."""
    owners: dict[str, str] = {}
    for search in searches:
        for work in (works.get(key, key) for key in search.hits):
            owners[work] = min(owners.get(work, search.database), search.database, key=_place_rank)
    return owners


def _find_duplicates(found: Set[str], works: Mapping[str, str]) -> dict[str, str]:
    """The found identifiers under which a work was found besides another one, with the key of the work."""
    first: dict[str, str] = {}
    for key in sorted(found, key=lambda key: (key != works.get(key, key), key)):
        first.setdefault(works.get(key, key), key)
    return {key: works[key] for key in found if works.get(key, key) != key and first[works[key]] != key}


def _why_not_kept(
    source: Source | None, reason: Exclusion | None, cited: Set[str], refused: Set[str]
) -> Exclusion | None:
    """Why a found record is not cited; None if it is, or was known before."""
    if source is None:
        return reason or Exclusion.UNRECORDED
    if source.carried or source.source_id in cited:
        return None
    if not source.hit.text:
        return Exclusion.NO_TEXT
    return Exclusion.REFUSED if source.source_id in refused else Exclusion.NOT_CITED


def _count_work(source: Source | None, reason: Exclusion | None) -> FlowCounts:
    """The counts of one work, which is a source, or was not kept for this reason."""
    if source is not None and source.carried:
        return FlowCounts(identified=1, known_before=1)
    reasons = {reason: 1} if reason else {}
    if source is None and reason and reason.is_automatic:
        return FlowCounts(identified=1, automatic=1, reasons=reasons)
    if source is None:
        return FlowCounts(identified=1, screened=1, excluded=1, reasons=reasons)
    counts = {"identified": 1, "screened": 1, "sought": 1}
    if reason is None:
        return FlowCounts(**counts, assessed=1, included=1)
    if reason is Exclusion.NO_TEXT:
        return FlowCounts(**counts, not_retrieved=1)
    return FlowCounts(**counts, assessed=1, not_included=1, reasons=reasons)


def _add_duplicates(works: Sequence[FlowCounts], hits: int) -> FlowCounts:
    """The counts of a database's works, whose other hits are duplicates."""
    duplicates = hits - len(works)
    return FlowCounts.add_up((*works, FlowCounts(identified=duplicates, duplicates=duplicates)))


def _count_look_ups(sources: Iterable[Source], cited: Set[str], refused: Set[str]) -> dict[str, FlowCounts]:
    """The counts of sources that no search for records returned, by the database that describes them."""
    counts: dict[str, list[FlowCounts]] = {}
    for source in sorted(sources, key=lambda source: _place_rank(source.hit.database)):
        counts.setdefault(source.hit.database, []).append(
            _count_work(source, _why_not_kept(source, None, cited, refused))
        )
    return {name: FlowCounts.add_up(own) for name, own in counts.items()}
