"""Read openFDA drug labels and Drugs@FDA applications: a search answer, one record, or JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import quote

from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, clean_text, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord, read_json_records
from storm.errors import RecordError
from storm.models import (
    Approval,
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
from storm.models.publication import DOCUMENTS_PUBLISHED

_LABEL_URL = "https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={}"
_APPLICATION_URL = "https://www.accessdata.fda.gov/scripts/cder/daf/index.cfm?event=overview.process&ApplNo={}"

#: The label sections that a dossier may quote, in the order of the printed label.
LABEL_SECTIONS = (
    "boxed_warning", "indications_and_usage", "dosage_and_administration", "dosage_forms_and_strengths",
    "contraindications", "warnings_and_cautions", "warnings", "precautions", "adverse_reactions", "drug_interactions",
    "use_in_specific_populations", "pregnancy", "pediatric_use", "geriatric_use", "overdosage", "description",
    "clinical_pharmacology", "mechanism_of_action", "pharmacodynamics", "pharmacokinetics", "nonclinical_toxicology",
    "clinical_studies", "how_supplied", "purpose", "active_ingredient", "do_not_use", "stop_use",
)  # fmt: skip
_LABEL_FIELDS = frozenset((*LABEL_SECTIONS, "set_id", "effective_time"))
_NAMES = ("brand_name", "generic_name", "substance_name")
#: A section's own heading ("5 WARNINGS AND PRECAUTIONS Cardiomyopathy …"), and the start of a subsection ("… heart
#: failure. 5.2 Embryo-Fetal Toxicity …"): openFDA joins both to the sentences around them.
_HEADING = re.compile(r"\A(\d{1,2} [A-Z][A-Z ,/&()-]{2,80}) (?=\d|[A-Z][a-z])")
_NUMBERED_PART = re.compile(r"(?<=[.\])]) (?=\d{1,2}\.\d{1,2} +[A-Z][a-z])")


def read_openfda(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the labels and applications of a file; other endpoints' answers and error bodies are errors."""
    for item in read_json_records(stream, "results"):
        yield item if isinstance(item, RecordError) else openfda_hit(item)


def openfda_hit(record: JsonRecord) -> Hit | RecordError:
    """Convert a label or application to a Hit; anything else is an error."""
    value = record.value
    if "error" in value:
        error = as_mapping(value["error"])
        reason = f"{text_line(error.get('code'))} {text_line(error.get('message'))}".strip()[:200]
        return RecordError(f"an error answer from openFDA: {reason or 'no reason given'}", position=record.position)
    if text_line(value.get("application_number")) and ("products" in value or "submissions" in value):
        return _read_application(value)
    if (text_line(value.get("set_id")) or text_line(value.get("id"))) and _LABEL_FIELDS & value.keys():
        return _read_label(value)
    return RecordError("not a label or drugsfda answer", position=record.position)


def _read_label(value: Mapping[str, Any]) -> Hit:
    """Convert a drug label to a Hit, identified by its set id."""
    known = mapping_at(value, "openfda")
    set_id = text_line(value.get("set_id")) or text_line(value.get("id"))
    names = _read_names(known)
    date = _read_date(value.get("effective_time"))
    return Hit.of(
        "openfda",
        set_id,
        _LABEL_URL.format(quote(set_id, safe="")),
        f"{_label_title(known) or set_id} label",
        sections=tuple(_read_label_sections(value)),
        year=year_of(date),
        date=date,
        container="openFDA drug label",
        publication_types=("Drug Label",),
        drugs=names,
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(
            drug_class=tuple(map(_strip_class_kind, text_lines(known.get("pharm_class_epc")))),
            targets=tuple(map(_strip_class_kind, text_lines(known.get("pharm_class_moa")))),
            sponsor=next(iter(text_lines(known.get("manufacturer_name"))), None),
            boxed_warning=" ".join(text_lines(value.get("boxed_warning"))) or None,
            names=_brand_names(text_lines(known.get("brand_name"))),
            substances=text_lines(known.get("substance_name")) or text_lines(known.get("generic_name")),
            uniis=text_lines(known.get("unii")),
        ),
        publication=Publication(label=_read_version(value, known, set_id, date)),
    )


def _read_version(value: Mapping[str, Any], known: Mapping[str, Any], set_id: str, date: str | None) -> LabelDetails:
    product = next(iter(_read_names(known)), None)
    labeler = next(iter(text_lines(known.get("manufacturer_name"))), None)
    version = text_line(value.get("version")) or None
    return LabelDetails(product=product, labeler=labeler, set_id=set_id, version=version, effective_date=date)


def _label_title(known: Mapping[str, Any]) -> str:
    """`HERCEPTIN (TRASTUZUMAB)`, or the only name."""
    brand = next(iter(text_lines(known.get("brand_name"))), "")
    other = next(
        iter(text_lines([*text_lines(known.get("generic_name")), *text_lines(known.get("substance_name"))])), ""
    )
    return f"{brand} ({other})" if brand and other and brand.lower() != other.lower() else brand or other


def _read_label_sections(value: Mapping[str, Any]) -> Iterator[Section]:
    for name in LABEL_SECTIONS:
        parts = [clean_text(part) for part in as_list(value.get(name)) or [value.get(name)]]
        parts = [_NUMBERED_PART.sub("\n\n", _HEADING.sub(r"\1\n\n", part, count=1)) for part in parts]
        if text := "\n\n".join(part for part in parts if part):
            yield Section(label=name.replace("_", " ").upper(), text=text, kind=SectionKind.LABEL)


def _read_names(known: Mapping[str, Any]) -> tuple[str, ...]:
    return text_lines([name for field in _NAMES for name in text_lines(known.get(field))])


def _brand_names(names: Iterable[str]) -> tuple[DrugName, ...]:
    return tuple(DrugName(kind=NameKind.BRAND, text=name) for name in names)


def _strip_class_kind(text: str) -> str:
    """`Kinase Inhibitor` for `Kinase Inhibitor [EPC]`."""
    return re.sub(r"(?:(?<!\s)\s+)?\[\w+\]$", "", text) or text


def _read_date(value: Any) -> str | None:
    return parse_date(text_line(value))


def _read_application(value: Mapping[str, Any]) -> Hit:
    """Convert a Drugs@FDA application, with its original approval, to a Hit; its text is generated from the fields."""
    number = text_line(value.get("application_number"))
    products = [as_mapping(item) for item in as_list(value.get("products"))]
    brands = text_lines([product.get("brand_name") for product in products])
    ingredients = text_lines(
        [as_mapping(item).get("name") for product in products for item in as_list(product.get("active_ingredients"))]
    )
    known = _read_names(mapping_at(value, "openfda"))
    sponsor = text_line(value.get("sponsor_name"))
    approved, kind = _find_original_approval(value)
    approval = Approval(agency="FDA", date=approved, product=next(iter(brands), None), number=number)
    name = ", ".join(brands[:3]) or next(iter(known), number)
    title = f"{name} ({', '.join(ingredients)})" if ingredients else name
    sentences = [
        _summarize_application(title, number, sponsor, approved, kind),
        *_describe_products(products),
        *_summarize_supplements(value),
        *_list_documents(value),
    ]
    return Hit.of(
        "openfda",
        number,
        _APPLICATION_URL.format(quote(re.sub(r"^\D+", "", number), safe="")),
        f"{title}: FDA application {number}",
        sections=(Section(text="\n".join(sentences), kind=SectionKind.FIELD),),
        year=year_of(approved),
        date=approved,
        container="Drugs@FDA",
        publication_types=("Regulatory record",),
        drugs=text_lines([*brands, *ingredients, *known]),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(
            sponsor=sponsor or None,
            approvals=(approval,) if approved else (),
            names=_brand_names(brands),
            substances=ingredients,
            uniis=text_lines(mapping_at(value, "openfda").get("unii")),
        ),
    )


def _find_original_approval(value: Mapping[str, Any]) -> tuple[str | None, str]:
    """The earliest date on which an original submission (ORIG) was approved (AP), and its kind, such as "Type 3 - New
    Dosage Form; priority review; orphan drug"; None and an empty text without one."""
    approved = [
        (date, item)
        for item in map(as_mapping, as_list(value.get("submissions")))
        if item.get("submission_type") == "ORIG" and item.get("submission_status") == "AP"
        if (date := _read_date(item.get("submission_status_date")))
    ]
    first = min((date for date, _ in approved), default=None)
    kinds = (kind for date, item in approved if date == first for kind in _list_kinds(item))
    return first, "; ".join(dict.fromkeys(kinds))


def _list_kinds(submission: Mapping[str, Any]) -> Iterator[str]:
    """What is stated of a submission: its class, its review, and whether it is of an orphan drug."""
    if described := text_line(submission.get("submission_class_code_description")):
        yield described
    if (review := text_line(submission.get("review_priority")).lower()) in ("priority", "standard"):
        yield f"{review} review"
    properties = map(as_mapping, as_list(submission.get("submission_property_type")))
    if any(text_line(one.get("code")).casefold() == "orphan" for one in properties):
        yield "orphan drug"


def _summarize_application(title: str, number: str, sponsor: str, approved: str | None, kind: str) -> str:
    summary = f"{title}, {number}" + (f", sponsor {sponsor}" if sponsor else "")
    approval = f"; original approval on {approved}" + (f" ({kind})" if kind else "")
    return f"{summary}{approval if approved else ''}."


def _describe_products(products: list[Mapping[str, Any]]) -> Iterator[str]:
    for product in products:
        brand = text_line(product.get("brand_name"))
        form, route, market = (text_line(product.get(field)) for field in ("dosage_form", "route", "marketing_status"))
        strengths = text_lines(
            [as_mapping(item).get("strength") for item in as_list(product.get("active_ingredients"))]
        )
        te_code = text_line(product.get("te_code"))
        equivalence = f"therapeutic equivalence code {te_code}" if te_code else ""
        listed = [
            words
            for field, words in (
                ("reference_drug", "reference listed drug"),
                ("reference_standard", "reference standard"),
            )
            if text_line(product.get(field)).casefold() == "yes"
        ]
        parts = [part for part in (form, route, ", ".join(strengths), market, equivalence, *listed) if part]
        if brand and parts:
            yield f"Product {text_line(product.get('product_number'))}: {brand}; {'; '.join(parts)}."


def _list_documents(value: Mapping[str, Any]) -> Iterator[str]:
    """The last document of each kind that the agency has published, such as the label, with its date."""
    documents = (
        as_mapping(document)
        for submission in map(as_mapping, as_list(value.get("submissions")))
        for document in as_list(submission.get("application_docs"))
    )
    latest: dict[str, str] = {}
    for document in documents:
        kind, date = text_line(document.get("type")), _read_date(document.get("date"))
        if kind and date:
            latest[kind] = max(date, latest.get(kind, ""))
    if latest:
        yield f"{DOCUMENTS_PUBLISHED}{'; '.join(f'{kind} of {day}' for kind, day in latest.items())}."


def _summarize_supplements(value: Mapping[str, Any]) -> Iterator[str]:
    approved = [
        date
        for item in map(as_mapping, as_list(value.get("submissions")))
        if item.get("submission_type") == "SUPPL" and item.get("submission_status") == "AP"
        if (date := _read_date(item.get("submission_status_date")))
    ]
    if approved:
        yield f"Supplements approved: {len(approved)}, the last on {max(approved)}."
