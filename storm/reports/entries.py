"""Bibliography entries: a reference's kind of work and its parts, whichever database described it.

All lists of references use them: the one in documents, BibTeX, RIS and CSL-JSON. Jobs of earlier versions have no
`publication`; their parts come from the other fields.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from storm.models import Contributor, Holds, Publication, Reference, database_info, database_label
from storm.models.hit import ET_AL
from storm.reports.document import printable_line

#: Words of companies and institutions.
_COMPANY = frozenset((
    "inc", "inc.", "ltd", "ltd.", "llc", "llp", "corp", "corp.", "corporation", "co", "co.", "company", "gmbh", "ag",
    "sa", "s.a.", "nv", "bv", "plc", "kk", "spa", "university", "institute", "college", "hospital", "foundation",
    "pharma", "pharmaceutical", "pharmaceuticals", "laboratories", "laboratory", "labs", "therapeutics", "biotech",
    "biosciences", "biologics", "sciences", "health", "healthcare", "holdings", "group", "industries", "international",
    "technologies", "systems", "center", "centre", "school", "council", "ministry", "government",
))  # fmt: skip
#: Words after the initials that are not initials.
_SUFFIXES = frozenset(("Jr", "Sr", "II", "III", "IV", "2nd", "3rd", "4th"))
_MOST_INITIALS = 3
#: The shortest family name in capitals ("JAMIL A"); a shorter one may be a group's ("WHO EU").
_SHORTEST_CAPITALS = 5
#: Databases whose licences are rows of a list, not documents.
_LISTS = ("orangebook", "purplebook")
_COUNTS = "Adverse event reports"
#: Particles that begin a family name.
_PARTICLES = frozenset(("al", "d'", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "la", "le", "ten", "ter",
                        "van", "von", "zu"))  # fmt: skip


class EntryKind(StrEnum):
    """The kind of a work."""

    ARTICLE = "article"
    PREPRINT = "preprint"
    CHAPTER = "chapter"
    BOOK = "book"
    THESIS = "thesis"
    CONFERENCE = "conference"
    TRIAL = "trial"
    PATENT = "patent"
    REPORT = "report"
    DATASET = "dataset"
    PAGE = "page"


#: Kinds of papers that are not articles, by the types that RIS and Crossref have for them.
_TYPED_KINDS = {
    "Thesis/Dissertation": EntryKind.THESIS, "Dissertation": EntryKind.THESIS,
    "Conference proceeding": EntryKind.CONFERENCE, "Conference paper": EntryKind.CONFERENCE,
    "Proceedings Article": EntryKind.CONFERENCE,
    "Report": EntryKind.REPORT, "Government Document": EntryKind.REPORT,
}  # fmt: skip


class Entry(NamedTuple):
    """One work of a bibliography; unknown texts are empty.

    `container` is the journal, book, preprint server or site; `institution` is the assignee, labeler, agency or
    repository of a work without one. `number` is its number in a registry, list or patent office. `date` is its year,
    month and day, as far as they are known.
    """

    kind: EntryKind
    record: Reference
    title: str
    authors: tuple[Contributor, ...]
    has_more_authors: bool
    container: str
    institution: str
    number: str
    date: tuple[int, ...]

    @property
    def publication(self) -> Publication:
        return self.record.publication

    @property
    def pages(self) -> tuple[str, ...]:
        """First and last page, a single page, or the article number."""
        pages = self.publication.pages
        stated = (pages.first, pages.last) if pages else (self.publication.article_number,)
        return tuple(page for page in stated if page)

    @property
    def editors(self) -> tuple[Contributor, ...]:
        book = self.publication.book
        return _clean_people(book.editors) if book else ()

    @property
    def country(self) -> str:
        """The country of a patent, as its office's two letters."""
        return self.record.country or (self.publication.patent and self.publication.patent.country) or ""

    def first_identifier(self, kind: str) -> str:
        """The work's first identifier of that kind, without the kind; of a chapter also the DOI that is perhaps its
        book's."""
        named = (identifier.partition(":") for identifier in self.record.identifiers)
        of_book = self.publication.book.doi if self.publication.book and kind == "doi" else None
        return next((value for name, _, value in named if name == kind), of_book or "")


def entry_of(record: Reference) -> Entry:
    """Make the bibliography entry of a reference."""
    kind = _kind_of(record)
    names = [name for name in record.authors if name != ET_AL]
    stated = record.publication
    inventors = stated.patent.inventors if stated.patent else ()
    return Entry(
        kind=kind,
        record=record,
        title=record.title.strip().rstrip("."),
        authors=_clean_people(
            inventors or stated.authors or map(split_name, names),
            bool(inventors) or (kind is EntryKind.PATENT and _are_persons(names)),
        ),
        has_more_authors=stated.authors_complete is False or (not stated.authors and ET_AL in record.authors),
        container=_container_of(record, kind),
        institution=_institution_of(record, kind),
        number=_number_of(record, kind),
        date=parse_date_parts(_date_of(record)),
    )


def split_name(name: str) -> Contributor:
    """Split an abbreviated name (`Slamon DJ`) into its parts; any other name stays whole."""
    words = name.split()
    suffix = words.pop() if len(words) > 2 and words[-1] in _SUFFIXES else ""
    *before, last = words or [""]
    if len(before) > 1 and before[-1] in _SUFFIXES:  # "Smith Jr J"
        suffix = before.pop()
    family = " ".join(before)
    most = _MOST_INITIALS + (family.partition(" ")[0].lower() in _PARTICLES)
    if family.isupper():
        most = _MOST_INITIALS - 1 if len(family) >= _SHORTEST_CAPITALS else 0
    if len(last) <= most and last.isalpha() and last.isupper() and family:
        return Contributor(family=family, initials=last, suffix=suffix)
    return Contributor(collective=name)


def _split_natural_name(name: str, is_person: bool) -> Contributor | None:
    """Split `Jane M. Doe` and `Jan P. van der Berg`, which initials show to be a person's; None for another name.

    The name of a person (an inventor) needs no initials."""
    words = name.split()
    suffix = words.pop() if len(words) > 2 and words[-1] in _SUFFIXES else ""
    *given, last = words or [""]
    family = [last]
    while given and given[-1].lower() in _PARTICLES:
        family.insert(0, given.pop())
    has_initial = bool(given) and all(map(_is_initial, given[-1].split("-")))
    is_spelled = all(word[0].isupper() and word.isprintable() for word in (*given, last) if word)
    if not (given and is_spelled and _is_family_name(last) and (has_initial or is_person)) or "," in name:
        return None
    return Contributor(family=" ".join(family), given=" ".join(given), suffix=suffix)


def _are_persons(names: Sequence[str]) -> bool:
    """Whether the names of a patent are those of inventors: one has an initial, or several have no company's words."""
    if any(_split_natural_name(name, False) for name in names):
        return True
    parts = [name.split() for name in names]
    return len(names) > 1 and all(
        len(words) in (2, 3) and _COMPANY.isdisjoint(map(str.casefold, words)) for words in parts
    )


def _is_initial(text: str) -> bool:
    return len(text) == 2 and text[0].isupper() and text[1] == "."


def _is_family_name(text: str) -> bool:
    letters = text.replace("-", "").replace("'", "").replace("’", "")
    return len(letters) > 1 and letters.isalpha()


def initials_of(person: Contributor) -> str:
    """`DJ`: from the record, or made from the given names."""
    words = person.given.replace("-", " ").replace(".", " ").split()
    return person.initials or "".join(word[0].upper() for word in words)


def _clean_people(people: Iterable[Contributor], are_persons: bool = False) -> tuple[Contributor, ...]:
    """Clean the parts of each name and drop empty names; without a family name, only a person's name is split."""
    printable = [{name: printable_line(part).strip() for name, part in person} for person in people]
    return tuple(_make_contributor(parts, are_persons) for parts in printable if any(parts.values()))


def _make_contributor(parts: Mapping[str, str], is_person: bool) -> Contributor:
    if parts["family"]:
        return Contributor(**parts)
    whole = parts["collective"] or " ".join(filter(None, parts.values()))
    return _split_natural_name(whole, is_person) or Contributor(collective=whole)


def _kind_of(record: Reference) -> EntryKind:
    holds = database_info(record.source_type).holds
    if holds is Holds.LICENCES:
        is_list = record.source_type in _LISTS or _COUNTS in record.publication_types
        return EntryKind.DATASET if is_list else EntryKind.REPORT
    if holds is Holds.PAPERS:
        return _paper_kind_of(record)
    kinds = {Holds.STUDIES: EntryKind.TRIAL, Holds.PATENTS: EntryKind.PATENT, Holds.MOLECULES: EntryKind.DATASET}
    return kinds.get(holds) or _page_kind(record.publication)


def _page_kind(stated: Publication) -> EntryKind:
    """An article that was read on its page is cited as what it is, with its volume."""
    is_article = stated.volume and (stated.journal or stated.journal_abbreviation)
    return EntryKind.ARTICLE if is_article else EntryKind.PAGE


def _paper_kind_of(record: Reference) -> EntryKind:
    if "Preprint" in record.publication_types:
        return EntryKind.PREPRINT
    book = record.publication.book
    if book is None:
        typed = (_TYPED_KINDS[name] for name in record.publication_types if name in _TYPED_KINDS)
        return next(typed, EntryKind.ARTICLE)
    return EntryKind.CHAPTER if book.title and book.title != record.title else EntryKind.BOOK


def _container_of(record: Reference, kind: EntryKind) -> str:
    stated = record.publication
    if kind is EntryKind.CHAPTER and stated.book:
        return stated.book.title or ""
    if kind in (EntryKind.ARTICLE, EntryKind.PREPRINT, EntryKind.CONFERENCE):
        return stated.journal or record.container or stated.journal_abbreviation or ""
    return record.container or "" if kind is EntryKind.PAGE else ""


def _institution_of(record: Reference, kind: EntryKind) -> str:
    stated, container = record.publication, record.container or ""
    match kind:
        case EntryKind.PATENT:
            return "; ".join(stated.patent.applicants if stated.patent else ()) or container
        case EntryKind.REPORT:
            return (
                (stated.label.labeler if stated.label else None) or record.agency or container or stated.publisher or ""
            )
        case EntryKind.TRIAL:
            return (stated.trial.registry if stated.trial else None) or database_label(record.source_type)
        case EntryKind.DATASET:
            return stated.publisher or database_label(record.source_type)
        case EntryKind.BOOK:
            return stated.publisher or container
    return stated.publisher or ""


def _number_of(record: Reference, kind: EntryKind) -> str:
    """The number of a work; a patent's includes its country and kind code."""
    patent, label = record.publication.patent, record.publication.label
    if kind is EntryKind.PATENT and patent and patent.number:
        return "".join(filter(None, (patent.country, patent.number, patent.kind)))
    if kind is EntryKind.REPORT and label and label.set_id:
        return label.set_id
    if database_info(record.source_type).holds is Holds.PAPERS:  # its id there is not its number
        return ""
    numbered = (EntryKind.PATENT, EntryKind.REPORT, EntryKind.TRIAL, EntryKind.DATASET)
    return record.external_id if kind in numbered else ""


def _date_of(record: Reference) -> str:
    """The date to cite: a patent's publication, a study's registration, a label's version."""
    stated = record.publication
    own = (
        stated.patent.publication_date if stated.patent else None,
        stated.trial.first_posted if stated.trial else None,
        stated.label.effective_date if stated.label else None,
    )
    if database_info(record.source_type).holds is Holds.STUDIES:
        return own[1] or ""  # its other dates are those of the study
    return next(filter(None, own), None) or record.date or str(record.year or "")


def parse_date_parts(text: str) -> tuple[int, ...]:
    """Parse an ISO date, possibly partial, into numbers; empty if it is not one."""
    parts = text.split("-")[:3]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        return ()
    year, month, day = (*map(int, parts), 0, 0)[:3]
    if not 1 <= month <= 12:
        return (year,)
    return (year, month, day) if 1 <= day <= 31 else (year, month)
