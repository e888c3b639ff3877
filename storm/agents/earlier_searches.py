"""Searches that were made before: how a prompt shows them, and by what one is known again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from storm.agents.fencing import fence_text, plain_line
from storm.models import SearchQuery

#: Characters of a search in a prompt.
_SHOWN = 100


def describe_searches(queries: Iterable[SearchQuery], room: int) -> str:
    """The latest of these searches, in at most so many characters."""
    kept: list[str] = []
    for query in reversed(list(queries)):
        line = plain_line(query.native or query.terms, _SHOWN)
        if sum(map(len, kept)) + len(line) > room:
            break
        kept.append(line)
    return fence_text("\n".join(reversed(kept)), "earlier searches") if kept else ""


def search_key(query: SearchQuery) -> tuple[frozenset[Any], ...]:
    """What a query looks for besides the names, whatever the order and the capitals of its words."""
    groups = frozenset(frozenset(term.casefold() for term in group) for group in query.required)
    native = query.native.casefold().replace("(", " ").replace(")", " ")
    return groups, frozenset(word.casefold() for word in query.words), frozenset(native.split())
