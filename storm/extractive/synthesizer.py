"""Answers without a model: the sentences of the sources that answer best and differ from each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from storm.citations.conflicts import find_conflicts
from storm.citations.markers import strip_marks
from storm.models import Answer, Plan, Question, Relation, Retraction, Source, Statement
from storm.ranking import Scored, count_cues, rank_sentences, select_diverse, split_sentences

MAX_STATEMENTS = 8
#: Who is heard first: (reporting cues a sentence holds at least, statements of one source at most). What one paper
#: fills is no synthesis, and a sentence that announces a result is worth less than one that reports it.
_TIERS = ((2, 1), (1, 1), (2, 2), (1, 2), (1, 3), (0, 3))
#: Characters of a sentence that can stand on its own.
_LENGTHS = range(30, 600)
#: A sentence that opens so needs the one before it.
_LEANING = re.compile(
    r"(it|its|they|their|these|this|those|that|he|she|both|such|however|moreover|furthermore|thus|therefore|here|also|"
    r"then|there|in contrast|in addition|similarly|conversely|the (latter|former|other|same|combination))\b",
    re.I,
)


class _Candidate(NamedTuple):
    source: Source
    sentence: str


class ExtractiveSynthesizer:
    """Implements `roles.Synthesizer`."""

    async def answer(self, question: Question, plan: Plan, sources: Sequence[Source]) -> Answer:
        """At most eight statements, each one sentence of a source word for word, its own reference marks removed."""
        candidates = list(_candidates(sources))
        ranked = rank_sentences([c.sentence for c in candidates], question.asked_for, plan.names, question.cues)
        chosen = _chosen(ranked, candidates, question)
        statements = tuple(_statement(candidates[scored.index]) for scored in chosen)
        hits = {source.source_id: source.hit for source in sources}
        return Answer(
            question=question.key,
            statements=statements,
            conflicts=find_conflicts([(s, hits[s.source_ids[0]]) for s in statements]),
            gaps=tuple(_gaps(question, sources, statements)),
        )


def _candidates(sources: Sequence[Source]) -> Iterator[_Candidate]:
    """Whole sentences that can be read alone, sources by number."""
    for source in sources:
        for span in split_sentences(source.hit.text):
            shown = strip_marks(span.text)
            if len(shown) in _LENGTHS and span.text[-1] in ".!?" and not _LEANING.match(shown):
                yield _Candidate(source, span.text)


def _chosen(ranked: Sequence[Scored], candidates: Sequence[_Candidate], question: Question) -> list[Scored]:
    """The best sentences that differ from each other, tier by tier; the same words in two sources count once."""
    chosen: list[Scored] = []
    for cues, per_source in _TIERS:
        used = Counter(candidates[scored.index].source.source_id for scored in chosen)
        said = {strip_marks(scored.text).casefold() for scored in chosen}
        tier = []
        for scored in ranked:
            source_id = candidates[scored.index].source.source_id
            shown = strip_marks(scored.text).casefold()
            plain = count_cues(scored.text, question.cues) >= cues
            if plain and used[source_id] < per_source and shown not in said:
                used[source_id] += 1
                said.add(shown)
                tier.append(scored)
        chosen += select_diverse(tier, MAX_STATEMENTS - len(chosen))
    return chosen


def _statement(candidate: _Candidate) -> Statement:
    return Statement(
        text=strip_marks(candidate.sentence), quote=candidate.sentence, source_ids=(candidate.source.source_id,)
    )


def _gaps(question: Question, sources: Sequence[Source], statements: Sequence[Statement]) -> Iterator[str]:
    if len(sources) < question.min_sources:
        yield f"{len(sources)} of {question.min_sources} sources that this question needs were found."
    if sources and not statements:
        yield "The sources name the drug, but no sentence of theirs answers the question by itself."
    silent = sum(not source.hit.text.strip() for source in sources)
    if silent:
        yield f"{silent} of its sources have no text here, only a title."
    if question.itself_only and sources and all(source.relation is not Relation.ITSELF for source in sources):
        yield "All of its sources are about a relative of the drug."
    retracted = sum(source.hit.retraction is Retraction.RETRACTED for source in sources)
    if retracted:
        yield f"{retracted} of its sources are retracted."
