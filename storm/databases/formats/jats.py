"""Read JATS full text from PubMed Central, Europe PMC or publishers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from lxml import etree

from storm.databases.formats.author_names import write_authors
from storm.databases.formats.dates import parse_date, partial_date, year_of
from storm.databases.formats.jats_publication import read_jats_publication
from storm.databases.formats.jats_sections import read_abstract, read_back_matter, read_body
from storm.databases.formats.publication_types import publication_types
from storm.databases.formats.retractions import Link, is_notice, judge_retraction
from storm.databases.formats.trial_registration import find_registration
from storm.databases.formats.xml_records import read_xml
from storm.databases.formats.xml_text import local_name, text_of
from storm.errors import RecordError
from storm.models import Hit, Section, find_trials
from storm.models.identifiers import normalize_doi, normalize_pmcid, normalize_pmid

_ROOTS = ("article", "pmc-articleset", "OAI-PMH")
#: OAI answers `error`, and efetch `Reply`, if they have no such article.
_RECORDS = ("article", "error", "Reply")

_PRINT, _ONLINE = frozenset({"ppub", "print"}), frozenset({"epub", "electronic", "pub"})
_LATER = re.compile(r"pmc|nihms|release|preprint|correct|retract")
_HREF = "{http://www.w3.org/1999/xlink}href"

Element = etree._Element


class _Ids(NamedTuple):
    pmid: str | None
    pmcid: str | None
    doi: str | None


def read_jats(stream: BinaryIO) -> Iterator[Hit | RecordError]:
    """Read the articles of a PMC article set or an OAI answer, or the single article at the root.

    An article without a PMCID is identified by its PMID ("pubmed") or DOI ("crossref"); without any it is an error.
    """
    return read_xml(stream, "JATS XML", _ROOTS, _RECORDS, _read_article)


def _read_article(article: Element) -> Hit:
    _drop_namespaces(article)
    if article.tag != "article":
        raise RecordError(f"the service has no such article: {(text_of(article) or article.get('error', ''))[:200]}")
    meta = article.find("front/article-meta")
    if meta is None:
        raise RecordError("the article has no front matter")
    ids = _read_identifiers(meta)
    title = _read_title(meta)
    if not title:
        raise RecordError("the article has no title", position=" ".join(filter(None, ids)))
    types = publication_types([article.get("article-type", ""), *_read_subjects(meta)])
    front = read_abstract(meta)
    rest = (*read_body(article), *read_back_matter(article))
    date = _read_date(meta)
    state = judge_retraction(title, types, _read_links(meta), checked=False)
    publication = read_jats_publication(article, meta)
    return Hit.of(
        *_choose_identity(ids),
        title,
        pmid=ids.pmid,
        pmcid=ids.pmcid,
        doi=None if is_notice(types) else ids.doi,
        sections=(*front, *rest),
        authors=write_authors(publication.authors),
        year=year_of(date),
        date=date,
        container=_read_container(article),
        publication_types=types,
        trials=_find_trials(meta, title, front) or find_registration(rest),
        retraction=state.retraction,
        notices=state.notices,
        publication=publication,
    )


def _drop_namespaces(article: Element) -> None:
    for element in article.iter("{*}*"):
        name = local_name(element)
        if name != element.tag and ":" not in name:  # lxml reads names with two colons but does not accept them
            element.tag = name


def _read_identifiers(meta: Element) -> _Ids:
    """The article's own identifiers, not those of references, related articles or sub-articles."""
    ids = {element.get("pub-id-type"): text_of(element) for element in reversed(meta.findall("article-id"))}
    return _Ids(
        normalize_pmid(ids.get("pmid", "")),
        normalize_pmcid(ids.get("pmcid") or ids.get("pmc") or ids.get("pmcaid") or ""),
        normalize_doi(ids.get("doi", "")),
    )


def _choose_identity(ids: _Ids) -> tuple[str, str, str]:
    """Database, external id and address of the record."""
    if ids.pmcid:
        return "pmc", ids.pmcid, f"https://pmc.ncbi.nlm.nih.gov/articles/{ids.pmcid}/"
    if ids.pmid:
        return "pubmed", ids.pmid, f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/"
    if ids.doi:
        return "crossref", ids.doi, f"https://doi.org/{ids.doi}"
    raise RecordError("the article has no PMCID, no PMID and no DOI")


def _read_title(meta: Element) -> str:
    for group in ("title-group", "title-group/trans-title-group"):
        for name in ("article-title", "trans-title"):
            if title := text_of(meta.find(f"{group}/{name}")):
                subtitle = text_of(meta.find(f"{group}/subtitle"))
                return f"{title.removesuffix(':')}: {subtitle}" if subtitle else title
    return ""


def _read_subjects(meta: Element) -> list[str]:
    groups = meta.findall("article-categories/subj-group[@subj-group-type='heading']")
    return [text_of(subject) for group in groups for subject in group.findall("subject")]


def _read_date(meta: Element) -> str | None:
    """The date of print, else online, else of the collection; never of a deposit or correction."""
    dates = [date for date in meta.findall("pub-date") if not any(map(_LATER.search, _date_kinds(date)))]
    return next(filter(None, map(_parse_date_element, sorted(dates, key=_rank_date))), None)


def _date_kinds(date: Element) -> set[str]:
    return {date.get(name, "") for name in ("pub-type", "publication-format", "date-type")}


def _rank_date(date: Element) -> int:
    kinds = _date_kinds(date)
    return 0 if kinds & _PRINT else 1 if kinds & _ONLINE else 2


def _parse_date_element(date: Element) -> str | None:
    year, month, day, other = (text_of(date.find(name)) for name in ("year", "month", "day", "string-date"))
    return partial_date(year, month, day) or parse_date(other)


def _read_container(article: Element) -> str | None:
    for path in (
        "journal-id[@journal-id-type='iso-abbrev']",
        "journal-title-group/journal-title",
        "journal-title",
        "journal-id[@journal-id-type='nlm-ta']",
    ):
        if text := text_of(article.find(f"front/journal-meta/{path}")):
            return text
    return None


def _find_trials(meta: Element, title: str, front: Sequence[Section]) -> tuple[str, ...]:
    """The trials named in the front matter."""
    related = [text_of(element) for element in meta.findall("related-object")]
    return find_trials("\n".join([title, *related, *(section.text for section in front)]))


def _read_links(meta: Element) -> Iterable[Link]:
    for related in meta.findall("related-article"):
        target = text_of(related) or related.get(_HREF, "")
        is_pmid = related.get("ext-link-type") in ("pmid", "pubmed")
        pmid = normalize_pmid(target) if is_pmid else None
        yield Link(related.get("related-article-type", ""), "" if pmid else target, pmid or "")
