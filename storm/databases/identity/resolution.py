"""Resolves a name to a drug by the records of drug databases: its generic names, brands, salts, codes and ids.

Pure functions over Hits, so that live answers and a local corpus are handled alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from storm.databases.formats.chembl import fold_name
from storm.databases.identity.known_drug import STRENGTH, KnownDrug, join_forms
from storm.databases.identity.substance_names import may_be_salt, strip_suffix, substance_of, substances_in
from storm.models import DrugIdentity, DrugName, Hit, NameKind, Related, Relation, database_info


class _Product(NamedTuple):
    """A label or licence: its substances, its brands, and its suffixed name if it has one."""

    hit: Hit
    parts: tuple[str, ...]
    brands: tuple[str, ...]
    suffixed: str | None

    @property
    def brand_keys(self) -> frozenset[str]:
        """Its folded brands, except those that only repeat the substance."""
        return frozenset(map(fold_name, self.brands)) - {fold_name(strip_suffix(part)) for part in self.parts}


def resolve_drug(asked: str, hits: Iterable[Hit], choice: str | None = None) -> DrugIdentity:
    """The drug that `asked` means by these records; if it may mean several, they are the candidates.

    `choice` is the name or ChEMBL id of the candidate that the user chose. The order of the hits does not matter.
    """
    wanted = fold_name(asked)
    drugs = _collect_drugs(wanted, hits)
    matching = [drug for drug in drugs if wanted and drug.kind_of(wanted)]
    meant = [drug for drug in matching if drug.kind_of(wanted) is NameKind.INN] or matching
    candidates = tuple(drug.candidate for drug in meant if len(meant) > 1)
    if candidates and choice is not None:
        chosen = fold_name(choice)
        meant = [drug for drug in meant if chosen in drug.choice_names]
    if len(meant) != 1:
        return DrugIdentity(asked=asked, candidates=candidates)
    return _build_identity(asked, meant[0], drugs).model_copy(
        update={"candidates": candidates, "chosen": meant[0].inn if candidates else None}
    )


def drugs_named_after(asked: str, hits: Iterable[Hit]) -> tuple[str, ...]:
    """The generic names that contain the name as a word, if there are several and none equals it: "interferon" is not a
    drug beside interferon alfa-2a and beta-1a."""
    wanted = fold_name(asked)
    drugs = [drug for drug in _collect_drugs(wanted, hits) if drug.relation is None]
    if not wanted or any(drug.kind_of(wanted) for drug in drugs):
        return ()
    named = sorted({drug.inn for drug in drugs if re.search(rf"(?<!\w){re.escape(asked)}(?!\w)", drug.inn, re.I)})
    return tuple(named) if len(named) > 1 else ()


def _build_identity(asked: str, drug: KnownDrug, drugs: Sequence[KnownDrug]) -> DrugIdentity:
    statement = drug.strongest_statement(fold_name(asked))
    brands = drug.names_of_kind(NameKind.BRAND)
    return DrugIdentity(
        asked=asked,
        matched=((statement.record, statement.kind),) if statement else (),
        inn=drug.inn,
        generics=drug.names_of_kind(NameKind.INN),
        brands=tuple(
            sorted(filter(drug.count_licences, brands), key=lambda text: (-drug.count_licences(text), text.casefold()))
        ),
        other_brands=tuple(text for text in brands if not drug.count_licences(text)),
        salts=drug.names_of_kind(NameKind.SALT),
        codes=drug.names_of_kind(NameKind.CODE),
        others=drug.names_of_kind(NameKind.OTHER),
        chembl=drug.chembl,
        uniis=tuple(drug.uniis),
        joined=tuple(drug.joined),
        related=tuple(_find_related(drug, drugs)),
    )


def _find_related(drug: KnownDrug, drugs: Sequence[KnownDrug]) -> Iterator[Related]:
    """The names of products that contain the drug or copy it, but are not the drug."""
    for other in drugs:
        if relation := _relation_of(drug, other):
            kinds = (NameKind.INN, NameKind.BRAND, NameKind.SALT)
            for text in (other.inn, *(text for kind in kinds for text in other.names_of_kind(kind))):
                statement = other.strongest_statement(fold_name(text))
                yield Related(
                    relation=relation, text=text, hit=statement.record if statement else next(iter(other.hits))
                )


def _relation_of(drug: KnownDrug, other: KnownDrug) -> Relation | None:
    """The relation of the other drug to this one; None for the drug itself and for unrelated drugs."""
    if other is drug:
        return None
    if drug.generic_names & other.of:
        return other.relation
    if may_be_salt(other.inn, drug.inn):
        return None
    return Relation.DERIVATIVE if re.search(rf"(?<!\w){re.escape(drug.inn)}(?!\w)", other.inn, re.I) else None


def _collect_drugs(wanted: str, hits: Iterable[Hit]) -> list[KnownDrug]:
    """The drugs that the records are about; molecules are read first, since products join them by name."""
    unique = {
        (hit.key, hit.drugs, hit.facts.model_dump_json()): hit for hit in hits if database_info(hit.database).is_product
    }
    product_hits = [unique[key] for key in sorted(unique)]
    stated = {
        wanted,
        *(fold_name(part) for hit in product_hits for name in _all_names(hit) for part in substances_in(name)),
    }
    molecules = [hit for hit in product_hits if hit.database == "chembl"]
    molecules.sort(key=lambda hit: (hit.facts.parent not in (None, hit.external_id), not _stated_generic(hit)))
    products = [_read_product(hit, stated) for hit in product_hits if hit.database != "chembl"]
    collector = _DrugCollector(stated, _find_copies(molecules, products), products)
    for hit in molecules:
        collector.add_molecule(hit)
    for hit in molecules:
        collector.add_copies(hit)
    for product in products:
        if len(product.parts) == 1:
            collector.add_product(product)
    for product in products:
        if len(product.parts) > 1:
            collector.add_combination(product)
    drugs = join_forms(collector.drugs)
    _remove_foreign_brands(drugs, wanted)
    return drugs


def _remove_foreign_brands(drugs: Sequence[KnownDrug], wanted: str) -> None:
    """Remove from a molecule the brands that labels and licences give to another product.

    The `wanted` name also stays with an unrelated molecule: then the user must say which is meant.
    """
    owners: dict[str, list[KnownDrug]] = {}
    for drug in drugs:
        for folded, statements in drug.names.items():
            if any(statement.licensed and statement.kind is NameKind.BRAND for statement in statements):
                owners.setdefault(folded, []).append(drug)
    for drug in drugs:
        for folded, statements in list(drug.names.items()):
            others = [owner for owner in owners.get(folded, ()) if folded != wanted or _relation_of(drug, owner)]
            if others and not any(
                statement.licensed or statement.kind is not NameKind.BRAND for statement in statements
            ):
                del drug.names[folded]


def _all_names(hit: Hit) -> Iterator[str]:
    yield from (*hit.drugs, *hit.facts.substances, *(name.text for name in hit.facts.names))


def _generic_names(molecule: Hit) -> list[str]:
    kinds = (NameKind.INN, NameKind.OTHER)
    return [*molecule.facts.substances, *(name.text for name in molecule.facts.names if name.kind in kinds)]


def _stated_generic(molecule: Hit) -> str:
    """The generic name that a molecule's record states, else its only name or one in lower case; else empty."""
    facts = molecule.facts
    named = (name.text for name in facts.names if name.kind is NameKind.INN)
    plain = (name for name in molecule.drugs if not facts.names and (name.islower() or len(molecule.drugs) == 1))
    return next((name for name in (*facts.substances, *named, *plain) if name), "")


def _read_product(hit: Hit, stated: Collection[str]) -> _Product:
    """A product with its substances and brands; where the record does not separate them, by the form of the names.

    The FDA's books list trade names first; elsewhere a name in lower case is generic.
    """
    listed, brands = hit.facts.substances, tuple(n.text for n in hit.facts.names if n.kind is NameKind.BRAND)
    if not listed and hit.database in ("orangebook", "purplebook"):
        listed, brands = hit.drugs[-1:], hit.drugs[:-1] if len(hit.drugs) == 2 else ()
    elif not listed:
        listed = tuple(name for name in hit.drugs if name.islower())
        brands = tuple(name for name in hit.drugs if name not in listed)
    first: dict[str, str] = {}
    for part in (part for text in listed for part in substances_in(text) if fold_name(part)):
        first.setdefault(fold_name(strip_suffix(substance_of(part, stated))), part)
    parts = tuple(first.values())
    cores = {fold_name(strip_suffix(part)) for part in parts if len(parts) == 1}
    suffixed = (
        name for name in (*parts, *hit.drugs) if strip_suffix(name) != name and fold_name(strip_suffix(name)) in cores
    )
    return _Product(hit, parts, brands, next(suffixed, None))


def _find_copies(molecules: Iterable[Hit], products: Sequence[_Product]) -> Mapping[str, str]:
    """The folded suffixed names of copies, each with the name of its reference product.

    The Purple Book states the copies. Elsewhere a copy's substance is also sold without a suffix, or with another one,
    under a different brand: the first product of a substance may have a suffix of its own.
    """
    suffixed = [product.suffixed for product in products if product.suffixed]
    suffixed += [name for hit in molecules for name in _generic_names(hit) if strip_suffix(name) != name]
    core = {fold_name(name): fold_name(strip_suffix(name)) for name in suffixed}
    types: dict[str, set[str]] = {name: set() for name in core}
    brands: dict[str, frozenset[str]] = dict.fromkeys(core, frozenset())
    for product in products:
        if product.suffixed:
            name = fold_name(product.suffixed)
            types[name].update(product.hit.publication_types)
            brands[name] |= product.brand_keys
    declared = {name for name in core if "Biosimilar" in types[name]}
    first = {name for name in core if "Licensed biological product" in types[name]}
    plain = [p for p in products if len(p.parts) == 1 and not p.suffixed]

    def follows_another(name: str) -> bool:
        others = (other for other in core if other != name and other not in declared)
        rivals = (fold_name(p.parts[0]) for p in plain if not p.brand_keys & brands[name])
        return core[name] in (*(core[other] for other in others), *rivals)

    return {name: core[name] for name in core if name in declared or (name not in first and follows_another(name))}


class _DrugCollector:
    """Collects drugs from records one by one; `copies` are the names of products that copy another."""

    def __init__(self, stated: Collection[str], copies: Mapping[str, str], products: Iterable[_Product]) -> None:
        self.drugs: list[KnownDrug] = []
        self._stated = stated
        self._copies = copies
        self._copied: dict[str, str] = {}
        for product in products:
            if product.suffixed and fold_name(product.suffixed) in copies:
                for brand in product.brand_keys:
                    self._copied.setdefault(brand, product.suffixed)

    def add_molecule(self, hit: Hit) -> None:
        """Add a molecule and its names, except those of its copies."""
        names = hit.facts.names or tuple(DrugName(kind=NameKind.OTHER, text=name) for name in hit.drugs)
        generic = _stated_generic(hit)
        inn = generic or (names[0].text if names else hit.external_id)
        number = hit.facts.parent or hit.external_id
        drug = next((drug for drug in self.drugs if drug.chembl == number), None)
        if drug is None:
            drug = KnownDrug(inn, chembl=number, is_stated=bool(generic))
            self.drugs.append(drug)
        own = fold_name(drug.inn)
        for name in (*([DrugName(kind=NameKind.INN, text=inn)] if generic else []), *names):
            folded = fold_name(name.text)
            is_salt = name.kind is NameKind.INN and folded != own == fold_name(substance_of(name.text, (own,)))
            if folded == own or folded not in self._copies:
                drug.add_name(NameKind.SALT if is_salt else name.kind, name.text, hit)
        drug.add_name(NameKind.OTHER, number, hit)

    def add_copies(self, hit: Hit) -> None:
        """Add the copies among a molecule's names, each as a drug of its own."""
        for name in _generic_names(hit):
            if fold_name(name) in self._copies:
                self._copy_of(name).add_name(NameKind.INN, name, hit)

    def add_product(self, product: _Product) -> None:
        """Add a label or licence of one substance; one that shares its brand with a copy is that copy."""
        hit, substance = product.hit, product.parts[0]
        brands = sorted(product.brand_keys & self._copied.keys())
        name = self._copied[brands[0]] if brands else product.suffixed or ""
        if fold_name(name) in self._copies:
            drug, own = self._copy_of(name), {fold_name(name)}
        else:
            core = strip_suffix(substance)
            drug = self._find_drug(fold_name(core)) or self._find_or_add(substance_of(core, self._stated))
            own = {fold_name(text) for text in (drug.inn, substance, name)}
        for text in dict.fromkeys((substance, *(text for text in hit.drugs if text not in product.brands))):
            if fold_name(text) in own:
                drug.add_name(self._kind_of(drug, text), text, hit)
        self._add_brands(drug, product)
        if len(hit.facts.uniis) == 1:
            drug.uniis[hit.facts.uniis[0]] = None

    def add_combination(self, product: _Product) -> None:
        """Add a label or licence of several substances, whatever their order."""
        hit = product.hit
        bare = [substance_of(part, self._stated) for part in product.parts]
        drug = self._find_or_add(" and ".join(sorted(bare, key=str.casefold)))
        drug.relation = Relation.COMBINATION
        drug.of = frozenset(fold_name(strip_suffix(part)) for part in bare)
        drug.hits[hit.key] = None
        for text in hit.drugs:
            if text not in product.brands and len(substances_in(text)) > 1:
                drug.add_name(NameKind.INN, text, hit)
        self._add_brands(drug, product)

    def _kind_of(self, drug: KnownDrug, name: str) -> NameKind:
        """The kind of name by which a product names its substance."""
        known = drug.kind_of(fold_name(name))
        if known and known is not NameKind.BRAND:
            return known
        return NameKind.SALT if substance_of(name, self._stated) != name else NameKind.INN

    def _add_brands(self, drug: KnownDrug, product: _Product) -> None:
        """Add a product's brands; a product sold under its substance's name has no brand of that name."""
        for brand in product.brands:
            folded = fold_name(brand)
            known = drug.kind_of(folded)
            if folded not in drug.of or drug.relation is not Relation.BIOSIMILAR:
                drug.add_name(known if known in (NameKind.INN, NameKind.SALT) else NameKind.BRAND, brand, product.hit)

    def _copy_of(self, name: str) -> KnownDrug:
        drug = self._find_or_add(name)
        drug.relation, drug.of = Relation.BIOSIMILAR, frozenset({self._copies[fold_name(name)]})
        return drug

    def _find_drug(self, folded: str) -> KnownDrug | None:
        """The drug with that name, brands excepted; among several the one whose generic name it is."""
        named = [drug for drug in self.drugs if drug.kind_of(folded) not in (None, NameKind.BRAND)]
        return min(named, key=lambda drug: STRENGTH.index(drug.kind_of(folded) or NameKind.OTHER), default=None)

    def _find_or_add(self, name: str) -> KnownDrug:
        """The drug with that name, created if missing."""
        found = self._find_drug(fold_name(name))
        if found is None:
            found = KnownDrug(name)
            self.drugs.append(found)
        return found
