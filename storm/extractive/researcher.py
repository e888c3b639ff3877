"""Gathering sources without a model: query templates, ranking, rules, and the tools that an agent would call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.evidence.candidates import CandidateReader, SharedReader
from storm.evidence.exclusion import find_exclusion
from storm.evidence.own_words import answers_by_words
from storm.evidence.passages import read_passages
from storm.extractive.plain_records import select_plain_questions
from storm.models import (
    Coverage,
    Exclusion,
    Hit,
    JobRequest,
    Plan,
    Question,
    Relation,
    RelationKind,
    SearchOutcome,
    SearchQuery,
    SearchStatus,
    Source,
    StopReason,
    Subject,
    Syllabus,
    database_info,
)
from storm.ports import Collection, Journal, Searcher, Toolbox
from storm.ranking import fuse_rankings, rank_for_question
from storm.syllabus.aboutness import subject_of
from storm.syllabus.assignment import assign
from storm.syllabus.coverage import coverage

#: In each round a question gets up to this many times its minimum of sources.
GENEROSITY = 6
#: The same where only what is `plain` is saved: whoever writes reads all of it, and more is hardly cited.
PLAIN_GENEROSITY = 1
#: Records that are read and assigned at once.
_AT_ONCE = 40


class AssignedRecord(NamedTuple):
    """A record, and the questions that it answers, or why it answers none."""

    hit: Hit
    questions: tuple[str, ...]
    exclusion: Exclusion | None = None


class ExtractiveResearcher:
    """Implements `roles.Researcher`: search, rank, assign by rules, save round by round.

    With `plain` it saves only what is plainly about the drug: what a model need not judge."""

    def __init__(
        self,
        searcher: Searcher,
        toolbox: Callable[[Plan], Toolbox],
        collection: Collection,
        journal: Journal,
        reader: SharedReader | None = None,
        *,
        plain: bool = False,
    ) -> None:
        self._searcher = searcher
        self._toolbox = toolbox
        self._collection = collection
        self._journal = journal
        self._reader = reader or SharedReader()
        self._plain = plain

    async def gather(self, request: JobRequest, plan: Plan) -> StopReason:
        """`complete`, or `no_progress` if no found record can fill what is missing."""
        queries = {q.key: list(queries_for(q, plan.searched_names, request.databases)) for q in plan.syllabus.questions}
        found = await self._searcher.search(queries)
        for question in plan.syllabus.questions:
            if not found[question.key]:
                await self._report_unsearched(question)
        rankings = {question: fuse_rankings(lists) for question, lists in found.items()}
        if request.update_of:
            rankings = await self._drop_excluded(rankings)
        records, unsaved = await self._assign_records(rankings, plan)
        if request.update_of:
            records = await self._refile_carried(plan, records)
        waiting = _queue_records(rankings, self._select_records(records, plan))
        unsaved |= _explain_left_over(records.values(), waiting)
        stopped = await self._save_records(plan, waiting, unsaved)
        await self._collection.record_exclusions(unsaved)
        if request.update_of and (await self._read_coverage(plan.syllabus)).ready:
            return StopReason.COMPLETE  # with nothing new, too
        return stopped

    async def _drop_excluded(self, rankings: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """The rankings without records that the job which this one updates did not keep; nothing else excludes any
        before the records are assigned."""
        excluded = await self._collection.exclusions()
        works = await self._collection.find_works([*excluded, *(key for keys in rankings.values() for key in keys)])
        dropped = {works[key] for key in excluded}
        return {question: [key for key in keys if works[key] not in dropped] for question, keys in rankings.items()}

    async def _refile_carried(self, plan: Plan, records: dict[str, AssignedRecord]) -> dict[str, AssignedRecord]:
        """The records without sources that were carried over, which are filed under questions that they answer now."""
        tools = self._toolbox(plan)
        carried = {s.hit.key: s.questions async for s in self._collection.stream() if s.carried}
        for one in {one.hit.key: one for one in records.values() if one.hit.key in carried}.values():
            if more := [key for key in one.questions if key not in carried[one.hit.key]]:
                await self._save_source(
                    tools, one._replace(questions=tuple(more)), plan.syllabus.question(more[0]), plan
                )
        return {key: one for key, one in records.items() if one.hit.key not in carried}

    def _select_records(self, records: Mapping[str, AssignedRecord], plan: Plan) -> Mapping[str, AssignedRecord]:
        """The records to save, under the questions that they answer; with `plain`, that they plainly answer."""
        if not self._plain:
            return records
        return {
            key: one._replace(questions=select_plain_questions(one.hit, one.questions, plan))
            for key, one in records.items()
        }

    async def _save_records(
        self, plan: Plan, waiting: dict[str, list[AssignedRecord]], unsaved: dict[str, Exclusion]
    ) -> StopReason:
        """Save the records that wait, batch by batch, and drop them from the `unsaved`."""
        tools = self._toolbox(plan)
        wanted: Sequence[Question] = plan.syllabus.questions
        while batch := _take_batch(wanted, waiting, PLAIN_GENEROSITY if self._plain else GENEROSITY):
            for question, filed in batch:
                for one in filed:
                    unsaved.pop(one.hit.key, None)
                    await self._save_source(tools, one, question, plan)
            state = await self._read_coverage(plan.syllabus)
            if state.ready:
                return StopReason.COMPLETE
            wanted = [plan.syllabus.question(q.question) for q in state.questions if not q.sufficient]
            if not wanted:  # each question has its sources; only records of other databases help now
                wanted = plan.syllabus.questions
                waiting = {
                    key: [one for one in queue if one.hit.database not in state.databases]
                    for key, queue in waiting.items()
                }
        return StopReason.NO_PROGRESS

    async def _report_unsearched(self, question: Question) -> None:
        """Log a failed search: a question for which nothing was searched must not look as if nothing was found."""
        for place in question.queries:
            outcome = SearchOutcome(
                database=place,
                query=question.label,
                status=SearchStatus.FAILED,
                reason="the question has queries for this database only, and the job does not search it",
            )
            await self._searcher.keep_outcome(outcome, "", question.key)

    async def _read_coverage(self, syllabus: Syllabus) -> Coverage:
        progress = await self._collection.progress()
        return coverage(syllabus, progress.counts, progress.databases, progress.total)

    async def _assign_records(
        self, rankings: Mapping[str, Sequence[str]], plan: Plan
    ) -> tuple[dict[str, AssignedRecord], dict[str, Exclusion]]:
        """The records that answer a question, by the keys of the searches, and why each of the others answers none.

        Few texts are in memory at a time.
        """
        reader = self._reader.for_plan(plan)
        wanted = list(dict.fromkeys(key for ranking in rankings.values() for key in ranking))
        answering: dict[str, AssignedRecord] = {}
        excluded: dict[str, Exclusion] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            hits = await self._find_hits(wanted[start : start + _AT_ONCE])
            # In a thread: reading full texts takes seconds, and the job's lease must be renewed meanwhile.
            records = await asyncio.to_thread(_assign_records, rankings, hits, reader)
            answering |= {key: one for key, one in records.items() if one.questions}
            excluded |= {one.hit.key: one.exclusion for one in records.values() if one.exclusion}
        return answering, excluded

    async def _find_hits(self, keys: Sequence[str]) -> dict[str, Hit]:
        """The hits, merged from all databases, by each key under which a search returned them."""
        found = zip(keys, await self._collection.find_hits(keys), strict=True)
        return {key: hit for key, hit in found if hit is not None}

    async def _save_source(self, tools: Toolbox, filed: AssignedRecord, question: Question, plan: Plan) -> None:
        hit = filed.hit
        excerpt = await asyncio.to_thread(best_excerpt, hit, question, plan.names)
        answer = await tools.save_source(
            hit.database, hit.external_id, hit.url, hit.title, list(filed.questions), key_excerpts=excerpt
        )
        if "error" in answer:
            await self._journal.report("unsaved", f"{hit.key} was not filed: {answer['error']}")


def queries_for(question: Question, names: Sequence[str], databases: Sequence[str]) -> Iterator[SearchQuery]:
    """One query per template: `default` templates for every database, the others for the database they name.

    A question without templates is searched by the words of its label and description.
    """
    templates: Mapping[str, Sequence[str]] = question.queries or {
        "default": (f"{question.label} {question.description}",)
    }
    for place, phrases in templates.items():
        if place != "default" and databases and place not in databases:
            continue
        for phrase in phrases:
            only = tuple(databases) if place == "default" else (place,)
            yield SearchQuery(names=tuple(names), words=tuple(phrase.split()), databases=only)


def assign_record(hit: Hit, reader: CandidateReader, found_for: Sequence[str]) -> AssignedRecord:
    """The questions that a record answers, by their rules; none if it does not name the drug, only mentions it, or
    reports no results (an erratum, a protocol, an editorial).

    A question without rules takes records that its own searches found (`found_for`) and that contain its words. A
    record about a relative of the drug is no evidence of the drug's own effects; it counts for questions that take
    relatives. A trial of another drug against this one is evidence of both.
    """
    plan = reader.plan
    subject = subject_of(hit, plan.names, plan.related_names)
    exclusion = find_exclusion(hit, subject)
    if subject is None or exclusion:
        return AssignedRecord(hit, (), exclusion)
    found = _find_questions(hit, subject, reader, found_for)
    if not found:
        return AssignedRecord(hit, (), Exclusion.NO_QUESTION if hit.text else Exclusion.NO_TEXT)
    if subject.relation is Relation.ITSELF or subject.kind is RelationKind.COMPARATOR:
        return AssignedRecord(hit, tuple(found))
    own = [key for key in found if plan.syllabus.question(key).itself_only]
    kept = [key for key in found if key not in own]
    if own and not any(plan.syllabus.question(key).takes_relatives for key in kept):
        kept += [q.key for q in plan.syllabus.questions if q.takes_relatives][:1]
    return AssignedRecord(hit, tuple(kept), None if kept else Exclusion.ANOTHER_DRUG)


def _find_questions(hit: Hit, subject: Subject, reader: CandidateReader, found_for: Sequence[str]) -> list[str]:
    """The questions that a record about this subject answers, whether or not they take relatives of the drug."""
    plan = reader.plan
    found = [assigned.question for assigned in assign(hit, plan.syllabus, subject.relation, plan.names)]
    searched = (q for q in plan.syllabus.questions if not q.rules and q.key in found_for)
    found += [q.key for q in searched if answers_by_words(hit, q, plan.names)]
    if database_info(hit.database).is_literature:
        source = Source(
            source_id="", number=0, hit=hit, questions=(), relation=subject.relation, relation_kind=subject.kind
        )
        found += [key for key in reader.reported_questions(source) if key not in found]
    return found


def best_excerpt(hit: Hit, question: Question, names: Sequence[str]) -> str | None:
    """The sentence of the record that answers the question best, word for word; None if it has no text."""
    passages = [passage for passage in read_passages(hit) if passage.shown and passage.section.is_prose]
    roles = [passage.section.role for passage in passages]
    ranked = rank_for_question(question, names, [passage.text for passage in passages], roles)
    return ranked[0].text if ranked else None


def _assign_records(
    rankings: Mapping[str, Sequence[str]], hits: Mapping[str, Hit], reader: CandidateReader
) -> dict[str, AssignedRecord]:
    """Each record with its questions, by each key under which a search returned it."""
    found_for = {key: [q for q, ranking in rankings.items() if key in ranking] for key in hits}
    return {key: assign_record(hit, reader, found_for[key]) for key, hit in hits.items()}


def _queue_records(
    rankings: Mapping[str, Sequence[str]], records: Mapping[str, AssignedRecord]
) -> dict[str, list[AssignedRecord]]:
    """For each question, the records of its searches that answer it, best first, each once."""
    waiting = {}
    for question, ranking in rankings.items():
        found = (records[key] for key in ranking if key in records)
        waiting[question] = list({one.hit.key: one for one in found if question in one.questions}.values())
    return waiting


def _explain_left_over(
    records: Iterable[AssignedRecord], waiting: Mapping[str, Sequence[AssignedRecord]]
) -> dict[str, Exclusion]:
    """Why each record that answers a question is no source if it is never saved: one that was not among the records of
    that question's searches is below their cut."""
    queued = {one.hit.key for queue in waiting.values() for one in queue}
    keys = (one.hit.key for one in records)
    return {key: Exclusion.MINIMUM_MET if key in queued else Exclusion.BELOW_CUT for key in keys}


def _take_batch(
    wanted: Sequence[Question], waiting: dict[str, list[AssignedRecord]], generosity: int = GENEROSITY
) -> list[tuple[Question, list[AssignedRecord]]]:
    """Take the records to save next out of `waiting`: for each wanted question a multiple of its minimum."""
    batch = []
    taken: set[str] = set()
    for question in wanted:
        chosen = waiting[question.key][: generosity * question.min_sources]
        batch.append((question, [one for one in chosen if one.hit.key not in taken]))
        taken |= {one.hit.key for one in chosen}
    for key, queue in waiting.items():
        waiting[key] = [one for one in queue if one.hit.key not in taken]
    return [(question, chosen) for question, chosen in batch if chosen]
