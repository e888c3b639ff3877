"""The search tools of an agent, one per database of the job. Their docstrings are part of the prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated

from pydantic import BeforeValidator

from storm.databases.search_words import Required, match_any_term, required_terms
from storm.errors import ToolError, UsageError
from storm.models import Plan, SearchQuery, SearchRecord, SearchStatus, database_label
from storm.models.step import SEARCH
from storm.ports import Collection, Database, Searcher, SearchResult
from storm.tools.answers import clip_text
from storm.tools.cards import write_card

#: How many records one answer shows.
SHOWN = 8
#: Characters of the words and days of one search, and of all its names: no database takes more.
LONGEST, LONGEST_NAMES = 400, 2_000

Names = Annotated[list[str] | None, BeforeValidator(lambda value: [value] if isinstance(value, str) else value or None)]
SearchTool = Callable[..., Awaitable[str]]

_MANUAL = """

Of all search tools: a record matches if it names the drug, by any of its names (search_web: by the first),
and holds all of `words`. The drug's names are added by themselves: leave them out of `words`. `a OR b` matches either
word, "a b" in double quotes the exact phrase; there is no NOT and no minus, and OR joins single words or phrases, not
several words in parentheses. Small words such as the, of, in, does (in small letters, or where a sentence begins) are
left out, unless they stand in quotes; "hepatitis A" keeps its A. Words match as they are written: give other forms with
OR (expiry OR expires), and begin with one or two words, since each further one finds fewer records. Where no record
holds all, those that hold any of them are shown, and this is said. `names` are looked for in place of the drug's (a
target, a comparator).
`first` is the number of the first record to show, for the next ones of the same search. `since` and `until` are
years or dates. `question` is the key of the question that it is for. Each record is shown as: database id · year title,
then what it says; source_type and external_id of save_source are that database and id.
"""
_NOT_ALL = "none holds all of these words. With any of them: "


def database_tools(
    searcher: Searcher, collection: Collection, plan: Plan, *, marks_saved: bool = False
) -> list[SearchTool]:
    """One search tool per database (`search_pubmed` …); each search is logged and its hits are recorded. With
    `marks_saved` a record that is a source already is shown as such."""
    return [_make_tool(database, searcher, collection, plan, marks_saved) for database in searcher.databases]


def _make_tool(
    database: Database, searcher: Searcher, collection: Collection, plan: Plan, marks_saved: bool
) -> SearchTool:
    async def search(
        words: str,
        first: int | None = 1,
        names: Names = None,
        since: str | None = None,
        until: str | None = None,
        question: str | None = None,
    ) -> str:
        if len(words) + len(since or "") + len(until or "") > LONGEST or len("".join(names or ())) > LONGEST_NAMES:
            raise ToolError(f"too long: at most {LONGEST} characters of words, {LONGEST_NAMES:,} of names")
        wanted = tuple(filter(None, map(str.strip, names or ()))) or plan.names
        query = SearchQuery(
            names=wanted, required=_parse_required(words, wanted), since=since or None, until=until or None
        )
        key = question if question in plan.syllabus.keys else ""
        asked = await searcher.search_one(database, query, key)
        if asked.record.status is not SearchStatus.NONE or len(query.required) < 2:
            return await _describe_result(asked, max(1, first or 1), words, wanted, collection, marks_saved)
        some = await searcher.search_one(database, match_any_term(query), key)
        text = await _describe_result(some, max(1, first or 1), words, wanted, collection, marks_saved)
        return text if some.record.status is SearchStatus.NONE else f"{_NOT_ALL}{text}"

    search.__name__ = f"{SEARCH}{database.name}"
    search.__doc__ = f"Search {clip_text(database.scope, 160)}.{_MANUAL}"
    return search


def _parse_required(words: str, names: Sequence[str]) -> Required:
    try:
        return required_terms(words, names)
    except UsageError as exc:
        raise ToolError(f"{exc.message}; {exc.hint}") from exc


async def _describe_result(
    asked: SearchResult, first: int, words: str, names: tuple[str, ...], collection: Collection, marks_saved: bool
) -> str:
    record = asked.record
    if record.status is SearchStatus.FAILED:
        return (
            f"failed: {clip_text(record.reason, 160)}. This does not mean that there is nothing; try another database."
        )
    if record.status is not SearchStatus.FOUND or not record.hits:
        return _describe_no_record(record)
    chosen = record.hits[first - 1 : first - 1 + SHOWN]
    if not chosen:
        raise ToolError(f"there is no record {first}: this search returned {len(record.hits)}; search for other words")
    if asked.hits is None:
        found = await collection.find_hits(chosen)
    else:
        found = asked.hits[first - 1 : first - 1 + SHOWN]
    hits = [hit for hit in found if hit is not None]
    last = first + len(chosen) - 1
    more = f"; first={last + 1} shows the next" if last < len(record.hits) else ""
    again = "searched before; " if asked.hits is None else ""
    head = f"{again}{record.total} found, {first} to {last} of the best {len(record.hits)}{more}"
    saved = await collection.find_saved([hit.key for hit in hits]) if marks_saved else {}
    cards = await asyncio.to_thread(lambda: [write_card(hit, words, names, saved.get(hit.key, "")) for hit in hits])
    return "\n".join([head, *cards])


def _describe_no_record(record: SearchRecord) -> str:
    reason = f" ({clip_text(record.reason, 160)})" if record.reason else ""
    return f"none: {database_label(record.database)} has no record of this{reason}; try fewer or other words"
