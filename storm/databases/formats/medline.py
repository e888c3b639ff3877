"""Read PubMed's MEDLINE text (.nbib)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from Bio import Medline

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import name_contributor, stands_for_others, write_short_name
from storm.databases.formats.bibliography import find_isbn, find_issn, locate_article
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.records import GuardedStream, hit_or_error
from storm.databases.formats.retractions import Link, is_notice, judge_retraction
from storm.databases.formats.tagged_text import MAX_RECORD_BYTES, Block, read_blocks
from storm.databases.formats.titles import best_title
from storm.databases.formats.xml_text import collapse_spaces
from storm.errors import RecordError
from storm.models import BookDetails, Contributor, Hit, Publication, find_trials
from storm.models.identifiers import normalize_pmid

_FIELD = re.compile(r"[A-Z][A-Z0-9]{1,3} *- ?")
_LINKS = {
    "RIN": "RetractionIn",
    "ROF": "RetractionOf",
    "RRI": "RetractedandRepublishedIn",
    "RRF": "RetractedandRepublishedFrom",
    "PRIN": "PartialRetractionIn",
    "PROF": "PartialRetractionOf",
    "ECI": "ExpressionOfConcernIn",
    "ECF": "ExpressionOfConcernFor",
    "EIN": "ErratumIn",
    "EFR": "ErratumFor",
    "CRI": "CorrectedandRepublishedIn",
    "CRF": "CorrectedandRepublishedFrom",
}

Fields = Mapping[str, list[str]]


def read_medline(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the records of a MEDLINE text, in UTF-8 or else Windows-1252."""
    guarded = GuardedStream(stream, MAX_RECORD_BYTES)
    try:
        if not re.search(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?PMID- ", guarded.peek_head()):
            raise RecordError("not MEDLINE text: no line begins with PMID-")
        for block in read_blocks(guarded, _begins_record, lambda line: not line):
            yield hit_or_error(_read_record, block, f"line {block.line}")
    except RecordError as exc:
        yield exc


def _begins_record(line: bytes, lines: list[bytes]) -> bool:
    return line.startswith(b"PMID-") and any(before.startswith((b"PMID-", b"\xef\xbb\xbfPMID-")) for before in lines)


def _read_record(block: Block) -> Hit:
    record = _read_fields(block)
    pmid = normalize_pmid(_first_value(record, "PMID"))
    if pmid is None:
        raise RecordError("the record has no PMID")
    title = best_title(_first_value(record, "TI"), _first_value(record, "TT")) or _first_value(record, "BTI")
    if not title:
        raise RecordError("the record has no title", position=f"PMID {pmid}")
    types = publication_types(record.get("PT", ()))
    abstract = _first_value(record, "AB") or _first_value(record, "OAB")
    date = parse_date(_first_value(record, "DP"))
    state = judge_retraction(title, types, _read_links(record), checked=True)
    own_doi = not is_notice(types) and not _is_chapter(record)
    return Hit.of(
        "pubmed",
        pmid,
        f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        title,
        pmcid=_first_value(record, "PMC") or None,
        doi=_find_doi(record) if own_doi else None,
        sections=abstract_sections([("", abstract)]),
        authors=_read_authors(record),
        year=year_of(date),
        date=date,
        container=_first_value(record, "TA")
        or _first_value(record, "JT")
        or (_first_value(record, "BTI") if _is_chapter(record) else None),
        publication_types=types,
        headings=tuple(_read_headings(record)),
        trials=find_trials("\n".join([*record.get("SI", ()), title, abstract])),
        retraction=state.retraction,
        notices=state.notices,
        publication=_read_publication(record),
    )


def _read_fields(block: Block) -> Fields:
    """Read each tag's values; wrapped lines are unfolded first, as Bio.Medline joins the lines of some tags."""
    if not _FIELD.match(block.lines[0]):
        raise RecordError("the record does not begin with a tag")
    lines: list[str] = []
    for line in block.lines:
        if _FIELD.match(line):
            lines.append(line)
        else:
            lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
    record = next(iter(Medline.parse(lines)))  # type: ignore[no-untyped-call]
    return {
        tag: [text for value in ([values] if isinstance(values, str) else values) if (text := collapse_spaces(value))]
        for tag, values in record.items()
    }


def _first_value(record: Fields, tag: str) -> str:
    return next(iter(record.get(tag, ())), "")


def _read_headings(record: Fields) -> Iterable[str]:
    """The descriptors without their qualifiers: `*Breast Neoplasms/drug therapy` marks the main topic by a star."""
    return dict.fromkeys(heading.partition("/")[0].strip("* ") for heading in record.get("MH", ()))


def _is_chapter(record: Fields) -> bool:
    return bool(_first_value(record, "BTI") and _first_value(record, "TI"))


def _find_doi(record: Fields) -> str | None:
    values = " ".join([*record.get("AID", ()), *record.get("LID", ())])
    match = re.search(r"(10\.\S{1,300}) \[doi\]", values)
    return match[1] if match else None


def _read_authors(record: Fields) -> tuple[str, ...]:
    people = record.get("AU") or [write_short_name(_split_full_name(name)) for name in record.get("FAU", ())]
    return (*people, *record.get("CN", ()))


def _read_publication(record: Fields) -> Publication:
    volume = _first_value(record, "VI") or None
    # Without a volume, the publisher's id does not say where an article is found.
    own = re.search(r"(\S{1,100}) \[pii\]", _first_value(record, "LID")) if volume else None
    location = locate_article(_first_value(record, "PG"), own[1] if own else "")
    return Publication(
        authors=_read_people(record),
        authors_complete=False if any(map(stands_for_others, record.get("AU", ()))) else None,
        journal=_first_value(record, "JT") or None,
        journal_abbreviation=_first_value(record, "TA") or None,
        volume=volume,
        issue=_first_value(record, "IP") or None,
        pages=location.pages,
        article_number=location.article_number,
        issn=_read_issn(_first_value(record, "IS")),
        language=_first_value(record, "LA") or None,
        publisher=_first_value(record, "PB") or None,
        place=_first_value(record, "PL") or None if _first_value(record, "BTI") else None,  # else the journal's country
        book=_read_book(record),
    )


def _read_book(record: Fields) -> BookDetails | None:
    if not (title := _first_value(record, "BTI")):
        return None
    editors = tuple(map(_split_full_name, record.get("FED", ())))
    return BookDetails(title=title, editors=editors, isbn=find_isbn(_first_value(record, "ISBN").split()))


def _read_issn(text: str) -> str | None:
    """The printed journal's, or else another: `0094-2405 (Print) 1546-1696 (Electronic)`."""
    printed = re.search(r"(\S{9}) \(Print\)", text)
    return find_issn([printed[1] if printed else "", text])


def _read_people(record: Fields) -> tuple[Contributor, ...]:
    """The authors by their full names, then the groups; a record with short names alone does not part them."""
    full, short = ([name for name in record.get(tag, ()) if not stands_for_others(name)] for tag in ("FAU", "AU"))
    pairs = zip(full, short if len(short) == len(full) else [""] * len(full), strict=True)
    people = [_split_full_name(name, abbreviated) for name, abbreviated in pairs]
    return (*people, *(Contributor(collective=group) for group in record.get("CN", ())))


def _split_full_name(name: str, short: str = "") -> Contributor:
    """The parts of `Gebhard, Carl 3rd`; the short name (`Gebhard C 3rd`) tells initials and suffix."""
    family, _, given = (part.strip() for part in name.partition(","))
    _, _, behind = short.partition(f"{family} ")
    initials, _, suffix = behind.partition(" ")
    person = name_contributor(family, given.removesuffix(f" {suffix}") if suffix else given, initials, suffix)
    return person if person and given else Contributor(collective=name)


def _read_links(record: Fields) -> Iterable[Link]:
    for tag, kind in _LINKS.items():
        for value in record.get(tag, ()):
            reference, _, pmid = value.partition("PMID:")
            yield Link(kind, reference.strip(), pmid.strip().rstrip("."))
