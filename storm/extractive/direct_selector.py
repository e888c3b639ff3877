"""Selects records for the items on a question itself: those that have most of its words."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping, Sequence

from storm.citations.terms import stem_words
from storm.evidence.exclusion import find_exclusion
from storm.evidence.narrowing import may_answer
from storm.evidence.strength import evidence_of
from storm.extractive.checklist_items import asks_number_of_people, is_direct, list_specific
from storm.extractive.record_assignment import best_excerpt
from storm.models import Evidence, Exclusion, Hit, Plan, Question
from storm.ports import Collection
from storm.ranking import fuse_rankings
from storm.roles import SelectedRecord, Selection, SourceSelector
from storm.syllabus.aboutness import subject_of

#: Records that report no results of studies.
NO_RESULTS = (Evidence.REGULATORY, Evidence.PATENT, Evidence.NOTICE)
#: Records that are read for a question, and that are filed under it.
_MOST_READ, _MOST_FILED = 24, 10
#: A record has this share of the question's specific words.
_SHARE = 0.5


class DirectSelector:
    """Implements `roles.SourceSelector` for the items on the question itself; `others` selects for all others."""

    def __init__(self, others: SourceSelector, collection: Collection) -> None:
        self._others = others
        self._collection = collection

    async def select(
        self,
        questions: Sequence[Question],
        found: Mapping[str, Sequence[Sequence[str]]],
        plan: Plan,
        filed: Mapping[str, Container[str]],
    ) -> Mapping[str, Selection]:
        """For an item on the question itself, the records with most of its words, in the order of the searches."""
        rest = [question for question in questions if not is_direct(question)]
        selected = dict(await self._others.select(rest, found, plan, filed)) if rest else {}
        reader = _RecordReader(plan)
        shared = [ranking for question in questions if is_direct(question) for ranking in found[question.key]]
        for question in questions:
            if is_direct(question):
                ranked = dict.fromkeys((*fuse_rankings(found[question.key]), *fuse_rankings(shared)))
                keys = [key for key in ranked if key not in filed.get(question.key, ())]
                hits = await self._collection.find_hits(keys[:_MOST_READ])
                read = _order_for_question(question, list({hit.key: hit for hit in hits if hit}.values()))
                # In a thread: reading full texts takes a while, and the job's lease must be renewed meanwhile.
                selected[question.key] = await asyncio.to_thread(reader.select, question, read)
        return {question.key: selected[question.key] for question in questions}


def _order_for_question(question: Question, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The records in their order; for a question on an effect, papers before labels and other records."""
    if question.takes_facts:
        return hits
    return sorted(hits, key=lambda hit: evidence_of(hit) in NO_RESULTS)


class _RecordReader:
    """Reads each record once for all items, which have the same words."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._read: dict[tuple[str, tuple[str, ...], bool], SelectedRecord | Exclusion] = {}

    def select(self, question: Question, hits: Sequence[Hit]) -> Selection:
        """The first records that answer the question, and why the others are left out."""
        records: list[SelectedRecord] = []
        excluded: dict[str, Exclusion] = {}
        for hit in hits:
            key = (hit.key, question.focus, asks_number_of_people(question))
            if key not in self._read:
                self._read[key] = self._read_record(hit, question)
            match self._read[key]:
                case Exclusion() as reason:
                    excluded[hit.key] = reason
                case record if len(records) < _MOST_FILED:
                    records.append(record)
                case _:
                    excluded[hit.key] = Exclusion.BELOW_CUT
        return Selection(records, excluded)

    def _read_record(self, hit: Hit, question: Question) -> SelectedRecord | Exclusion:
        names = self._plan.names
        reason = find_exclusion(hit, subject_of(hit, names, self._plan.related_names))
        if reason and not (reason is Exclusion.MENTIONED and asks_number_of_people(question)):
            return reason
        is_narrow = self._plan.identity is not None and bool(question.about)
        own = names if self._plan.identity else ()
        if not ((is_narrow or _has_words(hit, question, own)) and may_answer(hit, question)):
            return Exclusion.NO_QUESTION if hit.text else Exclusion.NO_TEXT
        return SelectedRecord(hit.model_copy(update={"sections": ()}), best_excerpt(hit, question, names))


def _has_words(hit: Hit, question: Question, own: Sequence[str]) -> bool:
    """Whether a record has enough of the words that name what the question is about; about a drug, whose own names do
    not count, at least one word that it asks with."""
    said, named = stem_words((hit.title, *hit.texts)), stem_words(own)
    wanted, beside = stem_words(list_specific(question.focus)) - named, stem_words(question.focus) - named
    is_asked = not (own and beside) or not beside.isdisjoint(said)
    return is_asked and len(wanted & said) >= _SHARE * len(wanted)
