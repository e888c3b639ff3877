"""Read Europe PMC's JSON: search results (lite or core), one record, or JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import quote

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import name_contributor
from storm.databases.formats.bibliography import find_isbn, find_issn, locate_article
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import as_list, mapping_at, text_line
from storm.databases.formats.json_records import JsonRecord, read_json_records
from storm.databases.formats.patent_numbers import split_patent_number
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.records import hit_or_error
from storm.databases.formats.retractions import Link, is_notice, judge_retraction
from storm.databases.formats.titles import best_title
from storm.databases.formats.xml_text import blocks_of_html, text_of_html
from storm.errors import RecordError
from storm.models import BookDetails, Contributor, Hit, PatentDetails, Publication, Retraction, Section, find_trials

_HEADING = re.compile(r"<h[1-6](?:\s[^<>]{0,200})?>(.{0,300}?)</h[1-6]>", re.I | re.S)
_WITHDRAWN = frozenset({"preprint withdrawal", "preprint removal", "preprint-withdrawal", "preprint-removal"})

Record = Mapping[str, Any]


def read_europepmc(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the records of an answer or file; an error that the service reports (`errCode`) becomes a RecordError."""
    for item in read_json_records(stream, "resultList.result"):
        yield from [item] if isinstance(item, RecordError) else _read_object(item)


def _read_object(item: JsonRecord) -> Iterator[Hit | RecordError]:
    """The records in one object: a list answer, a single-record answer, or a bare record."""
    value = item.value
    if "resultList" in value or "hitCount" in value:
        yield from read_answer(value)
    else:
        yield hit_or_error(_read_record, value, item.position)


def read_answer(answer: Record) -> Iterator[Hit | RecordError]:
    """Read the records that an answer lists, or its single record."""
    listed = as_list(mapping_at(answer, "resultList").get("result")) or [answer[k] for k in ("result",) if k in answer]
    for number, record in enumerate(listed, 1):
        yield hit_or_error(_read_record, record, f"record {number}")


def _read_record(record: Any) -> Hit:
    if not isinstance(record, Mapping):
        raise RecordError("not a Europe PMC record")
    if "errCode" in record or "errMsg" in record:
        raise RecordError(f"Europe PMC refused: {text_line(record.get('errMsg'))[:200] or 'no reason given'}")
    source, number = text_line(record.get("source")).upper(), text_line(record.get("id"))
    if not source or not number:
        raise RecordError("not a Europe PMC record: it has no source and id")
    title = best_title(text_of_html(text_line(record.get("title"))))
    if not title:
        raise RecordError("the record has no title", position=f"{source}:{number}")
    types = publication_types(_read_types(record))
    sections = _read_abstract(record)
    date = _read_date(record)
    own_doi = not is_notice(types) and not text_line(record.get("bookid"))
    state = judge_retraction(title, types, _read_links(record), checked=source == "MED" and bool(types))
    return Hit.of(
        "europepmc",
        f"{source}:{number}",
        f"https://europepmc.org/article/{quote(source)}/{quote(number)}",
        title,
        pmid=text_line(record.get("pmid")) or (number if source == "MED" else None),
        pmcid=text_line(record.get("pmcid")) or (number if source == "PMC" else None),
        doi=text_line(record.get("doi")) if own_doi else None,
        sections=sections,
        authors=_read_authors(record),
        year=year_of(parse_date(text_line(record.get("pubYear"))) or date),
        date=date,
        container=_read_container(record),
        publication_types=types,
        headings=_read_headings(record),
        trials=find_trials("\n".join([title, *(section.text for section in sections)])),
        retraction=Retraction.RETRACTED if _is_withdrawn(record, types) else state.retraction,
        notices=state.notices,
        open_access={"Y": True, "N": False}.get(text_line(record.get("isOpenAccess")).upper()),
        publication=_read_publication(record),
    )


def _read_types(record: Record) -> list[str]:
    listed = as_list(mapping_at(record, "pubTypeList").get("pubType"))
    return [text_line(name) for name in listed] or text_line(record.get("pubType")).split(";")


def _read_headings(record: Record) -> tuple[str, ...]:
    listed = as_list(mapping_at(record, "meshHeadingList").get("meshHeading"))
    names = (text_line(mapping_at({"heading": heading}, "heading").get("descriptorName")) for heading in listed)
    return tuple(filter(None, names))


def _is_withdrawn(record: Record, types: Iterable[str]) -> bool:
    return text_line(record.get("isRetracted")).upper() == "Y" or any(name.lower() in _WITHDRAWN for name in types)


def _read_abstract(record: Record) -> tuple[Section, ...]:
    """The abstract, split at its headings."""
    abstract = record.get("abstractText")
    # re.split with one group gives text, heading, text, heading, text …
    first, *rest = _HEADING.split(abstract if isinstance(abstract, str) else "")
    parts = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    return abstract_sections((text_of_html(label).removesuffix(":"), blocks_of_html(markup)) for label, markup in parts)


def _read_authors(record: Record) -> tuple[str, ...]:
    listed = [
        mapping_at({"author": author}, "author") for author in as_list(mapping_at(record, "authorList").get("author"))
    ]
    names = [text_line(author.get("fullName")) or text_line(author.get("collectiveName")) for author in listed]
    written = text_line(record.get("authorString")).removesuffix(".").split(", ")
    return tuple(filter(None, names)) or tuple(filter(None, written))


def _read_date(record: Record) -> str | None:
    """The date of the issue; lite records give only the first publication date and the year of the issue."""
    issue = parse_date(text_line(mapping_at(record, "journalInfo").get("dateOfPublication")))
    first, year = (
        parse_date(text_line(record.get("firstPublicationDate"))),
        parse_date(text_line(record.get("pubYear"))),
    )
    return issue or (first if first and (year is None or first.startswith(year)) else year)


def _read_container(record: Record) -> str | None:
    """The journal, the book of a chapter, or the preprint server."""
    journal, book = mapping_at(record, "journalInfo", "journal"), mapping_at(record, "bookOrReportDetails")
    names = (
        journal.get("isoabbreviation"),
        record.get("journalTitle"),
        journal.get("title"),
        book.get("comprisingTitle"),
        book.get("publisher"),
    )
    return next(filter(None, map(text_line, names)), None)


def _read_publication(record: Record) -> Publication:
    """Core records have the issue in an object of its own, lite ones in the record."""
    issue, journal = mapping_at(record, "journalInfo"), mapping_at(record, "journalInfo", "journal")
    book = mapping_at(record, "bookOrReportDetails")
    location = locate_article(text_line(record.get("pageInfo")))
    return Publication(
        authors=_read_people(record),
        journal=text_line(journal.get("title")) or None,
        journal_abbreviation=text_line(journal.get("isoabbreviation"))
        or text_line(journal.get("medlineAbbreviation"))
        or None,
        volume=text_line(issue.get("volume")) or text_line(record.get("journalVolume")) or None,
        issue=text_line(issue.get("issue")) or text_line(record.get("issue")) or None,
        pages=location.pages,
        article_number=location.article_number,
        issn=find_issn(map(text_line, (journal.get("issn"), journal.get("essn"), record.get("journalIssn")))),
        language=text_line(record.get("language")) or None,
        publisher=text_line(book.get("publisher")) or None,
        book=_read_book(book),
        patent=_read_patent(record) if text_line(record.get("source")).upper() == "PAT" else None,
    )


def _read_patent(record: Record) -> PatentDetails | None:
    """The document under whose number Europe PMC has it; the kind is stated for few, the applicant for none."""
    parts = split_patent_number(text_line(record.get("id")))
    if parts is None:
        return None
    application = mapping_at(record, "patentDetails", "application")
    return PatentDetails(
        number=parts.number,
        kind=parts.kind,
        country=parts.country,
        inventors=_read_people(record),
        application_number=text_line(application.get("applicationNumber")) or None,
        filing_date=parse_date(text_line(application.get("applicationDate"))),
        publication_date=_read_date(record),
    )


def _read_book(book: Record) -> BookDetails | None:
    title, isbn = (
        text_line(book.get("comprisingTitle")),
        find_isbn(map(text_line, (book.get("isbn13"), book.get("isbn10")))),
    )
    return BookDetails(title=title or None, isbn=isbn) if title or isbn else None


def _read_people(record: Record) -> tuple[Contributor, ...]:
    """The authors of a core record; a lite one has them in one string only."""
    listed = [
        mapping_at({"author": author}, "author") for author in as_list(mapping_at(record, "authorList").get("author"))
    ]
    return tuple(named for author in listed if (named := _read_person(author)))


def _read_person(author: Record) -> Contributor | None:
    """A suffix stands behind the initials of the full name (`Gebhard C 3rd`), and in no field of its own."""
    family, given, initials, full, group = (
        text_line(author.get(name)) for name in ("lastName", "firstName", "initials", "fullName", "collectiveName")
    )
    before = f"{family} {initials} "
    suffix = full.removeprefix(before) if family and initials and full.startswith(before) else ""
    return name_contributor(family, given, initials, suffix, group or full)


def _read_links(record: Record) -> Iterable[Link]:
    for listed in as_list(mapping_at(record, "commentCorrectionList").get("commentCorrection")):
        link = mapping_at({"link": listed}, "link")
        pmid = text_line(link.get("id")) if text_line(link.get("source")) == "MED" else ""
        yield Link(text_line(link.get("type")), text_line(link.get("reference")), pmid)
