"""Which drug a name means, by the records of drug databases: its international name, brands, salts, codes and ids.

A pure function over Hits, so that live answers and a local corpus are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from storm.databases.formats.chembl import folded_name
from storm.models import PRODUCT_DATABASES, Candidate, DrugIdentity, DrugName, Hit, NameKind, Related, Relation

#: Words after a substance's name that make a salt, ester or hydrate of it.
_SALTS = frozenset((
    "acetate", "anhydrous", "benzoate", "besilate", "besylate", "bitartrate", "bromide", "calcium", "carbonate",
    "chloride", "citrate", "dihydrate", "dihydrochloride", "dimeglumine", "disodium", "esylate", "fumarate",
    "gluconate", "hcl", "hemihydrate", "hydrobromide", "hydrochloride", "hydroxide", "lactate", "magnesium",
    "malate", "maleate", "meglumine", "mesilate", "mesylate", "monohydrate", "monosodium", "nitrate", "oxalate",
    "pamoate", "phosphate", "potassium", "sodium", "succinate", "sulfate", "sulphate", "tartrate", "tosilate",
    "tosylate", "trihydrate", "tromethamine",
))  # fmt: skip
_JOINED = re.compile(r"\s+and\s+|\s*[;/+&]\s*|,\s+", re.I)
#: What the FDA adds to the names of biological products since 2017: four letters without meaning.
_SUFFIX = re.compile(r"(?<=\w{4})-[a-z]{4}$", re.I)


@dataclass
class _Drug:
    """A substance, or a combination of several: what it is called, and by which records."""

    inn: str
    relation: Relation | None = None
    of: frozenset[str] = frozenset()
    names: dict[str, DrugName] = field(default_factory=dict)
    stated: dict[str, str] = field(default_factory=dict)
    chembl: str | None = None
    uniis: dict[str, None] = field(default_factory=dict)
    hits: dict[str, None] = field(default_factory=dict)

    def add(self, kind: NameKind, text: str, hit: Hit) -> None:
        folded = folded_name(text)
        if folded and folded not in self.names:
            self.names[folded] = DrugName(kind=kind, text=text)
            self.stated[folded] = hit.key
        self.hits[hit.key] = None

    def of_kind(self, kind: NameKind) -> tuple[str, ...]:
        own = (folded_name(self.inn), folded_name(self.chembl or ""))
        return tuple(name.text for folded, name in self.names.items() if name.kind is kind and folded not in own)


def resolve(asked: str, hits: Iterable[Hit], choice: str | None = None) -> DrugIdentity:
    """What `asked` means by these records. Where it may mean several drugs, they are the candidates.

    `choice` is the name or the ChEMBL id of the candidate that the user chose. The order of hits changes nothing.
    """
    drugs = _drugs(hits)
    wanted = folded_name(asked)
    matching = [drug for drug in drugs if wanted and wanted in drug.names]
    generic = [drug for drug in matching if drug.names[wanted].kind is NameKind.INN]
    meant = generic or matching
    candidates = tuple(
        Candidate(name=drug.inn, chembl=drug.chembl, hits=tuple(drug.hits)) for drug in meant if len(meant) > 1
    )
    if candidates and choice is not None:
        chosen = folded_name(choice)
        meant = [drug for drug in meant if chosen in (folded_name(drug.inn), folded_name(drug.chembl or ""))]
    if len(meant) != 1:
        return DrugIdentity(asked=asked, candidates=candidates)
    return _identity(asked, meant[0], drugs).model_copy(
        update={"candidates": candidates, "chosen": meant[0].inn if candidates else None}
    )


def _identity(asked: str, drug: _Drug, drugs: Sequence[_Drug]) -> DrugIdentity:
    wanted = folded_name(asked)
    return DrugIdentity(
        asked=asked,
        matched=((drug.stated[wanted], drug.names[wanted].kind),),
        inn=drug.inn,
        brands=drug.of_kind(NameKind.BRAND),
        salts=drug.of_kind(NameKind.SALT),
        codes=drug.of_kind(NameKind.CODE),
        others=(*drug.of_kind(NameKind.INN), *drug.of_kind(NameKind.OTHER)),
        chembl=drug.chembl,
        uniis=tuple(drug.uniis),
        related=tuple(_related(drug, drugs)),
    )


def _related(drug: _Drug, drugs: Sequence[_Drug]) -> Iterator[Related]:
    """The names of products that are made of the drug, or follow it, and are not the drug."""
    own = folded_name(drug.inn)
    word = re.compile(rf"(?<!\w){re.escape(drug.inn)}(?!\w)", re.I)
    for other in drugs:
        derived = Relation.DERIVATIVE if word.search(other.inn) else None
        relation = other.relation if own in other.of else derived
        if other is not drug and relation:
            for text in (other.inn, *other.of_kind(NameKind.BRAND), *other.of_kind(NameKind.SALT)):
                yield Related(relation=relation, text=text, hit=other.stated[folded_name(text)])


def _drugs(hits: Iterable[Hit]) -> list[_Drug]:
    """The drugs that the records are about; molecules first, since products are joined to them by their names."""
    found = _Found()
    products = {hit.key: hit for hit in hits if hit.database in PRODUCT_DATABASES}
    about = [products[key] for key in sorted(products)]
    for hit in about:
        if hit.database == "chembl":
            found.add_molecule(hit)
    licensed = [(hit, *_parts(hit)) for hit in about if hit.database != "chembl"]
    plain = {folded_name(_base(part)) for _, parts, _ in licensed for part in parts if not _SUFFIX.search(part)}
    plain |= {folded for drug in found.drugs for folded in drug.names}
    for hit, parts, brands in licensed:
        if len(parts) == 1:
            found.add_product(hit, parts[0], brands, plain)
    for hit, parts, brands in licensed:
        if len(parts) > 1:
            found.add_combination(hit, parts, brands)
    return found.drugs


def _parts(hit: Hit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The substances of a product and its brands; of a record that does not say which is which, by how names look.

    The books of the FDA list trade names first; elsewhere a generic name is the one that is all in lower case.
    """
    listed, brands = hit.facts.substances, tuple(n.text for n in hit.facts.names if n.kind is NameKind.BRAND)
    if not listed and hit.database in ("orangebook", "purplebook"):
        listed, brands = hit.drugs[-1:], hit.drugs[:-1] if len(hit.drugs) == 2 else ()
    elif not listed:
        listed = tuple(name for name in hit.drugs if name.islower())
        brands = tuple(name for name in hit.drugs if name not in listed)
    parts = (part.strip() for text in listed for part in _JOINED.split(text))
    first = {folded_name(_base(part)): part for part in parts if folded_name(part)}
    return tuple(first.values()), brands


def _base(name: str) -> str:
    """The substance without what makes a salt of it: `imatinib` of `imatinib mesylate`; `sodium chloride` stays."""
    words = name.split()
    while len(words) > 1 and words[-1].casefold().strip("()") in _SALTS:
        words.pop()
    return name if words[0].casefold() in _SALTS else " ".join(words)


class _Found:
    def __init__(self) -> None:
        self.drugs: list[_Drug] = []

    def add_molecule(self, hit: Hit) -> None:
        names = hit.facts.names or tuple(DrugName(kind=NameKind.OTHER, text=name) for name in hit.drugs)
        inn = next(iter(hit.facts.substances), "") or (names[0].text if names else hit.external_id)
        drug = _Drug(inn, chembl=hit.facts.parent or hit.external_id)
        drug.add(NameKind.INN, inn, hit)
        for name in names:
            drug.add(name.kind, name.text, hit)
        drug.add(NameKind.OTHER, drug.chembl or hit.external_id, hit)
        self.drugs.append(drug)

    def add_product(self, hit: Hit, substance: str, brands: Sequence[str], plain: Collection[str]) -> None:
        """One substance; a suffixed name that is also used without the suffix is a biological product of its own."""
        base = _base(substance)
        bare = _SUFFIX.sub("", base)
        follows = bare != base and folded_name(bare) in plain
        drug = self._called(base if follows else bare, hit)
        if follows:
            drug.relation, drug.of = Relation.BIOSIMILAR, frozenset({folded_name(bare)})
        if folded_name(substance) != folded_name(drug.inn):
            drug.add(NameKind.SALT if base != substance else NameKind.OTHER, substance, hit)
        self._add_brands(drug, hit, brands)
        if len(hit.facts.uniis) == 1:
            drug.uniis[hit.facts.uniis[0]] = None

    def add_combination(self, hit: Hit, parts: Sequence[str], brands: Sequence[str]) -> None:
        drug = self._called(" and ".join(sorted(parts, key=str.casefold)), hit)
        drug.relation = Relation.COMBINATION
        drug.of = frozenset(folded_name(_SUFFIX.sub("", _base(part))) for part in parts)
        self._add_brands(drug, hit, brands)

    def _add_brands(self, drug: _Drug, hit: Hit, brands: Sequence[str]) -> None:
        for brand in brands:
            drug.add(NameKind.BRAND, brand, hit)

    def _called(self, name: str, hit: Hit) -> _Drug:
        """The drug with that generic name or salt, made if there is none."""
        folded = folded_name(name)
        for drug in self.drugs:
            known = drug.names.get(folded)
            if known and known.kind is not NameKind.BRAND:
                drug.hits[hit.key] = None
                return drug
        drug = _Drug(name)
        drug.add(NameKind.INN, name, hit)
        self.drugs.append(drug)
        return drug
