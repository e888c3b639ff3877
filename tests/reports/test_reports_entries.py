"""What a bibliography takes of a reference, whichever database and version of storm described it."""

from __future__ import annotations

import pytest
from bibliographies import reference

from storm.models import BookDetails, Contributor, LabelDetails, Pages, PatentDetails, Publication, TrialDetails
from storm.reports.entries import EntryKind, entry_of, split_name

BOOK = Publication(book=BookDetails(title="StatPearls", editors=(Contributor(family="Doe"),)), publisher="StatPearls")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, EntryKind.ARTICLE),
        ({"source_type": "crossref", "publication_types": ("Preprint",)}, EntryKind.PREPRINT),
        ({"publication": BOOK}, EntryKind.CHAPTER),
        ({"publication": BOOK, "title": "StatPearls"}, EntryKind.BOOK),
        ({"source_type": "clinicaltrials"}, EntryKind.TRIAL),
        ({"source_type": "patents"}, EntryKind.PATENT),
        ({"source_type": "dailymed"}, EntryKind.REPORT),
        ({"source_type": "openfda"}, EntryKind.REPORT),
        ({"source_type": "openfda", "publication_types": ("Adverse event reports",)}, EntryKind.DATASET),
        ({"source_type": "orangebook"}, EntryKind.DATASET),
        ({"source_type": "chembl"}, EntryKind.DATASET),
        ({"source_type": "web"}, EntryKind.PAGE),
        ({"source_type": "web", "publication": Publication(journal="Cancers", volume="14")}, EntryKind.ARTICLE),
        ({"source_type": "web", "publication": Publication(journal="A magazine")}, EntryKind.PAGE),
        ({"source_type": "a database of somebody"}, EntryKind.PAGE),
    ],
)
def test_the_kind_of_a_work_follows_from_its_database_and_its_types(fields: dict[str, object], kind: EntryKind) -> None:
    assert entry_of(reference(**fields)).kind is kind


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Slamon DJ", Contributor(family="Slamon", initials="DJ")),
        ("Van Cutsem E", Contributor(family="Van Cutsem", initials="E")),
        ("Bonow RO Jr", Contributor(family="Bonow", initials="RO", suffix="Jr")),
        ("Smith Jr J", Contributor(family="Smith", initials="J", suffix="Jr")),
        ("JAMIL A", Contributor(family="JAMIL", initials="A")),
        ("de Boer AGEM", Contributor(family="de Boer", initials="AGEM")),
        ("Cochrane EPOC", Contributor(collective="Cochrane EPOC")),
        ("HERA Study Group", Contributor(collective="HERA Study Group")),
        ("WHO EMA", Contributor(collective="WHO EMA")),
        ("Sharon A. Baughman", Contributor(collective="Sharon A. Baughman")),
        ("王伟", Contributor(collective="王伟")),
        ("Jr", Contributor(collective="Jr")),
        ("", Contributor()),
    ],
)
def test_a_short_name_is_taken_apart_and_any_other_left_whole(name: str, parts: Contributor) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Jane M. Doe", Contributor(family="Doe", given="Jane M.")),
        ("J.-P. Doe-Smith", Contributor(family="Doe-Smith", given="J.-P.")),
        ("J. M. O'Neill Jr", Contributor(family="O'Neill", given="J. M.", suffix="Jr")),
        ("Jan P. van der Berg", Contributor(family="van der Berg", given="Jan P.")),
        ("Jane Doe", Contributor(collective="Jane Doe")),
        ("HERA Study Group", Contributor(collective="HERA Study Group")),
        ("U.S. Pharmacopeia", Contributor(collective="U.S. Pharmacopeia")),
        ("Robert W. Franz Institute", Contributor(collective="Robert W. Franz Institute")),
    ],
)
def test_a_name_in_natural_order_is_split_if_initials_show_that_it_is_a_persons(name: str, parts: Contributor) -> None:
    stated = Publication(authors=(Contributor(collective=name),))
    assert entry_of(reference(publication=stated)).authors == entry_of(reference(authors=(name,))).authors == (parts,)


def test_an_inventor_is_a_person_without_initials_too() -> None:
    patent = PatentDetails(inventors=(Contributor(collective="Steven Shak"),))
    entry = entry_of(reference(source_type="patents", publication=Publication(patent=patent)))
    assert entry.authors == (Contributor(family="Shak", given="Steven"),)


def test_a_chapter_has_the_doi_that_does_not_identify_it() -> None:
    chapter = Publication(book=BookDetails(title="A book", doi="10.1000/b"))
    assert entry_of(reference(publication=chapter, identifiers=("ris:c1",))).first_identifier("doi") == "10.1000/b"


def test_authors_in_parts_come_before_short_names_and_et_al_is_none_of_them() -> None:
    cut = entry_of(reference(authors=("Doe J", "et al")))
    assert (cut.authors, cut.has_more_authors) == ((Contributor(family="Doe", initials="J"),), True)
    own = Publication(authors=(Contributor(family="Doe", given="Jane"), Contributor(given="Prince", suffix="II")))
    stated = entry_of(reference(authors=("Doe J", "et al"), publication=own))
    assert stated.authors == (own.authors[0], Contributor(collective="Prince II"))
    assert not stated.has_more_authors


def test_a_name_without_a_letter_that_can_be_printed_is_nobody() -> None:
    own = Publication(authors=(Contributor(family="\udc00"), Contributor(collective="\x00 A\nB ")))
    assert entry_of(reference(publication=own)).authors == (Contributor(collective="A B"),)


@pytest.mark.parametrize(
    ("fields", "institution", "number", "date"),
    [
        (
            {"source_type": "patents", "external_id": "US5821337", "container": "Genentech, Inc.", "date": "1998-10"},
            "Genentech, Inc.", "US5821337", (1998, 10),
        ),
        (
            {"source_type": "patents", "publication": Publication(patent=PatentDetails(
                country="US", number="5821337", kind="A", applicants=("A", "B"), publication_date="1998-10-13"))},
            "A; B", "US5821337A", (1998, 10, 13),
        ),
        (
            {"source_type": "clinicaltrials", "external_id": "NCT00287391", "date": "2005-01", "publication":
                Publication(trial=TrialDetails(registry="ISRCTN", first_posted="2006-02-03"))},
            "ISRCTN", "NCT00287391", (2006, 2, 3),
        ),
        (
            {"source_type": "dailymed", "agency": "FDA", "publication":
                Publication(label=LabelDetails(labeler="Genentech, Inc.", set_id="492d", effective_date="2024-06"))},
            "Genentech, Inc.", "492d", (2024, 6),
        ),
        ({"source_type": "openfda", "external_id": "BLA103792", "agency": "FDA"}, "FDA", "BLA103792", (2001,)),
        ({"source_type": "chembl", "external_id": "CHEMBL12", "year": None}, "ChEMBL", "CHEMBL12", ()),
    ],
)  # fmt: skip
def test_who_answers_for_a_work_its_number_and_its_date(
    fields: dict[str, object], institution: str, number: str, date: tuple[int, ...]
) -> None:
    entry = entry_of(reference(**fields))
    assert (entry.institution, entry.number, entry.date) == (institution, number, date)


@pytest.mark.parametrize(
    ("date", "numbers"),
    [("2010-08-28", (2010, 8, 28)), ("2010-08", (2010, 8)), ("2010-13-01", (2010,)), ("2010-02-99", (2010, 2)),
     ("Spring 2010", ()), ("²010", ()), ("2010-08-28T10:00", ())],
)  # fmt: skip
def test_a_date_is_as_partial_as_its_record(date: str, numbers: tuple[int, ...]) -> None:
    assert entry_of(reference(date=date)).date == numbers


def test_pages_are_a_range_one_page_or_the_number_of_the_article() -> None:
    for own, pages in (
        (Publication(pages=Pages(first="687", last="697"), article_number="e1"), ("687", "697")),
        (Publication(pages=Pages(first="687")), ("687",)),
        (Publication(article_number="e1001"), ("e1001",)),
        (Publication(), ()),
    ):
        assert entry_of(reference(publication=own)).pages == pages


def test_inventors_stand_in_the_order_of_the_record_and_in_one_style() -> None:
    names = ("Stephen Howard Cypes", "Alex Minhua Chen", "Russell R. Ferlita", "et al")
    entry = entry_of(reference(source_type="patents", authors=names))
    assert [person.family for person in entry.authors] == ["Cypes", "Chen", "Ferlita"]
    unmarked = entry_of(reference(source_type="patents", authors=("Gloria Gusler", "Bret Berner")))
    assert [person.family for person in unmarked.authors] == ["Gusler", "Berner"]
    companies = entry_of(reference(source_type="patents", authors=("ImClone Systems",)))
    assert [person.collective for person in companies.authors] == ["ImClone Systems"]
