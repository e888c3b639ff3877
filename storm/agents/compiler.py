"""Compiles a report with a model: it plans headings and writes sections, and rules do what it cannot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import dspy

from storm.agents.judge import SupportJudge
from storm.agents.model_role import ModelRole
from storm.agents.outline_writer import OutlineWriter
from storm.agents.predictor_calls import use_model
from storm.agents.report_material import is_answer
from storm.agents.section_writer import SectionWriter
from storm.agents.shared_value import Shared
from storm.agents.usable_replies import NO_BUDGET, NOT_USABLE, TOO_LONG
from storm.citations.sections import list_free, list_placed
from storm.errors import BudgetSpent, PromptTooLong
from storm.models import Finding, Hit, Outline, OutlinePart, Plan, RecordTable, ReportSection, Source, SummarySentence
from storm.roles import Compiler

#: Characters of digests and of statements in one prompt: the most, and the least with which a model is asked.
_MAX_CHARACTERS, _MIN_CHARACTERS = 24_000, 3_000


class ModelCompiler(ModelRole[Compiler]):
    """Implements `roles.Compiler`; without `lm` it uses the model that DSPy is configured with.

    The model plans headings, and orders and rewords statements that were checked; quotes, ids and citations are never
    its own. `rule_based` chooses and ranks the statements of a section, and replaces the model where it gives no
    outline that fits, or the budget is spent; a `note` of the result says so. Sentences are reworded only with
    `find_source` (Collection.find_source). `outline` and `section` are predictors of an optimised program. As a
    `dspy.Module` it is called with `plan`, `findings` and `tables`; an optimiser changes its predictors
    `outline_writer.plan` and `section_writer.write`, never the judge's.
    """

    def __init__(
        self,
        lm: dspy.LM | None = None,
        *,
        rule_based: Compiler,
        judge: SupportJudge | None = None,
        find_source: Callable[[str], Awaitable[Source | None]] | None = None,
        outline: dspy.Predict | None = None,
        section: dspy.Predict | None = None,
        adapter: dspy.Adapter | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        super().__init__(lm, rule_based, adapter, today)
        self.outline_writer = OutlineWriter(outline)
        self.section_writer = SectionWriter(judge, section)
        self._find_source = Shared(find_source)

    async def plan_outline(self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable]) -> Outline:
        """The headings that the model planned from the digests, or those of the rules; tables that the model left out
        are where the rules put them."""
        by_rules = await self._rule_based.value.plan_outline(plan, findings, tables)
        if not any(finding.answer.statements for finding in findings):
            return by_rules
        names = [table.name for table in tables]
        shared = {"plan": plan, "findings": findings, "tables": names, "today": self._today().isoformat()}
        made, refusal = await self._ask(self.outline_writer, shared)
        if made is None or made.outline is None:
            return by_rules.model_copy(update={"note": made.refusal if made else refusal})
        parts = tuple(_add_omitted_tables(made.outline, by_rules))
        return Outline(title=made.outline.title or by_rules.title, parts=parts)

    async def write_section(
        self,
        part: OutlinePart,
        outline: Outline,
        plan: Plan,
        findings: Sequence[Finding],
        before: Sequence[ReportSection],
    ) -> ReportSection:
        """The section that the model wrote from the statements that the rules chose for it."""
        by_rules = await self._rule_based.value.write_section(part, outline, plan, findings, before)
        if not by_rules.paragraphs:
            return by_rules
        shared = {
            "section": by_rules,
            "outline": outline,
            "plan": plan,
            "findings": findings,
            "before": before,
            "hits": await self._find_hits(by_rules),
            "today": self._today().isoformat(),
            "free": len(list_free(part, outline, findings, before)),
        }
        made, refusal = await self._ask(self.section_writer, shared)
        if is_answer(outline) and made:
            return _add_unaddressed_questions(made.section, by_rules)
        return made.section if made else by_rules.model_copy(update={"note": refusal})

    async def aforward(
        self, plan: Plan, findings: Sequence[Finding], tables: Sequence[RecordTable] = ()
    ) -> dspy.Prediction:
        """A prediction with `outline` and `sections`."""
        outline = await self.plan_outline(plan, findings, tables)
        sections: list[ReportSection] = []
        for part in outline.parts:
            sections.append(await self.write_section(part, outline, plan, findings, tuple(sections)))
        return dspy.Prediction(outline=outline, sections=tuple(sections))

    async def _ask(self, module: Any, inputs: Mapping[str, Any]) -> tuple[Any | None, str]:
        """The module's prediction, with less material where the prompt is too long; None, and why, if it cannot be
        asked."""
        room = _MAX_CHARACTERS
        with use_model(self._lm, self._adapter):
            while room >= _MIN_CHARACTERS:
                try:
                    return await module.acall(**inputs, room=room), ""
                except PromptTooLong:
                    room //= 2
                except BudgetSpent:
                    return None, NO_BUDGET
        return None, TOO_LONG

    async def _find_hits(self, section: ReportSection) -> dict[str, Hit]:
        """The records of the sources of a section's statements, by the ids that these name."""
        if not (find_source := self._find_source.value):
            return {}
        names = dict.fromkeys(sentence.source_ids[0] for sentence in list_placed([section]))
        sources = [(name, await find_source(name)) for name in names]
        return {name: source.hit for name, source in sources if source}


def _add_unaddressed_questions(written: ReportSection, by_rules: ReportSection) -> ReportSection:
    """The section with the first statement of each question that it left out, as an answer addresses all of them; the
    rules' section if the model's has no text."""
    if not written.paragraphs:
        return by_rules.model_copy(update={"note": NOT_USABLE})
    addressed = {sentence.question for sentence in list_placed([written])}
    placed = {sentence.identity for sentence in list_placed([written])}
    left: dict[str, SummarySentence] = {}
    for sentence in list_placed([by_rules]):
        if sentence.question not in addressed and sentence.identity not in placed:
            left.setdefault(sentence.question, sentence)
    more = (tuple(left.values()),) if left else ()
    return written.model_copy(update={"paragraphs": (*written.paragraphs, *more)})


def _add_omitted_tables(outline: Outline, by_rules: Outline) -> Iterator[OutlinePart]:
    """The parts; a table that is in none of them is added to the first with the same questions."""
    placed = {table for part in outline.parts for table in part.tables}
    left = {table: part.questions for part in by_rules.parts for table in part.tables if table not in placed}
    for part in outline.parts:
        own = tuple(table for table, questions in left.items() if not {*questions}.isdisjoint(part.questions))
        left = {table: questions for table, questions in left.items() if table not in own}
        yield part.model_copy(update={"tables": (*part.tables, *own)}) if own else part
