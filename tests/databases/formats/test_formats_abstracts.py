import pytest

from storm.databases.formats.abstracts import abstract_sections, add_category
from storm.models import SectionKind


def parts(text: str) -> list[tuple[str, str]]:
    return [(part.label, part.text) for part in abstract_sections([("", text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Background: It is known. Methods: We asked. Results: It fell.",
         [("Background", "It is known."), ("Methods", "We asked."), ("Results", "It fell.")]),
        ("OBJECTIVE: To ask. PATIENTS AND METHODS: Ten. MAIN FINDING: None.",
         [("OBJECTIVE", "To ask."), ("PATIENTS AND METHODS", "Ten."), ("MAIN FINDING", "None.")]),
        ("Aims.\n\nTo ask.", [("", "Aims.\n\nTo ask.")]),
        ("METHODS:\nWe asked.\nRESULTS:\nIt fell.", [("METHODS", "We asked."), ("RESULTS", "It fell.")]),
        ("Background\nIt is known.\nResults\nIt fell.", [("Background", "It is known."), ("Results", "It fell.")]),
        ("Aims. To ask. Methods and results. We did.\n\nConclusions: No.",
         [("Aims", "To ask."), ("Methods and results", "We did."), ("Conclusions", "No.")]),
    ],
)  # fmt: skip
def test_a_text_is_cut_at_the_headings_in_it(text: str, expected: list[tuple[str, str]]) -> None:
    assert parts(text) == expected


def test_a_part_under_the_first_heading_is_cut_at_the_others_in_its_text() -> None:
    cut = abstract_sections([("Background", "It is known. Methods: We asked. Results: It fell.")])
    labelled = [(part.label, part.text) for part in cut]
    assert labelled == [("Background", "It is known."), ("Methods", "We asked."), ("Results", "It fell.")]


def test_words_of_methods_are_no_headings_among_results() -> None:
    said = "Most completed it. Patients: 62 of 100 improved. Interventions: zorvimab was better tolerated."
    assert [(part.label, part.text) for part in abstract_sections([("RESULTS", said)])] == [("RESULTS", said)]
    cut = abstract_sections([("Results", "It fell. Conclusions: It works. Trial registration: NCT01234567.")])
    assert [part.label for part in cut] == ["Results", "Conclusions", "Trial registration"]


def test_arms_in_capitals_are_no_headings_of_a_part() -> None:
    said = "GROUP A: Relapses fell by 30%. GROUP B: They fell by 10%."
    assert [(part.label, part.text) for part in abstract_sections([("RESULTS", said)])] == [("RESULTS", said)]


def test_one_word_like_a_heading_does_not_cut_a_part() -> None:
    cut = abstract_sections([("Methods", "We asked. Results: It fell.")])
    assert [(part.label, part.text) for part in cut] == [("Methods", "We asked. Results: It fell.")]


@pytest.mark.parametrize(
    "text",
    [
        "Results: It fell.",
        "It is known. Methods: We asked. Results: It fell.",
        "Methods were those of others. Results differ.",
        "Patients had results: none. The design: two arms.",
    ],
)
def test_words_that_only_look_like_headings_stay_in_the_text(text: str) -> None:
    assert parts(text) == [("", text)]


def test_each_part_is_an_abstract_whose_role_its_heading_tells() -> None:
    found = abstract_sections([("Results", "It fell."), ("", "It is so."), ("Empty", "")])
    assert [(part.kind, part.role) for part in found] == [
        (SectionKind.ABSTRACT, SectionKind.RESULTS),
        (SectionKind.ABSTRACT, SectionKind.ABSTRACT),
    ]


@pytest.mark.parametrize(
    ("label", "category", "expected"),
    [
        ("SIGNIFICANCE", "CONCLUSIONS", "Conclusions: SIGNIFICANCE"),
        ("RESULTS", "RESULTS", "RESULTS"),
        ("WHAT WE DID", "UNASSIGNED", "WHAT WE DID"),
        ("", "METHODS", ""),
    ],
)
def test_a_category_tells_what_a_heading_does_not(label: str, category: str, expected: str) -> None:
    assert add_category(label, category) == expected
