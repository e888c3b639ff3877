"""Searches for a question whose first searches did not find enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from storm.citations.vocabulary import GRAMMAR
from storm.extractive.researcher import queries_for
from storm.models import Plan, Question, SearchQuery
from storm.models.names import split_words
from storm.models.plan import MOST_NAMES

#: Words of the focus in one search.
_FOCUS_WORDS = 4
#: Words of a label or description in one search.
_MOST_WORDS = 12
#: Kinds of study that answer a question on results, or on facts.
_OF_RESULTS = ("systematic review meta-analysis", "randomised controlled trial", "cohort observational study")
_OF_FACTS = ("review", "guideline")
_OF_BOTH_SIDES = "meta-analysis"


def list_further_searches(
    question: Question, plan: Plan, databases: Sequence[str], since: int | None = None, endpoint: str = ""
) -> Iterator[SearchQuery]:
    """Searches that differ from those of the question's templates, the most promising first.

    First one for an `endpoint` on which sources disagree; then the question's label alone, words of its focus and its
    description, kinds of study, names that were not searched for, and at last the names alone. With `since`, every
    other search is for what was published since that year.
    """
    only = _choose_databases(question, databases)
    if only is None:
        return
    broader = _list_broader_searches(question, plan, only, endpoint)
    if since is None:
        yield from broader
        return
    label = SearchQuery(names=plan.searched_names, words=_read_words(question.label), databases=only)
    late = (
        query.model_copy(update={"since": str(since)})
        for query in (label, *queries_for(question, plan.searched_names, databases))
    )
    for pair in zip_longest(late, broader):
        yield from filter(None, pair)


def _list_broader_searches(
    question: Question, plan: Plan, only: tuple[str, ...], endpoint: str
) -> Iterator[SearchQuery]:
    names, label = plan.searched_names, _read_words(question.label)
    if endpoint:
        yield SearchQuery(names=names, words=(*_read_words(endpoint), _OF_BOTH_SIDES), databases=only)
    for words in _list_words(question, label):
        yield SearchQuery(names=names, words=words, databases=only)
    if others := plan.names[MOST_NAMES : 2 * MOST_NAMES]:
        yield SearchQuery(names=others, words=label, databases=only)
    yield SearchQuery(names=names, databases=only)


def _list_words(question: Question, label: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words of each search, from the question's own and for kinds of study."""
    yield label
    for start in range(0, len(question.focus), _FOCUS_WORDS):
        yield question.focus[start : start + _FOCUS_WORDS]
    yield _read_words(question.description)
    if not question.dated:
        for kind in _OF_FACTS if question.takes_facts else _OF_RESULTS:
            yield (*label, *kind.split())


def _choose_databases(question: Question, databases: Sequence[str]) -> tuple[str, ...] | None:
    """The databases to search, all if empty; None if the question has templates only for others."""
    if not question.queries or "default" in question.queries:
        return tuple(databases)
    named = tuple(name for name in question.queries if not databases or name in databases)
    return named or None


def _read_words(text: str) -> tuple[str, ...]:
    """The first words of a text without those of grammar; all words if it has no others."""
    words = tuple(dict.fromkeys(split_words(text)))
    return (tuple(word for word in words if word not in GRAMMAR) or words)[:_MOST_WORDS]
