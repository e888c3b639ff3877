"""Read PubMed's efetch XML: journal articles and book chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from lxml import etree

from storm.databases.formats.abstracts import abstract_sections, add_category
from storm.databases.formats.author_names import write_authors
from storm.databases.formats.dates import parse_date, partial_date, year_of
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.pubmed_publication import read_article_publication, read_book_publication
from storm.databases.formats.retractions import Link, is_notice, judge_retraction
from storm.databases.formats.titles import best_title
from storm.databases.formats.xml_records import read_xml
from storm.databases.formats.xml_text import text_of
from storm.errors import RecordError
from storm.models import Hit, Publication, Section, find_trials
from storm.models.identifiers import normalize_pmid

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", *_RECORDS)

Element = etree._Element


def read_pubmed(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the articles and book chapters of a set, or the single one at the root."""
    return read_xml(stream, "PubMed XML", _ROOTS, _RECORDS, _read_record)


def _read_record(record: Element) -> Hit:
    if (book := record.find("BookDocument")) is not None:
        return _read_book(book)
    citation, article = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    if citation is None or article is None:
        raise RecordError("the record holds no article")
    return _read_article(record, citation, article)


def _read_article(record: Element, citation: Element, article: Element) -> Hit:
    pmid = _read_pmid(citation)
    title = best_title(text_of(article.find("ArticleTitle")), text_of(article.find("VernacularTitle")))
    if not title:
        raise RecordError("the record has no title", position=f"PMID {pmid}")
    types = publication_types(_read_texts(article, "PublicationTypeList/PublicationType"))
    sections = _read_abstract(article.find("Abstract")) or _read_other_abstract(citation)
    date = _read_date(article.find("Journal/JournalIssue/PubDate")) or _read_date(article.find("ArticleDate"))
    state = judge_retraction(title, types, _read_links(citation), checked=True)
    publication = read_article_publication(citation, article)
    return Hit.of(
        "pubmed",
        pmid,
        _record_url(pmid),
        title,
        pmcid=_read_article_id(record, "pmc"),
        doi=None if is_notice(types) else _read_article_id(record, "doi") or _read_location_doi(article),
        sections=sections,
        authors=_write_authors(publication),
        year=year_of(date),
        date=date,
        container=_read_first_text(article, "Journal/ISOAbbreviation", "Journal/Title"),
        publication_types=types,
        headings=tuple(_read_texts(citation, "MeshHeadingList/MeshHeading/DescriptorName")),
        trials=_find_trials(article, title, sections),
        retraction=state.retraction,
        notices=state.notices,
        publication=publication,
    )


def _read_book(book: Element) -> Hit:
    """Convert a book or chapter. A chapter's container is its book; its DOI may be the book's, so it is ignored."""
    pmid = _read_pmid(book)
    chapter, whole = text_of(book.find("ArticleTitle")), text_of(book.find("Book/BookTitle"))
    title = best_title(chapter, text_of(book.find("VernacularTitle")) or whole)
    if not title:
        raise RecordError("the record has no title", position=f"PMID {pmid}")
    is_chapter = title != whole
    types = publication_types(_read_texts(book, "PublicationType"))
    sections = _read_abstract(book.find("Abstract"))
    publication = read_book_publication(book)
    date = next(filter(None, map(_read_date, (book.find(p) for p in ("ContributionDate", "Book/PubDate")))), None)
    return Hit.of(
        "pubmed",
        pmid,
        _record_url(pmid),
        title,
        doi=None if is_chapter else _read_book_doi(book),
        sections=sections,
        authors=_write_authors(publication),
        year=year_of(date),
        date=date,
        container=(whole if is_chapter else text_of(book.find("Book/Publisher/PublisherName"))) or None,
        publication_types=types,
        trials=_find_trials(book, title, sections),
        # A book record has no field for retractions: only its types or title can state one.
        retraction=judge_retraction(title, types, (), checked=False).retraction,
        publication=publication,
    )


def _read_pmid(element: Element) -> str:
    text = text_of(element.find("PMID"))
    if (pmid := normalize_pmid(text)) is None:
        raise RecordError(f"the record has no PMID ({text[:20]!r})" if text else "the record has no PMID")
    return pmid


def _record_url(pmid: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def _read_texts(element: Element, path: str) -> list[str]:
    return [text for child in element.findall(path) if (text := text_of(child))]


def _read_first_text(element: Element, *paths: str) -> str | None:
    return next((text for path in paths for text in _read_texts(element, path)), None)


def _read_article_id(record: Element, kind: str) -> str | None:
    """An identifier from the record's own list, not from ReferenceList, which is about cited papers."""
    return _read_first_text(record, f"PubmedData/ArticleIdList/ArticleId[@IdType='{kind}']")


def _read_location_doi(element: Element) -> str | None:
    return _read_first_text(element, "ELocationID[@EIdType='doi'][@ValidYN='Y']")


def _read_book_doi(book: Element) -> str | None:
    doi = _read_first_text(book, "ArticleIdList/ArticleId[@IdType='doi']")
    located = book.find("Book")
    return doi or (_read_location_doi(located) if located is not None else None)


def _read_abstract(abstract: Element | None) -> tuple[Section, ...]:
    parts = abstract.findall("AbstractText") if abstract is not None else []
    return abstract_sections((_read_label(part), text_of(part)) for part in parts)


def _read_label(part: Element) -> str:
    label = " ".join(part.get("Label", "").split())
    return "" if label.upper() == "UNLABELLED" else add_category(label, part.get("NlmCategory", ""))


def _read_other_abstract(citation: Element) -> tuple[Section, ...]:
    """Another abstract (a translation or plain-language summary), preferably in English."""
    others = sorted(citation.findall("OtherAbstract"), key=lambda other: other.get("Language", "eng") != "eng")
    return next((sections for sections in map(_read_abstract, others) if sections), ())


def _write_authors(publication: Publication) -> tuple[str, ...]:
    """The authors, or the editors of a book without any."""
    people = publication.authors or (publication.book.editors if publication.book else ())
    return write_authors(people, publication.authors_complete)


def _read_date(element: Element | None) -> str | None:
    if element is None:
        return None
    year, month, day, other = (text_of(element.find(name)) for name in ("Year", "Month", "Day", "MedlineDate"))
    return partial_date(year, month.partition("-")[0], day) or parse_date(other)  # "Jul-Aug" is of July


def _find_trials(document: Element, title: str, sections: Sequence[Section]) -> tuple[str, ...]:
    numbers = _read_texts(document, "DataBankList/DataBank/AccessionNumberList/AccessionNumber")
    return find_trials("\n".join([*numbers, title, *(section.text for section in sections)]))


def _read_links(citation: Element) -> Iterable[Link]:
    for link in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        yield Link(link.get("RefType", ""), text_of(link.find("RefSource")), text_of(link.find("PMID")))
