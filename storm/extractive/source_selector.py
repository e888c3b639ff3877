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
    """Implements `roles.SourceSelector`: takes the `most` best of the records that answer the question by its rules."""

    def __init__(self, collection: Collection, reader: SharedReader, *, most: int) -> None:
        self._collection = collection
        self._reader = reader
        self._most = most
        self._assigner: RecordAssigner | None = None

    async def select(
        self,
        question: Question,
        found: Sequence[Sequence[str]],
        plan: Plan,
        filed: Container[str] = (),
        others: Sequence[str] = (),
    ) -> Selection:
        """The best records, and why each of the others was left out. Few texts are in memory at a time."""
        reading = _Reading(question, plan, self._assigner_for(plan))
        own = dict.fromkeys(key for keys in found for key in keys)
        more = [key for key in others if key not in own] if _takes_unsearched(question) else []
        for keys, is_own in ((list(own), True), (more, False)):
            async for hits in self._load_hits(keys):
                # In a thread: reading full texts takes seconds, and the job's lease must be renewed meanwhile.
                await asyncio.to_thread(reading.read_records, hits, filed, is_own=is_own)
        ranked = reading.rank(found)
        excluded = reading.excluded | dict.fromkeys(ranked[self._most :], Exclusion.BELOW_CUT)
        return Selection(await self._select_records(ranked[: self._most], question, plan), excluded)

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

    async def _select_records(self, keys: Sequence[str], question: Question, plan: Plan) -> Sequence[SelectedRecord]:
        selected: list[SelectedRecord] = []
        async for hits in self._load_hits(keys):
            for hit in hits.values():
                excerpt = await asyncio.to_thread(best_excerpt, hit, question, plan.names)
                selected.append(SelectedRecord(hit, excerpt))
        return selected


class _Reading:
    """What is kept of the records that were read for one question: what those that answer it are ranked by, and why the
    others do not."""

    def __init__(self, question: Question, plan: Plan, assigner: RecordAssigner) -> None:
        self._question = question
        self._assigner = assigner
        self._weights = weigh_words(question, plan.names, GRAMMAR)
        self._works: dict[str, str] = {}
        self._answering: dict[str, RankedRecord] = {}
        self.excluded: dict[str, Exclusion] = {}

    def read_records(self, hits: Mapping[str, Hit], filed: Container[str], *, is_own: bool) -> None:
        """Read records that were not read before. A question without rules takes only what its own searches found."""
        found_for = [self._question.key] if is_own and not self._question.rules else []
        for key, hit in hits.items():
            self._works[key] = hit.key
            if hit.key in self._answering or hit.key in self.excluded or _is_among(hit, filed):
                continue
            assigned = self._assigner.assign(hit, found_for)
            if self._question.key in assigned.questions:
                self._answering[hit.key] = self._describe_record(assigned)
            elif is_own:  # one that answers only other questions is filed there
                self.excluded[hit.key] = assigned.exclusion or Exclusion.BELOW_CUT

    def rank(self, found: Sequence[Sequence[str]]) -> list[str]:
        """The records that answer the question, best first."""
        rankings = [[self._works[key] for key in keys if key in self._works] for keys in found]
        return rank_records(list(self._answering.values()), rankings, self._weights)

    def _describe_record(self, assigned: AssignedRecord) -> RankedRecord:
        hit = assigned.hit
        abstract = [section.text for section in hit.sections if section.kind is SectionKind.ABSTRACT]
        texts = (hit.title, *(abstract or [section.text for section in hit.sections]))
        terms = [term for text in texts for term in split_terms(text)]
        strength = _rate_strength(assigned, self._question)
        return RankedRecord(hit.key, count_terms(terms, self._weights), strength, hit.year)


def _takes_unsearched(question: Question) -> bool:
    """Whether a record that was found for another question can answer it; otherwise none of them need be read."""
    return bool(question.rules) or question.wants_results or question.takes_relatives


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
