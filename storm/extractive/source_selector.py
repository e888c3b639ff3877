"""Selecting the records that answer a question, without a model: by rules, ranked by search, words, design and date."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Container, Mapping, Sequence

from storm.citations.vocabulary import GRAMMAR
from storm.evidence.candidates import SharedReader
from storm.evidence.score import is_official, rate_source
from storm.extractive.record_assignment import AssignedRecord, RecordAssigner, best_excerpt
from storm.models import Exclusion, Hit, Plan, Question, SectionKind, Source
from storm.models.relation import STUDIED
from storm.ports import Collection
from storm.ranking import RankedRecord, count_terms, rank_records, split_terms, weigh_words
from storm.roles import SelectedRecord, Selection

#: Records whose texts are in memory at once.
_AT_ONCE = 40
#: The best score of a source's evidence.
_BEST_SCORE = 100


class RuleSelector:
    """Implements `roles.SourceSelector`: takes for each question the `most` best of the records that answer it by its
    rules."""

    def __init__(self, collection: Collection, reader: SharedReader, *, most: int) -> None:
        self._collection = collection
        self._reader = reader
        self._most = most
        self._assigner: RecordAssigner | None = None

    async def select(
        self,
        questions: Sequence[Question],
        found: Mapping[str, Sequence[Sequence[str]]],
        plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:
        """The best records for each question. Each record is read once, few texts are in memory at a time."""
        assigner = self._assigner_for(plan)
        readings = [_Reading(q, plan, found[q.key], filed.get(q.key, ())) for q in questions]
        keys = dict.fromkeys(key for reading in readings for key in reading.own)
        async for hits in self._load_hits(list(keys)):
            # In a thread: reading full texts takes seconds, and the job's lease must be renewed meanwhile.
            await asyncio.to_thread(_read_records, hits, readings, assigner)
        ranked = {reading.question.key: reading.rank() for reading in readings}
        best = {key: records[: self._most] for key, records in ranked.items()}
        excerpts = await self._quote_records(questions, best, plan)
        return {
            reading.question.key: Selection(
                [excerpts[reading.question.key, key] for key in best[reading.question.key]],
                reading.excluded | dict.fromkeys(ranked[reading.question.key][self._most :], Exclusion.BELOW_CUT),
            )
            for reading in readings
        }

    def _assigner_for(self, plan: Plan) -> RecordAssigner:
        reader = self._reader.for_plan(plan)
        if self._assigner is None or self._assigner.reader is not reader:
            self._assigner = RecordAssigner(reader)
        return self._assigner

    async def _load_hits(self, keys: Sequence[str]) -> AsyncIterator[Mapping[str, Hit]]:
        """The records by each key under which a search found them, batch by batch."""
        for start in range(0, len(keys), _AT_ONCE):
            batch = keys[start : start + _AT_ONCE]
            found = zip(batch, await self._collection.find_hits(batch), strict=True)
            yield {key: hit for key, hit in found if hit is not None}

    async def _quote_records(
        self, questions: Sequence[Question], best: Mapping[str, Sequence[str]], plan: Plan
    ) -> Mapping[tuple[str, str], SelectedRecord]:
        """The best records of each question, without their texts, with their best excerpts."""
        quoted: dict[tuple[str, str], SelectedRecord] = {}
        async for hits in self._load_hits(list(dict.fromkeys(key for keys in best.values() for key in keys))):
            for question in questions:
                for key in hits.keys() & best[question.key]:
                    excerpt = await asyncio.to_thread(best_excerpt, hits[key], question, plan.names)
                    bare = hits[key].model_copy(update={"sections": ()})
                    quoted[question.key, key] = SelectedRecord(bare, excerpt)
        return quoted


def _read_records(hits: Mapping[str, Hit], readings: Sequence[_Reading], assigner: RecordAssigner) -> None:
    """Read each record once for all questions. One without rules takes only what its own searches found."""
    for key, hit in hits.items():
        found_for = [one.question.key for one in readings if key in one.own and not one.question.rules]
        assigned = assigner.assign(hit, found_for)
        for reading in readings:
            reading.add_record(key, assigned)


class _Reading:
    """What is kept of the records that were read for one question: what those that answer it are ranked by, and why the
    others do not."""

    def __init__(self, question: Question, plan: Plan, found: Sequence[Sequence[str]], filed: Container[str]) -> None:
        self.question = question
        self.own = dict.fromkeys(key for keys in found for key in keys)
        self.excluded: dict[str, Exclusion] = {}
        self._found = found
        self._filed = filed
        self._weights = weigh_words(question, plan.names, GRAMMAR)
        self._works: dict[str, str] = {}
        self._answering: dict[str, RankedRecord] = {}

    def add_record(self, key: str, assigned: AssignedRecord) -> None:
        """Take the record if it answers the question; one that answers only others is excluded where the searches of
        this one found it."""
        hit = assigned.hit
        self._works[key] = hit.key
        if hit.key in self._answering or hit.key in self.excluded or _is_among(hit, self._filed):
            return
        if self.question.key in assigned.questions:
            self._answering[hit.key] = self._describe_record(assigned)
        elif key in self.own:
            self.excluded[hit.key] = assigned.exclusion or Exclusion.BELOW_CUT

    def rank(self) -> list[str]:
        """The records that answer the question, best first."""
        rankings = [[self._works[key] for key in keys if key in self._works] for keys in self._found]
        return rank_records(list(self._answering.values()), rankings, self._weights)

    def _describe_record(self, assigned: AssignedRecord) -> RankedRecord:
        hit = assigned.hit
        abstract = [section.text for section in hit.sections if section.kind is SectionKind.ABSTRACT]
        texts = (hit.title, *(abstract or [section.text for section in hit.sections]))
        terms = [term for text in texts for term in split_terms(text)]
        strength = _rate_strength(assigned, self.question)
        return RankedRecord(hit.key, count_terms(terms, self._weights), strength, hit.year)


def _rate_strength(assigned: AssignedRecord, question: Question) -> float:
    """The strength of its evidence, from 0 to 1: of its study, or for dated questions whether it is an official record.
    Established facts are not stronger in a trial than elsewhere."""
    hit, subject = assigned.hit, assigned.subject or STUDIED
    if question.dated:
        return float(is_official(hit))
    if question.takes_facts:
        return 0.0
    source = Source(
        source_id="", number=0, hit=hit, questions=(), relation=subject.relation, relation_kind=subject.kind
    )
    return rate_source(source).score / _BEST_SCORE


def _is_among(hit: Hit, keys: Container[str]) -> bool:
    return any(identifier in keys for identifier in hit.identifiers)
