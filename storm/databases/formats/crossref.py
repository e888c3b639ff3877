"""Read Crossref's JSON records of works, and the retractions that they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from storm.databases.formats.abstracts import abstract_sections
from storm.databases.formats.author_names import name_contributor, write_authors
from storm.databases.formats.bibliography import find_isbn, find_issn, locate_article
from storm.databases.formats.dates import partial_date, year_of
from storm.databases.formats.fields import as_list, as_mapping, mapping_at, text_line, text_lines
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.retractions import Link, judge_retraction
from storm.databases.formats.xml_text import blocks_of_html, text_of_html
from storm.errors import RecordError
from storm.models import BookDetails, Contributor, Hit, Publication, Section, find_trials
from storm.models.identifiers import normalize_doi

_JATS_TAG = re.compile(r"<(/?)jats:", re.I)
_HEADING = re.compile(r"<title(?:\s[^<>]{0,200})?>(.{0,300}?)</title>", re.I | re.S)
_DATES = ("published-print", "published", "issued", "published-online", "posted")
#: The fields that are read, for Crossref's `select`.
READ_FIELDS = (
    "DOI", "title", "subtitle", "author", "container-title", "publisher", "type", "abstract", "update-to", "updated-by",
    "relation", "clinical-trial-number", "volume", "issue", "page", "article-number", "short-container-title", "ISSN",
    "issn-type", "ISBN", "editor", "publisher-location", *_DATES,
)  # fmt: skip
#: Fields that are read when present; Crossref rejects a `select` that names them.
UNSELECTABLE_FIELDS = ("subtype", "institution", "language")
#: Crossref's types of updates, and the link kinds that all formats here share.
_KINDS = {
    "retraction": "Retraction", "withdrawal": "Retraction", "removal": "Retraction",
    "partial_retraction": "PartialRetraction", "expression_of_concern": "ExpressionOfConcern",
    "correction": "Erratum", "erratum": "Erratum", "corrigendum": "Erratum",
}  # fmt: skip
_NOTICES = {"Retraction": "Retraction Notice", "ExpressionOfConcern": "Expression of Concern"}
#: How the types of books and of their parts begin; what holds them is a book.
_BOOKS = ("book", "edited-book", "reference-book", "reference-entry", "monograph")
_RELATIONS = {"is-preprint-of": "PreprintOf", "has-preprint": "PreprintIn"}

Work = Mapping[str, Any]


def read_works(value: Any) -> list[Any]:
    """The works in an answer with one work, an answer with a list, or a bare list."""
    if isinstance(value, list):
        return value
    message = mapping_at(value, "message") or as_mapping(value)
    return as_list(message.get("items")) if "items" in message else [message] if message else []


def work_hit(record: JsonRecord) -> Hit | RecordError:
    """Convert a work to a Hit; without a stated retraction the status is `not_checked`, as silence proves nothing."""
    work = record.value
    doi = normalize_doi(text_line(work.get("DOI")))
    if doi is None:
        return RecordError("not a work: it has no DOI", position=record.position)
    title = _read_title(work)
    if not title:
        return RecordError(f"{doi} has no title", position=record.position)
    sections = _read_abstract(work)
    types = publication_types(_read_types(work, doi))
    date = next(filter(None, (_read_date(work.get(name)) for name in _DATES)), None)
    publication = _read_publication(work)
    state = judge_retraction(title, types, [*read_updates(work, doi), *_read_relations(work)], checked=False)
    return Hit.of(
        "crossref",
        doi,
        f"https://doi.org/{doi}",
        title,
        doi=doi,
        sections=sections,
        authors=write_authors(publication.authors),
        year=year_of(date),
        date=date,
        container=_read_container(work),
        publication_types=types,
        trials=find_trials("\n".join([*_read_trials(work), title, *(section.text for section in sections)])),
        retraction=state.retraction,
        notices=state.notices,
        publication=publication,
    )


def read_updates(work: Work, doi: str) -> Iterator[Link]:
    """Links from a work's own record: its updates (`updated-by`, or `update-to` itself) and the works it updates."""
    for update in map(as_mapping, as_list(work.get("updated-by"))):
        yield from _link_update(update, "In", text_line(update.get("DOI")))
    for update in map(as_mapping, as_list(work.get("update-to"))):
        other = text_line(update.get("DOI"))
        yield from _link_update(update, "In" if normalize_doi(other) == doi else "Of", other)


def updated_dois(notice: Work) -> list[str]:
    """The DOIs of the works that a notice updates."""
    return [
        normalize_doi(text_line(update.get("DOI"))) or ""
        for update in map(as_mapping, as_list(notice.get("update-to")))
    ]


def read_notices(doi: str, notice: Work) -> Iterator[Link]:
    """Links from a notice's record to the work with this DOI."""
    for update in map(as_mapping, as_list(notice.get("update-to"))):
        if normalize_doi(text_line(update.get("DOI"))) == doi:
            yield from _link_update(update, "In", text_line(notice.get("DOI")))


def _link_update(update: Work, direction: str, doi: str) -> Iterator[Link]:
    if kind := _update_kind(update):
        # Link kinds end in "For" for concerns and errata, in "Of" for retractions.
        suffix = "For" if direction == "Of" and not kind.endswith("Retraction") else direction
        details = (f"doi:{name}" if (name := normalize_doi(doi)) else "", _read_date(update.get("updated")) or "")
        yield Link(f"{kind}{suffix}", ", ".join(filter(None, details)))


def _update_kind(update: Work) -> str:
    return _KINDS.get(re.sub(r"[\s-]+", "_", text_line(update.get("type")).lower()), "")


def _read_types(work: Work, doi: str) -> Iterator[str]:
    """The record's types; a record that updates another work is also a notice, whatever its own type."""
    updated = [
        item
        for item in map(as_mapping, as_list(work.get("update-to")))
        if normalize_doi(text_line(item.get("DOI"))) != doi
    ]
    yield from (notice for item in updated if (notice := _NOTICES.get(_update_kind(item))))
    kind, subtype = text_line(work.get("type")), text_line(work.get("subtype"))
    yield "preprint" if kind == "posted-content" else kind.replace("-", " ")
    yield subtype.replace("-", " ")


def _read_title(work: Work) -> str:
    title, subtitle = (text_of_html(next(iter(text_lines(work.get(name))), "")) for name in ("title", "subtitle"))
    return f"{title}: {subtitle}" if title and subtitle and subtitle not in title else title


def _read_abstract(work: Work) -> tuple[Section, ...]:
    """The abstract, which is JATS in a string, split at its headings."""
    abstract = work.get("abstract")
    markup = _JATS_TAG.sub(r"<\1", abstract) if isinstance(abstract, str) else ""
    # re.split with one group gives text, heading, text, heading, text …
    first, *rest = _HEADING.split(markup)
    parts = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    return abstract_sections((text_of_html(label).removesuffix(":"), blocks_of_html(part)) for label, part in parts)


def _read_publication(work: Work) -> Publication:
    container, short = (_read_first(work.get(name)) for name in ("container-title", "short-container-title"))
    book = text_line(work.get("type")).startswith(_BOOKS)
    number = text_line(work.get("article-number")) or None
    location = locate_article(text_line(work.get("page")))
    return Publication(
        authors=_read_people(work, "author"),
        journal=None if book else container,
        journal_abbreviation=None if book else short,
        volume=text_line(work.get("volume")) or None,
        issue=text_line(work.get("issue")) or None,
        pages=location.pages,
        article_number=number or location.article_number,
        issn=_read_issn(work),
        language=text_line(work.get("language")) or None,
        publisher=text_of_html(text_line(work.get("publisher"))) or None,
        place=text_of_html(text_line(work.get("publisher-location"))) or None,
        book=_read_book(work, container) if book else None,
    )


def _read_book(work: Work, title: str | None) -> BookDetails:
    return BookDetails(title=title, editors=_read_people(work, "editor"), isbn=find_isbn(text_lines(work.get("ISBN"))))


def _read_issn(work: Work) -> str | None:
    """The printed journal's, or else another."""
    typed = [as_mapping(item) for item in as_list(work.get("issn-type"))]
    printed = [text_line(item.get("value")) for item in typed if text_line(item.get("type")) == "print"]
    return find_issn([*printed, *text_lines(work.get("ISSN"))])


def _read_people(work: Work, role: str) -> tuple[Contributor, ...]:
    people = [_read_person(as_mapping(person)) for person in as_list(work.get(role))]
    return tuple(person for person in people if person)


def _read_person(person: Work) -> Contributor | None:
    family, given, suffix, name = (text_line(person.get(part)) for part in ("family", "given", "suffix", "name"))
    return name_contributor(family, given, suffix=suffix, collective=name)


def _read_first(value: Any) -> str | None:
    """The first text of an array, as text: publishers deposit `Research &amp; Treatment`."""
    return text_of_html(next(iter(text_lines(value)), "")) or None


def _read_date(value: Any) -> str | None:
    """The first date in `date-parts`: `[[2021, 12, 3]]`, a shorter one, or `[[null]]`."""
    parts = as_list(next(iter(as_list(as_mapping(value).get("date-parts"))), None))
    year, month, day = (text_line(part) for part in [*parts, None, None, None][:3])
    return partial_date(year, month, day)


def _read_container(work: Work) -> str | None:
    """The journal, book or preprint server."""
    institutions = [as_mapping(item).get("name") for item in as_list(work.get("institution"))]
    names = (*text_lines(work.get("container-title")), *text_lines(institutions), text_line(work.get("publisher")))
    return text_of_html(next(filter(None, names), "")) or None


def _read_trials(work: Work) -> list[str]:
    return [
        text_line(as_mapping(item).get("clinical-trial-number")) for item in as_list(work.get("clinical-trial-number"))
    ]


def _read_relations(work: Work) -> Iterator[Link]:
    for name, kind in _RELATIONS.items():
        for other in map(as_mapping, as_list(mapping_at(work, "relation").get(name))):
            if doi := normalize_doi(text_line(other.get("id"))):
                yield Link(kind, f"doi:{doi}")
