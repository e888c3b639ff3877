"""What every web search engine gives: results with a score that can be compared, and what went wrong beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from storm.databases.query_text import bare_words
from storm.errors import QueryRejected
from storm.models import SearchQuery

#: Tavily and Brave take no longer queries.
MAX_CHARACTERS = 400
MAX_WORDS = 50


class WebResult(NamedTuple):
    """One page as an engine tells it: plain text, an ISO date if it has one, and a score from 0 to 1, 1 the best."""

    url: str
    title: str
    text: str
    score: float
    date: str | None = None


class WebResults(NamedTuple):
    """Results, best first, and what a reader must know about what is missing."""

    results: Sequence[WebResult]
    notes: Sequence[str] = ()


class WebEngine(Protocol):
    """A search engine for the web."""

    @property
    def label(self) -> str: ...

    async def results(self, query: SearchQuery, limit: int) -> WebResults:
        """At most `limit` results; ServiceError if it could not be asked, or its answer not used."""
        ...


def web_text(query: SearchQuery, label: str) -> str:
    """The query as an engine's users would write it: the first name as a phrase, then the words, none with a sign.

    Other names are left to the engine, which knows synonyms; what is beyond 400 characters or 50 words is cut off.
    """
    name = next((text for text in map(bare_words, query.names) if text), "")
    if not name:
        raise QueryRejected("no name with a letter or digit to look for", service=label)
    phrase = _cut(name.split(), MAX_CHARACTERS - 2, MAX_WORDS)
    words = bare_words(" ".join(query.words)).split()
    rest = _cut(words, MAX_CHARACTERS - len(phrase) - 3, MAX_WORDS - len(phrase.split()))
    return f'"{phrase}" {rest}'.strip()


def _cut(words: Sequence[str], characters: int, most: int) -> str:
    """As many of the words, from the first on, as fit; of a first one that is too long, its beginning."""
    text = " ".join(words[: max(most, 0)])
    if len(text) <= characters:
        return text
    return text[: max(characters, 0) + 1].rpartition(" ")[0] or text[: max(characters, 0)]


def by_rank(results: Iterable[WebResult]) -> list[WebResult]:
    """The same results with scores by their order: 1, then evenly down; for engines whose scores have no bounds."""
    listed = list(results)
    return [result._replace(score=1 - place / len(listed)) for place, result in enumerate(listed)]
