"""The drug that a name means, and its other names."""

from pydantic import Field

from storm.models.base import Frozen
from storm.models.name_kind import NameKind
from storm.models.relation import Relation


class DrugName(Frozen):
    """A name as a record writes it; the kind is stated by the record or follows from the field."""

    kind: NameKind
    text: str


class Related(Frozen):
    """The name of another product that contains or copies the drug; `hit` is the key of the record that says so."""

    relation: Relation
    text: str
    hit: str


class Candidate(Frozen):
    """A drug that the requested name may mean; `hits` are the keys of the records that say so."""

    name: str
    chembl: str | None = None
    hits: tuple[str, ...] = Field(min_length=1)


class DrugIdentity(Frozen):
    """What a name means. With several `candidates` and none `chosen` it is ambiguous, and no other field is filled.

    `matched` lists the records that have the requested name, and as what kind of name. `generics` are the other
    national and international names; `brands` are those of labels and licences, the most frequent first;
    `other_brands` are those that only ChEMBL lists. `joined` are further records of the same substance, or of its
    salts, that count as the same drug.
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
        """The names to search for, most reliable first: the requested name, generic names, brands of labels and
        licences, salts, codes and other brands, each once regardless of case.

        Names that another product shares are left out.
        """
        others = {name.text.casefold() for name in self.related}
        generic = (*((self.inn,) if self.inn else ()), *self.generics)
        listed = (self.asked, *generic, *self.brands, *self.salts, *self.codes, *self.other_brands)
        first = {name.casefold(): name for name in reversed(listed)}
        own = dict.fromkeys(name.casefold() for name in listed)
        return tuple(first[key] for key in own if key == self.asked.casefold() or key not in others)
