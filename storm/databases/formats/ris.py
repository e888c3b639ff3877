"""Read RIS, the exchange format of reference managers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import rispy
from rispy.config import TYPE_OF_REFERENCE_MAPPING

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import split_inverted, stands_for_others, write_authors
from storm.databases.formats.bibliography import Location, complete_pages, find_isbn, find_issn, locate_article
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.fields import web_address
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.records import GuardedStream, hit_or_error
from storm.databases.formats.retractions import judge_retraction
from storm.databases.formats.tagged_text import MAX_RECORD_BYTES, Block, read_blocks
from storm.databases.formats.titles import best_title
from storm.databases.formats.xml_text import collapse_spaces, text_of_html
from storm.errors import RecordError
from storm.models import BookDetails, Contributor, Hit, Publication, find_trials
from storm.models.identifiers import normalize_doi, normalize_pmcid, normalize_pmid

_TITLES = ("title", "primary_title", "translated_title", "short_title")
_CONTAINERS = ("secondary_title", "journal_name", "alternate_title3", "alternate_title2", "alternate_title1")
_DATES = ("date", "year", "publication_year")
_NAMES = ("authors", "first_authors")
_JOURNALS = ("secondary_title", "alternate_title3", "journal_name")
_ABBREVIATIONS = ("alternate_title1", "alternate_title2")
_PERIODICALS = frozenset({"JOUR", "EJOUR", "JFULL", "MGZN", "ABST", "INPR", "NEWS"})
_BOOKS = frozenset({"BOOK", "EBOOK", "EDBOOK", "CHAP", "ECHAP", "SER"})
_CHAPTERS = frozenset({"CHAP", "ECHAP"})
_PUBMED = re.compile(r"pubmed|medline", re.I)
_PUBMED_URL = re.compile(r"https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/", re.I)

Fields = Mapping[str, Any]


def read_ris(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the references of a RIS file, in UTF-8 or else Windows-1252.

    A reference's external id is its DOI, else its accession number, else a hash of title and year.
    """
    guarded = GuardedStream(stream, MAX_RECORD_BYTES)
    try:
        if not re.search(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?TY  -", guarded.peek_head()):
            raise RecordError("not RIS: no line begins with TY  -")
        seen = False
        for block in read_blocks(guarded, _begins_record, _ends_record):
            # Text before the first reference is an exporter's comment; text between two may be a broken reference.
            seen = seen or any(map(_is_tag, block.lines))
            if seen and re.search(r"\w", "".join(block.lines)):
                yield hit_or_error(_read_reference, block, f"line {block.line}")
    except RecordError as exc:
        yield exc


def _begins_record(line: bytes, lines: list[bytes]) -> bool:
    return line.startswith(b"TY  -")


def _ends_record(line: bytes) -> bool:
    return line.startswith(b"ER  -")


def _is_tag(line: str) -> bool:
    return re.match(r"[A-Z][A-Z0-9] {0,4}-", line) is not None


def _read_reference(block: Block) -> Hit:
    record = _read_fields(block)
    title = best_title(_first_value(record, *_TITLES))
    if not title:
        raise RecordError("the reference has no title")
    kind = _first_value(record, "type_of_reference")
    types = publication_types([TYPE_OF_REFERENCE_MAPPING.get(kind, "")])
    date = max((date for name in _DATES if (date := parse_date(_first_value(record, name)))), key=len, default=None)
    # A chapter's DOI may be its book's, which would merge all its chapters into one work.
    doi = None if kind in _CHAPTERS else normalize_doi(_first_value(record, "doi"))
    pmid = _find_pmid(record)
    text = _first_value(record, "abstract", "notes_abstract")
    publication = _read_publication(record, kind)
    return Hit.of(
        "ris",
        doi or _first_value(record, "accession_number", "id") or _hash_reference(title, date),
        _choose_url(record, doi, pmid),
        title,
        sections=abstract_sections([("", text)]),
        pmid=pmid,
        pmcid=_read_pmcid(record),
        doi=doi,
        authors=write_authors(publication.authors, publication.authors_complete),
        year=year_of(date),
        date=date,
        container=_first_value(record, *_CONTAINERS) or None,
        publication_types=types,
        trials=find_trials(f"{title}\n{text}"),
        retraction=judge_retraction(title, types, (), checked=False).retraction,
        publication=publication,
    )


def _read_fields(block: Block) -> Fields:
    if not block.lines[0].startswith("TY  -"):
        raise RecordError("the reference does not begin with TY  -")
    if block.cut:
        raise RecordError("the reference does not end with ER  -")
    try:
        records = rispy.loads("\n".join([*block.lines, "ER  -"]))
    except (rispy.parser.ParseError, KeyError, TypeError, ValueError, AttributeError) as exc:
        raise RecordError("the reference cannot be read as RIS") from exc
    fields: Fields = records[0]
    return fields


def _first_value(record: Fields, *names: str) -> str:
    for name in names:
        value = record.get(name, "")
        if text := text_of_html(" ".join(value) if isinstance(value, list) else str(value)):
            return text
    return ""


def _read_people(record: Fields, *fields: str) -> tuple[Contributor, ...]:
    return tuple(split_inverted(name) for name in _read_names(record, *fields) if not stands_for_others(name))


def _read_names(record: Fields, *fields: str) -> list[str]:
    names = next((record[field] for field in fields if record.get(field)), ())
    return [name for given in names if (name := collapse_spaces(given))]


def _read_publication(record: Fields, kind: str) -> Publication:
    location = _read_location(record)
    numbers = [_first_value(record, "issn")]
    volume = _first_value(record, "volume") or None
    has_issues = kind in _PERIODICALS or volume  # of a patent or report IS is its number
    return Publication(
        authors=_read_people(record, *_NAMES),
        authors_complete=False if any(map(stands_for_others, _read_names(record, *_NAMES))) else None,
        journal=_first_value(record, *_JOURNALS) or None if kind in _PERIODICALS else None,
        journal_abbreviation=_first_value(record, *_ABBREVIATIONS) or None,
        volume=volume,
        issue=_first_value(record, "number") or None if has_issues else None,
        pages=location.pages,
        article_number=location.article_number,
        issn=find_issn(numbers),
        language=_first_value(record, "language") or None,
        publisher=_first_value(record, "publisher") or None,
        place=_first_value(record, "place_published") or None,
        book=_read_book(record, kind, numbers),
    )


def _read_location(record: Fields) -> Location:
    """Some programs write the range into SP, others an article's number into SP or C7."""
    first, last = _first_value(record, "start_page"), _first_value(record, "end_page")
    if last:
        return Location(pages=complete_pages(first, last))
    return locate_article(first, _first_value(record, "custom7"))


def _read_book(record: Fields, kind: str, numbers: Sequence[str]) -> BookDetails | None:
    if kind not in _BOOKS:
        return None
    title = _first_value(record, "secondary_title") if kind in _CHAPTERS else _first_value(record, *_TITLES)
    editors = _read_people(record, "secondary_authors") or _read_people(record.get("unknown_tag", {}), "ED")
    doi = normalize_doi(_first_value(record, "doi")) if kind in _CHAPTERS else None
    return BookDetails(title=title or None, doi=doi, editors=editors, isbn=find_isbn(numbers))


def _find_pmid(record: Fields) -> str | None:
    """Find the PMID: the accession number if the record is from PubMed, or the number in a PubMed address."""
    source = f"{_first_value(record, 'name_of_database')} {_first_value(record, 'database_provider')}"
    numbers = [_first_value(record, "accession_number"), _first_value(record, "id")]
    if not _PUBMED.search(source):
        numbers = [number for number in numbers if number.lower().startswith("pmid")]
    numbers += [url for url in _read_urls(record) if _PUBMED_URL.match(url)]
    return next((pmid for number in numbers if (pmid := normalize_pmid(number))), None)


def _read_pmcid(record: Fields) -> str | None:
    """Read the PMCID from the second custom field, where reference managers keep it; bare digits are not one."""
    text = _first_value(record, "custom2")
    return normalize_pmcid(text) if text.upper().startswith("PMC") else None


def _read_urls(record: Fields) -> list[str]:
    return [url for given in record.get("urls", ()) if (url := web_address(given))]


def _choose_url(record: Fields, doi: str | None, pmid: str | None) -> str:
    known = [f"https://doi.org/{doi}"] if doi else [f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"] if pmid else []
    return next(iter([*_read_urls(record), *known]), "")


def _hash_reference(title: str, date: str | None) -> str:
    key = f"{' '.join(title.casefold().split())}\x1f{year_of(date) or ''}"
    return f"sha256-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
