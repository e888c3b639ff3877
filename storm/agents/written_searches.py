"""Makes queries of the searches that a model wrote: as plain words, which are checked here, or for PubMed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from storm.agents.fencing import plain_line, unfenced_line
from storm.databases.search_words import Required, required_terms
from storm.databases.services.pubmed_syntax import choose_query
from storm.databases.services.pubmed_terms import read_terms
from storm.errors import UsageError
from storm.models import Plan, SearchQuery
from storm.models.names import split_words
from storm.models.search import PUBMED, WEB

#: The most characters of a search.
_MAX_SEARCH_CHARACTERS = 200
#: The most terms that a record must match; further terms only rank.
_MAX_REQUIRED_TERMS = 4
#: The most alternatives of a required term.
_MAX_ALTERNATIVES = 6


class WrittenSearches(NamedTuple):
    """The queries in the order of the words, each once, and what is wrong with the others."""

    queries: tuple[SearchQuery, ...]
    faults: tuple[str, ...]


def read_searches(texts: Sequence[str], plan: Plan, most: int, databases: Sequence[str] = ()) -> WrittenSearches:
    """At most `most` queries for records that have the plan's names and these words. `databases` are those to which the
    job is limited; none is all."""
    on_web = plan.research is not None and not plan.research.is_biomedical and (not databases or WEB in databases)
    only = (WEB,) if on_web else tuple(databases)
    written = _read_each(texts, lambda text: _read_search(unfenced_line(text), plan, only))
    return written._replace(queries=written.queries[:most])


def read_pubmed_searches(texts: Sequence[str], plan: Plan, databases: Sequence[str] = (PUBMED,)) -> WrittenSearches:
    """`read_pubmed_search` of each text."""
    return _read_each(texts, lambda text: read_pubmed_search(text, plan, databases))


def _read_each(texts: Iterable[str], read: Callable[[str], SearchQuery]) -> WrittenSearches:
    queries: dict[SearchQuery, None] = {}
    faults: list[str] = []
    for text in texts:
        try:
            queries[read(text)] = None
        except UsageError as exc:
            faults.append(plain_line(f"{text}: {exc.message}", _MAX_SEARCH_CHARACTERS))
    return WrittenSearches(tuple(queries), tuple(faults))


def read_pubmed_search(text: str, plan: Plan, databases: Sequence[str] = (PUBMED,)) -> SearchQuery:
    """The search that a model wrote in PubMed's syntax, which PubMed's client checks, repairs or replaces before it is
    sent, with its plain terms and the plan's names for every other database; UsageError if it has no word.

    Only the reply of a role that writes searches is given here, never text of a source. One that does not name what the
    plan is about, and one for other `databases`, of which none is all, has the names and the plain terms alone.
    """
    text = unfenced_line(text)
    names = [split_words(name) for name in plan.names]
    groups = tuple(group for group in read_terms(text) if not any(split_words(term) in names for term in group))
    native = text if tuple(databases) == (PUBMED,) and (not names or _has_name(text, names)) else ""
    if not groups and not (plan.searched_names and choose_query(native).text):
        raise UsageError("it has no word to search for besides the names")
    return _make_query(groups, plan, tuple(databases), native)


def _has_name(text: str, names: Iterable[Sequence[str]]) -> bool:
    words = f" {' '.join(split_words(text))} "
    return any(f" {' '.join(name)} " in words for name in names)


def _read_search(text: str, plan: Plan, databases: tuple[str, ...]) -> SearchQuery:
    if len(text) > _MAX_SEARCH_CHARACTERS:
        raise UsageError(f"a search has at most {_MAX_SEARCH_CHARACTERS} characters")
    groups = required_terms(text, plan.names)
    if not groups:
        raise UsageError("it has no word besides the names, which are searched anyway")
    return _make_query(groups, plan, databases)


def _make_query(groups: Required, plan: Plan, databases: tuple[str, ...], native: str = "") -> SearchQuery:
    return SearchQuery(
        names=plan.searched_names,
        required=tuple(group[:_MAX_ALTERNATIVES] for group in groups[:_MAX_REQUIRED_TERMS]),
        words=tuple(chain.from_iterable(groups[_MAX_REQUIRED_TERMS:])),
        databases=databases,
        native=native,
    )
