"""Checks the scores that a model gave, and its reasons: what a reason says is in a statement that it names, or was
counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from storm import planning_wording
from storm.agents.count_claims import Counts, Tally, as_tokens, find_count_fault
from storm.agents.drafts import Draft, check_draft
from storm.agents.fencing import unfenced_line
from storm.agents.reply_values import Number, Text, Texts, read_entries, read_mapping
from storm.agents.repurposing_material import PlacedStatement, read_labels
from storm.agents.usable_replies import UnusableReply
from storm.evidence.standalone import stands_alone
from storm.models import Hit, Plan, Score, Statement, TestedHypothesis

#: The highest score, and how many reasons are kept.
_HIGHEST, _REASONS = 10.0, 6


class WrittenReason(BaseModel):
    """A reason as the model wrote it."""

    text: Text = Field(default="", description="one sentence")
    statements: Texts = Field(default=[], description="the ids of the statements that say it; [] if it counts")

    _accept_mapping = model_validator(mode="before")(read_mapping)


class WrittenScore(BaseModel):
    """A score as the model gave it."""

    score: Number = Field(default=None, description="a number from 0 to 10")
    reasons: Annotated[list[WrittenReason], BeforeValidator(read_entries)] = []

    _accept_mapping = model_validator(mode="before")(read_mapping)


class EvidenceKind(NamedTuple):
    """The statements of one kind, on mechanisms or in patients, for and against the hypotheses; those `shown` in the
    prompt by their labels."""

    name: str
    supporting: Sequence[PlacedStatement]
    contradicting: Sequence[PlacedStatement]
    shown: Mapping[str, PlacedStatement]


def parse_score(
    written: WrittenScore,
    kind: EvidenceKind,
    plan: Plan,
    tested: Sequence[TestedHypothesis],
    hits: Mapping[str, Hit],
    by_rules: Score,
) -> Score:
    """The score with its reasons that hold; if none does, the score `by_rules`. Without a statement that supports a
    hypothesis it is 0. UnusableReply if it is not a number from 0 to 10."""
    if written.score is None or not 0 <= written.score <= _HIGHEST:
        raise UnusableReply(f"The {kind.name} score is not a number from 0 to 10.")
    if not kind.supporting:
        template = planning_wording.ONLY_AGAINST if kind.contradicting else planning_wording.NO_STATEMENT_OF_KIND
        against = tuple(one.statement.identity for one in kind.contradicting)
        return Score(value=0.0, reasons=(template.format(kind=kind.name),), statements=against)
    tally = _count_kind(kind, tested, plan)
    reasons: dict[str, None] = {}
    rests: dict[str, None] = {}
    for reason in written.reasons:
        kept, statement = _check_reason(reason, kind, tally, plan, hits)
        if kept and len(reasons) < _REASONS:
            reasons[kept] = None
            rests |= {statement.identity: None} if statement else {}
    if not reasons:
        return by_rules
    own = tuple(rests) or tuple(one.statement.identity for one in kind.shown.values())
    return Score(value=written.score, reasons=tuple(reasons), statements=own)


def _check_reason(
    reason: WrittenReason, kind: EvidenceKind, tally: Tally, plan: Plan, hits: Mapping[str, Hit]
) -> tuple[str, Statement | None]:
    """The reason in the words that may be shown, and the statement that it rests on; no words if it does not hold."""
    text = unfenced_line(reason.text)
    for label in read_labels(reason.statements):
        if label in kind.shown:
            statement = kind.shown[label].statement
            if worded := word_statement(text, statement, plan.names[0], hits):
                return worded, statement
    return ("" if find_count_fault(text, tally) else text), None


def word_statement(text: str, statement: Statement, drug: str, hits: Mapping[str, Hit]) -> str:
    """The statement in these words; empty if its quote and its source do not support them, or they make no sense
    alone."""
    if text == statement.text:
        return text
    holder = statement.source_ids[0]
    if holder not in hits:
        return ""
    checked = check_draft(Draft(text=text, source_ids=[holder], quote=statement.quote), {holder: hits[holder]}, drug)
    wording = checked.statement.text
    return wording if not checked.fault and stands_alone(wording) else ""


def _count_kind(kind: EvidenceKind, tested: Sequence[TestedHypothesis], plan: Plan) -> Tally:
    both = {one.statement.identity: one for one in (*kind.supporting, *kind.contradicting)}
    groups = (list(both.values()), kind.supporting, kind.contradicting)
    sources = (len({name for one in group for name in one.statement.source_ids}) for group in groups)
    return Tally(
        hypotheses=Counts(as_tokens(len(tested))),
        sources=Counts(*(as_tokens(number) for number in sources)),
        statements=Counts(*(as_tokens(len(group)) for group in groups)),
        scores={},
        names=list_names(plan),
        kind=kind.name,
    )


def list_names(plan: Plan) -> tuple[str, ...]:
    """The names of the drug and of the disease."""
    return (*plan.names, *(plan.disease.names if plan.disease else ()))
