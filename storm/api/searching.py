"""One search of a public database or of the user's corpus, outside of a job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storm.app import App, open_corpus
from storm.databases.search_words import Attempt, Matching, match_any_term, plan_searches, required_terms
from storm.databases.services.query_text import check_span, plain_term
from storm.errors import UsageError, suggest_name
from storm.models import Hit, SearchOutcome, SearchQuery, SearchStatus
from storm.settings import Settings


class DatabaseAnswer(NamedTuple):
    """The first outcome that is not empty, or else the last; the attempt that it answers; the database's scope."""

    scope: str
    outcome: SearchOutcome
    attempt: Attempt


class CorpusAnswer(NamedTuple):
    """The best matching records of the corpus, and how many match. `is_empty`: it holds no record at all."""

    hits: Sequence[Hit]
    total: int
    attempt: Attempt
    is_empty: bool


def plan_user_searches(
    text: str,
    words: Iterable[str] = (),
    *,
    databases: tuple[str, ...] = (),
    since: str | None = None,
    until: str | None = None,
    what: str = "query",
) -> Sequence[Attempt]:
    """The searches for a user's text; each further one is for where the one before finds nothing. UsageError for a
    text without a letter or digit, or a day that cannot be read."""
    attempts = plan_searches(text, words, databases=databases, since=since, until=until)
    check_span(attempts[0].query)
    if not plain_term(text):
        raise UsageError(f"the {what} has no letter or digit", hint='give a name or phrase: "interferon beta-1a"')
    return attempts


def plan_corpus_searches(
    text: str, words: Sequence[str], *, databases: tuple[str, ...], since: str | None, until: str | None
) -> Sequence[Attempt]:
    """The searches for an agent's text, as for a user's, in records that also hold all of its words: each item is a
    word, a phrase, or several joined by OR. UsageError as for both."""
    attempts = plan_user_searches(text, databases=databases, since=since, until=until)
    required = tuple(group for item in words for group in required_terms(_quote_phrase(item)))
    return [
        attempt._replace(query=attempt.query.model_copy(update={"required": (*attempt.query.required, *required)}))
        for attempt in attempts
    ]


def _quote_phrase(item: str) -> str:
    return item if '"' in item or " OR " in item or "|" in item else f'"{item}"'


def plan_agent_searches(
    words: str, names: tuple[str, ...] = (), *, since: str | None = None, until: str | None = None
) -> Sequence[Attempt]:
    """The searches for an agent's words, all of which must match (`a OR b` either), and names, any of which; then for
    any of the words. UsageError where neither has a letter or digit, or a word or day cannot be read."""
    required = required_terms(words, names)
    named = tuple(filter(plain_term, names))
    if not (required or named):
        raise UsageError(
            "neither words nor names have a letter or digit", hint='give words="cardiac safety", for example'
        )
    query = SearchQuery(names=named, required=required, since=since, until=until)
    check_span(query)
    terms = tuple(term for group in required for term in group)
    attempts = [Attempt(Matching.ALL, query, terms)]
    return attempts if len(required) < 2 else [*attempts, Attempt(Matching.ANY, match_any_term(query), terms)]


async def search_database(app: App, name: str, attempts: Sequence[Attempt], limit: int) -> DatabaseAnswer:
    """Search one public database. UsageError if it is unknown, NotConfigured if it is off or lacks a key; every other
    failure is an outcome."""
    client = (await app.scope.open_live()).find_client(name)
    outcome, made = await client.database.search(attempts[0].query, limit), attempts[0]
    for attempt in attempts[1:]:
        if outcome.status is not SearchStatus.NONE or outcome.incomplete:
            break
        further = await client.database.search(attempt.query, limit)
        if further.status is not SearchStatus.NOT_APPLICABLE:
            outcome, made = further, attempt
    return DatabaseAnswer(client.service.scope, outcome, made)


def search_corpus(settings: Settings, attempts: Sequence[Attempt], limit: int) -> CorpusAnswer:
    """Search the corpus; UsageError if it holds no records of a database that is asked for."""
    corpus = open_corpus(settings)
    held = corpus.count()
    only = attempts[0].query.databases
    if held and (unknown := [database for database in only if database not in held]):
        raise UsageError(
            f"your corpus has no records of {', '.join(unknown)}; it has those of {', '.join(held)}",
            hint=suggest_name(unknown[0], held).strip() or None,
        )
    for attempt in attempts:
        hits, total, _ = corpus.search(attempt.query, limit)
        if total:
            break
    return CorpusAnswer(hits, total, attempt, not held)
