from storm.evidence.passages import read_passages
from storm.models import Hit, Section


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
