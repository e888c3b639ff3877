"""Which drug a name means, and by which other names it goes."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from storm.models.base import Frozen
from storm.models.relation import Relation


class NameKind(StrEnum):
    """What kind of name a record calls it, the kinds that tell most first.

    `inn` stands for the international and the national generic names.
    """

    INN = "inn"
    SALT = "salt"
    BRAND = "brand"
    CODE = "code"
    OTHER = "other"


class DrugName(Frozen):
    """A name as a record writes it, of the kind that the record says or that follows from the field it stands in."""

    kind: NameKind
    text: str


class Related(Frozen):
    """A name of another product that is made of the drug or follows it; `hit` is the key of the record that says so."""

    relation: Relation
    text: str
    hit: str


class Candidate(Frozen):
    """A drug that the asked name may mean; `hits` are the keys of the records that say so."""

    name: str
    chembl: str | None = None
    hits: tuple[str, ...] = Field(min_length=1)


class DrugIdentity(Frozen):
    """What a name means. With several `candidates` and none `chosen` it is ambiguous, and nothing else is filled in.

    `matched` tells which record has the asked name, and as what kind of name; it is empty where none has. `generics`
    are the other national and international names; `brands` those of labels and licences, the one that most of them
    state first; `other_brands` those that only ChEMBL lists. `joined` are further records of the same substance, or of
    its salts, that were taken as the same drug.
    """

    asked: str
    matched: tuple[tuple[str, NameKind], ...] = ()
    inn: str | None = None
    generics: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    other_brands: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    chembl: str | None = None
    uniis: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    joined: tuple[Candidate, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    chosen: str | None = None

    @property
    def is_ambiguous(self) -> bool:
        """Whether the name may mean several drugs, so that the user must choose."""
        return len(self.candidates) > 1 and self.chosen is None

    @property
    def names(self) -> tuple[str, ...]:
        """What to look for, the surest first: the asked name, generic ones, brands of labels and licences, salts, codes
        and other brands, each once in any case.

        A name that another product has too is not among them.
        """
        others = {name.text.casefold() for name in self.related}
        generic = (*((self.inn,) if self.inn else ()), *self.generics)
        listed = (self.asked, *generic, *self.brands, *self.salts, *self.codes, *self.other_brands)
        first = {name.casefold(): name for name in reversed(listed)}
        own = dict.fromkeys(name.casefold() for name in listed)
        return tuple(first[key] for key in own if key == self.asked.casefold() or key not in others)
