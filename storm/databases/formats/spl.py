"""Read DailyMed's drug labels: Structured Product Labeling (SPL, an HL7 version 3 document)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import quote

from lxml import etree

from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import text_line, text_lines
from storm.databases.formats.xml_records import read_xml
from storm.databases.formats.xml_text import collapse_spaces, local_name, text_of, write_superscript
from storm.errors import RecordError
from storm.models import (
    DrugName,
    Hit,
    LabelDetails,
    NameKind,
    Publication,
    RecordFacts,
    Retraction,
    Section,
    SectionKind,
)

#: The web page of a label.
LABEL_URL = "https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={}"
#: LOINC codes of the sections that are read, and openFDA's names for these sections.
SECTIONS = {
    "34066-1": "BOXED WARNING", "34067-9": "INDICATIONS AND USAGE", "34068-7": "DOSAGE AND ADMINISTRATION",
    "43678-2": "DOSAGE FORMS AND STRENGTHS", "34070-3": "CONTRAINDICATIONS", "43685-7": "WARNINGS AND CAUTIONS",
    "34071-1": "WARNINGS", "42232-9": "PRECAUTIONS", "34084-4": "ADVERSE REACTIONS", "34073-7": "DRUG INTERACTIONS",
    "43684-0": "USE IN SPECIFIC POPULATIONS", "42228-7": "PREGNANCY", "34081-0": "PEDIATRIC USE",
    "34082-8": "GERIATRIC USE", "34088-5": "OVERDOSAGE", "34089-3": "DESCRIPTION", "34090-1": "CLINICAL PHARMACOLOGY",
    "43679-0": "MECHANISM OF ACTION", "43681-6": "PHARMACODYNAMICS", "43682-4": "PHARMACOKINETICS",
    "43680-8": "NONCLINICAL TOXICOLOGY", "34092-7": "CLINICAL STUDIES", "34069-5": "HOW SUPPLIED",
    "55105-1": "PURPOSE", "55106-9": "ACTIVE INGREDIENT", "50570-1": "DO NOT USE", "50566-9": "STOP USE",
    "42229-5": "",
}  # fmt: skip
_LOINC = "2.16.840.1.113883.6.1"
_UNII = "2.16.840.1.113883.4.9"
#: The code of "marketing" (NCI Thesaurus), in contrast to samples and exports.
_MARKETING = "C53292"
_ACTIVE = ("ACTIB", "ACTIM", "ACTIR")
_BLOCKS = frozenset({"paragraph", "list", "item", "table", "thead", "tbody", "tfoot", "tr", "caption", "br", "title"})
_CELLS = frozenset({"td", "th"})
_DROPPED = frozenset({"renderMultiMedia", "footnote", "footnoteRef", "col", "colgroup"})


def read_spl(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the label in a document; RecordError if the document is broken or not a label."""
    return read_xml(stream, "a drug label (SPL)", ("document",), ("document",), _read_label)


def _read_label(document: etree._Element) -> Hit:
    set_id = _read_attribute(document, "{*}setId", "root")
    if not set_id:
        raise RecordError("not a drug label: it has no set id")
    products = document.findall(".//{*}manufacturedProduct/{*}manufacturedProduct")
    brands = text_lines([_read_product_name(product) for product in products])
    actives = [part for product in products for part in product.findall("{*}ingredient") if _is_active(part)]
    substances = text_lines([text_of(part.find("{*}ingredientSubstance/{*}name")) for part in actives])
    generics = text_lines([text_of(name) for name in document.iterfind(".//{*}genericMedicine/{*}name")])
    sections = tuple(_join_by_label(_read_sections(document)))
    date = parse_date(_read_attribute(document, "{*}effectiveTime", "value"))
    labeler = text_of(document.find("{*}author//{*}representedOrganization/{*}name")) or None
    return Hit.of(
        "dailymed",
        set_id,
        LABEL_URL.format(quote(set_id, safe="")),
        _label_title(brands, substances or generics, text_of(document.find("{*}title")) or set_id),
        sections=sections,
        year=year_of(date),
        date=date,
        container="DailyMed drug label",
        publication_types=("Drug Label",),
        drugs=text_lines([*brands, *generics, *substances]),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(
            sponsor=labeler,
            boxed_warning=next((" ".join(s.text.split()) for s in sections if s.label == "BOXED WARNING"), None),
            names=tuple(DrugName(kind=NameKind.BRAND, text=brand) for brand in brands),
            substances=substances,
            uniis=text_lines([_read_unii(part) for part in actives]),
            marketed_since=_read_marketing_start(document),
        ),
        publication=Publication(
            label=LabelDetails(
                product=next(iter((*brands, *generics)), None),
                labeler=labeler,
                set_id=set_id,
                version=_read_attribute(document, "{*}versionNumber", "value") or None,
                effective_date=date,
            ),
        ),
    )


def _label_title(brands: tuple[str, ...], substances: tuple[str, ...], otherwise: str) -> str:
    """`Gleevec (IMATINIB MESYLATE) label`: the first brand and at most three substances."""
    named = ", ".join(substances[:3]) + (", …" if len(substances) > 3 else "")
    if brands and named and brands[0].casefold() != named.casefold():
        return f"{brands[0]} ({named}) label"
    return f"{(brands[0] if brands else named) or otherwise} label"


def _read_product_name(product: etree._Element) -> str:
    """`TRIAMINIC Childrens Night Time`: the name and its suffix, with a space between them."""
    name = product.find("{*}name")
    if name is None:
        return ""
    return collapse_spaces(" ".join([name.text or "", *(text_of(child) for child in name.iterfind("{*}suffix"))]))


def _is_active(ingredient: etree._Element) -> bool:
    return text_line(ingredient.get("classCode")) in _ACTIVE


def _read_unii(ingredient: etree._Element) -> str:
    """The UNII of the substance, which may be a salt."""
    code = ingredient.find(f"{{*}}ingredientSubstance/{{*}}code[@codeSystem='{_UNII}']")
    return "" if code is None else text_line(code.get("code"))


def _read_marketing_start(document: etree._Element) -> str | None:
    """The earliest day on which one of the products was first marketed."""
    acts = document.iterfind(f".//{{*}}marketingAct/{{*}}code[@code='{_MARKETING}']/..")
    days = (parse_date(_read_attribute(act, "{*}effectiveTime/{*}low", "value")) for act in acts)
    return min(filter(None, days), default=None)


def _read_attribute(element: etree._Element, path: str, attribute: str) -> str:
    child = element.find(path)
    return "" if child is None else text_line(child.get(attribute))


def _join_by_label(sections: Iterator[Section]) -> Iterator[Section]:
    """Join sections with the same label, in order of first appearance."""
    texts: dict[str, list[str]] = {}
    for section in sections:
        texts.setdefault(section.label, []).append(section.text)
    for label, parts in texts.items():
        yield Section(label=label, text="\n\n".join(dict.fromkeys(parts)), kind=SectionKind.LABEL)


def _read_sections(parent: etree._Element) -> Iterator[Section]:
    body = parent.find("{*}component/{*}structuredBody")
    for section in () if body is None else body.iterfind("{*}component/{*}section"):
        yield from _read_section(section, "")


def _read_section(section: etree._Element, inside: str) -> Iterator[Section]:
    """Read a section and its subsections; a subsection without a known code belongs to the enclosing section."""
    label = SECTIONS.get(_read_code(section))
    title = text_of(section.find("{*}title"))
    if label == "" or (label is None and inside):
        label = inside or title.upper()
    if label is not None and (text := _read_text(section, title)):
        yield Section(label=label, text=text)
    for part in section.iterfind("{*}component/{*}section"):
        yield from _read_section(part, label or "")


def _read_code(section: etree._Element) -> str:
    code = section.find(f"{{*}}code[@codeSystem='{_LOINC}']")
    return "" if code is None else text_line(code.get("code"))


def _read_text(section: etree._Element, title: str) -> str:
    """The title and the section's own text, one paragraph per paragraph, list item or table row."""
    text = section.find("{*}text")
    flow = "" if text is None else "".join(_collect_text(text))
    rows = [row for part in flow.split("\n") if (row := collapse_spaces(part).strip("| "))]
    return "\n\n".join([title, *rows] if title and rows else rows)


def _collect_text(element: etree._Element) -> Iterator[str]:
    yield " ".join((element.text or "").split("\n"))
    for child in element:
        yield from _collect_child(child)
        yield " ".join((child.tail or "").split("\n"))


def _collect_child(child: etree._Element) -> Iterator[str]:
    name = local_name(child)
    if not name or name in _DROPPED:
        return
    if name == "sup":
        yield write_superscript("".join(_collect_text(child)))
    elif name in _CELLS:
        yield from _collect_text(child)
        yield " | "
    elif name in _BLOCKS:
        yield "\n"
        yield from _collect_text(child)
        yield "\n"
    else:
        yield from _collect_text(child)
