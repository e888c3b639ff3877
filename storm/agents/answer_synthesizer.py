"""Writes answers with a model from a question's sources alone; each sentence is tied to a quote of one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from datetime import date

import dspy

from storm import wording
from storm.agents.answer_composer import AnswerComposer, Composition
from storm.agents.judge import SupportJudge
from storm.agents.material import Material, prepare_material
from storm.agents.predictor_calls import count_optimized_characters, run_sync, use_model
from storm.agents.statement_writer import StatementWriter, WrittenStatements
from storm.agents.trace_examples import shorten_trace
from storm.models import Answer, CollectedQuestion, Plan, StatementCounts, Unsupported
from storm.syllabus.gaps import source_gaps

#: Maximum statements of one answer, and characters read of one source.
MAX_STATEMENTS = 12
PER_SOURCE = 12_000
#: Most and fewest characters of records in one prompt; models overlook details in a long one.
_MAX_CHARACTERS, _MIN_CHARACTERS = 72_000, 4_000
#: Tokens of a prompt besides its records, and a low estimate of the characters in a token.
_OTHER_TOKENS, _CHARACTERS_PER_TOKEN = 2_500, 3
#: Default context and reply length of a model, in tokens.
_CONTEXT_TOKENS, _REPLY_TOKENS = 32_000, 4_000


class AnswerSynthesizer(dspy.Module):  # type: ignore[misc]
    """Implements `roles.Synthesizer`; without `lm` it uses the model that DSPy is configured with.

        answer = await AnswerSynthesizer(lm).answer(collected_question, plan)

    Sources that do not fit into one prompt are read in several, and the answer is composed of the resulting statements,
    which no later step rewords. A statement that its source does not support is rewritten once, then removed, or marked
    as unsupported (`unsupported="mark"`), and counted; the gaps say what was not read. `write` and `compose` are
    predictors of an optimised program. As a `dspy.Module` it is called with `collected` and `plan`; an optimiser
    changes its predictors `writer.write` and `composer.compose`, never the judge's.
    """

    def __init__(
        self,
        lm: dspy.LM | None = None,
        *,
        judge: SupportJudge | None = None,
        write: dspy.Predict | None = None,
        compose: dspy.Predict | None = None,
        unsupported: Unsupported = "remove",
        adapter: dspy.Adapter | None = None,
        today: Callable[[], date] = date.today,
        per_source: int = PER_SOURCE,
        most: int = MAX_STATEMENTS,
    ) -> None:
        super().__init__()
        self.writer = StatementWriter(judge, mark=unsupported == "mark", write=write)
        self.composer = AnswerComposer(compose)
        self._lm = lm
        self._adapter = adapter
        self._today = today
        self._per_source = per_source
        self._most = most

    async def answer(self, collected: CollectedQuestion, plan: Plan) -> Answer:
        """At most `most` statements, each with its source and a quote. If no source has a text, no model is called."""
        with use_model(self._lm, self._adapter):
            answer: Answer = (await self.acall(collected=collected, plan=plan)).answer
        return answer

    def forward(self, collected: CollectedQuestion, plan: Plan) -> dspy.Prediction:
        """Synchronous wrapper; DSPy's trace has its calls shortened."""
        roles = {id(self.writer.write): "writer", id(self.composer.compose): "composer"}
        with shorten_trace(roles):
            return run_sync(self.aforward, collected=collected, plan=plan)

    async def aforward(self, collected: CollectedQuestion, plan: Plan) -> dspy.Prediction:
        """A prediction with `answer`."""
        question, sources = collected.question, collected.sources
        room = self._prompt_characters()
        writing, composing = (_trim_demos(one, room) for one in (self.writer.write, self.composer.compose))
        room = max(
            _MIN_CHARACTERS, min(_MAX_CHARACTERS, room - max(map(count_optimized_characters, (writing, composing))))
        )
        material = prepare_material(collected, plan, room=room, per_source=self._per_source)
        written, composition = WrittenStatements(), Composition()
        if material.batches:
            hits = {source.source_id: source.hit for source in sources}
            shared = {"question": question, "plan": plan, "hits": hits, "most": self._most}
            today = self._today().isoformat()
            batches = {"batches": material.batches, "demos": writing.demos}
            written = (await self.writer.acall(**shared, **batches, today=today)).written
            if written.statements:
                chosen_from = {"statements": written.statements, "demos": composing.demos}
                composition = (await self.composer.acall(**shared, **chosen_from, room=room)).composition
        answer = Answer(
            question=question.key,
            statements=(*composition.statements, *written.marked),
            conflicts=composition.conflicts,
            counts=StatementCounts.of(
                supported=len(written.statements) - written.unjudged,
                removed=written.dropped,
                marked=len(written.marked),
                unjudged=written.unjudged,
            ),
            cut_short=bool(written.unread),
            refused=tuple(sorted(written.refused)),
        )
        gaps = (*source_gaps(question, sources, answer.answering), *_describe_gaps(material, written, composition))
        return dspy.Prediction(answer=answer.model_copy(update={"gaps": gaps}))

    def _prompt_characters(self) -> int:
        """Characters that one prompt has for records and demonstrations."""
        lm = self._lm or dspy.settings.lm
        context = getattr(lm, "context", None) or _CONTEXT_TOKENS
        reply = getattr(lm, "reply_tokens", _REPLY_TOKENS)
        return int((context - reply - _OTHER_TOKENS) * _CHARACTERS_PER_TOKEN)


def _trim_demos(predictor: dspy.Predict, room: int) -> dspy.Predict:
    """The predictor with its first demonstrations, as many as leave half of the prompt free."""
    trimmed = copy(predictor)
    trimmed.demos = list(predictor.demos)
    while trimmed.demos and count_optimized_characters(trimmed) > room // 2:
        trimmed.demos.pop()
    return trimmed


def _count_statements(number: int) -> str:
    return f"{number} statement{'s' * (number != 1)}"


def _describe_gaps(material: Material, written: WrittenStatements, composition: Composition) -> Iterator[str]:
    """What the answer leaves open, and which statements and sources are not in it."""
    if material.batches and not (written.statements or written.unread):
        yield wording.NOTHING_WRITTEN
    yield from (wording.OPEN_POINT.format(point=point) for point in composition.open_points)
    if composition.left_out:
        yield wording.LEFT_OUT.format(statements=_count_statements(composition.left_out))
    if material.partly:
        yield wording.PARTLY_READ.format(number=len(material.partly))
    for reason, number in sorted(Counter(reason for _, reason in written.unread).items()):
        yield wording.NOT_READ.format(reason=reason, number=number)
