"""A search and its three outcomes (2-architecture: failed is never told as none)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from storm.models.base import Frozen
from storm.models.database import database_label
from storm.models.hit import Hit


class SearchStatus(StrEnum):
    """How a search ended."""

    FOUND = "found"
    NONE = "none"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


def by_reason(failures: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names and why each failed, as a text a reason: `ChEMBL, openFDA (timed out)`."""
    names: dict[str, list[str]] = {}
    for name, reason in failures:
        names.setdefault(reason, []).append(name)
    return tuple(f"{', '.join(alike)} ({reason})" for reason, alike in names.items())


class SearchQuery(Frozen):
    """What is looked for: records that name the drug by any of `names`, and hold a phrase of each group of `required`.

    `words` only rank: records with them come first. Where there is nothing else, a record must hold one of them. All
    are plain terms; each database writes them in its own syntax, so user text is never parsed as a query.
    """

    names: tuple[str, ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None

    @model_validator(mode="after")
    def _require_condition(self) -> Self:
        if not (self.names or self.words or self.required) or not all(self.required):
            raise ValueError("a search needs a name or a word to look for, and each group of words at least one")
        return self

    @property
    def terms(self) -> str:
        """What must match and what ranks, without the names."""
        conditions = " AND ".join(_join_or(map(_quote_phrase, group), group) for group in self.required)
        return " + ".join(filter(None, (conditions, " ".join(self.words))))

    def __str__(self) -> str:
        names = " OR ".join(f'"{name}"' for name in self.names)
        if self.required and len(self.names) > 1:
            names = f"({names})"
        asked = (" AND " if self.required else " + ").join(filter(None, (names, self.terms)))
        only = f" in {', '.join(self.databases)}" if self.databases else ""
        span = f" {self.since or '…'}–{self.until or '…'}" if self.since or self.until else ""
        return asked + only + span


def _quote_phrase(term: str) -> str:
    return f'"{term}"' if " " in term else term


def _join_or(terms: Iterable[str], group: tuple[str, ...]) -> str:
    joined = " OR ".join(terms)
    return f"({joined})" if len(group) > 1 else joined


class SearchOutcome(Frozen):
    """What a database answered. `total` counts all that match, `hits` are those returned; `reason` says why not.

    `translated` is the query as the service says that it was searched, where it says so. `address` is what was asked
    first, without secrets; `answered` is when the oldest of its answers was given, which a cache may have kept since.
    `incomplete` is whether a part of the search failed beside what was found; `down`, whether other searches there
    would fail alike.
    """

    database: str
    query: str
    status: SearchStatus
    hits: tuple[Hit, ...] = ()
    total: int = 0
    reason: str = ""
    translated: str = ""
    address: str = ""
    answered: datetime | None = None
    incomplete: bool = False
    down: bool = False


class SearchRecord(Frozen):
    """One line of a job's search log."""

    database: str
    scope: str
    question: str
    query: str
    at: datetime
    status: SearchStatus
    total: int = 0
    hits: tuple[str, ...] = ()
    reason: str = ""
    translated: str = ""
    address: str = ""
    answered: datetime | None = None
    incomplete: bool = False

    @property
    def failed(self) -> bool:
        """Whether it, or a part of it, could not be searched: then it is worth asking again."""
        return self.incomplete or self.status is SearchStatus.FAILED

    @property
    def summary(self) -> str:
        """What came of it, in a line for whoever watches."""
        name = database_label(self.database)
        reason = f" ({self.reason})" if self.reason else ""
        if self.status is SearchStatus.FOUND:
            read = f", the best {len(self.hits)} read," if len(self.hits) < self.total else ""
            return f"{name}: {self.total}{read} for {self.query}{reason if self.incomplete else ''}"
        return f"{name}: {self.status}{reason} for {self.query}"
