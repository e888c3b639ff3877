"""The items of a checklist as a report has them: which are answered, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.models import (
    Answer,
    ChecklistCoverage,
    DeepResearch,
    Dossier,
    ItemJudgement,
    ItemState,
    SearchLine,
    SearchStatus,
    Statement,
    Verdict,
    database_label,
)
from storm.models.dossier import QuestionCoverage
from storm.models.search import CHECK, LOOK_UPS, group_by_reason
from storm.reports import deep_research_wording as words
from storm.wording import format_count

#: How searches end that looked for something.
_SUCCEEDED = (SearchStatus.FOUND, SearchStatus.NONE)


class ChecklistItem(NamedTuple):
    """An item: its key, its words, its judgement, and the statements on which that rests."""

    key: str
    label: str
    judgement: ItemJudgement
    evidence: tuple[Statement, ...] = ()

    @property
    def state(self) -> ItemState:
        """Whether it is answered; without a statement it is not, whatever was judged, unless it asks for what speaks
        against the answer and nothing in the sources read does."""
        return self.judgement.state if self.evidence or self.judgement.nothing_in else ItemState.UNSATISFIED

    @property
    def is_without_finding(self) -> bool:
        """Whether it is satisfied only since sources were read for it and none says anything on it."""
        return self.state is ItemState.SATISFIED and not self.evidence


def list_items(
    labels: Mapping[str, str], judgements: Sequence[ItemJudgement], answers: Sequence[Answer]
) -> tuple[ChecklistItem, ...]:
    """The items in the order of the checklist. One without a judgement is not answered."""
    judged = {one.question: one for one in judgements}
    own = {
        answer.question: tuple(one for one in answer.all_statements if one.verdict is not Verdict.UNSUPPORTED)
        for answer in answers
    }
    known = {statement.identity: statement for statements in own.values() for statement in statements}

    def make_item(key: str, label: str) -> ChecklistItem:
        judgement = judged.get(key) or ItemJudgement(question=key, reason=words.NOT_JUDGED)
        named = tuple(known[identity] for identity in judgement.evidence if identity in known)
        return ChecklistItem(key, label, judgement, named or own.get(key, ()))

    return tuple(make_item(key, label) for key, label in labels.items())


def items_of(dossier: Dossier) -> tuple[ChecklistItem, ...]:
    """The items of a report; none for other modes."""
    labels = {question.key: question.label for question in dossier.questions}
    judged = dossier.deep_research.judgements if dossier.deep_research else ()
    # What searches that failed would have found is not known.
    known = [one if not (one.nothing_in and describe_failed_searches(dossier, one.question))
             else ItemJudgement(question=one.question) for one in judged]  # fmt: skip
    return list_items(labels, known, dossier.answers) if dossier.deep_research else ()


def is_well_covered(
    questions: Sequence[QuestionCoverage], deep_research: DeepResearch, answers: Sequence[Answer]
) -> bool:
    """Whether no item is without an answer, and at least half of them are answered in full."""
    labels = {question.question: question.label for question in questions}
    states = [item.state for item in list_items(labels, deep_research.judgements, answers)]
    satisfied = states.count(ItemState.SATISFIED)
    return ItemState.UNSATISFIED not in states and 2 * satisfied >= len(states)


def list_settled(deep_research: DeepResearch | None) -> frozenset[str]:
    """The items that need no statement of their own: those on other items answer them, or that nothing was found."""
    judged = deep_research.judgements if deep_research else ()
    return frozenset(one.question for one in judged if one.nothing_in or one.evidence)


def cover(items: Sequence[ChecklistItem]) -> ChecklistCoverage:
    """The items by whether they are answered; each item is in one of the three."""
    return ChecklistCoverage(
        satisfied=tuple(item.label for item in items if item.state is ItemState.SATISFIED and item.evidence),
        none_recognised=tuple(item.label for item in items if item.is_without_finding),
        gaps=tuple(map(_name_gap, (item for item in items if item.state is not ItemState.SATISFIED))),
    )


def list_searched(dossier: Dossier) -> tuple[str, ...]:
    """The databases in which a search for an item succeeded."""
    own = (line for line in dossier.search_log if line.question not in LOOK_UPS)
    return tuple(dict.fromkeys(line.database for line in own if line.status in _SUCCEEDED))


def has_searched(dossier: Dossier) -> bool:
    """Whether a search for an item succeeded."""
    return bool(list_searched(dossier))


def says_nothing(dossier: Dossier) -> bool:
    """Whether no statement answers any item."""
    return not any(answer.says_something for answer in dossier.answers)


def has_failed(dossier: Dossier) -> bool:
    """Whether there is no answer since no search succeeded, or since no item could be researched."""
    failed = dossier.research.failed if dossier.research else {}
    could_not = not has_searched(dossier) or all(question.key in failed for question in dossier.questions)
    return says_nothing(dossier) and could_not


def is_cut_short(dossier: Dossier, key: str = "") -> bool:
    """Whether the work on this item, or on any, was cut off before its sources were all read."""
    return any(answer.cut_short for answer in dossier.answers if key in ("", answer.question))


def describe_failed_searches(dossier: Dossier, question: str = "") -> str:
    """The databases in which searches of this question failed, with the reasons; without one, of any question and of
    the names in it."""
    lines = (line for line in dossier.search_log if line.question != CHECK and _has_failed(line))
    failed = [line for line in lines if line.is_for(question) or (not question and line.was_sent())]
    return "; ".join(group_by_reason(dict.fromkeys((database_label(line.database), line.reason) for line in failed)))


def describe_state(item: ChecklistItem) -> str:
    """The state of an item; one on which nothing was recognised is not called answered."""
    return words.NONE_RECOGNISED if item.is_without_finding else words.STATES[item.state]


def explain_missing(dossier: Dossier, item: ChecklistItem) -> str:
    """Why nothing is said on an item: failed searches are not an empty result."""
    key = item.key
    if item.judgement.nothing_in:
        return words.NOTHING_AGAINST.format(sources=format_count(item.judgement.nothing_in, "source"))
    if why := (dossier.research.failed if dossier.research else {}).get(key):
        return words.NOT_RESEARCHED.format(why=why.rstrip("."))
    lines = [line for line in dossier.search_log if line.is_for(key)]
    failures = describe_failed_searches(dossier, key)
    if not any(line.status in _SUCCEEDED for line in lines):
        return words.SEARCHES_FAILED.format(failures=failures) if failures else words.NEVER_SEARCHED
    if is_cut_short(dossier, key):
        return words.CUT_SHORT
    sources = next((one.sources for one in dossier.coverage.questions if one.question == key), 0)
    return "".join(_describe_empty(sources, failures))


def _describe_empty(sources: int, failures: str) -> Iterator[str]:
    yield words.NO_STATEMENT if sources else words.NOTHING_FOUND
    if failures:
        yield words.SOME_FAILED.format(failures=failures)


def _has_failed(line: SearchLine) -> bool:
    return line.status is SearchStatus.FAILED or line.incomplete


def _name_gap(item: ChecklistItem) -> str:
    return words.PARTIAL.format(item=item.label) if item.state is ItemState.PARTIAL else item.label
