"""Writes references as BibTeX in UTF-8, readable by BibTeX, biber, Zotero and JabRef."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from storm import wording
from storm.export.citation_keys import make_citation_keys
from storm.export.fields import Field, describe_retraction, dotted_initials, drop_empty_fields, list_details, one_line
from storm.models import Contributor
from storm.reports.entries import Entry, EntryKind

#: All other kinds are `@misc`: older readers drop `@patent` and `@online`.
_TYPES = {
    EntryKind.ARTICLE: "article", EntryKind.CHAPTER: "incollection", EntryKind.BOOK: "book",
    EntryKind.REPORT: "techreport", EntryKind.THESIS: "phdthesis", EntryKind.CONFERENCE: "inproceedings",
}  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
#: Braces become commands, since BibTeX counts escaped ones too; `@`, which begins an entry, is put in braces.
_ESCAPED = str.maketrans(
    {
        "\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}", "~": r"{\textasciitilde}",
        "^": r"{\textasciicircum}", "@": "{@}", **{sign: f"\\{sign}" for sign in "$&#%_"},
    }
)  # fmt: skip
_URL_SAFE = "%/:=&?~#+!$,;'@()*[]-._<>\""


def to_bibtex(entries: Sequence[Entry]) -> str:
    """Write one `@…` per entry, separated by blank lines, each under its number in the dossier and its source id.

    Without entries it is a comment."""
    if not entries:
        return f"% {wording.NO_REFERENCE}\n"
    keyed = zip(make_citation_keys(entries), entries, strict=True)
    return "\n".join(_format_entry(key, entry) for key, entry in keyed)


def escape_latex(text: str) -> str:
    """Escape a line of text for LaTeX; braces stay balanced."""
    line = one_line(text).translate(_ESCAPED)
    for sign in "-`'":  # a pair is a ligature in LaTeX; replaced twice, since three in a row form two pairs
        line = line.replace(sign * 2, f"{sign}{{}}{sign}").replace(sign * 2, f"{sign}{{}}{sign}")
    return line


def _format_entry(key: str, entry: Entry) -> str:
    lines = [f"  {name} = {value},\n" for name, value in _format_fields(entry)]
    record = entry.record  # text between entries is a comment in BibTeX
    return f"% [{record.n}] {record.source_id}\n@{_TYPES.get(entry.kind, 'misc')}{{{key},\n{''.join(lines)}}}\n"


def _format_fields(entry: Entry) -> Iterator[Field]:
    yield from _add_braces(_name_fields(entry))
    if entry.title:
        yield "title", f"{{{_protect_capitals(escape_latex(entry.title))}}}"
    texts = (
        (name, escape_latex(value))
        for name, value in drop_empty_fields((*_type_fields(entry), *_publication_fields(entry)))
    )
    yield from _add_braces(texts)
    if entry.pages:
        yield "pages", f"{{{'--'.join(map(escape_latex, entry.pages))}}}"
    if len(entry.date) > 1:
        yield "month", _MONTHS[entry.date[1] - 1]
    yield from _add_braces(_address_fields(entry))


def _protect_capitals(title: str) -> str:
    """Put braces around words whose capitals a style must not change: `{HER2}`, and names after the first word."""
    first, *others = title.split(" ")
    words = [first if first[1:] == first[1:].lower() else f"{{{first}}}"]
    return " ".join([*words, *(word if word == word.lower() else f"{{{word}}}" for word in others)])


def _add_braces(fields: Iterator[Field]) -> Iterator[Field]:
    return ((name, f"{{{value}}}") for name, value in fields)


def _name_fields(entry: Entry) -> Iterator[Field]:
    for role, people, others in (("author", entry.authors, entry.has_more_authors), ("editor", entry.editors, False)):
        if named := [*map(_format_name, people)]:
            yield role, " and ".join([*named, "others"] if others else named)


def _format_name(person: Contributor) -> str:
    """`Family, Jr, Given`; parts that BibTeX would split are in braces."""
    parts = [part for part in (person.family, person.suffix, person.given or dotted_initials(person)) if part]
    if person.family and len(parts) > 1:
        return ", ".join(map(_escape_name_part, parts))
    return f"{{{escape_latex(person.collective or person.family)}}}"


def _escape_name_part(text: str) -> str:
    """Put braces around a part with a comma, `and` or a leading command, which readers would split or lose."""
    part = escape_latex(text)
    needs_braces = "," in part or part.startswith("\\") or "and" in part.casefold().split()
    return f"{{{part}}}" if needs_braces else part


def _type_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    """Fields specific to the entry type, such as the journal."""
    number = entry.number
    match entry.kind:
        case EntryKind.ARTICLE:
            yield "journal", entry.container
            yield "shortjournal", entry.publication.journal_abbreviation
        case EntryKind.CHAPTER | EntryKind.CONFERENCE:
            yield "booktitle", entry.container
        case EntryKind.THESIS:
            yield "school", entry.institution
        case EntryKind.REPORT:
            yield from (("institution", entry.institution), ("number", number))
        case EntryKind.PATENT:
            yield from (("type", "Patent"), ("number", number), ("assignee", entry.institution))
        case EntryKind.PREPRINT:
            yield from (("eprint", entry.first_identifier("doi")), ("archiveprefix", entry.container))
        case EntryKind.TRIAL | EntryKind.DATASET:
            yield from (("publisher", entry.institution), ("number", number))
        case EntryKind.PAGE:
            yield "organization", entry.container


def _publication_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    own = entry.publication
    if entry.kind in (EntryKind.ARTICLE, EntryKind.CHAPTER, EntryKind.BOOK, EntryKind.CONFERENCE):
        yield from (("publisher", own.publisher), ("address", own.place))
        yield from (("volume", own.volume), ("number", own.issue))
    yield from (("issn", own.issn), ("isbn", own.book.isbn if own.book else None))
    yield from (("language", own.language), ("pmid", entry.first_identifier("pmid")))
    yield from (("pmcid", entry.first_identifier("pmcid")), ("note", "; ".join(_list_notes(entry))))
    yield "year", str(entry.date[0]) if entry.date else ""


def _list_notes(entry: Entry) -> Iterator[str]:
    return filter(None, (one_line(describe_retraction(entry)), *list_details(entry)))


def _address_fields(entry: Entry) -> Iterator[Field]:
    """Addresses, which readers take literally: percent-encoded, not escaped."""
    url = _quote_address(entry.record.url)
    yield from drop_empty_fields((("doi", _quote_address(entry.first_identifier("doi"))), ("url", url)))
    if entry.kind is EntryKind.PAGE and url:
        yield "howpublished", f"\\url{{{url}}}"
    yield from drop_empty_fields((("urldate", entry.record.retrieved),))


def _quote_address(address: str) -> str:
    return quote(address, safe=_URL_SAFE, errors="replace")
