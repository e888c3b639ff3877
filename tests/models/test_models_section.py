import pytest

from storm.models import Cell, Hit, Section, SectionKind, TableRow
from storm.models.section import LONGEST, kind_of_heading


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Introduction", SectionKind.INTRODUCTION),
        ("1. Background", SectionKind.INTRODUCTION),
        ("MATERIALS AND METHODS: Patients", SectionKind.METHODS),
        ("RESEARCH DESIGN AND METHODS", SectionKind.METHODS),
        ("2.1 Study participants", SectionKind.METHODS),
        ("Patients", SectionKind.METHODS),
        ("EXPOSURES", SectionKind.METHODS),
        ("DIAGNOSES", SectionKind.METHODS),
        ("METHODS: CASE PRESENTATION", SectionKind.RESULTS),
        ("OBSERVATIONS", SectionKind.RESULTS),
        ("EXPERT OPINION", SectionKind.DISCUSSION),
        ("ETHNOPHARMACOLOGICAL RELEVANCE", SectionKind.INTRODUCTION),
        ("CLINICAL RELEVANCE", SectionKind.CONCLUSION),
        ("BACKGROUD", SectionKind.INTRODUCTION),
        ("PROSPERO REGISTRATION NUMBER", SectionKind.BACK_MATTER),
        ("Telmisartan in high-risk patients", SectionKind.OTHER),
        ("3. Results: Statistical analysis", SectionKind.RESULTS),
        ("Findings", SectionKind.RESULTS),
        ("Results and Discussion", SectionKind.DISCUSSION),
        ("Conclusions/interpretation", SectionKind.CONCLUSION),
        ("Authors’ contributions", SectionKind.BACK_MATTER),
        ("Experiment 2: Results", SectionKind.RESULTS),
        ("Abstract", SectionKind.ABSTRACT),
        ("Telmisartan and atrial fibrillation", SectionKind.OTHER),
        ("", SectionKind.OTHER),
    ],
)
def test_a_heading_says_what_stands_below_it(heading: str, kind: SectionKind) -> None:
    assert kind_of_heading(heading) is kind


def test_a_section_whose_kind_nobody_says_has_that_of_its_heading() -> None:
    assert Section(label="Discussion: Limitations", text="…").kind is SectionKind.DISCUSSION
    assert Section(label="Discussion", text="…", kind=SectionKind.LABEL).kind is SectionKind.LABEL


def test_the_results_of_an_abstract_are_results() -> None:
    assert Section(label="RESULTS", text="…", kind=SectionKind.ABSTRACT).role is SectionKind.RESULTS
    assert Section(label="", text="…", kind=SectionKind.ABSTRACT).role is SectionKind.ABSTRACT


def test_a_part_is_named_without_the_colon_of_its_heading() -> None:
    assert Section(label="Results:", text="…", kind=SectionKind.ABSTRACT).name == "Abstract: Results"
    assert Section(label="Results: Survival:", text="…").name == "Results: Survival"


def test_the_text_of_a_table_is_its_rows_one_a_line() -> None:
    rows = (
        TableRow(heading="HbA1c (%), change", cells=(Cell(column="A (n=9)", text="-1"), Cell(column="B", text="0.1"))),
        TableRow(cells=(Cell(text="Age over 18"),)),
    )
    table = Section.of_rows(rows, "Results", "Table 2")
    assert (table.kind, table.place, table.is_prose) == (SectionKind.TABLE, "Table 2", False)
    assert table.text == "HbA1c (%), change: A (n=9): -1; B: 0.1\n\nAge over 18"


def test_the_prose_of_a_record_is_its_text_without_tables_and_back_matter() -> None:
    parts = [
        Section(text=kind, kind=kind) for kind in (SectionKind.RESULTS, SectionKind.TABLE, SectionKind.BACK_MATTER)
    ]
    hit = Hit.of("pmc", "PMC1", "u", "Title", sections=tuple(parts))
    assert (hit.prose, hit.text) == ("results", "results\n\ntable\n\nback matter")


@pytest.mark.parametrize("piece", ["One of 40 men had pain.\n\n", "It was mild. ", "pain ", "x"])
def test_a_section_that_is_too_long_is_divided_between_paragraphs_sentences_or_words(piece: str) -> None:
    text = (piece * (125_000 // len(piece))).strip()
    places = tuple(range(5, len(text), 25_000))
    parts = Hit.of("pubmed", "1", "https://example.org/1", "T", sections=[Section(text=text, cited=places)]).sections
    assert len(parts) == 3
    assert all(len(part.text) <= LONGEST for part in parts)
    assert [word for part in parts for word in part.text.split()] == text.split() or piece == "x"
    assert "".join("".join(part.text.split()) for part in parts) == "".join(text.split())
    assert all(part.text.startswith(piece.strip()) and part.text.endswith(piece.strip()) for part in parts)
    read = [part.text[at - 3 : at + 3] for part in parts for at in part.cited]
    assert read == [text[at - 3 : at + 3] for at in places]


def test_a_table_and_a_section_of_usual_length_stay_whole() -> None:
    table = Section.of_rows((TableRow(heading="Pain", cells=(Cell(column="n", text="4 " * LONGEST),)),), "", "Table 1")
    short = Section(text="It was mild.", cited=(12,))
    assert Hit.of("pubmed", "1", "https://example.org/1", "T", sections=(table, short)).sections == (table, short)


def test_a_section_of_the_greatest_length_is_one_and_a_mark_at_the_end_of_a_part_stays_there() -> None:
    text = f"{'a' * (LONGEST - 2)}. "
    assert [*Section(text=text).divide()] == [Section(text=text)]
    first, last = Section(text=f"{text}It was mild.", cited=(LONGEST - 1,)).divide()
    assert (first.cited, last.text, last.cited) == ((LONGEST - 1,), "It was mild.", ())


def test_blanks_alone_are_no_part() -> None:
    assert [part.text for part in Section(text=f"a{' ' * 2 * LONGEST}b").divide()] == ["a", "b"]
