"""A drug as records describe it: its names with the records that state them, and which records share a substance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from storm.databases.formats.chembl import fold_name
from storm.databases.identity.substance_names import is_ester_or_salt, is_form_of, same_substance, strip_salt
from storm.models import Candidate, Hit, NameKind, Relation

#: The kinds of names, the strongest first.
STRENGTH = tuple(NameKind)


class NameStatement(NamedTuple):
    """A record's statement that a drug has this name."""

    kind: NameKind
    text: str
    record: str
    licensed: bool


@dataclass
class KnownDrug:
    """A substance, or a combination of several, with its names and records.

    `is_stated` is whether a record says that `inn` is a generic name; else it is just the first name.
    """

    inn: str
    relation: Relation | None = None
    of: frozenset[str] = frozenset()
    names: dict[str, list[NameStatement]] = field(default_factory=dict)
    chembl: str | None = None
    uniis: dict[str, None] = field(default_factory=dict)
    hits: dict[str, None] = field(default_factory=dict)
    joined: list[Candidate] = field(default_factory=list)
    is_stated: bool = True

    def add_name(self, kind: NameKind, text: str, hit: Hit) -> None:
        if folded := fold_name(text):
            statement = NameStatement(kind, text, hit.key, licensed=hit.database != "chembl")
            self.names.setdefault(folded, []).append(statement)
        self.hits[hit.key] = None

    def join_record(self, other: KnownDrug) -> None:
        """Merge another record of the substance, or one of its salts."""
        salt = fold_name(other.inn)
        for folded, own in other.names.items():
            is_salt = folded == salt != fold_name(self.inn)
            statements = [one._replace(kind=NameKind.SALT) if is_salt else one for one in own]
            self.names.setdefault(folded, []).extend(statements)
        self.uniis |= other.uniis
        self.hits |= other.hits
        self.joined.append(other.candidate)

    def sort_key(self, substance: str) -> tuple[bool, bool, int, str, str]:
        """Sorts the records of a substance: the one without a salt first, then the molecule registered first."""
        number = self.chembl or ""
        return fold_name(self.inn) != substance, not number, len(number), number, self.inn

    @property
    def candidate(self) -> Candidate:
        return Candidate(name=self.inn, chembl=self.chembl, hits=tuple(self.hits))

    def strongest_statement(self, folded: str) -> NameStatement | None:
        """The strongest statement about a name, or None."""
        return min(self.names.get(folded, ()), key=lambda statement: STRENGTH.index(statement.kind), default=None)

    def kind_of(self, folded: str) -> NameKind | None:
        """The kind of a name of the drug, stated or derived; None if the drug has no such name."""
        statement = self.strongest_statement(folded)
        return (
            NameKind.INN if self.is_stated and folded == fold_name(self.inn) else statement.kind if statement else None
        )

    def names_of_kind(self, kind: NameKind) -> tuple[str, ...]:
        main_names = self.chembl_ids | {fold_name(self.inn)}
        statements = (
            statement
            for folded in self.names
            if folded not in main_names and (statement := self.strongest_statement(folded))
        )
        return tuple(statement.text for statement in statements if statement.kind is kind)

    def count_licences(self, text: str) -> int:
        """The number of labels and licences that use this name."""
        return len({statement.record for statement in self.names[fold_name(text)] if statement.licensed})

    @property
    def generic_names(self) -> frozenset[str]:
        """The names by which a combination or a biosimilar refers to it."""
        named = (folded for folded in self.names if self.kind_of(folded) in (NameKind.INN, NameKind.SALT))
        return frozenset((fold_name(self.inn), *named))

    @property
    def choice_names(self) -> frozenset[str]:
        """The names and ids by which a user may choose it."""
        return self.generic_names | self.chembl_ids | {fold_name(strip_salt(self.inn))}

    @property
    def chembl_ids(self) -> frozenset[str]:
        """The folded ChEMBL ids of its records; empty for a record without one."""
        return frozenset(fold_name(number or "") for number in (self.chembl, *(one.chembl for one in self.joined)))


def join_forms(drugs: Sequence[KnownDrug]) -> list[KnownDrug]:
    """Merge the records of one substance.

    They share a generic name except for a salt or hydrate; or one states the other's international name, and its own is
    a form of that; or one is the substance's only ester or salt and both have a
    generic name in common.
    """
    alike: dict[str, list[KnownDrug]] = {}
    for drug in drugs:
        substance = same_substance(drug.inn) if drug.relation is None and drug.is_stated else None
        alike.setdefault(substance or f"{id(drug)}", []).append(drug)
    for substance, group in alike.items():
        group.sort(key=lambda one: one.sort_key(substance))
        for other in group[1:]:
            group[0].join_record(other)
    return _join_single_esters(_join_stated_forms([group[0] for group in alike.values()]))


def _join_stated_forms(drugs: Sequence[KnownDrug]) -> list[KnownDrug]:
    """Merge a record with the one drug whose name it states as its international name, if its own is a form of that."""
    single = [drug for drug in drugs if drug.relation is None and drug.is_stated]
    joined = []
    for form in single:
        stated = {name for name in form.names if form.kind_of(name) is NameKind.INN}
        named = (one for one in single if one is not form and one not in joined and fold_name(one.inn) in stated)
        drugs_meant = [one for one in named if same_substance(one.inn) and is_form_of(form.inn, one.inn)]
        if len(drugs_meant) == 1:
            drugs_meant[0].join_record(form)
            joined.append(form)
    return [drug for drug in drugs if drug not in joined]


def _join_single_esters(drugs: Sequence[KnownDrug]) -> list[KnownDrug]:
    """Merge a substance with its only ester; several esters are different drugs."""
    single = [drug for drug in drugs if drug.relation is None and drug.is_stated]
    esters: dict[str, list[KnownDrug]] = {}
    for one in single:
        bases = [
            base.inn
            for base in single
            if is_ester_or_salt(one.inn, base.inn) and one.generic_names & base.generic_names
        ]
        if bases:
            esters.setdefault(max(bases, key=len), []).append(one)
    joined = []
    for base in sorted(single, key=lambda drug: -len(drug.inn)):
        own = esters.get(base.inn, [])
        if len(own) == 1:
            base.join_record(own[0])
            joined.append(own[0])
    return [drug for drug in drugs if drug not in joined]
