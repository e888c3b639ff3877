"""Gathering sources without a model: query templates, ranking, rules, and the tools that an agent would call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from storm.evidence.candidates import CandidateReader, SharedReader
from storm.extractive.plain_records import select_plain_questions
from storm.extractive.record_assignment import AssignedRecord, assign_record, best_excerpt, drop_text
from storm.extractive.unsearched import log_unsearched
from storm.models import (
    Coverage,
    Exclusion,
    Hit,
    JobRequest,
    Plan,
    Question,
    SearchQuery,
    StopReason,
    Syllabus,
)
from storm.ports import Collection, Journal, Searcher, Toolbox
from storm.ranking import fuse_rankings
from storm.syllabus.coverage import coverage

#: In each round a question gets up to this many times its minimum of sources.
GENEROSITY = 6
#: The same where only what is `plain` is saved: whoever writes reads all of it, and more is hardly cited.
PLAIN_GENEROSITY = 1
#: Listed patents and exclusivities that are saved beyond that, those that end last first: which of them are in force
#: is known only where all are there.
_MOST_PROTECTIONS = 100
#: Records that are read and assigned at once.
_AT_ONCE = 40


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
                asked = dict.fromkeys(name for query in queries[question.key] for name in query.databases)
                await log_unsearched(self._searcher, question, asked)
        rankings = {question: fuse_rankings(lists) for question, lists in found.items()}
        if request.update_of:
            rankings = await self._drop_excluded(rankings)
        records, unsaved = await self._assign_records(rankings, plan)
        if request.update_of:
            records = await self._refile_carried(plan, records)
        waiting = _queue_records(rankings, records)
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
        carried = {s.hit.key: s.questions async for s in self._collection.iter_sources() if s.carried}
        for one in {one.hit.key: one for one in records.values() if one.hit.key in carried}.values():
            if more := [key for key in one.questions if key not in carried[one.hit.key]]:
                await self._save_source(
                    tools, one._replace(questions=tuple(more)), plan.syllabus.question(more[0]), plan
                )
        return {key: one for key, one in records.items() if one.hit.key not in carried}

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

    async def _read_coverage(self, syllabus: Syllabus) -> Coverage:
        progress = await self._collection.progress()
        return coverage(syllabus, progress.counts, progress.databases, progress.total)

    async def _assign_records(
        self, rankings: Mapping[str, Sequence[str]], plan: Plan
    ) -> tuple[dict[str, AssignedRecord], dict[str, Exclusion]]:
        """The records that answer a question, without their texts, by the keys of the searches, and why each of the
        others answers none.

        Few texts are in memory at a time.
        """
        reader = self._reader.for_plan(plan)
        wanted = list(dict.fromkeys(key for ranking in rankings.values() for key in ranking))
        answering: dict[str, AssignedRecord] = {}
        excluded: dict[str, Exclusion] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            hits = await self._find_hits(wanted[start : start + _AT_ONCE])
            # In a thread: reading full texts takes seconds, and the job's lease must be renewed meanwhile.
            records = await asyncio.to_thread(_assign_records, rankings, hits, reader, plain=self._plain)
            answering |= {key: one for key, one in records.items() if not one.exclusion}
            excluded |= {one.hit.key: one.exclusion for one in records.values() if one.exclusion}
        return answering, excluded

    async def _find_hits(self, keys: Sequence[str]) -> dict[str, Hit]:
        """The hits, merged from all databases, by each key under which a search returned them."""
        found = zip(keys, await self._collection.find_hits(keys), strict=True)
        return {key: hit for key, hit in found if hit is not None}

    async def _save_source(self, tools: Toolbox, filed: AssignedRecord, question: Question, plan: Plan) -> None:
        (whole,) = await self._collection.find_hits([filed.hit.key])
        hit = whole or filed.hit
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
    for database, phrases in templates.items():
        if database != "default" and databases and database not in databases:
            continue
        for phrase in phrases:
            only = tuple(databases) if database == "default" else (database,)
            yield SearchQuery(names=tuple(names), words=tuple(phrase.split()), databases=only)


def _assign_records(
    rankings: Mapping[str, Sequence[str]], hits: Mapping[str, Hit], reader: CandidateReader, *, plain: bool
) -> dict[str, AssignedRecord]:
    """Each record with its questions, with `plain` those that it plainly answers, by each key under which a search
    returned it; without its text."""
    found_for = {key: [q for q, ranking in rankings.items() if key in ranking] for key in hits}
    assigned = {key: assign_record(hit, reader, found_for[key]) for key, hit in hits.items()}
    if plain:
        assigned = {
            key: one._replace(questions=select_plain_questions(one.hit, one.questions, reader.plan))
            for key, one in assigned.items()
        }
    return {key: drop_text(one) for key, one in assigned.items()}


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
    """Why each record that answers a question does not become a source if it is never saved: one that was not among
    the records of that question's searches is below their cut."""
    queued = {one.hit.key for queue in waiting.values() for one in queue}
    keys = (one.hit.key for one in records)
    return {key: Exclusion.MINIMUM_MET if key in queued else Exclusion.BELOW_CUT for key in keys}


def _take_batch(
    wanted: Sequence[Question], waiting: dict[str, list[AssignedRecord]], generosity: int = GENEROSITY
) -> list[tuple[Question, list[AssignedRecord]]]:
    """Take the records to save next out of `waiting`: for each wanted question a multiple of its minimum, and what is
    listed with an expiry date if the question asks for what holds on a day."""
    batch = []
    taken: set[str] = set()
    for question in wanted:
        most = generosity * question.min_sources
        chosen, others = waiting[question.key][:most], waiting[question.key][most:]
        if question.dated:
            listed = [one for one in others if one.hit.facts.last_day]
            chosen += sorted(listed, key=lambda one: one.hit.facts.last_day, reverse=True)[:_MOST_PROTECTIONS]
        batch.append((question, [one for one in chosen if one.hit.key not in taken]))
        taken |= {one.hit.key for one in chosen}
    for key, queue in waiting.items():
        waiting[key] = [one for one in queue if one.hit.key not in taken]
    return [(question, chosen) for question, chosen in batch if chosen]
