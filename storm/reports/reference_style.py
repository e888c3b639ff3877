"""Formats works in the reference style of the National Library of Medicine (ICMJE)."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from storm import wording
from storm.models import Contributor, Retraction, database_label
from storm.reports.document import Inlines, join_inlines, record_text
from storm.reports.entries import Entry, EntryKind, initials_of, parse_date_parts

#: Most authors named.
_MOST_AUTHORS = 6
_LABEL = " label"
#: Identifiers not shown: addresses, which are linked, and hashes of entries without an id.
_UNSHOWN = ("url:", "web:", "ris:sha256-")
_US_PATENT = re.compile(r"US ?(\d{7,8})(?: ?[A-Z]\d?)?")
_PAPER_IDS = ("pmid", "pmcid", "doi")
#: Identifiers that the description already contains.
_DESCRIBED = {EntryKind.TRIAL: ("registry",), EntryKind.PATENT: ("patent",)}


def describe_entry(entry: Entry) -> Inlines:
    """`Authors. Title. Journal. 2010 Aug 28;376(9742):687-97. doi: … PubMed PMID: …`, without the last full stop.

    The format depends on the kind of work."""
    describe = {
        EntryKind.CHAPTER: _describe_chapter,
        EntryKind.BOOK: _describe_book,
        EntryKind.THESIS: _describe_book,
        EntryKind.CONFERENCE: _describe_chapter,
        EntryKind.TRIAL: _describe_trial,
        EntryKind.PATENT: _describe_patent,
        EntryKind.REPORT: _describe_report,
        EntryKind.DATASET: _describe_dataset,
        EntryKind.PAGE: _describe_page,
    }.get(entry.kind, _describe_article)
    sentences = (*describe(entry), *_list_identifiers(entry))
    return join_inlines(". ", ((record_text(text.strip().rstrip(".")),) for text in sentences if text.strip(" .")))


def describe_authors(entry: Entry) -> str:
    """The first six authors: `Bang YJ, Van Cutsem E, et al`; groups come after persons."""
    shown = entry.authors[:_MOST_AUTHORS]
    persons = ", ".join(_short_name(person) for person in shown if person.family)
    groups = "; ".join(person.collective for person in shown if not person.family)
    named = "; ".join(filter(None, (persons, groups)))
    is_cut = len(entry.authors) > len(shown) or entry.has_more_authors
    return f"{named}, {wording.ET_AL}" if named and is_cut else named


def spell_identifier(identifier: str) -> str:
    """ "PMID 1" for "pmid:1"."""
    kind, _, value = identifier.partition(":")
    known = wording.IDENTIFIER_KINDS.get(kind)
    return (f"{database_label(kind)} " if known is None else known) + value


def spell_patent_number(number: str) -> str:
    """ "US 5,821,337" for "US5821337A", as the NLM writes granted patents of the United States; others as they are."""
    found = _US_PATENT.fullmatch(number)
    return f"US {int(found[1]):,}" if found else number


def spell_date(date: Sequence[int]) -> str:
    """`2010 Aug 28`, or the known part."""
    year, *rest = date or ("",)
    return " ".join(map(str, (year, *(calendar.month_abbr[month] for month in rest[:1]), *rest[1:])))


def shorten_pages(pages: Sequence[str]) -> str:
    """`687-97` of 687 and 697."""
    if len(pages) < 2 or pages[0] == pages[1]:
        return "".join(pages[:1])
    first, last = pages
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))))
    is_plain = first.isdecimal() and last.isdecimal() and len(first) == len(last)
    return f"{first}-{last[same:] if is_plain else last}"


def _describe_article(entry: Entry) -> Iterator[str]:
    yield from (describe_authors(entry), _format_title(entry))
    journal = entry.publication.journal_abbreviation or entry.container
    yield journal
    issue = _format_volume(entry)
    if issue or not (entry.date and str(entry.date[0]) in journal):
        yield f"{spell_date(entry.date)}{issue and ';'}{issue}"


def _format_volume(entry: Entry) -> str:
    """`376(9742):687-97`"""
    own = entry.publication
    issue = f"({own.issue})" if own.issue else ""
    pages = shorten_pages(entry.pages)
    return f"{own.volume or ''}{issue}{pages and ':'}{pages}"


def _format_title(entry: Entry) -> str:
    retracted = wording.RETRACTED_TITLE if entry.record.retraction is Retraction.RETRACTED else ""
    preprint = wording.PREPRINT_TITLE if entry.kind is EntryKind.PREPRINT else ""
    thesis = wording.THESIS_TITLE if entry.kind is EntryKind.THESIS else ""
    return f"{entry.title}{preprint}{thesis}{retracted}"


def _describe_chapter(entry: Entry) -> Iterator[str]:
    editors = ", ".join(_short_name(person) or person.collective for person in entry.editors)
    yield from (describe_authors(entry), _format_title(entry))
    yield wording.IN_BOOK.format(
        book=f"{editors}, {wording.EDITORS}. {entry.container}" if editors else entry.container
    )
    yield _format_imprint(entry)
    yield f"p. {shorten_pages(entry.pages)}" if entry.pages else ""


def _describe_book(entry: Entry) -> Iterator[str]:
    yield from (describe_authors(entry), _format_title(entry), _format_imprint(entry))


def _format_imprint(entry: Entry) -> str:
    """`Treasure Island (FL): StatPearls Publishing; 2023 Jan`"""
    place = ": ".join(filter(None, (entry.publication.place, entry.institution)))
    return "; ".join(filter(None, (place, spell_date(entry.date))))


def _describe_trial(entry: Entry) -> Iterator[str]:
    yield wording.REGISTRIES.get(entry.institution, wording.ON_THE_INTERNET.format(name=entry.institution))
    described = wording.TRIAL_ENTRY.format(number=entry.number, title=_format_title(entry))
    # A registry's record that does not say when it was posted has the day on which the study began.
    start = spell_date(parse_date_parts(entry.record.date or str(entry.record.year or "")))
    dated = spell_date(entry.date) or (start and wording.STUDY_START.format(date=start))
    yield "; ".join(filter(None, (described, dated))) + _format_cited_day(entry)


def _describe_patent(entry: Entry) -> Iterator[str]:
    inventors = describe_authors(entry)
    word = wording.INVENTORS if len(entry.authors) > 1 else wording.INVENTOR
    assignee = f"{entry.institution}, {wording.ASSIGNEE}" if entry.institution else ""
    yield "; ".join(filter(None, (inventors and f"{inventors}, {word}", assignee)))
    number = spell_patent_number(entry.number)
    yield from (_format_title(entry), wording.PATENTS.get(entry.country, wording.PATENT).format(number=number))
    yield spell_date(entry.date)


def _describe_report(entry: Entry) -> Iterator[str]:
    yield describe_authors(entry)
    is_label = entry.title.endswith(_LABEL)
    yield entry.title.removesuffix(_LABEL) + wording.LABEL_TITLE if is_label else _format_title(entry)
    date = spell_date(entry.date)
    dated = wording.REVISED.format(date=date) if is_label and date else date
    place = ": ".join(filter(None, (entry.publication.place, entry.institution)))
    yield "; ".join(filter(None, (place, dated))) + _format_cited_day(entry)


def _describe_dataset(entry: Entry) -> Iterator[str]:
    yield from (describe_authors(entry), _format_title(entry))
    published = wording.ON_THE_INTERNET.format(name=entry.institution)
    yield "; ".join(filter(None, (published, spell_date(entry.date)))) + _format_cited_day(entry)


def _describe_page(entry: Entry) -> Iterator[str]:
    yield from (describe_authors(entry), wording.ON_THE_INTERNET.format(name=_format_title(entry)))
    yield "; ".join(filter(None, (entry.container, spell_date(entry.date)))) + _format_cited_day(entry)


def _format_cited_day(entry: Entry) -> str:
    """The day a public service returned the record; empty for local records."""
    day = entry.record.retrieved
    return wording.CITED_ON.format(date=spell_date(tuple(map(int, day.split("-"))))) if day else ""


def _list_identifiers(entry: Entry) -> Iterator[str]:
    """`doi: …`, `PubMed PMID: …; PubMed Central PMCID: …`, then others; the database for an article without any."""
    papers = {kind: entry.first_identifier(kind) for kind in _PAPER_IDS}
    yield papers["doi"] and f"doi: {papers['doi']}"
    yield "; ".join(wording.PAPER_NUMBERS[kind] + papers[kind] for kind in ("pmid", "pmcid") if papers[kind])
    others = ", ".join(map(spell_identifier, _other_identifiers(entry)))
    is_bare = entry.kind is EntryKind.ARTICLE and not any(papers.values())
    yield others or (database_label(entry.record.source_type) if is_bare else "")


def _other_identifiers(entry: Entry) -> Iterable[str]:
    described = (*_PAPER_IDS, *_DESCRIBED.get(entry.kind, ()))
    shown = (identifier for identifier in entry.record.identifiers if not identifier.startswith(_UNSHOWN))
    return (identifier for identifier in shown if identifier.partition(":")[0] not in described)


def _short_name(person: Contributor) -> str:
    """`Slamon DJ Jr`"""
    return " ".join(filter(None, (person.family, initials_of(person), person.suffix)))
