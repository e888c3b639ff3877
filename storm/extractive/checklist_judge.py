"""Judging the items of a checklist without a model, by rules that are written down in the docstring of the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from storm.citations.terms import stem_words
from storm.evidence.strength import evidence_of
from storm.evidence.subjects import compile_name_pattern
from storm.extractive.checklist_items import ANSWER, LIMITS, STRENGTH, is_direct, list_specific
from storm.extractive.checklist_queries import choose_places, limit_query
from storm.extractive.further_searches import list_further_searches
from storm.extractive.weak_answers import Contradiction, find_contradictions
from storm.models import (
    Answer,
    ChecklistReview,
    Evidence,
    Finding,
    ItemJudgement,
    ItemState,
    Plan,
    Question,
    SearchIteration,
    SearchQuery,
    Source,
    Statement,
    Verdict,
    index_sources,
)
from storm.ranking import count_cues
from storm.wording import format_count

#: One source of such a design is enough.
_STRONG = (Evidence.META_ANALYSIS, Evidence.RANDOMISED, Evidence.REGULATORY)
#: Without one of these, so many independent sources are.
_ENOUGH = 2
#: Sources that answer nothing by themselves.
_WEAK = (Evidence.PRECLINICAL, Evidence.NOTICE)
#: A direct statement has this share of the question's specific words, those of its title counted, and one itself.
_DIRECT_SHARE = 0.5
#: What is searched for beside the words of the question.
_HINTS = {STRENGTH: ("trial",), LIMITS: ("adverse", "limitations")}
#: New searches of an item in each database.
_MOST = 2


class _Basis(NamedTuple):
    """What an item rests on: its statements on the subject itself, and the sources that they are from."""

    statements: Sequence[Statement]
    sources: Sequence[Source]

    @property
    def kinds(self) -> Sequence[Evidence]:
        return [evidence_of(source.hit) for source in self.sources]


class RuleChecklistJudge:
    """Implements `roles.ChecklistJudge` by counting.

    Unsatisfied: no supported statement on the subject itself. Satisfied: one independent source is a
    meta-analysis or systematic review, a randomised trial or a regulatory record, or two are of any design but animal
    and laboratory studies, protocols and notices; no other source contradicts them; and the answer was not cut off. The
    item that asks the question itself needs besides a direct statement: one with a word of the question that
    names its subject, and with its title half of them. How strong the evidence is, and what speaks against the
    answer, may be said by the statements on other items. The latter is satisfied without a statement, too, if the
    question itself has one and two sources were read for this item. Partial: anything else, with what is missing as its
    reason.
    Independent are sources that are different works, as the collection joined them. `available` and `databases` are
    those of `ChecklistQueryWriter`.
    """

    def __init__(self, available: Collection[str], databases: Sequence[str] = ()) -> None:
        self._places = choose_places(
            [name for name in available if not databases or name in databases], tuple(databases)
        )

    async def judge(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:
        """The judgements in the order of the plan, with searches for what is open that no iteration ran."""
        # In a thread: reading the designs of all sources takes a while, and the job's lease must be renewed meanwhile.
        return await asyncio.to_thread(self._judge, plan, findings, sources, iterations)

    def _judge(
        self,
        plan: Plan,
        findings: Sequence[Finding],
        sources: Sequence[Source],
        iterations: Sequence[SearchIteration],
    ) -> ChecklistReview:
        by_id = index_sources(sources)
        contradictions = find_contradictions(findings, by_id)
        answers = {finding.answer.question: finding.answer for finding in findings}
        items: list[ItemJudgement] = []
        for question in plan.syllabus.questions:
            answer = answers.get(question.key, Answer(question=question.key))
            if question.key in (STRENGTH, LIMITS) and not answer.statements:
                answer = answer.model_copy(update={"statements": _find_elsewhere(question, answers.values())})
            judged = _judge_item(question, plan.names, answer, by_id, contradictions)
            if not judged.evidence and question.key == LIMITS and items and items[0].evidence:
                judged = _judge_absence(judged, sources)
            if judged.state is not ItemState.SATISFIED:
                judged = judged.model_copy(update={"searches": self._choose_searches(question, plan, iterations)})
            items.append(judged)
        return ChecklistReview(items=tuple(items))

    def _choose_searches(
        self, question: Question, plan: Plan, iterations: Sequence[SearchIteration]
    ) -> tuple[SearchQuery, ...]:
        """One or two searches in each place that no iteration ran for this item."""
        ran = {query for one in iterations for query in one.searches.get(question.key, ())}
        own = plan.of_question(question)
        listed = list(dict.fromkeys(list_further_searches(_word_for_search(question), own, ())))
        chosen: list[SearchQuery] = []
        for database in self._places:
            new = (limit_query(query, database) for query in listed)
            chosen += [query for query in new if query not in ran][:_MOST]
        return tuple(chosen)


def _word_for_search(question: Question) -> Question:
    """The question for all databases; an item on the question itself in its words, not in those of the label."""
    if not is_direct(question):
        return question.model_copy(update={"queries": {}})
    words = " ".join((*question.focus, *_HINTS.get(question.key, ())))
    return question.model_copy(update={"queries": {}, "label": words, "description": words})


def _judge_item(
    question: Question,
    names: tuple[str, ...],
    answer: Answer,
    sources: Mapping[str, Source],
    contradictions: Sequence[Contradiction],
) -> ItemJudgement:
    basis = _find_basis(answer, sources)
    if not basis.statements:
        return ItemJudgement(question=question.key, reason=_explain_lack(question))
    evidence = tuple(dict.fromkeys(statement.identity for statement in basis.statements))
    missing = _find_missing(question, names, answer, basis, contradictions)
    return ItemJudgement(
        question=question.key,
        state=ItemState.PARTIAL if missing else ItemState.SATISFIED,
        reason=missing or _describe_basis(basis),
        evidence=evidence,
    )


def _explain_lack(question: Question) -> str:
    """Why an item has no statement: where it compares, no source that was read does."""
    compared = " or ".join(one.label for one in question.about if one.role == "comparator")
    return (
        f"No source that was read compares it with {compared}." if compared else "No statement of a source answers it."
    )


def _find_elsewhere(question: Question, answers: Iterable[Answer]) -> tuple[Statement, ...]:
    """The statements on other items that say what this one asks for."""
    every = (statement for answer in answers for statement in answer.all_statements)
    return tuple(one for one in every if question.says and count_cues(one.text, question.says, question.places))


def _judge_absence(judged: ItemJudgement, sources: Sequence[Source]) -> ItemJudgement:
    """An item without a statement, which is satisfied if enough sources were read for it."""
    read = sum(judged.question in source.questions and source.relation_kind.is_evidence for source in sources)
    if read < _ENOUGH:
        return judged
    reason = f"Nothing of this kind was found in the {format_count(read, 'source')} that were read for it."
    return judged.model_copy(update={"state": ItemState.SATISFIED, "reason": reason, "nothing_in": read})


def _find_basis(answer: Answer, sources: Mapping[str, Source]) -> _Basis:
    statements = [
        one
        for one in answer.all_statements
        if one.verdict is Verdict.SUPPORTED and not one.remark and one.source_ids and one.source_ids[0] in sources
    ]
    cited = {sources[one.source_ids[0]].source_id: sources[one.source_ids[0]] for one in statements}
    return _Basis(statements, list(cited.values()))


def _find_missing(
    question: Question,
    names: tuple[str, ...],
    answer: Answer,
    basis: _Basis,
    contradictions: Sequence[Contradiction],
) -> str:
    """What keeps the item from being satisfied, in one sentence; empty if nothing does."""
    own = {statement.identity for statement in basis.statements}
    against = next((one.endpoint for one in contradictions if one.sides & own), "")
    if against:
        return f"Sources contradict each other on {against}."
    if answer.cut_short:
        return "The answer was cut off before it was finished."
    if (
        question.key == ANSWER
        and is_direct(question)
        and not any(_is_direct(one, question, names, basis.sources) for one in basis.statements)
    ):
        return "No statement answers the question directly."
    strong, fitting = (
        sum(kind in _STRONG for kind in basis.kinds),
        sum(kind not in _WEAK for kind in basis.kinds),
    )
    if strong or fitting >= _ENOUGH:
        return ""
    if not fitting:
        return "It rests on animal or laboratory studies and notices only."
    number = len(basis.sources)
    if number > 1:
        return f"All but one of its {number} sources are preclinical or notices, and none is of a strong design."
    return "It rests on one source, which is neither a review of studies, a randomised trial nor a regulatory record."


def _is_direct(statement: Statement, question: Question, names: tuple[str, ...], sources: Sequence[Source]) -> bool:
    wanted = stem_words(list_specific(question.asked_for))
    title = next((one.hit.title for one in sources if one.source_id in statement.source_ids), "")
    said, titled = stem_words((statement.text,)), stem_words((title,))
    if compile_name_pattern(names).search(statement.text):  # one of its names stands for the others
        said |= stem_words(names)
    if question.says:  # of a value, the title says which study it is of
        said |= titled
    return bool(wanted & said) and len(wanted & (said | titled)) >= _DIRECT_SHARE * len(wanted)


def _describe_basis(basis: _Basis) -> str:
    number = len(basis.sources)
    strong = [kind.value for kind in _STRONG if kind in basis.kinds]
    among = f", among them a {strong[0]}" if strong and number > 1 else f", a {strong[0]}" if strong else ""
    answer, them = ("answers", "it") if number == 1 else ("answer", "them")
    return f"{format_count(number, 'independent source')} {answer} it{among}, and none contradicts {them}."
