"""Answers without a model: the sentences of the sources that answer best and repeat each other least."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from storm import wording
from storm.citations.conflicts import find_conflicts
from storm.citations.quotes import normalize_text
from storm.citations.verification import verify_statement
from storm.evidence.candidates import Candidate, CandidateReader, SharedReader
from storm.evidence.choice import choose
from storm.evidence.short_terms import explain_terms
from storm.models import Answer, CollectedQuestion, Plan, Question, Source, Statement, Verdict
from storm.syllabus.gaps import source_gaps

#: How many of the best sentences are searched for conflicts: all of some thirty abstracts.
_CONFLICT_POOL = 300


class ExtractiveSynthesizer:
    """Implements `roles.Synthesizer`."""

    def __init__(self, reader: SharedReader | None = None) -> None:
        self._reader = reader or SharedReader()

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        """Statements that are each one sentence of a source, word for word, without its reference marks and with the
        drug of a study group and the meaning of short terms added in square brackets."""
        # In a thread: reading full texts takes seconds, and the job's lease is renewed meanwhile.
        return await asyncio.to_thread(_write_answer, collected, self._reader.for_plan(plan))


def _write_answer(collected: CollectedQuestion, reader: CandidateReader) -> Answer:
    question, sources = collected.question, collected.sources
    found = reader.find(question, sources)
    conflicts = find_conflicts([(_make_statement(one), one.source.hit) for one in found[:_CONFLICT_POOL]])
    in_conflict = {statement.text for conflict in conflicts for statement in conflict.statements}
    quotes = _registered_quotes(collected)
    free = [one for one in found if one.text not in in_conflict]
    quoted = sum(_is_quoted(one, quotes) for one in free)
    chosen = choose(question, sorted(free, key=lambda one: not _is_quoted(one, quotes)), first=quoted)
    silent = len({source.source_id for source in sources} - {one.source.source_id for one in found})
    statements = tuple(map(_make_readable_statement, chosen))
    answer = Answer(question=question.key, statements=statements, conflicts=conflicts)
    return answer.model_copy(update={"gaps": tuple(find_gaps(question, sources, silent, answer))})


def _registered_quotes(collected: CollectedQuestion) -> dict[str, list[str]]:
    """By source, the quotes that were registered for a claim. Excerpts with which a source was merely saved are left
    out: the same ranking chose them, perhaps for another question."""
    titles = {source.source_id: source.hit.title for source in collected.sources}
    return {
        name: [normalize_text(one.quote) for one in found if one.claim != titles.get(name)]
        for name, found in collected.quotes().items()
    }


def _is_quoted(one: Candidate, quotes: dict[str, list[str]]) -> bool:
    """Whether a quote of its source is part of this sentence, or contains it."""
    own = quotes.get(one.source.source_id)
    said = normalize_text(one.passage.text) if own else ""
    return any(quote in said or said in quote for quote in own or ())


def _make_statement(one: Candidate) -> Statement:
    return Statement(
        text=one.text,
        quote=one.passage.text,
        source_ids=(one.source.source_id,),
        verdict=Verdict.SUPPORTED,  # by its own words
        remark=one.remark,
    )


def _make_readable_statement(one: Candidate) -> Statement:
    """The statement with what its groups had and its short terms stand for, as far as that brings no number that its
    source does not have there."""
    made = _make_statement(one)
    if not _is_supported(made, one):
        made = made.model_copy(update={"text": one.passage.shown})
    explained = made.model_copy(update={"text": explain_terms(made.text, one.source.hit)})
    return explained if explained.text != made.text and _is_supported(explained, one) else made


def _is_supported(statement: Statement, one: Candidate) -> bool:
    return verify_statement(statement, {one.source.source_id: one.source.hit}).verdict is Verdict.SUPPORTED


def find_gaps(question: Question, sources: Sequence[Source], silent: int, answer: Answer) -> Iterator[str]:
    """A sentence for each gap of an answer; `silent` sources have no sentence that may be printed."""
    yield from source_gaps(question, sources, answer.answering)
    if sources and not answer.says_something:
        yield wording.NO_SENTENCE
        return
    cited = len({name for statement in answer.all_statements for name in statement.source_ids})
    unused = len(sources) - cited - silent
    if silent or unused:
        without = wording.WITHOUT_SENTENCE.format(number=silent) if silent else ""
        others = wording.UNUSED_SOURCES.format(number=unused) if unused else ""
        yield wording.SILENT_SOURCES.format(number=len(sources), cited=cited, silent=without, others=others)
