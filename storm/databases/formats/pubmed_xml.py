"""PubMed's efetch XML: journal articles and book chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from lxml import etree

from storm.databases.formats.abstracts import abstract_sections, with_category
from storm.databases.formats.author_names import short_name
from storm.databases.formats.dates import parse_date, partial_date, year_of
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.retractions import Link, is_notice, standing
from storm.databases.formats.titles import best_title
from storm.databases.formats.xml_records import read_xml
from storm.databases.formats.xml_text import text_of
from storm.errors import RecordError
from storm.models import Hit, Section, find_trials
from storm.models.hit import ET_AL
from storm.models.identifiers import normalize_pmid

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", *_RECORDS)

Element = etree._Element


def read_pubmed(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """The articles and book chapters of a set, or the single one that is the root."""
    return read_xml(stream, "PubMed XML", _ROOTS, _RECORDS, _hit)


def _hit(record: Element) -> Hit:
    if (book := record.find("BookDocument")) is not None:
        return _book_hit(book)
    citation, article = record.find("MedlineCitation"), record.find("MedlineCitation/Article")
    if citation is None or article is None:
        raise RecordError("the record holds no article")
    return _article_hit(record, citation, article)


def _article_hit(record: Element, citation: Element, article: Element) -> Hit:
    pmid = _pmid(citation)
    title = best_title(text_of(article.find("ArticleTitle")), text_of(article.find("VernacularTitle")))
    if not title:
        raise RecordError("the record has no title", position=f"PMID {pmid}")
    types = publication_types(_texts(article, "PublicationTypeList/PublicationType"))
    sections = _sections(article.find("Abstract")) or _other_abstract(citation)
    date = _date(article.find("Journal/JournalIssue/PubDate")) or _date(article.find("ArticleDate"))
    state = standing(title, types, _links(citation), checked=True)
    return Hit.of(
        "pubmed",
        pmid,
        _url(pmid),
        title,
        pmcid=_article_id(record, "pmc"),
        doi=None if is_notice(types) else _article_id(record, "doi") or _location_doi(article),
        sections=sections,
        authors=_authors(article.find("AuthorList")),
        year=year_of(date),
        date=date,
        container=_first_text(article, "Journal/ISOAbbreviation", "Journal/Title"),
        publication_types=types,
        trials=_trials(article, title, sections),
        retraction=state.retraction,
        notices=state.notices,
    )


def _book_hit(book: Element) -> Hit:
    """A chapter has a title of its own and its book as container; its DOI may be the book's, so it is not taken."""
    pmid = _pmid(book)
    chapter, whole = text_of(book.find("ArticleTitle")), text_of(book.find("Book/BookTitle"))
    title = best_title(chapter, text_of(book.find("VernacularTitle")) or whole)
    if not title:
        raise RecordError("the record has no title", position=f"PMID {pmid}")
    is_chapter = title != whole
    types = publication_types(_texts(book, "PublicationType"))
    sections = _sections(book.find("Abstract"))
    date = next(filter(None, map(_date, (book.find(p) for p in ("ContributionDate", "Book/PubDate")))), None)
    return Hit.of(
        "pubmed",
        pmid,
        _url(pmid),
        title,
        doi=None if is_chapter else _book_doi(book),
        sections=sections,
        authors=_book_authors(book),
        year=year_of(date),
        date=date,
        container=(whole if is_chapter else text_of(book.find("Book/Publisher/PublisherName"))) or None,
        publication_types=types,
        trials=_trials(book, title, sections),
        # A book record has no field for retractions: only its types or title can tell of one.
        retraction=standing(title, types, (), checked=False).retraction,
    )


def _pmid(element: Element) -> str:
    text = text_of(element.find("PMID"))
    if (pmid := normalize_pmid(text)) is None:
        raise RecordError(f"the record has no PMID ({text[:20]!r})" if text else "the record has no PMID")
    return pmid


def _url(pmid: str) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def _texts(element: Element, path: str) -> list[str]:
    return [text for found in element.findall(path) if (text := text_of(found))]


def _first_text(element: Element, *paths: str) -> str | None:
    return next((text for path in paths for text in _texts(element, path)), None)


def _article_id(record: Element, kind: str) -> str | None:
    """From the record's own list: those inside ReferenceList are of cited papers."""
    return _first_text(record, f"PubmedData/ArticleIdList/ArticleId[@IdType='{kind}']")


def _location_doi(element: Element) -> str | None:
    return _first_text(element, "ELocationID[@EIdType='doi'][@ValidYN='Y']")


def _book_doi(book: Element) -> str | None:
    own = _first_text(book, "ArticleIdList/ArticleId[@IdType='doi']")
    located = book.find("Book")
    return own or (_location_doi(located) if located is not None else None)


def _sections(abstract: Element | None) -> tuple[Section, ...]:
    parts = abstract.findall("AbstractText") if abstract is not None else []
    return abstract_sections((_label(part), text_of(part)) for part in parts)


def _label(part: Element) -> str:
    label = " ".join(part.get("Label", "").split())
    return "" if label.upper() == "UNLABELLED" else with_category(label, part.get("NlmCategory", ""))


def _other_abstract(citation: Element) -> tuple[Section, ...]:
    """Another abstract (a translation, a plain-language summary), the English one first."""
    others = sorted(citation.findall("OtherAbstract"), key=lambda other: other.get("Language", "eng") != "eng")
    return next((sections for sections in map(_sections, others) if sections), ())


def _authors(author_list: Element | None) -> tuple[str, ...]:
    if author_list is None:
        return ()
    valid = (author for author in author_list.findall("Author") if author.get("ValidYN") != "N")
    names = tuple(name for author in valid if (name := _author(author)))
    return (*names, ET_AL) if names and author_list.get("CompleteYN") == "N" else names


def _author(author: Element) -> str:
    fields = (text_of(author.find(name)) for name in ("LastName", "Initials", "ForeName", "Suffix"))
    return short_name(*fields) or text_of(author.find("CollectiveName"))


def _book_authors(book: Element) -> tuple[str, ...]:
    lists = [*book.findall("AuthorList"), *book.findall("Book/AuthorList")]
    by_role = sorted(lists, key=lambda names: names.get("Type") == "editors")
    return next((authors for authors in map(_authors, by_role) if authors), ())


def _date(element: Element | None) -> str | None:
    if element is None:
        return None
    year, month, day, other = (text_of(element.find(name)) for name in ("Year", "Month", "Day", "MedlineDate"))
    return partial_date(year, month, day) or parse_date(other)


def _trials(document: Element, title: str, sections: Sequence[Section]) -> tuple[str, ...]:
    numbers = _texts(document, "DataBankList/DataBank/AccessionNumberList/AccessionNumber")
    return find_trials("\n".join([*numbers, title, *(section.text for section in sections)]))


def _links(citation: Element) -> Iterable[Link]:
    for link in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        yield Link(link.get("RefType", ""), text_of(link.find("RefSource")), text_of(link.find("PMID")))
