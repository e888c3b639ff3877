from storm.evidence.passages import read_passages
from storm.models import Cell, Hit, Section, TableRow


def test_no_sentence_goes_on_from_one_section_into_the_next() -> None:
    hit = Hit.of(
        "pubmed", "1", "https://pubmed.ncbi.nlm.nih.gov/1/", "Title", pmid="1",
        sections=(
            Section(label="Methods", text="Patients took metformin"),
            Section(label="Results", text="HbA1c fell by 1.2% [3]. None died."),
        ),
    )  # fmt: skip

    found = [(passage.section.label, passage.text, passage.shown) for passage in read_passages(hit)]

    assert found == [
        ("Methods", "Patients took metformin", "Patients took metformin"),
        ("Results", "HbA1c fell by 1.2% [3].", "HbA1c fell by 1.2%."),
        ("Results", "None died.", "None died."),
    ]


def test_a_row_of_a_table_is_one_passage_whatever_full_stops_it_holds() -> None:
    row = TableRow(heading="HbA1c", cells=(Cell(column="Approx. dose", text="5 mg. Daily. "), Cell(text="-0.6")))
    hit = Hit.of("pmc", "PMC1", "u", "Title", sections=(Section.of_rows((row, row), "Results", "Table 2"),))

    found = [(passage.section.place, passage.text) for passage in read_passages(hit)]

    assert found == [("Table 2", "HbA1c: Approx. dose: 5 mg. Daily. ; -0.6")] * 2


def test_a_mark_of_a_reference_that_was_left_out_belongs_to_the_sentence_that_it_stood_in_or_behind() -> None:
    text = "Pain fell. Sleep, too, improved. None died."
    section = Section(label="Discussion", text=text, cited=(text.index("."), text.index(" None")))
    hit = Hit.of("pmc", "PMC1", "u", "Title", sections=(section,))

    found = [(passage.text, passage.is_cited) for passage in read_passages(hit)]

    assert found == [("Pain fell.", True), ("Sleep, too, improved.", True), ("None died.", False)]
