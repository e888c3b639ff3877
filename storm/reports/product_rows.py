"""Rows of approvals, patents, and biosimilars and generics, from the records' own fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from storm.models import Approval, ApprovalFact, Hit, Holds, ProtectionFact, Relation, Source, database_info
from storm.models.publication import PATENT_LISTING
from storm.models.record_table import RecordRow
from storm.reports import table_wording as words
from storm.reports.expiries import describe_expiry
from storm.reports.record_cells import PlacedText, make_row, place_field

_EXCLUSIVITY = "Exclusivity listing"
#: What a listed patent covers, as the text of its listing says it.
_COVERED = ("drug substance: ", "drug product: ", "use code ")
#: Several dates of one entry, each with its products.
_DATED_PRODUCTS = re.compile(r"expiry date \S+ for products? ")
#: "a biosimilar to Herceptin", "biosimilar version of Roche's Herceptin".
_BIOSIMILAR_OF = re.compile(
    r"(?<!not a )(?<!not an )\b(?:biosimilars?|generics?|generic version|biosimilar version) (?:to|of|for) "
    r"(?:[\w.]+['’]s? )?(?:the )?(?:reference (?:product,? )?|(?:U\.?S\.?|EU)[- ](?:licensed|approved|authori[sz]ed) )?"
    r"([A-Z][A-Za-z]{3,})\b"
)
_REFERENCE_PRODUCT, _DELISTED = "its reference product is ", "its removal from the list was requested"


def list_approvals(approvals: Sequence[ApprovalFact], sources: Mapping[str, Source]) -> tuple[RecordRow, ...]:
    """The decisions at a glance, in their order: the drug's own by date, then those of related products."""
    return tuple(
        make_row(sources[one.source_id], [PlacedText(text, "field approvals") for text in _describe_approval(one)])
        for one in approvals
    )


def list_patents(sources: Sequence[Source], day: date) -> tuple[RecordRow, ...]:
    """Patents and exclusivities with their state on that day: the drug's own, then those of combination products, each
    with the last to expire first."""
    held = [source for source in sources if _is_protection(source.hit)]
    held.sort(key=lambda source: source.hit.external_id)
    held.sort(key=lambda source: source.hit.facts.last_day, reverse=True)
    held.sort(key=lambda source: source.relation is not Relation.ITSELF)
    return tuple(make_row(source, list(_patent_cells(source, day))) for source in held)


def list_biosimilars(sources: Sequence[Source], names: Sequence[str]) -> tuple[RecordRow, ...]:
    """Biosimilars and generics of the drug with these names by date: each decision on one, and labels of those
    without; each once."""
    copies: dict[tuple[str, ...], tuple[Source, Approval]] = {}
    for source in sources:
        for approval in source.hit.facts.approvals or (Approval(agency=""),):
            if _is_copy(source, approval):
                copies.setdefault(_key_of(source.hit, approval), (source, approval))
    ordered = sorted(copies.values(), key=lambda one: (one[1].date or "9999", one[1].product or one[0].hit.title))
    return tuple(make_row(source, list(_copy_cells(source, approval, names))) for source, approval in ordered)


def _describe_approval(approval: ApprovalFact) -> tuple[str | None, ...]:
    relation = "" if approval.relation is Relation.ITSELF else approval.relation.value
    kind = "; ".join(filter(None, (_kind_of_application(approval.number), relation)))
    return approval.agency, approval.product, approval.indication, approval.date, kind, approval.number


def _kind_of_application(number: str | None) -> str | None:
    """What the letters before an application's number say; None if there are none, or they are not the FDA's."""
    letters = (number or "").rstrip("0123456789 -").upper()
    return words.APPLICATIONS.get(letters)


def _is_protection(hit: Hit) -> bool:
    is_patent = database_info(hit.database).holds is Holds.PATENTS
    return is_patent or bool(hit.facts.last_day)


def _patent_cells(source: Source, day: date) -> Iterator[PlacedText]:
    hit = source.hit
    facts, patent = hit.facts, hit.publication.patent
    expiry = ProtectionFact(
        text=hit.title, expiry=facts.expiry, paediatric_expiry=facts.paediatric_expiry, source_id=source.source_id
    )
    state = describe_expiry(expiry, day) or facts.status or (patent.legal_status if patent else None)
    delisted = _DELISTED if _DELISTED in _split_details(hit) else ""
    yield place_field("external_id", _number_of(hit))
    yield place_field("publication_types", _kind_of_patent(source))
    yield place_field("country", (patent.country if patent else None) or facts.country)
    yield _read_holder(hit)
    yield place_field("expiry", facts.expiry)
    yield place_field("paediatric_expiry", facts.paediatric_expiry)
    yield _read_coverage(hit)
    yield place_field("expiry" if facts.last_day else "legal_status", "; ".join(filter(None, (state, delisted))))


def _read_holder(hit: Hit) -> PlacedText:
    """The applicants of a patent document, else the holder that a list or a patent record names."""
    patent = hit.publication.patent
    if patent and patent.applicants:
        return place_field("applicants", "; ".join(patent.applicants))
    if hit.facts.sponsor or database_info(hit.database).holds is not Holds.PATENTS:
        return place_field("sponsor", hit.facts.sponsor)
    return place_field("container", hit.container)  # the assignee of a patent


def _number_of(hit: Hit) -> str:
    """ "US 6340475" of a listing under its application, else the record's number."""
    listed = hit.external_id.partition("-")[2]
    if PATENT_LISTING in hit.publication_types and listed:
        return f"US {listed}"
    return words.EXCLUSIVITY.format(code=listed) if _EXCLUSIVITY in hit.publication_types else hit.external_id


def _kind_of_patent(source: Source) -> str:
    """ "Patent (B2)"; of a product that contains the drug, with that relation."""
    kind_of_document = _kind_of_document(source.hit)
    relation = "" if source.relation is Relation.ITSELF else source.relation.value
    return "; ".join(filter(None, (kind_of_document, relation)))


def _kind_of_document(hit: Hit) -> str:
    kind = hit.publication.patent.kind if hit.publication.patent else None
    types = ", ".join(hit.publication_types)
    return f"{types} ({kind})" if types and kind else kind or types


def _read_coverage(hit: Hit) -> PlacedText:
    """What a listing says that it covers; of a patent document its title."""
    if database_info(hit.database).holds is Holds.PATENTS:
        return PlacedText(hit.title, "title")
    covered = (part for part in _split_details(hit) if part.startswith(_COVERED) or _DATED_PRODUCTS.match(part))
    return PlacedText("; ".join(covered), "text")


def _split_details(hit: Hit) -> list[str]:
    """The parts of the sentence that describes an entry of the Orange or Purple Book."""
    return hit.text.partition(". Application number: ")[0].removesuffix(".").split("; ")


def _is_copy(source: Source, approval: Approval) -> bool:
    is_licence = database_info(source.hit.database).holds is Holds.LICENCES and not _is_protection(source.hit)
    return source.relation is Relation.BIOSIMILAR and bool(is_licence or approval.agency)


def _key_of(hit: Hit, approval: Approval) -> tuple[str, ...]:
    """One decision on one holder's product."""
    holder, product = hit.facts.sponsor or "", approval.product or hit.title
    return approval.agency.casefold(), product.casefold(), approval.date or "", holder.casefold()


def _copy_cells(source: Source, approval: Approval, names: Sequence[str]) -> Iterator[PlacedText]:
    hit = source.hit
    label = hit.publication.label
    kinds = [kind for kind in hit.publication_types if kind in ("Biosimilar", "Interchangeable")]
    application = _kind_of_application(approval.number)
    kind = "; ".join(filter(None, (*(kinds or [source.relation.value]), application)))
    yield place_field("approvals" if approval.product else "title", approval.product or hit.title)
    yield place_field("publication_types" if kinds else "approvals", kind)
    yield place_field("approvals", approval.agency)
    yield place_field("approvals", approval.number)
    yield place_field("sponsor", hit.facts.sponsor or (label.labeler if label else None))
    yield place_field("approvals", approval.date)
    yield _find_reference_product(hit, names)
    yield place_field("status", hit.facts.status)


def _find_reference_product(hit: Hit, names: Sequence[str]) -> PlacedText:
    """What a list of licences gives as the reference product, or a name of the drug that a record's words give."""
    for part in _split_details(hit):
        if part.startswith(_REFERENCE_PRODUCT):
            return PlacedText(part.removeprefix(_REFERENCE_PRODUCT), "text")
    known = {name.casefold() for name in names}
    for place, text in (("title", hit.title), ("text", hit.text)):
        for found in _BIOSIMILAR_OF.finditer(text):
            if found[1].casefold() in known:
                return PlacedText(found[1], place)
    return PlacedText(None, "text")
