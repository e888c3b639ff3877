"""What records of one work say of its publication, put together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storm.models import BookDetails, Contributor, Hit, Pages, PatentDetails, Publication, merge_hits
from storm.models.publication import merge_publications

SHORT = Contributor(family="Slamon", given="D J", initials="DJ")
FULL = Contributor(family="Slamon", given="Dennis J.")
OTHER = Contributor(family="Leyland-Jones", given="B", initials="B")


def _hit(database: str, **fields: object) -> Hit:
    return Hit.of(database, "7", "https://x/7", "T", pmid="7", publication=Publication.model_validate(fields))


def _publications() -> st.SearchStrategy[Publication]:
    pages = st.builds(Pages, first=st.sampled_from("12"), last=st.none() | st.sampled_from("89"))
    return st.builds(
        Publication,
        authors=st.lists(st.sampled_from([SHORT, FULL, OTHER]), max_size=3).map(tuple),
        authors_complete=st.none() | st.booleans(),
        volume=st.none() | st.sampled_from("12"),
        pages=st.none() | pages,
        book=st.none() | st.builds(BookDetails, title=st.none() | st.sampled_from("ab")),
    )


def test_crossref_fills_what_the_better_record_lacks_and_changes_nothing_of_it() -> None:
    pubmed = _hit("pubmed", volume="344", journal_abbreviation="N Engl J Med")
    crossref = _hit("crossref", volume="345", issue="11", publisher="Massachusetts Medical Society")
    merged = merge_hits([crossref, pubmed]).publication
    assert (merged.volume, merged.issue) == ("344", "11")
    assert (merged.journal_abbreviation, merged.publisher) == ("N Engl J Med", "Massachusetts Medical Society")


def test_a_last_page_comes_from_a_record_with_the_same_first_page_only() -> None:
    bare, same, other = Pages(first="783"), Pages(first="783", last="792"), Pages(first="1", last="10")
    assert merge_publications([Publication(pages=page) for page in (bare, other, same)]).pages == same
    assert merge_publications([Publication(pages=page) for page in (bare, other)]).pages == bare


def test_the_authors_are_those_of_the_record_that_names_most() -> None:
    def merged(*publications: Publication) -> Publication:
        return merge_publications(publications)

    short, full = Publication(authors=(SHORT, OTHER)), Publication(authors=(FULL, OTHER))
    cut = Publication(authors=(FULL, OTHER, SHORT), authors_complete=False)
    assert merged(short, full) == full
    assert merged(Publication(authors=(SHORT,)), short) == short
    assert merged(cut, short) == short
    assert merged(Publication(), cut) == cut


def test_details_of_a_patent_are_filled_field_by_field() -> None:
    office = Publication(patent=PatentDetails(number="5821337", country="US"))
    family = Publication(patent=PatentDetails(number="1", kind="A", applicants=("Genentech",)))
    assert merge_publications([office, family]).patent == PatentDetails(
        number="5821337", country="US", kind="A", applicants=("Genentech",)
    )


@given(st.lists(_publications(), min_size=1, max_size=4))
def test_a_publication_is_written_without_empty_fields_and_read_again_as_it_was(several: list[Publication]) -> None:
    merged = merge_publications(several)
    assert Publication.model_validate_json(merged.model_dump_json()) == merged
    assert "null" not in merged.model_dump_json()


@given(st.lists(_publications(), min_size=1, max_size=4), st.randoms())
def test_neither_order_nor_repetition_of_the_records_changes_what_is_merged(several: list[Publication], random) -> None:
    hits = [_hit("own", **publication.model_dump()) for publication in several]
    shuffled = [*hits, *hits]
    random.shuffle(shuffled)
    assert merge_hits(shuffled) == merge_hits(hits)
