"""Read ChEMBL's JSON: one Hit for a molecule, from its own record and the tables that describe it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from storm.databases.formats.fields import as_list, as_mapping, end_sentence, read_quantity, text_line, text_lines
from storm.errors import RecordError
from storm.models import DrugName, Hit, NameKind, RecordFacts, Retraction, Section, SectionKind

Row = Mapping[str, Any]

_URL = "https://www.ebi.ac.uk/chembl/explore/compound/{}"
#: ChEMBL's synonym types. Types that are not listed (systematic names, index entries) are not names that people write.
_KINDS = {
    "INN": NameKind.INN, "USAN": NameKind.INN, "BAN": NameKind.INN, "JAN": NameKind.INN, "FDA": NameKind.INN,
    "USP": NameKind.INN, "DCF": NameKind.INN, "TRADE_NAME": NameKind.BRAND, "RESEARCH_CODE": NameKind.CODE,
    "OTHER": NameKind.OTHER,
}  # fmt: skip
_PHASES = {0.5: "Early Phase 1", 1.0: "Phase 1", 2.0: "Phase 2", 3.0: "Phase 3", 4.0: "Phase 4"}
_BOXED = "black box warning"


class MoleculeTables(NamedTuple):
    """The rows of ChEMBL's tables about one molecule and its salts; `salts` holds molecule records."""

    salts: Sequence[Row] = ()
    mechanisms: Sequence[Row] = ()
    indications: Sequence[Row] = ()
    warnings: Sequence[Row] = ()


def molecule_id(molecule: Row) -> str:
    """The molecule's ChEMBL id, or empty."""
    return text_line(molecule.get("molecule_chembl_id")).upper()


def parent_id(molecule: Row) -> str:
    """The ChEMBL id of the molecule without its salt; the molecule's own id if it is not a salt or names no parent."""
    return text_line(as_mapping(molecule.get("molecule_hierarchy")).get("parent_chembl_id")).upper() or molecule_id(
        molecule
    )


def molecule_names(molecule: Row) -> tuple[DrugName, ...]:
    """The names in a molecule's record, the preferred one first, without case-insensitive duplicates."""
    preferred = text_line(molecule.get("pref_name"))
    names = [DrugName(kind=NameKind.INN, text=preferred)] if preferred else []
    for synonym in map(as_mapping, as_list(molecule.get("molecule_synonyms"))):
        kind = _KINDS.get(text_line(synonym.get("syn_type")).upper())
        text = text_line(synonym.get("molecule_synonym")) or text_line(synonym.get("synonyms"))
        names += [DrugName(kind=kind, text=text)] if kind and text else []
    return _drop_repeated_names(names)


def fold_all_names(molecule: Row) -> set[str]:
    """The molecule's id and all its synonyms of any type, folded, to check search results against."""
    names = [molecule.get("pref_name"), molecule.get("molecule_chembl_id")]
    for synonym in map(as_mapping, as_list(molecule.get("molecule_synonyms"))):
        names += [synonym.get("molecule_synonym"), synonym.get("synonyms")]
    return {folded for name in names if (folded := fold_name(text_line(name)))}


def fold_name(name: str) -> str:
    """The letters and digits of a name, case-folded, so that "BMS-354825" equals "bms 354825"."""
    return "".join(character for character in name.casefold() if character.isalnum())


def read_molecule(molecule: Row, tables: MoleculeTables) -> Hit | RecordError:
    """Convert a molecule to a Hit with its mechanism, indications and warnings."""
    number = molecule_id(molecule)
    if not number:
        return RecordError("not a molecule: it has no ChEMBL id")
    salts = [name for salt in tables.salts for name in _read_salt_names(salt)]
    names = _drop_repeated_names([*molecule_names(molecule), *salts])
    title = next((name.text for name in names), number)
    return Hit.of(
        "chembl",
        number,
        _URL.format(number),
        f"{title} ({number})" if title != number else number,
        sections=tuple(_write_sections(title, molecule, names, tables)),
        container="ChEMBL",
        publication_types=("Drug molecule",),
        drugs=tuple(name.text for name in names if name.kind is not NameKind.OTHER),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(
            drug_class=text_lines([row.get("mechanism_of_action") for row in tables.mechanisms]),
            targets=tuple(dict.fromkeys(target for row in tables.mechanisms if (target := _read_target(row)))),
            phase=_PHASES.get(read_quantity(molecule.get("max_phase")) or 0.0),
            boxed_warning="; ".join(_read_boxed_warnings(tables.warnings)) or None,
            names=names,
            substances=(title,) if title != number else (),
            parent=parent_id(molecule),
        ),
    )


def _drop_repeated_names(names: Iterable[DrugName]) -> tuple[DrugName, ...]:
    """Keep each name at its first position; if ChEMBL gives it several kinds, keep the most specific one."""
    kinds = tuple(NameKind)
    distinct: dict[str, DrugName] = {}
    for name in names:
        known = distinct.setdefault(name.text.casefold(), name)
        if kinds.index(name.kind) < kinds.index(known.kind):
            distinct[name.text.casefold()] = known.model_copy(update={"kind": name.kind})
    return tuple(distinct.values())


def _read_salt_names(salt: Row) -> Iterator[DrugName]:
    """A salt's generic names count as salts of the drug, its brands and codes as the drug's own."""
    for name in molecule_names(salt):
        yield DrugName(kind=NameKind.SALT, text=name.text) if name.kind is NameKind.INN else name


def _read_target(mechanism: Row) -> str:
    """`Programmed cell death protein 1` from `Programmed cell death protein 1 inhibitor`; empty if not of this form."""
    name, action = text_line(mechanism.get("mechanism_of_action")), text_line(mechanism.get("action_type"))
    return name[: -len(action)].strip() if action and name.casefold().endswith(action.casefold()) else ""


def _read_boxed_warnings(warnings: Sequence[Row]) -> Iterator[str]:
    boxed = [row for row in warnings if text_line(row.get("warning_type")).casefold() == _BOXED]
    yield from text_lines(
        [text_line(row.get("warning_description")) or text_line(row.get("warning_class")) for row in boxed]
    )


def _write_sections(title: str, molecule: Row, names: Sequence[DrugName], tables: MoleculeTables) -> Iterator[Section]:
    parts = {
        "SUMMARY": [_summarize_molecule(title, molecule)],
        "NAMES": list(_list_names(title, names)),
        "MECHANISM OF ACTION": [_describe_mechanism(title, row) for row in tables.mechanisms],
        "INDICATIONS": [_describe_indication(title, row) for row in tables.indications],
        "WARNINGS": [_describe_warning(title, row) for row in tables.warnings],
    }
    for label, sentences in parts.items():
        if text := "\n".join(dict.fromkeys(end_sentence(part) for part in sentences if part)):
            yield Section(label=label, text=text, kind=SectionKind.FIELD)


def _summarize_molecule(title: str, molecule: Row) -> str:
    kind = text_line(molecule.get("molecule_type"))
    phase = read_quantity(molecule.get("max_phase"))
    first = read_quantity(molecule.get("first_approval"))
    details = [kind[:1].lower() + kind[1:]] if kind and kind != "Unknown" else []
    if phase == 4:
        details.append("approved (maximum phase 4)")
    elif phase in _PHASES:
        details.append(f"maximum clinical phase {phase:g}")
    details += [f"first approval in {first:.0f}"] if first else []
    details += ["withdrawn in at least one country"] if molecule.get("withdrawn_flag") is True else []
    return f"{title} is listed by ChEMBL as {', '.join(details)}" if details else ""


def _list_names(title: str, names: Sequence[DrugName]) -> Iterator[str]:
    labels = {NameKind.BRAND: "Trade names", NameKind.CODE: "Research codes", NameKind.SALT: "Salts"}
    for kind, label in labels.items():
        if texts := [name.text for name in names if name.kind is kind]:
            yield f"{label} of {title}: {'; '.join(texts)}"


def _describe_mechanism(title: str, row: Row) -> str:
    mechanism = text_line(row.get("mechanism_of_action"))
    if not mechanism:
        return ""
    comment = text_line(row.get("mechanism_comment"))
    return f"Mechanism of action of {title}: {mechanism}{f' ({comment})' if comment else ''}"


def _describe_indication(title: str, row: Row) -> str:
    disease = text_line(row.get("mesh_heading")) or text_line(row.get("efo_term"))
    if not disease:
        return ""
    phase = read_quantity(row.get("max_phase_for_ind"))
    if phase == 4:
        return f"{title} is approved for {disease}"
    return f"{title} was studied in {disease}{f', up to phase {phase:g}' if phase in _PHASES else ''}"


def _describe_warning(title: str, row: Row) -> str:
    kind = text_line(row.get("warning_type"))
    if not kind:
        return ""
    what = text_line(row.get("warning_description")) or text_line(row.get("warning_class"))
    where = [part for part in (text_line(row.get("warning_country")), text_line(row.get("warning_year"))) if part]
    place = f" ({', '.join(where)})" if where else ""
    return f"{kind} of {title}{f': {what}' if what else ''}{place}"
