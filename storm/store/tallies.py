"""What is known of a large collection when each of its entries was read once and forgotten."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping

from storm.models import citation_id
from storm.store.entries import StoredCitation, read_citations, read_sources
from storm.store.hits import strongest


class Tally:
    """How many things were counted, and the sum of their hashes: those of the same things are equal in any order."""

    def __init__(self) -> None:
        self._count = 0
        self._sum = 0

    @classmethod
    def of(cls, things: Collection[Hashable]) -> Tally:
        """The tally of these."""
        tally = cls()
        tally.add(things)
        return tally

    def add(self, things: Collection[Hashable]) -> None:
        """Count these, too."""
        self._count += len(things)
        self._sum += sum(map(hash, things))

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and (self._count, self._sum) == (other._count, other._sum)

    __hash__ = None  # type: ignore[assignment]


class SourceTally:
    """The sources of a job: their numbers, and what they say belongs to them."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.numbers = Counter[int]()
        self.swapped = 0
        self.identifiers = Tally()
        self.questions = defaultdict[str, Tally](Tally)
        self.cited: dict[str, str] = {}
        self.cited_twice: set[str] = set()

    def add(self, stored: Mapping[str, str]) -> list[str]:
        """Count these; the identifiers under which their records are looked up."""
        sources = dict(zip(stored, read_sources(stored.values()), strict=True))
        self.names.update(sources)
        self.numbers.update(source.number for source in sources.values())
        self.swapped += sum(source.source_id != name for name, source in sources.items())
        self.identifiers.add([(i, name) for name, source in sources.items() for i in source.identifiers])
        questions = defaultdict[str, list[str]](list)
        for name, source in sources.items():
            for question in source.questions:
                questions[question].append(name)
            for key in source.citation_ids:
                if self.cited.setdefault(key, name) != name:
                    self.cited_twice.add(key)
        for question, names in questions.items():
            self.questions[question].add(names)
        return [strongest(source.identifiers) for source in sources.values()]

    @property
    def most_common_number(self) -> tuple[int, int]:
        """A number, and how many sources have it: of all numbers the one that most have."""
        return max(self.numbers.items(), key=lambda pair: pair[1], default=(0, 0))

    @property
    def highest(self) -> int:
        """The highest number."""
        return max(self.numbers, default=0)

    def __len__(self) -> int:
        return len(self.names)


class CitationTally:
    """The citations of a job beside what its sources, which were all counted, say of them."""

    def __init__(self, sources: SourceTally, waiting: Collection[str]) -> None:
        self.listed = len(sources.cited.keys() | waiting)
        self.orphans: set[str] = set()
        self.lost = 0
        self.changed = 0
        self._count = 0
        self._names = sources.names
        self._waiting = set(waiting)
        self._missing_waiting = set(waiting)
        self._cited = dict(sources.cited)
        self._apart = set(sources.cited_twice)
        self._unbound: set[str] = set()

    def add(self, stored: Mapping[str, str]) -> None:
        """Count these."""
        for key, one in zip(stored, read_citations(stored.values()), strict=True):
            self._count += 1
            self.changed += not _is_of_its_words(key, one)
            self._missing_waiting.discard(key)
            if name := one.source_id:
                self._bind(key, name)
            else:
                self._unbound.add(key)
                self.lost += key not in self._waiting

    def _bind(self, key: str, name: str) -> None:
        if name not in self._names:
            self.orphans.add(name)
        if self._cited.pop(key, None) != name:
            self._apart.add(key)

    @property
    def gone(self) -> int:
        """How many are listed and are not there."""
        return len((self._cited.keys() - self._unbound) | self._missing_waiting)

    @property
    def apart(self) -> int:
        """How many are not listed where they say that they belong, or say something else than is listed."""
        return len(self._apart | (self._cited.keys() & self._unbound))

    def __len__(self) -> int:
        return self._count


def _is_of_its_words(key: str, stored: StoredCitation) -> bool:
    return key == stored.citation_id == citation_id(stored.identifier, stored.claim, stored.quote)
