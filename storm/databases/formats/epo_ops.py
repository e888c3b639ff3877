"""Read bibliographic XML of the European Patent Office's Open Patent Services (version 3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from lxml import etree

from storm.databases.formats.author_names import split_inverted
from storm.databases.formats.dates import parse_date, year_of
from storm.databases.formats.xml_records import read_xml
from storm.databases.formats.xml_text import text_of
from storm.errors import RecordError
from storm.models import Contributor, Hit, PatentDetails, Publication, RecordFacts, Retraction, Section, find_trials

_COUNTRY = re.compile(r"(?:(?<!\s)\s+)?\[[A-Z]{2}\]$")
_TOTAL = re.compile(rb'<(?:[\w.-]+:)?biblio-search\s[^<>]*?total-result-count="(\d{1,12})"')

Element = etree._Element


def read_epo_ops(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the documents of an answer with bibliographic data; a list of bare numbers has none."""
    return read_xml(stream, "EPO OPS XML", ("world-patent-data",), ("exchange-document",), _read_document)


def read_total(body: bytes) -> int | None:
    """The total number of matches that an answer states (10000 means at least that many), or None."""
    match = _TOTAL.search(body)
    return int(match[1]) if match else None


def _read_document(document: Element) -> Hit:
    number = "".join(document.get(part, "").strip() for part in ("country", "doc-number", "kind"))
    if not document.get("doc-number", "").strip():
        raise RecordError("the document has no number")
    title = _prefer_english(document.findall("{*}bibliographic-data/{*}invention-title"))
    if not title:
        raise RecordError("the document has no title", position=number)
    abstract = _prefer_english(document.findall("{*}abstract"))
    date = parse_date(text_of(document.find("{*}bibliographic-data/{*}publication-reference/{*}document-id/{*}date")))
    return Hit.of(
        "patents",
        number,
        f"https://worldwide.espacenet.com/patent/search?q=pn%3D{number}",
        title,
        sections=(Section(label="Abstract", text=abstract),) if abstract else (),
        authors=_read_party_names(document, "inventor"),
        year=year_of(date),
        date=date,
        container="; ".join(_read_party_names(document, "applicant")) or None,
        publication_types=("Patent" if document.get("kind", "").startswith("B") else "Patent Application",),
        trials=find_trials(f"{title}\n{abstract}"),
        retraction=Retraction.NOT_RETRACTED,
        facts=RecordFacts(country=document.get("country") or None),
        publication=Publication(authors=_read_inventors(document), patent=_read_patent(document, date)),
    )


def _read_patent(document: Element, published: str | None) -> PatentDetails:
    application = document.findall("{*}bibliographic-data/{*}application-reference")
    claims = document.findall("{*}bibliographic-data/{*}priority-claims/{*}priority-claim")
    return PatentDetails(
        number=document.get("doc-number", "").strip(),
        kind=document.get("kind", "").strip() or None,
        country=document.get("country", "").strip() or None,
        applicants=_read_party_names(document, "applicant"),
        inventors=_read_inventors(document),
        application_number=next(_read_numbers(application), None),
        priority_numbers=tuple(dict.fromkeys(_read_numbers(claims))),
        filing_date=_read_first_date(application),
        priority_date=_read_first_date(claims),
        publication_date=published,
    )


def _read_numbers(references: Iterable[Element]) -> Iterator[str]:
    """One number for each reference: in the office's form with its country, else as it was filed."""
    for reference in references:
        numbers = {
            document.get("document-id-type", ""): text_of(document.find("{*}doc-number"))
            for document in reference.iterfind("{*}document-id")
        }
        if number := numbers.get("epodoc") or numbers.get("original"):
            yield number


def _read_first_date(references: Iterable[Element]) -> str | None:
    """The earliest date of the references."""
    dates = (
        parse_date(text_of(date)) for reference in references for date in reference.iterfind("{*}document-id/{*}date")
    )
    return min(filter(None, dates), default=None)


def _prefer_english(elements: list[Element]) -> str:
    """The English text, or else the first one."""
    ranked = sorted(elements, key=lambda element: element.get("lang") != "en")
    return next(filter(None, map(text_of, ranked)), "")


def _read_party_names(document: Element, party: str) -> tuple[str, ...]:
    """The parties' names without the country code that the office appends."""
    path = f"{{*}}bibliographic-data/{{*}}parties/{{*}}{party}s/{{*}}{party}"
    parties = document.findall(path)
    preferred = [element for element in parties if element.get("data-format") == "epodoc"] or parties
    return tuple(dict.fromkeys(filter(None, (_read_name(element, party) for element in preferred))))


def _read_name(element: Element, party: str) -> str:
    return _COUNTRY.sub("", text_of(element.find(f"{{*}}{party}-name/{{*}}name"))).rstrip(", ")


def _read_inventors(document: Element) -> tuple[Contributor, ...]:
    """The inventors by their names as filed (`Niemi, Jaakko`), since the office's own form does not part them."""
    inventors = document.findall("{*}bibliographic-data/{*}parties/{*}inventors/{*}inventor")
    filed = [_read_name(element, "inventor") for element in inventors if element.get("data-format") == "original"]
    parted = {name.replace(",", "").casefold(): name for name in reversed(filed)}
    names = _read_party_names(document, "inventor")
    return tuple(split_inverted(parted.get(name.replace(",", "").casefold(), name)) for name in names)
