"""Names that drug databases cannot resolve: of no drug, of several, of a class, and short names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import yaml

from storm.config_file import ConfigFile
from storm.databases.formats.chembl import fold_name
from storm.errors import ConfigError
from storm.models.names import split_words

#: What stands in names beside letters and digits.
_IN_NAMES = frozenset(" -‐–/+,.()'’")
_LISTS = ("no_drug", "class_words")
_MAPPINGS = ("several", "classes", "short_names", "spellings")


class Breadth(StrEnum):
    """Why a name does not mean one drug."""

    NO_DRUG = "no drug"
    SEVERAL = "several substances"
    DRUG_CLASS = "a class of drugs"


class BroadName(NamedTuple):
    """A name that does not mean one drug, with example drugs."""

    breadth: Breadth
    examples: tuple[str, ...] = ()


class KnownNames(NamedTuple):
    """The names of the list; keys are folded. `short_names` maps to the short name as written and its full name."""

    no_drug: frozenset[str] = frozenset()
    several: Mapping[str, tuple[str, ...]] = {}
    classes: Mapping[str, tuple[str, ...]] = {}
    class_words: frozenset[str] = frozenset()
    short_names: Mapping[str, tuple[str, str]] = {}
    spellings: Mapping[str, tuple[str, ...]] = {}

    @property
    def drugs(self) -> frozenset[str]:
        """The drugs that the list names, as members of a class or by their full names; few of all that there are."""
        full = (name for _, name in self.short_names.values())
        members = (name for names in (*self.several.values(), *self.classes.values()) for name in names)
        return frozenset(name.casefold() for name in (*full, *members))

    def breadth_of(self, name: str) -> BroadName | None:
        """Why the name does not mean one drug; None if it may."""
        folded = _fold_singular(name)
        if folded in self.no_drug:
            return BroadName(Breadth.NO_DRUG)
        if folded in self.several:
            return BroadName(Breadth.SEVERAL, self.several[folded])
        last = _fold_singular((split_words(name) or [""])[-1])
        beside = (character for character in name if not character.isalnum())
        is_class = last in self.class_words and _IN_NAMES.issuperset(beside)
        if folded in self.classes or is_class:
            return BroadName(Breadth.DRUG_CLASS, self.classes.get(folded, ()))
        return None

    def full_name(self, name: str) -> str:
        """The full name of a short name; any other name unchanged."""
        return self.short_names.get(fold_name(name), ("", name))[1]

    def short_names_of(self, *names: str) -> tuple[str, ...]:
        """The unambiguous short names of a drug with these names: those with a digit or a hyphen."""
        wanted = set(map(fold_name, names))
        found = (short for short, full in self.short_names.values() if fold_name(full) in wanted)
        return tuple(short for short in found if not short.isalpha())

    def spellings_of(self, *names: str) -> tuple[str, ...]:
        """Other spellings of these drug names, from other countries or times."""
        return tuple(other for name in names for other in self.spellings.get(_fold_singular(name), ()))


NO_NAMES = KnownNames()


def read_known_names(path: Path) -> KnownNames:
    """Read the list; ConfigError naming file, line and key if the file has a mistake."""
    file = ConfigFile(path)
    root = file.root()
    if root is None:
        raise ConfigError(f"{path.name}: the file is empty")
    fields = file.fields(root, root, "", known=(*_LISTS, *_MAPPINGS), required=())

    def read_list(key: str) -> frozenset[str]:
        return (
            frozenset(map(_fold_singular, file.items(fields[key][1], key, file.text))) if key in fields else frozenset()
        )

    def read_pairs(key: str) -> list[tuple[str, yaml.Node]]:
        pairs = file.pairs(fields[key][1], key) if key in fields else []
        return [(str(name.value), node) for name, node in pairs]

    several, classes = (
        {_fold_singular(name): file.items(node, f"{key}.{name}", file.text) for name, node in read_pairs(key)}
        for key in ("several", "classes")
    )
    short_names = {
        fold_name(name): (name, file.text(node, f"short_names.{name}")) for name, node in read_pairs("short_names")
    }
    return KnownNames(
        read_list("no_drug"),
        several,
        classes,
        read_list("class_words"),
        short_names,
        _link_spellings(read_pairs("spellings"), file),
    )


def _link_spellings(pairs: Sequence[tuple[str, yaml.Node]], file: ConfigFile) -> dict[str, tuple[str, ...]]:
    """Each spelling with the other spellings of its drug."""
    groups = [(name, *file.items(node, f"spellings.{name}", file.text)) for name, node in pairs]
    return {
        _fold_singular(name): tuple(other for other in group if other != name) for group in groups for name in group
    }


def _fold_singular(name: str) -> str:
    folded = fold_name(name)
    return folded[:-1] if folded.endswith("s") and not folded.endswith("ss") else folded
