"""Checks the searches that a model wrote as plain words, and makes queries of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from storm.agents.fencing import plain_line, unfenced_line
from storm.databases.search_words import Required, required_terms
from storm.databases.services.pubmed_terms import read_terms
from storm.errors import UsageError
from storm.models import Plan, SearchQuery
from storm.models.names import split_words
from storm.models.search import PUBMED, WEB

#: Characters of a search; how many terms must match, and how many alternatives each may have: the others only rank.
_LENGTH, _REQUIRED, _ALTERNATIVES = 200, 4, 6


class WrittenSearches(NamedTuple):
    """The queries in the order of the words, each once, and what is wrong with the others."""

    queries: tuple[SearchQuery, ...]
    faults: tuple[str, ...]


def read_searches(texts: Sequence[str], plan: Plan, most: int, databases: Sequence[str] = ()) -> WrittenSearches:
    """At most `most` queries for records that have the plan's names and these words. `databases` are those to which the
    job is limited; none is all."""
    on_web = plan.research is not None and not plan.research.is_biomedical and (not databases or WEB in databases)
    only = (WEB,) if on_web else tuple(databases)
    queries: dict[SearchQuery, None] = {}
    faults: list[str] = []
    for text in texts:
        try:
            queries[_read_search(unfenced_line(text), plan, only)] = None
        except UsageError as exc:
            faults.append(plain_line(f"{text}: {exc.message}", _LENGTH))
    return WrittenSearches(tuple(queries)[:most], tuple(faults))


def read_pubmed_search(text: str, plan: Plan, databases: Sequence[str] = ()) -> SearchQuery:
    """The search that a model wrote in PubMed's syntax, which PubMed's client checks, repairs or replaces before it is
    sent, with its plain terms and the plan's names for every other place; UsageError if it has no word.

    Only the reply of a role that writes searches is given here, never text of a source. In a job that is limited to
    other `databases` the search has the plain terms alone.
    """
    text = unfenced_line(text)
    names = {tuple(split_words(name)) for name in plan.names}
    found = read_terms(text)
    groups = [group for group in found if not any(tuple(split_words(term)) in names for term in group)]
    if not (found or plan.searched_names):
        raise UsageError("it has no word to search for")
    is_searched = not databases or PUBMED in databases
    return _make_query(tuple(groups), plan, (PUBMED,) if is_searched else tuple(databases), text * is_searched)


def _read_search(text: str, plan: Plan, databases: tuple[str, ...]) -> SearchQuery:
    if len(text) > _LENGTH:
        raise UsageError(f"a search has at most {_LENGTH} characters")
    groups = required_terms(text, plan.names)
    if not groups:
        raise UsageError("it has no word besides the names, which are searched anyway")
    return _make_query(groups, plan, databases)


def _make_query(groups: Required, plan: Plan, databases: tuple[str, ...], native: str = "") -> SearchQuery:
    return SearchQuery(
        names=plan.searched_names,
        required=tuple(group[:_ALTERNATIVES] for group in groups[:_REQUIRED]),
        words=tuple(chain.from_iterable(groups[_REQUIRED:])),
        databases=databases,
        native=native,
    )
