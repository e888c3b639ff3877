"""What every web search engine gives: results with a score that can be compared, and what went wrong beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from storm.databases.formats.dates import parse_date
from storm.databases.formats.fields import line, mapping, quantity
from storm.databases.formats.xml_text import text_of_html
from storm.databases.services.query_text import bare_words
from storm.errors import BadAnswer, QueryRejected, ServiceError
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
    """Results, to be ordered by their scores, and a note for each part of the search that failed."""

    results: Sequence[WebResult]
    notes: Sequence[str] = ()


class WebEngine(Protocol):
    """A search engine for the web."""

    @property
    def label(self) -> str: ...

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """`limit` results, or a page's more; ServiceError if it could not be asked, or its answer not used."""
        ...


def web_text(query: SearchQuery, label: str) -> str:
    """The query as an engine's users would write it: the first name as a phrase, what is required, then the words.

    What is required is in quotation marks, `OR` between alternatives; no word has another sign. Other names are left to
    the engine, which knows synonyms; what is beyond 400 characters or 50 words is cut off. QueryRejected if that were
    something required.
    """
    name = next((text for text in map(bare_words, query.names) if text), "")
    if query.names and not name:
        raise QueryRejected("no name with a letter or digit to look for", service=label)
    text = f'"{_cut_text(name.split(), MAX_CHARACTERS - 2, MAX_WORDS)}"' if name else ""
    for group in query.required:
        either = " OR ".join(f'"{term}"' for term in map(bare_words, group) if term)
        text = f"{text} {either}".strip()
    if query.required and (len(text) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS):
        raise QueryRejected(f"it takes {MAX_CHARACTERS} characters and {MAX_WORDS} words at most", service=label)
    words = bare_words(" ".join(query.words)).split()
    text = f"{text} {_cut_text(words, MAX_CHARACTERS - len(text) - 1, MAX_WORDS - len(text.split()))}".strip()
    if not text:
        raise QueryRejected("no word with a letter or digit to look for", service=label)
    return text


def _cut_text(words: Sequence[str], characters: int, most: int) -> str:
    """As many of the words, from the first on, as fit; of a first one that is too long, its beginning."""
    text = " ".join(words[: max(most, 0)])
    if len(text) <= characters:
        return text
    return text[: max(characters, 0) + 1].rpartition(" ")[0] or text[: max(characters, 0)]


async def gather_pages(pages: AsyncIterator[Sequence[WebResult]], limit: int) -> tuple[list[WebResult], list[str]]:
    """The results of page after page, each address once, until there are `limit` or a page brings nothing new.

    What was found stays when a later page fails, and a note says so. A failure of the first page is raised.
    """
    found: dict[str, WebResult] = {}
    try:
        async for page in pages:
            before = len(found)
            for result in page:
                found.setdefault(result.url, result)
            if len(found) >= limit or len(found) == before:
                break
    except ServiceError as exc:
        if not found:
            raise
        return list(found.values()), [f"stopped after {len(found)} results: {exc.message}"]
    return list(found.values()), []


def read_results(listed: Any, label: str, *, text: str, date: str) -> list[WebResult]:
    """The results of an answer, whose text and date have these names there, with the engine's own scores; BadAnswer
    where it lists none."""
    if not isinstance(listed, list):
        raise BadAnswer("the answer lists no results", service=label)
    return [
        WebResult(
            line(item.get("url")),
            text_of_html(line(item.get("title"))),
            text_of_html(line(item.get(text))),
            quantity(item.get("score")) or 0.0,
            parse_date(line(item.get(date))),
        )
        for item in map(mapping, listed)
    ]


def score_by_rank(results: Iterable[WebResult]) -> list[WebResult]:
    """The same results with scores by their order: 1, then evenly down; for engines without bounds or scores."""
    listed = list(results)
    return [result._replace(score=1 - place / len(listed)) for place, result in enumerate(listed)]
