"""Read from PubMed's XML where and by whom an article, a book or a chapter was published."""

from __future__ import annotations

from lxml import etree

from storm.databases.formats.author_names import name_contributor
from storm.databases.formats.bibliography import Location, find_isbn, find_issn, locate_article
from storm.databases.formats.xml_text import text_of
from storm.models import BookDetails, Contributor, Publication

Element = etree._Element


def read_article_publication(citation: Element, article: Element) -> Publication:
    """The journal, the place in it and the authors of an article."""
    people = article.find("AuthorList")
    volume = _read_text(article, "Journal/JournalIssue/Volume")
    # Without a volume, the publisher's id does not say where an article is found.
    number = _read_text(article, "ELocationID[@EIdType='pii'][@ValidYN='Y']") if volume else None
    location = _read_location(article, number or "")
    return Publication(
        authors=_read_people(people),
        authors_complete=_is_complete(people),
        journal=_read_text(article, "Journal/Title"),
        journal_abbreviation=_read_text(article, "Journal/ISOAbbreviation")
        or _read_text(citation, "MedlineJournalInfo/MedlineTA"),
        volume=volume,
        issue=_read_text(article, "Journal/JournalIssue/Issue"),
        pages=location.pages,
        article_number=location.article_number,
        issn=find_issn([text_of(article.find("Journal/ISSN"))]),
        language=_read_text(article, "Language"),
    )


def read_book_publication(document: Element) -> Publication:
    """The authors of a book or chapter, and the book with its editors and publisher.

    Whether the authors are complete is said of the editors where no authors are named.
    """
    lists = [*document.findall("AuthorList"), *document.findall("Book/AuthorList")]
    named = [people for people in lists if _read_people(people)]
    authors, editors = ([p for p in named if (p.get("Type") == "editors") is role] for role in (False, True))
    location = _read_location(document)
    return Publication(
        authors=_read_people(next(iter(authors), None)),
        authors_complete=_is_complete(next(iter([*authors, *editors]), None)),
        volume=_read_text(document, "Book/Volume"),
        pages=location.pages,
        article_number=location.article_number,
        language=_read_text(document, "Language"),
        publisher=_read_text(document, "Book/Publisher/PublisherName"),
        place=_read_text(document, "Book/Publisher/PublisherLocation"),
        book=BookDetails(
            title=_read_text(document, "Book/BookTitle"),
            editors=_read_people(next(iter(editors), None)),
            isbn=find_isbn(text_of(isbn) for isbn in document.findall("Book/Isbn")),
        ),
    )


def _read_text(element: Element, path: str) -> str | None:
    return text_of(element.find(path)) or None


def _read_location(element: Element, number: str = "") -> Location:
    pages, first, last = (text_of(element.find(f"Pagination/{n}")) for n in ("MedlinePgn", "StartPage", "EndPage"))
    return locate_article(pages or "-".join(filter(None, (first, last))), number)


def _read_people(people: Element | None) -> tuple[Contributor, ...]:
    valid = [] if people is None else [person for person in people.findall("Author") if person.get("ValidYN") != "N"]
    return tuple(named for person in valid if (named := _read_person(person)))


def _read_person(person: Element) -> Contributor | None:
    names = ("LastName", "ForeName", "Initials", "Suffix", "CollectiveName")
    return name_contributor(*(text_of(person.find(name)) for name in names))


def _is_complete(people: Element | None) -> bool | None:
    return None if people is None else {"Y": True, "N": False}.get(people.get("CompleteYN", ""))
