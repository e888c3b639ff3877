"""One description of a work, from several records of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storm.models import Hit, RecordFacts, Retraction, Section, merge_hits
from storm.models.study import EnrollmentKind

PUBMED = Hit.of("pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Title", text="Short.", pmid="1", year=2001)
PMC = Hit.of("pmc", "PMC2", "https://pmc/2", "Other title", text="A much longer text.", pmid="1", pmcid="PMC2")


def _hits() -> st.SearchStrategy[Hit]:
    return st.builds(
        lambda database, text, year, types, retraction: Hit.of(
            database, "7", "https://x/7", f"T {database}", text=text, pmid="7", year=year, publication_types=types,
            retraction=retraction,
        ),
        st.sampled_from(["pubmed", "pmc", "europepmc", "web", "own"]),
        st.text(max_size=5),
        st.none() | st.integers(1990, 2026),
        st.lists(st.sampled_from(["Review", "Letter"]), max_size=2).map(tuple),
        st.sampled_from(list(Retraction)),
    )  # fmt: skip


def test_fields_come_by_the_order_of_databases_and_the_longest_text_wins() -> None:
    merged = merge_hits([PMC, PUBMED])
    assert (merged.database, merged.title, merged.year) == ("pubmed", "Title", 2001)
    assert merged.text == "A much longer text."
    assert merged.identifiers == ("pmid:1", "pmcid:PMC2")


def test_one_record_that_says_retracted_is_enough() -> None:
    retracted = PMC.model_copy(update={"retraction": Retraction.RETRACTED})
    assert merge_hits([PUBMED, retracted]).retraction is Retraction.RETRACTED


def test_a_number_of_participants_keeps_whether_it_was_reached() -> None:
    planned = PUBMED.model_copy(update={"facts": RecordFacts(enrollment_kind=EnrollmentKind.PLANNED, enrollment=800)})
    counted = PMC.model_copy(update={"facts": RecordFacts(enrollment_kind=EnrollmentKind.ENROLLED, enrollment=0)})
    unknown = PUBMED.model_copy(update={"facts": RecordFacts(enrollment=750)})
    for hits, kept in (([planned, counted], planned), ([unknown, counted], unknown), ([PUBMED, counted], counted)):
        facts = merge_hits(hits).facts
        assert (facts.enrollment, facts.enrollment_kind) == (kept.facts.enrollment, kept.facts.enrollment_kind)


@given(st.lists(_hits(), min_size=1, max_size=5), st.randoms())
def test_neither_order_nor_repetition_changes_the_merged_hit(hits: list[Hit], random) -> None:
    shuffled = [*hits, *hits]
    random.shuffle(shuffled)
    assert merge_hits(shuffled) == merge_hits(hits)


def test_a_text_is_its_sections_with_a_blank_line_between() -> None:
    hit = PUBMED.model_copy(update={"sections": (Section(label="METHODS", text="M."), Section(text="R."))})
    assert hit.text == "M.\n\nR."
