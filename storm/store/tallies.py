"""Counts of a large collection, from reading each entry once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from storm.models import citation_id
from storm.store.entries import StoredCitation, read_citations, read_sources
from storm.store.key_reader import CheckedSources


class SourceTally:
    """Counts of a job's sources, and of how far the indexes agree: `misfiled` sources are kept under the id of another,
    `resolved_identifiers` lead to their source, `indexed` sources are in the sets of their questions, and sources
    `without_record` have none among the hits."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.numbers = Counter[int]()
        self.misfiled = 0
        self.identifiers = self.resolved_identifiers = self.without_record = 0
        self.questions = Counter[str]()
        self.indexed = Counter[str]()
        self.cited: dict[str, str] = {}
        self.cited_twice: set[str] = set()

    def add_sources(self, part: CheckedSources) -> None:
        """Count these sources."""
        sources = read_sources(part.stored.values())
        self.names.update(part.stored)
        self.numbers.update(source["number"] for source in sources)
        self.misfiled += sum(source["source_id"] != name for name, source in zip(part.stored, sources, strict=True))
        self.identifiers += sum(len(source["identifiers"]) for source in sources)
        self.questions.update(question for source in sources for question in source["questions"])
        for name, source in zip(part.stored, sources, strict=True):
            for key in source["citation_ids"]:
                if self.cited.setdefault(key, name) != name:
                    self.cited_twice.add(key)
        self.without_record += part.without_record
        self.resolved_identifiers += part.resolved_identifiers
        self.indexed.update(part.indexed)

    @property
    def most_common_number(self) -> tuple[int, int]:
        """The number that most sources have, and how many have it."""
        return max(self.numbers.items(), key=lambda pair: pair[1], default=(0, 0))

    @property
    def highest_number(self) -> int:
        """The highest number."""
        return max(self.numbers, default=0)

    def __len__(self) -> int:
        return len(self.names)


class CitationTally:
    """Counts of a job's citations, compared with those that its sources list once all of both are counted."""

    def __init__(self, sources: SourceTally, waiting: Collection[str]) -> None:
        self.changed = 0
        self._sources = sources
        self._waiting = frozenset(waiting)
        self._source_ids: dict[str, str] = {}

    def add_citations(self, stored: Mapping[str, str]) -> None:
        """Count these citations."""
        for key, one in zip(stored, read_citations(stored.values()), strict=True):
            self.changed += not _matches_its_id(key, one)
            self._source_ids[key] = one["source_id"]

    @property
    def expected(self) -> int:
        """How many should exist."""
        return len(self._sources.cited.keys() | self._waiting)

    @property
    def missing(self) -> int:
        """How many are listed but do not exist."""
        return len((self._sources.cited.keys() | self._waiting) - self._source_ids.keys())

    @property
    def orphans(self) -> int:
        """How many sources they name that do not exist."""
        return len(set(self._source_ids.values()) - self._sources.names - {""})

    @property
    def sourceless(self) -> int:
        """How many name no source, and wait for none."""
        return sum(not name and key not in self._waiting for key, name in self._source_ids.items())

    @property
    def mismatched(self) -> int:
        """How many name a source other than the one that lists them."""
        cited = self._sources.cited
        mismatched = {key for key, name in self._source_ids.items() if cited.get(key, "") != name}
        return len(self._sources.cited_twice | mismatched)

    def __len__(self) -> int:
        return len(self._source_ids)


def _matches_its_id(key: str, stored: StoredCitation) -> bool:
    return key == stored["citation_id"] == citation_id(stored["identifier"], stored["claim"], stored["quote"])
