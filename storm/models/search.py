"""A search and the record of it; a failed search is never reported as an empty result."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Protocol, Self

from pydantic import field_validator, model_validator

from storm.models.base import Frozen
from storm.models.database import database_label

#: The search log's names for what belongs to no question: searches for the meaning of a drug's name, and look-ups of
#: what is known of the sources.
NAMES, CHECK = LOOK_UPS = ("names", "sources")
#: The most characters of a search in a database's own syntax.
MAX_NATIVE = 4_000
#: The database of articles on medicine.
PUBMED = "pubmed"
#: The database of web pages: what its searches return are not records of a database.
WEB = "web"


class SearchStatus(StrEnum):
    """How a search ended."""

    FOUND = "found"
    NONE = "none"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


#: How the reason of a search begins that was not sent, as earlier ones of its database failed or took too long.
NOT_QUERIED = "not queried"


class _Logged(Protocol):
    @property
    def question(self) -> str: ...

    @property
    def shared_with(self) -> tuple[str, ...]: ...

    @property
    def reason(self) -> str: ...


class LoggedSearch:
    """What can be asked of an entry of a search log."""

    def is_for(self: _Logged, question: str) -> bool:
        """Whether this question asked for the search."""
        return question in (self.question, *self.shared_with)

    def was_sent(self: _Logged) -> bool:
        """Whether the database was asked; after failures it is queried no further."""
        return not self.reason.startswith(NOT_QUERIED)


def group_by_reason(failures: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names grouped by the reason of their failure, one text per reason: `ChEMBL, openFDA (timed out)`."""
    names: dict[str, list[str]] = {}
    for name, reason in failures:
        names.setdefault(reason, []).append(name)
    return tuple(f"{', '.join(alike)} ({reason})" for reason, alike in names.items())


class SearchQuery(Frozen):
    """A search for records that name the drug by any of `names` and contain a phrase of each group of `required`.

    `words` only rank: records with them come first. A query of `words` alone matches records that contain one of them.
    All are plain terms that each database writes in its own syntax, so user text is never parsed as a query.
    `native` is the exception: the same search in the syntax of the one database in `databases`, which checks it before
    it is sent; the terms are for every other place, and for what fails the check. Only a role that writes searches, or
    the caller, may give it, and never text of a source. A longer one than `MAX_NATIVE` is kept one character longer, so
    that the check refuses it.
    `since` and `until` bound when a work was published; `changed_since` is the day (ISO) since which its record was
    entered or changed, for databases that can be searched by it.
    """

    names: tuple[str, ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    changed_since: str | None = None
    native: str = ""

    @field_validator("native")
    @classmethod
    def _join_lines(cls, value: str) -> str:
        return " ".join(value.split())[: MAX_NATIVE + 1]

    @model_validator(mode="after")
    def _require_condition(self) -> Self:
        if self.native and len(self.databases) != 1:
            raise ValueError("a search in a database's own syntax is for that one database")
        if not (self.names or self.words or self.required) or not all(self.required):
            raise ValueError("a search needs a name or a word to look for, and each group of words at least one")
        return self

    @property
    def terms(self) -> str:
        """The required and ranking words, without the names."""
        conditions = " AND ".join(_join_or(map(_quote_phrase, group), group) for group in self.required)
        return " + ".join(filter(None, (conditions, " ".join(self.words))))

    def __str__(self) -> str:
        names = " OR ".join(f'"{name}"' for name in self.names)
        if self.required and len(self.names) > 1:
            names = f"({names})"
        plain = (" AND " if self.required else " + ").join(filter(None, (names, self.terms)))
        asked = self.native or plain
        only = f" in {', '.join(self.databases)}" if self.databases else ""
        span = f" {self.since or '…'}–{self.until or '…'}" if self.since or self.until else ""
        changed = f", entered or changed since {self.changed_since}" if self.changed_since else ""
        return asked + only + span + changed


def _quote_phrase(term: str) -> str:
    return f'"{term}"' if " " in term else term


def _join_or(terms: Iterable[str], group: tuple[str, ...]) -> str:
    joined = " OR ".join(terms)
    return f"({joined})" if len(group) > 1 else joined


class SearchRecord(LoggedSearch, Frozen):
    """One entry of a job's search log. `question` asked for it first, `shared_with` are the others that did;
    `changed_since` is the day (ISO) since which records were searched for."""

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
    changed_since: str | None = None
    shared_with: tuple[str, ...] = ()

    @property
    def has_failed(self) -> bool:
        """Whether the search or part of it failed, so that it should be repeated."""
        return self.incomplete or self.status is SearchStatus.FAILED

    @property
    def summary(self) -> str:
        """The outcome in one line, for events."""
        name = database_label(self.database)
        reason = f" ({self.reason})" if self.reason else ""
        if self.status is SearchStatus.FOUND:
            read = f", the best {len(self.hits)} read," if len(self.hits) < self.total else ""
            return f"{name}: {self.total}{read} for {self.query}{reason if self.incomplete else ''}"
        return f"{name}: {self.status}{reason} for {self.query}"


def drop_unsent(searches: Iterable[SearchRecord]) -> list[SearchRecord]:
    """The searches that were sent to their database; of one to which none was, all."""
    every = list(searches)
    asked = {search.database for search in every if search.was_sent()}
    return [search for search in every if search.was_sent() or search.database not in asked]
