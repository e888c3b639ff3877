"""Answers without a model: the sentences of the sources that answer best and differ from each other."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from storm import wording
from storm.citations.conflicts import find_conflicts
from storm.citations.markers import strip_marks
from storm.citations.quotes import normalize
from storm.models import Answer, CollectedQuestion, Plan, Question, Source, Statement, Verdict
from storm.ranking import Scored, count_cues, rank_sentences, select_diverse, split_sentences, terms
from storm.syllabus.gaps import source_gaps
from storm.syllabus.relation import names_first

MAX_STATEMENTS = 8
#: Who is heard first: (reporting cues a sentence holds at least, statements of one source at most). What one paper
#: fills is no synthesis, and a sentence that announces a result is worth less than one that reports it.
_TIERS = ((2, 1), (1, 1), (2, 2), (1, 2), (1, 3), (0, 3))
#: The best so many sentences are looked through for conflicts: all of some thirty abstracts.
_CONFLICT_POOL = 300
#: Characters of a sentence that can stand on its own.
_LENGTHS = range(30, 600)
#: A sentence that opens so, or speaks so, needs the one before it.
_LEANING = re.compile(
    r"((by|in) contrast|before that|in this|of these|it|its|they|their|these|this|those|that|he|she|both|such|however|"
    r"moreover|furthermore|thus|therefore|here|also|then|there|in addition|similarly|conversely|"
    r"the (latter|former|other|same|combination))\b"
    r"|.*\b((was|were) then|also|these (results|findings|reductions|effects|patients|rates|trials)|the findings)\b",
    re.I,
)


class _Candidate(NamedTuple):
    source: Source
    sentence: str


class _Ranked(NamedTuple):
    """A sentence in its place: the reporting cues it holds, the words that will be shown, whether it is of the drug,
    and whether it was quoted while gathering."""

    scored: Scored
    candidate: _Candidate
    cues: int
    shown: str
    own: bool
    quoted: bool

    @property
    def source_id(self) -> str:
        return self.candidate.source.source_id


class ExtractiveSynthesizer:
    """Implements `roles.Synthesizer`."""

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        """At most eight statements, each one sentence of a source word for word, its own reference marks removed."""
        # In a thread: ranking full texts takes seconds, and the job's lease is renewed meanwhile.
        return await asyncio.to_thread(_answer, collected, plan)


def _answer(collected: CollectedQuestion, plan: Plan) -> Answer:
    question, sources = collected.question, collected.sources
    ranked = _ranked(collected, plan)
    pool = ranked[:_CONFLICT_POOL]
    conflicts = find_conflicts([(_statement(r.candidate), r.candidate.source.hit) for r in pool])
    in_conflict = {statement.text for conflict in conflicts for statement in conflict.statements}
    free = [r for r in ranked if r.shown not in in_conflict]
    chosen = _chosen([r for r in free if r.own], [])
    chosen = _chosen(free, chosen)
    return Answer(
        question=question.key,
        statements=tuple(_statement(r.candidate) for r in chosen),
        conflicts=conflicts,
        gaps=tuple(_gaps(question, sources, answered=bool(chosen or conflicts))),
    )


def _ranked(collected: CollectedQuestion, plan: Plan) -> list[_Ranked]:
    """The sentences that speak of what is asked, best first: they hold a reporting cue, or a word of the question."""
    question = collected.question
    candidates = list(_candidates(collected.sources))
    quotes = _registered(collected)
    focus = {term for phrase in question.asked_for for term in terms(phrase)}
    ranked = []
    sentences = [candidate.sentence for candidate in candidates]
    for scored in rank_sentences(sentences, question.asked_for, plan.names, question.cues, question.places):
        candidate = candidates[scored.index]
        cues = count_cues(scored.text, question.cues, question.places)
        if scored.score > 0 and (cues or focus.intersection(terms(scored.text))):
            own = not question.itself_only or names_first(scored.text, plan.names)
            quoted = _is_quoted(scored.text, quotes.get(candidate.source.source_id, ()))
            ranked.append(_Ranked(scored, candidate, cues, strip_marks(scored.text), own, quoted))
    return ranked


def _registered(collected: CollectedQuestion) -> dict[str, list[str]]:
    """By source the quotes that were registered for a claim. An excerpt that a source was merely saved with was chosen
    by the same ranking, perhaps for another question: it would only stand in the way of better sentences."""
    titles = {source.source_id: source.hit.title for source in collected.sources}
    return {
        name: [normalize(one.quote) for one in found if one.claim != titles.get(name)]
        for name, found in collected.quotes().items()
    }


def _is_quoted(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether one of the quotes is of this sentence, or holds all of it."""
    if not quotes:
        return False
    said = normalize(sentence)
    return any(quote in said or said in quote for quote in quotes)


def _candidates(sources: Sequence[Source]) -> Iterator[_Candidate]:
    """Whole sentences that can be read alone, sources by number."""
    for source in sources:
        for span in split_sentences(source.hit.text):
            shown = strip_marks(span.text)
            if len(shown) in _LENGTHS and span.text[-1] in ".!?" and not _LEANING.match(shown) and not shown.isupper():
                yield _Candidate(source, span.text)


def _chosen(ranked: Sequence[_Ranked], before: Sequence[_Ranked]) -> list[_Ranked]:
    """Those before, then the best sentences that differ from each other, tier by tier, in each those first that were
    quoted while gathering; the same words count once."""
    chosen = list(before)
    for (cues, per_source), quoted in product(_TIERS, (True, False)):
        used = Counter(r.source_id for r in chosen)
        said = {r.shown.casefold() for r in chosen}
        tier: dict[int, _Ranked] = {}
        for r in ranked:
            fits = r.quoted >= quoted and r.cues >= cues
            if fits and used[r.source_id] < per_source and r.shown.casefold() not in said:
                used[r.source_id] += 1
                said.add(r.shown.casefold())
                tier[r.scored.index] = r
        best = select_diverse([r.scored for r in tier.values()], MAX_STATEMENTS - len(chosen))
        chosen += [tier[scored.index] for scored in best]
        if len(chosen) == MAX_STATEMENTS:
            break
    return chosen


def _statement(candidate: _Candidate) -> Statement:
    return Statement(
        text=strip_marks(candidate.sentence),
        quote=candidate.sentence,
        source_ids=(candidate.source.source_id,),
        verdict=Verdict.SUPPORTED,  # by its own words
    )


def _gaps(question: Question, sources: Sequence[Source], *, answered: bool) -> Iterator[str]:
    yield from source_gaps(question, sources)
    if sources and not answered:
        yield wording.NO_SENTENCE
