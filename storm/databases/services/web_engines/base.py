"""What every web search engine returns: results with comparable scores, and notes about partial failures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from storm.databases.formats.dates import parse_date
from storm.databases.formats.fields import as_mapping, read_quantity, text_line
from storm.databases.formats.xml_text import text_of_html
from storm.databases.services.query_text import bare_words
from storm.errors import BadAnswer, QueryRejected, ServiceError
from storm.models import SearchQuery

#: The limits of Tavily and Brave for a query.
MAX_CHARACTERS = 400
MAX_WORDS = 50


class WebResult(NamedTuple):
    """One page as an engine describes it: plain text, an ISO date if it has one, and a score from 0 to 1 (best)."""

    url: str
    title: str
    text: str
    score: float
    date: str | None = None


class WebResults(NamedTuple):
    """Results, to be sorted by score, and a note for each part of the search that failed."""

    results: Sequence[WebResult]
    notes: Sequence[str] = ()


class WebEngine(Protocol):
    """A search engine for the web."""

    @property
    def label(self) -> str: ...

    async def find_results(self, query: SearchQuery, limit: int) -> WebResults:
        """About `limit` results, in whole pages; ServiceError if the engine fails or its answer is unusable."""
        ...


def web_text(query: SearchQuery, label: str) -> str:
    """The query as a user would type it: the first name as a phrase, the required terms, then the words.

    Required terms are quoted, with `OR` between alternatives; there is no other syntax. The other names are left to the
    engine, which knows synonyms. Anything beyond 400 characters or 50 words is cut off; QueryRejected if that would cut
    a required term.
    """
    name = next((text for text in map(bare_words, query.names) if text), "")
    if query.names and not name:
        raise QueryRejected("no name with a letter or digit to look for", service=label)
    text = f'"{_cut_text(name.split(), MAX_CHARACTERS - 2, MAX_WORDS)}"' if name else ""
    for group in query.required:
        either = " OR ".join(f'"{term}"' for term in map(bare_words, group) if term)
        text = f"{text} {either}".strip()
    if query.required and (len(text) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS):
        raise QueryRejected(f"it accepts at most {MAX_CHARACTERS} characters and {MAX_WORDS} words", service=label)
    words = bare_words(" ".join(query.words)).split()
    text = f"{text} {_cut_text(words, MAX_CHARACTERS - len(text) - 1, MAX_WORDS - len(text.split()))}".strip()
    if not text:
        raise QueryRejected("no word with a letter or digit to look for", service=label)
    return text


def _cut_text(words: Sequence[str], characters: int, most: int) -> str:
    """As many of the first words as fit; the start of the first word if it is too long."""
    text = " ".join(words[: max(most, 0)])
    if len(text) <= characters:
        return text
    return text[: max(characters, 0) + 1].rpartition(" ")[0] or text[: max(characters, 0)]


async def gather_pages(pages: AsyncIterator[Sequence[WebResult]], limit: int) -> tuple[list[WebResult], list[str]]:
    """The results of page after page, each URL once, until there are `limit` or a page has nothing new.

    If a later page fails, the results so far stay and a note says so. A failure of the first page is raised.
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
    """The results of an answer with the engine's own scores; `text` and `date` name its fields. BadAnswer if it has no
    list."""
    if not isinstance(listed, list):
        raise BadAnswer("the answer lists no results", service=label)
    return [
        WebResult(
            text_line(item.get("url")),
            text_of_html(text_line(item.get("title"))),
            text_of_html(text_line(item.get(text))),
            read_quantity(item.get("score")) or 0.0,
            parse_date(text_line(item.get(date))),
        )
        for item in map(as_mapping, listed)
    ]


def score_by_rank(results: Iterable[WebResult]) -> list[WebResult]:
    """The results with scores by rank, from 1 evenly down; for engines without scores or with unbounded ones."""
    listed = list(results)
    return [result._replace(score=1 - place / len(listed)) for place, result in enumerate(listed)]
